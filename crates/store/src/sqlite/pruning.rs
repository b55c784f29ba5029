//! Deletes most outbox rows of games that ended long ago.
//!
//! These rows stay: unsettled ones, and the latest challenge, board and result, which lists link to. For
//! every other message a compact row ([`MOVE`]) keeps its table and ply, so that a reply to the message or a
//! button under it still finds the table.
//!
//! Each finished table is passed once. If a row of it is unsettled then, a note ([`NOTE_LEFT`]) makes a later run
//! return to the table when the row is settled.

use crate::sqlite::errors::store_error;
use jiff::Timestamp;
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;

use super::Sqlite;
use super::rows::column;
use crate::rows::{name, table_id};
use rookery_table::TableId;
use rookery_table::ports::StoreError;

/// The key of the note that stores how far the outbox is pruned: the time of the last table's latest event,
/// and its name. Versions before [`NOTE_LEFT`] used the key `outbox-pruned`; the new key makes one more pass, which
/// finds the rows that those versions left.
const PRUNED_NOTE: &str = "outbox-pruned-2";

/// The next finished tables, oldest first.
pub(super) const NEXT: &str = "SELECT table_id, at_ms FROM cards \
     WHERE stage = 2 AND at_ms >= ?1 AND (at_ms > ?1 OR table_id > ?2) AND at_ms < ?3 \
     ORDER BY at_ms, table_id LIMIT ?4";

/// The key of the note that rows of a table are left: this and the table's name.
macro_rules! left_note {
    () => {
        "outbox-left-"
    };
}

/// The passed tables whose rows are all settled by now. The range of keys ends with the character after `-`; the cross
/// join makes SQLite begin with the notes, which are few.
pub(super) const SETTLED_SINCE: &str = concat!(
    "SELECT cards.table_id FROM notes CROSS JOIN cards ON cards.table_id = substr(notes.key, length('",
    left_note!(),
    "') + 1) WHERE notes.key > '",
    left_note!(),
    "' AND notes.key < 'outbox-left.' AND stage = 2 AND at_ms < ?1 \
     AND NOT EXISTS (SELECT 1 FROM outbox WHERE table_id = cards.table_id AND state NOT IN (1, 2)) LIMIT ?2"
);

/// Notes that rows of a table are left, if any are.
pub(super) const NOTE_LEFT: &str = concat!(
    "INSERT OR REPLACE INTO notes SELECT '",
    left_note!(),
    "' || ?1, '1' WHERE EXISTS (SELECT 1 FROM outbox WHERE table_id = ?1 AND state NOT IN (1, 2))"
);

/// Deletes the note that rows of a table are left.
pub(super) const FORGET_LEFT: &str = concat!("DELETE FROM notes WHERE key = '", left_note!(), "' || ?");

/// The condition for the rows of a table that lists link to.
macro_rules! linked {
    () => {
        "SELECT max(id) FROM outbox WHERE table_id = ?1 AND message IS NOT NULL \
         AND (key IN ('announce', 'result') OR key LIKE 'board-%') \
         GROUP BY CASE WHEN key LIKE 'board-%' THEN 'board' ELSE key END"
    };
}

/// Copies the messages of a table to their compact form.
pub(super) const MOVE: &str = concat!(
    "INSERT OR IGNORE INTO messages (message, table_id, ply) \
     SELECT message, table_id, CASE WHEN key LIKE 'board-%' THEN CAST(substr(key, 7) AS INTEGER) END \
     FROM outbox WHERE table_id = ?1 AND state IN (1, 2) AND message IS NOT NULL AND id NOT IN (",
    linked!(),
    ")"
);

/// Deletes the rows that [`MOVE`] has copied.
pub(super) const DELETE: &str =
    concat!("DELETE FROM outbox WHERE table_id = ?1 AND state IN (1, 2) AND id NOT IN (", linked!(), ")");

/// Deletes the note of the message that shows watchers the table's latest move.
const FORGET_LINE: &str = "DELETE FROM notes WHERE key = 'watched-' || ?1";

impl Sqlite {
    /// Prunes the outbox of at most `most` finished tables without an event since `before`, in one short
    /// transaction; returns their number.
    pub(super) async fn prune(&self, before: Timestamp, most: usize) -> Result<usize, StoreError> {
        let mut transaction = self.writer.begin().await?;
        let settled = sqlx::query(SETTLED_SINCE).bind(before.as_millisecond()).bind(most as i64);
        let mut rows = settled.fetch_all(&mut *transaction).await.map_err(store_error)?;
        let after = pruned(&mut transaction).await?;
        let next = sqlx::query(NEXT).bind(after.0).bind(after.1).bind(before.as_millisecond());
        let next = next.bind(most.saturating_sub(rows.len()) as i64);
        let next = next.fetch_all(&mut *transaction).await.map_err(store_error)?;
        if let Some(last) = next.last() {
            note_reached(&mut transaction, &reached(last)?).await?;
        }
        rows.extend(next);
        for row in &rows {
            if let Some(table) = self.unreadable.skip("card", name(row, 0), table_id(row, 0)) {
                prune_table(&mut transaction, table).await?;
            }
        }
        transaction.commit().await?;
        Ok(rows.len())
    }
}

async fn note_reached(to: &mut SqliteConnection, reached: &str) -> Result<(), StoreError> {
    let note = "INSERT INTO notes VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    let note = sqlx::query(note).bind(PRUNED_NOTE).bind(reached.to_owned());
    note.execute(to).await.map_err(store_error)?;
    Ok(())
}

/// Returns the note to store after a table: all tables up to it are pruned.
fn reached(last: &SqliteRow) -> Result<String, StoreError> {
    let at_ms: i64 = column(last, 1)?;
    Ok(match column::<&str>(last, 0) {
        Ok(table) => format!("{at_ms} {table}"),
        // An unreadable name could not be compared, so the next run starts one millisecond later.
        Err(_) => format!("{} ", at_ms + 1),
    })
}

/// Returns the position up to which the outbox is pruned.
async fn pruned(from: &mut SqliteConnection) -> Result<(i64, String), StoreError> {
    let note = sqlx::query_scalar("SELECT value FROM notes WHERE key = ?").bind(PRUNED_NOTE);
    // An unreadable note only costs a second pass.
    let note: Option<Vec<u8>> = note.fetch_optional(&mut *from).await.map_err(store_error)?;
    let read = |note: Vec<u8>| {
        let note = String::from_utf8(note).ok()?;
        let (at, table) = note.split_once(' ')?;
        Some((at.parse().ok()?, table.to_owned()))
    };
    Ok(note.and_then(read).unwrap_or((i64::MIN, String::new())))
}

async fn prune_table(to: &mut SqliteConnection, table: TableId) -> Result<(), StoreError> {
    for sql in [MOVE, DELETE, FORGET_LINE, FORGET_LEFT, NOTE_LEFT] {
        sqlx::query(sql).bind(table.as_str().to_owned()).execute(&mut *to).await.map_err(store_error)?;
    }
    Ok(())
}
