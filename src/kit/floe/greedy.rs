//! A player that looks at its own move only.

use crate::kit::Seat;
use crate::kit::player::{Ask, Level, Thought, Value};
use crate::kit::rules::Position;
use crate::kit::seed::Chance;

/// The move after which `opinion` (hundredths, for a seat) is best for the mover, drawn among equals;
/// at the lowest level any move. `None` if the game is over.
pub fn think<P: Position>(
    position: &P,
    ask: &Ask,
    opinion: impl Fn(&P, Seat) -> i32,
) -> Option<Thought<P::Move>> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    Chance::new(ask.seed).shuffle(&mut moves);
    if ask.level == Level::Random {
        moves.truncate(1);
    }
    let judge = |m: &P::Move| {
        let mut next = position.clone();
        next.play_unchecked(*m);
        (*m, Value::Opinion(opinion(&next, position.turn())))
    };
    let nodes = moves.len() as u64;
    let mut judged: Vec<_> = moves.iter().take_while(|_| !ask.halt.called()).map(judge).collect();
    if judged.is_empty() {
        judged.extend(moves.first().map(|m| (*m, Value::Opinion(0))));
    }
    judged.sort_by_key(|(_, value)| {
        std::cmp::Reverse(match value {
            Value::Opinion(hundredths) => *hundredths,
            _ => 0,
        })
    });
    judged.truncate(25);
    let (best, value) = *judged.first()?;
    Some(Thought { best, value, depth: 1, nodes, line: vec![best], others: judged.split_off(1) })
}
