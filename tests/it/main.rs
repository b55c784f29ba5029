//! The one integration crate: everything that needs more than one room of the house.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod arrows;
mod cases_amazon_penguins;
mod cases_amazons;
mod cases_paper_penguins;
mod cases_penguins;
mod first_talk;
mod killed;
mod looks_square;
mod other_server;
mod penguin_cases;
mod pictures;
mod promises;
