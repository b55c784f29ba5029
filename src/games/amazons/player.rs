//! The player of the Amazons: alpha-beta on the fast board, at six strengths.
//!
//! Levels differ in how far they look and how sure their eye is, never in how slow they are made:
//!
//! | level    | looks at                                       | eye off by up to |
//! |----------|------------------------------------------------|------------------|
//! | random   | nothing                                        |                  |
//! | beginner | a quarter of its moves                         | 6 moves' worth   |
//! | easy     | its own moves                                  | 0.8              |
//! | medium   | own moves and answers, 30,000 positions        | 0.2              |
//! | hard     | as much as 1 second allows                     | 0.05             |
//! | expert   | as much as 3 seconds allow                     | 0.02             |
//!
//! The error of the eye depends on seed and position only, so that it picks among near-equals, and
//! games differ. From easy upwards separated endings are filled by exact count.

use std::time::Duration;

use super::bits::{Bits, Wide};
use super::fast::{Fast, Shot, fits};
use super::head::Head;
use super::rules::{Amazons, Move, Pie, Side};
use crate::kit::Position;
use crate::kit::player::{Ask, Level, Limits, Thought, Value};
use crate::kit::seed::{Chance, mix};
use crate::search::{Clock, Guess, Mind, alphabeta, ordering};

/// States that the exact count of a separated root may look at, for each colour.
const ROOT_COUNT_NODES: u64 = 50_000;
/// The same after each move that is tried there.
const FILL_COUNT_NODES: u64 = 5_000;

/// What a level can do.
struct Strength {
    noise: i32,
    /// One in so many of its own moves is seen.
    sees_one_in: u64,
    depth: Option<u32>,
    nodes: Option<u64>,
    time: Option<Duration>,
    memo_bits: u32,
    counts_endings: bool,
}

impl Strength {
    fn of(level: Level) -> Strength {
        let weak = Strength {
            noise: 600,
            sees_one_in: 4,
            depth: Some(1),
            nodes: None,
            time: None,
            memo_bits: 1,
            counts_endings: false,
        };
        let easy = Strength { noise: 80, sees_one_in: 1, counts_endings: true, ..weak };
        let timed = |noise, millis, memo_bits| Strength {
            noise,
            sees_one_in: 1,
            depth: None,
            nodes: None,
            time: Some(Duration::from_millis(millis)),
            memo_bits,
            counts_endings: true,
        };
        match level {
            Level::Random | Level::Beginner => weak,
            Level::Easy => easy,
            Level::Medium => {
                Strength { noise: 20, depth: Some(2), nodes: Some(30_000), memo_bits: 10, ..easy }
            }
            Level::Hard => timed(5, 1_000, 17),
            Level::Expert => timed(2, 3_000, 19),
        }
    }

    /// The level's own bounds bind where the question gives none at all; a level that looks less far
    /// than it is asked to looks as far as it can.
    fn limits(&self, asked: &Limits) -> Limits {
        let none = asked.time.is_none() && asked.nodes.is_none() && asked.depth.is_none();
        let less = |own: Option<u32>, asked: Option<u32>| own.into_iter().chain(asked).min();
        Limits {
            time: if none { self.time } else { asked.time },
            cpu_time: asked.cpu_time,
            nodes: self.nodes.into_iter().chain(asked.nodes).min(),
            depth: less(self.depth, asked.depth),
        }
    }
}

/// Thinks about a position. `None` if the game is over.
pub fn think(position: &Amazons, ask: &Ask) -> Option<Thought<Move>> {
    if position.outcome().is_some() {
        return None;
    }
    if ask.level == Level::Random {
        return any_move(position, ask.seed);
    }
    if fits(position.board(), u128::BITS) {
        Player::<u128>::new(position, ask).think(position)
    } else {
        Player::<Wide>::new(position, ask).think(position)
    }
}

fn any_move(position: &Amazons, seed: u64) -> Option<Thought<Move>> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    Chance::new(seed).pick(&moves).map(|m| at_a_glance(*m, Value::Opinion(0), moves.len()))
}

/// One thought at one level.
struct Player<B> {
    head: Head<B>,
    strength: Strength,
    clock: Clock,
    seed: u64,
}

impl<B: Bits> Player<B> {
    fn new(position: &Amazons, ask: &Ask) -> Player<B> {
        let strength = Strength::of(ask.level);
        let head = Head::new(position.board(), strength.noise, ask.seed);
        let clock = Clock::start(strength.limits(&ask.limits), ask.halt.clone());
        Player { head, strength, clock, seed: ask.seed }
    }

    fn think(mut self, position: &Amazons) -> Option<Thought<Move>> {
        let at = self.head.grid.position(position);
        let thought = match position.pie() {
            Pie::Ahead => self.even_move(&at)?,
            _ if self.strength.sees_one_in > 1 => self.glance(&at)?,
            _ if self.strength.counts_endings && self.head.is_separated(&at) => self.fill(&at)?,
            _ => alphabeta::think(&mut self.head, &at, &mut self.clock, self.strength.memo_bits)?,
        };
        let thought = thought.map(|shot| self.head.grid.to_move(shot));
        Some(if position.pie() == Pie::Open { or_swap(thought) } else { thought })
    }

    fn guesses(&mut self, at: &Fast<B>) -> Vec<Guess<Shot>> {
        let mut guesses = Vec::new();
        self.head.children(at, &mut guesses);
        self.clock.spend(guesses.len() as u64);
        guesses
    }

    /// The best-looking of a few moves.
    fn glance(&mut self, at: &Fast<B>) -> Option<Thought<Shot>> {
        let guesses = self.guesses(at);
        let seen = |g: &&Guess<Shot>| {
            let place = u64::from(g.m.from) << 16 | u64::from(g.m.to) << 8 | u64::from(g.m.arrow);
            mix(self.seed ^ place).is_multiple_of(self.strength.sees_one_in)
        };
        let some: Vec<_> = guesses.iter().filter(seen).collect();
        let best = some.into_iter().max_by_key(|g| g.score).or(guesses.first())?;
        Some(at_a_glance(best.m, best.score.into(), guesses.len()))
    }

    /// The move after which neither colour is to be preferred: the other may choose.
    fn even_move(&mut self, at: &Fast<B>) -> Option<Thought<Shot>> {
        let guesses = self.guesses(at);
        let best = guesses.iter().min_by_key(|g| g.score.raw().abs())?;
        Some(at_a_glance(best.m, best.score.into(), guesses.len()))
    }

    /// Nothing is shared any more: the move that keeps the most moves, by exact count as far as the
    /// budget goes. The first that loses none is good enough; candidates come best-looking first.
    fn fill(&mut self, at: &Fast<B>) -> Option<Thought<Shot>> {
        let mover = Side::BOTH[at.mover];
        let before = self.head.left(at, mover, ROOT_COUNT_NODES);
        let end = self.head.counted(at, ROOT_COUNT_NODES);
        let mut guesses = self.guesses(at);
        ordering::best_first(&mut guesses, usize::MAX, |_| 0);
        let mut best = (guesses.first()?.m, 0);
        for guess in &guesses {
            let left = self.head.left(&at.after(guess.m), mover, FILL_COUNT_NODES).least + 1;
            if left > best.1 {
                best = (guess.m, left);
            }
            if best.1 >= before.most || self.clock.spend(1) {
                break;
            }
        }
        let score = end.map_or(guesses[0].score, |end| end.score(self.head.turn(at)));
        Some(Thought { nodes: self.clock.nodes(), ..at_a_glance(best.0, score.into(), 0) })
    }
}

fn at_a_glance<M: Copy>(best: M, value: Value, nodes: usize) -> Thought<M> {
    Thought { best, value, depth: 1, nodes: nodes as u64, line: vec![best], others: Vec::new() }
}

/// The pie rule: takes the other colour if that looks better.
fn or_swap(thought: Thought<Move>) -> Thought<Move> {
    let swapped = match thought.value {
        Value::Opinion(hundredths) if hundredths < 0 => Value::Opinion(-hundredths),
        Value::Lost(plies) => Value::Won(plies),
        _ => return thought,
    };
    Thought { best: Move::Swap, value: swapped, line: vec![Move::Swap], ..thought }
}
