//! The one integration crate: everything that needs more than one room of the house.

mod cases_amazon_penguins;
mod cases_paper_penguins;
mod cases_penguins;
mod penguin_cases;
mod pictures;
