//! The outbox in the database: its queries and how rows are read.

use sqlx::postgres::PgRow;
use sqlx::{AssertSqlSafe, query};

use super::connections::Statement;
use super::rows::column;
use super::{Postgres, limit};
use crate::pages::{page_limit, page_of};
use crate::rows::{StoredRow, due_table, read_due, to_i64};
use rookery_table::TableId;
use rookery_table::ports::{AfterFailure, DueItem, DueTable, Journal, Page, PageRequest, Posted, StoreError};

/// Retries rows that an earlier process could not read: a newer version may. The due time is cleared, because their
/// wait does not mean that the outbox is stuck.
pub(super) const RETRY_UNREADABLE: &str = "UPDATE outbox SET state = 0, due_since_ms = NULL WHERE state = 4";
/// The due rows after a row number.
pub(super) const DUE: &str = "SELECT id, table_id, say, tries, due_since_ms FROM outbox \
     WHERE state = 0 AND id > $1 ORDER BY id LIMIT $2";
/// The table and server of each due row.
pub(super) const DUE_TABLES: &str = "SELECT outbox.id, outbox.table_id, guild FROM outbox \
     LEFT JOIN cards ON cards.table_id = outbox.table_id \
     WHERE state = 0 AND outbox.id > $1 ORDER BY outbox.id LIMIT $2";
/// The due rows of a table.
pub(super) const DUE_AT: &str = "SELECT id, table_id, say, tries, due_since_ms FROM outbox \
     WHERE state = 0 AND table_id = $1 ORDER BY id LIMIT $2";
/// The time since which the oldest due row has been due, read from one end of an index.
pub(super) const OLDEST_DUE: &str =
    "SELECT min(due_since_ms) FROM outbox WHERE state = 0 AND due_since_ms IS NOT NULL";
/// The number of the last row.
pub(super) const LAST_ROW: &str = "SELECT coalesce(max(id), 0) FROM outbox";
/// The latest message of a table from rows before one. Snowflakes increase with time.
pub(super) const MESSAGE_BEFORE: &str = "SELECT max(message) FROM outbox WHERE table_id = $1 AND id < $2";
/// The rows that wait for a permission.
pub(super) const BLOCKED: &str = "SELECT id, table_id, say, tries, due_since_ms FROM outbox \
     WHERE state = 3 AND id > $1 ORDER BY id LIMIT $2";
/// The number of rows that wait for a permission.
pub(super) const COUNT_BLOCKED: &str = "SELECT count(*) FROM outbox WHERE state = 3";
/// The message posted for a key.
pub(super) const POSTED: &str = "SELECT channel, message FROM outbox \
     WHERE table_id = $1 AND key = $2 AND message IS NOT NULL ORDER BY id DESC LIMIT 1";
/// The latest row with a key.
pub(super) const LATEST: &str = "SELECT id, message IS NOT NULL FROM outbox \
     WHERE table_id = $1 AND key = $2 ORDER BY id DESC LIMIT 1";
/// The table of a message with its outbox item, or with the ply of its board if only the compact form is left.
pub(super) const POSTED_ITEM: &str = "SELECT table_id, say, NULL::bigint FROM outbox WHERE message = $1 \
     UNION ALL SELECT table_id, NULL, ply FROM messages WHERE message = $1 LIMIT 1";
/// Marks rows as posted, given as columns. Returns whether the condition `owned` holds, without which it does nothing.
pub(super) fn mark_posted_sql(owned: &str) -> String {
    format!(
        "WITH owner AS MATERIALIZED (SELECT {owned} AS owned), \
         posted AS (UPDATE outbox SET state = 1, channel = item.channel, message = item.message \
             FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS item (id, channel, message) \
             WHERE outbox.id = item.id AND (SELECT owned FROM owner)) \
         SELECT owned FROM owner"
    )
}
/// Counts a failed attempt. Another process may have posted the row meanwhile; then it stays posted.
pub(super) const MARK_FAILED: &str =
    "UPDATE outbox SET tries = tries + 1, why = $2, state = $3 WHERE id = $1 AND state <> 1";
/// Queues a row again that waits for a permission.
pub(super) const REQUEUE: &str = "UPDATE outbox SET state = 0, due_since_ms = $2 WHERE id = $1 AND state = 3 \
     RETURNING table_id, (SELECT guild FROM cards WHERE cards.table_id = outbox.table_id)";

/// The rows that were posted, as columns.
pub(super) struct PostedColumns {
    rows: Vec<i64>,
    channels: Vec<Option<i64>>,
    messages: Vec<Option<i64>>,
}

impl PostedColumns {
    pub(super) fn of(posted: &[(i64, Option<Posted>)]) -> PostedColumns {
        let of_each = |read: fn(Posted) -> i64| posted.iter().map(|(_, posted)| posted.map(read)).collect();
        PostedColumns {
            rows: posted.iter().map(|(row, _)| *row).collect(),
            channels: of_each(|posted| to_i64(posted.channel)),
            messages: of_each(|posted| to_i64(posted.message)),
        }
    }

    /// Binds the columns as the next three parameters.
    pub(super) fn bind<'q>(&self, statement: Statement<'q>) -> Statement<'q> {
        statement.bind(self.rows.clone()).bind(self.channels.clone()).bind(self.messages.clone())
    }
}

impl Postgres {
    /// Marks rows as posted.
    pub(super) async fn mark_rows_posted(&self, posted: &[(i64, Option<Posted>)]) -> Result<(), StoreError> {
        let columns = PostedColumns::of(posted);
        let mark = |owned: &str| columns.bind(query(AssertSqlSafe(mark_posted_sql(owned))));
        // The same marks again change nothing.
        let rows = self.connections.repeatable_write(mark(&self.connections.owned())).await?;
        let is_owned = rows.first().map(|row| column(row, 0)).transpose()?.unwrap_or(false);
        if !is_owned {
            // The session has ended by which this process owns the database.
            self.connections.write(mark("TRUE")).await?;
        }
        Ok(())
    }

    /// Returns the due rows that can be read.
    pub(super) async fn readable_due(&self, mut after: i64, most: usize) -> Result<Vec<DueItem>, StoreError> {
        let mut due = Vec::new();
        // Unreadable rows are replaced by the following ones: fewer rows than asked for mean that there are no more.
        while due.len() < most {
            let missing = most - due.len();
            let rows = self.connections.rows(query(DUE).bind(after).bind(limit(missing))).await?;
            due.extend(self.read_rows(&rows).await);
            match rows.last() {
                Some(last) if rows.len() == missing => after = last.integer(0)?,
                _ => break,
            }
        }
        Ok(due)
    }

    /// Reads rows. An unreadable row is set aside until the next start; otherwise it would be read again without end.
    /// The following rows are still sent.
    pub(super) async fn read_rows(&self, rows: &[PgRow]) -> Vec<DueItem> {
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
        let rows = query(BLOCKED).bind(page.after.unwrap_or_default()).bind(page_limit(page.limit));
        let rows = self.connections.rows(rows).await?;
        let next = page_of(&rows, page.limit, |row| row.integer(0), |_| Some(()))?.next;
        Ok(Page { rows: self.read_rows(&rows).await, next })
    }

    /// Returns the table and server of each due row.
    pub(super) async fn tables_of_due(&self, after: i64, most: usize) -> Result<Vec<DueTable>, StoreError> {
        let rows = self.connections.rows(query(DUE_TABLES).bind(after).bind(limit(most))).await?;
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
        let rows = query(DUE_AT).bind(table.as_str().to_owned()).bind(limit(most));
        Ok(self.read_rows(&self.connections.rows(rows).await?).await)
    }

    /// Sets an unreadable row aside until the next start.
    async fn set_aside(&self, row: &PgRow, why: &StoreError) {
        // The id is the primary key by which the row was found, so it is readable.
        let Ok(id) = row.integer(0) else { return };
        self.unreadable.report("outbox", id, why);
        if let Err(error) = self.mark_failed(id, &why.to_string(), AfterFailure::Unreadable).await {
            tracing::warn!(%error, id, "a row that cannot be read is looked at again");
        }
    }
}
