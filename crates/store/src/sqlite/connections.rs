//! Connections to the file that are discarded after any failure.
//!
//! SQLite may roll a transaction back by itself (full disk, I/O error). sqlx then still counts the
//! transaction, and every later one on that connection fails. Pages read from a damaged file may also stay in
//! the connection's cache. Therefore a connection is used again only after success. After an error, or
//! when the future that uses it is dropped, it is closed, which rolls back uncommitted writes, and the next
//! use opens a new one. Every statement of this adapter goes through this module.

use std::mem;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt, TryStreamExt};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteQueryResult, SqliteRow, SqliteStatement, SqliteTypeInfo,
};
use sqlx::{ConnectOptions, Connection, Describe, Either, Error, Execute, Executor, SqlStr, Sqlite};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::sqlite::errors::store_error;
use rookery_table::ports::StoreError;

/// How long a call waits for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(30);

/// A query's result: a row, or the counts at the end of a statement.
type Step = Either<SqliteQueryResult, SqliteRow>;

/// Connections to the file, opened when they are needed. As an [`Executor`] it runs single statements;
/// [`Connections::begin`] starts a transaction. Results are collected before they are returned.
///
/// sqlx's own pool asks each connection whether it is there when it comes back. That takes two switches between threads, as
/// a statement does, and a connection to a file is not lost while it is idle.
#[derive(Clone, Debug)]
pub(crate) struct Connections(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    options: Mutex<SqliteConnectOptions>,
    most: u32,
    /// One for each connection that may be in use.
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<SqliteConnection>>,
}

impl Connections {
    /// Creates at most this many connections, and opens the first one.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub(super) async fn open(most: u32, options: SqliteConnectOptions) -> Result<Connections, Error> {
        let permits = Arc::new(Semaphore::new(most as usize));
        let (options, idle) = (Mutex::new(options), Mutex::default());
        let connections = Connections(Arc::new(Shared { options, most, permits, idle }));
        connections.borrow().await?.give_back();
        Ok(connections)
    }

    /// Starts a write transaction; no other write to the file can start until it ends.
    ///
    /// # Errors
    /// If no connection can be opened, or the file stays locked for too long.
    pub(crate) async fn begin(&self) -> Result<WriteTransaction, StoreError> {
        self.borrow().await.map_err(store_error)?.begin().await
    }

    /// Takes a connection for several statements; [`PooledConnection::give_back`] returns it.
    pub(crate) async fn borrow(&self) -> Result<PooledConnection, Error> {
        let permit = tokio::time::timeout(ACQUIRE_TIMEOUT, self.0.permits.clone().acquire_owned()).await;
        let permit = permit.map_err(|_| Error::PoolTimedOut)?.map_err(|_| Error::PoolClosed)?;
        let idle = self.0.idle().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => {
                let options = self.0.options().clone();
                options.connect().await?
            }
        };
        Ok(PooledConnection { connection: Some(connection), shared: self.0.clone(), _permit: permit })
    }

    /// Closes all connections once their current statements have ended.
    pub(super) async fn close(&self) {
        let all = self.0.permits.acquire_many(self.0.most).await;
        self.0.permits.close();
        drop(all);
        let idle = mem::take(&mut *self.0.idle());
        for connection in idle {
            if let Err(error) = connection.close().await {
                tracing::warn!(%error, "a connection to the journal could not be closed");
            }
        }
    }

    /// Changes the options of connections that are opened later.
    #[cfg(test)]
    pub(crate) fn change_options(&self, change: impl FnOnce(SqliteConnectOptions) -> SqliteConnectOptions) {
        let mut options = self.0.options();
        *options = change(options.clone());
    }
}

impl Shared {
    fn idle(&self) -> MutexGuard<'_, Vec<SqliteConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn options(&self) -> MutexGuard<'_, SqliteConnectOptions> {
        self.options.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection in use. Dropping it closes the connection.
#[derive(Debug)]
pub(crate) struct PooledConnection {
    connection: Option<SqliteConnection>,
    shared: Arc<Shared>,
    _permit: OwnedSemaphorePermit,
}

impl PooledConnection {
    /// Starts a write transaction; no other write to the file can start until it ends.
    ///
    /// # Errors
    /// If the file stays locked for too long.
    pub(super) async fn begin(mut self) -> Result<WriteTransaction, StoreError> {
        self.execute("BEGIN IMMEDIATE").await.map_err(store_error)?;
        Ok(WriteTransaction(self))
    }

    /// Returns the connection after all its statements have succeeded.
    pub(crate) fn give_back(mut self) {
        if let Some(connection) = self.connection.take() {
            self.shared.idle().push(connection);
        }
    }
}

impl Deref for PooledConnection {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        self.connection.as_ref().expect("it is taken only when this is consumed")
    }
}

impl DerefMut for PooledConnection {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        self.connection.as_mut().expect("it is taken only when this is consumed")
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
