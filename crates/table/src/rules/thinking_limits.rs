//! The limits on the bot's thinking, and what waiting people are shown.

use std::time::Duration;

use crate::{Table, UserId};

/// The owner of a thinking budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetOwner {
    /// The id of the server; of the host, in direct messages and for a game from an imported position; of the
    /// requester, for an analysis.
    pub id: u64,
    /// Whether a person waits for the answer: nobody plays where the bot holds all seats.
    pub waits: bool,
}

impl BudgetOwner {
    /// Returns the owner of the budget for a table's turns.
    pub fn of(table: &Table) -> BudgetOwner {
        let terms = table.terms();
        // A server does not pay for positions that people bring from elsewhere.
        let server = terms.guild.filter(|_| terms.from.is_none());
        BudgetOwner { id: server.map_or(table.host().0, |id| id.0), waits: !table.is_exhibition() }
    }

    /// Returns the owner of the budget for a person's analyses.
    pub fn asker(who: UserId) -> BudgetOwner {
        BudgetOwner { id: who.0, waits: true }
    }
}

/// The limits of one owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThinkingLimits {
    /// The most tables with a search at the same time.
    pub tables: usize,
    /// The search time per hour; when it is used up, the levels that search long use very short searches for a while.
    pub hourly: Duration,
}

impl ThinkingLimits {
    /// Limits that no machine reaches.
    pub const NONE: ThinkingLimits =
        ThinkingLimits { tables: usize::MAX, hourly: Duration::from_secs(3_600 * 10_000) };
}

/// The waiting state of a turn, for the people who wait for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThinkingWait {
    /// The position of the turn in the queue; `None` while its search runs.
    pub line: Option<QueuePosition>,
    /// The time until this owner gets long searches again, if the budget is used up.
    pub sparing: Option<Duration>,
}

/// A position in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueuePosition {
    /// The number of this owner's tables with a running search.
    pub tables: usize,
    /// The position, from 1.
    pub place: usize,
}
