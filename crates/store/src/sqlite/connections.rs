//! Connections to the file that are discarded after any failure.
//!
//! SQLite may roll a transaction back by itself (full disk, I/O error). sqlx then still counts the
//! transaction, and every later one on that connection fails. Pages read from a damaged file may also stay in
//! the connection's cache. Therefore a connection returns to its pool only after success. After an error, or
//! when the future that uses it is dropped, it is closed, which rolls back uncommitted writes, and the next
//! use opens a new one. Every statement of this adapter goes through this module.

use crate::sqlite::errors::store_error;
use std::ops::{Deref, DerefMut};

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt, TryStreamExt};
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnection, SqliteQueryResult, SqliteRow, SqliteStatement, SqliteTypeInfo};
use sqlx::{Describe, Either, Error, Execute, Executor, SqlStr, Sqlite, SqlitePool};

use rookery_table::ports::StoreError;

/// A query's result: a row, or the counts at the end of a statement.
type Step = Either<SqliteQueryResult, SqliteRow>;

/// A pool of connections to the file. As an [`Executor`] it runs single statements; [`Connections::begin`]
/// starts a transaction. Results are collected before they are returned.
#[derive(Clone, Debug)]
pub(crate) struct Connections(SqlitePool);

impl Connections {
    /// Wraps a pool of sqlx.
    pub(super) fn of(pool: SqlitePool) -> Connections {
        Connections(pool)
    }

    /// Starts a write transaction; no other write to the file can start until it ends.
    ///
    /// # Errors
    /// If no connection can be opened, or the file stays locked for too long.
    pub(crate) async fn begin(&self) -> Result<WriteTransaction, StoreError> {
        self.borrow().await.map_err(store_error)?.begin().await
    }

    /// Takes a connection for several statements; [`PooledConnection::give_back`] returns it.
    pub(super) async fn borrow(&self) -> Result<PooledConnection, Error> {
        Ok(PooledConnection(Some(self.0.acquire().await?)))
    }

    /// Closes all connections once their current statements have ended.
    pub(super) async fn close(&self) {
        self.0.close().await;
    }

    /// Returns the pool, for tests that change the connection options.
    #[cfg(test)]
    pub(crate) fn pool(&self) -> &SqlitePool {
        &self.0
    }
}

/// A connection in use. Dropping it closes the connection.
#[derive(Debug)]
pub(super) struct PooledConnection(Option<PoolConnection<Sqlite>>);

impl PooledConnection {
    /// Starts a write transaction; no other write to the file can start until it ends.
    ///
    /// # Errors
    /// If the file stays locked for too long.
    pub(super) async fn begin(mut self) -> Result<WriteTransaction, StoreError> {
        self.execute("BEGIN IMMEDIATE").await.map_err(store_error)?;
        Ok(WriteTransaction(self))
    }

    /// Returns the connection to its pool after all its statements have succeeded.
    pub(super) fn give_back(mut self) {
        drop(self.0.take());
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        if let Some(mut connection) = self.0.take() {
            connection.close_on_drop();
        }
    }
}

impl Deref for PooledConnection {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        self.0.as_ref().expect("it is taken only when this is consumed")
    }
}

impl DerefMut for PooledConnection {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        self.0.as_mut().expect("it is taken only when this is consumed")
    }
}

/// A write transaction. Unless [`WriteTransaction::commit`] succeeds, it is rolled back and its connection is
/// closed.
#[derive(Debug)]
pub(crate) struct WriteTransaction(PooledConnection);

impl WriteTransaction {
    /// Commits the writes.
    ///
    /// # Errors
    /// If the commit fails; the transaction is then rolled back.
    pub(crate) async fn commit(mut self) -> Result<(), StoreError> {
        self.0.execute("COMMIT").await.map_err(store_error)?;
        self.0.give_back();
        Ok(())
    }
}

impl Deref for WriteTransaction {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        &self.0
    }
}

impl DerefMut for WriteTransaction {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        &mut self.0
    }
}

impl<'p> Executor<'p> for &'p Connections {
    type Database = Sqlite;

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, Result<Step, Error>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Sqlite>,
    {
        let all = async move {
            let mut connection = self.borrow().await?;
            let steps: Vec<Step> = (&mut *connection).fetch_many(query).try_collect().await?;
            connection.give_back();
            Ok::<_, Error>(stream::iter(steps.into_iter().map(Ok)))
        };
        stream::once(all).try_flatten().boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<SqliteRow>, Error>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Sqlite>,
    {
        Box::pin(async move {
            let mut connection = self.borrow().await?;
            let row = (&mut *connection).fetch_optional(query).await?;
            connection.give_back();
            Ok(row)
        })
    }

    // The feature of sqlx that asks for this is one of the queue's.
    fn describe<'e>(self, sql: SqlStr) -> BoxFuture<'e, Result<Describe<Sqlite>, Error>>
    where
        'p: 'e,
    {
        Box::pin(async move {
            let mut connection = self.borrow().await?;
            let described = (&mut *connection).describe(sql).await?;
            connection.give_back();
            Ok(described)
        })
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [SqliteTypeInfo],
    ) -> BoxFuture<'e, Result<SqliteStatement, Error>>
    where
        'p: 'e,
    {
        Box::pin(async move {
            let mut connection = self.borrow().await?;
            let statement = (&mut *connection).prepare_with(sql, parameters).await?;
            connection.give_back();
            Ok(statement)
        })
    }
}
