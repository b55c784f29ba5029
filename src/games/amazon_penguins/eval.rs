//! How good a position looks: what was taken, and who gets where first; exact once nothing is shared.

use super::rules::{State, TERMS};
use crate::kit::floe::claim::expected;
use crate::kit::floe::reach::shares;
use crate::kit::{MOST_SEATS, Position, Seat};
use crate::search::simple::Judge;

/// Positions that one opinion may look at for its exact count.
const COUNT_NODES: u64 = 300;

/// What this room knows about its positions.
pub(super) struct Eye;

impl Judge<State> for Eye {
    /// The lead of a seat over its best rival in the end, in hundredths of a fish.
    fn opinion(state: &State, seat: Seat) -> i32 {
        let finals = expected(&state.0, TERMS, COUNT_NODES).unwrap_or_else(|| hopes(state));
        let rivals = Seat::all(state.seats()).filter(|rival| *rival != seat);
        finals[seat.index()] - rivals.map(|rival| finals[rival.index()]).max().unwrap_or(0)
    }
}

/// What every seat has, and half of what lies nearer to its own penguins: the rest is
/// lost on the way.
fn hopes(state: &State) -> [i32; MOST_SEATS] {
    let floe = &state.0;
    let mut hopes = shares(floe).map(|share| share / 2);
    for seat in Seat::all(state.seats()) {
        hopes[seat.index()] += 100 * floe.with_standing(seat).points as i32;
    }
    hopes
}
