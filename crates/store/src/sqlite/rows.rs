//! Decoding of the columns of SQLite.

use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Row, Sqlite as Driver, Type};

use crate::rows::StoredRow;
use rookery_table::ports::StoreError;

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

impl StoredRow for SqliteRow {
    fn integer(&self, at: usize) -> Result<i64, StoreError> {
        column(self, at)
    }

    fn optional_integer(&self, at: usize) -> Result<Option<i64>, StoreError> {
        column(self, at)
    }

    fn text(&self, at: usize) -> Result<&str, StoreError> {
        column(self, at)
    }

    fn optional_text(&self, at: usize) -> Result<Option<&str>, StoreError> {
        column(self, at)
    }

    fn name(&self, at: usize) -> String {
        column::<&[u8]>(self, at)
            .map_or_else(|_| "?".into(), |bytes| String::from_utf8_lossy(bytes).into_owned())
    }
}
