//! Games that a test adds to the built-in ones.
//!
//! The list is global to the process: tables, commands and records look games up by key.

use std::sync::OnceLock;

use rookery_core::Game;

use super::BUILT_IN;

static ALL: OnceLock<Vec<&'static dyn Game>> = OnceLock::new();

/// All games in the order in which they are offered; games added by a test come last.
pub fn all() -> &'static [&'static dyn Game] {
    ALL.get_or_init(|| BUILT_IN.to_vec())
}

/// Adds games to the list for the rest of the process.
///
/// # Panics
/// If the list is already in use: part of the program would not know the new games.
pub fn add(games: &[&'static dyn Game]) {
    let with_games = [BUILT_IN, games].concat();
    assert!(ALL.set(with_games).is_ok(), "games are added once, before anything looks at the list");
}
