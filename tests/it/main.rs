//! The one integration crate: everything that needs more than one room of the house.

mod cases_amazons;
