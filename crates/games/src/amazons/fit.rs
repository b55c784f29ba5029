//! Fits the weights of the evaluation to self-play games.
//!
//! Each round plays quick games with the current weights from random openings, records the features of every position
//! and the winner, and runs a logistic regression, so that an evaluation stands for a winning chance. The resulting rows
//! go into `weights.rs`, which names the command.

use super::eval::{Features, evaluate, features};
use super::fast::{FastMove, FastPosition, Grid};
use super::rules::{AmazonsPosition, Side};
use super::search_game::{AmazonsSearch, LARGE};
use super::style;
use super::weights::FEATURES;
use super::weights::{ROWS, STEP, WEIGHTS};
use rookery_core::player::{Halt, Limits};
use rookery_core::seed::{SeededRng, mix};
use rookery_core::{CellSet, Seat};
use rookery_search::{SearchClock, SearchGame, alphabeta};

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

/// A training position, and whether its side to move won in the end.
struct Sample {
    features: Features,
    free: i32,
    won: bool,
    /// The final lead in moves of its side to move, by the count of the remaining moves, less half a move for being to
    /// move at that time.
    lead: f64,
    evaluation: i32,
}

type Row = [f64; FEATURES];
type Rows = [Row; ROWS];

/// Evaluation error of the players, in large advantages: without it the quick games would be too similar.
const BLUR: f32 = 0.1;
/// The maximum number of random plies at the start of each game.
const OPENING: u64 = 7;
/// Steps of the regression, and the strength of the pull of each weight towards its old value: features that rarely
/// occur in games keep their weights.
const STEPS: u32 = 400;
const PULL: f64 = 3e-4;

/// One game in this many is held out to validate the weights.
const HOLDOUT_DIVISOR: u64 = 10;

/// Plays a round from the usual start and fits to it. Returns the new rows as Rust text, below comments with the mean
/// logarithmic loss on validation games before and after.
pub fn fit(start: &AmazonsPosition, round: Round) -> String {
    let (mut samples, mut held) = (Vec::new(), Vec::new());
    for game in 0..round.games {
        let list = if game % HOLDOUT_DIVISOR == HOLDOUT_DIVISOR - 1 { &mut held } else { &mut samples };
        list.extend(play(start, round, game));
    }
    let scale = scales(&samples);
    let old = present(&scale);
    let mut new = old;
    descend(&samples, &mut new, &scale);
    let written: String = new.iter().map(|row| write(row, &scale)).collect();
    let report = report(&held, [&old, &new], &scale);
    let leads = leads(&samples);
    format!(
        "// fitted to {} positions\n{report}{written}// leads, for the old weights: {leads:?}\n",
        samples.len()
    )
}

/// For each row, by how many hundredths of a move a side leads in the end for a hundred hundredths of evaluation: the
/// least-squares line through 0.
fn leads(samples: &[Sample]) -> [i64; ROWS] {
    let (mut both, mut square) = ([0.0; ROWS], [1e-9; ROWS]);
    for sample in samples {
        let (evaluation, (low, high, part)) = (f64::from(sample.evaluation) / 100.0, between(sample.free));
        for (row, share) in [(low, 1.0 - part), (high, part)] {
            both[row] += share * evaluation * sample.lead;
            square[row] += share * evaluation * evaluation;
        }
    }
    std::array::from_fn(|row| (100.0 * both[row] / square[row]).round() as i64)
}

/// The losses of two sets of weights on positions with 0 to 11 free cells, 12 to 23, and so on, and on all positions.
fn report(held: &[Sample], rows: [&Rows; 2], scale: &Row) -> String {
    let line = |name: String, samples: &[&Sample]| {
        let [old, new] = rows.map(|rows| loss(samples, rows, scale));
        format!("// {name}: {} positions held back, loss {old:.4} to {new:.4}\n", samples.len())
    };
    let phase = |row: usize| {
        let samples: Vec<&Sample> = held.iter().filter(|s| s.free / STEP == row as i32).collect();
        line(format!("{} free cells and more", row as i32 * STEP), &samples)
    };
    let all: Vec<&Sample> = held.iter().collect();
    (0..ROWS).map(phase).chain([line("all".to_owned(), &all)]).collect()
}

fn play(start: &AmazonsPosition, round: Round, game: u64) -> Vec<Sample> {
    let seed = mix(round.seed ^ mix(game));
    let mut rng = SeededRng::new(seed);
    let mut head = AmazonsSearch::<u128>::new(start.board(), style::USUAL, BLUR, seed);
    let mut at = opening(&head.grid, head.grid.position(start), &mut rng);
    let mut seen: Vec<(FastPosition<u128>, Seat)> = Vec::new();
    let winner = loop {
        if let Some(end) = head.settled(&at) {
            break usize::from(end.shares[1] > 0.5);
        }
        seen.push((at, head.turn(&at)));
        let limits = Limits { nodes: Some(round.nodes), ..Limits::default() };
        let mut clock = SearchClock::start(limits, Halt::default());
        let search_result = alphabeta::think(&mut head, &at, &mut clock, 12);
        at = search_result.map_or(at, |search_result| at.after(search_result.best));
    };
    let (stride, lead) = (head.grid.stride, lead_of_white(&mut head, &at));
    let sample = |(at, turn): &(FastPosition<u128>, Seat)| Sample {
        features: features(stride, at),
        free: at.free.count_ones() as i32,
        won: turn.index() == winner,
        lead: if turn.index() == 0 { lead } else { -lead },
        evaluation: evaluate(stride, at, &WEIGHTS),
    };
    seen.iter().map(sample).collect()
}

/// Node limit of the count at the end of a game.
const END_NODES: u64 = 20_000;

/// White's lead in moves once nothing is shared any more: the middle of its bounds.
fn lead_of_white(head: &mut AmazonsSearch<u128>, at: &FastPosition<u128>) -> f64 {
    let [white, black] = Side::BOTH.map(|side| {
        let left = head.left(at, side, END_NODES);
        f64::from(left.least + left.most) / 2.0
    });
    white - black - if at.mover == 0 { 0.5 } else { -0.5 }
}

fn opening(grid: &Grid<u128>, mut at: FastPosition<u128>, rng: &mut SeededRng) -> FastPosition<u128> {
    for _ in 0..rng.below(OPENING + 1) {
        let mut shots: Vec<FastMove> = Vec::new();
        grid.for_each_move(&at, |shot| shots.push(shot));
        at = rng.pick(&shots).map_or(at, |shot| at.after(*shot));
    }
    at
}

/// The usual size of each feature, to normalise the features for the regression.
fn scales(samples: &[Sample]) -> Row {
    std::array::from_fn(|i| {
        let sum: f64 = samples.iter().map(|s| f64::from(s.features[i]).powi(2)).sum();
        (sum / samples.len().max(1) as f64).sqrt().max(1e-3)
    })
}

/// Hundredths of a move for one unit of log odds; see [`SearchGame::large_advantage`].
fn unit() -> f64 {
    f64::from(LARGE) / 3f64.ln()
}

fn present(scale: &Row) -> Rows {
    std::array::from_fn(|b| std::array::from_fn(|i| f64::from(WEIGHTS[b][i]) / 256.0 / unit() * scale[i]))
}

fn write(row: &Row, scale: &Row) -> String {
    let whole = |(w, s): (&f64, &f64)| ((w / s * unit() * 256.0).round() as i64).to_string();
    let words: Vec<String> = row.iter().zip(scale).map(whole).collect();
    format!("    [{}],\n", words.join(", "))
}

/// The two weight rows around a number of free cells, and the share of the second.
fn between(free: i32) -> (usize, usize, f64) {
    let low = ((free / STEP) as usize).min(ROWS - 1);
    (low, (low + 1).min(ROWS - 1), f64::from(free % STEP) / f64::from(STEP))
}

fn chance_of(sample: &Sample, rows: &Rows, scale: &Row) -> f64 {
    let (low, high, part) = between(sample.free);
    let weight = |i: usize| rows[low][i] * (1.0 - part) + rows[high][i] * part;
    let odds: f64 = (0..FEATURES).map(|i| f64::from(sample.features[i]) / scale[i] * weight(i)).sum();
    1.0 / (1.0 + (-odds).exp())
}

fn loss(samples: &[&Sample], rows: &Rows, scale: &Row) -> f64 {
    let one = |sample: &&Sample| {
        let probability = chance_of(sample, rows, scale).clamp(1e-9, 1.0 - 1e-9);
        if sample.won { -probability.ln() } else { -(1.0 - probability).ln() }
    };
    samples.iter().map(one).sum::<f64>() / samples.len().max(1) as f64
}

/// Gradient descent with a step size for each weight (Adam: D. Kingma and J. Ba, 2014).
fn descend(samples: &[Sample], rows: &mut Rows, scale: &Row) {
    let mut mean = [[0.0; FEATURES]; ROWS];
    let mut square = mean;
    let old = *rows;
    for step in 1..=STEPS {
        let slope = slopes(samples, rows, scale);
        let (fade_mean, fade_square) = (1.0 - 0.9f64.powf(step.into()), 1.0 - 0.999f64.powf(step.into()));
        for b in 0..ROWS {
            for i in 0..FEATURES {
                let g = slope[b][i] + PULL * (rows[b][i] - old[b][i]);
                mean[b][i] = 0.9 * mean[b][i] + 0.1 * g;
                square[b][i] = 0.999 * square[b][i] + 0.001 * g * g;
                let size = (square[b][i] / fade_square).sqrt() + 1e-8;
                rows[b][i] -= 0.03 * mean[b][i] / fade_mean / size;
            }
        }
    }
}

fn slopes(samples: &[Sample], rows: &Rows, scale: &Row) -> Rows {
    let mut slope = [[0.0; FEATURES]; ROWS];
    for sample in samples {
        let miss = chance_of(sample, rows, scale) - f64::from(u8::from(sample.won));
        let (low, high, part) = between(sample.free);
        for i in 0..FEATURES {
            let g = miss * f64::from(sample.features[i]) / scale[i] / samples.len() as f64;
            slope[low][i] += g * (1.0 - part);
            slope[high][i] += g * part;
        }
    }
    slope
}

/// The usual start on 10x10, from which the weights in the binary were fitted.
pub fn usual_start() -> AmazonsPosition {
    let board = rookery_core::Board::square(10, 10);
    let cells = |names: [&str; 4]| names.iter().filter_map(|name| board.named(name)).collect::<CellSet>();
    let amazons = [cells(["a4", "d1", "g1", "j4"]), cells(["a7", "d10", "g10", "j7"])];
    AmazonsPosition::new(board, amazons, CellSet::EMPTY, Side::White)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_are_told_by_the_line_that_misses_them_least() {
        let sample =
            |free, evaluation, lead| Sample { features: [0; FEATURES], free, won: true, lead, evaluation };
        // 24 free cells: row 2 alone. Leads of 1 and 3 for evaluations of 2 and 4: (2 * 1 + 4 * 3) / (4 + 16).
        let leads = leads(&[sample(24, 200, 1.0), sample(24, -400, -3.0), sample(48, 100, 0.5)]);
        assert_eq!((leads[2], leads[4], leads[3]), (70, 50, 0));
    }
}
