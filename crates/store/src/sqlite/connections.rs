//! Connections to the file that are thrown away after any failure.
//!
//! SQLite may roll a transaction back by itself (a full disk, an I/O error), and sqlx then counts one that is no
//! longer there: every later transaction on that connection fails. Pages that were read from a damaged file may stay
//! in its cache as well. So a connection goes back to its pool only after what it was used for has succeeded; after
//! an error, or when the future that uses it is dropped, it is closed, which rolls back what was not committed, and
//! the next use opens a new one. Every statement of this adapter goes through here.

use crate::sqlite::errors::store_error;
use std::ops::{Deref, DerefMut};

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt, TryStreamExt};
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnection, SqliteQueryResult, SqliteRow, SqliteStatement, SqliteTypeInfo};
use sqlx::{Either, Error, Execute, Executor, SqlStr, Sqlite, SqlitePool};

use rookery_table::ports::StoreError;

/// What a query gives: rows, and the counts at the end of each statement.
type Step = Either<SqliteQueryResult, SqliteRow>;

/// A pool of connections to the file. As an [`Executor`] it runs single statements; [`Connections::begin`] starts a
/// transaction. Results are collected before they are given out.
#[derive(Clone, Debug)]
pub(crate) struct Connections(SqlitePool);

impl Connections {
    /// Over a pool.
    pub(super) fn of(pool: SqlitePool) -> Connections {
        Connections(pool)
    }

    /// Starts a transaction that writes: no other writes to the file until it ends.
    ///
    /// # Errors
    /// If no connection can be opened, or the file stays locked for too long.
    pub(crate) async fn begin(&self) -> Result<WriteTransaction, StoreError> {
        let mut connection = self.borrow().await.map_err(store_error)?;
        connection.execute("BEGIN IMMEDIATE").await.map_err(store_error)?;
        Ok(WriteTransaction(connection))
    }

    /// A connection for several statements; `give_back` returns it.
    pub(super) async fn borrow(&self) -> Result<PooledConnection, Error> {
        Ok(PooledConnection(Some(self.0.acquire().await?)))
    }

    /// Closes all of them, once they have finished what they do.
    pub(super) async fn close(&self) {
        self.0.close().await;
    }

    /// The pool, for tests that change how connections are opened.
    #[cfg(test)]
    pub(crate) fn pool(&self) -> &SqlitePool {
        &self.0
    }
}

/// A connection in use. Dropped, it is closed.
#[derive(Debug)]
pub(super) struct PooledConnection(Option<PoolConnection<Sqlite>>);

impl PooledConnection {
    /// Returns the connection to its pool: all that it was asked for has succeeded.
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

/// A transaction that writes. Unless [`WriteTransaction::commit`] succeeds, nothing of it is kept and its connection
/// is closed.
#[derive(Debug)]
pub(crate) struct WriteTransaction(PooledConnection);

impl WriteTransaction {
    /// Keeps what was written.
    ///
    /// # Errors
    /// If it could not be kept; the transaction is rolled back then.
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
