//! The outbox is pruned: of games that ended long ago most rows go.
//!
//! What stays: rows that are not settled; the latest challenge, board and result, which lists link to; and of every
//! other message in a compact form ([`MOVE`]) which table it belongs to and which turn it shows, so that an answer
//! to it or a button under it finds its table as before.

use crate::sqlite::errors::store_error;
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;

use super::Sqlite;
use super::rows::{column, name, table_id};
use rookery_table::TableId;
use rookery_table::ports::StoreError;

/// Under which name it is kept up to which table the outbox is pruned: when something last happened there, and its
/// name.
const PRUNED_NOTE: &str = "outbox-pruned";

/// The next finished tables, the longest finished first.
pub(super) const NEXT: &str = "SELECT table_id, at_ms FROM cards \
     WHERE stage = 2 AND at_ms >= ?1 AND (at_ms > ?1 OR table_id > ?2) AND at_ms < ?3 \
     ORDER BY at_ms, table_id LIMIT ?4";

/// Rows of a table that lists link to.
macro_rules! linked {
    () => {
        "SELECT max(id) FROM outbox WHERE table_id = ?1 AND message IS NOT NULL \
         AND (key IN ('announce', 'result') OR key LIKE 'board-%') \
         GROUP BY CASE WHEN key LIKE 'board-%' THEN 'board' ELSE key END"
    };
}

/// Keeps the messages of a table in their compact form.
pub(super) const MOVE: &str = concat!(
    "INSERT OR IGNORE INTO messages (message, table_id, ply) \
     SELECT message, table_id, CASE WHEN key LIKE 'board-%' THEN CAST(substr(key, 7) AS INTEGER) END \
     FROM outbox WHERE table_id = ?1 AND state IN (1, 2) AND message IS NOT NULL AND id NOT IN (",
    linked!(),
    ")"
);

/// Deletes the rows themselves.
pub(super) const DELETE: &str =
    concat!("DELETE FROM outbox WHERE table_id = ?1 AND state IN (1, 2) AND id NOT IN (", linked!(), ")");

/// Deletes the note of the line about its latest move, for those who watch it.
const FORGET_LINE: &str = "DELETE FROM notes WHERE key = 'watched-' || ?1";

impl Sqlite {
    /// Prunes the outbox for at most `most` tables that are over and where nothing has happened since `before_ms`, in
    /// one short transaction; for how many.
    pub(super) async fn prune(&self, before_ms: i64, most: usize) -> Result<usize, StoreError> {
        let mut transaction = self.writer.begin().await?;
        let after = pruned(&mut transaction).await?;
        let rows = sqlx::query(NEXT).bind(after.0).bind(after.1).bind(before_ms).bind(most as i64);
        let rows = rows.fetch_all(&mut *transaction).await.map_err(store_error)?;
        let Some(last) = rows.last() else { return Ok(0) };
        for row in &rows {
            if let Some(table) = self.unreadable.skip("card", name(row, 0), table_id(row, 0)) {
                prune_table(&mut transaction, table).await?;
            }
        }
        let reached = reached(last)?;
        let note = "INSERT INTO notes VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        sqlx::query(note)
            .bind(PRUNED_NOTE)
            .bind(reached)
            .execute(&mut *transaction)
            .await
            .map_err(store_error)?;
        transaction.commit().await?;
        Ok(rows.len())
    }
}

/// What is noted once a finished table is done: all up to it are.
fn reached(last: &SqliteRow) -> Result<String, StoreError> {
    let at_ms: i64 = column(last, 1)?;
    Ok(match column::<&str>(last, 0) {
        Ok(table) => format!("{at_ms} {table}"),
        // A name that cannot be read could not be compared with: on from the next moment.
        Err(_) => format!("{} ", at_ms + 1),
    })
}

/// Up to where the outbox is pruned.
async fn pruned(from: &mut SqliteConnection) -> Result<(i64, String), StoreError> {
    let note = sqlx::query_scalar("SELECT value FROM notes WHERE key = ?").bind(PRUNED_NOTE);
    // One that cannot be read costs only time.
    let note: Option<Vec<u8>> = note.fetch_optional(&mut *from).await.map_err(store_error)?;
    let read = |note: Vec<u8>| {
        let note = String::from_utf8(note).ok()?;
        let (at_ms, table) = note.split_once(' ')?;
        Some((at_ms.parse().ok()?, table.to_owned()))
    };
    Ok(note.and_then(read).unwrap_or((i64::MIN, String::new())))
}

async fn prune_table(to: &mut SqliteConnection, table: TableId) -> Result<(), StoreError> {
    for sql in [MOVE, DELETE, FORGET_LINE] {
        sqlx::query(sql).bind(table.as_str().to_owned()).execute(&mut *to).await.map_err(store_error)?;
    }
    Ok(())
}
