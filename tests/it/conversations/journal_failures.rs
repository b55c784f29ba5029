//! A write that the journal rejects is reported to the person, is not remembered as done, and can be
//! repeated: by the same action, and by Discord's resending of the event.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use rookery_playground::BOT_ID;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_store::Sqlite;
use rookery_table::ports::{Batch, Journal, StoreError};
use rookery_table::testing::{HookedJournal, JournalHooks, MemoryJournal};
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use crate::duel::Duel;
use crate::test_bot::{TestBot, TestSetup};

const NOT_KEPT: &str = "nothing has changed. Please try again";

/// Journal hooks that fail as a full disk does.
#[derive(Default)]
struct FullDisk(AtomicBool);

#[async_trait]
impl JournalHooks for FullDisk {
    async fn append(&self, journal: &dyn Journal, batch: &Batch) -> Result<(), StoreError> {
        if self.0.load(Ordering::SeqCst) {
            return Err(StoreError::Backend("there is no space left".into()));
        }
        journal.append(batch).await
    }

    fn before_read_chain(&self) -> Result<(), StoreError> {
        match self.0.load(Ordering::SeqCst) {
            true => Err(StoreError::Damaged("a page is damaged".into())),
            false => Ok(()),
        }
    }
}

async fn bot() -> (TestBot, Arc<HookedJournal<MemoryJournal, FullDisk>>) {
    let journal = Arc::new(HookedJournal { inner: MemoryJournal::default(), hooks: FullDisk::default() });
    (TestBot::of(TestSetup { journal: journal.clone(), ..TestSetup::default() }).await, journal)
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_move_is_reported_and_played_when_discord_resends_it() {
    let (bot, journal) = bot().await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    journal.hooks.0.store(true, Ordering::SeqCst);
    let text = duel.any_move();
    let said = duel.ada.say(duel.thread, &format!("<@{BOT_ID}> {text}")).unwrap();
    let told = bot.answer_to(&duel.ada, &said).await;
    assert!(told.content().contains(NOT_KEPT), "{}", told.content());
    assert_eq!(bot.table(&duel.table).await.ply(), 0);
    journal.hooks.0.store(false, Ordering::SeqCst);
    bot.playground.faults().send_message_again(said.id);
    duel.see(&text).await;
    bot.playground.faults().send_message_again(said.id);
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_record_is_named_as_such_by_verify_and_export() {
    let (bot, journal) = bot().await;
    let duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    journal.hooks.0.store(true, Ordering::SeqCst);
    for command in ["verify", "export"] {
        let asked = duel.ada.slash(duel.thread, command, &json!({"table": duel.table})).unwrap();
        let told = asked.message().await.unwrap();
        assert!(told.content().contains("its record is damaged"), "{command}: {}", told.content());
        assert!(!told.content().contains("try again"), "{command}: {}", told.content());
    }
    journal.hooks.0.store(false, Ordering::SeqCst);
    bot.stop().await;
}

/// The table was read before the damage, so that only the chain of its entries fails.
#[tokio::test(flavor = "multi_thread")]
async fn damaged_row_in_a_file_is_named_as_such_by_verify_and_export() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    let journal = Arc::new(Sqlite::open(&path).await.unwrap());
    let bot = TestBot::of(TestSetup { journal, ..TestSetup::default() }).await;
    let duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    let mut file = SqliteConnectOptions::new().filename(&path).connect().await.unwrap();
    let damage = "UPDATE events SET event = CAST(x'ff' AS TEXT) WHERE table_id = ? AND sequence = 2";
    let changed = sqlx::query(damage).bind(&duel.table).execute(&mut file).await.unwrap();
    assert_eq!(changed.rows_affected(), 1);
    file.close().await.unwrap();
    for command in ["verify", "export"] {
        let asked = duel.ada.slash(duel.thread, command, &json!({"table": duel.table})).unwrap();
        let told = asked.message().await.unwrap();
        assert!(told.content().contains("its record is damaged"), "{command}: {}", told.content());
        assert!(!told.content().contains("try again"), "{command}: {}", told.content());
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_command_can_be_repeated_at_once() {
    let (bot, journal) = bot().await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    let text = duel.any_move();
    journal.hooks.0.store(true, Ordering::SeqCst);
    let asked = duel.ada.slash(duel.thread, "move", &json!({"move": text})).unwrap();
    let told = asked.message().await.unwrap();
    assert!(told.content().contains(NOT_KEPT), "{}", told.content());
    journal.hooks.0.store(false, Ordering::SeqCst);
    let asked = duel.ada.slash(duel.thread, "move", &json!({"move": text})).unwrap();
    let told = asked.message().await.unwrap();
    assert!(told.content().contains(&text), "{}", told.content());
    duel.see(&text).await;
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

/// A second press of such a button normally repeats the first answer for some seconds, but not after a
/// failure.
#[tokio::test(flavor = "multi_thread")]
async fn failed_press_is_not_remembered_as_done() {
    let (bot, journal) = bot().await;
    let duel = Duel::begin(&bot).await;
    bot.resign(&duel.ada, &duel.board).await;
    let over = |it: &VisibleMessage| it.button("Rematch").is_some();
    let over = duel.ben.wait_for(duel.thread, "the result", over).await.unwrap();
    bot.wait_until_idle().await;
    journal.hooks.0.store(true, Ordering::SeqCst);
    let told = bot.press(&duel.ben, &over, "Rematch").await;
    assert!(told.content().contains(NOT_KEPT), "{}", told.content());
    journal.hooks.0.store(false, Ordering::SeqCst);
    let told = bot.press(&duel.ben, &over, "Rematch").await;
    assert!(!told.content().contains(NOT_KEPT), "{}", told.content());
    bot.stop().await;
}
