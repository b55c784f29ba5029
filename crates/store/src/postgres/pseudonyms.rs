//! The pseudonyms of each table in the database.

use sqlx::postgres::PgRow;
use sqlx::query;

use super::connections::{Statement, Transaction};
use crate::rows::{to_i64, unsigned};
use rookery_table::ports::{Entry, StoreError};
use rookery_table::pseudonyms::Pseudonyms;
use rookery_table::{TableId, UserId};

/// The pseudonyms of a table with their people.
pub(super) const OF_TABLE: &str = "SELECT pseudonym, person FROM pseudonyms WHERE table_id = $1";

/// Returns the query for the pseudonyms of a table, whose rows [`read`] takes.
pub(super) fn of_table(table: TableId) -> Statement<'static> {
    query(OF_TABLE).bind(table.as_str().to_owned())
}

pub(super) fn read(rows: &[PgRow]) -> Result<Pseudonyms, StoreError> {
    let known = |row: &PgRow| Ok((UserId(unsigned(row, 0)?), UserId(unsigned(row, 1)?)));
    Ok(Pseudonyms::kept(rows.iter().map(known).collect::<Result<_, StoreError>>()?))
}

/// Replaces people with pseudonyms in entries, and stores new pseudonyms.
pub(super) async fn with_pseudonyms(
    to: &mut Transaction,
    table: TableId,
    entries: &[Entry],
) -> Result<Vec<Entry>, StoreError> {
    let mut known = read(&to.rows(of_table(table)).await?)?;
    let hidden = known.hide(entries)?;
    for (pseudonym, person) in known.fresh() {
        let row = query("INSERT INTO pseudonyms VALUES ($1, $2, $3)").bind(table.as_str().to_owned());
        to.write(row.bind(to_i64(pseudonym.0)).bind(to_i64(person.0))).await?;
    }
    Ok(hidden)
}
