//! A journal in SQLite as the source or the target of a move.

use std::path::Path;
use std::sync::Arc;

use futures_util::stream::BoxStream;
use sqlx::sqlite::{SqliteConnection, SqliteJournalMode, SqliteRow};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, query, query_scalar};

use super::fault::Fault;
use super::tables::{Column, Kind, Record, TABLES, Table, Value};
use crate::file_copy::{self, Partial, of_file};
use crate::private_files;
use crate::rows::name;
use crate::sqlite::errors::store_error;
use crate::sqlite::migrations::SCHEMA;
use crate::sqlite::open;
use crate::sqlite::owner::Ownership;
use crate::sqlite::rows::column;
use rookery_table::ports::StoreError;

/// A file that this process owns, with a transaction.
pub(super) struct SqliteStore {
    connection: SqliteConnection,
    // In this order: a copy is deleted before others may use the file.
    _upgraded: Option<Partial>,
    /// `None` for a new file that no other process knows.
    _owner: Option<Ownership>,
}

impl SqliteStore {
    /// Opens a file to read it as of now. A file of an older version is upgraded in a copy.
    pub(super) async fn source(path: &Path) -> Result<SqliteStore, StoreError> {
        let of_path = |error: StoreError| of_file(path, &error);
        // Taking ownership of a file that is not there would leave its lock behind.
        let schema = open::version(path).await.map_err(of_path)?;
        let owner = Ownership::take(path)?;
        let mut upgraded = None;
        if schema != SCHEMA.len() {
            let copy = file_copy::copy(path, path, &|_, _| ()).await?;
            open::upgrade(&copy.0).await.map_err(of_path)?;
            upgraded = Some(copy);
        }
        let read = upgraded.as_ref().map_or(path, |copy| &copy.0);
        let mut connection = open::read_only(read).connect().await.map_err(store_error)?;
        connection.execute("BEGIN").await.map_err(store_error)?;
        Ok(SqliteStore { connection, _upgraded: upgraded, _owner: Some(owner) })
    }

    /// Opens a file to fill it; creates it if there is none.
    ///
    /// # Errors
    /// If it has a record: the error then names the table.
    pub(super) async fn target(path: &Path) -> Result<Result<SqliteStore, &'static str>, StoreError> {
        let owner = Ownership::take(path)?;
        // Asked before the file is upgraded: one that is refused stays as it is.
        if let Some(table) = filled_table(path).await.map_err(|error| of_file(path, &error))? {
            return Ok(Err(table));
        }
        private_files::secure_database(path).map_err(|error| of_file(path, &error))?;
        open::upgrade(path).await.map_err(|error| of_file(path, &error))?;
        let mut connection = open::for_owner(path).connect().await.map_err(store_error)?;
        connection.execute("BEGIN IMMEDIATE").await.map_err(store_error)?;
        Ok(Ok(SqliteStore { connection, _upgraded: None, _owner: Some(owner) }))
    }

    /// Opens an empty file that no other process knows, to fill it.
    pub(super) async fn new_file(path: &Path) -> Result<SqliteStore, StoreError> {
        open::upgrade(path).await?;
        let mut connection = open::for_owner(path).connect().await.map_err(store_error)?;
        connection.execute("BEGIN IMMEDIATE").await.map_err(store_error)?;
        Ok(SqliteStore { connection, _upgraded: None, _owner: None })
    }

    pub(super) async fn count(&mut self, table: &Table) -> Result<u64, StoreError> {
        let sql = AssertSqlSafe(format!("SELECT count(*) FROM {}", table.sqlite));
        let count: i64 = query_scalar(sql).fetch_one(&mut self.connection).await.map_err(store_error)?;
        Ok(count.unsigned_abs())
    }

    /// Starts reading all records of a table.
    pub(super) fn rows(&mut self, table: &Table) -> BoxStream<'_, Result<SqliteRow, sqlx::Error>> {
        let sql = format!("SELECT {} FROM {}", names(table.columns), table.sqlite);
        query(AssertSqlSafe(sql)).fetch(&mut self.connection)
    }

    pub(super) async fn write(&mut self, table: &Table, records: &[Record]) -> Result<(), StoreError> {
        let places = vec!["?"; table.columns.len()].join(", ");
        let sql = format!("INSERT INTO {} ({}) VALUES ({places})", table.sqlite, names(table.columns));
        let sql: Arc<str> = sql.into();
        for record in records {
            let mut row = query(AssertSqlSafe(Arc::clone(&sql)));
            for value in record {
                row = match value {
                    Value::Null => row.bind(None::<i64>),
                    Value::Integer(number) => row.bind(*number),
                    Value::Text(text) => row.bind(text.clone()),
                    Value::Flag(flag) => row.bind(i64::from(*flag)),
                };
            }
            row.execute(&mut self.connection).await.map_err(store_error)?;
        }
        Ok(())
    }

    /// Returns the highest number that a numbered table has ever given.
    pub(super) async fn last_number(&mut self, table: &Table) -> Result<i64, StoreError> {
        let row = query_scalar("SELECT seq FROM sqlite_sequence WHERE name = ?").bind(table.sqlite);
        let last = row.fetch_optional(&mut self.connection).await.map_err(store_error)?;
        Ok(last.unwrap_or_default())
    }

    /// Makes a numbered table go on after a number.
    pub(super) async fn number_after(&mut self, table: &Table, last: i64) -> Result<(), StoreError> {
        let old = query("DELETE FROM sqlite_sequence WHERE name = ?").bind(table.sqlite);
        old.execute(&mut self.connection).await.map_err(store_error)?;
        let new =
            query("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").bind(table.sqlite).bind(last);
        new.execute(&mut self.connection).await.map_err(store_error)?;
        Ok(())
    }

    /// Makes what was written the content of the file.
    pub(super) async fn commit(mut self) -> Result<(), StoreError> {
        self.connection.execute("COMMIT").await.map_err(store_error)?;
        // The last connection writes the log back into the file.
        self.connection.close().await.map_err(store_error)
    }

    /// Gives up what was written, and gives the file free.
    pub(super) async fn close(mut self) {
        // If that fails, it is rolled back by the next process that opens the file.
        let _ = self.connection.execute("ROLLBACK").await;
        let _ = self.connection.close().await;
    }
}

/// Makes a file whole without a log beside it.
pub(super) async fn leave_wal(path: &Path) -> Result<(), StoreError> {
    let options = open::for_owner(path).journal_mode(SqliteJournalMode::Delete);
    options.connect().await.map_err(store_error)?.close().await.map_err(store_error)
}

/// Returns a table that has a record, in a file that need not be a journal yet.
async fn filled_table(path: &Path) -> Result<Option<&'static str>, StoreError> {
    if std::fs::metadata(path).map_or(0, |metadata| metadata.len()) == 0 {
        return Ok(None);
    }
    let mut connection = open::read_only(path).connect().await.map_err(store_error)?;
    let mut filled = None;
    for table in &TABLES {
        let there = query_scalar("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?");
        let there: i64 = there.bind(table.sqlite).fetch_one(&mut connection).await.map_err(store_error)?;
        if there == 0 {
            continue;
        }
        let any = AssertSqlSafe(format!("SELECT EXISTS (SELECT 1 FROM {})", table.sqlite));
        let any: i64 = query_scalar(any).fetch_one(&mut connection).await.map_err(store_error)?;
        if any != 0 {
            filled = Some(table.sqlite);
            break;
        }
    }
    connection.close().await.map_err(store_error)?;
    Ok(filled)
}

fn names(columns: &[Column]) -> String {
    columns.iter().map(|column| column.sqlite).collect::<Vec<_>>().join(", ")
}

/// Reads a record.
pub(super) fn read(table: &Table, row: &SqliteRow) -> Result<Record, Fault> {
    let values = table.columns.iter().enumerate().map(|(at, of)| value(row, at, of));
    values.collect::<Result<_, _>>().map_err(|why| Fault::Row {
        table: table.sqlite,
        row: key(table, row),
        why,
    })
}

fn value(row: &SqliteRow, at: usize, of: &Column) -> Result<Value, String> {
    let value = match of.kind {
        Kind::Integer => column::<Option<i64>>(row, at).map(|it| it.map(Value::Integer)),
        Kind::Text | Kind::AnyText => column::<Option<String>>(row, at).map(|it| it.map(Value::Text)),
        Kind::Flag => match column::<Option<i64>>(row, at) {
            Ok(Some(number @ (0 | 1))) => Ok(Some(Value::Flag(number == 1))),
            Ok(Some(number)) => return Err(format!("column {} is {number}, not 0 or 1", of.sqlite)),
            other => other.map(|_| None),
        },
    };
    match value.map_err(|error| error.to_string())? {
        None if !of.nullable => Err(format!("column {} has no value", of.sqlite)),
        value => Ok(value.unwrap_or(Value::Null)),
    }
}

/// Returns the primary key of a record that cannot be read, as far as it can.
fn key(table: &Table, row: &SqliteRow) -> String {
    let part = |(at, of): (usize, &Column)| match column::<i64>(row, at) {
        Ok(number) => format!("{} = {number}", of.sqlite),
        Err(_) => format!("{} = '{}'", of.sqlite, name(row, at)),
    };
    table.columns[..table.key].iter().enumerate().map(part).collect::<Vec<_>>().join(" and ")
}
