//! The journal in an embedded SQLite file.
//!
//! One connection writes, a few read. `journal_mode=WAL` lets both go on at once;
//! `synchronous=FULL` means that what was answered for is on the medium, whatever pulls the plug.

mod lists;
mod outbox;
mod preferences;
mod privacy;
mod ratings;

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteRow, SqliteSynchronous,
};
use sqlx::{Row, Sqlite as Driver, SqliteConnection, SqlitePool, Transaction};

use super::most;
use crate::kit::player::Level;
use crate::table::moderation::ModerationStore;
use crate::table::ports::{
    Batch, Card, Due, DueTable, Entry, Fate, Filter, Follows, Job, Journal, JournalError, OpenTables, Posted,
    Preferences, Privacy, Ratings, ShareLinks,
};
use crate::table::seal::{self, Chain, Link};
use crate::table::{Say, TableId};

/// Steps of the schema; a file says in `user_version` how many it has taken.
const SCHEMA: [&str; 15] = [
    include_str!("schema/sqlite/1.sql"),
    include_str!("schema/sqlite/2.sql"),
    include_str!("schema/sqlite/3.sql"),
    include_str!("schema/sqlite/4.sql"),
    include_str!("schema/sqlite/5.sql"),
    include_str!("schema/sqlite/6.sql"),
    include_str!("schema/sqlite/7.sql"),
    include_str!("schema/sqlite/8.sql"),
    include_str!("schema/sqlite/9.sql"),
    include_str!("schema/sqlite/10.sql"),
    include_str!("schema/sqlite/11.sql"),
    include_str!("schema/sqlite/12.sql"),
    include_str!("schema/sqlite/13.sql"),
    include_str!("schema/sqlite/14.sql"),
    include_str!("schema/sqlite/15.sql"),
];

/// How long one writer waits for another process before it gives up.
const BUSY: Duration = Duration::from_secs(5);

/// Readers beside the one writer.
const READERS: u32 = 4;

/// A journal in a file.
pub struct Sqlite {
    writer: SqlitePool,
    readers: SqlitePool,
}

impl Sqlite {
    /// Opens the file, making it if there is none, and brings its schema up to date.
    ///
    /// # Errors
    /// If the file cannot be opened or written, is no database, or was made by a newer version.
    pub async fn open(path: &Path) -> Result<Sqlite, JournalError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            // What is deleted is overwritten: people have their names taken out.
            .pragma("secure_delete", "ON")
            .busy_timeout(BUSY);
        let writer = SqlitePoolOptions::new().max_connections(1).connect_with(options.clone()).await;
        let writer = writer.map_err(|error| opening(path, &error))?;
        migrate(&writer).await?;
        let readers =
            SqlitePoolOptions::new().max_connections(READERS).connect_with(options.read_only(true)).await;
        Ok(Sqlite { writer, readers: readers.map_err(|error| opening(path, &error))? })
    }

    /// The one connection that writes.
    pub(super) fn writer(&self) -> &SqlitePool {
        &self.writer
    }

    /// Those that read.
    pub(super) fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// Rows of the outbox. One that cannot be read is given up: it would be read again for ever, and stand in the
    /// way of what is after it.
    async fn read_rows(&self, rows: &[SqliteRow]) -> Result<Vec<Due>, JournalError> {
        let mut due = Vec::new();
        for row in rows {
            match read_due(row) {
                Ok(read) => due.push(read),
                Err(error) => {
                    tracing::error!(%error, "a row of the outbox cannot be read; given up");
                    self.unsaid(row.get(0), &error.to_string(), Fate::GivenUp).await?;
                }
            }
        }
        Ok(due)
    }

    /// Lets go of the file once what is being written is written.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

fn opening(path: &Path, error: &sqlx::Error) -> JournalError {
    JournalError::Medium(format!(
        "the journal {} cannot be opened: {error}; store.path says where it is, and its folder must be there and be ours to write in",
        path.display()
    ))
}

async fn migrate(pool: &SqlitePool) -> Result<(), JournalError> {
    let version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(pool).await?;
    let taken = usize::try_from(version).unwrap_or_default();
    if taken > SCHEMA.len() {
        let why =
            format!("the journal has schema {taken}, this program knows {}: use a newer one", SCHEMA.len());
        return Err(JournalError::Medium(why));
    }
    for (step, sql) in SCHEMA.iter().enumerate().skip(taken) {
        let mut transaction = pool.begin().await?;
        sqlx::raw_sql(*sql).execute(&mut *transaction).await?;
        let mark = format!("PRAGMA user_version = {}", step + 1);
        sqlx::raw_sql(sqlx::AssertSqlSafe(mark)).execute(&mut *transaction).await?;
        transaction.commit().await?;
    }
    Ok(())
}

impl From<sqlx::Error> for JournalError {
    fn from(error: sqlx::Error) -> JournalError {
        JournalError::Medium(error.to_string())
    }
}

/// Snowflakes and seeds have 64 bits without sign, SQLite's numbers have one: the bits are kept.
pub(super) fn bits(n: u64) -> i64 {
    n.cast_signed()
}

fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("words of the table have string keys and no odd numbers")
}

#[async_trait]
impl Journal for Sqlite {
    async fn append(&self, batch: &Batch) -> Result<(), JournalError> {
        // Read and written in one hold of the file: a seal follows on the one before.
        let mut transaction = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        let before = last_seal(&mut transaction, batch.table).await?;
        if before.is_none() && privacy::is_erased(&mut transaction, batch.table).await? {
            return Err(JournalError::Conflict(batch.table));
        }
        let entries = privacy::hidden(&mut transaction, batch.table, &batch.entries).await?;
        let links = seal::seal(batch.table, &entries, before.clone());
        for link in &links {
            insert_link(&mut transaction, batch.table, link).await?;
        }
        let head = links.last().map_or(before, |last| last.seal.clone());
        put_card(&mut transaction, &batch.card, head).await?;
        for say in &batch.says {
            let sql = "INSERT INTO outbox (table_id, key, say, due_since_ms) VALUES (?, ?, ?, ?)";
            let row = sqlx::query(sql).bind(batch.table.as_str().to_owned()).bind(say.key()).bind(json(say));
            row.bind(batch.at_ms()).execute(&mut *transaction).await?;
        }
        put_job(&mut transaction, batch).await?;
        ratings::insert(&mut transaction, batch).await?;
        transaction.commit().await?;
        Ok(())
    }

    async fn load(&self, table: TableId) -> Result<Vec<Entry>, JournalError> {
        let read = |link: &Link| {
            let sequence = link.sequence;
            link.entry().map_err(|error| JournalError::Unreadable { table, sequence, why: error.to_string() })
        };
        let links = links(&self.readers, table).await?;
        let mut entries = links.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        privacy::stand_ins(&mut *self.readers.acquire().await?, table).await?.reveal(&mut entries);
        Ok(entries)
    }

    async fn chain(&self, table: TableId) -> Result<Chain, JournalError> {
        let links = links(&self.readers, table).await?;
        let row = sqlx::query_scalar("SELECT head FROM cards WHERE table_id = ?");
        let head = row.bind(table.as_str().to_owned()).fetch_optional(&self.readers).await?;
        Ok(Chain { links, head: head.flatten() })
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Card>, JournalError> {
        let rows = lists::listing(filter).build().fetch_all(&self.readers).await?;
        let fits = |card: &Card| filter.person.is_none_or(|who| card.has(who));
        Ok(rows.iter().filter_map(|row| readable(read_card(row))).filter(fits).take(most(filter)).collect())
    }

    async fn count_open(&self, which: OpenTables, most: usize) -> Result<usize, JournalError> {
        let (sql, id) = match which {
            OpenTables::HostedBy(who) => (lists::OPEN_BY_HOST, who.0),
            OpenTables::WaitingFor(who) => (lists::WAITING_BY_HOST, who.0),
            OpenTables::OnServer(guild) => (lists::OPEN_ON_SERVER, guild),
        };
        let row = sqlx::query_scalar(sql).bind(bits(id)).bind(i64::try_from(most).unwrap_or(i64::MAX));
        let count: i64 = row.fetch_one(&self.readers).await?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    async fn servers_playing(&self) -> Result<Vec<u64>, JournalError> {
        let mut guilds: Vec<u64> = sqlx::query(lists::PLAYING)
            .fetch_all(&self.readers)
            .await?
            .iter()
            .map(|row| unsigned(row, 0))
            .collect();
        guilds.sort_unstable();
        Ok(guilds)
    }

    async fn moments(&self, until_ms: i64) -> Result<Vec<(TableId, i64)>, JournalError> {
        let rows = sqlx::query(lists::MOMENTS).bind(until_ms).fetch_all(&self.readers).await?;
        rows.iter().map(|row| Ok((table_id(row, 0)?, row.get(1)))).collect()
    }

    async fn owing_proof(&self) -> Result<Vec<(TableId, usize)>, JournalError> {
        let rows = sqlx::query(lists::OWING_PROOF).fetch_all(&self.readers).await?;
        rows.iter().map(|row| Ok((table_id(row, 0)?, unsigned(row, 1) as usize))).collect()
    }

    async fn due(&self, after: i64, most: usize) -> Result<Vec<Due>, JournalError> {
        let sql =
            "SELECT id, table_id, say, tries FROM outbox WHERE state = 0 AND id > ? ORDER BY id LIMIT ?";
        let rows = sqlx::query(sql).bind(after).bind(most as i64).fetch_all(&self.readers).await?;
        self.read_rows(&rows).await
    }

    async fn oldest_due_ms(&self) -> Result<Option<i64>, JournalError> {
        Ok(sqlx::query_scalar(lists::OLDEST_DUE).fetch_one(&self.readers).await?)
    }

    async fn due_tables(&self, after: i64, most: usize) -> Result<Vec<DueTable>, JournalError> {
        outbox::due_tables(&self.readers, after, most).await
    }

    async fn last_row(&self) -> Result<i64, JournalError> {
        outbox::last_row(&self.readers).await
    }

    async fn due_at(&self, table: TableId, most: usize) -> Result<Vec<Due>, JournalError> {
        self.read_rows(&outbox::due_at(&self.readers, table, most).await?).await
    }

    async fn said(&self, id: i64, posted: Option<Posted>) -> Result<(), JournalError> {
        let sql = "UPDATE outbox SET state = 1, channel = ?, message = ? WHERE id = ?";
        let row = sqlx::query(sql)
            .bind(posted.map(|posted| bits(posted.channel)))
            .bind(posted.map(|posted| bits(posted.message)))
            .bind(id);
        row.execute(&self.writer).await?;
        Ok(())
    }

    async fn unsaid(&self, id: i64, why: &str, fate: Fate) -> Result<(), JournalError> {
        let sql = "UPDATE outbox SET tries = tries + 1, why = ?, state = ? WHERE id = ?";
        let state = match fate {
            Fate::Later => 0,
            Fate::GivenUp => 2,
            Fate::Barred => 3,
        };
        sqlx::query(sql).bind(why.to_owned()).bind(state).bind(id).execute(&self.writer).await?;
        Ok(())
    }

    async fn resay(&self, id: i64, now_ms: i64) -> Result<(), JournalError> {
        let sql = "UPDATE outbox SET state = 0, due_since_ms = ? WHERE id = ? AND state = 3";
        sqlx::query(sql).bind(now_ms).bind(id).execute(&self.writer).await?;
        Ok(())
    }

    async fn barred(&self) -> Result<Vec<Due>, JournalError> {
        let sql = "SELECT id, table_id, say, tries FROM outbox WHERE state = 3 ORDER BY id";
        let rows = sqlx::query(sql).fetch_all(&self.readers).await?;
        self.read_rows(&rows).await
    }

    async fn posted(&self, table: TableId, say: &Say) -> Result<Option<Posted>, JournalError> {
        let sql = "SELECT channel, message FROM outbox \
             WHERE table_id = ? AND key = ? AND message IS NOT NULL ORDER BY id DESC LIMIT 1";
        let row = sqlx::query(sql).bind(table.as_str().to_owned()).bind(say.key());
        let row = row.fetch_optional(&self.readers).await?;
        Ok(row.map(|row| Posted { table, channel: unsigned(&row, 0), message: unsigned(&row, 1) }))
    }

    async fn message_before(&self, table: TableId, row: i64) -> Result<Option<u64>, JournalError> {
        outbox::message_before(&self.readers, table, row).await
    }

    async fn latest(&self, table: TableId, say: &Say) -> Result<Option<(i64, bool)>, JournalError> {
        let sql = "SELECT id, message IS NOT NULL FROM outbox \
             WHERE table_id = ? AND key = ? ORDER BY id DESC LIMIT 1";
        let row = sqlx::query_as(sql).bind(table.as_str().to_owned()).bind(say.key());
        Ok(row.fetch_optional(&self.readers).await?)
    }

    async fn table_of(&self, message: u64) -> Result<Option<TableId>, JournalError> {
        let sql = "SELECT table_id FROM outbox WHERE message = ? LIMIT 1";
        let row = sqlx::query(sql).bind(bits(message)).fetch_optional(&self.readers).await?;
        row.map(|row| table_id(&row, 0)).transpose()
    }

    async fn said_as(&self, message: u64) -> Result<Option<(TableId, Say)>, JournalError> {
        let sql = "SELECT table_id, say FROM outbox WHERE message = ? LIMIT 1";
        let row = sqlx::query(sql).bind(bits(message)).fetch_optional(&self.readers).await?;
        let Some(row) = row else { return Ok(None) };
        let say = serde_json::from_str(row.get(1));
        Ok(Some((table_id(&row, 0)?, say.map_err(|error| JournalError::Medium(error.to_string()))?)))
    }

    async fn jobs(&self) -> Result<Vec<Job>, JournalError> {
        let sql = "SELECT table_id, ply, level, seed FROM jobs";
        let rows = sqlx::query(sql).fetch_all(&self.readers).await?;
        Ok(rows.iter().filter_map(|row| readable(read_job(row))).collect())
    }

    async fn note(&self, key: &str) -> Result<Option<String>, JournalError> {
        let sql = "SELECT value FROM notes WHERE key = ?";
        Ok(sqlx::query_scalar(sql).bind(key.to_owned()).fetch_optional(&self.readers).await?)
    }

    async fn keep_note(&self, key: &str, value: &str) -> Result<(), JournalError> {
        let sql = "INSERT INTO notes VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        sqlx::query(sql).bind(key.to_owned()).bind(value.to_owned()).execute(&self.writer).await?;
        Ok(())
    }

    async fn probe(&self) -> Result<(), JournalError> {
        // Committed, since a rollback would never reach the medium; with pages of its own, since a row that is
        // merely changed needs no room.
        let mut transaction = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        let sql = "INSERT INTO probe VALUES (1, 1, zeroblob(16384)) \
             ON CONFLICT (id) DO UPDATE SET probes = probes + 1, room = excluded.room";
        sqlx::query(sql).execute(&mut *transaction).await?;
        sqlx::query("UPDATE probe SET room = NULL").execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    fn follows(&self) -> &dyn Follows {
        self
    }

    fn preferences(&self) -> &dyn Preferences {
        self
    }

    fn share_links(&self) -> &dyn ShareLinks {
        self
    }

    fn ratings(&self) -> &dyn Ratings {
        self
    }

    fn privacy(&self) -> &dyn Privacy {
        self
    }

    fn moderation(&self) -> &dyn ModerationStore {
        self
    }
}

async fn insert_link(to: &mut SqliteConnection, table: TableId, link: &Link) -> Result<(), JournalError> {
    let row = sqlx::query("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)")
        .bind(table.as_str().to_owned())
        .bind(bits(link.sequence))
        .bind(link.at_ms)
        .bind(link.source.map(bits))
        .bind(link.event.clone())
        .bind(link.seal.clone());
    match row.execute(to).await {
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
            Err(JournalError::Conflict(table))
        }
        result => Ok(result.map(drop)?),
    }
}

/// The seal that a table's next entry follows on.
async fn last_seal(to: &mut SqliteConnection, table: TableId) -> Result<Option<String>, JournalError> {
    let sql = "SELECT seal FROM events WHERE table_id = ? ORDER BY sequence DESC LIMIT 1";
    let last: Option<Option<String>> =
        sqlx::query_scalar(sql).bind(table.as_str().to_owned()).fetch_optional(&mut *to).await?;
    match last {
        // Entries from before there were seals are counted as if they had them.
        Some(None) => Ok(seal::last_seal(table, &links(to, table).await?)),
        last => Ok(last.flatten()),
    }
}

async fn links<'a>(
    from: impl sqlx::Executor<'a, Database = Driver>,
    table: TableId,
) -> Result<Vec<Link>, JournalError> {
    let sql = "SELECT sequence, at_ms, source, event, seal FROM events WHERE table_id = ? ORDER BY sequence";
    let rows = sqlx::query(sql).bind(table.as_str().to_owned()).fetch_all(from).await?;
    Ok(rows.iter().map(read_link).collect())
}

async fn put_card(
    to: &mut Transaction<'_, Driver>,
    card: &Card,
    head: Option<String>,
) -> Result<(), JournalError> {
    sqlx::query("INSERT OR REPLACE INTO cards VALUES (?, ?, ?, ?, ?, ?, ?)")
        .bind(card.id.as_str().to_owned())
        .bind(lists::stage_number(card.stage))
        .bind(card.guild.map(bits))
        .bind(card.home.map(|home| bits(home.channel)))
        .bind(card.at_ms)
        .bind(json(card))
        .bind(head)
        .execute(&mut **to)
        .await?;
    // Somebody who was asked and has left stays listed: the card decides in the end.
    for person in card.everybody() {
        let row = sqlx::query("INSERT OR IGNORE INTO people VALUES (?, ?)").bind(bits(person.0));
        row.bind(card.id.as_str().to_owned()).execute(&mut **to).await?;
    }
    Ok(())
}

async fn put_job(to: &mut Transaction<'_, Driver>, batch: &Batch) -> Result<(), JournalError> {
    let table = batch.table.as_str().to_owned();
    match batch.job {
        None => sqlx::query("DELETE FROM jobs WHERE table_id = ?").bind(table).execute(&mut **to).await?,
        Some(job) => {
            let row = sqlx::query("INSERT OR REPLACE INTO jobs VALUES (?, ?, ?, ?)").bind(table);
            let row = row.bind(job.ply as i64).bind(job.level.key()).bind(bits(job.seed));
            row.execute(&mut **to).await?
        }
    };
    Ok(())
}

pub(super) fn unsigned(row: &SqliteRow, column: usize) -> u64 {
    row.get::<i64, _>(column).cast_unsigned()
}

pub(super) fn table_id(row: &SqliteRow, column: usize) -> Result<TableId, JournalError> {
    let text: &str = row.get(column);
    text.parse().map_err(|error| JournalError::Medium(format!("{text:?}: {error}")))
}

fn read_link(row: &SqliteRow) -> Link {
    let source = row.get::<Option<i64>, _>(2).map(i64::cast_unsigned);
    Link { sequence: unsigned(row, 0), at_ms: row.get(1), source, event: row.get(3), seal: row.get(4) }
}

/// What a row holds. One that this version cannot read must not hold up all others.
fn readable<T>(read: Result<T, JournalError>) -> Option<T> {
    read.inspect_err(|error| tracing::error!(%error, "a row of the journal cannot be read; left out")).ok()
}

fn read_card(row: &SqliteRow) -> Result<Card, JournalError> {
    let table: &str = row.get(1);
    serde_json::from_str(row.get(0))
        .map_err(|error| JournalError::Medium(format!("the card of table {table}: {error}")))
}

fn read_due(row: &SqliteRow) -> Result<Due, JournalError> {
    let table = table_id(row, 1)?;
    let say = serde_json::from_str(row.get(2))
        .map_err(|error| JournalError::Medium(format!("what is to be said for table {table}: {error}")))?;
    Ok(Due { id: row.get(0), table, say, tries: row.get(3) })
}

fn read_job(row: &SqliteRow) -> Result<Job, JournalError> {
    let key: &str = row.get(2);
    let level = Level::named(key).ok_or_else(|| JournalError::Medium(format!("no level called {key}")))?;
    let ply = usize::try_from(row.get::<i64, _>(1)).unwrap_or_default();
    Ok(Job { table: table_id(row, 0)?, ply, level, seed: unsigned(row, 3) })
}
