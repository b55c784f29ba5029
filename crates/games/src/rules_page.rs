//! Positions in the text of a game's rules page, which are drawn beside it.

use rookery_core::rules::Setup;
use rookery_core::{Game, Play};

/// The position that a code span of a game's rules page writes; `None` for a move, and for the start: a page that writes that one
/// explains how positions are written.
pub fn example_position(game: &dyn Game, span: &str) -> Option<Box<dyn Play>> {
    let position = game.resume(span).ok()?;
    let start = game.start(&Setup::new(game.info().fewest())).ok()?;
    (start.line() != span).then_some(position)
}
