//! How a seed is run.

use crate::trace::Output;

/// How a seed is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What is done with the lines of the trace.
    pub output: Output,
    /// What is broken on purpose.
    pub defect: Option<Defect>,
    /// The number of processes; `None` for the seed's own.
    pub processes: Option<usize>,
}

/// A defect between the bot and its surroundings, to show that the simulation finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// The outbox searches for messages that may have been posted, and finds none. Discord forgets nonces at once.
    BlindSearch,
    /// Some batches are reported as written and are not.
    LostWrites,
}
