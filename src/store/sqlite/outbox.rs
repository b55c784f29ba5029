//! The outbox in the embedded file: how its rows are found and read.

use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::{Sqlite, table_id};
use crate::table::ports::{Due, Fate, Journal, JournalError};

/// What an earlier start could not read is tried again: a newer version can. How long it waited is no sign that
/// the outbox is stuck.
pub(super) const RETRY_UNREADABLE: &str = "UPDATE outbox SET state = 0, due_since_ms = NULL WHERE state = 4";
/// What is due, from a row on.
pub(super) const DUE: &str =
    "SELECT id, table_id, say, tries FROM outbox WHERE state = 0 AND id > ? ORDER BY id LIMIT ?";
/// What waits for leave.
pub(super) const BARRED: &str = "SELECT id, table_id, say, tries FROM outbox WHERE state = 3 ORDER BY id";
/// The message that something became.
pub(super) const POSTED: &str = "SELECT channel, message FROM outbox \
     WHERE table_id = ? AND key = ? AND message IS NOT NULL ORDER BY id DESC LIMIT 1";
/// The latest row of something.
pub(super) const LATEST: &str = "SELECT id, message IS NOT NULL FROM outbox \
     WHERE table_id = ? AND key = ? ORDER BY id DESC LIMIT 1";
/// The table of a message, what it was posted as, and the turn of its board where only that is kept.
pub(super) const SAID_AS: &str = "SELECT table_id, say, NULL FROM outbox WHERE message = ?1 \
     UNION ALL SELECT table_id, NULL, ply FROM messages WHERE message = ?1 LIMIT 1";

impl Sqlite {
    /// What is due and can be read.
    pub(super) async fn readable_due(&self, mut after: i64, most: usize) -> Result<Vec<Due>, JournalError> {
        let mut due = Vec::new();
        // In place of rows that cannot be read come those after them: fewer than asked for means that there are no more.
        while due.len() < most {
            let missing = most - due.len();
            let rows = sqlx::query(DUE).bind(after).bind(missing as i64).fetch_all(&self.readers).await?;
            due.extend(self.read_rows(&rows).await);
            match rows.last() {
                Some(last) if rows.len() == missing => after = last.get(0),
                _ => break,
            }
        }
        Ok(due)
    }

    /// Rows of the outbox. One that cannot be read waits for the next start, or it would be read again for ever; those
    /// after it go out.
    pub(super) async fn read_rows(&self, rows: &[SqliteRow]) -> Vec<Due> {
        let mut due = Vec::new();
        for row in rows {
            match read_due(row) {
                Ok(read) => due.push(read),
                Err(error) => {
                    let id: i64 = row.get(0);
                    self.unreadable.report("outbox", id, &error);
                    if let Err(error) = self.unsaid(id, &error.to_string(), Fate::Unreadable).await {
                        tracing::warn!(%error, id, "a row that cannot be read is looked at again");
                    }
                }
            }
        }
        due
    }
}

fn read_due(row: &SqliteRow) -> Result<Due, JournalError> {
    let table = table_id(row, 1)?;
    let say = serde_json::from_str(row.get(2))
        .map_err(|error| JournalError::Medium(format!("what is to be said for table {table}: {error}")))?;
    Ok(Due { id: row.get(0), table, say, tries: row.get(3) })
}
