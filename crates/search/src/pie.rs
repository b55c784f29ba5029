//! The pie rule ([`Pie`](rookery_core::Pie)) for a player that searches the board alone.

use super::SearchGame;
use rookery_core::player::{SearchResult, Value};

/// The move after which the position is closest to even, since the opponent may choose a side.
pub fn even_move<M: SearchGame>(search_game: &mut M, at: &M::Node) -> Option<SearchResult<M::Move>> {
    let mut guesses = Vec::new();
    search_game.children(at, &mut guesses);
    let best = guesses.iter().min_by_key(|guess| guess.score.raw().abs())?;
    Some(SearchResult::of(best.m, best.score.into(), 1, guesses.len() as u64))
}

/// Swaps instead of moving if the other side looks better.
pub fn or_swap<M: Copy>(search_result: SearchResult<M>, swap: M) -> SearchResult<M> {
    let swapped = match search_result.value {
        Value::Estimate(hundredths) if hundredths < 0 => Value::Estimate(-hundredths),
        Value::Lost(plies) => Value::Won(plies),
        _ => return search_result,
    };
    SearchResult { best: swap, value: swapped, line: vec![swap], ..search_result }
}
