//! What was done of rows that are not settled yet. A row is settled once the journal says so; until then it is tried
//! again, and what was done of it is not done twice. A nonce sees to that for some minutes only, and a journal may be
//! full for hours.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rookery_table::ports::{DueItem, Posted};

use crate::discord::policy::pings::NotifiedPeople;

/// The wait after a first failure; it doubles with each further one.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait between two tries.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// The rows that were begun, by their numbers.
#[derive(Clone, Default)]
pub(super) struct Attempts(Arc<Mutex<HashMap<i64, RowAttempts>>>);

/// What was done of a row.
#[derive(Clone, Default)]
pub(super) struct RowAttempts {
    /// Tries that failed.
    pub(super) tries: u32,
    /// Tries that ended with a fault of ours.
    pub(super) faults: u32,
    /// Whether it was said, and the message that it became, if it became one.
    pub(super) said: Option<Option<Posted>>,
    /// The same of the first message in a thread.
    pub(super) welcomed: Option<Option<Posted>>,
    /// The same of a board whose predecessors still have their buttons.
    pub(super) posted: Option<Option<Posted>>,
    /// Who was told of it in a direct message.
    pub(super) told: NotifiedPeople,
    /// Messages that may have been posted though no answer came, by nonce: since when, in milliseconds since 1970.
    unsure: HashMap<String, i64>,
    /// Messages that were looked for, by nonce.
    looked_for: HashSet<String>,
}

impl RowAttempts {
    /// A message may have been posted, but no answer came.
    pub(super) fn is_unsure(&mut self, nonce: &str, now_ms: i64) {
        self.unsure.entry(nonce.to_owned()).or_insert(now_ms);
    }

    /// Since when that has been so, in milliseconds since 1970.
    pub(super) fn unsure_since_ms(&self, nonce: &str) -> Option<i64> {
        self.unsure.get(nonce).copied()
    }

    /// It was looked for: now it is known.
    pub(super) fn looked_for(&mut self, nonce: String) {
        self.unsure.remove(&nonce);
        self.looked_for.insert(nonce);
    }

    /// Whether it was looked for.
    pub(super) fn has_looked_for(&self, nonce: &str) -> bool {
        self.looked_for.contains(nonce)
    }
}

impl Attempts {
    /// Looks at, or changes, what was done of a row.
    pub(super) fn of<T>(&self, row: &DueItem, look: impl FnOnce(&mut RowAttempts) -> T) -> T {
        look(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(row.id).or_default())
    }

    /// Counts a try that failed; how long to wait for the next.
    pub(super) fn failed(&self, row: &DueItem) -> Duration {
        let tries = self.of(row, |attempts_of_row| {
            attempts_of_row.tries += 1;
            attempts_of_row.tries
        });
        FIRST_WAIT.saturating_mul(1 << (tries - 1).min(u32::BITS / 2)).min(MAX_WAIT)
    }

    /// A row is settled: there is nothing to remember of it.
    pub(super) fn settled(&self, row: &DueItem) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&row.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_table::OutboxItem;

    #[test]
    fn waits_double_up_to_a_minute_and_begin_anew_with_every_row() {
        let row = DueItem {
            id: 1,
            table: "K7Q2AB".parse().unwrap(),
            item: OutboxItem::Result,
            tries: 0,
            due_since_ms: None,
        };
        let attempts = Attempts::default();
        let waits: Vec<_> = (0..9).map(|_| attempts.failed(&row).as_millis()).collect();
        assert_eq!(waits, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
        for _ in 0..100 {
            attempts.failed(&row);
        }
        assert_eq!(attempts.failed(&row), MAX_WAIT);
        attempts.settled(&row);
        assert_eq!(attempts.failed(&row), FIRST_WAIT);
    }
}
