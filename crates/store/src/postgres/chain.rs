//! The entries of a table in the database, as they are stored.

use sqlx::query;

use super::connections::{Statement, Transaction};
use super::errors::store_error;
use crate::rows::{StoredRow, read_link, to_i64};
use rookery_table::TableId;
use rookery_table::hash_chain::{ChainEntry, HashChain};
use rookery_table::ports::StoreError;

/// The entries of a table, in order.
pub(super) const LINKS: &str =
    "SELECT sequence, at_ms, source, event, seal FROM events WHERE table_id = $1 ORDER BY sequence";

/// Adds entries, given as columns.
const INSERT_LINKS: &str = "INSERT INTO events (table_id, sequence, at_ms, source, event, seal) \
     SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[])";

/// Returns a table's entries.
pub(super) async fn links(from: &mut Transaction, table: TableId) -> Result<Vec<ChainEntry>, StoreError> {
    let rows = from.rows(query(LINKS).bind(table.as_str().to_owned())).await?;
    rows.iter().map(|row| read_link(table, row)).collect()
}

/// Returns a table's entries with the latest seal according to its card.
pub(crate) async fn chain_of(from: &mut Transaction, table: TableId) -> Result<HashChain, StoreError> {
    let links = links(from, table).await?;
    let head = query("SELECT head FROM cards WHERE table_id = $1").bind(table.as_str().to_owned());
    let head = from.row(head).await?;
    let head = head.map(|row| row.optional_text(0).map(|head| head.map(str::to_owned))).transpose()?;
    Ok(HashChain { links, head: head.flatten() })
}

/// Adds entries to a table.
pub(super) async fn insert_links(
    to: &mut Transaction,
    table: TableId,
    links: &[ChainEntry],
) -> Result<(), StoreError> {
    let rows = bind_links(query(INSERT_LINKS).bind(table.as_str().to_owned()), links);
    no_conflict(to.try_write(rows).await, table)
}

/// Binds the columns of entries.
pub(super) fn bind_links<'q>(statement: Statement<'q>, links: &[ChainEntry]) -> Statement<'q> {
    statement
        .bind(links.iter().map(|link| to_i64(link.sequence)).collect::<Vec<_>>())
        .bind(links.iter().map(|link| link.at.as_millisecond()).collect::<Vec<_>>())
        .bind(links.iter().map(|link| link.source.map(to_i64)).collect::<Vec<_>>())
        .bind(links.iter().map(|link| link.event.clone()).collect::<Vec<_>>())
        .bind(links.iter().map(|link| link.seal.clone()).collect::<Vec<_>>())
}

/// Converts the outcome of adding entries to a table. An entry that is there already means that a program that doesn't take
/// the lock has written in between.
pub(super) fn no_conflict(outcome: Result<u64, sqlx::Error>, table: TableId) -> Result<(), StoreError> {
    match outcome {
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => Err(StoreError::Conflict(table)),
        outcome => outcome.map(drop).map_err(store_error),
    }
}
