//! Connections to the server, discarded after any failure.
//!
//! A connection returns to its pool only after its statements have succeeded. After an error, or when the future that
//! uses it is dropped, it is closed, which makes the server roll back. The pool tests a connection before each use, so
//! the first call after a restart of the server gets a new one. No statement is repeated here: whether a write may be
//! repeated is for the caller to say, after reading what is stored.

use std::sync::Arc;
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgConnectOptions, PgConnection, PgPoolOptions, PgRow};
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Error, Executor, PgPool, Postgres as Driver, raw_sql};

use super::errors::{store_error, write_error};
use super::limits::{MAX_CONNECTIONS, limited, no_answer};
use super::locks::Lock;
use super::owner::Ownership;
use super::rows::column;
use rookery_table::ports::StoreError;

/// How long a call waits for a connection, including the time in which the server cannot be reached.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the first connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the attempt may take that finds out why there was no connection.
const DIAGNOSIS_TIMEOUT: Duration = Duration::from_secs(2);
/// Starts a transaction that sees, with each statement, what has been committed before.
const READ_COMMITTED: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";

/// A prepared statement with its parameters.
pub(crate) type Statement<'q> = Query<'q, Driver, PgArguments>;

/// A pool of connections to the server.
pub(crate) struct Connections {
    pool: PgPool,
    options: PgConnectOptions,
    /// `None` if nothing is written, and in tests of several processes.
    owner: Option<Arc<Ownership>>,
}

impl Connections {
    /// Creates a pool, which connects when it is first used. It writes only while the database is owned.
    pub(crate) fn to(options: PgConnectOptions, owner: Option<Arc<Ownership>>) -> Connections {
        Connections { owner, ..Connections::within(ACQUIRE_TIMEOUT, options) }
    }

    /// Creates a pool whose calls wait this long for a connection.
    pub(crate) fn within(acquire_timeout: Duration, options: PgConnectOptions) -> Connections {
        let pool = PgPoolOptions::new().max_connections(MAX_CONNECTIONS).acquire_timeout(acquire_timeout);
        Connections { pool: pool.connect_lazy_with(options.clone()), options, owner: None }
    }

    /// Returns all rows of a query.
    pub(super) async fn rows(&self, statement: Statement<'_>) -> Result<Vec<PgRow>, StoreError> {
        let mut connection = self.borrow().await?;
        let rows = limited(statement.fetch_all(connection.inner())).await.map_err(store_error)?;
        connection.give_back();
        Ok(rows)
    }

    /// Returns the first row of a query.
    pub(super) async fn row(&self, statement: Statement<'_>) -> Result<Option<PgRow>, StoreError> {
        let mut connection = self.borrow().await?;
        let row = limited(statement.fetch_optional(connection.inner())).await.map_err(store_error)?;
        connection.give_back();
        Ok(row)
    }

    /// Runs a writing statement in a transaction of its own; returns the number of rows that it changed. For the
    /// question who owns the database that takes two messages more than the statement alone, a fraction of the time
    /// that the disk needs.
    pub(super) async fn write(&self, statement: Statement<'_>) -> Result<u64, StoreError> {
        let mut transaction = self.begin().await?;
        let changed = transaction.write(statement).await?;
        transaction.commit().await?;
        Ok(changed)
    }

    /// Starts a write transaction. Each of its statements sees what others have committed before it began.
    ///
    /// # Errors
    /// If there is no connection, or another process owns the database by now.
    pub(crate) async fn begin(&self) -> Result<Transaction, StoreError> {
        let Some(owner) = &self.owner else { return self.begin_with(READ_COMMITTED).await };
        let number = owner.session_number();
        if let Some(transaction) = self.begin_as(owner, number).await? {
            return Ok(transaction);
        }
        owner.renew(number).await?;
        let transaction = self.begin_as(owner, owner.session_number()).await?;
        transaction.ok_or_else(|| {
            StoreError::Backend("the lock of the database was lost twice; the next write tries again".into())
        })
    }

    /// Starts a write transaction, unless the owner's session with this number has ended. Asking costs no time of its
    /// own: the question travels with the BEGIN.
    async fn begin_as(&self, owner: &Ownership, session: i32) -> Result<Option<Transaction>, StoreError> {
        let mut connection = self.borrow().await?;
        let sql = format!("{READ_COMMITTED}; {}", owner.question(session));
        let rows = limited(raw_sql(AssertSqlSafe(sql)).fetch_all(connection.inner())).await;
        let rows = rows.map_err(store_error)?;
        let owned = rows.last().map(|row| column(row, 0)).transpose()?.unwrap_or(false);
        Ok(owned.then_some(Transaction(connection)))
    }

    /// Makes sure that the database is still owned.
    ///
    /// # Errors
    /// If the server cannot be reached, or another process owns the database by now.
    pub(super) async fn keep_ownership(&self) -> Result<(), StoreError> {
        match &self.owner {
            Some(owner) => owner.keep().await,
            None => Ok(()),
        }
    }

    /// Starts a transaction that only reads, and whose statements all see the same state. It waits for no writer.
    pub(crate) async fn begin_snapshot(&self) -> Result<Transaction, StoreError> {
        self.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await
    }

    /// Returns the right to write to the database.
    ///
    /// # Errors
    /// If it was opened without it, in tests.
    pub(super) fn ownership(&self) -> Result<&Ownership, StoreError> {
        self.owner
            .as_deref()
            .ok_or_else(|| StoreError::Backend("the database was opened without a session".into()))
    }

    /// Returns the number of the session by which this process uses the database; 0 without one, in tests.
    pub(super) fn session_number(&self) -> i32 {
        self.owner.as_ref().map_or(0, |owner| owner.session_number())
    }

    /// Returns the options of new connections.
    pub(super) fn options(&self) -> &PgConnectOptions {
        &self.options
    }

    async fn begin_with(&self, sql: &'static str) -> Result<Transaction, StoreError> {
        let mut connection = self.borrow().await?;
        limited(connection.inner().execute(sql)).await.map_err(store_error)?;
        Ok(Transaction(connection))
    }

    async fn borrow(&self) -> Result<PooledConnection, StoreError> {
        match self.pool.acquire().await {
            Ok(connection) => Ok(PooledConnection(Some(connection))),
            Err(Error::PoolTimedOut) => Err(store_error(self.why_not_connected().await)),
            Err(error) => Err(store_error(error)),
        }
    }

    /// Returns why the pool got no connection in time, which it does not say itself.
    async fn why_not_connected(&self) -> Error {
        match tokio::time::timeout(DIAGNOSIS_TIMEOUT, self.options.connect()).await {
            // The server is there: all connections of the pool are in use.
            Ok(Ok(connection)) => connection.close().await.err().unwrap_or(Error::PoolTimedOut),
            Ok(Err(error)) => error,
            Err(_) => no_answer(DIAGNOSIS_TIMEOUT),
        }
    }

    /// Closes all connections once their current statements have ended, and then gives up the database.
    pub(crate) async fn close(&self) {
        self.pool.close().await;
        if let Some(owner) = &self.owner {
            owner.give_up().await;
        }
    }

    /// Returns the ownership of the database, for tests.
    #[cfg(test)]
    pub(crate) fn owner(&self) -> &Ownership {
        self.owner.as_deref().expect("it was opened as its owner")
    }

    /// Returns the pool, for tests.
    #[cfg(test)]
    pub(crate) fn pool(&self) -> &PgPool {
        &self.pool
    }
}

/// A connection in use. Dropping it closes the connection.
struct PooledConnection(Option<PoolConnection<Driver>>);

impl PooledConnection {
    fn inner(&mut self) -> &mut PgConnection {
        self.0.as_mut().expect("it is taken only when this is consumed")
    }

    /// Returns the connection to its pool after all its statements have succeeded.
    fn give_back(mut self) {
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

/// A transaction. Unless [`Transaction::commit`] succeeds, it is rolled back and its connection is closed.
pub(crate) struct Transaction(PooledConnection);

impl Transaction {
    /// Returns all rows of a query.
    pub(crate) async fn rows(&mut self, statement: Statement<'_>) -> Result<Vec<PgRow>, StoreError> {
        limited(statement.fetch_all(self.0.inner())).await.map_err(store_error)
    }

    /// Returns the first row of a query.
    pub(crate) async fn row(&mut self, statement: Statement<'_>) -> Result<Option<PgRow>, StoreError> {
        limited(statement.fetch_optional(self.0.inner())).await.map_err(store_error)
    }

    /// Runs a writing statement; returns the number of rows that it changed.
    pub(crate) async fn write(&mut self, statement: Statement<'_>) -> Result<u64, StoreError> {
        self.try_write(statement).await.map_err(store_error)
    }

    /// Runs a writing statement whose error the caller looks at.
    pub(super) async fn try_write(&mut self, statement: Statement<'_>) -> Result<u64, Error> {
        Ok(limited(statement.execute(self.0.inner())).await?.rows_affected())
    }

    /// Takes a lock until the transaction ends. Later statements see everything that its earlier holders have
    /// committed; a statement that both locked and read would read the state from before it waited.
    pub(crate) async fn lock(&mut self, lock: Lock) -> Result<(), StoreError> {
        self.row(lock.statement()).await.map(drop)
    }

    /// Commits the writes.
    ///
    /// # Errors
    /// If the server refuses the commit; the transaction is then rolled back. If the connection is lost during the
    /// commit, nobody knows whether it took place, and the error says so.
    pub(crate) async fn commit(mut self) -> Result<(), StoreError> {
        limited(self.0.inner().execute("COMMIT")).await.map_err(write_error)?;
        self.0.give_back();
        Ok(())
    }
}

/// Connects within a limited time.
pub(crate) async fn connect(options: PgConnectOptions) -> Result<PgConnection, StoreError> {
    let connected = tokio::time::timeout(CONNECT_TIMEOUT, options.connect()).await;
    connected.unwrap_or_else(|_| Err(no_answer(CONNECT_TIMEOUT))).map_err(store_error)
}
