//! A cheap opinion: what was speared, and who gets where first.

use super::rules::State;
use crate::kit::floe::reach::shares;
use crate::kit::{Position, Seat};

/// How good a position is for a seat, in hundredths of a fish ahead of its best rival.
///
/// What lies nearer to one's own penguins counts half: both sides spear into it.
pub(super) fn opinion(state: &State, seat: Seat) -> i32 {
    let shares = shares(&state.0);
    let total = |seat: Seat| {
        let sure = state.0.with_standing(seat).points as i32;
        100 * sure + shares[seat.index()] / 2
    };
    let rivals = Seat::all(state.seats()).filter(|rival| *rival != seat);
    total(seat) - rivals.map(total).max().unwrap_or(0)
}
