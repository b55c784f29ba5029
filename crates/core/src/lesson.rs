//! A game's lesson: positions with a task each, judged by the rules alone.
//!
//! A game stores its tasks as data; the keys of game and task identify their sentences.

mod judge;

pub use judge::{Shortfall, Verdict};

/// One task of a lesson.
#[derive(Debug)]
pub struct Task {
    /// Its key within the game's lesson. The sentences are `lesson-<game>-<key>` and `lesson-<game>-<key>-done`.
    pub key: &'static str,
    /// The position as a line, as [`super::Game::resume`] reads it; never a finished one.
    pub line: &'static str,
    /// Texts to choose from; the rules refuse some. If empty, the move is composed step by step.
    pub offered: &'static [&'static str],
    /// The moves that solve the task.
    pub wanted: TaskGoal,
}

/// Which moves solve a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskGoal {
    /// Any text that the rules accept, even if it is only the beginning of a move.
    AnyAcceptedText,
    /// Any complete legal move.
    AnyMove,
    /// A move that gains at least this many points.
    Gains(u32),
    /// A move after which no other player can move, or that wins the game.
    BlocksOthers,
    /// A move that wins at once.
    Wins,
    /// A move that does not lose and to which no reply wins at once.
    DoesNotLose,
    /// One of these moves, in canonical spelling.
    OneOf(&'static [&'static str]),
}
