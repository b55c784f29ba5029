//! The numbers of the latest entries of tables, asked for together.
//!
//! A process asks before it shows or changes a table, whether another one has changed it. That is the most frequent
//! question by far: calls that come while one is under way are answered together by the next.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sqlx::postgres::PgRow;
use sqlx::query;
use tokio::sync::oneshot;

use super::connections::Connections;
use crate::rows::{table_id, unsigned};
use rookery_table::TableId;
use rookery_table::ports::StoreError;

/// The number of the latest entry of each of some tables that have entries.
pub(super) const HEADS: &str = "SELECT asked.table_id, last.sequence FROM unnest($1::text[]) AS asked (table_id), \
     LATERAL (SELECT sequence FROM events WHERE table_id = asked.table_id ORDER BY sequence DESC LIMIT 1) AS last";

/// The number of the latest entry of a table, or why it is not known.
type Answer = Result<u64, String>;

/// The calls that wait for the number of a table's latest entry.
#[derive(Default)]
pub(super) struct Heads {
    waiting: Mutex<Vec<(TableId, oneshot::Sender<Answer>)>>,
    /// Held by the call that asks.
    asking: tokio::sync::Mutex<()>,
}

impl Heads {
    fn waiting(&self) -> MutexGuard<'_, Vec<(TableId, oneshot::Sender<Answer>)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of a table's latest entry, 0 if there is none, at a moment after this call.
    pub(super) async fn head(&self, table: TableId, connections: &Connections) -> Result<u64, StoreError> {
        let mut answer = self.wait(table);
        loop {
            tokio::select! {
                biased;
                answered = &mut answer => match answered {
                    Ok(answered) => return answered.map_err(StoreError::Backend),
                    // The call that asked was dropped.
                    Err(_) => answer = self.wait(table),
                },
                _asking = self.asking.lock() => self.ask(connections).await,
            }
        }
    }

    fn wait(&self, table: TableId) -> oneshot::Receiver<Answer> {
        let (sender, answer) = oneshot::channel();
        self.waiting().push((table, sender));
        answer
    }

    /// Asks for the numbers of all tables that calls wait for.
    async fn ask(&self, connections: &Connections) {
        let waiting = std::mem::take(&mut *self.waiting());
        if waiting.is_empty() {
            return;
        }
        let tables: Vec<String> = waiting.iter().map(|(table, _)| table.as_str().to_owned()).collect();
        let heads = connections.rows(query(HEADS).bind(tables)).await.and_then(|rows| read(&rows));
        let heads = heads.map_err(|error| error.to_string());
        for (table, sender) in waiting {
            let answer = heads.as_ref().map(|heads| heads.get(&table).copied().unwrap_or_default());
            // Nobody waits any more for the answer to a call that was dropped.
            let _ = sender.send(answer.map_err(String::clone));
        }
    }
}

fn read(rows: &[PgRow]) -> Result<HashMap<TableId, u64>, StoreError> {
    rows.iter().map(|row| Ok((table_id(row, 0)?, unsigned(row, 1)?))).collect()
}
