//! Personal data: shown, exported, deleted.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use rookery_core::player::Level;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_store::Sqlite;
use rookery_table::ports::{Batch, Filter, Journal, Stage, StoreError};
use rookery_table::testing::{HookedJournal, JournalHooks, MemoryJournal};
use rookery_table::{Occupant, Status};
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use crate::duel::{Duel, Way, challenge, has_move_at, open, three};
use crate::test_bot::{TestBot, TestSetup};

/// Starts a bot with a journal in a file.
async fn bot(folder: &Path) -> TestBot {
    let journal = Arc::new(Sqlite::open(&folder.join("rookery.sqlite")).await.unwrap());
    TestBot::of(TestSetup { journal, ..TestSetup::default() }).await
}

/// Whether a file in the folder contains a person's id, in digits or in SQLite's binary form.
fn contains_id(folder: &Path, who: &Person) -> bool {
    let (digits, binary) = (who.id.0.to_string().into_bytes(), who.id.0.to_be_bytes());
    std::fs::read_dir(folder).unwrap().any(|file| {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        let has = |wanted: &[u8]| bytes.windows(wanted.len()).any(|some| some == wanted);
        has(&digits) || has(&binary)
    })
}

/// Downloads the file of a message.
async fn file(message: &VisibleMessage) -> String {
    let url = message.files()[0]["url"].as_str().unwrap();
    reqwest::get(url).await.unwrap().text().await.unwrap()
}

async fn panel(who: &Person, bot: &TestBot) -> VisibleMessage {
    who.slash(bot.games(), "privacy", &json!({})).unwrap().message().await.unwrap()
}

/// Deletes a person's data with the button of this label; returns the text of the confirmation.
async fn delete(bot: &TestBot, who: &Person, label: &str) -> String {
    let sure = bot.press_private(who, &panel(who, bot).await, "Delete my data").await;
    let done = bot.press_private(who, &sure, label).await;
    assert!(done.content().contains("Everything I stored about you is deleted"), "{}", done.content());
    sure.content().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn privacy_export_shows_and_sends_what_is_stored() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    bot.registry
        .preferences_cache()
        .change_person(rookery_table::UserId(duel.ada.id.0), |it| it.large_print = true)
        .await
        .unwrap();
    let shown = panel(&duel.ada, &bot).await;
    assert!(shown.is_ephemeral() && shown.content().contains("your ratings"), "{}", shown.content());
    let sent = bot.press_private(&duel.ada, &shown, "Send my data").await;
    assert_eq!(sent.files()[0]["filename"], "rookery-my-data.json");
    let data: Value = serde_json::from_str(&file(&sent).await).unwrap();
    assert_eq!(data["discord_user"], duel.ada.id.to_string());
    assert_eq!(data["settings"]["large_print"], true);
    assert_eq!(data["games"][0]["table"], duel.table.as_str());
    assert_eq!(data["games"][0]["your_seats"], json!([1]));
    assert!(!data.to_string().contains(&duel.ben.id.to_string()), "others are not theirs to take home");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn privacy_deletion_removes_a_person_and_the_record_still_verifies() {
    let folder = tempfile::tempdir().unwrap();
    let bot = bot(folder.path()).await;
    let mut duel = Duel::begin(&bot).await;
    for way in [Way::Reply, Way::Mention, Way::Command] {
        duel.turn(&bot, way).await;
    }
    let (ada, ben, games) = (duel.ada.clone(), duel.ben.clone(), bot.games());
    let alone =
        open(&ada, games, &json!({"game": "amazons", "size": "6x6", "ai": "easy", "where": "dm"})).await;
    let waiting = open(&ada, games, &json!({"game": "amoeba"})).await;
    ada.slash(games, "settings", &json!({"zone": "Asia/Tokyo"})).unwrap().message().await.unwrap();
    bot.wait_until_idle().await;
    assert!(
        contains_id(folder.path(), &ada) && contains_id(folder.path(), &ben),
        "or this test finds nothing"
    );
    let before = bot.registry.journal().chain(duel.table.parse().unwrap()).await.unwrap();

    let kept = bot.press_private(&ada, &panel(&ada, &bot).await, "Delete my data").await;
    let kept = bot.press_private(&ada, &kept, "Cancel").await;
    assert!(kept.content().contains("Nothing was deleted"), "{}", kept.content());
    let asked = delete(&bot, &ada, "Delete").await;
    for table in [&duel.table, &alone, &waiting] {
        assert!(asked.contains(table.as_str()), "{asked}");
    }
    let result = ben.wait_for(duel.thread, "the result", |it| it.button("Rematch").is_some()).await.unwrap();
    assert!(result.content().contains(&ben.mention()), "he has won: {}", result.content());
    bot.wait_until_idle().await;
    assert!(!contains_id(folder.path(), &ada) && contains_id(folder.path(), &ben));

    let table = bot.table(&duel.table).await;
    assert!(matches!(table.status(), Status::Over(_)) && table.ply() == duel.play.ply());
    assert!(bot.registry.table(alone.parse().unwrap()).await.is_err(), "a game with nobody else is gone");
    let after = bot.registry.journal().chain(table.id()).await.unwrap();
    assert_eq!(after.links[..before.links.len()], before.links, "no entry was touched");
    let verified = ben.slash(duel.thread, "verify", &json!({})).unwrap().message().await.unwrap();
    assert!(verified.content().contains("everything checks out"), "{}", verified.content());
    assert!(verified.content().contains("had their data deleted"), "{}", verified.content());
    let which = json!({"which": "finished"});
    let list = ben.slash(games, "games", &which).unwrap().message().await.unwrap();
    assert!(list.content().contains("deleted player"), "{}", list.content());
    let board = ben.slash(duel.thread, "board", &json!({})).unwrap().message().await.unwrap();
    assert!(!board.content().contains(&ada.mention()), "{}", board.content());
    let record = ben.slash(duel.thread, "export", &json!({})).unwrap().message().await.unwrap();
    assert!(!file(&record).await.contains(&ada.id.to_string()));
    bot.stop_after(&[403, 404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn privacy_page_names_the_operators_contact() {
    let mut plan = TestSetup::default();
    plan.settings.contact = Some("ops@rookery.example".into());
    let bot = TestBot::of(plan).await;
    let shown = panel(&bot.ada(), &bot).await;
    assert!(shown.content().ends_with("Questions or problems? ops@rookery.example"), "{}", shown.content());
    let help = bot.ada().slash(bot.games(), "help", &json!({})).unwrap().message().await.unwrap();
    let text = help.content();
    assert!(text.ends_with("Questions or problems? ops@rookery.example"), "{text}");
    bot.stop().await;
}

/// Makes writes fail after this many batches, if set.
#[derive(Default)]
struct FullDisk(Mutex<Option<usize>>);

#[async_trait]
impl JournalHooks for FullDisk {
    async fn append(&self, journal: &dyn Journal, batch: &Batch) -> Result<(), StoreError> {
        match self.0.lock().unwrap().as_mut() {
            Some(0) => return Err(StoreError::Backend("the disk is full".into())),
            Some(left) => *left -= 1,
            None => {}
        }
        journal.append(batch).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn privacy_deletion_that_stops_half_way_is_resumed() {
    let journal = Arc::new(HookedJournal { inner: MemoryJournal::default(), hooks: FullDisk::default() });
    let bot = TestBot::of(TestSetup { journal: journal.clone(), ..TestSetup::default() }).await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    for _ in 0..2 {
        let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6"})).await;
        let challenge = challenge(&ben, games, &table).await;
        bot.press(&ben, &challenge, "Join").await;
    }
    bot.wait_until_idle().await;
    let playing = async || {
        let running = Filter { stage: Some(Stage::Running), ..Filter::default() };
        bot.registry.list(&running, 100).await.unwrap().len()
    };
    *journal.hooks.0.lock().unwrap() = Some(1);
    let sure = bot.press_private(&ada, &panel(&ada, &bot).await, "Delete my data").await;
    let half = bot.press_private(&ada, &sure, "Delete").await;
    assert_eq!(playing().await, 1, "one of the two was given up");
    assert!(half.content().contains("only part of your data is deleted"), "{}", half.content());
    *journal.hooks.0.lock().unwrap() = None;
    let done = bot.press_private(&ada, &half, "Delete").await;
    assert!(done.content().contains("Everything I stored about you is deleted"), "{}", done.content());
    assert_eq!(playing().await, 0);
    bot.stop_after(&[403, 404]).await;
}

/// Opens a connection to the file that bypasses the journal.
async fn open_database(folder: &Path) -> sqlx::SqlitePool {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join("rookery.sqlite"));
    sqlx::SqlitePool::connect_with(options).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn privacy_deletion_finishes_an_unreadable_table_later() {
    let folder = tempfile::tempdir().unwrap();
    let mut bot = bot(folder.path()).await;
    let duel = Duel::begin(&bot).await;
    let (ada, ben, games) = (duel.ada.clone(), duel.ben.clone(), bot.games());
    let alone =
        open(&ada, games, &json!({"game": "amazons", "size": "6x6", "ai": "easy", "where": "dm"})).await;
    bot.wait_until_idle().await;
    let file = open_database(folder.path()).await;
    let entry: String = sqlx::query_scalar("SELECT event FROM events WHERE table_id = ? AND sequence = 2")
        .bind(&duel.table)
        .fetch_one(&file)
        .await
        .unwrap();
    let write = async |entry: &str| {
        let sql = "UPDATE events SET event = ? WHERE table_id = ? AND sequence = 2";
        sqlx::query(sql).bind(entry).bind(&duel.table).execute(&file).await.unwrap();
    };
    write(r#"{"event":"of a newer version"}"#).await;
    bot.restart().await;

    let told =
        ben.slash(duel.thread, "board", &json!({"table": duel.table})).unwrap().message().await.unwrap();
    assert!(told.content().contains(&format!("can't open {}", duel.table)), "{}", told.content());
    // A person who may not see the table does not learn that it exists.
    let dan = bot.playground.new_stranger("Dan");
    for command in ["board", "verify"] {
        let asks = async |table: &str| {
            let told =
                dan.slash(dan.dm(), command, &json!({"table": table})).unwrap().message().await.unwrap();
            told.content().replace(table, "NAME")
        };
        assert_eq!(asks(&duel.table).await, asks("ZZZZ").await, "/{command}");
    }
    let sure = bot.press_private(&ada, &panel(&ada, &bot).await, "Delete my data").await;
    let done = bot.press_private(&ada, &sure, "Delete").await;
    assert!(done.content().contains("except for one game"), "{}", done.content());
    assert!(done.content().contains(&duel.table) && !done.content().contains(&alone), "{}", done.content());
    assert!(done.content().contains("finish this automatically"), "{}", done.content());
    assert!(bot.registry.table(alone.parse().unwrap()).await.is_err(), "the rest is gone");
    assert!(contains_id(folder.path(), &ada), "what cannot be read is left alone");
    assert_eq!(bot.registry.unreadable(), 1);
    assert_eq!(bot.registry.finish_deletions().await.unwrap(), 1, "it still cannot be read");

    write(&entry).await;
    bot.restart().await;
    assert_eq!(bot.registry.finish_deletions().await.unwrap(), 0);
    ben.wait_for(duel.thread, "the result", |it| it.button("Rematch").is_some()).await.unwrap();
    bot.wait_until_idle().await;
    assert!(matches!(bot.table(&duel.table).await.status(), Status::Over(_)), "her seat was given up");
    assert!(!contains_id(folder.path(), &ada) && contains_id(folder.path(), &ben));
    bot.stop_after(&[403, 404]).await;
}

/// Makes a journal whose list of people's tables lies in a damaged page; returns its path.
async fn damaged_list_of_tables(folder: &Path) -> PathBuf {
    const PAGE: usize = 4_096;
    let path = folder.join("rookery.sqlite");
    Sqlite::open(&path).await.unwrap().close().await;
    let mut file = SqliteConnectOptions::new().filename(&path).connect().await.unwrap();
    let sql = "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = 'people'";
    let page: i64 = sqlx::query_scalar(sql).fetch_one(&mut file).await.unwrap();
    file.close().await.unwrap();
    let (mut bytes, end) = (std::fs::read(&path).unwrap(), usize::try_from(page).unwrap() * PAGE);
    bytes[end - PAGE..end].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    path
}

#[tokio::test(flavor = "multi_thread")]
async fn privacy_says_that_a_deletion_is_finished_later_if_the_list_of_tables_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Arc::new(Sqlite::open(&damaged_list_of_tables(folder.path()).await).await.unwrap());
    let bot = TestBot::of(TestSetup { journal, ..TestSetup::default() }).await;
    let ada = bot.ada();
    let sure = bot.press_private(&ada, &panel(&ada, &bot).await, "Delete my data").await;
    let done = bot.press_private(&ada, &sure, "Delete").await;
    assert!(done.content().contains("will finish once it's repaired"), "{}", done.content());
    assert_eq!(done.buttons(), Vec::<&str>::new(), "there is nothing to press again");
    assert_eq!(bot.registry.finish_deletions().await.unwrap(), 1, "it waits for the repair");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn outbox_waits_for_a_table_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut bot = bot(folder.path()).await;
    let duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    let file = open_database(folder.path()).await;
    let newer = r#"UPDATE events SET event = '{"event":"of a newer version"}' WHERE sequence = 2;
        UPDATE outbox SET state = 0 WHERE key = 'board-0'"#;
    sqlx::raw_sql(newer).execute(&file).await.unwrap();
    bot.restart().await;
    let other = open(&duel.ada, bot.games(), &json!({"game": "amazons", "size": "6x6"})).await;
    challenge(&duel.ben, bot.games(), &other).await;
    bot.wait_until_idle().await;
    let states: Vec<i64> =
        sqlx::query_scalar("SELECT state FROM outbox WHERE key = 'board-0'").fetch_all(&file).await.unwrap();
    assert_eq!(states, [4], "neither said nor given up");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn privacy_deletion_in_a_game_of_three_lets_the_bot_play_on() {
    let folder = tempfile::tempdir().unwrap();
    let bot = bot(folder.path()).await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let (table, thread, _) = three(&bot).await;
    bot.wait_until_idle().await;
    let asked = delete(&bot, &ada, "Delete, hand over").await;
    assert!(asked.contains("Rookery can play on for you"), "{asked}");
    bot.wait_until_idle().await;
    let seats = bot.table(&table).await.chairs().to_vec();
    assert_eq!(seats[0], Occupant::Ai { level: Level::DEFAULT });
    assert!(!contains_id(folder.path(), &ada));
    let left = |it: &VisibleMessage| it.content().contains("has left for good");
    let note = ben.wait_for(thread, "that she is gone", left).await.unwrap();
    assert!(note.buttons().is_empty(), "nobody can take that seat back: {:?}", note.buttons());
    assert!(!note.content().contains(&ada.mention()), "{}", note.content());
    assert!(!ben.messages(thread).iter().any(|it| it.content().contains("has stepped away")));
    let next = |it: &VisibleMessage| has_move_at(it, 1);
    let board = ben.wait_for(thread, "the bot's move in her place", next).await.unwrap();
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    ben.reply(&board, &text).unwrap();
    let told =
        |it: &VisibleMessage| it.content().contains("2. ") && it.content().contains(&format!(" {text}"));
    ben.wait_for(thread, "Ben's move", told).await.unwrap();
    // She may come back under a new pseudonym.
    ada.slash(thread, "back", &json!({})).unwrap().message().await.unwrap();
    assert_eq!(bot.table(&table).await.chairs()[0], Occupant::Ai { level: Level::DEFAULT });
    bot.stop().await;
}
