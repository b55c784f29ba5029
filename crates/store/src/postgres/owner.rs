//! The right of a process to write to a database: an advisory lock of a session that lives as long as the journal. It
//! ends with the session, so that a process that crashed blocks nobody. Bots share the lock; a command that replaces or
//! reads the whole database at rest has it alone.
//!
//! The session may end while the process goes on: the server restarts, the connection is cut, or another process ends
//! it because this one has been silent for too long ([`super::processes`]). Then others may take over what this process
//! has before it knows. Therefore every write asks first whether the session is still there, in the same message as its
//! BEGIN, so that it costs nothing: the session has a second lock, whose number is drawn for it, and while it lives
//! nobody else can share that lock. If it has ended, the lock is taken again on a new session; if a process has it
//! alone, the write fails. A process that had it in between may have written: the next append to a table that has moved
//! on is then a conflict, as always.
//!
//! A write that asked in time may still be running when another process takes the lock alone. All writes share one
//! lock, for which that process waits once: after that no such write is left, and what it reads stays true. A bot waits
//! likewise for the writes of a process that had the lock alone.

use std::fmt;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgRow};
use sqlx::{Connection, Error, query};
use tokio::sync::Mutex;

use super::connections::{Statement, connect};
use super::errors::store_error;
use super::limits::{limited, no_answer};
use super::locks::{EXCLUSIVE_WRITERS, KINDS, OWNER, SESSION, WRITERS};
use super::rows::column;
use crate::host_name::host_name;
use crate::rows::{StoredRow, moment};
use rookery_table::ports::StoreError;

/// How often the lock is tried, and how long the pauses are. The server needs a moment to notice that a process that
/// was killed is gone.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(50);

/// What an error says about a session that has ended.
const LOST: &str = "the connection that owns the database was lost";

/// How long the session may take to answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// How a process takes the lock of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LockMode {
    /// Beside others that share it.
    Shared,
    /// Alone.
    Exclusive,
}

/// Who has the lock, since when in milliseconds since 1970, and whether it is the session of a given number. One of
/// several, the oldest.
const HOLDER: &str = "SELECT held.pid, activity.application_name, \
         CASE activity.client_port WHEN -1 THEN 'the server''s own machine' ELSE host(activity.client_addr) END, \
         (extract(epoch FROM activity.backend_start) * 1000)::bigint, \
         EXISTS (SELECT FROM pg_locks ours WHERE ours.locktype = 'advisory' AND ours.database = held.database \
                 AND ours.pid = held.pid AND ours.classid = $3::bigint::oid AND ours.objid = $4::bigint::oid) \
     FROM pg_locks held LEFT JOIN pg_stat_activity activity ON activity.pid = held.pid \
     WHERE held.locktype = 'advisory' AND held.granted AND held.objsubid = 2 \
         AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
         AND held.classid = $1::bigint::oid AND held.objid = $2::bigint::oid AND held.pid <> pg_backend_pid() \
     ORDER BY activity.backend_start LIMIT 1";

/// Ends the session of a number, if the server still has it.
pub(super) const END_SESSION: &str = "SELECT pg_terminate_backend(pid) FROM pg_locks \
     WHERE locktype = 'advisory' AND granted AND objsubid = 2 \
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
         AND classid = $1::bigint::oid AND objid = $2::bigint::oid";

/// The right of this process to write to a database.
pub(crate) struct Ownership {
    options: PgConnectOptions,
    mode: LockMode,
    /// The number of the present session, or of the last one if it has ended.
    number: AtomicI32,
    session: Mutex<Session>,
}

enum Session {
    Open(PgConnection),
    Lost,
    GivenUp,
}

impl Ownership {
    /// Acquires the right to write to a database.
    ///
    /// # Errors
    /// If another process is in the way (the message names that one), or the server cannot be reached or refuses the
    /// user.
    pub(crate) async fn take(options: &PgConnectOptions, mode: LockMode) -> Result<Ownership, StoreError> {
        let options = session_options(options);
        let (connection, number) = lock(&options, mode, None).await?.map_err(|other| {
            StoreError::Backend(match mode {
                LockMode::Exclusive => {
                    format!("it is in use by {other}. Stop that one first, and every other bot on it")
                }
                LockMode::Shared => {
                    format!("it is in use by {other}, which needs it alone. Wait until that one has ended")
                }
            })
        })?;
        let session = Mutex::new(Session::Open(connection));
        Ok(Ownership { options, mode, number: AtomicI32::new(number), session })
    }

    /// Returns the number of the present session.
    pub(super) fn session_number(&self) -> i32 {
        self.number.load(Ordering::Acquire)
    }

    /// Returns the SQL of the condition that the session of this number is still there. Until the end of the transaction a
    /// process that takes the lock alone then waits.
    pub(super) fn condition(&self, session: i32) -> String {
        let writers = writers(self.mode);
        // CASE keeps the order: the answer must be of a moment at which a new owner would already wait.
        format!(
            "(SELECT CASE WHEN pg_advisory_xact_lock_shared({KINDS}, {writers}) IS NOT NULL \
             THEN NOT pg_try_advisory_xact_lock_shared({SESSION}, {session}) END)"
        )
    }

    /// Takes the lock again after the session of this number has ended.
    ///
    /// # Errors
    /// If another process has it by now, or the server cannot be reached.
    pub(super) async fn renew(&self, lost: i32) -> Result<(), StoreError> {
        let mut session = self.session.lock().await;
        // Several writes may have noticed it; the first has taken the lock again.
        if self.session_number() != lost {
            return Ok(());
        }
        self.take_again(&mut session).await
    }

    /// Makes sure that the session is there, and takes the lock again if it is not.
    ///
    /// # Errors
    /// If another process has it by now, or the server cannot be reached.
    pub(super) async fn keep(&self) -> Result<(), StoreError> {
        let mut session = self.session.lock().await;
        if let Session::Open(connection) = &mut *session {
            match tokio::time::timeout(ANSWER_TIMEOUT, connection.ping()).await {
                Ok(Ok(())) => return Ok(()),
                Ok(Err(why)) => tracing::warn!(%why, "{LOST}"),
                Err(_) => tracing::warn!(why = %no_answer(ANSWER_TIMEOUT), "{LOST}"),
            }
        }
        self.take_again(&mut session).await
    }

    /// Runs a statement on the session, and returns its first row with the session's number. What the session has
    /// locked stays locked while that is the number of the present session.
    ///
    /// # Errors
    /// If the session has ended, or the statement fails; the next [`Ownership::keep`] then looks after it.
    pub(super) async fn row(&self, statement: Statement<'_>) -> Result<(i32, Option<PgRow>), StoreError> {
        let mut session = self.session.lock().await;
        let Session::Open(connection) = &mut *session else {
            return Err(StoreError::Backend(LOST.into()));
        };
        let row = tokio::time::timeout(ANSWER_TIMEOUT, statement.fetch_optional(connection)).await;
        let row = row.unwrap_or_else(|_| Err(no_answer(ANSWER_TIMEOUT))).map_err(store_error);
        if row.is_err() {
            // An answer that comes late must not be taken for that of the next statement.
            *session = Session::Lost;
        }
        Ok((self.session_number(), row?))
    }

    async fn take_again(&self, session: &mut Session) -> Result<(), StoreError> {
        if matches!(session, Session::GivenUp) {
            return Err(store_error(Error::PoolClosed));
        }
        *session = Session::Lost;
        let taken = lock(&self.options, self.mode, Some(self.session_number())).await?;
        let (connection, number) = taken.map_err(|other| {
            StoreError::Backend(format!(
                "{LOST}, and the database is now in use by {other}. This process writes nothing more to it: stop one \
                 of the two"
            ))
        })?;
        *session = Session::Open(connection);
        self.number.store(number, Ordering::Release);
        tracing::warn!("the lock of the database was lost with its connection, and is taken again");
        Ok(())
    }

    /// Gives the database free for another process.
    pub(crate) async fn give_up(&self) {
        let session = std::mem::replace(&mut *self.session.lock().await, Session::GivenUp);
        if let Session::Open(mut connection) = session {
            // The server may notice later that the connection is closed. If this fails, it has ended already.
            let _ = limited(query("SELECT pg_advisory_unlock_all()").execute(&mut connection)).await;
            let _ = connection.close().await;
        }
    }

    /// Returns the session's connection, as if only this process had lost it, for tests.
    #[cfg(test)]
    pub(crate) async fn lose_session(&self) -> PgConnection {
        match std::mem::replace(&mut *self.session.lock().await, Session::Lost) {
            Session::Open(connection) => connection,
            Session::Lost | Session::GivenUp => panic!("there is no session"),
        }
    }
}

/// Returns the name under which the server shows this process.
pub(super) fn process_name(options: &PgConnectOptions) -> String {
    let program = options.get_application_name().unwrap_or("rookery");
    format!("{program}, process {} on {}", std::process::id(), host_name())
}

/// Adds the settings of the session: a name by which others find this process, and no end while it is idle. The server
/// asks after a few seconds of silence whether the connection is still there, so that others take over from a machine
/// that has vanished.
fn session_options(options: &PgConnectOptions) -> PgConnectOptions {
    options.clone().application_name(&process_name(options)).options([
        ("idle_session_timeout", "0"),
        ("tcp_keepalives_idle", "5"),
        ("tcp_keepalives_interval", "2"),
        ("tcp_keepalives_count", "3"),
        ("tcp_user_timeout", "10000"),
    ])
}

/// Returns the kind of the lock that the writes of a mode share.
fn writers(mode: LockMode) -> i32 {
    match mode {
        LockMode::Shared => WRITERS,
        LockMode::Exclusive => EXCLUSIVE_WRITERS,
    }
}

/// Connects and takes the lock; returns the session and its number, or who has the lock. A session of an earlier number
/// is our own, and is ended: the server may not have noticed that its connection is gone.
async fn lock(
    options: &PgConnectOptions,
    mode: LockMode,
    earlier: Option<i32>,
) -> Result<Result<(PgConnection, i32), Holder>, StoreError> {
    let mut session = connect(options.clone()).await?;
    if let Some(earlier) = earlier {
        let end = query(END_SESSION).bind(shown(SESSION)).bind(shown(earlier));
        limited(end.fetch_optional(&mut session)).await.map_err(store_error)?;
    }
    let mut tries = 0;
    while !is_locked(&mut session, mode).await? {
        tries += 1;
        // Without a holder the lock was given free just now.
        let holder = holder(&mut session, earlier).await?.unwrap_or_default();
        let is_taken = earlier.is_some() && holder.process != 0 && !holder.is_ours;
        if is_taken || tries >= TRIES {
            return Ok(Err(holder));
        }
        tokio::time::sleep(PAUSE).await;
    }
    let number = draw()?;
    let mut statements = vec![format!("SELECT pg_advisory_lock({SESSION}, {number})")];
    // Writes that others have begun, and that must not run beside this process, end first.
    for earlier in match mode {
        LockMode::Shared => &[EXCLUSIVE_WRITERS][..],
        LockMode::Exclusive => &[EXCLUSIVE_WRITERS, WRITERS],
    } {
        statements.push(format!("SELECT pg_advisory_lock({KINDS}, {earlier})"));
        statements.push(format!("SELECT pg_advisory_unlock({KINDS}, {earlier})"));
    }
    for sql in statements {
        limited(query(sqlx::AssertSqlSafe(sql)).execute(&mut session)).await.map_err(store_error)?;
    }
    Ok(Ok((session, number)))
}

async fn is_locked(session: &mut PgConnection, mode: LockMode) -> Result<bool, StoreError> {
    let sql = match mode {
        LockMode::Shared => "SELECT pg_try_advisory_lock_shared($1, $2)",
        LockMode::Exclusive => "SELECT pg_try_advisory_lock($1, $2)",
    };
    let row = query(sql).bind(KINDS).bind(OWNER);
    let row = limited(row.fetch_one(session)).await.map_err(store_error)?;
    column(&row, 0)
}

/// Returns the number of a lock as the server shows it: without a sign.
pub(super) fn shown(number: i32) -> i64 {
    i64::from(number.cast_unsigned())
}

/// Returns a number that no other session has.
fn draw() -> Result<i32, StoreError> {
    let number = getrandom::u32();
    number.map(u32::cast_signed).map_err(|error| StoreError::Backend(format!("no random number: {error}")))
}

/// The session that has the owner's lock; its process is 0 if it has just ended.
#[derive(Debug, Default)]
struct Holder {
    process: i32,
    // The server may not tell these of another user's session.
    name: Option<String>,
    host: Option<String>,
    since: Option<Timestamp>,
    is_ours: bool,
}

async fn holder(session: &mut PgConnection, earlier: Option<i32>) -> Result<Option<Holder>, StoreError> {
    let row = query(HOLDER).bind(shown(KINDS)).bind(shown(OWNER)).bind(shown(SESSION));
    let row = row.bind(earlier.map(shown)).fetch_optional(session);
    let read = |row: PgRow| {
        Ok(Holder {
            process: column(&row, 0)?,
            name: row.optional_text(1)?.filter(|name| !name.is_empty()).map(str::to_owned),
            host: row.optional_text(2)?.map(str::to_owned),
            since: row.optional_integer(3)?.map(|_| moment(&row, 3)).transpose()?,
            is_ours: column(&row, 4)?,
        })
    };
    limited(row).await.map_err(store_error)?.map(read).transpose()
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}")?,
            None => write!(f, "another process")?,
        }
        if let Some(host) = &self.host {
            write!(f, ", connected from {host}")?;
        }
        match self.since {
            Some(since) => write!(f, " since {}", since.strftime("%Y-%m-%d %H:%M:%S UTC")),
            None => Ok(()),
        }
    }
}
