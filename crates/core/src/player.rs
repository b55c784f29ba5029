//! The request to a computer player, and its result.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use strum::EnumCount;

use super::helper_threads::HelperThreads;

/// How strong the program plays.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    strum::EnumCount,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "lowercase")]
pub enum Level {
    /// Plays a random legal move.
    Random,
    /// Considers few of its moves, with large errors.
    Beginner,
    /// Considers its own moves.
    Easy,
    /// Considers the opponent's replies.
    Medium,
    /// Searches for about a second.
    Hard,
    /// Searches for about three seconds.
    Expert,
}

impl Level {
    /// The level of tables that do not name one.
    pub const DEFAULT: Level = Level::Medium;

    /// All levels, weakest first.
    pub const ALL: [Level; Level::COUNT] =
        [Level::Random, Level::Beginner, Level::Easy, Level::Medium, Level::Hard, Level::Expert];

    /// The name in commands and records.
    pub fn key(self) -> &'static str {
        self.into()
    }

    /// The level with this name.
    pub fn named(key: &str) -> Option<Level> {
        key.parse().ok()
    }
}

/// A stop signal, shared between the caller and the search.
#[derive(Clone, Debug, Default)]
pub struct Halt {
    sign: Arc<AtomicBool>,
    /// A second signal that also stops the search.
    other: Option<Arc<AtomicBool>>,
}

impl Halt {
    /// Makes the search return its best answer so far.
    pub fn call(&self) {
        self.sign.store(true, Ordering::Relaxed);
    }

    /// Whether the signal was set.
    pub fn called(&self) -> bool {
        let given = |sign: &Arc<AtomicBool>| sign.load(Ordering::Relaxed);
        given(&self.sign) || self.other.as_ref().is_some_and(given)
    }

    /// A signal that is set when either of the two is.
    #[must_use]
    pub fn or(&self, other: &Halt) -> Halt {
        Halt { sign: self.sign.clone(), other: Some(other.sign.clone()) }
    }
}

/// Calls its halt when dropped: the answer is no longer needed.
#[derive(Debug)]
pub struct HaltOnDrop(pub Halt);

impl Drop for HaltOnDrop {
    fn drop(&mut self) {
        self.0.call();
    }
}

/// Limits of one search. All given limits apply; without any, one ply is searched.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Maximum time.
    pub time: Option<Duration>,
    /// Count the CPU time of the calling thread rather than wall time.
    pub cpu_time: bool,
    /// Maximum number of positions, over all threads. With only this limit and one thread the answer depends on seed,
    /// level and position only.
    pub nodes: Option<u64>,
    /// Maximum depth in plies.
    pub depth: Option<u32>,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Depth of the last complete iteration, in plies.
    pub depth: u32,
    /// Positions searched, over all threads.
    pub nodes: u64,
    /// The current value of the position for the side to move.
    pub value: Value,
}

/// A callback for the progress of a search, on its thread; does nothing by default.
#[derive(Clone, Default)]
pub struct ProgressListener(Option<Arc<dyn Fn(Progress) + Send + Sync>>);

impl ProgressListener {
    /// A callback for every completed iteration of a search.
    pub fn new(report: impl Fn(Progress) + Send + Sync + 'static) -> ProgressListener {
        ProgressListener(Some(Arc::new(report)))
    }

    /// Calls the callback, if there is one.
    pub fn report(&self, progress: Progress) {
        if let Some(report) = &self.0 {
            report(progress);
        }
    }
}

impl std::fmt::Debug for ProgressListener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "somebody" } else { "nobody" })
    }
}

/// A request to a player.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// How strong to play.
    pub level: Level,
    /// Limits; the level's own limits apply where these are not set.
    pub limits: Limits,
    /// Seed for choices among nearly equal moves.
    pub seed: u64,
    /// Whether a strong player may use its opening book, if the game has one. Set for a turn in a game, not for
    /// analysis or measurement.
    pub book: bool,
    /// Helper threads for the two strongest levels in games of two. Without helpers the answer is reproducible, see
    /// [`Limits::nodes`].
    pub helpers: HelperThreads,
    /// Stops the search early when called.
    pub halt: Halt,
    /// Receives the progress of the search.
    pub progress: ProgressListener,
}

impl SearchRequest {
    /// A request with the level's own limits, without a book, on one thread.
    pub fn new(level: Level, seed: u64) -> SearchRequest {
        SearchRequest {
            level,
            limits: Limits::default(),
            seed,
            book: false,
            helpers: HelperThreads::None,
            halt: Halt::default(),
            progress: ProgressListener::default(),
        }
    }
}

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Proven lost, in at most this many plies.
    Lost(u32),
    /// An estimate in hundredths of the player's own unit: the greater, the likelier a win.
    Estimate(i32),
    /// Proven draw.
    Drawn,
    /// Proven won, in at most this many plies.
    Won(u32),
}

impl Value {
    /// The same value one ply earlier, for the other of two sides.
    #[must_use]
    pub fn reversed(self) -> Value {
        match self {
            Value::Lost(plies) => Value::Won(plies + 1),
            Value::Estimate(hundredths) => Value::Estimate(-hundredths),
            Value::Drawn => Value::Drawn,
            Value::Won(plies) => Value::Lost(plies + 1),
        }
    }

    /// A sort key, higher is better: quick wins first, slow losses before quick ones.
    pub fn rank(self) -> i64 {
        match self {
            Value::Lost(plies) => i64::from(plies) - (1 << 40),
            Value::Estimate(hundredths) => hundredths.into(),
            Value::Drawn => 0,
            Value::Won(plies) => (1 << 40) - i64::from(plies),
        }
    }
}

/// The result of a search. `M` is the game's move, or its canonical text once types are erased.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<M> {
    /// The move to play.
    pub best: M,
    /// The value of the position with that move.
    pub value: Value,
    /// Depth of the last complete iteration, in plies.
    pub depth: u32,
    /// Positions searched, over all threads.
    pub nodes: u64,
    /// The principal variation, starting with `best`.
    pub line: Vec<M>,
    /// Other moves with their values, best first, at most 25; may be empty.
    pub others: Vec<(M, Value)>,
}

impl<M: Copy> SearchResult<M> {
    /// A result with one move and no alternatives.
    pub fn of(best: M, value: Value, depth: u32, nodes: u64) -> SearchResult<M> {
        SearchResult { best, value, depth, nodes, line: vec![best], others: Vec::new() }
    }
}

impl<M> SearchResult<M> {
    /// Converts every move of the result.
    pub fn map<N>(self, mut name: impl FnMut(M) -> N) -> SearchResult<N> {
        SearchResult {
            best: name(self.best),
            value: self.value,
            depth: self.depth,
            nodes: self.nodes,
            line: self.line.into_iter().map(&mut name).collect(),
            others: self.others.into_iter().map(|(m, v)| (name(m), v)).collect(),
        }
    }
}
