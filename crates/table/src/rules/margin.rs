//! The margin of a finished game, where its result has an honest one.

use rookery_core::{Reason, Score};

use crate::model::{EndCause, Status};
use crate::state::Table;

impl Table {
    /// Returns by how much the sole winner won, in whole units of the game: points ahead of the second, or moves left
    /// where the last mover wins (0 if the winner had none left either). `None` after a resignation, an end on time or
    /// by agreement, a shared win, and where it was not counted.
    pub fn margin(&self) -> Option<u32> {
        let Status::Over(ending) = self.status() else { return None };
        let [winner] = ending.winners[..] else { return None };
        match ending.cause {
            EndCause::Rules { moves_left: Some(moves_left), .. } => Some(moves_left),
            // The half move that the side to move is charged is no move of anybody's.
            EndCause::Counted { margin_halves: Some(halves) }
            | EndCause::Proven { margin_halves: Some(halves) } => Some(halves / 2),
            EndCause::Rules { reason: Reason::Points | Reason::Repetition, .. }
            | EndCause::Counted { margin_halves: None } => points_ahead(&self.scores()?, winner.index()),
            _ => None,
        }
    }
}

/// Returns the lead of a seat over the best of the others; `None` if it does not lead.
fn points_ahead(scores: &[Score], seat: usize) -> Option<u32> {
    let others = scores.iter().enumerate().filter(|(other, _)| *other != seat);
    let best = others.map(|(_, score)| score.points).max()?;
    scores.get(seat)?.points.checked_sub(best).filter(|lead| *lead > 0)
}
