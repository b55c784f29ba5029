//! A seventh game, added as ARCHITECTURE.md says, gets every feature of the built-in games once it is on the list.
//!
//! It is a test program of its own, because the list of games is global to a process.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../it/api_schema.rs"]
#[allow(dead_code, reason = "shared with the other tests")]
mod api_schema;
mod bot;
#[path = "../it/conformance.rs"]
mod conformance;
#[path = "../it/duel.rs"]
#[allow(dead_code, reason = "shared with the other tests")]
mod duel;
#[path = "../it/eventually.rs"]
#[allow(dead_code, reason = "shared with the other tests")]
mod eventually;
mod fox_and_hounds;
#[path = "../it/test_bot.rs"]
#[allow(dead_code, reason = "shared with the other tests")]
mod test_bot;
mod texts;

use std::sync::Once;

use rookery_core::Game;
use rookery_core::game::TypeErased;

use fox_and_hounds::FoxAndHounds;

static GAMES: &[&dyn Game] = &[&TypeErased::<FoxAndHounds>::GAME];

/// Returns all games; the first call adds the seventh.
fn games() -> &'static [&'static dyn Game] {
    static ADDED: Once = Once::new();
    ADDED.call_once(|| rookery_games::add(GAMES));
    GAMES
}

/// Returns the seventh game from the program's list.
fn game() -> &'static dyn Game {
    let key = games()[0].info().key;
    rookery_games::named(key).unwrap()
}
