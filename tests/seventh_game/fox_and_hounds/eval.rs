//! The player: the generic search with an evaluator of its own.

use std::collections::VecDeque;

use rookery_core::player::{SearchRequest, SearchResult};
use rookery_core::{CellSet, Seat};
use rookery_search::generic::{self, Evaluator};

use super::rules::{FOX, FoxPosition, Move, SIDE, board};

pub(super) fn think(position: &FoxPosition, ask: &SearchRequest) -> Option<SearchResult<Move>> {
    generic::think_as(position, ask, FoxEvaluator)
}

/// An escape this long is worth no more than a closed net: the hounds close it in time.
const FARTHEST: i32 = 12;

#[derive(Clone, Copy, Debug)]
struct FoxEvaluator;

impl Evaluator<FoxPosition> for FoxEvaluator {
    /// A shorter way to the last row is better for the fox; without a way, the number of reachable squares counts.
    fn evaluation(&mut self, position: &FoxPosition, seat: Seat) -> i32 {
        let fox = match way_out(position) {
            Ok(steps) => 100 * (FARTHEST - steps),
            Err(reached) => 10 * reached - 600,
        };
        if seat == FOX { fox } else { -fox }
    }

    fn sure_plies(&self) -> u32 {
        5
    }
}

/// Returns the fox's number of steps to the row that the hounds start from, or else the number of squares that it can
/// reach.
fn way_out(position: &FoxPosition) -> Result<i32, i32> {
    let mut seen = CellSet::of(position.fox);
    let mut queue = VecDeque::from([(position.fox, 0)]);
    while let Some((cell, steps)) = queue.pop_front() {
        if board().place(cell).1 == SIDE - 1 {
            return Ok(steps);
        }
        for next in position.goals(FOX, cell) {
            if !seen.has(next) {
                seen.insert(next);
                queue.push_back((next, steps + 1));
            }
        }
    }
    Err(seen.len() as i32)
}
