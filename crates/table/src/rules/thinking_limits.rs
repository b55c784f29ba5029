//! For whom the program thinks, and what they are told while they wait for it.

use std::time::Duration;

use crate::{Table, UserId};

/// For whom the program thinks: what is shared out is counted by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetOwner {
    /// The server; the host, in direct messages and for a game from an imported position; the person who
    /// asked, for an
    /// analysis.
    pub id: u64,
    /// Whether somebody waits for the answer: nobody plays where the program holds all seats.
    pub waits: bool,
}

impl BudgetOwner {
    /// For whom the program thinks at a table.
    pub fn of(table: &Table) -> BudgetOwner {
        let terms = table.terms();
        // A server does not pay for positions that somebody brings from elsewhere.
        let server = terms.guild.filter(|_| terms.from.is_none());
        BudgetOwner { id: server.map_or(table.host().0, |id| id.0), waits: !table.is_exhibition() }
    }

    /// A person who asks what the program thinks, at whatever table.
    pub fn asker(who: UserId) -> BudgetOwner {
        BudgetOwner { id: who.0, waits: true }
    }
}

/// What a owner gets of the program's thinking at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThinkingLimits {
    /// Tables that are thought about at a time.
    pub tables: usize,
    /// Thinking in an hour; when it is used up, the levels that think at length move at a glance for a while.
    pub hourly: Duration,
}

impl ThinkingLimits {
    /// More than any machine has.
    pub const NONE: ThinkingLimits =
        ThinkingLimits { tables: usize::MAX, hourly: Duration::from_secs(3_600 * 10_000) };
}

/// What people who wait for the program may want to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThinkingWait {
    /// Where a turn that is owed stands in line; `None` once it is being thought about.
    pub line: Option<QueuePosition>,
    /// In what time the program thinks at length again for this owner, if all that they get is used up.
    pub sparing: Option<Duration>,
}

/// A place in line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueuePosition {
    /// Tables of this owner that are thought about at a time.
    pub tables: usize,
    /// The place, from 1.
    pub place: usize,
}
