//! The SQLite file: what is in it, what older versions left there, and what is done to it behind the journal's
//! back.

use super::people::{DAN, EVE, table_of_two};
use super::{first_batch, id, second_batch};
use crate::store::Sqlite;
use crate::table::ports::{Filter, Journal};
use crate::table::seal::{self, Broken};
use crate::table::{Event, Person};

/// A file of its own, and a way to reach into it behind the journal's back.
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
    let cards = journal.list(&Filter::default()).await.unwrap();
    assert_eq!(cards.iter().map(|card| card.id).collect::<Vec<_>>(), [good]);
    let jobs = journal.jobs().await.unwrap();
    assert_eq!(jobs.iter().map(|job| job.table).collect::<Vec<_>>(), [good]);
    let due = journal.due(0, 10).await.unwrap();
    assert_eq!(due.iter().map(|row| row.table).collect::<Vec<_>>(), [good, good]);
    let given_up: i64 =
        sqlx::query_scalar("SELECT count(*) FROM outbox WHERE state = 2 AND why LIKE '%BBB2%'")
            .fetch_one(&file)
            .await
            .unwrap();
    assert_eq!(given_up, 2, "they are kept with the reason, and not read again for ever");
}

#[tokio::test]
async fn what_is_changed_behind_its_back_shows() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, file) = opened_file(&folder).await;
    let table = id("K7Q2");
    journal.append(&first_batch(table)).await.unwrap();
    journal.append(&second_batch(table)).await.unwrap();
    let changes = [
        (
            "UPDATE events SET event = replace(event, 'b3', 'b4') WHERE sequence = 3",
            Broken::Altered { sequence: 3 },
        ),
        ("UPDATE events SET at_ms = at_ms + 1 WHERE sequence = 1", Broken::Altered { sequence: 1 }),
        ("UPDATE events SET source = NULL WHERE sequence = 2", Broken::Altered { sequence: 2 }),
        ("UPDATE events SET seal = NULL WHERE sequence = 2", Broken::Unsealed { sequence: 2 }),
        ("DELETE FROM events WHERE sequence = 2", Broken::Missing { sequence: 2 }),
        ("DELETE FROM events WHERE sequence = 3", Broken::CutOff),
        ("UPDATE cards SET head = NULL", Broken::CutOff),
    ];
    for (change, broken) in changes {
        let kept = "CREATE TABLE e AS SELECT * FROM events; CREATE TABLE c AS SELECT * FROM cards";
        sqlx::raw_sql(kept).execute(&file).await.unwrap();
        sqlx::raw_sql(change).execute(&file).await.unwrap();
        assert_eq!(seal::check(table, &journal.chain(table).await.unwrap()), Err(broken), "{change}");
        let back = "DELETE FROM events; INSERT INTO events SELECT * FROM e; DROP TABLE e; \
             DELETE FROM cards; INSERT INTO cards SELECT * FROM c; DROP TABLE c";
        sqlx::raw_sql(back).execute(&file).await.unwrap();
        assert!(seal::check(table, &journal.chain(table).await.unwrap()).is_ok(), "{change}");
    }
}

#[tokio::test]
async fn a_journal_from_before_seals_is_read_and_sealed_from_then_on() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, file) = opened_file(&folder).await;
    let table = id("K7Q2");
    journal.append(&first_batch(table)).await.unwrap();
    // What an older version left: people by their numbers, no seals, and a schema that has no room for them.
    for entry in first_batch(table).entries {
        let event = serde_json::to_string(&entry.event).unwrap();
        let row = sqlx::query("UPDATE events SET event = ? WHERE sequence = ?").bind(event);
        row.bind(entry.sequence as i64).execute(&file).await.unwrap();
    }
    let older = "ALTER TABLE events DROP COLUMN seal; ALTER TABLE cards DROP COLUMN head; \
         DROP TABLE ratings; DROP TABLE follows; DROP INDEX cards_playing; DROP INDEX cards_frozen; \
         DROP INDEX cards_by_moment; DROP INDEX cards_owing_proof; DROP INDEX cards_resting; \
         DROP INDEX preferences_resting; DROP TABLE stand_ins; DROP TABLE erased; DROP INDEX outbox_barred; \
         DROP INDEX cards_imported; DROP INDEX outbox_due_since; \
         ALTER TABLE outbox DROP COLUMN due_since_ms; DROP TABLE probe; \
         PRAGMA user_version = 2";
    sqlx::raw_sql(older).execute(&file).await.unwrap();
    journal.close().await;
    let (journal, _) = opened_file(&folder).await;
    assert_eq!(journal.load(table).await.unwrap(), first_batch(table).entries);
    let sound = seal::check(table, &journal.chain(table).await.unwrap()).unwrap();
    assert_eq!((sound.entries, sound.unsealed, sound.head), (2, 2, None));
    journal.append(&second_batch(table)).await.unwrap();
    let sound = seal::check(table, &journal.chain(table).await.unwrap()).unwrap();
    assert!(sound.entries == 3 && sound.unsealed == 2 && sound.head.is_some());
    sqlx::raw_sql("UPDATE events SET at_ms = 0 WHERE sequence = 1").execute(&file).await.unwrap();
    let broken = seal::check(table, &journal.chain(table).await.unwrap());
    assert_eq!(broken, Err(Broken::Altered { sequence: 3 }), "the first seal vouches for what stood before");
}

/// Whether a number stands in a file, in digits or as the medium writes it.
fn holds(bytes: &[u8], who: Person) -> bool {
    let (digits, binary) = (who.0.to_string().into_bytes(), who.0.to_be_bytes());
    let has = |wanted: &[u8]| bytes.windows(wanted.len()).any(|some| some == wanted);
    has(&digits) || has(&binary)
}

#[tokio::test]
async fn nothing_of_who_was_taken_out_is_left_in_the_file_nor_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, _) = opened_file(&folder).await;
    let table = id("PPP2");
    table_of_two(&journal, table).await;
    let all = || {
        let files = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
        files.flat_map(|path| std::fs::read(path).unwrap()).collect::<Vec<u8>>()
    };
    assert!(holds(&all(), DAN) && holds(&all(), EVE), "or this test finds nothing");
    journal.privacy().take_out(DAN, table, 9).await.unwrap();
    journal.privacy().take_out_rest(DAN).await.unwrap();
    assert!(!holds(&all(), DAN) && holds(&all(), EVE));
}

#[tokio::test]
async fn entries_from_before_stand_ins_are_rewritten_and_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, file) = opened_file(&folder).await;
    let table = id("PPP2");
    let batch = table_of_two(&journal, table).await;
    // What an older version left: people in the entries themselves.
    for link in seal::seal(table, &batch.entries, None) {
        let sql = "UPDATE events SET event = ?, seal = ? WHERE table_id = 'PPP2' AND sequence = ?";
        let row = sqlx::query(sql).bind(link.event).bind(link.seal.clone()).bind(link.sequence as i64);
        row.execute(&file).await.unwrap();
        sqlx::query("UPDATE cards SET head = ?").bind(link.seal).execute(&file).await.unwrap();
    }
    sqlx::query("DELETE FROM stand_ins").execute(&file).await.unwrap();
    sqlx::query("DELETE FROM people").execute(&file).await.unwrap();
    assert_eq!(journal.load(table).await.unwrap(), batch.entries);
    assert_eq!(journal.privacy().tables_naming(DAN).await.unwrap(), [table], "found in the entries");
    let before = journal.chain(table).await.unwrap();
    journal.privacy().take_out(DAN, table, 9_000).await.unwrap();
    let after = journal.chain(table).await.unwrap();
    assert!(after.links.iter().all(|link| !link.event.contains(&DAN.0.to_string())));
    assert_eq!(seal::check(table, &after).unwrap().entries, 3);
    let entries = journal.load(table).await.unwrap();
    let said = Event::Forgotten { seal: before.head, sound: true, unsealed: 0 };
    assert_eq!((entries[2].at_ms, &entries[2].event), (9_000, &said));
}
