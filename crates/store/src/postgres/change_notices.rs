//! Notices of changed tables for the other processes.

use std::sync::{Mutex, MutexGuard, PoisonError};

use sqlx::query;

use super::Postgres;
use super::processes::CHANNEL;
use rookery_table::ports::TableChange;

/// Tells all processes of changes.
const NOTIFY: &str = "SELECT pg_notify($1, change) FROM unnest($2::text[]) AS change";

/// The changes of which the other processes are not told yet.
#[derive(Default)]
pub(super) struct Untold {
    changes: Mutex<Vec<String>>,
    /// Held by the call that is telling them.
    telling: tokio::sync::Mutex<()>,
}

impl Untold {
    fn changes(&self) -> MutexGuard<'_, Vec<String>> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Postgres {
    /// Tells the other processes of a committed change. They need not hear it: it only saves them a wait or a conflict.
    ///
    /// It is no part of the transaction, because PostgreSQL commits those that notify one after the other, each with its own
    /// wait for the disk. Changes that come while others are told are told together by the same call.
    pub(super) async fn tell_others(&self, change: TableChange) {
        let TableChange { table, sequence, has_items } = change;
        self.process.untold.changes().push(format!("{table} {sequence} {}", u8::from(has_items)));
        while !self.process.untold.changes().is_empty() {
            let Ok(_telling) = self.process.untold.telling.try_lock() else { return };
            let changes = std::mem::take(&mut *self.process.untold.changes());
            if let Err(error) = self.connections.row(query(NOTIFY).bind(CHANNEL).bind(changes)).await {
                tracing::debug!(%error, "the other processes are not told of changes; they will find them");
                return;
            }
        }
    }
}
