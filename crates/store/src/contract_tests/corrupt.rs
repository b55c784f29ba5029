//! With a damaged page, its rows are refused and stay, and all others keep working.

use std::path::Path;
use std::sync::Arc;

use super::copies::{FixedClock, SleepingThinker};
use super::people::DAN;
use super::{entry, first_batch, id, opened, second_batch, terms};
use crate::Sqlite;
use rookery_core::player::Level;
use rookery_core::seed::SeededRng;
use rookery_table::ports::{Batch, Filter, Journal, PageRequest, StoreError};
use rookery_table::preferences::PersonalPreferences;
use rookery_table::registry::{DeletionOutcome, TableRegistry};
use rookery_table::{Event, LeavePolicy, Occupant, TableId};

const PAGE: usize = 4_096;
/// The first byte of a page that is a leaf of an index or of a table (<https://www.sqlite.org/fileformat2.html#b_tree_pages>).
const LEAVES: [u8; 2] = [0x0a, 0x0d];

/// Overwrites the page with the first occurrence of a text; returns the page's offset and its old bytes.
fn corrupt(path: &Path, text: &str) -> (usize, Vec<u8>) {
    let bytes = std::fs::read(path).unwrap();
    corrupt_at(path, bytes.windows(text.len()).position(|some| some == text.as_bytes()).unwrap())
}

/// Overwrites the page that holds an entry of a table.
fn corrupt_entries_of(path: &Path, table: TableId) -> (usize, Vec<u8>) {
    let (bytes, event) = (std::fs::read(path).unwrap(), br#"{"event":"#);
    // A row has the table's name, two numbers, an optional third, and the event.
    let is_entry = |row: &[u8]| row.starts_with(table.as_str().as_bytes()) && holds(row, event);
    // An inner page of the tree has rows as well, and without it none of the others are found.
    let is_in_leaf = |at: usize| LEAVES.contains(&bytes[at / PAGE * PAGE]);
    let found = bytes.windows(40).enumerate().find(|(at, row)| is_entry(row) && is_in_leaf(*at));
    corrupt_at(path, found.unwrap().0)
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|some| some == part)
}

pub(super) fn corrupt_at(path: &Path, byte: usize) -> (usize, Vec<u8>) {
    let (mut bytes, at) = (std::fs::read(path).unwrap(), byte / PAGE * PAGE);
    let was = bytes[at..at + PAGE].to_vec();
    bytes[at..at + PAGE].fill(0xa5);
    std::fs::write(path, bytes).unwrap();
    (at, was)
}

fn restore(path: &Path, (at, was): &(usize, Vec<u8>)) {
    let mut bytes = std::fs::read(path).unwrap();
    bytes[*at..*at + PAGE].copy_from_slice(was);
    std::fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn corrupt_page_is_reported_and_leaves_other_tables_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    let first = Sqlite::open(&path).await.unwrap();
    let mut rng = SeededRng::new(5);
    let mut tables: Vec<TableId> = (0..120).map(|_| TableId::draw(&mut rng, 6)).collect();
    tables.sort();
    tables.dedup();
    let mark = "somewhere in the middle";
    let batch = |table: TableId| {
        let middle = table == tables[tables.len() / 2];
        let line = if middle { mark } else { "start" }.to_owned();
        Batch { entries: vec![entry(1, opened()), entry(2, Event::Started { line })], ..first_batch(table) }
    };
    for table in &tables {
        first.append(&batch(*table)).await.unwrap();
    }
    first.close().await;
    let damage = corrupt(&path, mark);
    let journal = Sqlite::open(&path).await.unwrap();
    let mut unreadable = 0;
    for table in &tables {
        match journal.load(*table).await {
            Ok(entries) => assert_eq!(entries, batch(*table).entries),
            Err(error) => {
                assert!(error.to_string().starts_with("the journal's file is damaged"), "{error}");
                unreadable += 1;
            }
        }
    }
    assert!((1..tables.len() / 2).contains(&unreadable), "{unreadable} of {}", tables.len());
    // Other rows can still be written.
    let next = id("ZZZZ");
    journal.store_note("note", "kept").await.unwrap();
    restore(&path, &damage);
    for table in &tables {
        assert_eq!(journal.load(*table).await.unwrap(), batch(*table).entries);
    }
    journal.append(&first_batch(next)).await.unwrap();
    assert_eq!(journal.note("note").await.unwrap().as_deref(), Some("kept"));
    journal.close().await;
}

#[tokio::test]
async fn corrupt_page_refuses_writes_that_meet_it_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    let first = Sqlite::open(&path).await.unwrap();
    let mut rng = SeededRng::new(5);
    let mut tables: Vec<TableId> = (0..120).map(|_| TableId::draw(&mut rng, 6)).collect();
    tables.sort();
    for table in &tables {
        first.append(&first_batch(*table)).await.unwrap();
    }
    // The two are at both ends of the file and share no page.
    let (bad, good) = (tables[0], tables[119]);
    first.close().await;
    let damage = corrupt_entries_of(&path, bad);
    let journal = Sqlite::open(&path).await.unwrap();
    for _ in 0..3 {
        let error = journal.append(&second_batch(bad)).await.unwrap_err();
        assert!(matches!(&error, StoreError::Damaged(why) if why.contains("is damaged")), "{error:?}");
    }
    journal.append(&second_batch(good)).await.unwrap();
    assert_eq!(journal.load(good).await.unwrap().len(), 3);
    restore(&path, &damage);
    assert_eq!(journal.load(bad).await.unwrap().len(), 2, "nothing of it was kept");
    journal.append(&second_batch(bad)).await.unwrap();
    assert_eq!(journal.load(bad).await.unwrap().len(), 3);
}

#[tokio::test]
async fn corrupt_page_keeps_no_more_of_a_person_than_lies_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    let open = async || {
        let journal = Arc::new(Sqlite::open(&path).await.unwrap());
        (journal.clone(), TableRegistry::new(journal, Arc::new(FixedClock), Arc::new(SleepingThinker), 1))
    };
    let (journal, registry) = open().await;
    let mut tables = Vec::new();
    for _ in 0..40 {
        let chairs = vec![Occupant::Human { person: DAN }, Occupant::Ai { level: Level::Easy }];
        tables.push(registry.open(terms(), DAN, chairs, None).await.unwrap().table.id());
    }
    tables.sort();
    journal.preferences().store_personal(DAN, &PersonalPreferences::default()).await.unwrap();
    drop(registry);
    journal.close().await;
    let damage = corrupt_entries_of(&path, tables[20]);
    let (journal, registry) = open().await;
    let done = registry.delete_person(DAN, LeavePolicy::Resign).await.unwrap();
    let DeletionOutcome::TablesRemain(remaining) = done else { panic!("{done:?}") };
    assert!(remaining.contains(&tables[20]) && remaining.len() < 20, "{remaining:?}");
    for table in tables.iter().filter(|table| !remaining.contains(table)) {
        assert_eq!(journal.load(*table).await.unwrap(), [], "the rest is gone");
    }
    assert_eq!(journal.preferences().personal(DAN).await.unwrap(), None);
    // Merging the damaged page with its neighbour may have removed it.
    let still = registry.finish_deletions().await.unwrap();
    assert!((1..=remaining.len()).contains(&still), "it is damaged still: {still}");
    drop(registry);
    journal.close().await;
    restore(&path, &damage);
    let (journal, registry) = open().await;
    assert_eq!(registry.finish_deletions().await.unwrap(), 0);
    assert_eq!(journal.privacy().tables_naming(DAN, PageRequest::default()).await.unwrap().rows, []);
}

/// Returns the number of the first byte of a table's root page. A small table has no other page.
pub(super) async fn root_of(journal: &Sqlite, table: &str) -> usize {
    let sql = "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?";
    let page = sqlx::query_scalar::<_, i64>(sql).bind(table.to_owned()).fetch_one(journal.readers()).await;
    (usize::try_from(page.unwrap()).unwrap() - 1) * PAGE
}

#[tokio::test]
async fn corrupt_list_of_tables_or_deletions_postpones_a_deletion_until_it_is_repaired() {
    for damaged in ["people", "deletions"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rookery.sqlite");
        let open = async || {
            let journal = Arc::new(Sqlite::open(&path).await.unwrap());
            (journal.clone(), TableRegistry::new(journal, Arc::new(FixedClock), Arc::new(SleepingThinker), 1))
        };
        let (journal, registry) = open().await;
        for _ in 0..3 {
            let chairs = vec![Occupant::Human { person: DAN }, Occupant::Ai { level: Level::Easy }];
            registry.open(terms(), DAN, chairs, None).await.unwrap();
        }
        journal.preferences().store_personal(DAN, &PersonalPreferences::default()).await.unwrap();
        let root = root_of(&journal, damaged).await;
        drop(registry);
        journal.close().await;
        let damage = corrupt_at(&path, root);
        let (journal, registry) = open().await;
        let done = registry.delete_person(DAN, LeavePolicy::Resign).await.unwrap();
        assert_eq!(done, DeletionOutcome::Postponed, "{damaged}");
        drop(registry);
        journal.close().await;
        restore(&path, &damage);
        let (journal, registry) = open().await;
        assert_eq!(
            journal.privacy().unfinished_deletions(PageRequest::default()).await.unwrap().rows.len(),
            1,
            "{damaged}"
        );
        assert_eq!(registry.finish_deletions().await.unwrap(), 0, "{damaged}");
        assert_eq!(
            journal.privacy().unfinished_deletions(PageRequest::default()).await.unwrap().rows,
            [],
            "{damaged}"
        );
        assert_eq!(
            journal.privacy().tables_naming(DAN, PageRequest::default()).await.unwrap().rows,
            [],
            "{damaged}"
        );
        assert_eq!(journal.preferences().personal(DAN).await.unwrap(), None, "{damaged}");
        assert_eq!(
            journal.list(&Filter::default(), PageRequest::default()).await.unwrap().rows,
            [],
            "{damaged}"
        );
    }
}
