//! Deletes most outbox rows of games that ended long ago.
//!
//! These rows stay: unsettled ones, and the latest challenge, board and result, which lists link to. For every other
//! message a compact row ([`MOVE`]) keeps its table and ply, so that a reply to the message or a button under it still
//! finds the table.
//!
//! Each finished table is passed once. If a row of it is unsettled then, a note ([`NOTE_LEFT`]) makes a later run return
//! to the table when the row is settled.

use jiff::Timestamp;
use sqlx::postgres::PgRow;
use sqlx::query;

use super::connections::Transaction;
use super::locks::Lock;
use super::{Postgres, limit};
use crate::rows::{StoredRow, name, table_id};
use rookery_table::TableId;
use rookery_table::ports::StoreError;

/// The key of the note that stores how far the outbox is pruned: the time of the last table's latest event, and its
/// name.
const PRUNED_NOTE: &str = "outbox-pruned";

/// The next finished tables, oldest first.
pub(super) const NEXT: &str = "SELECT table_id, at_ms FROM cards \
     WHERE stage = 2 AND (at_ms, table_id) > ($1, $2) AND at_ms < $3 ORDER BY at_ms, table_id LIMIT $4";

/// The key of the note that rows of a table are left: this and the table's name.
macro_rules! left_note {
    () => {
        "outbox-left-"
    };
}

/// The passed tables whose rows are all settled by now. The range of keys ends with the character after `-`.
pub(super) const SETTLED_SINCE: &str = concat!(
    "SELECT cards.table_id FROM notes JOIN cards ON cards.table_id = substr(notes.key, length('",
    left_note!(),
    "') + 1) WHERE notes.key > '",
    left_note!(),
    "' AND notes.key < 'outbox-left.' AND stage = 2 AND at_ms < $1 \
     AND NOT EXISTS (SELECT 1 FROM outbox WHERE table_id = cards.table_id AND state NOT IN (1, 2)) LIMIT $2"
);

/// Whether a table is still one to prune.
pub(super) const IS_OVER: &str = "SELECT 1 FROM cards WHERE table_id = $1 AND stage = 2 AND at_ms < $2";

/// Notes that rows of a table are left, if any are.
pub(super) const NOTE_LEFT: &str = concat!(
    "INSERT INTO notes (key, value) SELECT '",
    left_note!(),
    "' || $1::text, '1' \
     WHERE EXISTS (SELECT 1 FROM outbox WHERE table_id = $1::text AND state NOT IN (1, 2)) \
     ON CONFLICT (key) DO NOTHING"
);

/// Deletes the note that rows of a table are left.
pub(super) const FORGET_LEFT: &str =
    concat!("DELETE FROM notes WHERE key = '", left_note!(), "' || $1::text");

/// The rows of a table that lists link to.
macro_rules! linked {
    () => {
        "SELECT max(id) FROM outbox WHERE table_id = $1 AND message IS NOT NULL \
         AND (key IN ('announce', 'result') OR key LIKE 'board-%') \
         GROUP BY CASE WHEN key LIKE 'board-%' THEN 'board' ELSE key END"
    };
}

/// Copies the messages of a table to their compact form.
pub(super) const MOVE: &str = concat!(
    "INSERT INTO messages (message, table_id, ply) \
     SELECT message, table_id, substring(key from '^board-(\\d{1,18})$')::bigint \
     FROM outbox WHERE table_id = $1 AND state IN (1, 2) AND message IS NOT NULL AND id NOT IN (",
    linked!(),
    ") ON CONFLICT (message) DO NOTHING"
);

/// Deletes the rows that [`MOVE`] has copied.
pub(super) const DELETE: &str =
    concat!("DELETE FROM outbox WHERE table_id = $1 AND state IN (1, 2) AND id NOT IN (", linked!(), ")");

/// Deletes the note of the message that shows watchers the table's latest move.
pub(super) const FORGET_LINE: &str = "DELETE FROM notes WHERE key = 'watched-' || $1::text";

impl Postgres {
    /// Prunes the outbox of at most `most` finished tables without an event since `before`, in one short transaction;
    /// returns their number.
    pub(super) async fn prune(&self, before: Timestamp, most: usize) -> Result<usize, StoreError> {
        let mut transaction = self.connections.begin().await?;
        transaction.lock(Lock::Pruning).await?;
        let settled = query(SETTLED_SINCE).bind(before.as_millisecond()).bind(limit(most));
        let mut rows = transaction.rows(settled).await?;
        let after = pruned(&mut transaction).await?;
        let next = query(NEXT).bind(after.0).bind(after.1).bind(before.as_millisecond());
        let next = transaction.rows(next.bind(limit(most.saturating_sub(rows.len())))).await?;
        if let Some(last) = next.last() {
            note_reached(&mut transaction, &format!("{} {}", last.integer(1)?, last.text(0)?)).await?;
        }
        rows.extend(next);
        for row in &rows {
            self.prune_row(&mut transaction, row, before).await?;
        }
        transaction.commit().await?;
        Ok(rows.len())
    }

    async fn prune_row(
        &self,
        to: &mut Transaction,
        row: &PgRow,
        before: Timestamp,
    ) -> Result<(), StoreError> {
        let Some(table) = self.unreadable.skip("card", name(row, 0), table_id(row, 0)) else { return Ok(()) };
        // Another process may have deleted the table since the query, or gone on with the game.
        to.lock(Lock::Table(table)).await?;
        let is_over = query(IS_OVER).bind(table.as_str().to_owned()).bind(before.as_millisecond());
        if to.row(is_over).await?.is_some() {
            prune_table(to, table).await?;
        }
        Ok(())
    }
}

async fn note_reached(to: &mut Transaction, reached: &str) -> Result<(), StoreError> {
    let note = "INSERT INTO notes VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    to.write(query(note).bind(PRUNED_NOTE).bind(reached.to_owned())).await?;
    Ok(())
}

/// Returns the position up to which the outbox is pruned.
async fn pruned(from: &mut Transaction) -> Result<(i64, String), StoreError> {
    let note = from.row(query("SELECT value FROM notes WHERE key = $1").bind(PRUNED_NOTE)).await?;
    // An unreadable note only costs a second pass.
    let read = |note: PgRow| {
        let (at, table) = note.text(0).ok()?.split_once(' ')?;
        Some((at.parse().ok()?, table.to_owned()))
    };
    Ok(note.and_then(read).unwrap_or((i64::MIN, String::new())))
}

async fn prune_table(to: &mut Transaction, table: TableId) -> Result<(), StoreError> {
    for sql in [MOVE, DELETE, FORGET_LINE, FORGET_LEFT, NOTE_LEFT] {
        to.write(query(sql).bind(table.as_str().to_owned())).await?;
    }
    Ok(())
}
