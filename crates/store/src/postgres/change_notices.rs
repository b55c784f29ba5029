//! Notices of changed tables for the other processes.

use std::sync::{Mutex, MutexGuard, PoisonError};

use sqlx::query;

use super::connections::Connections;
use rookery_table::ports::TableChange;

/// The channel of [`TableChange`]s.
pub(super) const CHANNEL: &str = "rookery_changes";
/// Tells all processes of changes.
const NOTIFY: &str = "SELECT pg_notify($1, change) FROM unnest($2::text[]) AS change";

/// The changes that the other processes don't know yet.
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

    /// Tells the other processes of a committed change. They need not hear it: it only saves them a wait or a conflict.
    ///
    /// It is no part of the transaction, because PostgreSQL commits those that notify one after the other, each with its own
    /// wait for the disk. Changes that come while others are told are told together by the same call.
    pub(super) async fn tell(&self, change: TableChange, connections: &Connections) {
        let TableChange { table, sequence, has_items } = change;
        self.changes().push(format!("{table} {sequence} {}", u8::from(has_items)));
        while !self.changes().is_empty() {
            let Ok(_telling) = self.telling.try_lock() else { return };
            let changes = std::mem::take(&mut *self.changes());
            if let Err(error) = connections.row(query(NOTIFY).bind(CHANNEL).bind(changes)).await {
                tracing::debug!(%error, "the other processes are not told of changes; they will find them");
                return;
            }
        }
    }
}
