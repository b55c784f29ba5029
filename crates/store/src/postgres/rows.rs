//! Decoding of the columns of PostgreSQL.

use sqlx::postgres::PgRow;
use sqlx::{Decode, Postgres as Driver, Row, Type};

use crate::rows::StoredRow;
use rookery_table::ports::StoreError;

/// Decodes a column.
///
/// # Errors
/// If the value has another type.
pub(crate) fn column<'r, T>(row: &'r PgRow, column: usize) -> Result<T, StoreError>
where
    T: Decode<'r, Driver> + Type<Driver>,
{
    row.try_get(column).map_err(|error| {
        let what = format!("column {}", row.columns().get(column).map_or("?", sqlx::Column::name));
        StoreError::UnreadableRow { what, why: error.to_string() }
    })
}

impl StoredRow for PgRow {
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
        column(self, at).unwrap_or("?").to_owned()
    }
}
