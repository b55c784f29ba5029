//! A game's lesson: positions with a task each, judged by the rules alone.
//!
//! A game stores its tasks as data; the keys of game and task identify their sentences.

mod judge;

pub use judge::{Shortfall, Verdict};

/// One task of a lesson.
#[derive(Debug)]
pub struct Task {
    /// Its key within the game's lesson. The sentences are `lesson-<game>-<key>`, `lesson-<game>-<key>-done`, and
    /// `lesson-<game>-<key>-short` or those of `wrong` for legal moves that do not solve it. A text that is not a move
    /// to a cell has the sentence `lesson-<game>-<key>-offer-<index>`.
    pub key: &'static str,
    /// The position as a line, as [`super::Game::resume`] reads it; never a finished one.
    pub line: &'static str,
    /// Texts to choose from; the rules refuse some. If empty, the move is composed step by step.
    pub offered: &'static [&'static str],
    /// The moves that solve the task.
    pub wanted: TaskGoal,
    /// Classes of legal moves that do not solve it, each with its reason; the first that fits a move counts.
    pub wrong: &'static [WrongClass],
}

impl Task {
    /// The key of the task that teaches how moves are typed; it comes last.
    pub const NOTATION: &'static str = "write";
}

/// A class of legal moves that do not solve a task.
#[derive(Debug)]
pub struct WrongClass {
    /// The key of its reason: the sentence is `lesson-<game>-<task>-<key>`.
    pub key: &'static str,
    /// Whether a move, in canonical spelling, belongs to it.
    pub includes: fn(&str) -> bool,
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
