//! A game's lesson: positions with something to do in each, judged by the rules alone.
//!
//! A game keeps its tasks as data; their sentences are found by the keys of the game and the task.

mod judge;

pub use judge::{Shortfall, Verdict};

/// One step of a lesson.
#[derive(Debug)]
pub struct Task {
    /// Its key within the game's lesson: `lesson-amazons-door` and `lesson-amazons-door-done` are said.
    pub key: &'static str,
    /// The position in one line, as [`super::Game::resume`] reads it; not a finished one.
    pub line: &'static str,
    /// Texts to choose from; the rules refuse some of them. If empty, the move is put together by its steps.
    pub offered: &'static [&'static str],
    /// The moves that solve the task.
    pub wanted: TaskGoal,
}

/// Which moves answer a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskGoal {
    /// Any that the rules take, be it only the beginning of one.
    Begun,
    /// Any legal move that is complete.
    Whole,
    /// One that gains at least this many points.
    Gains(u32),
    /// A move after which no other player can move, or that wins the game.
    Shuts,
    /// One that wins at once.
    Wins,
    /// One after which no answer wins at once, if not itself lost.
    Safe,
    /// One of these, in canonical spelling.
    OneOf(&'static [&'static str]),
}
