//! Writes that wait for the connection together: one commit, but each its own outcome.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Executor};
use tokio::task::JoinHandle;

use super::{first_batch, id};
use crate::Sqlite;
use rookery_table::TableId;
use rookery_table::ports::{Journal, StoreError};

async fn journal(folder: &tempfile::TempDir) -> Arc<Sqlite> {
    Arc::new(Sqlite::open(&folder.path().join("rookery.sqlite")).await.unwrap())
}

/// Starts to append the first batch of a table. It waits if the connection is in use.
async fn start(journal: &Arc<Sqlite>, table: TableId) -> JoinHandle<Result<(), StoreError>> {
    let journal = journal.clone();
    let appending = tokio::spawn(async move { journal.append(&first_batch(table)).await });
    tokio::task::yield_now().await;
    appending
}

async fn is_stored(journal: &Sqlite, table: TableId) -> bool {
    !journal.load(table).await.unwrap().is_empty()
}

#[tokio::test]
async fn waiting_writes_share_one_commit() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder).await;
    journal.append(&first_batch(id("KKK2"))).await.unwrap();
    let row = journal.due(0, 10).await.unwrap()[0].id;

    let mut busy = journal.writer().begin().await.unwrap();
    let commits = Arc::new(AtomicUsize::new(0));
    let counter = commits.clone();
    busy.lock_handle().await.unwrap().set_commit_hook(move || {
        counter.fetch_add(1, Ordering::Relaxed);
        true
    });
    let tables = ["AAA2", "BBB2", "CCC2"].map(id);
    let mut appending = Vec::new();
    for table in tables {
        appending.push(start(&journal, table).await);
    }
    let marking = tokio::spawn({
        let journal = journal.clone();
        async move { journal.mark_posted(row, None).await }
    });
    tokio::task::yield_now().await;
    busy.commit().await.unwrap();
    for appending in appending {
        appending.await.unwrap().unwrap();
    }
    marking.await.unwrap().unwrap();

    // The first commit, of an empty transaction, is the one that held the connection.
    assert_eq!(commits.load(Ordering::Relaxed), 1 + 1);
    for table in tables {
        assert!(is_stored(&journal, table).await, "{table}");
    }
    assert!(journal.due(0, 10).await.unwrap().iter().all(|due| due.id != row));
}

#[tokio::test]
async fn refused_write_does_not_affect_those_that_wait_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder).await;
    let taken = id("KKK2");
    journal.append(&first_batch(taken)).await.unwrap();

    let busy = journal.writer().begin().await.unwrap();
    let before = start(&journal, id("AAA2")).await;
    let refused = start(&journal, taken).await;
    let after = start(&journal, id("BBB2")).await;
    busy.commit().await.unwrap();
    before.await.unwrap().unwrap();
    after.await.unwrap().unwrap();
    let refused = refused.await.unwrap();
    assert!(matches!(refused, Err(StoreError::Conflict(table)) if table == taken), "{refused:?}");
    assert!(is_stored(&journal, id("AAA2")).await && is_stored(&journal, id("BBB2")).await);
    assert_eq!(journal.load(taken).await.unwrap(), first_batch(taken).entries);
}

#[tokio::test]
async fn cancelled_write_that_waits_does_not_take_place() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder).await;
    let busy = journal.writer().begin().await.unwrap();
    let cancelled = start(&journal, id("AAA2")).await;
    let kept = start(&journal, id("BBB2")).await;
    cancelled.abort();
    assert!(cancelled.await.unwrap_err().is_cancelled());
    busy.commit().await.unwrap();
    kept.await.unwrap().unwrap();
    assert!(!is_stored(&journal, id("AAA2")).await && is_stored(&journal, id("BBB2")).await);
}

#[tokio::test]
async fn write_whose_leader_is_cancelled_fails_and_can_be_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(&folder).await;
    // Another program's lock stops the group after it has begun.
    let mut other =
        SqliteConnectOptions::new().filename(folder.path().join("rookery.sqlite")).connect().await.unwrap();
    let busy = journal.writer().borrow().await.unwrap();
    let leader = start(&journal, id("AAA2")).await;
    let follower = start(&journal, id("BBB2")).await;
    other.execute("BEGIN IMMEDIATE").await.unwrap();
    busy.give_back();
    while journal.has_waiting_writes() {
        tokio::task::yield_now().await;
    }
    leader.abort();
    let error = follower.await.unwrap().unwrap_err();
    assert!(matches!(&error, StoreError::Backend(why) if why.contains("cut off")), "{error:?}");
    other.execute("COMMIT").await.unwrap();

    assert!(!is_stored(&journal, id("AAA2")).await && !is_stored(&journal, id("BBB2")).await);
    journal.append(&first_batch(id("BBB2"))).await.unwrap();
    assert!(is_stored(&journal, id("BBB2")).await);
}
