//! Connections to the server, discarded after any failure.
//!
//! A connection returns to its pool only after its statements have succeeded. After an error, or when the future that
//! uses it is dropped, it is closed, which makes the server roll back. A connection that was idle is tested before its
//! next use, so that the first call after a restart of the server gets a new one. No write is repeated here unless it says
//! that it may be ([`Connections::repeatable_write`]): otherwise the caller reads first what is stored.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgConnectOptions, PgConnection, PgPoolOptions, PgRow};
use sqlx::query::Query;
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection, Error, Execute, Executor, PgPool, Postgres as Driver, SqlStr,
    query_with, raw_sql,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::errors::{store_error, write_error};
use super::limits::{MAX_CONNECTIONS, limited, no_answer};
use super::locks::{Lock, table_lock};
use super::owner::Ownership;
use super::rows::column;
use rookery_table::TableId;
use rookery_table::ports::StoreError;

/// How long a call waits for a connection, including the time in which the server cannot be reached.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the first connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the attempt may take that finds out why there was no connection.
const DIAGNOSIS_TIMEOUT: Duration = Duration::from_secs(2);
/// A connection that was idle for longer is tested before its next use. Under load they wait a few milliseconds.
const UNTESTED_IDLE: Duration = Duration::from_millis(50);
/// How long every connection is tested after one has failed: the server may have restarted.
const TESTED_AFTER_FAILURE: Duration = Duration::from_secs(10);
/// Starts a transaction that sees, with each statement, what has been committed before.
const READ_COMMITTED: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";

/// A prepared statement with its parameters.
pub(crate) type Statement<'q> = Query<'q, Driver, PgArguments>;

/// A pool of connections to the server.
///
/// sqlx's pool opens and counts the connections. They don't go back to it after each use, because it would test them before
/// and after: at 200 moves a second that is most of the messages to the server.
pub(crate) struct Connections {
    pool: PgPool,
    idle: Arc<IdleConnections>,
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
        let pool = pool.connect_lazy_with(options.clone());
        Connections { pool, idle: Arc::new(IdleConnections::new(acquire_timeout)), options, owner: None }
    }

    /// Returns all rows of a query.
    pub(super) async fn rows(&self, statement: Statement<'_>) -> Result<Vec<PgRow>, StoreError> {
        let (rows, connection) = self.first(&FirstCall::rows(statement)?).await?;
        connection.give_back();
        Ok(rows)
    }

    /// Returns the first row of a query.
    pub(super) async fn row(&self, statement: Statement<'_>) -> Result<Option<PgRow>, StoreError> {
        let (rows, connection) = self.first(&FirstCall::row(statement)?).await?;
        connection.give_back();
        Ok(rows.into_iter().next())
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

    /// Runs a writing statement that is a transaction of its own, without the messages for its beginning and end; returns
    /// its rows. It must contain the condition [`Connections::owned`], so that it does nothing if this is not the case.
    ///
    /// # Errors
    /// Also if the connection is lost: whether the statement was carried out is then unknown.
    pub(super) async fn write_at_once(&self, statement: Statement<'_>) -> Result<Vec<PgRow>, StoreError> {
        let mut connection = self.borrow().await?;
        let rows = limited(statement.fetch_all(connection.inner())).await.map_err(write_error)?;
        connection.give_back();
        Ok(rows)
    }

    /// Like [`Connections::write_at_once`], for a statement that may be carried out twice: if the connection is lost, it is
    /// sent again.
    pub(super) async fn repeatable_write(&self, statement: Statement<'_>) -> Result<Vec<PgRow>, StoreError> {
        self.rows(statement).await
    }

    /// Returns the SQL of the condition that this process still owns the database. Until the end of the transaction a
    /// process that takes the database alone then waits.
    pub(super) fn owned(&self) -> String {
        let condition = |owner: &Arc<Ownership>| owner.condition(owner.session_number());
        self.owner.as_ref().map_or_else(|| "TRUE".to_owned(), condition)
    }

    /// Starts a write transaction. Each of its statements sees what others have committed before it began.
    ///
    /// # Errors
    /// If there is no connection, or another process owns the database by now.
    pub(crate) async fn begin(&self) -> Result<Transaction, StoreError> {
        self.begin_and("").await
    }

    /// Starts a write transaction that has the lock of a table. It travels with the BEGIN.
    ///
    /// # Errors
    /// Those of [`Connections::begin`].
    pub(super) async fn begin_at(&self, table: TableId) -> Result<Transaction, StoreError> {
        self.begin_and(&format!("; {}", table_lock(table))).await
    }

    async fn begin_and(&self, then: &str) -> Result<Transaction, StoreError> {
        let Some(owner) = &self.owner else {
            return self.begin_with(format!("{READ_COMMITTED}{then}")).await;
        };
        let number = owner.session_number();
        if let Some(transaction) = self.begin_as(owner, number, then).await? {
            return Ok(transaction);
        }
        owner.renew(number).await?;
        let transaction = self.begin_as(owner, owner.session_number(), then).await?;
        transaction.ok_or_else(|| {
            StoreError::Backend("the lock of the database was lost twice; the next write tries again".into())
        })
    }

    /// Starts a write transaction, unless the owner's session with this number has ended. Asking costs no time of its
    /// own: the question travels with the BEGIN, before what else does.
    async fn begin_as(
        &self,
        owner: &Ownership,
        session: i32,
        then: &str,
    ) -> Result<Option<Transaction>, StoreError> {
        let question = owner.condition(session);
        let begin = FirstCall::Plain(format!("{READ_COMMITTED}; SELECT {question}{then}"));
        let (rows, connection) = self.first(&begin).await?;
        let owned = rows.first().map(|row| column(row, 0)).transpose()?.unwrap_or(false);
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
        self.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY".to_owned()).await
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

    async fn begin_with(&self, sql: String) -> Result<Transaction, StoreError> {
        let (_, connection) = self.first(&FirstCall::Plain(sql)).await?;
        Ok(Transaction(connection))
    }

    /// Carries out the first call of a use, which may be carried out twice. It is repeated once if the connection was not
    /// tested and is lost.
    async fn first(&self, call: &FirstCall) -> Result<(Vec<PgRow>, PooledConnection), StoreError> {
        let mut connection = self.borrow().await?;
        let mut outcome = limited(call.send(connection.inner())).await;
        if !connection.is_tested && outcome.as_ref().is_err_and(is_lost) {
            drop(connection);
            connection = self.borrow().await?;
            outcome = limited(call.send(connection.inner())).await;
        }
        Ok((outcome.map_err(store_error)?, connection))
    }

    async fn borrow(&self) -> Result<PooledConnection, StoreError> {
        let idle = self.idle.clone();
        let permit = tokio::time::timeout(idle.acquire_timeout, idle.permits.clone().acquire_owned()).await;
        let permit = match permit {
            Ok(permit) => permit.map_err(|_| store_error(Error::PoolClosed))?,
            Err(_) => return Err(store_error(self.why_not_connected().await)),
        };
        let connection = match idle.take().await {
            Some(taken) => Ok(taken),
            None => self.pool.acquire().await.map(|connection| (connection, true)),
        };
        match connection {
            Ok((connection, is_tested)) => {
                Ok(PooledConnection { connection: Some(connection), is_tested, idle, _permit: permit })
            }
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
        self.idle.close().await;
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

/// The connections that wait for their next use.
struct IdleConnections {
    acquire_timeout: Duration,
    /// One for each connection that may be in use.
    permits: Arc<Semaphore>,
    /// Each with the moment since when it has been idle, the latest at the end.
    connections: Mutex<Vec<(PoolConnection<Driver>, Instant)>>,
    last_failure: Mutex<Option<Instant>>,
}

impl IdleConnections {
    fn new(acquire_timeout: Duration) -> IdleConnections {
        let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS as usize));
        IdleConnections {
            acquire_timeout,
            permits,
            connections: Mutex::default(),
            last_failure: Mutex::default(),
        }
    }

    fn connections(&self) -> MutexGuard<'_, Vec<(PoolConnection<Driver>, Instant)>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a connection, and says whether it was tested. One that was in use a moment ago probably works.
    async fn take(&self) -> Option<(PoolConnection<Driver>, bool)> {
        loop {
            let (mut connection, since) = self.connections().pop()?;
            if since.elapsed() < UNTESTED_IDLE && !self.has_failed_lately() {
                return Some((connection, false));
            }
            match tokio::time::timeout(self.acquire_timeout, connection.ping()).await {
                Ok(Ok(())) => return Some((connection, true)),
                Ok(Err(error)) => tracing::debug!(%error, "an idle connection to the database is lost"),
                Err(_) => tracing::debug!("the database doesn't answer on an idle connection"),
            }
            connection.close_on_drop();
        }
    }

    fn put(&self, connection: PoolConnection<Driver>) {
        self.connections().push((connection, Instant::now()));
    }

    fn has_failed_lately(&self) -> bool {
        let last = *self.last_failure.lock().unwrap_or_else(PoisonError::into_inner);
        last.is_some_and(|last| last.elapsed() < TESTED_AFTER_FAILURE)
    }

    fn note_failure(&self) {
        *self.last_failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Closes the connections once their current statements have ended.
    async fn close(&self) {
        let all = self.permits.acquire_many(MAX_CONNECTIONS).await;
        self.permits.close();
        drop(all);
        let connections = std::mem::take(&mut *self.connections());
        for (connection, _) in connections {
            if let Err(error) = connection.close().await {
                tracing::debug!(%error, "a connection to the database was lost before it was closed");
            }
        }
    }
}

impl Drop for IdleConnections {
    fn drop(&mut self) {
        // There may be no runtime any more, which a connection of the pool needs when it is dropped.
        for (connection, _) in std::mem::take(&mut *self.connections()) {
            drop(connection.leak());
        }
    }
}

/// A connection in use. Dropping it closes the connection.
struct PooledConnection {
    connection: Option<PoolConnection<Driver>>,
    is_tested: bool,
    idle: Arc<IdleConnections>,
    _permit: OwnedSemaphorePermit,
}

impl PooledConnection {
    fn inner(&mut self) -> &mut PgConnection {
        self.connection.as_mut().expect("it is taken only when this is consumed")
    }

    /// Returns the connection after all its statements have succeeded.
    fn give_back(mut self) {
        if let Some(connection) = self.connection.take() {
            self.idle.put(connection);
        }
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        if let Some(mut connection) = self.connection.take() {
            self.idle.note_failure();
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

/// A call that can be sent twice: nearly all change nothing.
enum FirstCall {
    /// A query for all of its rows, or for the first.
    Query { sql: SqlStr, arguments: PgArguments, all: bool },
    /// Statements without arguments.
    Plain(String),
}

impl FirstCall {
    fn rows(statement: Statement<'_>) -> Result<FirstCall, StoreError> {
        FirstCall::query(statement, true)
    }

    fn row(statement: Statement<'_>) -> Result<FirstCall, StoreError> {
        FirstCall::query(statement, false)
    }

    fn query(mut statement: Statement<'_>, all: bool) -> Result<FirstCall, StoreError> {
        let arguments = statement.take_arguments().map_err(|error| store_error(Error::Encode(error)))?;
        Ok(FirstCall::Query { sql: statement.sql(), arguments: arguments.unwrap_or_default(), all })
    }

    async fn send(&self, to: &mut PgConnection) -> Result<Vec<PgRow>, Error> {
        match self {
            FirstCall::Query { sql, arguments, all } => {
                let statement = query_with(sql.clone(), arguments.clone());
                match all {
                    true => statement.fetch_all(to).await,
                    false => statement.fetch_optional(to).await.map(|row| row.into_iter().collect()),
                }
            }
            FirstCall::Plain(sql) => raw_sql(AssertSqlSafe(sql.clone())).fetch_all(to).await,
        }
    }
}

/// Whether a call failed because the connection is lost, so that the server did nothing that lasts.
fn is_lost(error: &Error) -> bool {
    /// The server ends the connection: admin_shutdown and crash_shutdown
    /// (<https://www.postgresql.org/docs/15/errcodes-appendix.html>).
    const ENDED: [&str; 2] = ["57P01", "57P02"];
    match error {
        // After a timeout the server may still be at it.
        Error::Io(error) => error.kind() != io::ErrorKind::TimedOut,
        Error::Database(error) => error.code().is_some_and(|code| ENDED.contains(&&*code)),
        _ => false,
    }
}

/// Connects within a limited time.
pub(crate) async fn connect(options: PgConnectOptions) -> Result<PgConnection, StoreError> {
    let connected = tokio::time::timeout(CONNECT_TIMEOUT, options.connect()).await;
    connected.unwrap_or_else(|_| Err(no_answer(CONNECT_TIMEOUT))).map_err(store_error)
}
