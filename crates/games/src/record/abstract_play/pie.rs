//! The pie rule in the format: the player who takes over the first move becomes the first player, so players and moves
//! are in the order after the swap, and only `pied` in the header shows the swap. Here seats stay and `swap` is a turn.

use rookery_core::{Pie, Play, Seat};

use super::super::Turn;

/// Whether the second seat took over the first move.
pub(super) fn is_swapped(play: &dyn Play) -> bool {
    swap_at(&play.record()).is_some()
}

/// The seats in the order of the format.
pub(super) fn order(seats: usize, swapped: bool) -> Vec<Seat> {
    let mut order: Vec<Seat> = Seat::all(seats).collect();
    if swapped {
        order.reverse();
    }
    order
}

/// The moves with the index of each mover in the format: without the swap, and with exchanged seats.
pub(super) fn placed(play: &dyn Play) -> Vec<(usize, String)> {
    let (record, movers) = (play.record(), play.movers());
    let swap = swap_at(&record);
    let moves = record.into_iter().zip(movers).enumerate();
    moves
        .filter(|(ply, _)| swap != Some(*ply))
        .map(|(ply, (text, mover))| match swap {
            // The first move was the other player's, and is taken over with its index.
            Some(swap) if ply > swap => (mover.other().index(), text),
            _ => (mover.index(), text),
        })
        .collect()
}

/// The turns of the format with the swap inserted.
pub(super) fn with_swap(mut turns: Vec<Turn>) -> Vec<Turn> {
    let first = turns.iter().position(|turn| matches!(turn, Turn::Move(_)));
    if let Some(first) = first {
        turns.insert(first + 1, Turn::Move(Pie::SWAP.to_owned()));
    }
    turns
}

fn swap_at(record: &[String]) -> Option<usize> {
    record.iter().position(|text| text == Pie::SWAP)
}
