//! The one integration crate: everything that needs more than one room of the house.

mod arrows;
mod cases_amazons;
mod cases_amoeba;
mod cases_soccer;
mod promises;
