//! The playground's database: every entity as a row of JSON in an SQLite file, every attachment as its bytes.
//!
//! Changes go to a writer task in order; it commits all pending ones in one transaction.
//! [`Persistence::flush`] waits for the commit, so that a change survives a kill once a client was answered.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Sqlite, Transaction};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::discord_state::model::Answer;
use super::discord_state::{DiscordState, Key};
use super::id::Id;
use super::task_runner::{TaskFuture, TaskRunner};

const SCHEMA: [&str; 2] = [
    "CREATE TABLE IF NOT EXISTS entity \
     (kind TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS file (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)",
];

/// The most changes in one transaction.
const MAX_BATCH: usize = 1_000;

/// The pause after a failed write.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// A job of the writer task.
enum WriteJob {
    Put { kind: &'static str, key: String, body: String },
    Delete { kind: &'static str, key: String },
    PutFile { id: Id, bytes: Arc<[u8]> },
    DeleteFile { id: Id },
    Flushed(oneshot::Sender<()>),
}

/// The open database and its writer task.
pub(crate) struct Persistence {
    pool: SqlitePool,
    work: mpsc::UnboundedSender<WriteJob>,
    /// While this guard exists, the writer restarts after a failure.
    _open: DropGuard,
}

/// The pending jobs of the writer; they survive its restart.
struct WriterQueue {
    incoming: mpsc::UnboundedReceiver<WriteJob>,
    /// Jobs received but not yet committed.
    taken: Vec<WriteJob>,
}

impl Persistence {
    /// Opens the file or creates it. Must be called within a Tokio runtime.
    ///
    /// # Errors
    /// If the file cannot be opened or is not a database.
    pub(crate) async fn open(path: &Path, tasks: &dyn TaskRunner) -> Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Normal);
        let pool = SqlitePoolOptions::new().max_connections(2).connect_with(options).await;
        let pool = pool.with_context(|| format!("can't open the playground's file {}", path.display()))?;
        for statement in SCHEMA {
            sqlx::query(statement).execute(&pool).await.context("can't create the playground's tables")?;
        }
        let (work, incoming) = mpsc::unbounded_channel();
        let queue = Arc::new(Mutex::new(WriterQueue { incoming, taken: Vec::new() }));
        let (stop, of) = (CancellationToken::new(), pool.clone());
        let start = move || -> TaskFuture { Box::pin(write_all(of.clone(), queue.clone())) };
        drop(tasks.supervise("playground file", stop.clone(), Box::new(start)));
        Ok(Self { pool, work, _open: stop.drop_guard() })
    }

    /// Reads everything into `discord_state`; returns false if there was nothing.
    ///
    /// # Errors
    /// If the file cannot be read or this version does not understand its contents.
    pub(crate) async fn load(&self, discord_state: &mut DiscordState) -> Result<bool> {
        for user in self.all::<super::discord_state::model::User>("user").await? {
            discord_state.users.insert(user.id, user);
        }
        for guild in self.all::<super::discord_state::model::Guild>("guild").await? {
            discord_state.guilds.insert(guild.id, guild);
        }
        for channel in self.all::<super::discord_state::model::Channel>("channel").await? {
            discord_state.channels.insert(channel.id, channel);
        }
        for message in self.all::<super::discord_state::model::Message>("message").await? {
            discord_state.messages.insert((message.channel_id, message.id), message);
        }
        for mut interaction in self.all::<super::discord_state::model::Interaction>("interaction").await? {
            // An interaction that was open when the playground stopped gets no answer any more.
            if interaction.answer == Answer::None {
                interaction.answer = Answer::Failed;
            }
            discord_state.interactions.insert(interaction.id, interaction);
        }
        for (id, command) in self.all::<(Id, serde_json::Value)>("command").await? {
            discord_state.commands.insert(id, command);
        }
        self.mark_ids_used(discord_state).await?;
        Ok(!discord_state.users.is_empty())
    }

    /// Marks all stored ids as used, so that no id is generated twice.
    async fn mark_ids_used(&self, discord_state: &mut DiscordState) -> Result<()> {
        let files: Option<i64> = sqlx::query_scalar("SELECT max(id) FROM file").fetch_one(&self.pool).await?;
        let last = |id: Option<&Id>| id.copied().unwrap_or(Id(0));
        let seen = [
            last(discord_state.users.keys().next_back()),
            last(discord_state.guilds.keys().next_back()),
            last(discord_state.channels.keys().next_back()),
            last(discord_state.messages.keys().map(|(_, id)| id).max()),
            last(discord_state.interactions.keys().next_back()),
            last(discord_state.commands.keys().next_back()),
            Id(files.and_then(|id| u64::try_from(id).ok()).unwrap_or(0)),
        ];
        seen.into_iter().for_each(|id| discord_state.ids.mark_used(id));
        Ok(())
    }

    async fn all<T: DeserializeOwned>(&self, kind: &str) -> Result<Vec<T>> {
        let rows = sqlx::query_scalar("SELECT body FROM entity WHERE kind = ?").bind(kind);
        let bodies: Vec<String> = rows.fetch_all(&self.pool).await?;
        let read = bodies.iter().map(|body| serde_json::from_str(body));
        read.collect::<Result<_, _>>()
            .with_context(|| format!("the playground's file has a {kind} that this version can't read"))
    }

    /// Returns an attachment's bytes.
    pub(crate) async fn file(&self, id: Id) -> Option<Arc<[u8]>> {
        let row = sqlx::query_scalar("SELECT bytes FROM file WHERE id = ?").bind(number(id));
        let bytes: Option<Vec<u8>> = row.fetch_optional(&self.pool).await.ok()?;
        bytes.map(Into::into)
    }

    /// Hands all touched entities to the writer. Attachments leave the memory of the model.
    pub(crate) fn write(&self, discord_state: &mut DiscordState, touched: &BTreeSet<Key>) {
        for key in touched {
            let work = match *key {
                Key::File(id) => match discord_state.files.remove(&id) {
                    Some(bytes) => WriteJob::PutFile { id, bytes },
                    None => WriteJob::DeleteFile { id },
                },
                Key::User(id) => entity("user", id.to_string(), discord_state.users.get(&id)),
                Key::Guild(id) => entity("guild", id.to_string(), discord_state.guilds.get(&id)),
                Key::Channel(id) => entity("channel", id.to_string(), discord_state.channels.get(&id)),
                Key::Message(channel, id) => {
                    entity("message", id.to_string(), discord_state.messages.get(&(channel, id)))
                }
                Key::Interaction(id) => {
                    entity("interaction", id.to_string(), discord_state.interactions.get(&id))
                }
                Key::Command(id) => {
                    let command = discord_state.commands.get(&id).map(|command| (id, command));
                    entity("command", id.to_string(), command.as_ref())
                }
            };
            self.send(work);
        }
    }

    /// Waits until everything handed over is committed.
    pub(crate) async fn flush(&self) {
        let (done, told) = oneshot::channel();
        self.send(WriteJob::Flushed(done));
        if told.await.is_err() {
            tracing::error!("the playground's writer has stopped, so changes are no longer saved");
        }
    }

    fn send(&self, work: WriteJob) {
        // The writer lives as long as `self`.
        let _ended = self.work.send(work);
    }
}

fn entity<T: Serialize>(kind: &'static str, key: String, present: Option<&T>) -> WriteJob {
    match present.map(serde_json::to_string) {
        Some(Ok(body)) => WriteJob::Put { kind, key, body },
        _ => WriteJob::Delete { kind, key },
    }
}

/// SQLite's integers are signed; snowflakes stay below 2^63 until the year 2084.
fn number(id: Id) -> i64 {
    i64::try_from(id.0).unwrap_or(i64::MAX)
}

/// Writes jobs as they arrive. After a failed write it pauses and tries again; tasks that wait in
/// [`Persistence::flush`] are released meanwhile.
async fn write_all(pool: SqlitePool, queue: Arc<Mutex<WriterQueue>>) {
    let mut queue = queue.lock().await;
    let WriterQueue { incoming, taken } = &mut *queue;
    while !taken.is_empty() || incoming.recv_many(taken, MAX_BATCH).await > 0 {
        match write_some(&pool, taken).await {
            Ok(()) => notify_flushed(taken.drain(..)),
            Err(error) => {
                tracing::error!(%error, "can't write the playground's file; trying again");
                taken.retain(|work| !matches!(work, WriteJob::Flushed(_)));
                tokio::time::sleep(RETRY_PAUSE).await;
            }
        }
    }
}

fn notify_flushed(done: impl Iterator<Item = WriteJob>) {
    for work in done {
        if let WriteJob::Flushed(done) = work {
            // The waiting task may have been dropped.
            let _gone = done.send(());
        }
    }
}

async fn write_some(pool: &SqlitePool, some: &[WriteJob]) -> sqlx::Result<()> {
    let mut transaction = pool.begin().await?;
    for work in some {
        write_one(&mut transaction, work).await?;
    }
    transaction.commit().await
}

async fn write_one(to: &mut Transaction<'_, Sqlite>, work: &WriteJob) -> sqlx::Result<()> {
    let query = match work {
        WriteJob::Put { kind, key, body } => {
            sqlx::query("INSERT OR REPLACE INTO entity (kind, key, body) VALUES (?, ?, ?)")
                .bind(*kind)
                .bind(key.clone())
                .bind(body.clone())
        }
        WriteJob::Delete { kind, key } => {
            sqlx::query("DELETE FROM entity WHERE kind = ? AND key = ?").bind(*kind).bind(key.clone())
        }
        WriteJob::PutFile { id, bytes } => {
            sqlx::query("INSERT OR REPLACE INTO file (id, bytes) VALUES (?, ?)")
                .bind(number(*id))
                .bind(bytes.to_vec())
        }
        WriteJob::DeleteFile { id } => sqlx::query("DELETE FROM file WHERE id = ?").bind(number(*id)),
        WriteJob::Flushed(_) => return Ok(()),
    };
    query.execute(&mut **to).await.map(|_| ())
}
