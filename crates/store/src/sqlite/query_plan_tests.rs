//! Tests of query plans: no frequent query and no deletion scans a table that grows with every game.

use sqlx::Row;

use super::chain::LINKS;
use super::outbox::{
    BLOCKED, COUNT_BLOCKED, DUE, DUE_AT, DUE_TABLES, LATEST, MESSAGE_BEFORE, POSTED, POSTED_ITEM,
    RETRY_UNREADABLE,
};
use super::{Sqlite, lists, preferences, privacy, pruning, ratings};
use crate::analyses;
use crate::follows::{BY_MODE, FOLLOWERS, WATCHED_BY};
use crate::{annotations, share_links, web_sessions};
use rookery_table::millis::timestamp as moment;
use rookery_table::ports::{Filter, PageRequest, Stage};
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

/// Returns the steps that sort rows.
async fn sorts(journal: &Sqlite, sql: &str) -> Vec<String> {
    steps(journal, sql).await.into_iter().filter(|step| step.contains("B-TREE FOR ORDER BY")).collect()
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
    let outbox =
        [DUE, lists::OLDEST_DUE, BLOCKED, COUNT_BLOCKED, POSTED, LATEST, POSTED_ITEM, RETRY_UNREADABLE];
    let pruning = [pruning::NEXT, pruning::MOVE, pruning::DELETE, pruning::SETTLED_SINCE, pruning::NOTE_LEFT];
    let follows = [FOLLOWERS, WATCHED_BY, BY_MODE];
    let pages = [lists::PLAYING, lists::DUE_TIMERS, lists::OWING_PROOF, lists::JOBS];
    let people = [preferences::RESTING, preferences::WITH_LOBBY, privacy::DELETIONS];
    let open = [lists::OPEN_BY_HOST, lists::WAITING_BY_HOST, lists::OPEN_ON_SERVER, lists::OPEN];
    let analyses = [analyses::STORE];
    let browsers = [
        web_sessions::TRIM_SIGN_INS,
        web_sessions::TRIM_SESSIONS,
        web_sessions::SIGN_IN,
        web_sessions::TAKE,
        web_sessions::TAKE_NEWEST,
        web_sessions::SESSION,
        web_sessions::TOUCH,
        web_sessions::DELETE_SESSION,
        web_sessions::SESSIONS_OF,
        web_sessions::PRUNE_SIGN_INS,
        web_sessions::PRUNE_SESSIONS,
    ];
    let notes = [
        annotations::STORE,
        annotations::DELETE,
        annotations::STORE_LINK,
        annotations::WITHDRAW,
        annotations::WITHDRAW_ALL,
        annotations::ANNOTATED_BY,
    ];
    let (history, links) = (ratings::history_sql(), share_links::by_maker_sql());
    let annotated = [annotations::of_table_sql(), annotations::link_sql(), annotations::link_of_sql()];
    let made = [history.as_str(), links.as_str(), &annotated[0], &annotated[1], &annotated[2]];
    let often = [
        &outbox[..],
        &lanes,
        &pruning,
        &follows,
        &pages,
        &people,
        &made,
        &open,
        &analyses,
        &browsers,
        &notes,
    ];
    for sql in often.concat() {
        assert_eq!(scans(&journal, sql).await, Vec::<String>::new(), "{sql}");
    }
    // A page is read from the index in its order: no rows of later pages are sorted for it.
    for sql in [&follows[..], &pages, &people, &made, &[BLOCKED]].concat() {
        assert_eq!(sorts(&journal, sql).await, Vec::<String>::new(), "{sql}");
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
        let after = (moment(7), "K7Q2".parse().unwrap());
        for page in [PageRequest::default(), PageRequest { after: Some(after), limit: 9 }] {
            let found = scans(&journal, lists::listing(&filter, &page).sql().as_str()).await;
            assert_eq!(found, Vec::<String>::new(), "{filter:?}");
        }
        let scanning = lists::scanning(&filter, &PageRequest::default());
        assert_eq!(scans(&journal, scanning.sql().as_str()).await, Vec::<String>::new(), "{filter:?}");
    }
}

/// The walks through all tables of a kind read nothing but those tables, in the order of the index.
#[tokio::test]
async fn walks_read_an_index_in_its_order() {
    let (_folder, journal) = opened().await;
    let (any, running) = (Filter::default(), Some(Stage::Running));
    let (guild, person) = (Some(GuildId(7)), Some(UserId(9)));
    for (filter, index) in [
        (Filter { unfinished: true, ..any.clone() }, "cards_unfinished "),
        (Filter { stage: running, ..any.clone() }, "cards_unfinished_by_stage "),
        (Filter { stage: Some(Stage::Waiting), ..any.clone() }, "cards_unfinished_by_stage "),
        (Filter { guild, unfinished: true, ..any.clone() }, "cards_unfinished_by_guild "),
        (Filter { guild, stage: running, ..any.clone() }, "cards_unfinished_by_guild "),
        (Filter { person, ..any.clone() }, "people USING PRIMARY KEY "),
        (Filter { person, unfinished: true, ..any.clone() }, "people USING PRIMARY KEY "),
        (Filter { person, stage: Some(Stage::Over), ..any.clone() }, "people USING PRIMARY KEY "),
        (Filter { imported: true, ..any.clone() }, "cards_imported "),
        (Filter { stage: running, rests: true, ..any.clone() }, "cards_resting "),
        (Filter { stage: running, frozen: true, ..any.clone() }, "cards_"),
        (any, "PRIMARY KEY "),
    ] {
        let scanning = lists::scanning(&filter, &PageRequest::default());
        let steps = steps(&journal, scanning.sql().as_str()).await;
        assert!(steps[0].starts_with("SEARCH ") && steps[0].contains(index), "{filter:?}: {steps:?}");
        let sorts = sorts(&journal, scanning.sql().as_str()).await;
        assert_eq!(sorts, Vec::<String>::new(), "{filter:?}: {steps:?}");
    }
}
