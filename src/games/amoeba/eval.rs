//! How good a position looks: stacks under control, and how free the Kernels are.

use crate::kit::player::{Ask, Level, Thought, Value};
use crate::kit::seed::Chance;
use crate::kit::{Position, Seat};

use super::rules::{Amoeba, Move, Side};

const STACK: i32 = 100;
/// A stack that can go nowhere is worth little.
const STUCK: i32 = 30;

/// How good a position looks for a seat, in hundredths of a stack under control.
pub fn opinion(position: &Amoeba, seat: Seat) -> i32 {
    let side = Side::BOTH[position.side(seat)];
    worth(position, side) - worth(position, side.other())
}

fn worth(position: &Amoeba, side: Side) -> i32 {
    let own = position.stacks().filter(|(_, stack)| stack.owner() == Some(side));
    let ways = |from| (0..6).filter(|dir| position.goal(from, *dir).is_some()).count();
    own.map(|(from, _)| if ways(from) > 0 { STACK } else { STUCK }).sum()
}

/// Looks at each move by itself.
pub(super) fn think(position: &Amoeba, ask: &Ask) -> Option<Thought<Move>> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    Chance::new(ask.seed).shuffle(&mut moves);
    if ask.level == Level::Random {
        moves.truncate(1);
    }
    let seat = position.turn();
    let value = |m: &Move| {
        let mut next = position.clone();
        next.play_unchecked(*m);
        match next.outcome() {
            Some(outcome) => (outcome.share(seat) * 200_000.0) as i32 - 100_000,
            None => opinion(&next, seat),
        }
    };
    let best = *moves.iter().max_by_key(|m| value(m))?;
    let value = Value::Opinion(value(&best));
    Some(Thought { best, value, depth: 1, nodes: moves.len() as u64, line: vec![best], others: Vec::new() })
}
