//! Rows with bytes that are not text and text that is not JSON. Each is an error of its own row, which can be
//! replaced and deleted as usual.

use std::path::Path;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use super::people::{DAN, table_of_two};
use super::{first_batch, id, moment, second_batch};
use crate::Sqlite;
use crate::sqlite::migrations::SCHEMA;
use rookery_core::player::Level;
use rookery_table::ports::{Filter, Job, Journal, OpenTables, PageRequest, StoreError, WatchMode};
use rookery_table::preferences::PersonalPreferences;
use rookery_table::rated::Account;
use rookery_table::rating::RatingPool;
use rookery_table::{GuildId, MessageId, OutboxItem, TableId, UserId};

/// Opens a journal with two tables; the tests damage rows of the second.
async fn opened() -> (tempfile::TempDir, Sqlite, [TableId; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let journal = Sqlite::open(&folder.path().join("rookery.sqlite")).await.unwrap();
    let tables = [id("GGG2"), id("BBB2")];
    for table in tables {
        journal.append(&first_batch(table)).await.unwrap();
    }
    (folder, journal, tables)
}

async fn change(journal: &Sqlite, sql: &'static str) {
    assert!(sqlx::query(sql).execute(journal.writer()).await.unwrap().rows_affected() > 0, "{sql}");
}

/// Text that is not JSON, and bytes that are not text.
const CARDS: [&str; 2] = [
    "UPDATE cards SET card = '{' WHERE table_id = 'BBB2'",
    "UPDATE cards SET card = CAST(x'ff' AS TEXT) WHERE table_id = 'BBB2'",
];

#[tokio::test]
async fn damaged_card_fails_no_question_and_can_be_replaced() {
    for sql in CARDS {
        let (_folder, journal, [good, bad]) = opened().await;
        change(&journal, sql).await;
        let any = Filter::default();
        for filter in [
            any.clone(),
            Filter { game: Some("amazons".into()), ..any.clone() },
            Filter { frozen: true, ..any.clone() },
            Filter { rests: true, ..any.clone() },
            Filter { imported: true, ..any.clone() },
            Filter { rated: true, ..any.clone() },
            Filter { person: Some(UserId(1)), ..any.clone() },
        ] {
            let found: Vec<_> = journal
                .list(&filter, PageRequest::default())
                .await
                .unwrap()
                .rows
                .iter()
                .map(|card| card.id)
                .collect();
            assert!(found.iter().all(|table| *table == good), "{filter:?}: {found:?}");
        }
        assert_eq!(
            journal.list(&any, PageRequest::default()).await.unwrap().rows.len(),
            1,
            "the other is found"
        );
        assert_eq!(journal.timers(moment(i64::MAX), PageRequest::first(9)).await.unwrap().rows, []);
        assert_eq!(journal.owing_proof(PageRequest::default()).await.unwrap().rows, []);
        assert_eq!(journal.servers_playing(PageRequest::default()).await.unwrap().rows, [GuildId(7)]);
        assert_eq!(journal.count_open(OpenTables::HostedBy(UserId(1)), 9).await.unwrap(), 1);
        assert_eq!(journal.unreadable(), 1);
        journal.append(&second_batch(bad)).await.unwrap();
        assert_eq!(
            journal.list(&any, PageRequest::default()).await.unwrap().rows.len(),
            2,
            "it is written anew"
        );
        assert_eq!(journal.unreadable(), 0);
    }
}

#[tokio::test]
async fn damaged_card_can_be_deleted_and_keeps_nobody_in_the_file() {
    for sql in CARDS {
        let (_folder, journal, [_, bad]) = opened().await;
        change(&journal, sql).await;
        let kept = journal.privacy().replace_with_pseudonym(UserId(1), bad, moment(9)).await.unwrap_err();
        assert!(kept.is_unreadable(), "it remains, and trying again does not help: {kept}");
        journal.privacy().delete_table(bad).await.unwrap();
        assert_eq!(journal.load(bad).await.unwrap(), []);
    }
}

/// The file as of schema 16, whose indexes no malformed card could leave; damaged on the disk.
/// Before each step that reads the cards or the preferences themselves.
#[tokio::test]
async fn damaged_card_of_an_older_schema_is_upgraded_and_deleted() {
    for schema in [5, 7, 8, 10, 12, 16] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rookery.sqlite");
        damaged_file(&path, schema).await;
        let journal = Sqlite::open(&path).await.unwrap_or_else(|error| panic!("schema {schema}: {error}"));
        assert_eq!(
            (
                journal.list(&Filter::default(), PageRequest::default()).await.unwrap().rows,
                journal.unreadable()
            ),
            (Vec::new(), 1)
        );
        journal.privacy().delete_table(id("BBB2")).await.unwrap();
        let cards = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM cards").fetch_one(journal.writer());
        assert_eq!(cards.await.unwrap(), 0, "schema {schema}");
    }
}

/// Creates a file of an older schema with one card that is not JSON.
async fn damaged_file(path: &Path, schema: usize) {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
    let mut older = options.connect().await.unwrap();
    for sql in &SCHEMA[..schema] {
        sqlx::raw_sql(*sql).execute(&mut older).await.unwrap();
    }
    let rows = r#"INSERT INTO cards VALUES ('BBB2', 1, 7, NULL, 5, '{"mark":"here","host":1}', NULL)"#;
    sqlx::raw_sql(rows).execute(&mut older).await.unwrap();
    let version = sqlx::AssertSqlSafe(format!("PRAGMA user_version = {schema}"));
    sqlx::raw_sql(version).execute(&mut older).await.unwrap();
    older.close().await.unwrap();
    // Write the bytes directly: SQLite's indexes would refuse the card.
    let mut bytes = std::fs::read(path).unwrap();
    let at = bytes.windows(7).position(|some| some == br#"{"mark""#).unwrap();
    bytes[at] = b'x';
    std::fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn damaged_bytes_in_an_entry_are_an_error_of_its_table_alone() {
    let (_folder, journal, [good, bad]) = opened().await;
    change(
        &journal,
        "UPDATE events SET event = CAST(x'ff' AS TEXT) WHERE table_id = 'BBB2' AND sequence = 2",
    )
    .await;
    let read = [journal.load(bad).await.map(drop), journal.chain(bad).await.map(drop)];
    for error in read.map(Result::unwrap_err) {
        let StoreError::Unreadable { table, sequence, why } = error else { panic!("{error:?}") };
        assert!((table, sequence) == (bad, 2) && why.contains("utf-8"), "{why}");
    }
    assert_eq!(journal.load(good).await.unwrap(), first_batch(good).entries);
}

#[tokio::test]
async fn damaged_bytes_in_rows_beside_the_entries_stop_no_other_row() {
    let (_folder, journal, [good, bad]) = opened().await;
    table_of_two(&journal, id("CCC2")).await;
    for sql in [
        "UPDATE outbox SET say = CAST(x'ff' AS TEXT) WHERE table_id = 'BBB2' AND key = 'announce'",
        "UPDATE outbox SET table_id = CAST(x'ff' AS TEXT) WHERE table_id = 'BBB2' AND key = 'thread'",
        "UPDATE jobs SET level = CAST(x'ff' AS TEXT) WHERE table_id = 'BBB2'",
        "UPDATE ratings SET pool = CAST(x'ff' AS TEXT)",
        "UPDATE follows SET table_id = CAST(x'ff' AS TEXT)",
        "UPDATE share_links SET token = CAST(x'ff' AS TEXT) WHERE table_id IS NOT NULL",
        "UPDATE annotations SET comment = CAST(x'ff' AS TEXT)",
    ] {
        change(&journal, sql).await;
    }
    for _ in 0..2 {
        let due: Vec<_> = journal.due(0, 9).await.unwrap().iter().map(|due| due.table).collect();
        assert_eq!(due, [good, good, id("CCC2")]);
        assert_eq!(journal.due_at(bad, 9).await.unwrap(), []);
        assert_eq!(journal.due_tables(0, 9).await.unwrap().len(), 3);
        let job = Job { table: good, ply: 0, level: Level::Easy, seed: u64::MAX };
        assert_eq!(journal.jobs(PageRequest::default()).await.unwrap().rows, [job]);
        assert_eq!(
            journal.ratings().history(Account::Person(DAN), PageRequest::default()).await.unwrap().rows,
            []
        );
        assert_eq!(journal.ratings().leaders("amazons", RatingPool::Two, None, 9).await.unwrap(), []);
        assert_eq!(journal.follows().watched_by(DAN, PageRequest::default()).await.unwrap().rows, []);
        assert_eq!(journal.share_links().links_by(DAN, PageRequest::default()).await.unwrap().rows, []);
        assert_eq!(journal.annotations().annotations_of(DAN, id("CCC2")).await.unwrap(), []);
    }
}

#[tokio::test]
async fn damaged_bytes_in_what_was_posted_hide_no_table() {
    let (_folder, journal, [_, bad]) = opened().await;
    change(&journal, "UPDATE outbox SET say = CAST(x'ff' AS TEXT), message = 5 WHERE table_id = 'BBB2'")
        .await;
    assert_eq!(journal.posted_item(MessageId(5)).await.unwrap(), Some((bad, None::<OutboxItem>)));
    assert_eq!(journal.table_of(MessageId(5)).await.unwrap(), Some(bad));
}

#[tokio::test]
async fn damaged_preferences_and_notes_can_be_set_anew() {
    let (_folder, journal, _) = opened().await;
    let personal = PersonalPreferences { large_print: true, ..PersonalPreferences::default() };
    for damage in [
        "UPDATE preferences SET chosen = CAST(x'ff' AS TEXT)",
        "UPDATE preferences SET chosen = '{' WHERE kind = 0",
    ] {
        journal.preferences().store_personal(DAN, &personal).await.unwrap();
        change(&journal, damage).await;
        assert!(journal.preferences().personal(DAN).await.unwrap_err().is_unreadable());
        assert_eq!(journal.preferences().resting(PageRequest::default()).await.unwrap().rows, []);
        assert_eq!(
            journal.preferences().servers_with_lobby(PageRequest::default()).await.unwrap().rows,
            Vec::<GuildId>::new()
        );
        journal.preferences().store_personal(DAN, &personal).await.unwrap();
        assert_eq!(journal.preferences().personal(DAN).await.unwrap().as_ref(), Some(&personal));
    }
    journal.store_note("note", "1").await.unwrap();
    change(&journal, "UPDATE notes SET value = CAST(x'ff' AS TEXT)").await;
    assert_eq!((journal.note("note").await.unwrap(), journal.unreadable()), (None, 1));
    journal.store_note("note", "2").await.unwrap();
    assert_eq!((journal.note("note").await.unwrap().as_deref(), journal.unreadable()), (Some("2"), 0));
    journal.store_note("outbox-pruned-2", "1 GGG2").await.unwrap();
    change(&journal, "UPDATE notes SET value = CAST(x'ff' AS TEXT)").await;
    journal.append(&second_batch(id("GGG2"))).await.unwrap();
    assert_eq!(journal.prune_outbox(moment(i64::MAX), 9).await.unwrap(), 1);
}

#[tokio::test]
async fn damaged_name_of_a_finished_table_does_not_hold_up_pruning() {
    let (_folder, journal, [good, bad]) = opened().await;
    for table in [bad, good] {
        journal.append(&second_batch(table)).await.unwrap();
    }
    journal.follows().follow(DAN, good, WatchMode::Thread).await.unwrap();
    change(&journal, "UPDATE cards SET table_id = CAST(x'ff' AS TEXT) WHERE table_id = 'BBB2'").await;
    assert_eq!(journal.prune_outbox(moment(i64::MAX), 9).await.unwrap(), 2);
    assert_eq!(journal.prune_outbox(moment(i64::MAX), 9).await.unwrap(), 0, "it is not met again");
}
