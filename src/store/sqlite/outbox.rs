//! What is due, by table.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqlitePool};

use crate::table::TableId;
use crate::table::ports::{DueTable, JournalError};

use super::{readable, table_id};

/// For each due row its table and server.
pub(super) async fn due_tables(
    from: &SqlitePool,
    after: i64,
    most: usize,
) -> Result<Vec<DueTable>, JournalError> {
    let sql = "SELECT outbox.id, outbox.table_id, guild FROM outbox \
         LEFT JOIN cards ON cards.table_id = outbox.table_id \
         WHERE state = 0 AND outbox.id > ? ORDER BY outbox.id LIMIT ?";
    let rows = sqlx::query(sql).bind(after).bind(most as i64).fetch_all(from).await?;
    Ok(rows.iter().filter_map(|row| readable(due_table(row))).collect())
}

/// The rows that are due for a table.
pub(super) async fn due_at(
    from: &SqlitePool,
    table: TableId,
    most: usize,
) -> Result<Vec<SqliteRow>, JournalError> {
    let sql =
        "SELECT id, table_id, say, tries FROM outbox WHERE state = 0 AND table_id = ? ORDER BY id LIMIT ?";
    Ok(sqlx::query(sql).bind(table.as_str().to_owned()).bind(most as i64).fetch_all(from).await?)
}

/// The number of the last row.
pub(super) async fn last_row(from: &SqlitePool) -> Result<i64, JournalError> {
    Ok(sqlx::query_scalar("SELECT COALESCE(MAX(id), 0) FROM outbox").fetch_one(from).await?)
}

/// The latest message of a table by rows before one. Snowflakes rise with time.
pub(super) async fn message_before(
    from: &SqlitePool,
    table: TableId,
    row: i64,
) -> Result<Option<u64>, JournalError> {
    let sql = "SELECT MAX(message) FROM outbox WHERE table_id = ? AND id < ?";
    let latest: Option<i64> =
        sqlx::query_scalar(sql).bind(table.as_str().to_owned()).bind(row).fetch_one(from).await?;
    Ok(latest.map(i64::cast_unsigned))
}

fn due_table(row: &SqliteRow) -> Result<DueTable, JournalError> {
    let guild = row.get::<Option<i64>, _>(2).map(i64::cast_unsigned);
    Ok(DueTable { id: row.get(0), table: table_id(row, 1)?, guild })
}
