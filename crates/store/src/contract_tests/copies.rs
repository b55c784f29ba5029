//! Backups are complete, private, never overwrite a file by accident, are made on schedule, and are upgraded
//! when restored.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use super::{first_batch, id};
use crate::sqlite::migrations::SCHEMA;
use crate::{Damage, Existing, RestoreError, Rotation, Sqlite, StoreAddress, back_up, check, restore};
use rookery_core::player::{Level, SearchRequest, SearchResult};
use rookery_core::{Analysis, Play};
use rookery_table::ports::{Answer, Clock, Filter, Job, Journal, PageRequest, Thinker, unanswered};
use rookery_table::registry::TableRegistry;
use rookery_table::thinking_limits::BudgetOwner;
use rookery_table::{Occupant, SourceId, TableId, UserId};

const NO_PROGRESS: &(dyn Fn(u64, u64) + Sync) = &|_, _| ();

/// A thinker that never answers, so that its turn stays owed.
pub(super) struct SleepingThinker;

impl Thinker for SleepingThinker {
    fn think(&self, _: Job, _: BudgetOwner, _: Box<dyn Play>) -> Answer<String> {
        unanswered()
    }
    fn analyse(&self, _: BudgetOwner, _: Box<dyn Play>, _: SearchRequest) -> Answer<SearchResult<String>> {
        unanswered()
    }
    fn best_lines(&self, _: BudgetOwner, _: Box<dyn Play>, _: SearchRequest, _: usize) -> Answer<Analysis> {
        unanswered()
    }
    fn drop_table(&self, _: TableId) {}
}

pub(super) struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        START
    }
}

/// Opens a journal with one table at which the bot is to move.
async fn opened() -> (tempfile::TempDir, PathBuf, Arc<Sqlite>, TableId) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    let journal = Arc::new(Sqlite::open(&path).await.unwrap());
    let registry = TableRegistry::new(journal.clone(), Arc::new(FixedClock), Arc::new(SleepingThinker), 1);
    let chairs = vec![Occupant::Ai { level: Level::Easy }, Occupant::Human { person: UserId(1) }];
    let seen = registry.open(super::terms(), UserId(1), chairs, Some(SourceId(1))).await.unwrap();
    (folder, path, journal, seen.table.id())
}

fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

async fn change(file: &Path, sql: &'static str) {
    let mut connection = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn backup_of_an_open_journal_holds_everything_in_one_private_file() {
    let (folder, path, journal, table) = opened().await;
    let to = folder.path().join("copies");
    std::fs::create_dir(&to).unwrap();
    let copy = to.join("copy.sqlite");
    back_up(&path, &copy, Existing::Keep, NO_PROGRESS).await.unwrap();
    assert_eq!(names(&to), ["copy.sqlite"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
    }
    journal.append(&first_batch(id("NNN2"))).await.unwrap();
    let kept = Sqlite::open_read_only(&copy).await.unwrap();
    assert_eq!(kept.load(table).await.unwrap(), journal.load(table).await.unwrap());
    assert_eq!(
        kept.list(&Filter::default(), PageRequest::default()).await.unwrap().rows.len(),
        1,
        "as of its moment"
    );
}

#[tokio::test]
async fn backup_takes_no_place_that_is_taken() {
    let (folder, path, _journal, _) = opened().await;
    let copy = folder.path().join("copy.sqlite");
    std::fs::write(&copy, "something of mine").unwrap();
    let why = back_up(&path, &copy, Existing::Keep, NO_PROGRESS).await.unwrap_err().to_string();
    assert!(why.contains("copy.sqlite: ") && why.contains("there already"), "{why}");
    assert_eq!(std::fs::read_to_string(&copy).unwrap(), "something of mine");
    for (to, what) in [(folder.path(), "folder"), (path.as_path(), "the journal itself")] {
        let why = back_up(&path, to, Existing::Replace, NO_PROGRESS).await.unwrap_err().to_string();
        assert!(why.contains(what), "{why}");
    }
    back_up(&path, &copy, Existing::Replace, NO_PROGRESS).await.unwrap();
    assert!(check(&copy, NO_PROGRESS).await.is_ok());
    let nowhere = folder.path().join("nowhere").join("copy.sqlite");
    assert!(back_up(&path, &nowhere, Existing::Keep, NO_PROGRESS).await.is_err());
    assert!(!names(folder.path()).iter().any(|name| name.contains("partial")), "{:?}", names(folder.path()));
}

#[tokio::test]
async fn damaged_journal_gives_no_backup() {
    let (folder, path, journal, _) = opened().await;
    journal.close().await;
    let mut bytes = std::fs::read(&path).unwrap();
    // Damage every page but the first, which holds the header and the schema.
    bytes[4_096..].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    let why = back_up(&path, &folder.path().join("copy.sqlite"), Existing::Keep, NO_PROGRESS).await;
    let why = why.unwrap_err().to_string();
    assert!(why.contains("damaged"), "{why}");
    assert!(
        names(folder.path())
            .iter()
            .all(|name| name.starts_with("rookery.sqlite") && !name.contains("partial"))
    );
}

#[tokio::test]
async fn restore_takes_the_place_of_a_closed_journal_and_keeps_what_was_there() {
    let (folder, path, journal, table) = opened().await;
    let copy = folder.path().join("copy.sqlite");
    back_up(&path, &copy, Existing::Keep, NO_PROGRESS).await.unwrap();
    journal.append(&first_batch(id("NNN2"))).await.unwrap();
    let entries = journal.load(table).await.unwrap().len();
    let refused = restore(&path, &copy, Damage::Refuse, NO_PROGRESS).await.unwrap_err().to_string();
    assert!(refused.contains("in use by process"), "{refused}");
    journal.close().await;
    let restored = restore(&path, &copy, Damage::Refuse, NO_PROGRESS).await.unwrap();
    assert_eq!((restored.report.tables, restored.report.entries), (1, entries));
    let tables = async |path: &Path| {
        let journal = Sqlite::open(path).await.unwrap();
        let found = journal.list(&Filter::default(), PageRequest::default()).await.unwrap().rows.len();
        journal.close().await;
        found
    };
    assert_eq!(tables(&path).await, 1);
    assert_eq!(tables(&restored.replaced.unwrap()).await, 2, "what was there, its log included");
    let elsewhere = folder.path().join("elsewhere.sqlite");
    let restored = restore(&elsewhere, &copy, Damage::Refuse, NO_PROGRESS).await.unwrap();
    assert!(restored.replaced.is_none() && tables(&elsewhere).await == 1);
}

#[tokio::test]
async fn backup_with_an_altered_entry_is_restored_only_when_told_to() {
    let (folder, path, journal, table) = opened().await;
    journal.close().await;
    let copy = folder.path().join("copy.sqlite");
    back_up(&path, &copy, Existing::Keep, NO_PROGRESS).await.unwrap();
    change(&copy, "UPDATE events SET at_ms = 7 WHERE sequence = 1").await;
    let before = names(folder.path());
    let refused = restore(&path, &copy, Damage::Refuse, NO_PROGRESS).await.unwrap_err();
    let RestoreError::Damaged(report) = refused else { panic!("{refused:?}") };
    assert_eq!((report.faults.len(), report.damaged_tables()), (1, 1));
    assert_eq!(report.faults[0].part, format!("table {table}"));
    assert_eq!(names(folder.path()), before, "nothing is left lying about");
    restore(&path, &copy, Damage::Accept, NO_PROGRESS).await.unwrap();
    assert_eq!(check(&path, NO_PROGRESS).await.unwrap().damaged_tables(), 1);
}

/// The write-ahead log beside a copy would be lost, because the copy alone takes the journal's name.
#[tokio::test]
async fn restore_refuses_a_copy_that_is_not_complete_without_its_log() {
    let (folder, path, journal, _) = opened().await;
    journal.close().await;
    let copy = folder.path().join("copy.sqlite");
    back_up(&path, &copy, Existing::Keep, NO_PROGRESS).await.unwrap();
    let before = std::fs::read(&path).unwrap();
    let write_log = |_, tables| {
        if tables == 1 {
            let is_copy = |name: &&String| name.contains(".partial-") && !name.ends_with("-shm");
            let name = names(folder.path()).into_iter().find(|name| is_copy(&name)).unwrap();
            std::fs::write(folder.path().join(name.trim_end_matches("-wal").to_owned() + "-wal"), "more")
                .unwrap();
        }
    };
    let refused = restore(&path, &copy, Damage::Accept, &write_log).await.unwrap_err().to_string();
    assert!(refused.contains("-wal") && refused.contains("nothing was restored"), "{refused}");
    assert_eq!(std::fs::read(&path).unwrap(), before, "the journal is as it was");
}

/// Copies the tables to a new file beside it, with schema 11.
async fn as_of_schema_11(newer: &Path) -> PathBuf {
    let older = newer.with_file_name("older.sqlite");
    let options = SqliteConnectOptions::new().filename(&older).create_if_missing(true);
    let mut connection = options.connect().await.unwrap();
    for sql in &SCHEMA[..11] {
        sqlx::raw_sql(*sql).execute(&mut connection).await.unwrap();
    }
    let attach = sqlx::query("ATTACH ? AS newer").bind(newer.to_str().unwrap().to_owned());
    attach.execute(&mut connection).await.unwrap();
    let rows = "INSERT INTO events SELECT table_id, sequence, at_ms, source, event, seal FROM newer.events; \
         INSERT INTO cards SELECT table_id, stage, guild, channel, at_ms, card, head FROM newer.cards; \
         INSERT INTO stand_ins SELECT table_id, stand_in, person FROM newer.stand_ins; \
         INSERT INTO outbox (table_id, key, say) SELECT table_id, key, say FROM newer.outbox; \
         DROP TABLE _sqlx_migrations; PRAGMA user_version = 11";
    sqlx::raw_sql(rows).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    older
}

#[tokio::test]
async fn backup_of_an_older_version_is_checked_and_restored() {
    let (folder, path, journal, _) = opened().await;
    journal.close().await;
    let copy = folder.path().join("copy.sqlite");
    back_up(&path, &copy, Existing::Keep, NO_PROGRESS).await.unwrap();
    let copy = as_of_schema_11(&copy).await;
    let before = std::fs::read(&copy).unwrap();
    let report = check(&copy, NO_PROGRESS).await.unwrap();
    assert!(report.is_sound() && report.schema == 11 && report.tables == 1, "{report}");
    assert_eq!(std::fs::read(&copy).unwrap(), before, "a check changes nothing");
    restore(&path, &copy, Damage::Refuse, NO_PROGRESS).await.unwrap();
    Sqlite::open_read_only(&path).await.unwrap().probe().await.unwrap_err();
    Sqlite::open(&path).await.unwrap().probe().await.unwrap();
    change(&copy, "PRAGMA user_version = 1000").await;
    for why in [
        check(&copy, NO_PROGRESS).await.unwrap_err().to_string(),
        restore(&folder.path().join("other.sqlite"), &copy, Damage::Accept, NO_PROGRESS)
            .await
            .unwrap_err()
            .to_string(),
    ] {
        assert!(why.contains("older.sqlite: ") && why.contains("schema 1000"), "{why}");
    }
}

#[tokio::test]
async fn check_names_everything_that_is_wrong() {
    for (sql, part, wanted) in [
        ("DELETE FROM cards", "table", "has no card"),
        ("DELETE FROM events", "table", "the end is missing"),
        (
            "UPDATE cards SET card = json_set(card, '$.ply', 9)",
            "table",
            "its card says Running after 9 turns",
        ),
        ("UPDATE cards SET card = '{}'", "table", "missing field"),
        ("UPDATE outbox SET say = '{\"say\":\"sing\"}' WHERE key = 'thread'", "the outbox", "sing"),
        ("UPDATE jobs SET level = 'divine'", "owed turns", "divine"),
        ("INSERT INTO preferences VALUES (0, 7, '7')", "preferences", "a person, 7"),
        (
            "INSERT INTO annotations VALUES (7, 'K7Q2', 1, '', 'x', 'a1', '', 0)",
            "annotations",
            "no list of arrows",
        ),
        ("INSERT INTO annotations VALUES (7, '?', 1, '', 'x', '', '', 0)", "annotations", "\"?\""),
        (
            "INSERT INTO annotations VALUES (7, 'K7Q2', 1, '', CAST(x'ff' AS TEXT), '', '', 0)",
            "annotations",
            "utf-8",
        ),
        ("INSERT INTO annotation_links VALUES ('d', '?', 7, 'K7Q2', 0)", "links to annotations", "its token"),
        ("UPDATE events SET event = CAST(x'ff' AS TEXT) WHERE sequence = 1", "table", "entry 1: "),
        ("UPDATE cards SET card = CAST(x'ff' AS TEXT)", "table", "utf-8"),
        ("UPDATE outbox SET say = CAST(x'ff' AS TEXT) WHERE key = 'thread'", "the outbox", "utf-8"),
        ("UPDATE jobs SET level = CAST(x'ff' AS TEXT)", "owed turns", "utf-8"),
        ("INSERT INTO preferences VALUES (0, 7, CAST(x'ff' AS TEXT))", "preferences", "a person, 7"),
        (
            "INSERT INTO events VALUES ('not a name', 1, 0, NULL, '{}', NULL)",
            "the list of tables",
            "not a name",
        ),
    ] {
        let (_folder, path, journal, table) = opened().await;
        let sound = check(&path, NO_PROGRESS).await.unwrap();
        assert!(sound.is_sound() && sound.outbox > 1 && sound.unfinished == 1, "{sound}");
        change(&path, sql).await;
        let report = check(&path, NO_PROGRESS).await.unwrap();
        let found = |fault: &&crate::CheckFinding| {
            (fault.part == part || fault.part == format!("{part} {table}")) && fault.why.contains(wanted)
        };
        assert_eq!(report.faults.iter().filter(found).count(), 1, "{sql}: {report}");
        assert_eq!(report.faults.len(), 1, "{sql}: {report}");
        journal.close().await;
    }
}

const HOUR: SignedDuration = SignedDuration::from_hours(1);
/// 2 January 2026, 03:04:05 UTC.
pub(super) const START: Timestamp = Timestamp::constant(1_767_323_045, 0);

#[tokio::test]
async fn rotation_backs_up_at_its_hour_and_keeps_the_latest() {
    let (folder, path, _journal, _) = opened().await;
    let to = folder.path().join("backups");
    let mut rotation =
        Rotation::new(&StoreAddress::Sqlite(path.clone()), &to, Duration::from_secs(24 * 3_600), 2);
    let first = rotation.run_if_due(START).await.unwrap().unwrap();
    assert_eq!(first, to.join("rookery-20260102T030405Z.sqlite"));
    assert!(check(&first, NO_PROGRESS).await.unwrap().is_sound());
    assert_eq!(rotation.run_if_due(START + 23 * HOUR).await.unwrap(), None);
    // A restart neither delays the next backup nor makes it early.
    let mut rotation =
        Rotation::new(&StoreAddress::Sqlite(path.clone()), &to, Duration::from_secs(24 * 3_600), 2);
    assert_eq!(rotation.run_if_due(START + 23 * HOUR).await.unwrap(), None);
    // An incomplete copy left by a killed process.
    std::fs::write(to.join("rookery-20260102T120000Z.sqlite.partial-1"), "half").unwrap();
    for name in ["mine.sqlite", "rookery-notes.sqlite"] {
        std::fs::write(to.join(name), "mine").unwrap();
    }
    for day in 1..=3 {
        assert!(rotation.run_if_due(START + day * 24 * HOUR).await.unwrap().is_some());
    }
    let kept = [
        "mine.sqlite",
        "rookery-20260104T030405Z.sqlite",
        "rookery-20260105T030405Z.sqlite",
        "rookery-notes.sqlite",
    ];
    assert_eq!(names(&to), kept, "of ours the latest two, of others all");
}

#[tokio::test]
async fn rotation_keeps_what_it_made_also_beside_backups_from_the_future() {
    let (folder, path, _journal, _) = opened().await;
    let to = folder.path().join("backups");
    let mut rotation =
        Rotation::new(&StoreAddress::Sqlite(path.clone()), &to, Duration::from_secs(24 * 3_600), 2);
    // The clock is wrong for two backups and is then corrected.
    let mut future = Vec::new();
    for day in [400, 401] {
        future.push(rotation.run_if_due(START + day * 24 * HOUR).await.unwrap().unwrap());
    }
    let mut made = Vec::new();
    for day in 0..3 {
        let now = START + day * 24 * HOUR;
        made.push(rotation.run_if_due(now).await.unwrap().unwrap());
        assert!(made.last().unwrap().is_file(), "day {day}: it is still there");
        assert_eq!(
            rotation.run_if_due(now + SignedDuration::from_mins(1)).await.unwrap(),
            None,
            "day {day}: one is enough"
        );
    }
    let there: Vec<bool> = made.iter().chain(&future).map(|file| file.is_file()).collect();
    assert_eq!(there, [false, true, true, true, true]);
}

#[tokio::test]
async fn rotation_that_fails_says_why_and_is_tried_again_after_ten_minutes() {
    let (folder, path, _journal, _) = opened().await;
    let to = folder.path().join("backups");
    std::fs::write(&to, "a file in the folder's place").unwrap();
    let mut rotation = Rotation::new(&StoreAddress::Sqlite(path.clone()), &to, Duration::from_secs(3_600), 2);
    let why = rotation.run_if_due(START).await.unwrap_err().to_string();
    assert!(why.contains("backups: "), "{why}");
    std::fs::remove_file(&to).unwrap();
    assert_eq!(rotation.run_if_due(START + SignedDuration::from_secs(599)).await.unwrap(), None);
    assert!(rotation.run_if_due(START + SignedDuration::from_secs(600)).await.unwrap().is_some());
}
