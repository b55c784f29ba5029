//! The outbox in the embedded file: its queries and how rows are read.

use crate::sqlite::errors::store_error;
use sqlx::sqlite::SqliteRow;

use super::Sqlite;
use super::connections::Connections;
use super::rows::column;
use crate::pages::{page_limit, page_of};
use crate::rows::{due_table, read_due};
use rookery_table::MessageId;
use rookery_table::TableId;
use rookery_table::ports::{AfterFailure, DueItem, DueTable, Journal, Page, PageRequest, StoreError};

/// Retries rows that an earlier process could not read: a newer version may. The due time is cleared, because
/// their wait does not mean that the outbox is stuck.
pub(super) const RETRY_UNREADABLE: &str = "UPDATE outbox SET state = 0, due_since_ms = NULL WHERE state = 4";
/// The due rows after a row id.
///
/// SQLite prepares a statement with `LIMIT ?` again each time it runs, because the number could change its plan. `+ 0`
/// prevents that in the statements of every move.
pub(super) const DUE: &str = "SELECT id, table_id, say, tries, due_since_ms FROM outbox WHERE state = 0 AND id > ? ORDER BY id LIMIT ? + 0";
/// The table and server of each due row.
pub(super) const DUE_TABLES: &str = "SELECT outbox.id, outbox.table_id, guild FROM outbox \
     LEFT JOIN cards ON cards.table_id = outbox.table_id \
     WHERE state = 0 AND outbox.id > ? ORDER BY outbox.id LIMIT ? + 0";
/// The due rows of a table.
pub(super) const DUE_AT: &str = "SELECT id, table_id, say, tries, due_since_ms FROM outbox WHERE state = 0 AND table_id = ? ORDER BY id LIMIT ? + 0";
/// The latest message of a table from rows before one.
pub(super) const MESSAGE_BEFORE: &str = "SELECT MAX(message) FROM outbox WHERE table_id = ? AND id < ?";
/// The rows that wait for a permission.
pub(super) const BLOCKED: &str = "SELECT id, table_id, say, tries, due_since_ms FROM outbox WHERE state = 3 AND id > ? ORDER BY id LIMIT ?";
/// The number of rows that wait for a permission.
pub(super) const COUNT_BLOCKED: &str = "SELECT count(*) FROM outbox INDEXED BY outbox_barred WHERE state = 3";
/// The message posted for a key.
pub(super) const POSTED: &str = "SELECT channel, message FROM outbox \
     WHERE table_id = ? AND key = ? AND message IS NOT NULL ORDER BY id DESC LIMIT 1";
/// The latest row with a key.
pub(super) const LATEST: &str = "SELECT id, message IS NOT NULL FROM outbox \
     WHERE table_id = ? AND key = ? ORDER BY id DESC LIMIT 1";
/// The table of a message with its outbox item, or with the ply of its board if only the compact form is
/// left.
pub(super) const POSTED_ITEM: &str = "SELECT table_id, say, NULL FROM outbox WHERE message = ?1 \
     UNION ALL SELECT table_id, NULL, ply FROM messages WHERE message = ?1 LIMIT 1";

impl Sqlite {
    /// Returns the due rows that can be read.
    pub(super) async fn readable_due(&self, mut after: i64, most: usize) -> Result<Vec<DueItem>, StoreError> {
        let mut due = Vec::new();
        // Unreadable rows are replaced by the following ones: fewer rows than asked for mean that there are
        // no more.
        while due.len() < most {
            let missing = most - due.len();
            let rows = sqlx::query(DUE)
                .bind(after)
                .bind(missing as i64)
                .fetch_all(&self.readers)
                .await
                .map_err(store_error)?;
            due.extend(self.read_rows(&rows).await);
            match rows.last() {
                Some(last) if rows.len() == missing => after = column(last, 0)?,
                _ => break,
            }
        }
        Ok(due)
    }

    /// Reads rows. An unreadable row is set aside until the next start; otherwise it would be read again
    /// without end. The following rows are still sent.
    pub(super) async fn read_rows(&self, rows: &[SqliteRow]) -> Vec<DueItem> {
        let mut due = Vec::new();
        for row in rows {
            match read_due(row) {
                Ok(read) => due.push(read),
                Err(error) => self.set_aside(row, &error).await,
            }
        }
        due
    }

    /// Returns a page of the rows that wait for a permission and can be read.
    pub(super) async fn page_of_blocked(
        &self,
        page: PageRequest<i64>,
    ) -> Result<Page<DueItem, i64>, StoreError> {
        let rows = sqlx::query(BLOCKED).bind(page.after.unwrap_or_default()).bind(page_limit(page.limit));
        let rows = rows.fetch_all(&self.readers).await.map_err(store_error)?;
        let next = page_of(&rows, page.limit, |row| column(row, 0), |_| Some(()))?.next;
        Ok(Page { rows: self.read_rows(&rows).await, next })
    }

    /// Returns the table and server of each due row.
    pub(super) async fn tables_of_due(&self, after: i64, most: usize) -> Result<Vec<DueTable>, StoreError> {
        let rows = sqlx::query(DUE_TABLES)
            .bind(after)
            .bind(most as i64)
            .fetch_all(&self.readers)
            .await
            .map_err(store_error)?;
        let mut tables = Vec::new();
        for row in &rows {
            match due_table(row) {
                Ok(table) => tables.push(table),
                Err(error) => self.set_aside(row, &error).await,
            }
        }
        Ok(tables)
    }

    /// Returns the due rows of a table that can be read.
    pub(super) async fn readable_due_at(
        &self,
        table: TableId,
        most: usize,
    ) -> Result<Vec<DueItem>, StoreError> {
        let rows = sqlx::query(DUE_AT).bind(table.as_str().to_owned()).bind(most as i64);
        Ok(self.read_rows(&rows.fetch_all(&self.readers).await.map_err(store_error)?).await)
    }

    /// Sets an unreadable row aside until the next start.
    async fn set_aside(&self, row: &SqliteRow, why: &StoreError) {
        // The id is the primary key by which the row was found, so it is readable.
        let Ok(id) = column(row, 0) else { return };
        self.unreadable.report("outbox", id, why);
        if let Err(error) = self.mark_failed(id, &why.to_string(), AfterFailure::Unreadable).await {
            tracing::warn!(%error, id, "a row that cannot be read is looked at again");
        }
    }
}

/// Returns the id of the last row, or 0.
pub(super) async fn last_row(from: &Connections) -> Result<i64, StoreError> {
    sqlx::query_scalar("SELECT COALESCE(MAX(id), 0) FROM outbox").fetch_one(from).await.map_err(store_error)
}

/// Returns the latest message of a table from rows before one. Snowflakes increase with time.
pub(super) async fn message_before(
    from: &Connections,
    table: TableId,
    row: i64,
) -> Result<Option<MessageId>, StoreError> {
    let latest: Option<i64> = sqlx::query_scalar(MESSAGE_BEFORE)
        .bind(table.as_str().to_owned())
        .bind(row)
        .fetch_one(from)
        .await
        .map_err(store_error)?;
    Ok(latest.map(i64::cast_unsigned).map(MessageId))
}
