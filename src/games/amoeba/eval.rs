//! How good a position looks: stacks under control, those that can go nowhere counting little.

use crate::kit::Position;
use crate::kit::Seat;
use crate::kit::player::{Ask, Thought};
use crate::search::simple::{Judge, think_as};

use super::rules::{Amoeba, Move, Side};

const STACK: i32 = 100;
const STUCK: i32 = 30;

/// Knows what the players of this game look at first.
#[derive(Debug)]
struct Eye;

impl Judge<Amoeba> for Eye {
    /// In hundredths of a stack under control.
    fn opinion(position: &Amoeba, seat: Seat) -> i32 {
        let side = Side::BOTH[position.side(seat)];
        worth(position, side) - worth(position, side.other())
    }
}

fn worth(position: &Amoeba, side: Side) -> i32 {
    let own = position.stacks().filter(|(_, stack)| stack.owner() == Some(side));
    own.map(|(from, _)| if position.can_go(from) { STACK } else { STUCK }).sum()
}

/// Thinks. `None` if the game is over.
pub(super) fn think(position: &Amoeba, ask: &Ask) -> Option<Thought<Move>> {
    think_as::<Amoeba, Eye>(position, ask)
}
