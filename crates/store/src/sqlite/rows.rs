//! Reading of rows. Values are not trusted: a damaged one is an error of its row, not a panic.

use jiff::Timestamp;
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Row, Sqlite as Driver, Type};

use rookery_core::player::Level;
use rookery_table::SourceId;
use rookery_table::TableId;
use rookery_table::hash_chain::ChainEntry;
use rookery_table::millis;
use rookery_table::ports::{Card, Job, StoreError};

/// Decodes a column.
///
/// # Errors
/// If the value has another type, for instance text that is not UTF-8.
pub(crate) fn column<'r, T>(row: &'r SqliteRow, column: usize) -> Result<T, StoreError>
where
    T: Decode<'r, Driver> + Type<Driver>,
{
    row.try_get(column).map_err(|error| {
        let what = format!("column {}", row.columns().get(column).map_or("?", sqlx::Column::name));
        StoreError::UnreadableRow { what, why: error.to_string() }
    })
}

/// Decodes a moment from milliseconds since 1970.
pub(crate) fn moment(row: &SqliteRow, at: usize) -> Result<Timestamp, StoreError> {
    column(row, at).map(millis::timestamp)
}

/// Decodes an unsigned 64-bit number or an id.
pub(crate) fn unsigned<T: From<u64>>(row: &SqliteRow, at: usize) -> Result<T, StoreError> {
    column::<i64>(row, at).map(|number| T::from(number.cast_unsigned()))
}

/// Decodes a text as far as possible, to name the row in a report.
pub(crate) fn name(row: &SqliteRow, at: usize) -> String {
    column::<&[u8]>(row, at).map_or_else(|_| "?".into(), |bytes| String::from_utf8_lossy(bytes).into_owned())
}

pub(crate) fn table_id(row: &SqliteRow, at: usize) -> Result<TableId, StoreError> {
    let text: &str = column(row, at)?;
    text.parse().map_err(|error| unreadable(format!("{text:?}"), error))
}

/// Decodes an entry of a table.
pub(super) fn read_link(table: TableId, row: &SqliteRow) -> Result<ChainEntry, StoreError> {
    let sequence = unsigned(row, 0)?;
    let read = || {
        let source = column::<Option<i64>>(row, 2)?.map(i64::cast_unsigned);
        let (at, event, seal) = (moment(row, 1)?, column(row, 3)?, column(row, 4)?);
        Ok(ChainEntry { sequence, at, source: source.map(SourceId), event, seal })
    };
    read().map_err(|error: StoreError| StoreError::Unreadable { table, sequence, why: error.to_string() })
}

pub(crate) fn read_card(row: &SqliteRow) -> Result<Card, StoreError> {
    let what = || format!("the card of table {}", name(row, 1));
    let card = column(row, 0).map_err(|error| unreadable(what(), error))?;
    serde_json::from_str(card).map_err(|error| unreadable(what(), error))
}

pub(crate) fn read_job(row: &SqliteRow) -> Result<Job, StoreError> {
    let table = table_id(row, 0)?;
    let key: &str = column(row, 2)?;
    let level = Level::named(key);
    let level = level.ok_or_else(|| {
        unreadable(format!("the turn owed at table {table}"), format!("no level called {key}"))
    })?;
    let ply = usize::try_from(column::<i64>(row, 1)?).unwrap_or_default();
    Ok(Job { table, ply, level, seed: unsigned(row, 3)? })
}

/// Creates the error for a row that this version cannot read.
pub(crate) fn unreadable(what: impl Into<String>, why: impl std::fmt::Display) -> StoreError {
    StoreError::UnreadableRow { what: what.into(), why: why.to_string() }
}
