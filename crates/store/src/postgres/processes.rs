//! The processes that use the database, and what each has claimed.
//!
//! A process writes a heartbeat every few seconds, by the server's clock. One that has been silent for too long, or
//! whose session is gone, is removed by the others: they end its session, so that it can write nothing more
//! ([`super::owner`]), and its tables of the outbox are free. What only one process does, and the gateway's shards, are
//! advisory locks of the session, and end with it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions, PgRow};
use sqlx::query;

use super::Postgres;
use super::change_notices::{CHANNEL, Untold};
use super::connections::{Statement, Transaction};
use super::errors::store_error;
use super::heads::Heads;
use super::locks::SESSION;
use super::owner::{END_SESSION, process_name, shown};
use super::rows::column;
use crate::rows::StoredRow;
use rookery_table::millis;
use rookery_table::ports::{AccessChange, Hint, LiveProcesses, ProcessInfo, StoreError, TableChange};
use rookery_table::{ChannelId, GuildId};

/// Tells that a process is alive.
pub(super) const PUT_PROCESS: &str = "INSERT INTO processes (process, session, name, gateway, thinks, seen_at) \
     VALUES ($1, $2, $3, $4, $5, now()) \
     ON CONFLICT (process) DO UPDATE SET session = excluded.session, gateway = excluded.gateway, \
         thinks = excluded.thinks, seen_at = excluded.seen_at";

/// The processes, and whether each has ended: silent for too long, or for a while and without its session.
pub(super) const PROCESSES: &str = "SELECT process, session, name, gateway, \
         seen_at < now() - interval '10 s' OR (seen_at < now() - interval '4 s' AND NOT EXISTS \
             (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 \
                  AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
                  AND classid = $1::bigint::oid AND objid = session::oid)), thinks \
     FROM processes";

/// The processes for people to read: name, whether it runs the gateway, and when it was seen.
pub(super) const SHOWN_PROCESSES: &str = "SELECT name, gateway, (extract(epoch FROM seen_at) * 1000)::bigint \
     FROM processes ORDER BY name";

/// Removes a process that has not shown itself since.
const REMOVE: &str = "DELETE FROM processes WHERE process = $1 AND seen_at < now() - interval '4 s'";
/// Frees the tables that a process has claimed.
pub(super) const FREE_LANES: &str =
    "UPDATE outbox_lanes SET process = NULL, was_abandoned = true, version = version + 1 WHERE process = $1";

/// The channel of the other hints. Earlier versions don't listen to it.
const HINTS: &str = "rookery_hints";

/// What this process is among those that use the database.
pub(super) struct Process {
    /// Its number, drawn when it opened the database.
    pub(super) number: i64,
    pub(super) runs_gateway: AtomicBool,
    /// Whether it does jobs of the queue.
    pub(super) thinks: AtomicBool,
    /// Its roles, for people to read.
    roles: Mutex<String>,
    /// The advisory locks of the session, by kind and number, each with the number of the session that has it.
    locks: Mutex<HashMap<(i32, i32), i32>>,
    /// The number of the session that the row of this process names; 0 before the first. Others remove the row with the
    /// session.
    recorded_session: AtomicI32,
    /// The server of the outbox that was claimed last.
    pub(super) last_server: AtomicI64,
    /// Milliseconds between moves where the bot plays alone.
    pub(super) exhibition_pace_ms: AtomicU64,
    pub(super) untold: Untold,
    pub(super) heads: Heads,
    listener: tokio::sync::Mutex<Option<PgListener>>,
}

impl Process {
    /// Draws a number for this process.
    pub(super) fn new() -> Result<Process, StoreError> {
        let number = getrandom::u64();
        let number = number.map_err(|error| StoreError::Backend(format!("no random number: {error}")))?;
        Ok(Process {
            number: number.cast_signed(),
            runs_gateway: AtomicBool::new(false),
            thinks: AtomicBool::new(false),
            roles: Mutex::default(),
            locks: Mutex::default(),
            recorded_session: AtomicI32::new(0),
            last_server: AtomicI64::new(i64::MIN),
            exhibition_pace_ms: AtomicU64::new(0),
            untold: Untold::default(),
            heads: Heads::default(),
            listener: tokio::sync::Mutex::default(),
        })
    }

    pub(super) fn set_roles(&self, roles: &str) {
        *self.roles.lock().unwrap_or_else(PoisonError::into_inner) = roles.to_owned();
    }

    /// Returns the name of this process for people, with its roles.
    fn shown_name(&self, options: &PgConnectOptions) -> String {
        let roles = self.roles.lock().unwrap_or_else(PoisonError::into_inner);
        let name = process_name(options);
        if roles.is_empty() { name } else { format!("{name} ({roles})") }
    }

    /// Returns the statement that tells the other processes to send no requests for a while.
    pub(super) fn pause_notice(&self, pause: Duration) -> Statement<'static> {
        let text = format!("pause {} {}", self.number, pause.as_millis());
        query("SELECT pg_notify($1, $2)").bind(HINTS).bind(text)
    }

    /// Returns the statement that tells the other processes that access has changed.
    pub(super) fn access_notice(&self, change: AccessChange) -> Statement<'static> {
        let channel = change.channel.map_or(0, |channel| channel.0);
        let text = format!("access {} {} {channel}", self.number, change.guild);
        query("SELECT pg_notify($1, $2)").bind(HINTS).bind(text)
    }

    fn locks(&self) -> MutexGuard<'_, HashMap<(i32, i32), i32>> {
        self.locks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A row of [`PROCESSES`].
struct KnownProcess {
    process: i64,
    session: i64,
    name: String,
    runs_gateway: bool,
    thinks: bool,
    has_ended: bool,
}

impl Postgres {
    /// Records that this process is alive, and removes those that are not; returns what the others do.
    pub(super) async fn record_heartbeat(&self) -> Result<LiveProcesses, StoreError> {
        self.connections.keep_ownership().await?;
        let own = &self.process;
        let mut transaction = self.connections.begin().await?;
        let session = self.connections.session_number();
        transaction.write(self.own_row(session)).await?;
        transaction.commit().await?;
        self.row_restored(session);
        let mut live = LiveProcesses::default();
        for row in self.connections.rows(query(PROCESSES).bind(shown(SESSION))).await? {
            let known = known_process(&row)?;
            if known.process != own.number && known.has_ended {
                self.remove_process(&known).await?;
            } else {
                live.gateways += usize::from(known.runs_gateway);
                live.thinkers += usize::from(known.thinks);
            }
        }
        Ok(live)
    }

    fn own_row(&self, session: i32) -> Statement<'static> {
        let own = &self.process;
        query(PUT_PROCESS)
            .bind(own.number)
            .bind(shown(session))
            .bind(own.shown_name(self.connections.options()))
            .bind(own.runs_gateway.load(Ordering::Relaxed))
            .bind(own.thinks.load(Ordering::Relaxed))
    }

    /// Whether the row of this process names its present session.
    pub(super) fn is_row_current(&self) -> bool {
        self.process.recorded_session.load(Ordering::Relaxed) == self.connections.session_number()
    }

    /// Puts the row of this process if others have removed it, before the process claims anything: without the row they
    /// would not free its claims if it crashed. Returns the session, to be noted after the commit.
    pub(super) async fn restore_row(&self, to: &mut Transaction) -> Result<i32, StoreError> {
        let session = self.connections.session_number();
        if !self.is_row_current() {
            to.write(self.own_row(session)).await?;
        }
        Ok(session)
    }

    /// Notes that the row of this process names a session.
    pub(super) fn row_restored(&self, session: i32) {
        self.process.recorded_session.store(session, Ordering::Relaxed);
    }

    /// Returns the processes for people to read.
    pub(super) async fn known_processes(&self) -> Result<Vec<ProcessInfo>, StoreError> {
        let read = |row: &PgRow| {
            let seen_at = millis::timestamp(row.integer(2)?);
            Ok(ProcessInfo { name: row.text(0)?.to_owned(), runs_gateway: column(row, 1)?, seen_at })
        };
        self.connections.rows(query(SHOWN_PROCESSES)).await?.iter().map(read).collect()
    }

    /// Removes a process that has ended, and frees what it had.
    async fn remove_process(&self, ended: &KnownProcess) -> Result<(), StoreError> {
        let mut transaction = self.connections.begin().await?;
        if transaction.write(query(REMOVE).bind(ended.process)).await? == 0 {
            return Ok(());
        }
        let session = query(END_SESSION).bind(shown(SESSION)).bind(ended.session);
        transaction.row(session).await?;
        let tables = transaction.write(query(FREE_LANES).bind(ended.process)).await?;
        transaction.commit().await?;
        tracing::warn!(
            process = ended.name,
            tables,
            "a process has ended unexpectedly; others take over its work"
        );
        Ok(())
    }

    /// Gives up what this process has claimed.
    pub(super) async fn leave(&self) -> Result<(), StoreError> {
        let mut transaction = self.connections.begin().await?;
        transaction.write(query(FREE_LANES).bind(self.process.number)).await?;
        transaction
            .write(query("DELETE FROM processes WHERE process = $1").bind(self.process.number))
            .await?;
        transaction.commit().await
    }

    /// Takes an advisory lock of the session, unless another process has it.
    pub(super) async fn take_lock(&self, kind: i32, number: i32) -> Result<bool, StoreError> {
        if self.has_lock(kind, number) {
            return Ok(true);
        }
        let statement = query("SELECT pg_try_advisory_lock($1, $2)").bind(kind).bind(number);
        let (session, row) = self.connections.ownership()?.row(statement).await?;
        let is_taken = row.as_ref().map(|row| column(row, 0)).transpose()?.unwrap_or(false);
        if is_taken {
            self.process.locks().insert((kind, number), session);
        }
        Ok(is_taken)
    }

    /// Whether this process has an advisory lock.
    pub(super) fn has_lock(&self, kind: i32, number: i32) -> bool {
        let session = self.connections.session_number();
        self.process.locks().get(&(kind, number)) == Some(&session)
    }

    pub(super) async fn release_lock(&self, kind: i32, number: i32) -> Result<(), StoreError> {
        let had = self.has_lock(kind, number);
        self.process.locks().remove(&(kind, number));
        if had {
            let statement = query("SELECT pg_advisory_unlock($1, $2)").bind(kind).bind(number);
            self.connections.ownership()?.row(statement).await?;
        }
        Ok(())
    }

    /// Waits for the next notification. After an error the next call connects again.
    pub(super) async fn next_notification(&self) -> Result<Hint, StoreError> {
        let mut listener = self.process.listener.lock().await;
        loop {
            let connected = match &mut *listener {
                Some(connected) => connected,
                none => none.insert(self.listen().await?),
            };
            match connected.try_recv().await {
                Ok(Some(heard)) => match hint(heard.channel(), heard.payload()) {
                    Some((from, _)) if from == Some(self.process.number) => {}
                    Some((_, hint)) => return Ok(hint),
                    None => tracing::warn!(text = heard.payload(), "a notification of another program"),
                },
                Ok(None) => return Err(StoreError::Backend("the connection for changes was cut".into())),
                Err(error) => {
                    *listener = None;
                    return Err(store_error(error));
                }
            }
        }
    }

    async fn listen(&self) -> Result<PgListener, StoreError> {
        let options = self.connections.options().clone();
        let pool = PgPoolOptions::new().max_connections(1).connect_lazy_with(options);
        let mut listener = PgListener::connect_with(&pool).await.map_err(store_error)?;
        listener.listen_all([CHANNEL, HINTS]).await.map_err(store_error)?;
        Ok(listener)
    }
}

fn known_process(row: &PgRow) -> Result<KnownProcess, StoreError> {
    Ok(KnownProcess {
        process: row.integer(0)?,
        session: row.integer(1)?,
        name: row.text(2)?.to_owned(),
        runs_gateway: column(row, 3)?,
        has_ended: column(row, 4)?,
        thinks: column(row, 5)?,
    })
}

/// Reads a hint, and the process that gives it if it is for the others only.
fn hint(channel: &str, text: &str) -> Option<(Option<i64>, Hint)> {
    if channel == CHANNEL {
        return change(text).map(|change| (None, Hint::Table(change)));
    }
    let words: Vec<&str> = text.split(' ').collect();
    let (process, hint) = match words[..] {
        ["pause", process, ms] => (process, Hint::RequestsPaused(Duration::from_millis(ms.parse().ok()?))),
        ["access", process, guild, channel] => {
            let channel = Some(channel.parse().ok()?).filter(|number| *number != 0).map(ChannelId);
            (process, Hint::AccessChanged(AccessChange { guild: GuildId(guild.parse().ok()?), channel }))
        }
        _ => return None,
    };
    Some((Some(process.parse().ok()?), hint))
}

fn change(text: &str) -> Option<TableChange> {
    let mut words = text.split(' ');
    let table = words.next()?.parse().ok()?;
    let sequence = words.next()?.parse().ok()?;
    let has_items = words.next()? == "1";
    words.next().is_none().then_some(TableChange { table, sequence, has_items })
}
