//! The state of rows that are not settled yet. A row is settled once the journal has stored its outcome.
//! Until then it is retried, but finished steps are not repeated: a nonce prevents that only for some
//! minutes, while a disk may be full for hours.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;

use rookery_table::ports::{DueItem, Posted};

use crate::discord::policy::pings::NotifiedPeople;

/// The delay after the first failure; it doubles with each further one.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest delay between two attempts.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// The rows in progress, by id.
#[derive(Clone, Default)]
pub(super) struct Attempts(Arc<Mutex<HashMap<i64, RowAttempts>>>);

/// The finished steps of a row.
#[derive(Clone, Default)]
pub(super) struct RowAttempts {
    /// The number of failed attempts.
    pub(super) tries: u32,
    /// The number of attempts that panicked.
    pub(super) panics: u32,
    /// Whether an attempt has begun, so that the time in the queue is recorded.
    pub(super) was_picked_up: bool,
    /// Whether the times of its board are recorded.
    pub(super) was_timed: bool,
    /// Whether it was posted, and its message, if it has one.
    pub(super) delivered: Option<Option<Posted>>,
    /// Whether the first message in a thread was posted, and its message.
    pub(super) welcomed: Option<Option<Posted>>,
    /// Whether the board was posted, while earlier boards still have their buttons, and its message.
    pub(super) posted: Option<Option<Posted>>,
    /// Whether it waited for a permission, so that it may have been posted before it was due again.
    pub(super) was_requeued: bool,
    /// The people who got a direct message about it.
    pub(super) notified: NotifiedPeople,
    /// The nonces of messages that may have been posted without a response, with the time since when.
    unconfirmed: HashMap<String, Timestamp>,
    /// The nonces of messages that were searched for.
    searched: HashSet<String>,
}

impl RowAttempts {
    /// Records that a message may have been posted, but no response came.
    pub(super) fn note_unconfirmed(&mut self, nonce: &str, now: Timestamp) {
        self.unconfirmed.entry(nonce.to_owned()).or_insert(now);
    }

    /// Returns since when it is unknown whether the message was posted.
    pub(super) fn unconfirmed_since(&self, nonce: &str) -> Option<Timestamp> {
        self.unconfirmed.get(nonce).copied()
    }

    /// Records that the message was searched for, so that its state is known.
    pub(super) fn note_searched(&mut self, nonce: String) {
        self.unconfirmed.remove(&nonce);
        self.searched.insert(nonce);
    }

    /// Whether the message was searched for.
    pub(super) fn was_searched(&self, nonce: &str) -> bool {
        self.searched.contains(nonce)
    }
}

impl Attempts {
    /// Reads or changes the state of a row.
    pub(super) fn of<T>(&self, row: &DueItem, look: impl FnOnce(&mut RowAttempts) -> T) -> T {
        look(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(row.id).or_default())
    }

    /// Counts a failed attempt, and returns the delay before the next.
    pub(super) fn failed(&self, row: &DueItem) -> Duration {
        let tries = self.of(row, |attempts_of_row| {
            attempts_of_row.tries += 1;
            attempts_of_row.tries
        });
        FIRST_WAIT.saturating_mul(1 << (tries - 1).min(u32::BITS / 2)).min(MAX_WAIT)
    }

    /// Removes the state of a settled row.
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
            due_since: None,
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
