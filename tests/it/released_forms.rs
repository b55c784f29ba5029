//! Files that a released version wrote are opened, checked, read and continued by today's program. What they are
//! compared with was written by the released version as well: its exports and the data that it handed to people.
//! `tests/data/released/README.md` says how the files were made.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use rookery::discord::wire::custom_id::CustomId;
use rookery_core::Seat;
use rookery_games::record::{Record, Turn};
use rookery_store::{Sqlite, check};
use rookery_table::game_record;
use rookery_table::model::{Account, Actor, Event, RatingRecord};
use rookery_table::ports::{Card, Clock, Filter, Journal, PageRequest, Stage};
use rookery_table::preferences::{PersonalPreferences, ServerPreferences};
use rookery_table::registry::TableRegistry;
use rookery_table::{GuildId, MessageId, Order, OutboxItem, SourceId, Status, Table, TableId, UserId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow};
use sqlx::{ConnectOptions, Connection, Row};

use crate::eventually::eventually;
use crate::source_code::root;
use crate::test_bot::FirstMove;

const NO_PROGRESS: &(dyn Fn(u64, u64) + Sync) = &|_, _| ();
/// The schema of version 0.1.0.
const SCHEMA: usize = 11;
/// The games of version 0.1.0, by key.
const GAMES: [&str; 6] =
    ["amazon_penguins", "amazons", "amoeba", "paper_penguins", "penguin_soccer", "penguins"];

fn folder() -> PathBuf {
    root().join("tests/data/released/0.1.0")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the names and texts of the files in a folder of the released version, by name.
fn files(name: &str) -> BTreeMap<String, String> {
    let path = folder().join(name);
    let entries = fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    let found: BTreeMap<_, _> =
        paths.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), text(&path))).collect();
    assert!(!found.is_empty(), "{} is empty", path.display());
    found
}

/// A journal as the released version left it, in a folder of its own.
struct Released {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Released {
    async fn new() -> Released {
        let folder = tempfile::tempdir().unwrap();
        let released = Released { path: folder.path().join("rookery.sqlite"), _folder: folder };
        let mut connection = released.connect().await;
        let dump = text(&self::folder().join("journal.sql"));
        sqlx::raw_sql(sqlx::AssertSqlSafe(dump)).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        released
    }

    async fn connect(&self) -> SqliteConnection {
        let options = SqliteConnectOptions::new().filename(&self.path).create_if_missing(true);
        options.connect().await.unwrap()
    }

    /// Returns the rows of a query. Before the journal is opened they are those of the released version.
    async fn rows(&self, sql: &'static str) -> Vec<SqliteRow> {
        let mut connection = self.connect().await;
        let rows = sqlx::query(sql).fetch_all(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        rows
    }

    /// Opens the journal, which upgrades it.
    async fn open(&self) -> Sqlite {
        Sqlite::open(&self.path).await.unwrap()
    }
}

async fn tables(journal: &dyn Journal) -> Vec<Table> {
    let all = Filter::default();
    let mut found = Vec::new();
    for card in journal.list(&all, PageRequest::first(9_999)).await.unwrap().rows {
        let entries = journal.load(card.id).await.unwrap();
        found.push(Table::replay(card.id, &entries).unwrap().unwrap());
    }
    found
}

/// Checks that a JSON text of the released version is read, and written back byte for byte.
fn survives<T: DeserializeOwned + Serialize>(written: &str) -> T {
    let read: T = serde_json::from_str(written).unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!(serde_json::to_string(&read).unwrap(), written);
    read
}

fn id(row: &SqliteRow, column: usize) -> u64 {
    row.get::<i64, _>(column).cast_unsigned()
}

fn table_id(row: &SqliteRow, column: usize) -> TableId {
    row.get::<String, _>(column).parse().unwrap()
}

#[tokio::test]
async fn released_journal_is_upgraded_and_sound() {
    let released = Released::new().await;
    let tables = released.rows("SELECT table_id FROM cards").await.len();
    let entries = released.rows("SELECT table_id FROM events").await.len();
    let before = check(&released.path, NO_PROGRESS).await.unwrap();
    assert_eq!((before.schema, &before.faults), (SCHEMA, &Vec::new()), "{before}");
    assert_eq!((before.tables, before.entries), (tables, entries));
    let journal = released.open().await;
    journal.close().await;
    let after = check(&released.path, NO_PROGRESS).await.unwrap();
    assert!(after.schema > SCHEMA);
    assert_eq!(rookery_store::Report { schema: SCHEMA, ..after }, before);
}

/// A file with fewer kinds of rows would let the other tests pass without checking much.
#[tokio::test]
async fn released_journal_has_rows_of_every_kind() {
    let released = Released::new().await;
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    let mut connection = released.connect().await;
    let mut empty = Vec::new();
    for row in released.rows(sql).await {
        let name: String = row.get(0);
        let count = format!("SELECT count(*) FROM {name}");
        let count: i64 =
            sqlx::query_scalar(sqlx::AssertSqlSafe(count)).fetch_one(&mut connection).await.unwrap();
        if count == 0 {
            empty.push(name);
        }
    }
    assert_eq!(empty, Vec::<String>::new());
    let games = released.rows("SELECT DISTINCT card ->> '$.game' FROM cards ORDER BY 1").await;
    assert_eq!(games.iter().map(|row| row.get::<String, _>(0)).collect::<Vec<_>>(), GAMES);
}

#[tokio::test]
async fn released_entries_are_written_back_byte_for_byte() {
    let released = Released::new().await;
    let rows = released.rows("SELECT event FROM events").await;
    let kinds: BTreeSet<String> = rows
        .iter()
        .map(|row| {
            let written: String = row.get(0);
            survives::<Event>(&written);
            serde_json::from_str::<Value>(&written).unwrap()["event"].as_str().unwrap().to_owned()
        })
        .collect();
    assert!(kinds.len() >= 30, "only {kinds:?}");
}

#[tokio::test]
async fn released_outbox_is_written_back_byte_for_byte() {
    let released = Released::new().await;
    let rows = released.rows("SELECT key, say FROM outbox").await;
    for row in &rows {
        assert_eq!(survives::<OutboxItem>(row.get(1)).key(), row.get::<String, _>(0));
    }
    let due = released.rows("SELECT id FROM outbox WHERE state = 0 ORDER BY id").await;
    let barred = released.rows("SELECT id FROM outbox WHERE state = 3 ORDER BY id").await;
    let posted = released.rows("SELECT message, table_id FROM outbox WHERE message IS NOT NULL").await;
    let journal = released.open().await;
    let ids = |rows: &[SqliteRow]| rows.iter().map(|row| row.get(0)).collect::<Vec<i64>>();
    let found = journal.due(0, rows.len()).await.unwrap();
    assert_eq!(found.iter().map(|item| item.id).collect::<Vec<_>>(), ids(&due));
    let found = journal.blocked_items(PageRequest::first(9_999)).await.unwrap().rows;
    assert_eq!(found.iter().map(|item| item.id).collect::<Vec<_>>(), ids(&barred));
    for row in &posted {
        let found = journal.table_of(MessageId(id(row, 0))).await.unwrap();
        assert_eq!(found, Some(table_id(row, 1)), "message {}", id(row, 0));
    }
    assert_eq!(journal.unreadable(), 0);
}

/// The card of a table derives from its entries, so both must say the same in today's form as well.
#[tokio::test]
async fn released_cards_are_those_of_the_replayed_tables() {
    let released = Released::new().await;
    let rows = released.rows("SELECT table_id, card FROM cards").await;
    let written: BTreeMap<_, Card> =
        rows.iter().map(|row| (table_id(row, 0), survives::<Card>(row.get(1)))).collect();
    let journal = released.open().await;
    let tables = tables(&journal).await;
    assert_eq!(tables.len(), written.len());
    for table in tables {
        // Later versions also keep the result in the card; 0.1.0 did not.
        let card = table.card();
        assert_eq!(card.result.is_some(), card.stage == Stage::Over, "{}", card.id);
        assert_eq!(Card { result: None, ..card }, written[&table.id()]);
    }
}

/// Removes the margin of a result, which 0.1.0 did not export: a line of text, or a header of four lines in JSON.
fn without_margin(export: &str) -> String {
    let lines: Vec<_> = export.lines().collect();
    let header = lines.iter().position(|line| line.trim() == "\"name\": \"Margin\",");
    let header = header.map(|name| name - 1..name + 3);
    let is_margin = |(i, line): &(usize, &str)| {
        line.starts_with("[Margin ") || header.as_ref().is_some_and(|header| header.contains(i))
    };
    let kept: Vec<_> =
        lines.iter().copied().enumerate().filter(|line| !is_margin(line)).map(|(_, line)| line).collect();
    kept.join("\n") + if export.ends_with('\n') { "\n" } else { "" }
}

/// An export holds the moves, the result and its reason, the players, options and times, and the seal.
#[tokio::test]
async fn released_tables_export_what_the_released_version_exported() {
    let released = Released::new().await;
    let journal = released.open().await;
    let mut files = files("records");
    for table in tables(&journal).await {
        let name = game_record::file_name(table.id());
        assert_eq!(table.play().is_some(), files.contains_key(&format!("{name}.txt")), "{name}");
        for form in FORMS {
            let Some(expected) = files.remove(&format!("{name}.{form}")) else { continue };
            let export = export(&journal, &table, form, &expected).await;
            if form == ABSTRACT_PLAY {
                // Today's form has scores, the margin and the pie rule in addition.
                let read = |text: &str| {
                    let mut record = Record::read_any(text, None).unwrap();
                    record.headers.retain(|(name, _)| name != "Margin");
                    record
                };
                assert_eq!(read(&export), read(&expected), "{name}.{form}");
            } else {
                assert_eq!(without_margin(&export), expected, "{name}.{form}");
            }
        }
    }
    assert!(files.is_empty(), "exports of no table: {:?}", files.keys());
}

const ABSTRACT_PLAY: &str = "abstractplay.json";
const FORMS: [&str; 3] = ["txt", "json", ABSTRACT_PLAY];

/// Exports a table as of the moment at which the released version wrote its export.
async fn export(journal: &Sqlite, table: &Table, form: &'static str, expected: &str) -> String {
    let record = Record::read_any(expected, None).unwrap();
    let written = record.headers.iter().find(|(name, _)| name == "Written");
    let now: Timestamp = written.unwrap().1.parse().unwrap();
    let (table, chain) = (table.clone(), journal.chain(table.id()).await.unwrap());
    let export = move || {
        let record = game_record::record(&table, &chain, now).unwrap();
        match form {
            "txt" => record.write(table.chairs().len()),
            "json" => record.to_json(table.chairs().len()),
            _ => record.to_abstract_play().unwrap(),
        }
    };
    tokio::task::spawn_blocking(export).await.unwrap()
}

#[tokio::test]
async fn released_exports_are_imported() {
    let released = Released::new().await;
    let journal = released.open().await;
    let files = files("records");
    for form in FORMS {
        assert!(files.keys().any(|name| name.ends_with(form)), "no export as {form}");
    }
    for (name, text) in files {
        let record = Record::read_any(&text, None).unwrap_or_else(|bad| panic!("{name}: {bad}"));
        let played = record.replay().unwrap_or_else(|bad| panic!("{name}: {bad}"));
        let table = name.strip_prefix("rookery-").and_then(|name| name.split('.').next()).unwrap();
        let table: TableId = table.parse().unwrap();
        let kept = Table::replay(table, &journal.load(table).await.unwrap()).unwrap().unwrap();
        let kept = kept.play().unwrap();
        assert_eq!((played.line(), played.record()), (kept.line(), kept.record()), "{name}");
        let moves = record.turns.iter().filter(|turn| matches!(turn, Turn::Move(_))).count();
        assert_eq!(moves, played.ply(), "{name}");
    }
}

/// Compares with the file that the released version handed out for `/privacy`.
#[tokio::test]
async fn released_data_of_people_is_read_as_it_was_handed_out() {
    let released = Released::new().await;
    let journal = released.open().await;
    for (name, text) in files("people") {
        let told: Value = serde_json::from_str(&text).unwrap();
        let who = UserId(told["discord_user"].as_str().unwrap().parse().unwrap());
        let settings: Option<PersonalPreferences> = journal.preferences().personal(who).await.unwrap();
        let mut settings = json!(settings);
        // The last choices in `/play` came later.
        let choices = settings.as_object_mut().and_then(|it| it.remove("play"));
        assert!(choices.is_none_or(|it| it == json!({"level": null, "options": {}})), "{name}");
        assert_eq!(settings, told["settings"], "{name}");
        let watching = journal.follows().watched_by(who, PageRequest::first(9_999)).await.unwrap().rows;
        assert_eq!(
            json!(watching.iter().map(TableId::as_str).collect::<Vec<_>>()),
            told["watching"],
            "{name}"
        );
        let ratings =
            journal.ratings().history(Account::Person(who), PageRequest::first(9_999)).await.unwrap().rows;
        assert_eq!(Value::from_iter(ratings.iter().map(rating)), told["ratings"], "{name}");
        let filter = Filter { person: Some(who), ..Filter::default() };
        let games = journal.list(&filter, PageRequest::first(9_999)).await.unwrap().rows;
        assert_eq!(Value::from_iter(games.iter().map(|card| game(card, who))), told["games"], "{name}");
    }
}

fn rating(it: &RatingRecord) -> Value {
    json!({ "game": it.game, "pool": it.pool.key(), "rating": it.rating.mean(), "table": it.table.as_str(),
        "at_ms": it.at.as_millisecond() })
}

fn game(card: &Card, who: UserId) -> Value {
    let own = Seat::all(card.people.len()).filter(|seat| card.people[seat.index()] == Some(who));
    let seats: Vec<_> = own.map(Seat::number).collect();
    let winners: Vec<_> = card.winners.iter().map(|seat| seat.number()).collect();
    json!({ "table": card.id.as_str(), "game": card.game, "stage": card.stage, "turns": card.ply,
        "seats": card.people.len(), "your_seats": seats, "winning_seats": winners, "server": card.guild,
        "last_ms": card.at.as_millisecond() })
}

/// Fields that today's form has in addition keep their defaults.
#[tokio::test]
async fn released_preferences_of_servers_keep_their_values() {
    let released = Released::new().await;
    let rows = released.rows("SELECT id, chosen FROM preferences WHERE kind = 1").await;
    let journal = released.open().await;
    for row in rows {
        let chosen: serde_json::Map<String, Value> = serde_json::from_str(row.get(1)).unwrap();
        let read = journal.preferences().server(GuildId(id(&row, 0))).await.unwrap();
        let mut expected = json!(ServerPreferences::default());
        expected.as_object_mut().unwrap().extend(chosen);
        assert_eq!(json!(read), expected);
    }
}

#[tokio::test]
async fn released_rows_beside_the_tables_are_read() {
    let released = Released::new().await;
    let follows = released.rows("SELECT table_id, person FROM follows").await;
    let ratings = released.rows("SELECT DISTINCT account FROM ratings").await;
    let rated = released.rows("SELECT id FROM ratings").await.len();
    let jobs = released.rows("SELECT table_id, ply, level, seed FROM jobs ORDER BY table_id").await;
    let notes = released.rows("SELECT key, value FROM notes").await;
    let erased = released.rows("SELECT table_id FROM erased").await;
    let journal = released.open().await;
    for row in &follows {
        let followers =
            journal.follows().followers(table_id(row, 0), PageRequest::first(9_999)).await.unwrap().rows;
        assert!(followers.iter().any(|(who, _)| who.0 == id(row, 1)));
    }
    let mut found = 0;
    for row in &ratings {
        let account = Account::try_from(row.get::<String, _>(0)).unwrap();
        found += journal.ratings().history(account, PageRequest::first(9_999)).await.unwrap().rows.len();
    }
    assert_eq!(found, rated);
    let mut owed = journal.jobs(PageRequest::first(9_999)).await.unwrap().rows;
    owed.sort_by_key(|job| job.table);
    let owed: Vec<_> =
        owed.iter().map(|job| (job.table, job.ply as i64, job.level.key(), job.seed)).collect();
    let texts: Vec<String> = jobs.iter().map(|row| row.get(2)).collect();
    let expected = jobs.iter().zip(&texts);
    let expected = expected.map(|(row, level)| (table_id(row, 0), row.get(1), level.as_str(), id(row, 3)));
    assert_eq!(owed, expected.collect::<Vec<_>>());
    for row in &notes {
        let note = journal.note(row.get(0)).await.unwrap();
        assert_eq!(note.as_deref(), Some(row.get(1)));
    }
    for row in &erased {
        assert_eq!(journal.load(table_id(row, 0)).await.unwrap(), []);
    }
}

/// A clock at which no time of the released games has passed.
struct StillClock(Timestamp);

impl Clock for StillClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}

fn is_over(table: &Table) -> bool {
    matches!(table.status(), Status::Over(_))
}

/// Plays a game to its end with the first legal move of each turn. A proof of the result may end it sooner, between a
/// look at the table and the next move.
async fn play_to_the_end(registry: &TableRegistry, table: TableId) -> Arc<Table> {
    for number in 1.. {
        let before = registry.table(table).await.unwrap();
        if is_over(&before) {
            return before;
        }
        if let Some(person) = before.occupant(before.to_move().unwrap()).unwrap().person() {
            let text = before.play().unwrap().moves()[0].clone();
            let order = Order::Move { text, ply: Some(before.ply()) };
            let played = registry.order(table, Actor::Person(person), order, Some(SourceId(number))).await;
            let now = registry.table(table).await.unwrap();
            assert!(played.is_ok() || is_over(&now), "{table}: {:?}", played.err());
        }
        // The registry gives the bot's turn to the thinker.
        eventually(&format!("the next turn at {table}"), async || {
            let now = registry.table(table).await.unwrap();
            now.ply() > before.ply() || is_over(&now)
        })
        .await;
    }
    unreachable!("a game ends")
}

/// Returns whether a table waits for a move of the one person who holds the seat.
fn waits_for_a_person(table: &Table) -> bool {
    let person =
        |seat| table.team(seat).is_none() && table.occupant(seat).is_some_and(|it| it.person().is_some());
    *table.status() == Status::Running && !table.is_suspended() && table.to_move().is_some_and(person)
}

#[tokio::test]
async fn released_games_are_played_on_to_their_end() {
    let released = Released::new().await;
    let journal = Arc::new(released.open().await);
    let running: Vec<_> = tables(journal.as_ref()).await.into_iter().filter(waits_for_a_person).collect();
    let last = running.iter().map(Table::at).max().unwrap();
    let clock = Arc::new(StillClock(last + SignedDuration::from_secs(1)));
    let registry = TableRegistry::new(journal.clone(), clock, Arc::new(FirstMove), 7);
    let mut games = BTreeSet::new();
    for table in &running {
        games.insert(table.terms().game.clone());
        let over = play_to_the_end(&registry, table.id()).await;
        assert!(over.ply() > table.ply());
        let kept = Table::replay(table.id(), &journal.load(table.id()).await.unwrap()).unwrap().unwrap();
        assert_eq!((kept.status(), kept.ply()), (over.status(), over.ply()));
        assert_eq!(kept.card().stage, Stage::Over);
    }
    assert!(games.len() >= 4, "only {games:?}");
    registry.close();
    journal.close().await;
    let report = check(&released.path, NO_PROGRESS).await.unwrap();
    assert!(report.is_sound(), "{report}");
}

/// The ids of disabled buttons that only fill a place in a row: Discord never reports a press of them.
const FILLER: &str = "blank:";

#[test]
fn released_buttons_are_understood() {
    let ids = text(&folder().join("custom_ids.txt"));
    assert!(ids.lines().count() >= 60);
    for id in ids.lines() {
        let read = CustomId::read(id);
        if id.starts_with(FILLER) {
            continue;
        }
        assert_ne!(read, CustomId::Unknown, "{id}");
        if let Some(press) = read.at_table() {
            assert_eq!(press.id(), id);
        }
    }
}
