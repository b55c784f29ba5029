//! The pseudonyms of each table in the embedded file.

use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;

use crate::rows::{to_i64, unsigned};
use crate::sqlite::errors::store_error;
use rookery_table::ports::{Entry, StoreError};
use rookery_table::pseudonyms::Pseudonyms;
use rookery_table::{TableId, UserId};

/// Returns the pseudonyms of a table.
pub(super) async fn pseudonyms(
    from: &mut SqliteConnection,
    table: TableId,
) -> Result<Pseudonyms, StoreError> {
    let sql = "SELECT stand_in, person FROM stand_ins WHERE table_id = ?";
    let rows = sqlx::query(sql).bind(table.as_str().to_owned()).fetch_all(from).await.map_err(store_error)?;
    let known = |row: &SqliteRow| Ok((UserId(unsigned(row, 0)?), UserId(unsigned(row, 1)?)));
    Ok(Pseudonyms::kept(rows.iter().map(known).collect::<Result<_, StoreError>>()?))
}

/// Replaces people with pseudonyms in entries, and stores new pseudonyms.
pub(super) async fn with_pseudonyms(
    to: &mut SqliteConnection,
    table: TableId,
    entries: &[Entry],
) -> Result<Vec<Entry>, StoreError> {
    let mut known = pseudonyms(to, table).await?;
    let hidden = known.hide(entries)?;
    for (pseudonym, person) in known.fresh() {
        let row = sqlx::query("INSERT INTO stand_ins VALUES (?, ?, ?)").bind(table.as_str().to_owned());
        row.bind(to_i64(pseudonym.0)).bind(to_i64(person.0)).execute(&mut *to).await.map_err(store_error)?;
    }
    Ok(hidden)
}
