//! The resources of the six levels, the same for every game.
//!
//! Levels differ in how far they look and how sure their eye is, never in how slow they are made:
//!
//! | level    | looks at                                | eye off by up to, in large advantages |
//! |----------|-----------------------------------------|------|
//! | random   | nothing                                 |      |
//! | beginner | a quarter of its moves                  | 2    |
//! | easy     | its own moves                           | 0.25 |
//! | medium   | its own moves, and answers to those     | 0.06 |
//! |          | that look best, in 30,000 positions     |      |
//! | hard     | as much as 1 second allows              | 0.02 |
//! | expert   | as much as 3 seconds allow              | 0.01 |
//!
//! The error of the eye depends on seed and position only: it picks among near-equals, so that games
//! differ, and the same question gets the same answer.

use std::time::Duration;

use super::{Guess, SearchClock, SearchGame, alphabeta, mcts};
use rookery_core::player::{Level, Limits, SearchRequest, SearchResult};
use rookery_core::seed::mix;

/// The resources of a level.
#[derive(Clone, Copy, Debug)]
pub struct Strength {
    /// How far off its opinions are at most, in parts of [`SearchGame::large`].
    pub blur: f32,
    /// One in this many of its moves is considered; more than 1 only where no move is looked at twice.
    pub sees_one_in: u64,
    /// Plies looked ahead at most.
    pub depth: Option<u32>,
    /// Positions looked at, at most.
    pub nodes: Option<u64>,
    /// Time taken when a question names no limit.
    pub time: Option<Duration>,
    /// The memo has `2^table_bits` slots.
    pub table_bits: u32,
}

impl Strength {
    /// What this level can do. The random level has a beginner's powers and uses none of them.
    pub fn of(level: Level) -> Strength {
        let easy =
            Strength { blur: 0.25, sees_one_in: 1, depth: Some(1), nodes: None, time: None, table_bits: 1 };
        let timed = |blur, millis, table_bits| Strength {
            blur,
            depth: None,
            time: Some(Duration::from_millis(millis)),
            table_bits,
            ..easy
        };
        match level {
            Level::Random | Level::Beginner => Strength { blur: 2.0, sees_one_in: 4, ..easy },
            Level::Easy => easy,
            Level::Medium => {
                Strength { blur: 0.06, depth: Some(2), nodes: Some(30_000), table_bits: 10, ..easy }
            }
            Level::Hard => timed(0.02, 1_000, 17),
            Level::Expert => timed(0.01, 3_000, 19),
        }
    }

    /// The bounds of one thought: what the question asks for, as far as the level goes. The level's
    /// time binds where the question gives no bound at all.
    pub fn limits(&self, asked: &Limits) -> Limits {
        let none = asked.time.is_none() && asked.nodes.is_none() && asked.depth.is_none();
        Limits {
            time: if none { self.time } else { asked.time },
            cpu_time: asked.cpu_time,
            nodes: self.nodes.into_iter().chain(asked.nodes).min(),
            depth: self.depth.into_iter().chain(asked.depth).min(),
        }
    }

    /// Within how many plies (odd) this level looks for wins exactly, of those that its game can look
    /// through (0 for none): as far as it looks ahead, and one answer of the other further. It finds what there
    /// is unless a part of its positions, or of its time, is used up before; see [`super::mates::find`].
    pub fn mate_plies(&self, whole: u32) -> Option<u32> {
        let sees = self.depth.map_or(u32::MAX, |depth| 2 * depth - 1);
        Some(whole.min(sees)).filter(|plies| *plies > 0 && self.sees_one_in == 1)
    }

    /// The clock of one thought. Levels that are bounded by what they look at think alone, so that their moves
    /// depend on seed and position only.
    pub fn clock(&self, ask: &SearchRequest) -> SearchClock {
        let clock = SearchClock::start(self.limits(&ask.limits), ask.halt.clone());
        let alone = clock.with_progress_listener(ask.progress.clone());
        if self.depth.is_some() { alone } else { alone.with_helpers(ask.helpers.clone()) }
    }
}

/// Thinks with the powers of a level: at a glance, by alpha-beta (two seats) or by Monte-Carlo tree
/// search (more). The blur is the mind's business. `None` if the game is over.
pub fn think<M: SearchGame>(
    mind: &mut M,
    root: &M::Node,
    strength: &Strength,
    seed: u64,
    clock: &mut SearchClock,
) -> Option<SearchResult<M::Move>> {
    match strength {
        _ if strength.sees_one_in > 1 => glance(mind, root, strength, seed, clock),
        // A tree grows unevenly: one ply of it is what all moves look like.
        _ if mind.seats(root) > 2 && strength.depth == Some(1) => glance(mind, root, strength, seed, clock),
        _ if mind.seats(root) > 2 => mcts::think(mind, root, clock),
        _ => alphabeta::think(mind, root, clock, table_bits(strength, clock)),
    }
}

/// A search that looks at few positions needs no large memo, and clearing one takes time.
fn table_bits(strength: &Strength, clock: &SearchClock) -> u32 {
    let needed = clock.most_nodes().map_or(u32::MAX, |nodes| nodes.max(1).ilog2() + 1);
    strength.table_bits.min(needed)
}

/// The best-looking of those moves that a weak player happens to see.
fn glance<M: SearchGame>(
    mind: &mut M,
    root: &M::Node,
    strength: &Strength,
    seed: u64,
    clock: &mut SearchClock,
) -> Option<SearchResult<M::Move>> {
    if mind.settled(root).is_some_and(|end| end.plies == 0) {
        return None;
    }
    let mut guesses = Vec::new();
    mind.children(root, &mut guesses);
    clock.spend(guesses.len() as u64);
    let seen = |(i, _): &(u64, &Guess<M::Move>)| mix(seed ^ i).is_multiple_of(strength.sees_one_in);
    let best = (0..).zip(&guesses).filter(seen).map(|(_, guess)| guess).max_by_key(|guess| guess.score);
    let best = best.or(guesses.first())?;
    Some(SearchResult::of(best.m, best.score.into(), 1, clock.nodes()))
}

/// An error of the eye within `blur` hundredths, fixed by a seed and a position's hash.
pub fn evaluation_noise(key: u64, salt: u64, blur: i32) -> i32 {
    let spread = 2 * u64::from(blur.unsigned_abs()) + 1;
    (mix(key ^ salt) % spread) as i32 - blur.abs()
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
        let (mut wood, root) = TestTree::read("((-9 -9) (1 1))", 3);
        let thought = |wood: &mut TestTree, level| {
            let strength = Strength::of(level);
            let mut clock = SearchClock::start(strength.limits(&Limits::default()), Halt::default());
            think(wood, &root, &strength, 1, &mut clock).unwrap()
        };
        let easy = thought(&mut wood, Level::Easy);
        assert_eq!((easy.depth, easy.nodes), (1, 2));
        assert!(thought(&mut wood, Level::Medium).nodes > 2);
    }

    #[test]
    fn every_level_moves_on_every_tree() {
        for seed in 0..20 {
            let (mut wood, root) = TestTree::grow(&mut SeededRng::new(seed), 4, 5);
            let over = wood.settled(&root).is_some();
            for level in Level::ALL {
                let strength = Strength::of(level);
                let limits = strength.limits(&Limits { nodes: Some(300), ..Limits::default() });
                let mut clock = SearchClock::start(limits, Halt::default());
                let thought = think(&mut wood, &root, &strength, seed, &mut clock);
                assert_eq!(thought.is_none(), over);
            }
        }
    }
}
