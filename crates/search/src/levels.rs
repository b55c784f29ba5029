//! The resources of the six levels, the same for every game.
//!
//! Levels differ in depth and in evaluation error, never by an artificial delay:
//!
//! | level    | considers                               | evaluation error at most, in large advantages |
//! |----------|-----------------------------------------|------|
//! | random   | nothing                                 |      |
//! | beginner | a quarter of its moves                  | 2    |
//! | easy     | its own moves                           | 0.25 |
//! | medium   | its own moves, and answers to those     | 0.06 |
//! |          | that look best, in 30,000 positions     |      |
//! | hard     | as much as 1 second allows              | 0.02 |
//! | expert   | as much as 3 seconds allow              | 0.01 |
//!
//! The evaluation error depends on seed and position only: it varies the choice among nearly equal moves, so that games
//! differ, and the same request gets the same answer.

use std::time::Duration;

use super::{Guess, SearchClock, SearchGame, alphabeta, mcts};
use rookery_core::player::{Level, Limits, SearchRequest, SearchResult};
use rookery_core::seed::mix;

/// The resources of a level.
#[derive(Clone, Copy, Debug)]
pub struct Strength {
    /// The maximum evaluation error, as a fraction of [`SearchGame::large_advantage`].
    pub max_error: f32,
    /// Considers one in this many of its moves; more than 1 only in searches of one ply.
    pub considers_one_move_in: u64,
    /// Maximum depth in plies.
    pub depth: Option<u32>,
    /// Maximum number of positions.
    pub nodes: Option<u64>,
    /// Time used when a request has no limit.
    pub time: Option<Duration>,
    /// The transposition table has `2^table_bits` slots.
    pub table_bits: u32,
}

impl Strength {
    /// The resources of a level. The random level has those of the beginner and uses none of them.
    pub fn of(level: Level) -> Strength {
        let easy = Strength {
            max_error: 0.25,
            considers_one_move_in: 1,
            depth: Some(1),
            nodes: None,
            time: None,
            table_bits: 1,
        };
        let timed = |max_error, millis, table_bits| Strength {
            max_error,
            depth: None,
            time: Some(Duration::from_millis(millis)),
            table_bits,
            ..easy
        };
        match level {
            Level::Random | Level::Beginner => Strength { max_error: 2.0, considers_one_move_in: 4, ..easy },
            Level::Easy => easy,
            Level::Medium => {
                Strength { max_error: 0.06, depth: Some(2), nodes: Some(30_000), table_bits: 10, ..easy }
            }
            Level::Hard => timed(0.02, 1_000, 17),
            Level::Expert => timed(0.01, 3_000, 19),
        }
    }

    /// The limits of one search: those of the request, capped by the level's. The level's time applies if the request
    /// has no limit.
    pub fn limits(&self, asked: &Limits) -> Limits {
        let none = asked.time.is_none() && asked.nodes.is_none() && asked.depth.is_none();
        Limits {
            time: if none { self.time } else { asked.time },
            cpu_time: asked.cpu_time,
            nodes: self.nodes.into_iter().chain(asked.nodes).min(),
            depth: self.depth.into_iter().chain(asked.depth).min(),
        }
    }

    /// The number of plies (odd) within which this level searches for wins exactly, given the number that its game
    /// supports (0 for none): one reply further than its own depth. It finds every win within that range unless part of
    /// its positions or time is used up first; see [`super::mates::find`].
    pub fn mate_plies(&self, whole: u32) -> Option<u32> {
        let sees = self.depth.map_or(u32::MAX, |depth| 2 * depth - 1);
        Some(whole.min(sees)).filter(|plies| *plies > 0 && self.considers_one_move_in == 1)
    }

    /// The clock of one search. Levels that are limited by nodes search on one thread, so that their moves depend on
    /// seed and position only.
    pub fn clock(&self, request: &SearchRequest) -> SearchClock {
        let clock = SearchClock::start(self.limits(&request.limits), request.halt.clone());
        let alone = clock.with_progress_listener(request.progress.clone());
        if self.depth.is_some() { alone } else { alone.with_helpers(request.helpers.clone()) }
    }
}

/// Searches with the resources of a level: one ply, by alpha-beta (two seats) or by Monte-Carlo tree search (more). The
/// search game applies the evaluation error. `None` if the game is over.
pub fn think<M: SearchGame>(
    search_game: &mut M,
    root: &M::Node,
    strength: &Strength,
    seed: u64,
    clock: &mut SearchClock,
) -> Option<SearchResult<M::Move>> {
    match strength {
        _ if strength.considers_one_move_in > 1 => {
            evaluate_all_moves(search_game, root, strength, seed, clock)
        }
        // A Monte-Carlo tree grows unevenly, so one ply is searched by evaluating all moves.
        _ if search_game.seats(root) > 2 && strength.depth == Some(1) => {
            evaluate_all_moves(search_game, root, strength, seed, clock)
        }
        _ if search_game.seats(root) > 2 => mcts::think(search_game, root, clock),
        _ => alphabeta::think(search_game, root, clock, table_bits(strength, clock)),
    }
}

/// A search of few positions needs no large table, and clearing one takes time.
fn table_bits(strength: &Strength, clock: &SearchClock) -> u32 {
    let needed = clock.most_nodes().map_or(u32::MAX, |nodes| nodes.max(1).ilog2() + 1);
    strength.table_bits.min(needed)
}

/// The best-looking of the moves that a weak player considers.
fn evaluate_all_moves<M: SearchGame>(
    search_game: &mut M,
    root: &M::Node,
    strength: &Strength,
    seed: u64,
    clock: &mut SearchClock,
) -> Option<SearchResult<M::Move>> {
    if search_game.settled(root).is_some_and(|end| end.plies == 0) {
        return None;
    }
    let mut guesses = Vec::new();
    search_game.children(root, &mut guesses);
    clock.count_nodes(guesses.len() as u64);
    let seen = |(i, _): &(u64, &Guess<M::Move>)| mix(seed ^ i).is_multiple_of(strength.considers_one_move_in);
    let best = (0..).zip(&guesses).filter(seen).map(|(_, guess)| guess).max_by_key(|guess| guess.score);
    let best = best.or(guesses.first())?;
    Some(SearchResult::of(best.m, best.score.into(), 1, clock.nodes()))
}

/// An evaluation error within `max_error` hundredths, determined by a seed and a position's hash.
pub fn evaluation_noise(key: u64, salt: u64, max_error: i32) -> i32 {
    let spread = 2 * u64::from(max_error.unsigned_abs()) + 1;
    (mix(key ^ salt) % spread) as i32 - max_error.abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_tree::TestTree;
    use rookery_core::player::Halt;
    use rookery_core::seed::SeededRng;

    #[test]
    fn a_question_without_bounds_gets_the_level_s_own_and_any_bound_replaces_its_time() {
        let hard = Strength::of(Level::Hard);
        assert_eq!(hard.limits(&Limits::default()).time, Some(Duration::from_secs(1)));
        let limits = hard.limits(&Limits { nodes: Some(7), ..Limits::default() });
        assert_eq!((limits.time, limits.nodes), (None, Some(7)));
    }

    #[test]
    fn weak_levels_look_no_farther_than_they_can() {
        let asked = Limits { depth: Some(9), nodes: Some(1_000_000), ..Limits::default() };
        let medium = Strength::of(Level::Medium).limits(&asked);
        assert_eq!((medium.depth, medium.nodes), (Some(2), Some(30_000)));
    }

    #[test]
    fn errors_are_even_handed_and_stay_within_their_bound() {
        let errors: Vec<i32> = (0..10_000).map(|key| evaluation_noise(key, 5, 30)).collect();
        assert!(errors.iter().all(|e| e.abs() <= 30));
        // The standard deviation of the mean of 10,000 draws from -30..=30 is 0.18.
        let mean = f64::from(errors.iter().sum::<i32>()) / 10_000.0;
        assert!(mean.abs() < 1.0, "{mean}");
    }

    #[test]
    fn easy_looks_at_its_own_moves_only_however_many_play() {
        let (mut test_tree, root) = TestTree::read("((-9 -9) (1 1))", 3);
        let search_result = |test_tree: &mut TestTree, level| {
            let strength = Strength::of(level);
            let mut clock = SearchClock::start(strength.limits(&Limits::default()), Halt::default());
            think(test_tree, &root, &strength, 1, &mut clock).unwrap()
        };
        let easy = search_result(&mut test_tree, Level::Easy);
        assert_eq!((easy.depth, easy.nodes), (1, 2));
        assert!(search_result(&mut test_tree, Level::Medium).nodes > 2);
    }

    #[test]
    fn every_level_moves_on_every_tree() {
        for seed in 0..20 {
            let (mut test_tree, root) = TestTree::grow(&mut SeededRng::new(seed), 4, 5);
            let over = test_tree.settled(&root).is_some();
            for level in Level::ALL {
                let strength = Strength::of(level);
                let limits = strength.limits(&Limits { nodes: Some(300), ..Limits::default() });
                let mut clock = SearchClock::start(limits, Halt::default());
                let search_result = think(&mut test_tree, &root, &strength, seed, &mut clock);
                assert_eq!(search_result.is_none(), over);
            }
        }
    }
}
