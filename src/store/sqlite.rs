//! The journal in an embedded SQLite file.
//!
//! One connection writes, a few read. `journal_mode=WAL` lets both go on at once;
//! `synchronous=FULL` means that what was answered for is on the medium, whatever pulls the plug.

mod ratings;

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use serde::de::DeserializeOwned;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteRow, SqliteSynchronous,
};
use sqlx::{QueryBuilder, Row, Sqlite as Driver, SqliteConnection, SqlitePool, Transaction};

use crate::kit::player::Level;
use crate::table::ports::{
    Batch, Card, Due, Entry, Filter, Follows, Job, Journal, JournalError, Posted, Preferences, Ratings, Stage,
};
use crate::table::preferences::{Personal, Server};
use crate::table::seal::{self, Chain, Link};
use crate::table::{Person, Say, TableId};

/// Steps of the schema; a file says in `user_version` how many it has taken.
const SCHEMA: [&str; 6] = [
    include_str!("schema/sqlite/1.sql"),
    include_str!("schema/sqlite/2.sql"),
    include_str!("schema/sqlite/3.sql"),
    include_str!("schema/sqlite/4.sql"),
    include_str!("schema/sqlite/5.sql"),
    include_str!("schema/sqlite/6.sql"),
];

/// Servers with games that go on there: read off an index that holds nothing else.
const PLAYING: &str = "SELECT DISTINCT guild FROM cards INDEXED BY cards_playing \
     WHERE stage = 1 AND guild IS NOT NULL AND card ->> '$.frozen_ms' IS NULL";

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

    /// Lets go of the file once what is being written is written.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

fn opening(path: &Path, error: &sqlx::Error) -> JournalError {
    JournalError::Medium(format!("the journal {} cannot be opened: {error}", path.display()))
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
        let links = seal::seal(batch.table, &batch.entries, before.clone());
        for link in &links {
            insert_link(&mut transaction, batch.table, link).await?;
        }
        let head = links.last().map_or(before, |last| last.seal.clone());
        put_card(&mut transaction, &batch.card, head).await?;
        for say in &batch.says {
            let sql = "INSERT INTO outbox (table_id, key, say) VALUES (?, ?, ?)";
            let row = sqlx::query(sql).bind(batch.table.as_str().to_owned()).bind(say.key()).bind(json(say));
            row.execute(&mut *transaction).await?;
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
        links(&self.readers, table).await?.iter().map(read).collect()
    }

    async fn chain(&self, table: TableId) -> Result<Chain, JournalError> {
        let links = links(&self.readers, table).await?;
        let row = sqlx::query_scalar("SELECT head FROM cards WHERE table_id = ?");
        let head = row.bind(table.as_str().to_owned()).fetch_optional(&self.readers).await?;
        Ok(Chain { links, head: head.flatten() })
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Card>, JournalError> {
        let rows = listing(filter).build().fetch_all(&self.readers).await?;
        let read = |row: &SqliteRow| serde_json::from_str(row.get::<&str, _>(0));
        rows.iter().map(|row| read(row).map_err(|error| JournalError::Medium(error.to_string()))).collect()
    }

    async fn servers_playing(&self) -> Result<Vec<u64>, JournalError> {
        let mut guilds: Vec<u64> =
            sqlx::query(PLAYING).fetch_all(&self.readers).await?.iter().map(|row| unsigned(row, 0)).collect();
        guilds.sort_unstable();
        Ok(guilds)
    }

    async fn due(&self, after: i64, most: usize) -> Result<Vec<Due>, JournalError> {
        let sql =
            "SELECT id, table_id, say, tries FROM outbox WHERE state = 0 AND id > ? ORDER BY id LIMIT ?";
        let rows = sqlx::query(sql).bind(after).bind(most as i64).fetch_all(&self.readers).await?;
        rows.iter().map(read_due).collect()
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

    async fn unsaid(&self, id: i64, why: &str, give_up: bool) -> Result<(), JournalError> {
        let sql = "UPDATE outbox SET tries = tries + 1, why = ?, state = ? WHERE id = ?";
        let state = if give_up { 2 } else { 0 };
        sqlx::query(sql).bind(why.to_owned()).bind(state).bind(id).execute(&self.writer).await?;
        Ok(())
    }

    async fn posted(&self, table: TableId, say: &Say) -> Result<Option<Posted>, JournalError> {
        let sql = "SELECT channel, message FROM outbox \
             WHERE table_id = ? AND key = ? AND message IS NOT NULL ORDER BY id DESC LIMIT 1";
        let row = sqlx::query(sql).bind(table.as_str().to_owned()).bind(say.key());
        let row = row.fetch_optional(&self.readers).await?;
        Ok(row.map(|row| Posted { table, channel: unsigned(&row, 0), message: unsigned(&row, 1) }))
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
        rows.iter().map(read_job).collect()
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

    fn follows(&self) -> &dyn Follows {
        self
    }

    fn preferences(&self) -> &dyn Preferences {
        self
    }

    fn ratings(&self) -> &dyn Ratings {
        self
    }
}

/// The `kind` of a person's row.
const PERSON: i64 = 0;
/// The `kind` of a server's row.
const SERVER: i64 = 1;

#[async_trait]
impl Preferences for Sqlite {
    async fn personal(&self, who: Person) -> Result<Option<Personal>, JournalError> {
        self.chosen(PERSON, who.0).await
    }

    async fn keep_personal(&self, who: Person, personal: &Personal) -> Result<(), JournalError> {
        self.keep_chosen(PERSON, who.0, json(personal)).await
    }

    async fn forget_personal(&self, who: Person) -> Result<(), JournalError> {
        let sql = "DELETE FROM preferences WHERE kind = ? AND id = ?";
        sqlx::query(sql).bind(PERSON).bind(bits(who.0)).execute(&self.writer).await?;
        Ok(())
    }

    async fn server(&self, guild: u64) -> Result<Option<Server>, JournalError> {
        self.chosen(SERVER, guild).await
    }

    async fn keep_server(&self, guild: u64, server: &Server) -> Result<(), JournalError> {
        self.keep_chosen(SERVER, guild, json(server)).await
    }

    async fn servers_with_lobby(&self) -> Result<Vec<u64>, JournalError> {
        let sql = "SELECT id FROM preferences WHERE kind = ? AND chosen ->> '$.lobby' IS NOT NULL";
        let rows = sqlx::query(sql).bind(SERVER).fetch_all(&self.readers).await?;
        let mut guilds: Vec<u64> = rows.iter().map(|row| unsigned(row, 0)).collect();
        guilds.sort_unstable();
        Ok(guilds)
    }
}

impl Sqlite {
    async fn chosen<T: DeserializeOwned>(&self, kind: i64, id: u64) -> Result<Option<T>, JournalError> {
        let sql = "SELECT chosen FROM preferences WHERE kind = ? AND id = ?";
        let row = sqlx::query_scalar(sql).bind(kind).bind(bits(id));
        let found: Option<String> = row.fetch_optional(&self.readers).await?;
        let read = |json: String| serde_json::from_str(&json);
        found.map(read).transpose().map_err(|error| JournalError::Medium(error.to_string()))
    }

    async fn keep_chosen(&self, kind: i64, id: u64, chosen: String) -> Result<(), JournalError> {
        let sql = "INSERT INTO preferences VALUES (?, ?, ?) \
             ON CONFLICT (kind, id) DO UPDATE SET chosen = excluded.chosen";
        sqlx::query(sql).bind(kind).bind(bits(id)).bind(chosen).execute(&self.writer).await?;
        Ok(())
    }
}

/// The question for the cards that fit. Only what is asked for stands in it, so that the index is used that
/// is made for it.
fn listing(filter: &Filter) -> QueryBuilder<Driver> {
    let mut sql = QueryBuilder::new("SELECT card FROM cards WHERE TRUE");
    if let Some(person) = filter.person {
        sql.push(" AND table_id IN (SELECT table_id FROM people WHERE person = ").push_bind(bits(person.0));
        sql.push(")");
    }
    if let Some(guild) = filter.guild {
        sql.push(" AND guild = ").push_bind(bits(guild));
    }
    if let Some(channel) = filter.channel {
        sql.push(" AND channel = ").push_bind(bits(channel));
    }
    if let Some(stage) = filter.stage {
        sql.push(" AND stage = ").push_bind(stage_number(stage));
    }
    if let Some(game) = &filter.game {
        sql.push(" AND card ->> '$.game' = ").push_bind(game.clone());
    }
    if filter.frozen {
        sql.push(" AND card ->> '$.frozen_ms' IS NOT NULL");
    }
    sql.push(" ORDER BY at_ms DESC LIMIT ").push_bind(super::most(filter) as i64);
    sql
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
        .bind(stage_number(card.stage))
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

fn stage_number(stage: Stage) -> i64 {
    match stage {
        Stage::Waiting => 0,
        Stage::Running => 1,
        Stage::Over => 2,
    }
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

fn read_due(row: &SqliteRow) -> Result<Due, JournalError> {
    let say = serde_json::from_str(row.get(2)).map_err(|error| JournalError::Medium(error.to_string()))?;
    Ok(Due { id: row.get(0), table: table_id(row, 1)?, say, tries: row.get(3) })
}

fn read_job(row: &SqliteRow) -> Result<Job, JournalError> {
    let key: &str = row.get(2);
    let level = Level::named(key).ok_or_else(|| JournalError::Medium(format!("no level called {key}")))?;
    let ply = usize::try_from(row.get::<i64, _>(1)).unwrap_or_default();
    Ok(Job { table: table_id(row, 0)?, ply, level, seed: unsigned(row, 3) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How the medium looks for something, in its own words.
    async fn way(journal: &Sqlite, sql: &str) -> String {
        let explain = format!("EXPLAIN QUERY PLAN {sql}");
        let rows = sqlx::query(sqlx::AssertSqlSafe(explain)).fetch_all(&journal.readers).await.unwrap();
        rows.iter().map(|row| row.get::<String, _>(3)).collect::<Vec<_>>().join("; ")
    }

    /// However many tables there are, what is asked for at a start, or whenever a server comes back, looks at no
    /// others than those that are wanted.
    #[tokio::test]
    async fn an_index_finds_the_tables_of_a_server() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Sqlite::open(&folder.path().join("rookery.sqlite")).await.unwrap();
        let playing = way(&journal, PLAYING).await;
        assert!(playing.contains("INDEX cards_playing"), "{playing}");
        let running = Some(Stage::Running);
        let filters = [
            (Filter { guild: Some(7), frozen: true, stage: running, ..Filter::default() }, "cards_"),
            (Filter { frozen: true, stage: running, ..Filter::default() }, "cards_"),
            (Filter { guild: Some(7), stage: running, ..Filter::default() }, "cards_by_guild"),
            (Filter { channel: Some(7), ..Filter::default() }, "cards_by_channel"),
            (Filter { person: Some(Person(7)), ..Filter::default() }, "people USING PRIMARY KEY"),
        ];
        for (filter, index) in filters {
            let found = way(&journal, listing(&filter).sql().as_str()).await;
            assert!(found.contains(index) && !found.contains("SCAN cards"), "{filter:?}: {found}");
        }
    }
}
