//! One number that changes when play changes: fixed positions, searched to a fixed node count.

use std::time::{Duration, Instant};

use rookery_core::Play;
use rookery_core::player::{Level, Limits, SearchRequest, SearchResult, Value};
use rookery_core::seed::{SeededRng, mix};

/// The longest game of random moves, in plies.
const LONGEST: usize = 200;

/// The result of a round over fixed positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Hash of every position's best move, value, depth and nodes: equal if play is unchanged.
    pub hash: u64,
    /// Positions searched in total.
    pub nodes: u64,
    /// The duration of the searches.
    pub took: Duration,
}

impl Signature {
    /// Positions searched per second.
    pub fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.took.as_secs_f64().max(1e-9)
    }
}

/// Searches each position at expert level with this node limit.
pub fn compute_signature(positions: &[Box<dyn Play>], nodes: u64) -> Signature {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let request = SearchRequest { limits, ..SearchRequest::new(Level::Expert, 1) };
    let start = Instant::now();
    let mut signature = Signature { hash: 0, nodes: 0, took: Duration::ZERO };
    for search_result in positions.iter().filter_map(|play| play.think(&request)) {
        signature.nodes += search_result.nodes;
        signature.hash = mix(signature.hash ^ hash(&search_result));
    }
    signature.took = start.elapsed();
    signature
}

fn hash(search_result: &SearchResult<String>) -> u64 {
    let value = match search_result.value {
        Value::Lost(plies) => [0, plies],
        Value::Estimate(hundredths) => [1, hundredths as u32],
        Value::Drawn => [2, 0],
        Value::Won(plies) => [3, plies],
    };
    let words = search_result.best.bytes().map(u64::from);
    let numbers =
        [u64::from(value[0]), u64::from(value[1]), u64::from(search_result.depth), search_result.nodes];
    words.chain(numbers).fold(0, |sum, word| mix(sum ^ word))
}

/// Every `step`-th position of a random game from a seed: fixed while the rules do not change.
pub fn positions(start: &dyn Play, seed: u64, step: usize) -> Vec<Box<dyn Play>> {
    let mut rng = SeededRng::new(seed);
    let mut play = start.clone_play();
    let mut found = Vec::new();
    while play.outcome().is_none() && play.ply() < LONGEST {
        if play.ply().is_multiple_of(step.max(1)) {
            found.push(play.clone_play());
        }
        if let Some(text) = rng.pick(&play.moves()) {
            play.play(text).expect("a listed move can be played");
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::rules::Setup;

    #[test]
    fn the_same_play_has_the_same_signature_and_more_nodes_another() {
        let game = rookery_games::named("amazons").unwrap();
        let start = game.start(&Setup::new(2).with("size", "6x6")).unwrap();
        let fixed = positions(&*start, 7, 6);
        assert!(fixed.len() > 2);
        let [once, again, longer] = [3_000, 3_000, 9_000].map(|nodes| compute_signature(&fixed, nodes));
        assert_eq!((once.hash, once.nodes), (again.hash, again.nodes));
        assert_ne!(once.hash, longer.hash);
    }
}
