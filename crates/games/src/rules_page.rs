//! The text of a game's rules page: its positions, which are drawn beside it, and its title.

use rookery_core::rules::Setup;
use rookery_core::{Game, Play};

/// The position that a code span of a game's rules page writes; `None` for a move, and for the start: a page that writes that one
/// explains how positions are written.
pub fn example_position(game: &dyn Game, span: &str) -> Option<Box<dyn Play>> {
    let position = game.resume(span).ok()?;
    let start = game.start(&Setup::new(game.info().fewest())).ok()?;
    (start.line() != span).then_some(position)
}

/// The page without its first heading, which is shown elsewhere; never empty.
pub fn without_title(page: &str) -> &str {
    let rest =
        page.split_once('\n').filter(|(first, _)| first.starts_with("# ")).map(|(_, rest)| rest.trim());
    rest.filter(|rest| !rest.is_empty()).unwrap_or(page.trim())
}
