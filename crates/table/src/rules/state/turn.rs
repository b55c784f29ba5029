//! The occasion on which somebody is to move: the same turn comes again once it was taken back.

use rookery_core::Seat;

use super::Table;
use crate::model::records::Entry;

/// Whose turn it is, and since when.
#[derive(Clone, Copy, Default)]
pub(super) struct Turn {
    ply: usize,
    mover: Option<Seat>,
    since: u64,
}

impl Table {
    /// The number of the entry with which the current turn began.
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
