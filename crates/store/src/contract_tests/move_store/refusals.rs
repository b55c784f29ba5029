//! Stores that cannot be moved, or moved to.

use super::super::corrupt::{corrupt_at, root_of};
use super::super::postgres::server::Database;
use super::super::{first_batch, id};
use super::{Empty, NO_PROGRESS, filled_file, moved, records_of_file, run, sqlite};
use crate::{MoveError, Postgres, Sqlite, StoreAddress, move_store};
use rookery_table::ports::{Journal, StoreError};

async fn refused(from: &StoreAddress, to: &StoreAddress) -> MoveError {
    move_store(from, to, NO_PROGRESS).await.unwrap_err()
}

#[tokio::test]
async fn move_into_a_store_with_records_is_refused_and_changes_nothing() {
    let (Some(empty), Some(database)) = (Empty::create().await, Database::create().await) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (filled_file(folder.path()).await, folder.path().join("other.sqlite"));
    database.journal.store_note("note", "kept").await.unwrap();
    database.journal.close().await;
    let to = StoreAddress::Postgres(database.url());
    let error = refused(&sqlite(&file), &to).await;
    assert!(matches!(error, MoveError::NotEmpty { table: "notes", .. }), "{error:?}");
    assert!(error.to_string().starts_with(&format!("{to} is not empty: its table notes has")), "{error}");
    let journal = Postgres::open(&database.url()).await.expect("it is free again");
    assert_eq!(journal.note("note").await.unwrap().as_deref(), Some("kept"));
    let journal = Sqlite::open(&other).await.unwrap();
    journal.append(&first_batch(id("KKK2"))).await.unwrap();
    journal.close().await;
    let before = records_of_file(&other).await;
    moved(&sqlite(&file), &empty.address()).await;
    let error = refused(&empty.address(), &sqlite(&other)).await;
    assert!(matches!(error, MoveError::NotEmpty { table: "events", .. }), "{error:?}");
    assert_eq!(records_of_file(&other).await, before);
}

#[tokio::test]
async fn move_into_a_store_that_was_opened_but_has_no_records_is_possible() {
    let Some(database) = Database::create().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (filled_file(folder.path()).await, folder.path().join("other.sqlite"));
    database.journal.probe().await.unwrap();
    database.journal.close().await;
    moved(&sqlite(&file), &StoreAddress::Postgres(database.url())).await;
    let journal = Sqlite::open(&other).await.unwrap();
    journal.probe().await.unwrap();
    journal.close().await;
    moved(&sqlite(&file), &sqlite(&other)).await;
    assert_eq!(records_of_file(&other).await, records_of_file(&file).await);
}

#[tokio::test]
async fn move_of_a_store_in_use_is_refused_and_its_owner_named() {
    let (Some(empty), Some(database)) = (Empty::create().await, Database::create().await) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, new) = (filled_file(folder.path()).await, folder.path().join("new.sqlite"));
    let in_use = |error: MoveError, of_source: bool| {
        assert_eq!(matches!(error, MoveError::Source(_)), of_source, "{error:?}");
        let process = format!("process {} on ", std::process::id());
        assert!(error.to_string().contains("in use by") && error.to_string().contains(&process), "{error}");
    };
    let used = StoreAddress::Postgres(database.url());
    in_use(refused(&used, &sqlite(&new)).await, true);
    in_use(refused(&sqlite(&file), &used).await, false);
    assert!(!new.exists(), "the target is not made before the source can be read");
    let journal = Sqlite::open(&file).await.unwrap();
    in_use(refused(&sqlite(&file), &empty.address()).await, true);
    let beside = tempfile::tempdir().unwrap();
    let other = filled_file(beside.path()).await;
    in_use(refused(&sqlite(&other), &sqlite(&file)).await, false);
    journal.close().await;
    database.journal.close().await;
    moved(&sqlite(&file), &used).await;
}

#[tokio::test]
async fn move_of_a_store_to_itself_is_refused() {
    let Some(empty) = Empty::create().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = filled_file(folder.path()).await;
    let other_name = folder.path().join(".").join("filled.sqlite");
    assert!(matches!(refused(&sqlite(&file), &sqlite(&other_name)).await, MoveError::SameStore(_)));
    assert!(matches!(refused(&empty.address(), &empty.address()).await, MoveError::SameStore(_)));
}

#[tokio::test]
async fn move_of_what_is_no_journal_is_refused() {
    let Some(empty) = Empty::create().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (absent, new) = (folder.path().join("absent.sqlite"), folder.path().join("new.sqlite"));
    let error = refused(&sqlite(&absent), &empty.address()).await.to_string();
    assert!(error.contains("absent.sqlite: there is no such file"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no lock is left behind");
    let error = refused(&empty.address(), &sqlite(&new)).await.to_string();
    assert!(error.contains("it has no journal of Rookery"), "{error}");
    empty
        .run("CREATE TABLE _sqlx_migrations (version bigint); INSERT INTO _sqlx_migrations VALUES (99)")
        .await;
    let error = refused(&empty.address(), &sqlite(&new)).await.to_string();
    assert!(error.contains("it has migration 99, this program knows 9: use a newer program"), "{error}");
    assert!(!new.exists());
}

/// What SQLite has in a damaged file, and what is said of it.
const DAMAGE: [(&str, &str, &str); 6] = [
    (
        "UPDATE cards SET card = CAST(x'ff' AS TEXT) WHERE table_id = 'KKK2'",
        "the record with table_id = 'KKK2' in the table cards",
        "column card",
    ),
    (
        "UPDATE events SET event = CAST(x'c328' AS TEXT) WHERE table_id = 'KKK2' AND sequence = 2",
        "the record with table_id = 'KKK2' and sequence = 2 in the table events",
        "column event",
    ),
    (
        "UPDATE notes SET key = CAST(x'6bff' AS TEXT) WHERE key = 'many-7'",
        "the record with key = 'k\u{fffd}' in the table notes",
        "column key",
    ),
    (
        "UPDATE share_links SET by_setting = 7 WHERE by_setting = 0 AND digest = (SELECT min(digest) FROM share_links \
         WHERE by_setting = 0)",
        "in the table share_links",
        "column by_setting is 7, not 0 or 1",
    ),
    ("UPDATE annotations SET comment = CAST(x'ff' AS TEXT)", "in the table annotations", "column comment"),
    (
        "UPDATE erased SET table_id = 'ER' || char(0) || 'A' WHERE table_id = 'ERA2'",
        "the record with table_id = \"ER\\0A\" in the table erased",
        "a NUL character, which PostgreSQL cannot store",
    ),
];

#[tokio::test]
async fn move_of_a_damaged_record_is_refused_and_the_record_named() {
    let Some(empty) = Empty::create().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = filled_file(folder.path()).await;
    for (sql, record, why) in DAMAGE {
        let damaged = folder.path().join("damaged.sqlite");
        std::fs::copy(&file, &damaged).unwrap();
        run(&damaged, sql).await;
        let error = refused(&sqlite(&damaged), &empty.address()).await;
        assert!(matches!(error, MoveError::UnreadableRecord { .. }), "{error:?}");
        let error = error.to_string();
        assert!(error.contains(record) && error.contains(why), "{error}");
        assert!(error.contains("Restore a backup") && error.contains("damaged.sqlite"), "{error}");
        assert_eq!(empty.records().await, Vec::<String>::new());
    }
    moved(&sqlite(&file), &empty.address()).await;
}

#[tokio::test]
async fn move_of_a_value_of_another_type_is_refused_and_the_record_named() {
    let Some(empty) = Empty::create().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = filled_file(folder.path()).await;
    let lax = "PRAGMA writable_schema = ON; \
               UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT,', ''), 'NOT NULL', '') WHERE name = 'jobs'";
    run(&file, lax).await;
    for (sql, why) in
        [("UPDATE jobs SET ply = 'x'", "column ply"), ("UPDATE jobs SET ply = NULL", "has no value")]
    {
        run(&file, sql).await;
        let error = refused(&sqlite(&file), &empty.address()).await.to_string();
        assert!(error.contains(why) && error.contains("in the table jobs"), "{error}");
    }
}

#[tokio::test]
async fn move_of_a_damaged_page_is_refused_and_the_table_named() {
    let Some(empty) = Empty::create().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = filled_file(folder.path()).await;
    let journal = Sqlite::open(&file).await.unwrap();
    let root = root_of(&journal, "jobs").await;
    journal.close().await;
    let _damage = corrupt_at(&file, root);
    let error = refused(&sqlite(&file), &empty.address()).await;
    assert!(matches!(error, MoveError::Source(StoreError::Damaged(_))), "{error:?}");
    assert!(error.to_string().contains("the table jobs: the journal's file is damaged"), "{error}");
    let beside = tempfile::tempdir().unwrap();
    moved(&sqlite(&filled_file(beside.path()).await), &empty.address()).await;
}

/// Another program could write to a store although it is owned.
#[tokio::test]
async fn move_whose_copy_differs_is_refused_and_leaves_nothing() {
    let Some(database) = Database::create().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (filled_file(folder.path()).await, folder.path().join("other.sqlite"));
    database.journal.close().await;
    let to = StoreAddress::Postgres(database.url());
    let trigger = "CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS \
        $$ BEGIN IF NEW.key = 'many-7' THEN NEW.value := '2'; END IF; RETURN NEW; END $$; \
        CREATE TRIGGER change BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION change()";
    database.run(trigger).await;
    let error = refused(&sqlite(&file), &to).await;
    assert!(matches!(error, MoveError::Different { table: "notes", .. }), "{error:?}");
    let left = super::records_of_database(&mut database.connect().await).await;
    assert_eq!(left, Vec::<String>::new());
    Sqlite::open(&other).await.unwrap().close().await;
    run(&other, "CREATE TRIGGER lose AFTER INSERT ON blocks BEGIN DELETE FROM blocks; END").await;
    let error = refused(&sqlite(&file), &sqlite(&other)).await;
    assert!(
        matches!(error, MoveError::Different { table: "blocks", source_records: 1.., target_records: 0 }),
        "{error:?}"
    );
    assert!(records_of_file(&other).await.is_empty());
}
