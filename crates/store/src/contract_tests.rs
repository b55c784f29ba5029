//! One contract test that every journal adapter must pass.

mod analyses;
mod annotations;
mod copies;
mod corrupt;
mod coverage;
mod damaged;
mod file;
mod group_commit;
mod migrations;
mod moderation;
#[cfg(unix)]
mod move_store;
mod ownership;
mod pages;
mod people;
#[cfg(unix)]
pub(crate) mod postgres;
mod rating_races;
mod share_links;
mod storage_failures;
mod tables;
mod web_sessions;

use jiff::Timestamp;

use super::Sqlite;
use rookery_core::Seat;
use rookery_core::player::Level;
use rookery_table::millis;
use rookery_table::ports::{Batch, Card, Entry, Job, Journal, Program, Stage};
use rookery_table::testing::MemoryJournal;
use rookery_table::{
    BoardChannel, ChannelId, Event, GuildId, Occupant, OutboxItem, SourceId, TableId, Terms, UserId,
};

/// A moment by its milliseconds since 1970.
fn moment(ms: i64) -> Timestamp {
    millis::timestamp(ms)
}

fn id(text: &str) -> TableId {
    text.parse().unwrap()
}

fn terms() -> Terms {
    Terms {
        game: "amazons".into(),
        options: [("size".to_owned(), "6x6".to_owned())].into(),
        seed: u64::MAX,
        guild: Some(GuildId(7)),
        channel: ChannelId(u64::MAX - 1),
        thread: true,
        rated: false,
        ..Terms::default()
    }
}

fn card(table: TableId, stage: Stage, at: Timestamp) -> Card {
    let people = vec![Some(UserId(1)), None];
    let board_channel = Some(BoardChannel { channel: ChannelId(99), thread: true });
    Card {
        id: table,
        game: "amazons".into(),
        stage,
        ply: 0,
        guild: Some(GuildId(7)),
        board_channel,
        people,
        programs: vec![Program { seat: Seat::SECOND, level: Level::Easy }],
        imported: false,
        opened_in: None,
        gone: Vec::new(),
        teams: Vec::new(),
        members: Vec::new(),
        host: Some(UserId(1)),
        waits_for: None,
        to_move: None,
        asked: Vec::new(),
        winners: Vec::new(),
        result: None,
        at,
        frozen_since: None,
        paused: false,
        set: None,
        rests: false,
        proof_owed: false,
        rated: None,
        next_due: None,
        timed: false,
    }
}

fn opened() -> Event {
    let chairs = vec![Occupant::Human { person: UserId(1) }, Occupant::Ai { level: Level::Easy }];
    Event::Opened { terms: terms(), host: UserId(1), chairs }
}

fn entry(sequence: u64, event: Event) -> Entry {
    Entry { sequence, at: moment(1000 + sequence as i64), source: Some(SourceId(u64::MAX - sequence)), event }
}

fn first_batch(table: TableId) -> Batch {
    Batch {
        table,
        entries: vec![entry(1, opened()), entry(2, Event::Started { line: "start".into() })],
        outbox_items: vec![OutboxItem::Announce, OutboxItem::MakeThread],
        job: Some(Job { table, ply: 0, level: Level::Easy, seed: u64::MAX }),
        card: card(table, Stage::Running, moment(1002)),
        known_ratings: vec![],
    }
}

fn second_batch(table: TableId) -> Batch {
    Batch {
        table,
        entries: vec![entry(3, Event::Moved { seat: Seat::FIRST, text: "a2-a3/b3".into(), why: None })],
        outbox_items: vec![OutboxItem::Board { ply: 1 }],
        job: None,
        card: card(table, Stage::Over, moment(1003)),
        known_ratings: vec![],
    }
}

async fn tell(journal: &dyn Journal) {
    let table = id("K7Q2");
    tables::nothing_is_due_in_an_empty_outbox(journal).await;
    assert_eq!(journal.load(table).await.unwrap(), []);
    journal.append(&first_batch(table)).await.unwrap();
    assert_eq!(journal.load(table).await.unwrap(), first_batch(table).entries);
    tables::entries_are_sealed(journal, table).await;
    tables::a_conflict_changes_nothing(journal, table).await;
    tables::jobs_are_replaced(journal, table).await;
    tables::the_outbox_is_worked_off(journal, table).await;
    tables::a_probe_changes_nothing_that_is_read(journal, table).await;
    tables::lists_are_filtered(journal, table).await;
    tables::who_has_left_a_table_is_not_listed_there(journal).await;
    people::choices_are_kept(journal).await;
    people::watchers_are_kept(journal.follows(), table).await;
    people::ratings_are_kept(journal).await;
    rating_races::changes_start_from_the_latest_rating(journal).await;
    tables::moments_and_owed_proofs_are_found(journal).await;
    tables::servers_are_found_by_their_games(journal).await;
    people::people_are_taken_out(journal).await;
    tables::games_that_count_are_found(journal).await;
    moderation::blocks_and_bans_are_kept(journal).await;
    moderation::open_tables_are_counted(journal).await;
    share_links::share_links_are_kept(journal).await;
    web_sessions::browsers_are_kept(journal).await;
    annotations::annotations_are_kept(journal).await;
    tables::the_outbox_is_pruned(journal).await;
    people::unfinished_deletions_are_kept(journal).await;
    analyses::analyses_are_kept(journal).await;
    journal.store_note("commands", "1").await.unwrap();
    journal.store_note("commands", "2").await.unwrap();
    assert_eq!(journal.note("commands").await.unwrap().as_deref(), Some("2"));
    assert_eq!(journal.note("nothing").await.unwrap(), None);
    journal.store_note("commands", "").await.unwrap();
    assert_eq!(journal.note("commands").await.unwrap(), None, "an empty note is deleted");
    pages::every_list_is_walked(journal).await;
    pages::lists_by_ids_are_walked(journal).await;
    pages::walk_meets_what_stays_once(journal).await;
    assert_eq!(journal.unreadable(), 0);
}

#[tokio::test]
async fn memory_journal_keeps_the_contract() {
    tell(&MemoryJournal::default()).await;
}

#[tokio::test]
async fn sqlite_journal_keeps_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    tell(&Sqlite::open(&folder.path().join("rookery.sqlite")).await.unwrap()).await;
}
