//! The pseudonyms of each table in the database.

use sqlx::postgres::PgRow;
use sqlx::query;

use super::connections::{Statement, Transaction};
use super::rows::column;
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

/// Reads pseudonyms from two columns of a row with an array each, of the pseudonyms and of their people.
pub(super) fn from_columns(row: &PgRow, first: usize) -> Result<Pseudonyms, StoreError> {
    let ids = |place| -> Result<Vec<i64>, StoreError> {
        column::<Option<Vec<i64>>>(row, place).map(Option::unwrap_or_default)
    };
    let user = |id: i64| UserId(id.cast_unsigned());
    let pairs = ids(first)?.into_iter().zip(ids(first + 1)?);
    Ok(Pseudonyms::kept(pairs.map(|(pseudonym, person)| (user(pseudonym), user(person))).collect()))
}

/// Replaces people with pseudonyms in entries, and stores new pseudonyms.
pub(super) async fn with_pseudonyms(
    to: &mut Transaction,
    table: TableId,
    mut known: Pseudonyms,
    entries: &[Entry],
) -> Result<Vec<Entry>, StoreError> {
    let hidden = known.hide(entries)?;
    for (pseudonym, person) in known.fresh() {
        let row = query("INSERT INTO pseudonyms VALUES ($1, $2, $3)").bind(table.as_str().to_owned());
        to.write(row.bind(to_i64(pseudonym.0)).bind(to_i64(person.0))).await?;
    }
    Ok(hidden)
}
