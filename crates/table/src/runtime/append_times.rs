//! When the latest batches with outbox items were in the journal: their rows wait in the outbox from then on.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use jiff::Timestamp;

use crate::TableId;

/// The most batches that are remembered: those of several seconds under full load.
const MAX_BATCHES: usize = 1_024;

/// The latest batches, the oldest first. A batch that was dropped, or written by an earlier process, is measured from
/// the moment of its decision instead.
#[derive(Default)]
pub(crate) struct AppendTimes(Mutex<VecDeque<AppendedBatch>>);

struct AppendedBatch {
    table: TableId,
    decided: Timestamp,
    appended: Instant,
}

impl AppendTimes {
    /// Records that a table's batch that was decided at a moment is in the journal now.
    pub(crate) fn note(&self, table: TableId, decided: Timestamp) {
        let mut batches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if batches.len() == MAX_BATCHES {
            batches.pop_front();
        }
        batches.push_back(AppendedBatch { table, decided, appended: Instant::now() });
    }

    /// Returns when a table's batch that was decided at a moment was in the journal, if that is still known.
    pub(crate) fn find(&self, table: TableId, decided: Timestamp) -> Option<Instant> {
        let batches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Rows keep whole milliseconds.
        let is_same = |at: Timestamp| at.as_millisecond() == decided.as_millisecond();
        let found = batches.iter().rev().find(|it| it.table == table && is_same(it.decided));
        found.map(|it| it.appended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::millis;

    #[test]
    fn the_latest_batches_are_found_by_table_and_moment() {
        let (times, table) = (AppendTimes::default(), "K7Q2".parse().unwrap());
        let at = |ms: usize| millis::timestamp(i64::try_from(ms).unwrap());
        (0..=MAX_BATCHES).for_each(|ms| times.note(table, at(ms)));
        assert!(times.find(table, at(0)).is_none(), "the oldest was dropped");
        assert!(times.find(table, at(1)) <= times.find(table, at(MAX_BATCHES)));
        assert!(times.find(table, at(1)).is_some());
        assert!(times.find("K7Q3".parse().unwrap(), at(1)).is_none());
    }
}
