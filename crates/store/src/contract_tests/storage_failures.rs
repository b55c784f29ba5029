//! Storage failures on real files: each gives a clear error, loses nothing committed, and ends with its
//! cause, on the same journal.

use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use super::{entry, first_batch, id, opened};
use crate::Sqlite;
use rookery_table::ports::{Batch, Journal, StoreError};
use rookery_table::{Event, TableId};

async fn journal(folder: &tempfile::TempDir) -> Sqlite {
    Sqlite::open(&folder.path().join("rookery.sqlite")).await.unwrap()
}

/// Opens a connection as another program would.
async fn other(folder: &tempfile::TempDir) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(folder.path().join("rookery.sqlite"));
    options.connect().await.unwrap()
}

/// A batch that takes many pages.
fn large_batch(table: TableId) -> Batch {
    let line = "x".repeat(200_000);
    Batch { entries: vec![entry(1, opened()), entry(2, Event::Started { line })], ..first_batch(table) }
}

fn why(result: Result<(), StoreError>) -> String {
    match result.unwrap_err() {
        StoreError::Backend(why) => why,
        error => panic!("{error:?}"),
    }
}

/// Limits the file to `pages` pages, on the open connection and all later ones, as a full disk would.
async fn limit_pages(journal: &Sqlite, pages: i64) {
    journal.writer().change_options(|options| options.pragma("max_page_count", pages.to_string()));
    let sql = format!("PRAGMA max_page_count = {pages}");
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(journal.writer()).await.unwrap();
}

#[tokio::test]
async fn full_disk_is_reported_loses_nothing_and_is_over_with_the_first_free_page() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder).await;
    let [kept, lost] = [id("KKK2"), id("FFF2")];
    journal.append(&first_batch(kept)).await.unwrap();
    journal.probe().await.unwrap();
    // The space that the probe freed is still available.
    let sql = "CREATE TABLE filler (text TEXT); INSERT INTO filler VALUES (printf('%.*c', 20000, 'x'))";
    sqlx::raw_sql(sql).execute(journal.writer()).await.unwrap();
    let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(journal.writer()).await.unwrap();
    limit_pages(&journal, pages).await;
    for _ in 0..3 {
        let why = why(journal.append(&large_batch(lost)).await);
        assert!(why.starts_with("there is no space left"), "{why}");
    }
    let why = why(journal.probe().await);
    assert!(why.starts_with("there is no space left"), "{why}");
    assert_eq!(journal.load(kept).await.unwrap(), first_batch(kept).entries);
    assert_eq!(journal.load(lost).await.unwrap(), []);
    limit_pages(&journal, 1_000_000).await;
    journal.append(&large_batch(lost)).await.unwrap();
    journal.probe().await.unwrap();
    assert_eq!(journal.load(kept).await.unwrap(), first_batch(kept).entries);
    assert_eq!(journal.load(lost).await.unwrap(), large_batch(lost).entries);
}

#[tokio::test]
async fn full_disk_at_a_single_statement_is_over_with_the_first_free_page() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder).await;
    let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(journal.writer()).await.unwrap();
    limit_pages(&journal, pages).await;
    let long = "x".repeat(200_000);
    let why = why(journal.store_note("long", &long).await);
    assert!(why.starts_with("there is no space left"), "{why}");
    limit_pages(&journal, 1_000_000).await;
    journal.store_note("long", &long).await.unwrap();
    assert_eq!(journal.note("long").await.unwrap(), Some(long));
}

#[tokio::test]
async fn locked_file_is_reported_and_works_again_once_it_is_let_go() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder).await;
    let [kept, next] = [id("KKK2"), id("NNN2")];
    journal.append(&first_batch(kept)).await.unwrap();
    let mut holder = other(&folder).await;
    sqlx::raw_sql("BEGIN EXCLUSIVE").execute(&mut holder).await.unwrap();
    // The default timeout is five seconds, too long for a test.
    sqlx::raw_sql("PRAGMA busy_timeout = 20").execute(journal.writer()).await.unwrap();
    let why = why(journal.append(&first_batch(next)).await);
    assert!(why.starts_with("another program holds the journal's file"), "{why}");
    assert_eq!(journal.load(kept).await.unwrap(), first_batch(kept).entries, "it can be read all the while");
    sqlx::raw_sql("ROLLBACK").execute(&mut holder).await.unwrap();
    journal.append(&first_batch(next)).await.unwrap();
    assert_eq!(journal.load(next).await.unwrap(), first_batch(next).entries);
}

#[tokio::test]
async fn short_lock_is_waited_out() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder).await;
    let mut holder = other(&folder).await;
    sqlx::raw_sql("BEGIN EXCLUSIVE").execute(&mut holder).await.unwrap();
    let batch = first_batch(id("KKK2"));
    let mut append = journal.append(&batch);
    assert!(tokio::time::timeout(Duration::from_millis(50), &mut append).await.is_err(), "it waits");
    sqlx::raw_sql("ROLLBACK").execute(&mut holder).await.unwrap();
    append.await.unwrap();
}

/// The caller may be cancelled while the file is locked.
#[tokio::test]
async fn cancelled_write_keeps_nothing_and_blocks_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder).await;
    let [gone, next] = [id("GGG2"), id("NNN2")];
    let mut holder = other(&folder).await;
    sqlx::raw_sql("BEGIN EXCLUSIVE").execute(&mut holder).await.unwrap();
    let batch = first_batch(gone);
    let cancelled = tokio::time::timeout(Duration::from_millis(50), journal.append(&batch)).await;
    assert!(cancelled.is_err(), "it waits for the lock");
    sqlx::raw_sql("ROLLBACK").execute(&mut holder).await.unwrap();
    journal.append(&first_batch(next)).await.unwrap();
    assert_eq!(journal.load(gone).await.unwrap(), []);
    assert_eq!(journal.load(next).await.unwrap(), first_batch(next).entries);
}

#[tokio::test]
async fn transaction_that_is_dropped_or_cannot_be_committed_is_rolled_back_and_blocks_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder).await;
    let sql = "CREATE TABLE parents (id INTEGER PRIMARY KEY); \
         CREATE TABLE children (parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED)";
    sqlx::raw_sql(sql).execute(journal.writer()).await.unwrap();
    let orphan = "INSERT INTO children VALUES (7)";
    let mut dropped = journal.writer().begin().await.unwrap();
    sqlx::query(orphan).execute(&mut *dropped).await.unwrap();
    drop(dropped);
    let mut refused = journal.writer().begin().await.unwrap();
    sqlx::query(orphan).execute(&mut *refused).await.unwrap();
    // A deferred constraint is checked at the commit; SQLite then leaves the transaction open.
    let why = why(refused.commit().await);
    assert!(why.contains("FOREIGN KEY"), "{why}");
    journal.append(&first_batch(id("KKK2"))).await.unwrap();
    let orphans: i64 =
        sqlx::query_scalar("SELECT count(*) FROM children").fetch_one(journal.writer()).await.unwrap();
    assert_eq!(orphans, 0);
    other(&folder).await.close().await.unwrap();
}
