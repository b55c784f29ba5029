//! Files of every earlier schema are upgraded, and are then the same as a new one.

use std::path::Path;
#[cfg(target_os = "linux")]
use std::{future::poll_fn, task::Poll};

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, query_as, query_scalar, raw_sql};

use crate::Sqlite;
use crate::sqlite::migrations::SCHEMA;
use rookery_table::ports::Journal;

/// What a file says of its schema: its number, its list of migrations with their checksums, and its tables and indexes.
#[derive(Debug, PartialEq)]
struct Described {
    version: i64,
    listed: Vec<(i64, String, bool, Vec<u8>)>,
    parts: Vec<(String, String)>,
}

async fn connect(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(path).create_if_missing(true).connect().await.unwrap()
}

async fn run(path: &Path, sql: &str) {
    let mut connection = connect(path).await;
    raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

async fn described(path: &Path) -> Described {
    let mut connection = connect(path).await;
    let version = query_scalar("PRAGMA user_version").fetch_one(&mut connection).await.unwrap();
    let sql = "SELECT version, description, success, checksum FROM _sqlx_migrations ORDER BY version";
    let listed = query_as(sql).fetch_all(&mut connection).await.unwrap();
    let sql = "SELECT name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name";
    let parts = query_as(sql).fetch_all(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    Described { version, listed, parts }
}

/// Makes a file as the program with this many migrations did, which kept no list of them.
async fn older_file(path: &Path, schema: usize) {
    for sql in &SCHEMA[..schema] {
        run(path, sql).await;
    }
    run(path, &format!("PRAGMA user_version = {schema}; INSERT INTO notes VALUES ('note', 'kept')")).await;
}

#[tokio::test]
async fn files_of_every_schema_become_the_same_as_a_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("new.sqlite");
    Sqlite::open(&new).await.unwrap().close().await;
    let expected = described(&new).await;
    assert_eq!((expected.version, expected.listed.len()), (SCHEMA.len() as i64, SCHEMA.len()));
    for schema in 1..=SCHEMA.len() {
        let path = folder.path().join(format!("{schema}.sqlite"));
        older_file(&path, schema).await;
        for _ in 0..2 {
            let journal = Sqlite::open(&path).await.unwrap_or_else(|error| panic!("{schema}: {error}"));
            assert_eq!(journal.note("note").await.unwrap().as_deref(), Some("kept"), "{schema}");
            journal.close().await;
            assert_eq!(described(&path).await, expected, "{schema}");
        }
    }
}

/// Waits until this process has closed a file. A dropped connection is closed by a thread of its own; while that one
/// still turns the file to a write-ahead log, SQLite refuses a second connection that asks for the same at once, without
/// waiting. The process that the test stands for has ended, and all its files are closed.
#[cfg(target_os = "linux")]
async fn wait_until_closed(path: &Path) {
    let path = path.canonicalize().unwrap();
    let is_open = || {
        let open = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
        open.into_iter().any(|file| std::fs::read_link(file.path()).is_ok_and(|target| target == path))
    };
    while is_open() {
        // A task of the pool may still have a connection.
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
}

/// The process may end at any moment of an upgrade; here it ends after every second step of the future.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn upgrade_that_was_interrupted_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let (older, path) = (folder.path().join("older.sqlite"), folder.path().join("rookery.sqlite"));
    older_file(&older, 14).await;
    let mut interrupted = 0;
    loop {
        std::fs::copy(&older, &path).unwrap();
        let mut opening = Box::pin(Sqlite::open(&path));
        let mut polls = 0;
        let opened = poll_fn(|context| {
            polls += 1;
            if polls > interrupted { Poll::Ready(None) } else { opening.as_mut().poll(context).map(Some) }
        });
        let opened = opened.await;
        drop(opening);
        if let Some(opened) = opened {
            opened.unwrap().close().await;
            break;
        }
        wait_until_closed(&path).await;
        Sqlite::open(&path).await.unwrap_or_else(|error| panic!("{interrupted}: {error}")).close().await;
        let after = described(&path).await;
        assert_eq!((after.version, after.listed.len()), (SCHEMA.len() as i64, SCHEMA.len()));
        std::fs::remove_file(&path).unwrap();
        interrupted += 2;
    }
    assert!(interrupted > 40, "{interrupted}");
}

#[tokio::test]
async fn file_whose_number_and_list_differ_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    Sqlite::open(&path).await.unwrap().close().await;
    for (sql, part) in [
        ("PRAGMA user_version = 19", "has schema 19, but its list of migrations ends with 20"),
        (
            "PRAGMA user_version = 20; DELETE FROM _sqlx_migrations WHERE version = 20",
            "has schema 20, but its list of migrations ends with 19",
        ),
    ] {
        run(&path, sql).await;
        let error = Sqlite::open(&path).await.err().unwrap().to_string();
        assert!(error.contains(part) && error.contains("restore a backup"), "{error}");
    }
}

/// A program from before the list knows only the number in the file.
#[tokio::test]
async fn file_of_a_newer_program_says_so_in_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    Sqlite::open(&path).await.unwrap().close().await;
    run(
        &path,
        "INSERT INTO _sqlx_migrations VALUES (21, 'later', 0, TRUE, x'00', 0); PRAGMA user_version = 21",
    )
    .await;
    let before = described(&path).await;
    let error = Sqlite::open(&path).await.err().unwrap().to_string();
    assert!(error.contains("has schema 21, this program knows 20: use a newer one"), "{error}");
    assert_eq!(described(&path).await, before, "it stays as it is");
}
