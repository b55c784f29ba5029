//! The seats of a position that have resigned.

use rookery_core::{Play, Seat};

use crate::model::Terms;

/// Returns the seats that have resigned in the position from which a game continues.
pub(super) fn gone_before(terms: &Terms) -> Vec<Seat> {
    let from = terms.from.as_deref().zip(rookery_games::named(&terms.game));
    let play = from.and_then(|(line, game)| game.resume(line).ok());
    play.map_or_else(Vec::new, |play| retired(play.as_ref()))
}

/// Returns the seats that have resigned in a position.
pub(super) fn retired(play: &dyn Play) -> Vec<Seat> {
    Seat::all(play.seats()).filter(|seat| play.is_retired(*seat)).collect()
}
