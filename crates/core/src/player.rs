//! What a seat held by the program is asked, and what it answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::company::Company;

/// How strong the program plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Any legal move.
    Random,
    /// Sees a little, forgets much.
    Beginner,
    /// Looks at its own move.
    Easy,
    /// Looks at the answer.
    Medium,
    /// Thinks for about a second.
    Hard,
    /// As strong as there is.
    Expert,
}

impl Level {
    /// How strong the program plays where nobody says.
    pub const USUAL: Level = Level::Medium;

    /// All levels, weakest first.
    pub const ALL: [Level; 6] =
        [Level::Random, Level::Beginner, Level::Easy, Level::Medium, Level::Hard, Level::Expert];

    /// The name in commands and records.
    pub fn key(self) -> &'static str {
        match self {
            Level::Random => "random",
            Level::Beginner => "beginner",
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::Expert => "expert",
        }
    }

    /// The level of this name.
    pub fn named(key: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.key() == key)
    }
}

/// A sign to stop thinking, shared between who asks and who thinks.
#[derive(Clone, Debug, Default)]
pub struct Halt {
    sign: Arc<AtomicBool>,
    /// Somebody else's sign that is heard too.
    other: Option<Arc<AtomicBool>>,
}

impl Halt {
    /// Asks the thinker to answer now with what it has.
    pub fn call(&self) {
        self.sign.store(true, Ordering::Relaxed);
    }

    /// Whether that was asked.
    pub fn called(&self) -> bool {
        let given = |sign: &Arc<AtomicBool>| sign.load(Ordering::Relaxed);
        given(&self.sign) || self.other.as_ref().is_some_and(given)
    }

    /// The same sign for a thinker who listens to another's as well.
    #[must_use]
    pub fn or(&self, other: &Halt) -> Halt {
        Halt { sign: self.sign.clone(), other: Some(other.sign.clone()) }
    }
}

/// Calls its halt when it goes: nobody waits for the answer any more.
#[derive(Debug)]
pub struct CallOff(pub Halt);

impl Drop for CallOff {
    fn drop(&mut self) {
        self.0.call();
    }
}

/// Bounds on one thought. All that are given hold; with none given one ply is searched.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Time to answer in.
    pub time: Option<Duration>,
    /// Count the CPU time of the thread that was asked rather than wall time.
    pub cpu_time: bool,
    /// Positions to look at, by all threads together. With this limit alone and one thread the answer depends on
    /// seed, level and position only.
    pub nodes: Option<u64>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
}

/// How far a thought has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Whole plies searched.
    pub depth: u32,
    /// Positions looked at, by all threads together.
    pub nodes: u64,
    /// How good the position is for the side to move, as it looks by now.
    pub value: Value,
}

/// Who hears on the thinking thread how a thought comes along; by default nobody.
#[derive(Clone, Default)]
pub struct Hearer(Option<Arc<dyn Fn(Progress) + Send + Sync>>);

impl Hearer {
    /// Somebody who hears of every round of a search that has come to its end.
    pub fn new(hear: impl Fn(Progress) + Send + Sync + 'static) -> Hearer {
        Hearer(Some(Arc::new(hear)))
    }

    /// Tells them.
    pub fn hear(&self, progress: Progress) {
        if let Some(hear) = &self.0 {
            hear(progress);
        }
    }
}

impl std::fmt::Debug for Hearer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "somebody" } else { "nobody" })
    }
}

/// A question to a player.
#[derive(Clone, Debug)]
pub struct Ask {
    /// How strong to play.
    pub level: Level,
    /// Bounds; the level's own bounds hold where these give none.
    pub limits: Limits,
    /// Draws among near-equals come from this seed.
    pub seed: u64,
    /// Whether a strong player may answer from openings that it thought about long ago, if its game has such
    /// a book: right for a turn at a table, not for a study or a measurement.
    pub book: bool,
    /// Who may think along, at the levels that think at length about a game of two: without company the answer
    /// depends on less, see [`Limits::nodes`].
    pub company: Company,
    /// Calls it off.
    pub halt: Halt,
    /// Hears how it comes along.
    pub hearer: Hearer,
}

impl Ask {
    /// A question within the level's own bounds, without a book, to one thread.
    pub fn new(level: Level, seed: u64) -> Ask {
        Ask {
            level,
            limits: Limits::default(),
            seed,
            book: false,
            company: Company::Alone,
            halt: Halt::default(),
            hearer: Hearer::default(),
        }
    }
}

/// How good a position is for the side that was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Proven lost, in at most so many plies.
    Lost(u32),
    /// An opinion, in hundredths as the game's player reckons: the greater, the likelier a win. What people are
    /// told of it, in moves, fish or stacks, is [`Room::told`](super::Room::told).
    Opinion(i32),
    /// Proven to be shared.
    Even,
    /// Proven won, in at most so many plies.
    Won(u32),
}

impl Value {
    /// The same one ply earlier, for the other of two sides.
    #[must_use]
    pub fn reversed(self) -> Value {
        match self {
            Value::Lost(plies) => Value::Won(plies + 1),
            Value::Opinion(hundredths) => Value::Opinion(-hundredths),
            Value::Even => Value::Even,
            Value::Won(plies) => Value::Lost(plies + 1),
        }
    }

    /// A number that is the greater the better: quick wins first, slow losses before quick ones.
    pub fn rank(self) -> i64 {
        match self {
            Value::Lost(plies) => i64::from(plies) - (1 << 40),
            Value::Opinion(hundredths) => hundredths.into(),
            Value::Even => 0,
            Value::Won(plies) => (1 << 40) - i64::from(plies),
        }
    }
}

/// An answer. `M` is the game's move, or its canonical text once types are erased.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<M> {
    /// The move to play.
    pub best: M,
    /// How good the position is with it.
    pub value: Value,
    /// Whole plies searched.
    pub depth: u32,
    /// Positions looked at, by all threads together.
    pub nodes: u64,
    /// The line expected, `best` first.
    pub line: Vec<M>,
    /// Other moves looked at, best first, at most 25, with their values; may be empty.
    pub others: Vec<(M, Value)>,
}

impl<M: Copy> Thought<M> {
    /// A thought that expects no more than its move, and has looked at no other for long.
    pub fn of(best: M, value: Value, depth: u32, nodes: u64) -> Thought<M> {
        Thought { best, value, depth, nodes, line: vec![best], others: Vec::new() }
    }
}

impl<M> Thought<M> {
    /// The same thought about other words for the moves.
    pub fn map<N>(self, mut name: impl FnMut(M) -> N) -> Thought<N> {
        Thought {
            best: name(self.best),
            value: self.value,
            depth: self.depth,
            nodes: self.nodes,
            line: self.line.into_iter().map(&mut name).collect(),
            others: self.others.into_iter().map(|(m, v)| (name(m), v)).collect(),
        }
    }
}
