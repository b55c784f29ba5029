//! Who gets where first: a cheap opinion about a floe.

use super::Floe;
use crate::kit::{CellSet, MOST_SEATS, Seat};

/// Fish that each seat can get to in fewer moves than all others, and those reached by several at
/// once, both in hundredths of a fish (the latter shared out). Seats without a free cell get nothing.
pub fn shares(floe: &Floe) -> [i32; MOST_SEATS] {
    let free = floe.free();
    let mut open = free;
    let mut reached = [CellSet::EMPTY; MOST_SEATS];
    let mut edge: [CellSet; MOST_SEATS] =
        std::array::from_fn(|i| Seat::new(i).map_or(CellSet::EMPTY, |s| floe.pieces(s)));
    let mut shares = [0; MOST_SEATS];
    while !open.is_empty() && edge.iter().any(|set| !set.is_empty()) {
        for (edge, reached) in edge.iter_mut().zip(&mut reached) {
            *edge = spread(floe, *edge, free) & !*reached;
            *reached |= *edge;
        }
        share_out(floe, &edge, &mut open, &mut shares);
    }
    shares
}

/// All cells one move away from any cell of a set.
fn spread(floe: &Floe, from: CellSet, free: CellSet) -> CellSet {
    let lines = floe.board().lines();
    from.iter().fold(CellSet::EMPTY, |all, cell| all | lines.reach(cell, !free))
}

/// Gives the cells first reached in this wave to those who reached them.
fn share_out(floe: &Floe, edge: &[CellSet; MOST_SEATS], open: &mut CellSet, shares: &mut [i32; MOST_SEATS]) {
    let wave = edge.iter().fold(CellSet::EMPTY, |all, set| all | *set) & *open;
    for cell in wave {
        let here = edge.iter().filter(|set| set.has(cell)).count() as i32;
        let part = 100 * i32::from(floe.fish(cell)) / here.max(1);
        for (set, share) in edge.iter().zip(shares.iter_mut()) {
            *share += if set.has(cell) { part } else { 0 };
        }
    }
    *open &= !wave;
}
