//! The pie rule ([`Pie`](rookery_core::Pie)) for a player that searches the board alone.

use super::Mind;
use rookery_core::player::{Thought, Value};

/// The move after which neither side is to be preferred: the other may choose.
pub fn even_move<M: Mind>(mind: &mut M, at: &M::Node) -> Option<Thought<M::Move>> {
    let mut guesses = Vec::new();
    mind.children(at, &mut guesses);
    let best = guesses.iter().min_by_key(|guess| guess.score.raw().abs())?;
    Some(Thought::of(best.m, best.score.into(), 1, guesses.len() as u64))
}

/// Swaps instead of moving if the other side looks better.
pub fn or_swap<M: Copy>(thought: Thought<M>, swap: M) -> Thought<M> {
    let swapped = match thought.value {
        Value::Opinion(hundredths) if hundredths < 0 => Value::Opinion(-hundredths),
        Value::Lost(plies) => Value::Won(plies),
        _ => return thought,
    };
    Thought { best: swap, value: swapped, line: vec![swap], ..thought }
}
