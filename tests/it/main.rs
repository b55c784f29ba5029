//! The one integration crate: everything that needs more than one room of the house.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod access;
mod analysis;
mod architecture;
mod browser;
mod cases;
mod cases_amazon_penguins;
mod cases_amazons;
mod cases_amoeba;
mod cases_paper_penguins;
mod cases_penguins;
mod cases_soccer;
mod conformance;
mod described;
mod duel;
mod edited_messages;
mod first_talk;
#[cfg(target_os = "linux")]
mod full_disk;
mod gateway_session;
mod heard;
mod house;
mod killed;
mod levels;
mod looks;
mod missed_messages;
mod never_real;
mod other_server;
mod penguin_cases;
mod pictures;
mod plots;
mod program;
mod readme;
mod records;
mod repeated_orders;
mod rough_seas;
mod seen;
mod signature;
mod supervision;
mod talk;
mod upkeep;
mod web;

/// The games that the conformance tests check.
fn games() -> &'static [&'static dyn rookery_core::Game] {
    rookery_games::all()
}
