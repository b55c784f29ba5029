//! The real program on a disk that is full for a while: players get an answer, nothing is lost, and it
//! recovers by itself.

use std::path::Path;
use std::time::{Duration, Instant};

use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_playground::{BOT_ID, Options, Playground, id::Id, limits::RateLimits};
use rookery_store::Sqlite;
use rookery_table::Table;
use rookery_table::ports::{Filter, Journal, PageRequest};
use serde_json::json;

use crate::command_line::{Health, PATIENCE, Program};
use crate::duel::slash_play;
use crate::eventually::poll_interval;

/// The time for recovery once there is space again: far less than the half minute between the tasks' own polls.
const SOON: Duration = Duration::from_secs(5);

/// Whether a message is one of those for SQLite's errors when a file cannot grow: a full disk, or an I/O error.
fn is_about_the_disk(text: &str) -> bool {
    text.contains("there is no space left for the journal")
        || text.contains("the disk cannot be read or written")
}

/// Reads the table from the journal while the program runs; returns whether everything is posted, too.
async fn journal_table(folder: &Path) -> (Table, bool) {
    let journal = Sqlite::open_read_only(&folder.join("rookery.sqlite")).await.unwrap();
    let card = journal.list(&Filter::default(), PageRequest::default()).await.unwrap().rows.pop().unwrap();
    let entries = journal.load(card.id).await.unwrap();
    let quiet = journal.due(0, 1).await.unwrap().is_empty();
    journal.close().await;
    (Table::replay(card.id, &entries).unwrap().unwrap(), quiet)
}

async fn until(folder: &Path, what: &str, is_so: impl Fn(&Table, bool) -> bool) -> Table {
    let since = Instant::now();
    loop {
        let (table, quiet) = journal_table(folder).await;
        if is_so(&table, quiet) {
            return table;
        }
        assert!(since.elapsed() < PATIENCE, "still not: {what}");
        poll_interval().await;
    }
}

/// Sends a move, and waits for the bot's refusal.
async fn refused(ada: &Person, thread: Id, text: &str) {
    let said = ada.say(thread, &format!("<@{BOT_ID}> {text}")).unwrap();
    let id = said.id.to_string();
    let answers = |it: &VisibleMessage| it.json["message_reference"]["message_id"] == id.as_str();
    let told = ada.wait_for(thread, "an answer", answers).await.unwrap();
    assert!(told.content().contains("nothing has changed. Please try again"), "{}", told.content());
}

#[tokio::test(flavor = "multi_thread")]
async fn full_disk_costs_no_move_and_play_goes_on_once_there_is_space() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let options = Options { rate_limits: RateLimits::none(), ..Options::default() };
    let playground = Playground::start(options).await.unwrap();
    let base = playground.api_base();
    let health = Health::choose();
    let environment = [
        ("DISCORD_TOKEN", playground.token()),
        ("DISCORD_API_BASE", base.as_str()),
        ("ROOKERY_HEALTH__LISTEN", health.0.as_str()),
    ];
    let bot = Program::start_with_file_limit(folder, &environment);
    playground.wait_for_bot().await.unwrap();
    let (ada, games) = (playground.user("Ada"), playground.channel("games"));
    let terms = json!({"game": "amazons", "ai": "beginner", "size": "6x6", "first": "me"});
    slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
    let thread = ada.wait_for_thread(games, "Amazons").await.unwrap();
    let table =
        until(folder, "the first board is posted", |it, quiet| it.board_channel().is_some() && quiet).await;
    let text = table.play().unwrap().moves()[0].clone();
    health.until(200).await;
    // No file may grow: new writes are appended to the write-ahead log.
    let log = std::fs::metadata(folder.join("rookery.sqlite-wal")).unwrap().len();
    bot.limit_files(Some(log));
    for _ in 0..3 {
        refused(&ada, thread, &text).await;
    }
    assert_eq!(journal_table(folder).await.0.sequence(), table.sequence(), "nothing of it was kept");
    let why = health.until(503).await;
    assert!(is_about_the_disk(&why), "{why}");
    assert!(is_about_the_disk(&bot.said()), "{}", bot.said());
    bot.limit_files(None);
    let since = Instant::now();
    ada.say(thread, &format!("<@{BOT_ID}> {text}")).unwrap();
    until(folder, "her move is kept", |it, _| it.ply() >= 1).await;
    let first = since.elapsed();
    eprintln!("from space being back to the first accepted move: {first:?}");
    let after =
        until(folder, "the bot has answered, and all is posted", |it, quiet| it.ply() >= 2 && quiet).await;
    let all = since.elapsed();
    assert!(first < SOON && all < 2 * SOON, "her move took {first:?}, the rest until {all:?}");
    health.until(200).await;
    let well = since.elapsed();
    assert!(well < 3 * SOON, "health took {well:?}");
    assert_eq!(after.play().unwrap().record()[0], text);
}
