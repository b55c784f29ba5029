//! Moving whole journals between SQLite and PostgreSQL.

mod refusals;
mod schemas;

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use sqlx::postgres::PgConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, raw_sql};

use super::people::table_of_two;
use super::postgres::server::{Database, Server};
use super::{first_batch, id, tell};
use crate::move_store::tables::TABLES;
use crate::{MoveError, Moved, Postgres, Sqlite, StoreAddress, check, move_store};
use rookery_table::ports::{Journal, PageRequest};

const NO_PROGRESS: &(dyn Fn(u64, u64) + Sync) = &|_, _| ();

/// Rows of the tables that the contract test leaves empty, and values at the edges.
const ROWS: &str = r#"
    INSERT INTO named VALUES (-1, 'K7Q2');
    INSERT INTO erased VALUES ('ERA2');
    INSERT INTO jobs VALUES ('JJJ2', 3, 'easy', -9223372036854775808);
    INSERT INTO messages VALUES (9223372036854775807, 'K7Q2', NULL);
    INSERT INTO deletions VALUES (5, '', 'stand-in');
    INSERT INTO cards VALUES ('BAD2', 2, NULL, NULL, 0, '{', NULL);
    INSERT INTO notes VALUES ('Käse 日本', '');
    INSERT INTO notes VALUES ('n' || char(0) || char(1114111), char(1114111) || '0' || char(0));
"#;

/// Names of a table's columns, for rows as text.
const COLUMNS: &str =
    "SELECT group_concat('quote(' || name || ')', ' || '', '' || ') FROM pragma_table_info(?)";

fn sqlite(path: &Path) -> StoreAddress {
    StoreAddress::Sqlite(path.to_owned())
}

async fn connect(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(path).create_if_missing(true).connect().await.unwrap()
}

async fn run(path: &Path, sql: impl Into<String>) {
    let mut connection = connect(path).await;
    raw_sql(AssertSqlSafe(sql.into())).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// Returns all records of a file as text, and the numbers that its tables have reached.
async fn records_of_file(path: &Path) -> Vec<String> {
    let mut connection = connect(path).await;
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' \
               AND name NOT IN ('probe', '_sqlx_migrations', 'sqlite_stat1')";
    let names: Vec<String> = sqlx::query_scalar(sql).fetch_all(&mut connection).await.unwrap();
    assert!(names.len() > TABLES.len(), "{names:?}");
    let mut all = Vec::new();
    for name in names {
        let columns = sqlx::query_scalar(COLUMNS).bind(&name).fetch_one(&mut connection).await;
        let columns: String = columns.unwrap();
        let sql = AssertSqlSafe(format!("SELECT '{name}: ' || {columns} FROM {name}"));
        all.extend(sqlx::query_scalar::<_, String>(sql).fetch_all(&mut connection).await.unwrap());
    }
    connection.close().await.unwrap();
    all.sort();
    all
}

/// The tables of a database that don't belong to the record.
const OF_PROCESSES: [&str; 6] =
    ["identify_slots", "outbox_lanes", "processes", "request_shares", "shards", "thinking_requests"];

/// Returns all records of a database as text, and the numbers that its tables have reached.
async fn records_of_database(connection: &mut PgConnection) -> Vec<String> {
    let sql = "SELECT table_name::text FROM information_schema.tables \
               WHERE table_schema = 'public' AND table_name NOT IN ('probe', '_sqlx_migrations')";
    let mut names: Vec<String> = sqlx::query_scalar(sql).fetch_all(&mut *connection).await.unwrap();
    names.retain(|name| !OF_PROCESSES.contains(&name.as_str()));
    assert_eq!(names.len(), TABLES.len(), "{names:?}");
    let mut all = Vec::new();
    for name in names {
        let sql = AssertSqlSafe(format!("SELECT '{name}: ' || {name}::text FROM {name}"));
        all.extend(sqlx::query_scalar::<_, String>(sql).fetch_all(&mut *connection).await.unwrap());
    }
    for name in ["outbox", "ratings"] {
        let next = "CASE WHEN is_called THEN last_value + 1 ELSE last_value END";
        let sql =
            AssertSqlSafe(format!("SELECT '{name} next: ' || {next} FROM {name}_id_seq WHERE {next} > 1"));
        all.extend(sqlx::query_scalar::<_, String>(sql).fetch_all(&mut *connection).await.unwrap());
    }
    all.sort();
    all
}

/// Fills a journal as the contract test does, and with more records than are in memory at a time.
async fn fill(journal: &dyn Journal) {
    tell(journal).await;
    table_of_two(journal, id("4TW2")).await;
    journal.append(&first_batch(id("KKK2"))).await.unwrap();
    for number in 0..1_100 {
        journal.store_note(&format!("many-{number}"), "1").await.unwrap();
    }
}

/// Makes a file with records in every table.
async fn filled_file(folder: &Path) -> PathBuf {
    let path = folder.join("filled.sqlite");
    let journal = Sqlite::open(&path).await.unwrap();
    fill(&journal).await;
    journal.close().await;
    run(&path, ROWS).await;
    path
}

/// Makes a file with the journal of a released version.
async fn released_file(folder: &Path, version: &Path) -> PathBuf {
    let path = folder.join("released.sqlite");
    run(&path, std::fs::read_to_string(version.join("journal.sql")).unwrap()).await;
    path
}

/// An empty database that no process uses.
struct Empty {
    server: &'static Server,
    name: String,
}

impl Empty {
    async fn create() -> Option<Empty> {
        let server = Server::shared()?;
        Some(Empty { server, name: server.create_database("").await })
    }

    fn address(&self) -> StoreAddress {
        StoreAddress::Postgres(self.server.url(&self.name))
    }

    async fn connect(&self) -> PgConnection {
        self.server.connect(&self.name).await
    }

    async fn run(&self, sql: &'static str) {
        raw_sql(sql).execute(&mut self.connect().await).await.unwrap();
    }

    async fn records(&self) -> Vec<String> {
        records_of_database(&mut self.connect().await).await
    }
}

async fn moved(from: &StoreAddress, to: &StoreAddress) -> Moved {
    move_store(from, to, NO_PROGRESS).await.unwrap()
}

#[tokio::test]
async fn move_to_postgres_and_back_keeps_every_record() {
    let Some(database) = Empty::create().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, back) = (filled_file(folder.path()).await, folder.path().join("back.sqlite"));
    let before = records_of_file(&file).await;
    let there = moved(&sqlite(&file), &database.address()).await;
    let empty: Vec<_> = there.tables.iter().filter(|(_, records)| *records == 0).collect();
    assert_eq!((there.tables.len(), empty), (TABLES.len(), vec![]), "the test covers every table");
    // The numbers of two tables stand beside the records.
    assert_eq!(there.records() + 2, before.len() as u64);
    assert_eq!(moved(&database.address(), &sqlite(&back)).await, there);
    assert_eq!(records_of_file(&back).await, before);
    assert_eq!(records_of_file(&file).await, before, "the source is as it was");
}

/// The adapter writes columns to PostgreSQL that SQLite has not.
#[tokio::test]
async fn move_from_postgres_and_back_keeps_every_record_and_derived_column() {
    let Some(database) = Database::create().await else { return };
    let (Some(again), folder) = (Empty::create().await, tempfile::tempdir().unwrap()) else { return };
    fill(&database.journal).await;
    let filter = rookery_table::ports::Filter::default();
    let cards = async |journal: &dyn Journal| {
        let mut cards = journal.list(&filter, PageRequest::first(9_999)).await.unwrap().rows;
        cards.sort_by_key(|card| card.id);
        cards
    };
    let listed = cards(&database.journal).await;
    database.journal.close().await;
    let before = records_of_database(&mut database.connect().await).await;
    let (from, file) = (StoreAddress::Postgres(database.url()), folder.path().join("file.sqlite"));
    moved(&from, &sqlite(&file)).await;
    moved(&sqlite(&file), &again.address()).await;
    assert_eq!(again.records().await, before);
    assert_eq!(records_of_database(&mut database.connect().await).await, before, "the source is as it was");
    assert_eq!(cards(&Sqlite::open(&file).await.unwrap()).await, listed);
}

#[tokio::test]
async fn move_of_released_journals_keeps_every_record() {
    let versions = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/released");
    let versions = std::fs::read_dir(versions).unwrap().map(|entry| entry.unwrap().path());
    let versions: Vec<_> = versions.filter(|path| path.is_dir()).collect();
    assert!(!versions.is_empty());
    for version in versions {
        let Some(database) = Empty::create().await else { return };
        let folder = tempfile::tempdir().unwrap();
        let (file, back) = (released_file(folder.path(), &version).await, folder.path().join("back.sqlite"));
        let bytes = std::fs::read(&file).unwrap();
        moved(&sqlite(&file), &database.address()).await;
        assert_eq!(std::fs::read(&file).unwrap(), bytes, "the source is not even upgraded");
        let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.filter(|name| name.to_string_lossy().contains("partial")).count(), 0);
        moved(&database.address(), &sqlite(&back)).await;
        assert!(check(&back, NO_PROGRESS).await.unwrap().is_sound());
        Sqlite::open(&file).await.unwrap().close().await;
        assert_eq!(records_of_file(&back).await, records_of_file(&file).await);
    }
}

#[tokio::test]
async fn moved_journal_goes_on_with_the_next_numbers() {
    let Some(database) = Empty::create().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, back) = (folder.path().join("a.sqlite"), folder.path().join("b.sqlite"));
    let journal = Sqlite::open(&file).await.unwrap();
    journal.append(&first_batch(id("KKK2"))).await.unwrap();
    let last = journal.last_row().await.unwrap();
    journal.close().await;
    // A number whose record is gone must not come again.
    run(&file, format!("DELETE FROM outbox WHERE id = {last}")).await;
    moved(&sqlite(&file), &database.address()).await;
    let journal = Postgres::open(&database.server.url(&database.name)).await.unwrap();
    journal.append(&first_batch(id("GGG2"))).await.unwrap();
    let due: Vec<_> = journal.due_at(id("GGG2"), 9).await.unwrap().iter().map(|due| due.id).collect();
    assert_eq!(due, [last + 1, last + 2]);
    journal.close().await;
    database.run(r"DELETE FROM outbox WHERE table_id = 'GGG2'").await;
    moved(&database.address(), &sqlite(&back)).await;
    let journal = Sqlite::open(&back).await.unwrap();
    journal.append(&first_batch(id("BBB2"))).await.unwrap();
    let due: Vec<_> = journal.due_at(id("BBB2"), 9).await.unwrap().iter().map(|due| due.id).collect();
    assert_eq!(due, [last + 3, last + 4]);
}

#[tokio::test]
async fn move_reports_its_progress_up_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let file = filled_file(folder.path()).await;
    let seen = Mutex::new(Vec::new());
    let progress = |done, total| seen.lock().unwrap().push((done, total));
    let target = sqlite(&folder.path().join("b.sqlite"));
    let records = move_store(&sqlite(&file), &target, &progress).await.unwrap().records();
    let seen = seen.into_inner().unwrap();
    assert!(seen.is_sorted() && seen.iter().all(|(_, total)| *total == 2 * records), "{seen:?}");
    assert_eq!(seen.last(), Some(&(2 * records, 2 * records)));
    assert!(seen.len() > TABLES.len(), "{seen:?}");
}

/// Stops a move in the middle, as the end of the process would.
async fn interrupted(from: &StoreAddress, to: &StoreAddress) {
    let middle = tokio::sync::Notify::new();
    let progress = |done, total| {
        if done > total / 4 {
            middle.notify_one();
        }
    };
    tokio::select! {
        biased;
        () = middle.notified() => {}
        done = move_store(from, to, &progress) => panic!("{done:?}"),
    }
}

/// A command may run the move in a task of its own.
#[tokio::test]
async fn move_runs_in_a_spawned_task() {
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (filled_file(folder.path()).await, folder.path().join("other.sqlite"));
    let task = tokio::spawn(async move { move_store(&sqlite(&file), &sqlite(&other), NO_PROGRESS).await });
    assert_eq!(task.await.unwrap().unwrap().tables.len(), TABLES.len());
}

#[tokio::test]
async fn interrupted_move_leaves_nothing_and_can_be_repeated() {
    let Some(database) = Empty::create().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (filled_file(folder.path()).await, folder.path().join("other.sqlite"));
    interrupted(&sqlite(&file), &database.address()).await;
    assert_eq!(database.records().await, Vec::<String>::new());
    moved(&sqlite(&file), &database.address()).await;
    interrupted(&database.address(), &sqlite(&other)).await;
    assert_eq!(records_of_file(&other).await, Vec::<String>::new());
    moved(&database.address(), &sqlite(&other)).await;
    assert_eq!(records_of_file(&other).await, records_of_file(&file).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn move_whose_connection_is_cut_fails_and_leaves_nothing() {
    let Some(database) = Empty::create().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = filled_file(folder.path()).await;
    let cut = |done: u64, total: u64| {
        if done > total / 4 {
            let cut = database.run(super::postgres::failures::CUT);
            tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(cut));
        }
    };
    let error = move_store(&sqlite(&file), &database.address(), &cut).await.unwrap_err();
    assert!(matches!(error, MoveError::Target(_)), "{error:?}");
    assert_eq!(database.records().await, Vec::<String>::new());
}
