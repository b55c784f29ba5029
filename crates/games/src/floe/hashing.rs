//! Hashes of floes: the exclusive or of a random number for each fact.

use super::{Floe, Phase, Taken};
use rookery_core::seed::mix;
use rookery_core::{Cell, MAX_SEATS, Seat};

impl Floe {
    /// The hash of the whole state, maintained by the operations of [`Floe`].
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Computes the hash from scratch.
    pub fn fresh_hash(&self) -> u64 {
        let tiles = self.tiles.iter().map(|cell| tile_key(self.fish(cell), cell));
        let seats = Seat::all(MAX_SEATS);
        let pieces = seats.clone().flat_map(|s| self.pieces(s).iter().map(move |cell| piece_key(s, cell)));
        let taken = seats.map(|seat| taken_key(seat, self.taken(seat)));
        let rest = retired_key(self.retired) ^ turn_key(self.phase, self.turn);
        tiles.chain(pieces).chain(taken).fold(rest, |all, key| all ^ key)
    }
}

/// The input of the hash for a fact: eight bits of kind, followed by the subject.
const fn key(kind: u64, about: u64) -> u64 {
    mix(kind << 56 | about)
}

pub(super) fn tile_key(fish: u8, cell: Cell) -> u64 {
    key(1, u64::from(fish) << 8 | u64::from(cell.0))
}

pub(super) fn piece_key(seat: Seat, cell: Cell) -> u64 {
    key(2, (seat.index() as u64) << 8 | u64::from(cell.0))
}

pub(super) fn taken_key(seat: Seat, taken: Taken) -> u64 {
    key(3, (seat.index() as u64) << 32 | u64::from(taken.points) << 16 | u64::from(taken.tiles))
}

pub(super) fn turn_key(phase: Phase, turn: Seat) -> u64 {
    key(4, (phase as u64) << 8 | turn.index() as u64)
}

pub(super) fn retired_key(retired: u8) -> u64 {
    key(5, retired.into())
}
