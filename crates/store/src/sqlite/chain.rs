//! The entries of a table with their seals.

use sqlx::{Executor, Sqlite as Driver, SqliteConnection};

use crate::rows::read_link;
use crate::sqlite::errors::store_error;
use rookery_table::TableId;
use rookery_table::hash_chain::{ChainEntry, HashChain};
use rookery_table::ports::StoreError;

/// The entries of a table, in order.
pub(super) const LINKS: &str =
    "SELECT sequence, at_ms, source, event, seal FROM events WHERE table_id = ? ORDER BY sequence";

/// Returns the entries of a table, in order.
pub(super) async fn links<'a>(
    from: impl Executor<'a, Database = Driver>,
    table: TableId,
) -> Result<Vec<ChainEntry>, StoreError> {
    let rows =
        sqlx::query(LINKS).bind(table.as_str().to_owned()).fetch_all(from).await.map_err(store_error)?;
    rows.iter().map(|row| read_link(table, row)).collect()
}

/// Returns a table's entries with the latest seal according to its card.
pub(crate) async fn chain_of(from: &mut SqliteConnection, table: TableId) -> Result<HashChain, StoreError> {
    let links = links(&mut *from, table).await?;
    let row = sqlx::query_scalar("SELECT head FROM cards WHERE table_id = ?");
    let head = row.bind(table.as_str().to_owned()).fetch_optional(&mut *from).await.map_err(store_error)?;
    Ok(HashChain { links, head: head.flatten() })
}
