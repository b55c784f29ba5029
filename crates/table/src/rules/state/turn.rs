//! The current turn. After an undo the same ply is a new turn.

use rookery_core::Seat;

use super::Table;
use crate::model::records::Entry;

/// The seat to move, and the entry since which it is.
#[derive(Clone, Copy, Default)]
pub(super) struct Turn {
    ply: usize,
    mover: Option<Seat>,
    since: u64,
}

impl Table {
    /// Returns the number of the entry with which the current turn began.
    pub fn turn_since(&self) -> u64 {
        self.turn.since
    }

    pub(super) fn note_turn(&mut self, entry: &Entry) {
        let (ply, mover) = (self.ply(), self.to_move());
        if (self.turn.ply, self.turn.mover) != (ply, mover) {
            self.turn = Turn { ply, mover, since: entry.sequence };
        }
    }
}
