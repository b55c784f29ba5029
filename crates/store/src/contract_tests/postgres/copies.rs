//! Backups and checks of a database while it is used.

use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt;
use jiff::SignedDuration;

use super::super::copies::{FixedClock, START, SleepingThinker};
use super::super::{first_batch, id, terms};
use super::server::Database;
use crate::{
    CheckFinding, Existing, Postgres, Rotation, Sqlite, StoreAddress, back_up_store, check, check_store,
    move_store,
};
use rookery_core::player::Level;
use rookery_table::ports::{Card, Filter, Journal, PageRequest, walk_pages};
use rookery_table::registry::TableRegistry;
use rookery_table::{Occupant, SourceId, TableId, UserId};

const NO_PROGRESS: &(dyn Fn(u64, u64) + Sync) = &|_, _| ();

fn registry(journal: &Arc<Postgres>) -> Arc<TableRegistry> {
    TableRegistry::new(journal.clone(), Arc::new(FixedClock), Arc::new(SleepingThinker), 1)
}

/// Opens a game at which the bot is to move.
async fn open(registry: &TableRegistry, number: u64) -> TableId {
    let chairs = vec![Occupant::Ai { level: Level::Easy }, Occupant::Human { person: UserId(1) }];
    registry.open(terms(), UserId(1), chairs, Some(SourceId(number))).await.unwrap().table.id()
}

/// Opens the journal of a database as a bot does, with one game.
async fn opened() -> Option<(Database, Arc<Postgres>, TableId)> {
    let database = Database::create().await?;
    let journal = Arc::new(Postgres::open(&database.url()).await.unwrap());
    let table = open(&registry(&journal), 1).await;
    Some((database, journal, table))
}

fn names(folder: &tempfile::TempDir) -> Vec<String> {
    let files = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn backup_of_a_database_in_use_is_one_whole_file_that_can_be_moved_back() {
    let Some((database, journal, table)) = opened().await else { return };
    let (folder, from) = (tempfile::tempdir().unwrap(), StoreAddress::Postgres(database.url()));
    let copy = folder.path().join("copy.sqlite");
    let bytes = back_up_store(&from, &copy, Existing::Keep, NO_PROGRESS).await.unwrap();
    assert_eq!(bytes, std::fs::metadata(&copy).unwrap().len());
    assert_eq!(names(&folder), ["copy.sqlite"], "no log, no lock and no part of a copy beside it");
    let report = check(&copy, NO_PROGRESS).await.unwrap();
    assert!(report.is_sound(), "{report}");
    assert_eq!((report.tables, report.unfinished), (1, 1));
    let why = back_up_store(&from, &copy, Existing::Keep, NO_PROGRESS).await.unwrap_err().to_string();
    assert!(why.contains("there already"), "{why}");
    journal.append(&first_batch(id("NNN2"))).await.unwrap();
    back_up_store(&from, &copy, Existing::Replace, NO_PROGRESS).await.unwrap();
    assert_eq!(check(&copy, NO_PROGRESS).await.unwrap().tables, 2, "the bot goes on meanwhile");

    let again = database.server.create_database("").await;
    let restored = StoreAddress::Postgres(database.server.url(&again));
    move_store(&StoreAddress::Sqlite(copy), &restored, NO_PROGRESS).await.unwrap();
    let restored = Postgres::open(&database.server.url(&again)).await.unwrap();
    for table in [table, id("NNN2")] {
        assert_eq!(restored.chain(table).await.unwrap(), journal.chain(table).await.unwrap());
    }
    assert_eq!(
        restored.list(&Filter::default(), PageRequest::default()).await.unwrap(),
        journal.list(&Filter::default(), PageRequest::default()).await.unwrap()
    );
}

/// Games begin while the rows of the backup are read: those of one moment are in it, with all that belongs to them.
#[tokio::test(flavor = "multi_thread")]
async fn backup_has_the_state_of_one_moment() {
    let Some((database, journal, _)) = opened().await else { return };
    let (folder, from) = (tempfile::tempdir().unwrap(), StoreAddress::Postgres(database.url()));
    let copy = folder.path().join("copy.sqlite");
    let registry = registry(&journal);
    for number in 2..40 {
        open(&registry, number).await;
    }
    let begun = async {
        for number in 40..80 {
            open(&registry, number).await;
        }
    };
    let (made, ()) = tokio::join!(back_up_store(&from, &copy, Existing::Keep, NO_PROGRESS), begun);
    made.unwrap();
    let report = check(&copy, NO_PROGRESS).await.unwrap();
    assert!(report.is_sound(), "{report}");
    assert!((39..=79).contains(&report.tables), "{report}");
    // The file goes on with numbers that no row of it has.
    let copied = Sqlite::open(&copy).await.unwrap();
    let last = copied.last_row().await.unwrap();
    copied.append(&first_batch(id("NNN2"))).await.unwrap();
    assert!(copied.last_row().await.unwrap() > last);
    let rows = copied.due(0, 9_999).await.unwrap();
    assert_eq!(rows.iter().filter(|row| row.table != id("NNN2")).count() as i64, last);
}

#[tokio::test]
async fn backups_of_a_database_are_made_in_turn_and_the_oldest_deleted() {
    let Some((database, _journal, _)) = opened().await else { return };
    let (folder, from) = (tempfile::tempdir().unwrap(), StoreAddress::Postgres(database.url()));
    let mut rotation = Rotation::new(&from, folder.path(), Duration::from_secs(3_600), 2);
    for hours in 0..3 {
        let made = rotation.run_if_due(START + SignedDuration::from_hours(hours)).await.unwrap();
        let report = check(&made.unwrap(), NO_PROGRESS).await.unwrap();
        assert!(report.is_sound() && report.tables == 1, "{report}");
        let minutes = START + SignedDuration::from_hours(hours) + SignedDuration::from_mins(5);
        assert_eq!(rotation.run_if_due(minutes).await.unwrap(), None);
    }
    let names = names(&folder);
    assert!(names.len() == 2 && names.iter().all(|name| name.starts_with("postgres-20")), "{names:?}");
}

#[tokio::test]
async fn check_of_a_database_in_use_finds_every_damage() {
    let Some((database, journal, table)) = opened().await else { return };
    let address = StoreAddress::Postgres(database.url());
    let registry = registry(&journal);
    for number in 2..450 {
        open(&registry, number).await;
    }
    let report = check_store(&address, NO_PROGRESS).await.unwrap();
    assert!(report.is_sound(), "{report}");
    assert_eq!((report.tables, report.unfinished, report.schema), (449, 449, 9));
    let filter = Filter::default();
    let cards: Vec<Card> = walk_pages(|page| journal.scan(&filter, page)).try_collect().await.unwrap();
    let [.., without_card, stage, column] = &cards[..] else { panic!("{}", cards.len()) };
    let (without_card, stage, column) = (without_card.id, stage.id, column.id);
    let other = cards.iter().map(|card| card.id).find(|other| *other != table).unwrap();
    for damage in [
        format!("UPDATE events SET at_ms = 7 WHERE table_id = '{table}' AND sequence = 1"),
        format!("DELETE FROM events WHERE table_id = '{other}'"),
        format!("DELETE FROM cards WHERE table_id = '{without_card}'"),
        format!(
            "UPDATE cards SET card = replace(card, '\"running\"', '\"over\"') WHERE table_id = '{stage}'"
        ),
        format!("UPDATE cards SET game = 'chess' WHERE table_id = '{column}'"),
        "INSERT INTO events VALUES ('ZZZZZZ', 1, 0, NULL, '{', NULL), ('lower', 1, 0, NULL, '{}', NULL)"
            .into(),
        "UPDATE jobs SET level = 'genius' WHERE table_id = (SELECT min(table_id) FROM jobs)".into(),
        "INSERT INTO preferences VALUES (0, 77, '{', false, false)".into(),
        "UPDATE outbox SET say = '?' WHERE id = (SELECT min(id) FROM outbox)".into(),
        "INSERT INTO follows VALUES ('nobody', 7, 0)".into(),
        "INSERT INTO annotations VALUES (7, 'K7Q2', 1, '', 'x', 'a1', '', 0)".into(),
        "INSERT INTO annotation_links VALUES ('d', '?', 7, 'K7Q2', 0)".into(),
    ] {
        database.run(damage).await;
    }
    let report = check_store(&address, NO_PROGRESS).await.unwrap();
    let found = |part: &str, why: &str| {
        let fits = |it: &&CheckFinding| it.part == part && it.why.contains(why);
        assert_eq!(report.faults.iter().filter(fits).count(), 1, "{part}: {why}\n{report}");
    };
    found(&format!("table {other}"), "the end is missing");
    found(&format!("table {without_card}"), "it has no card");
    found(&format!("table {stage}"), "its card says");
    found("cards", "differ from the text that they come from");
    found("the list of tables", "\"lower\"");
    found("owed turns", "genius");
    found("preferences", "a person, 77");
    found("the outbox", "what is to be said");
    found("follows", "nobody");
    found("annotations", "no list of arrows");
    found("links to annotations", "its token");
    let parts: Vec<&str> = report.faults.iter().map(|fault| fault.part.as_str()).collect();
    assert!(parts.contains(&format!("table {table}").as_str()), "{report}");
    assert!(parts.contains(&"table ZZZZZZ"), "{report}");
}
