//! What the message of the day tells.

use rookery_table::ports::Card;

/// What a day's message tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DailyDigest {
    /// What waits.
    pub waiting: WaitingTables,
    /// Their own games that ended.
    pub over: Vec<Card>,
    /// Tables that they watch, where something happened.
    pub watched: Vec<Card>,
}

impl DailyDigest {
    pub(in crate::discord) fn is_empty(&self) -> bool {
        *self == DailyDigest::default()
    }
}

/// What waits for somebody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitingTables {
    /// Tables where they are to move.
    pub turns: Vec<Card>,
    /// Tables where an offer or a challenge waits for their answer.
    pub answers: Vec<Card>,
}
