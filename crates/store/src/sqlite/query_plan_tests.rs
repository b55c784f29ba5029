//! Tests of query plans: no frequent query and no deletion scans a table that grows with every game.

use sqlx::Row;

use super::outbox::{
    BLOCKED, DUE, DUE_AT, DUE_TABLES, LATEST, MESSAGE_BEFORE, POSTED, POSTED_ITEM, RETRY_UNREADABLE,
};
use super::{LINKS, Sqlite, lists, privacy, pruning};
use crate::analyses;
use crate::follows::{FOLLOWERS, WATCHED_BY};
use rookery_table::ports::{Filter, Stage};
use rookery_table::{ChannelId, GuildId, UserId};

/// Partial indexes that hold only the wanted rows: a scan of one reads nothing else.
const PARTIAL_INDEXES: [&str; 6] =
    ["outbox_due", "outbox_barred", "outbox_unreadable", "cards_imported", "cards_resting", "cards_latest"];

/// Returns the steps of SQLite's query plan; parameters are unbound.
async fn steps(journal: &Sqlite, sql: &str) -> Vec<String> {
    let explain = format!("EXPLAIN QUERY PLAN {sql}");
    let rows = sqlx::query(sqlx::AssertSqlSafe(explain)).fetch_all(&journal.readers).await.unwrap();
    rows.iter().map(|row| row.get::<String, _>(3)).collect()
}

/// Returns the steps that scan a whole table.
async fn scans(journal: &Sqlite, sql: &str) -> Vec<String> {
    let steps = steps(journal, sql).await;
    assert!(!steps.is_empty() || sql.starts_with("DELETE"), "{sql}");
    let wanted = |step: &str| PARTIAL_INDEXES.iter().any(|index| step.ends_with(&format!("INDEX {index}")));
    // Scans of a subquery are allowed: its rows are limited.
    let found = |step: &str| step.starts_with("SCAN (subquery") || step.ends_with("CONSTANT ROW");
    let scans = |step: &String| step.starts_with("SCAN") && !found(step) && !wanted(step);
    steps.into_iter().filter(scans).collect()
}

async fn opened() -> (tempfile::TempDir, Sqlite) {
    let folder = tempfile::tempdir().unwrap();
    let journal = Sqlite::open(&folder.path().join("rookery.sqlite")).await.unwrap();
    (folder, journal)
}

#[tokio::test]
async fn a_deletion_scans_no_table() {
    let (_folder, journal) = opened().await;
    let notes = [privacy::NOTE, privacy::CHALLENGE_NOTES, privacy::POSTPONED];
    let one = [privacy::NAMING, privacy::RATINGS, privacy::ITEMS_NAMING, privacy::IS_NAMED, LINKS];
    let all = [&notes[..], &one, &privacy::ERASE, &privacy::AT_TABLE, &privacy::BESIDE_TABLES].concat();
    for sql in all {
        assert_eq!(scans(&journal, sql).await, Vec::<String>::new(), "{sql}");
    }
    // Shows that the test detects a scan.
    let before = "SELECT table_id FROM events WHERE instr(event, '7')";
    assert_eq!(scans(&journal, before).await, ["SCAN events"]);
}

#[tokio::test]
async fn what_is_asked_for_often_scans_no_table() {
    let (_folder, journal) = opened().await;
    let lanes = [DUE_TABLES, DUE_AT, MESSAGE_BEFORE];
    let outbox = [DUE, lists::OLDEST_DUE, BLOCKED, POSTED, LATEST, POSTED_ITEM, RETRY_UNREADABLE];
    let pruning = [pruning::NEXT, pruning::MOVE, pruning::DELETE, pruning::SETTLED_SINCE, pruning::NOTE_LEFT];
    let follows = [FOLLOWERS, WATCHED_BY];
    let open = [lists::OPEN_BY_HOST, lists::WAITING_BY_HOST, lists::OPEN_ON_SERVER, lists::OPEN];
    let analyses = [analyses::STORE];
    for sql in [&outbox[..], &lanes, &pruning, &follows, &open, &analyses].concat() {
        assert_eq!(scans(&journal, sql).await, Vec::<String>::new(), "{sql}");
    }
}

#[tokio::test]
async fn no_list_scans_all_cards() {
    let (_folder, journal) = opened().await;
    let (any, running) = (Filter::default(), Some(Stage::Running));
    let (guild, channel, person) = (Some(GuildId(7)), Some(ChannelId(8)), Some(UserId(9)));
    for filter in [
        any.clone(),
        Filter { stage: running, ..any.clone() },
        Filter { unfinished: true, ..any.clone() },
        Filter { guild, unfinished: true, ..any.clone() },
        Filter { guild, stage: running, ..any.clone() },
        Filter { guild, channel, ..any.clone() },
        Filter { channel, unfinished: true, ..any.clone() },
        Filter { person, ..any.clone() },
        Filter { person, unfinished: true, ..any.clone() },
        Filter { person, stage: Some(Stage::Over), ..any.clone() },
        Filter { guild, stage: running, game: Some("amazons".into()), rated: true, ..any.clone() },
        Filter { stage: running, frozen: true, ..any.clone() },
        Filter { stage: running, rests: true, ..any.clone() },
        Filter { imported: true, ..any.clone() },
    ] {
        let found = scans(&journal, lists::listing(&filter).sql().as_str()).await;
        assert_eq!(found, Vec::<String>::new(), "{filter:?}");
    }
}
