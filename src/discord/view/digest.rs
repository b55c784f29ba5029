//! The contents of the daily digest.

use rookery_table::ports::Card;

/// The contents of one person's daily digest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DailyDigest {
    /// Tables that wait for the person.
    pub waiting: WaitingTables,
    /// The person's games that ended.
    pub over: Vec<Card>,
    /// Watched tables with new events.
    pub watched: Vec<Card>,
}

impl DailyDigest {
    pub(in crate::discord) fn is_empty(&self) -> bool {
        *self == DailyDigest::default()
    }
}

/// The tables that wait for a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitingTables {
    /// Tables where the person is to move.
    pub turns: Vec<Card>,
    /// Tables where an offer or a challenge waits for the person's answer.
    pub answers: Vec<Card>,
}
