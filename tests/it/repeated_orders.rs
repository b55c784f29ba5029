//! Orders that could not be stored: the person gets an error, and may repeat the order at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use rookery_table::ports::{Batch, Journal, StoreError};
use rookery_table::testing::{HookedJournal, JournalHooks, MemoryJournal};

use crate::duel::{Duel, Way};
use crate::test_bot::{TestBot, TestSetup};

/// Journal hooks that fail as a full disk does, while set.
#[derive(Default)]
struct FullDisk(AtomicBool);

#[async_trait]
impl JournalHooks for FullDisk {
    async fn append(&self, journal: &dyn Journal, batch: &Batch) -> Result<(), StoreError> {
        if self.0.load(Ordering::Relaxed) {
            return Err(StoreError::Backend("the disk is full".into()));
        }
        journal.append(batch).await
    }
}

const NOT_KEPT: &str = "I couldn't save that";

async fn begun() -> (TestBot, Arc<HookedJournal<MemoryJournal, FullDisk>>, Duel) {
    let journal = Arc::new(HookedJournal { inner: MemoryJournal::default(), hooks: FullDisk::default() });
    let bot = TestBot::of(TestSetup { journal: journal.clone(), ..TestSetup::default() }).await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    bot.wait_until_idle().await;
    (bot, journal, duel)
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_move_is_played_after_one_that_could_not_be_kept() {
    let (bot, journal, mut duel) = begun().await;
    let (text, ben) = (duel.any_move(), duel.ben.clone());
    journal.hooks.0.store(true, Ordering::Relaxed);
    let said = ben.reply(&duel.board, &text).unwrap();
    let told = bot.answer_to(&ben, &said).await;
    assert!(told.content().contains(NOT_KEPT), "{}", told.content());
    journal.hooks.0.store(false, Ordering::Relaxed);
    ben.reply(&duel.board, &text).unwrap();
    duel.see(&text).await;
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}
