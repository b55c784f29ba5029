//! The contents of the SQLite file, data of older versions, and changes made without the journal.

use std::sync::Arc;

use super::people::{DAN, EVE, table_of_two};
use super::{first_batch, id, moment, second_batch};
use crate::Sqlite;
use rookery_table::hash_chain::{self, ChainError};
use rookery_table::ports::{Filter, Journal, PageRequest, WatchMode};
use rookery_table::preferences::{PersonalPreferences, ServerPreferences};
use rookery_table::preferences_cache::PreferencesCache;
use rookery_table::{ChannelId, Event, GuildId, UserId};

/// Opens a file, and a second connection that bypasses the journal.
async fn opened_file(folder: &tempfile::TempDir) -> (Sqlite, sqlx::SqlitePool) {
    let path = folder.path().join("rookery.sqlite");
    let journal = Sqlite::open(&path).await.unwrap();
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path);
    (journal, sqlx::SqlitePool::connect_with(options).await.unwrap())
}

#[tokio::test]
async fn sqlite_remembers_after_closing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    let table = id("K7Q2");
    let journal = Sqlite::open(&path).await.unwrap();
    journal.append(&first_batch(table)).await.unwrap();
    journal.close().await;
    let journal = Sqlite::open(&path).await.unwrap();
    assert_eq!(journal.load(table).await.unwrap(), first_batch(table).entries);
}

#[tokio::test]
async fn a_file_from_the_future_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    let journal = Sqlite::open(&path).await.unwrap();
    journal.close().await;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path);
    let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
    sqlx::raw_sql("PRAGMA user_version = 1000").execute(&pool).await.unwrap();
    pool.close().await;
    let error = Sqlite::open(&path).await.err().unwrap().to_string();
    assert!(error.contains("schema 1000"), "{error}");
}

#[tokio::test]
async fn one_row_that_cannot_be_read_stops_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, file) = opened_file(&folder).await;
    let [good, bad] = [id("GGG2"), id("BBB2")];
    for table in [bad, good] {
        journal.append(&first_batch(table)).await.unwrap();
    }
    for sql in [
        r#"UPDATE outbox SET say = '{"say":"sing"}' WHERE table_id = 'BBB2'"#,
        "UPDATE cards SET card = '{}' WHERE table_id = 'BBB2'",
        "UPDATE jobs SET level = 'divine' WHERE table_id = 'BBB2'",
    ] {
        sqlx::raw_sql(sql).execute(&file).await.unwrap();
    }
    for _ in 0..3 {
        let cards = journal.list(&Filter::default(), PageRequest::default()).await.unwrap().rows;
        assert_eq!(cards.iter().map(|card| card.id).collect::<Vec<_>>(), [good]);
        let jobs = journal.jobs(PageRequest::default()).await.unwrap().rows;
        assert_eq!(jobs.iter().map(|job| job.table).collect::<Vec<_>>(), [good]);
        // The limit is reached although two rows before them are unreadable.
        let due = journal.due(0, 2).await.unwrap();
        assert_eq!(due.iter().map(|row| row.table).collect::<Vec<_>>(), [good, good]);
        assert_eq!(journal.unreadable(), 4, "a card, a job and two rows of the outbox, each once");
    }
    journal.append(&second_batch(bad)).await.unwrap();
    assert_eq!(journal.list(&Filter::default(), PageRequest::default()).await.unwrap().rows.len(), 2);
    assert_eq!(journal.unreadable(), 3, "its card is written anew");
}

#[tokio::test]
async fn what_waits_to_be_read_is_due_again_once_it_can_be() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, file) = opened_file(&folder).await;
    let table = id("BBB2");
    journal.append(&first_batch(table)).await.unwrap();
    let newer = r#"UPDATE outbox SET say = '{"say":"sing"}' WHERE key = 'announce'"#;
    sqlx::raw_sql(newer).execute(&file).await.unwrap();
    let states = async || {
        let sql = "SELECT state FROM outbox ORDER BY id";
        sqlx::query_scalar::<_, i64>(sql).fetch_all(&file).await.unwrap()
    };
    assert_eq!(journal.due(0, 9).await.unwrap().len(), 1);
    assert_eq!(states().await, [4, 0], "it waits, and is not given up");
    journal.close().await;
    let journal = Sqlite::open(&folder.path().join("rookery.sqlite")).await.unwrap();
    assert_eq!(journal.due(0, 9).await.unwrap().len(), 1, "this version still cannot read it");
    assert_eq!((states().await, journal.unreadable()), (vec![4, 0], 1));
    journal.close().await;
    // Make the item readable, as a newer version would.
    let read = r#"UPDATE outbox SET say = '{"say":"announce"}' WHERE key = 'announce'"#;
    sqlx::raw_sql(read).execute(&file).await.unwrap();
    let journal = Sqlite::open(&folder.path().join("rookery.sqlite")).await.unwrap();
    let due = journal.due(0, 9).await.unwrap();
    assert_eq!(due.iter().map(|due| due.item.key()).collect::<Vec<_>>(), ["announce", "thread"]);
    assert_eq!(journal.unreadable(), 0);
}

#[tokio::test]
async fn preferences_that_cannot_be_read_are_the_defaults_and_can_be_set_anew() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, file) = opened_file(&folder).await;
    let journal = Arc::new(journal);
    let (personal, server) = (
        PersonalPreferences { large_print: true, ..PersonalPreferences::default() },
        ServerPreferences { lobby: Some(ChannelId(7)), ..ServerPreferences::default() },
    );
    for guild in [7, 8] {
        journal.preferences().store_server(GuildId(guild), &server).await.unwrap();
    }
    journal.preferences().store_personal(DAN, &personal).await.unwrap();
    for sql in [
        r#"UPDATE preferences SET chosen = '{"pings":"by-pigeon"}' WHERE kind = 0"#,
        "UPDATE preferences SET chosen = '{' WHERE kind = 1 AND id = 7",
    ] {
        sqlx::raw_sql(sql).execute(&file).await.unwrap();
    }
    assert_eq!(
        journal.preferences().servers_with_lobby(PageRequest::default()).await.unwrap().rows,
        [GuildId(8)],
        "others are still found"
    );
    for _ in 0..3 {
        let preferences_cache = PreferencesCache::new(journal.clone());
        assert_eq!(*preferences_cache.person(DAN).await, PersonalPreferences::default());
        assert_eq!(*preferences_cache.server(Some(GuildId(7))).await, ServerPreferences::default());
        assert!(
            preferences_cache.read_person(DAN).await.unwrap_err().is_unreadable(),
            "or days off would end by it"
        );
        assert_eq!(journal.unreadable(), 2, "each once");
    }
    let preferences_cache = PreferencesCache::new(journal.clone());
    preferences_cache.change_person(DAN, |it| it.large_print = true).await.unwrap();
    preferences_cache.change_server(GuildId(7), |it| it.lobby = Some(ChannelId(7))).await.unwrap();
    assert_eq!(journal.preferences().personal(DAN).await.unwrap(), Some(personal));
    assert_eq!(journal.preferences().server(GuildId(7)).await.unwrap(), Some(server));
    assert_eq!(journal.unreadable(), 0);
}

#[tokio::test]
async fn unreadable_watch_mode_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, file) = opened_file(&folder).await;
    let table = id("K7Q2");
    for who in [DAN, EVE] {
        journal.follows().follow(who, table, WatchMode::Thread).await.unwrap();
    }
    let newer = sqlx::query("UPDATE follows SET how = 9 WHERE person = ?").bind(DAN.0 as i64);
    newer.execute(&file).await.unwrap();
    assert_eq!(
        journal.follows().followers(table, PageRequest::default()).await.unwrap().rows,
        [(EVE, WatchMode::Thread)]
    );
    assert_eq!(journal.unreadable(), 1);
}

#[tokio::test]
async fn hash_chain_detects_changes_made_without_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, file) = opened_file(&folder).await;
    let table = id("K7Q2");
    journal.append(&first_batch(table)).await.unwrap();
    journal.append(&second_batch(table)).await.unwrap();
    let changes = [
        (
            "UPDATE events SET event = replace(event, 'b3', 'b4') WHERE sequence = 3",
            ChainError::Altered { sequence: 3 },
        ),
        ("UPDATE events SET at_ms = at_ms + 1 WHERE sequence = 1", ChainError::Altered { sequence: 1 }),
        ("UPDATE events SET source = NULL WHERE sequence = 2", ChainError::Altered { sequence: 2 }),
        ("UPDATE events SET seal = NULL WHERE sequence = 2", ChainError::Unsealed { sequence: 2 }),
        ("DELETE FROM events WHERE sequence = 2", ChainError::Missing { sequence: 2 }),
        ("DELETE FROM events WHERE sequence = 3", ChainError::CutOff),
        ("UPDATE cards SET head = NULL", ChainError::CutOff),
    ];
    for (change, broken) in changes {
        let kept = "CREATE TABLE e AS SELECT * FROM events; CREATE TABLE c AS SELECT * FROM cards";
        sqlx::raw_sql(kept).execute(&file).await.unwrap();
        sqlx::raw_sql(change).execute(&file).await.unwrap();
        assert_eq!(hash_chain::verify(table, &journal.chain(table).await.unwrap()), Err(broken), "{change}");
        let back = "DELETE FROM events; INSERT INTO events SELECT * FROM e; DROP TABLE e; \
             DELETE FROM cards; INSERT INTO cards SELECT * FROM c; DROP TABLE c";
        sqlx::raw_sql(back).execute(&file).await.unwrap();
        assert!(hash_chain::verify(table, &journal.chain(table).await.unwrap()).is_ok(), "{change}");
    }
}

#[tokio::test]
async fn a_journal_from_before_seals_is_read_and_sealed_from_then_on() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, file) = opened_file(&folder).await;
    let table = id("K7Q2");
    journal.append(&first_batch(table)).await.unwrap();
    // Data of an older version: plain person ids, no seals, and a schema without columns for them.
    for entry in first_batch(table).entries {
        let event = serde_json::to_string(&entry.event).unwrap();
        let row = sqlx::query("UPDATE events SET event = ? WHERE sequence = ?").bind(event);
        row.bind(entry.sequence as i64).execute(&file).await.unwrap();
    }
    let older = "ALTER TABLE events DROP COLUMN seal; ALTER TABLE cards DROP COLUMN head; DROP INDEX cards_unfinished; DROP INDEX cards_unfinished_by_stage; \
         DROP INDEX cards_unfinished_by_guild; DROP INDEX preferences_lobby; \
         DROP TABLE ratings; DROP TABLE follows; DROP INDEX cards_playing; DROP INDEX cards_frozen; \
         DROP INDEX cards_by_moment; DROP INDEX cards_owing_proof; DROP INDEX cards_resting; \
         DROP INDEX preferences_resting; DROP TABLE stand_ins; DROP TABLE erased; DROP INDEX outbox_barred; \
         DROP INDEX cards_imported; DROP INDEX outbox_due_since; DROP INDEX outbox_due_by_table; \
         ALTER TABLE outbox DROP COLUMN due_since_ms; DROP TABLE probe; \
         DROP INDEX cards_open_by_host; DROP TABLE blocks; DROP TABLE bans; DROP TABLE share_links; DROP TABLE share_withdrawn; DROP TABLE sign_ins; DROP TABLE web_sessions; \
         DROP TABLE annotations; DROP TABLE annotation_links; \
         DROP INDEX people_by_table; DROP INDEX cards_latest; DROP INDEX outbox_unreadable; DROP TABLE named; \
         DROP TABLE deletions; DROP TABLE messages; DROP TABLE _sqlx_migrations; PRAGMA user_version = 2";
    sqlx::raw_sql(older).execute(&file).await.unwrap();
    journal.close().await;
    let (journal, _) = opened_file(&folder).await;
    assert_eq!(journal.load(table).await.unwrap(), first_batch(table).entries);
    let sound = hash_chain::verify(table, &journal.chain(table).await.unwrap()).unwrap();
    assert_eq!((sound.entries, sound.unsealed, sound.head), (2, 2, None));
    journal.append(&second_batch(table)).await.unwrap();
    let sound = hash_chain::verify(table, &journal.chain(table).await.unwrap()).unwrap();
    assert!(sound.entries == 3 && sound.unsealed == 2 && sound.head.is_some());
    sqlx::raw_sql("UPDATE events SET at_ms = 0 WHERE sequence = 1").execute(&file).await.unwrap();
    let broken = hash_chain::verify(table, &journal.chain(table).await.unwrap());
    assert_eq!(
        broken,
        Err(ChainError::Altered { sequence: 3 }),
        "the first seal vouches for what stood before"
    );
}

/// Whether a file contains an id, in digits or in SQLite's binary form.
fn holds(bytes: &[u8], who: UserId) -> bool {
    let (digits, binary) = (who.0.to_string().into_bytes(), who.0.to_be_bytes());
    let has = |wanted: &[u8]| bytes.windows(wanted.len()).any(|some| some == wanted);
    has(&digits) || has(&binary)
}

#[tokio::test]
async fn deleted_person_is_in_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, _) = opened_file(&folder).await;
    let table = id("PPP2");
    table_of_two(&journal, table).await;
    let all = || {
        let files = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
        files.flat_map(|path| std::fs::read(path).unwrap()).collect::<Vec<u8>>()
    };
    assert!(holds(&all(), DAN) && holds(&all(), EVE), "or this test finds nothing");
    journal.privacy().replace_with_pseudonym(DAN, table, moment(9)).await.unwrap();
    journal.privacy().delete_personal_rows(DAN).await.unwrap();
    assert!(!holds(&all(), DAN) && holds(&all(), EVE));
}

#[tokio::test]
async fn entries_from_before_pseudonyms_are_rewritten_and_marked() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, file) = opened_file(&folder).await;
    let table = id("PPP2");
    let batch = table_of_two(&journal, table).await;
    // Data of an older version: person ids in the entries themselves.
    for link in hash_chain::chain_entries(table, &batch.entries, None) {
        let sql = "UPDATE events SET event = ?, seal = ? WHERE table_id = 'PPP2' AND sequence = ?";
        let row = sqlx::query(sql).bind(link.event).bind(link.seal.clone()).bind(link.sequence as i64);
        row.execute(&file).await.unwrap();
        sqlx::query("UPDATE cards SET head = ?").bind(link.seal).execute(&file).await.unwrap();
    }
    let older = "DELETE FROM stand_ins; DELETE FROM people; DROP INDEX people_by_table; DROP INDEX cards_latest; \
         DROP INDEX outbox_unreadable; DROP INDEX follows_of_person; DROP TABLE named; DROP TABLE deletions; \
         DROP INDEX cards_unfinished; DROP INDEX cards_unfinished_by_stage; DROP INDEX cards_unfinished_by_guild; DROP INDEX preferences_lobby; \
         DROP INDEX ratings_history; DROP TABLE messages; DROP TABLE sign_ins; DROP TABLE web_sessions; \
         DROP TABLE annotations; DROP TABLE annotation_links; DROP TABLE _sqlx_migrations; PRAGMA user_version = 15";
    sqlx::raw_sql(older).execute(&file).await.unwrap();
    // A damaged entry of another table does not prevent the deletion.
    let damaged = "INSERT INTO events VALUES ('BBB2', 1, 0, NULL, '{\"person\":', NULL)";
    sqlx::raw_sql(damaged).execute(&file).await.unwrap();
    journal.close().await;
    let (journal, file) = opened_file(&folder).await;
    let named: Vec<(i64, String)> =
        sqlx::query_as("SELECT person, table_id FROM named ORDER BY person").fetch_all(&file).await.unwrap();
    assert_eq!(named, [DAN, EVE].map(|who| (who.0 as i64, "PPP2".to_owned())), "people, and no other number");
    assert_eq!(journal.load(table).await.unwrap(), batch.entries);
    assert_eq!(
        journal.privacy().tables_naming(DAN, PageRequest::default()).await.unwrap().rows,
        [table],
        "found in the entries"
    );
    let before = journal.chain(table).await.unwrap();
    journal.privacy().replace_with_pseudonym(DAN, table, moment(9_000)).await.unwrap();
    let after = journal.chain(table).await.unwrap();
    assert!(after.links.iter().all(|link| !link.event.contains(&DAN.0.to_string())));
    assert_eq!(hash_chain::verify(table, &after).unwrap().entries, 3);
    let entries = journal.load(table).await.unwrap();
    let said = Event::Forgotten { seal: before.head, sound: true, unsealed: 0 };
    assert_eq!((entries[2].at, &entries[2].event), (moment(9_000), &said));
}
