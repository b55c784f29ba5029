//! A store as the source or the target of a move, whatever its database is.

use std::hash::RandomState;

use futures_util::stream::{BoxStream, Fuse, StreamExt};
use sqlx::sqlite::SqliteRow;

use super::digest::Digest;
use super::fault::Fault;
use super::postgres_store::PostgresStore;
use super::sqlite_store::{self, SqliteStore};
use super::tables::{PAGE, Record, Table};
use crate::sqlite::errors::store_error;
use crate::store_address::StoreAddress;
use rookery_table::ports::StoreError;

/// A store that this process owns, with a transaction.
pub(super) enum Store {
    Sqlite(SqliteStore),
    Postgres(Box<PostgresStore>),
}

impl Store {
    pub(super) async fn source(address: &StoreAddress) -> Result<Store, StoreError> {
        Ok(match address {
            StoreAddress::Sqlite(path) => Store::Sqlite(SqliteStore::source(path).await?),
            StoreAddress::Postgres(url) => Store::Postgres(Box::new(PostgresStore::source(url).await?)),
        })
    }

    /// Opens an empty store, or returns a table that has a record.
    pub(super) async fn target(address: &StoreAddress) -> Result<Result<Store, &'static str>, StoreError> {
        Ok(match address {
            StoreAddress::Sqlite(path) => SqliteStore::target(path).await?.map(Store::Sqlite),
            StoreAddress::Postgres(url) => {
                PostgresStore::target(url).await?.map(Box::new).map(Store::Postgres)
            }
        })
    }

    /// Whether records have derived columns here.
    pub(super) fn has_derived(&self) -> bool {
        matches!(self, Store::Postgres(_))
    }

    pub(super) async fn count(&mut self, table: &Table) -> Result<u64, StoreError> {
        match self {
            Store::Sqlite(store) => store.count(table).await.map_err(|error| of_table(table, error)),
            Store::Postgres(store) => store.count(table).await,
        }
    }

    /// Starts reading all records of a table.
    pub(super) async fn read(
        &mut self,
        table: &'static Table,
        derived: bool,
    ) -> Result<Reader<'_>, StoreError> {
        Ok(match self {
            Store::Sqlite(store) => Reader::Sqlite { table, rows: store.rows(table).fuse() },
            Store::Postgres(store) => {
                store.open_cursor(table, derived).await?;
                Reader::Postgres { table, store, derived }
            }
        })
    }

    pub(super) async fn digest(
        &mut self,
        table: &'static Table,
        derived: bool,
        hashes: &[RandomState; 2],
        complete: impl Fn(Record) -> Record,
    ) -> Result<Digest, Fault> {
        let mut digest = Digest::default();
        let mut reader = self.read(table, derived).await?;
        loop {
            let page = reader.page().await?;
            if page.is_empty() {
                return Ok(digest);
            }
            page.into_iter().for_each(|record| digest.add(&complete(record), hashes));
        }
    }

    pub(super) async fn write(&mut self, table: &Table, records: Vec<Record>) -> Result<(), Fault> {
        match self {
            Store::Sqlite(store) => Ok(store.write(table, &records).await?),
            Store::Postgres(store) => {
                let records: Vec<Record> =
                    records.into_iter().map(|record| table.with_derived(record)).collect();
                store.write(table, &records).await
            }
        }
    }

    pub(super) async fn last_number(&mut self, table: &Table) -> Result<i64, StoreError> {
        match self {
            Store::Sqlite(store) => store.last_number(table).await,
            Store::Postgres(store) => store.last_number(table).await,
        }
    }

    pub(super) async fn number_after(&mut self, table: &Table, last: i64) -> Result<(), StoreError> {
        match self {
            Store::Sqlite(store) => store.number_after(table, last).await,
            Store::Postgres(store) => store.number_after(table, last).await,
        }
    }

    pub(super) async fn commit(self) -> Result<(), StoreError> {
        match self {
            Store::Sqlite(store) => store.commit().await,
            Store::Postgres(store) => store.commit().await,
        }
    }

    /// Gives up what was written, and gives the store free.
    pub(super) async fn close(self) {
        match self {
            Store::Sqlite(store) => store.close().await,
            Store::Postgres(store) => store.close().await,
        }
    }
}

/// Reads the records of a table.
pub(super) enum Reader<'a> {
    Sqlite { table: &'static Table, rows: Fuse<BoxStream<'a, Result<SqliteRow, sqlx::Error>>> },
    Postgres { table: &'static Table, store: &'a mut PostgresStore, derived: bool },
}

impl Reader<'_> {
    /// Returns the next records; after the last one there are none.
    pub(super) async fn page(&mut self) -> Result<Vec<Record>, Fault> {
        match self {
            Reader::Sqlite { table, rows } => {
                let page: Vec<_> = rows.take(PAGE).collect().await;
                let read = |row: Result<SqliteRow, sqlx::Error>| {
                    sqlite_store::read(table, &row.map_err(|error| of_table(table, store_error(error)))?)
                };
                page.into_iter().map(read).collect()
            }
            Reader::Postgres { table, store, derived } => store.page(table, *derived).await,
        }
    }
}

/// Names the table in an error of a damaged page.
fn of_table(table: &Table, error: StoreError) -> StoreError {
    match error {
        StoreError::Damaged(why) => StoreError::Damaged(format!("the table {}: {why}", table.sqlite)),
        error => error,
    }
}
