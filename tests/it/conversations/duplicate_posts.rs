//! Messages that were posted but not stored are found again in a busy channel.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rookery_playground::id::Id;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::testing::{HookedJournal, MemoryJournal};
use serde_json::json;

use super::board_delivery::FailingMarkPosted;
use crate::duel::{Duel, Way, challenge, open};
use crate::test_bot::{TestBot, TestSetup};

const HOUR: Duration = Duration::from_secs(3_600);
/// The number of other messages before the one searched for: more than are searched.
const BEFORE: usize = 600;
/// The number of other messages after it: more than Discord returns per request.
const AFTER: usize = 150;

/// Starts a bot whose journal can be made to fail when it stores what was posted.
async fn with_failing_mark_posted() -> (TestBot, Arc<HookedJournal<MemoryJournal, FailingMarkPosted>>) {
    let journal =
        Arc::new(HookedJournal { inner: MemoryJournal::default(), hooks: FailingMarkPosted::default() });
    (TestBot::of(TestSetup { journal: journal.clone(), ..TestSetup::default() }).await, journal)
}

/// Posts messages of another person in a channel, and lets an hour pass.
fn talk(playground: &rookery_playground::Playground, channel: Id, messages: usize) {
    let cleo = playground.user("Cleo");
    for number in 0..messages {
        cleo.say(channel, &format!("talk {number}")).unwrap();
    }
    playground.clock().advance(HOUR);
}

#[tokio::test(flavor = "multi_thread")]
async fn duplicate_board_is_avoided_in_a_busy_channel() {
    let (mut bot, journal) = with_failing_mark_posted().await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    talk(&bot.playground, duel.thread, BEFORE);
    journal.hooks.0.store(true, Ordering::Relaxed);
    duel.turn(&bot, Way::Reply).await;
    bot.restart_while(|playground| {
        talk(playground, duel.thread, AFTER);
        journal.hooks.0.store(false, Ordering::Relaxed);
    })
    .await;
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn duplicate_announcement_is_avoided_in_a_busy_channel() {
    let (mut bot, journal) = with_failing_mark_posted().await;
    let (ada, games) = (bot.ada(), bot.games());
    talk(&bot.playground, games, BEFORE);
    journal.hooks.0.store(true, Ordering::Relaxed);
    let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6"})).await;
    let announced = |it: &VisibleMessage| it.content().contains(&table) && !it.is_ephemeral();
    ada.wait_for(games, "the announcement", announced).await.unwrap();
    bot.restart_while(|playground| {
        talk(playground, games, AFTER);
        journal.hooks.0.store(false, Ordering::Relaxed);
    })
    .await;
    bot.wait_until_idle().await;
    assert_eq!(ada.messages(games).iter().filter(|it| announced(it)).count(), 1);
    bot.stop().await;
}

/// Discord shows a message before the bot knows its id, and people may be quick.
#[tokio::test(flavor = "multi_thread")]
async fn challenge_is_answered_before_its_message_is_stored() {
    let (bot, journal) = with_failing_mark_posted().await;
    let (ada, ben, cleo, games) = (bot.ada(), bot.ben(), bot.cleo(), bot.games());
    journal.hooks.0.store(true, Ordering::Relaxed);
    let terms = json!({"game": "amazons", "size": "6x6", "opponent": ben.id});
    let table = open(&ada, games, &terms).await;
    let asked = challenge(&ben, games, &table).await;
    for (who, expected) in [(&cleo, "This game is full".to_owned()), (&ben, format!("You've joined {table}"))]
    {
        let told = bot.answer_to(who, &who.reply(&asked, "accept").unwrap()).await;
        assert!(told.content().contains(&expected), "{}", told.content());
    }
    journal.hooks.0.store(false, Ordering::Relaxed);
    bot.stop().await;
}
