//! Fits the weights of `evaluation` to self-play games.
//!
//! Each round plays quick games for two from random floes and openings with the current weights, and records the
//! features of every position and the final margin in fish. The next weights are those that explain the margins best by
//! least squares, pulled slightly towards the current ones.

use super::player::FloeSearchEvaluator;
use crate::floe::Floe;
use crate::floe::evaluation::{FEATURES, FloeEvaluator, FloeFeatures, ROWS, Weights, place};
use crate::floe::state::{FloeTerms, State};
use rookery_core::player::{Level, SearchRequest};
use rookery_core::seed::{SeededRng, mix};
use rookery_core::{Position, Seat};
use rookery_search::generic;

/// The settings of a round.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Number of games to play.
    pub games: u64,
    /// Positions searched for each move.
    pub nodes: u64,
    /// The seed of the openings.
    pub seed: u64,
}

const UNKNOWNS: usize = FEATURES * ROWS;
/// The strength of the pull of each weight towards its old value, in fish of a feature summed over positions: features
/// that rarely occur in games keep their weights.
const PULL: f64 = 2_000.0;
/// One move in this many is random.
const RANDOM_MOVE_DIVISOR: u64 = 12;

/// A training position: its features, and the result to predict.
struct Sample {
    numbers: [f64; UNKNOWNS],
    open: f64,
}

/// Plays a round; returns the next weights as Rust text, below comments with the mean error before and after. For
/// boards of up to 64 cells.
///
/// # Errors
/// If `start` cannot create a floe.
pub fn fit<K: FloeTerms, E>(
    start: impl Fn(u64) -> Result<State<K>, E>,
    weights: &'static Weights,
    round: Round,
) -> Result<String, E> {
    let mut samples = Vec::new();
    for game in 0..round.games {
        let seed = mix(round.seed ^ mix(game));
        play(start(seed)?, weights, round.nodes, seed, &mut samples);
    }
    let before = flat(weights);
    let after = least_squares(&samples, &before);
    let (was, is) = (error(&samples, &before), error(&samples, &after));
    Ok(format!("// {} positions, error {was:.3} to {is:.3} fish\n{}", samples.len(), write(&after)))
}

/// Plays a game until the result is certain.
fn play<K: FloeTerms>(
    mut state: State<K>,
    weights: &'static Weights,
    nodes: u64,
    seed: u64,
    samples: &mut Vec<Sample>,
) {
    let mut rng = SeededRng::new(seed);
    let mut outlook = FloeEvaluator::<u64>::new(state.floe(), K::TERMS, weights);
    let mut seen = Vec::new();
    while let FloeFeatures { sure, open: Some(open) } = outlook.features(state.floe()) {
        seen.push((numbers(state.floe(), &open), f64::from(sure[0] - sure[1])));
        let mut request = SearchRequest::new(Level::Expert, mix(seed ^ seen.len() as u64));
        request.limits.nodes = Some(nodes);
        let search_result = match rng.below(RANDOM_MOVE_DIVISOR) {
            0 => generic::any_move(&state, rng.bits()),
            _ => generic::think_as(&state, &request, FloeSearchEvaluator::<u64>::new(&state, weights)),
        };
        let Some(search_result) = search_result else { break };
        state.play_unchecked(search_result.best);
    }
    let finals = outlook.finals(state.floe());
    let margin = f64::from(finals[0] - finals[1]);
    samples.extend(seen.into_iter().map(|(numbers, sure)| Sample { numbers, open: margin - sure }));
}

/// The differences of both seats' features, at the positions of their weights.
fn numbers(floe: &Floe, open: &[[i32; FEATURES]]) -> [f64; UNKNOWNS] {
    let mut numbers = [0.0; UNKNOWNS];
    let mut put = |row: usize, part: f64| {
        for i in 0..FEATURES {
            let difference = open[Seat::FIRST.index()][i] - open[Seat::SECOND.index()][i];
            numbers[row * FEATURES + i] += part * f64::from(difference);
        }
    };
    let at = place(floe);
    let part = f64::from(at.part) / f64::from(at.whole);
    put(at.row, 1.0 - part);
    put(at.next, part);
    numbers
}

fn flat(weights: &Weights) -> Vec<f64> {
    weights.iter().flatten().map(|weight| f64::from(*weight)).collect()
}

fn error(samples: &[Sample], weights: &[f64]) -> f64 {
    let miss = |sample: &Sample| {
        let guess: f64 = sample.numbers.iter().zip(weights).map(|(n, w)| n * w).sum();
        (guess - sample.open).abs() / 100.0
    };
    samples.iter().map(miss).sum::<f64>() / samples.len().max(1) as f64
}

/// The weights with the least sum of squared errors, by the normal equations.
fn least_squares(samples: &[Sample], before: &[f64]) -> Vec<f64> {
    let mut matrix = vec![vec![0.0; UNKNOWNS + 1]; UNKNOWNS];
    for sample in samples {
        for (i, row) in matrix.iter_mut().enumerate().filter(|(i, _)| sample.numbers[*i] != 0.0) {
            for (slot, n) in row.iter_mut().zip(&sample.numbers) {
                *slot += sample.numbers[i] * n;
            }
            row[UNKNOWNS] += sample.numbers[i] * sample.open;
        }
    }
    for (i, row) in matrix.iter_mut().enumerate() {
        row[i] += PULL;
        row[UNKNOWNS] += PULL * before[i];
    }
    solve(matrix)
}

/// Gaussian elimination for a symmetric matrix that the pull has made positive definite.
fn solve(mut matrix: Vec<Vec<f64>>) -> Vec<f64> {
    let size = matrix.len();
    for i in 0..size {
        let pivot = matrix[i].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(k, _)| *k != i) {
            let factor = row[i] / pivot[i];
            for (slot, p) in row.iter_mut().zip(&pivot) {
                *slot -= factor * p;
            }
        }
    }
    (0..size).map(|i| matrix[i][size] / matrix[i][i]).collect()
}

fn write(weights: &[f64]) -> String {
    let row = |row: &[f64]| {
        let words: Vec<String> = row.iter().map(|w| format!("{}", w.round() as i64)).collect();
        format!("[{}],\n", words.join(", "))
    };
    weights.chunks(FEATURES).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_squares_find_the_weights_that_made_the_margins() {
        let mut rng = SeededRng::new(3);
        let truth: Vec<f64> = (0..UNKNOWNS).map(|i| i as f64 - 7.0).collect();
        let sample = |_| {
            let numbers: [f64; UNKNOWNS] = std::array::from_fn(|_| rng.below(41) as f64 - 20.0);
            Sample { open: numbers.iter().zip(&truth).map(|(n, w)| n * w).sum(), numbers }
        };
        let samples: Vec<Sample> = (0..4_000).map(sample).collect();
        let found = least_squares(&samples, &truth.iter().map(|w| w + 9.0).collect::<Vec<_>>());
        assert!(found.iter().zip(&truth).all(|(f, t)| (f - t).abs() < 0.1), "{found:?}");
        assert!(error(&samples, &found) < 0.1);
    }
}
