//! What always holds, whatever fails: the names of the invariants. `invariants.rs` checks them.

use std::fmt;

/// The name of an invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Invariant {
    /// A move that a person was told of is in the journal, once.
    AcknowledgedMoveIsWrittenOnce,
    /// The order of a message or interaction is carried out once.
    OrderIsCarriedOutOnce,
    /// Every table's hash chain is intact, its record can be replayed, and its card agrees with it.
    RecordIsSound,
    /// No message is posted twice.
    NothingIsPostedTwice,
    /// The board of the present position is posted where the game is played.
    LastBoardIsPosted,
    /// When the faults are over, everything that is due gets posted.
    OutboxIsEmptied,
    /// When the faults are over, every table plays on: a legal move is written and its board is posted.
    TablePlaysOn,
    /// Without faults, every interaction is answered within three seconds.
    InteractionIsAnswered,
    /// A clock that ran out had its time, without the time in which Discord or the bot was down.
    FlagFellAfterItsTime,
    /// No task panics.
    NoTaskPanics,
    /// The number of tasks and of messages at work is bounded.
    WorkIsBounded,
}

/// A violated invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The invariant.
    pub invariant: Invariant,
    /// What was found.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.invariant, self.what)
    }
}
