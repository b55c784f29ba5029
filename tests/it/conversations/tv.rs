//! TV channels: one message with the best running game, and its updates.

use std::time::Duration;

use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use serde_json::{Value, json};

use crate::duel::{Duel, Way, open};
use crate::eventually::eventually;
use crate::test_bot::{TestBot, TestSetup};

/// Longer than the interval between two updates.
const A_WHILE: Duration = Duration::from_secs(10);

async fn bot() -> (TestBot, Id) {
    let mut plan = TestSetup::default();
    plan.settings.tv_interval = Duration::from_millis(50);
    let bot = TestBot::of(plan).await;
    let general = bot.playground.channel("general");
    (bot, general)
}

async fn tv(who: &Person, channel: Id, options: &Value) -> String {
    let told = who.slash(channel, "tv", options).unwrap().message().await.unwrap();
    assert!(told.is_ephemeral());
    told.content().to_owned()
}

async fn on_screen(who: &Person, channel: Id, what: &str) -> VisibleMessage {
    let is_it = |it: &VisibleMessage| it.content().contains('📺') && it.content().contains(what);
    let picture = who.wait_for(channel, &format!("{what} on the television"), is_it).await.unwrap();
    assert!(picture.pinged().is_empty(), "nobody is called to the television");
    picture
}

/// Waits until a message contains this text.
async fn wait_for_text(bot: &TestBot, who: &Person, message: &VisibleMessage, text: &str) -> VisibleMessage {
    let changed = || who.refetch(message).filter(|it| it.content().contains(text));
    bot.playground.wait(&format!("the television to show {text}"), changed).await.unwrap()
}

/// Waits for a new TV message without a game, after a former one.
async fn wait_for_new_message(who: &Person, channel: Id, before: &VisibleMessage) -> VisibleMessage {
    let is_new = |it: &VisibleMessage| it.id > before.id && it.content().contains("Nothing's on");
    who.wait_for(channel, "the television put up again", is_new).await.unwrap()
}

/// Plays a turn, and lets the time pass until a TV message may change again.
async fn a_turn(bot: &TestBot, duel: &mut Duel) {
    duel.turn(bot, Way::Mention).await;
    bot.playground.clock().advance(A_WHILE);
}

/// Counts the TV messages in the channel.
fn screens(who: &Person, channel: Id) -> usize {
    who.messages(channel).iter().filter(|it| it.content().contains('📺')).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn tv_follows_a_game_in_one_message_to_its_result() {
    let (mut bot, general) = bot().await;
    let (owner, ben) = (bot.ada(), bot.ben());
    assert!(tv(&owner, general, &json!({})).await.contains("best game"));
    let nothing = on_screen(&ben, general, "Nothing's on").await;
    assert!(nothing.content().contains("/play"));
    let mut duel = Duel::begin(&bot).await;
    bot.playground.clock().advance(A_WHILE);
    let first = wait_for_text(&bot, &ben, &nothing, &duel.table).await;
    assert!(first.files().len() == 1 && first.content().contains(&format!("/{}", duel.thread)));
    a_turn(&bot, &mut duel).await;
    let now = wait_for_text(&bot, &ben, &nothing, &duel.play.record().pop().unwrap()).await;

    // A viewer who presses a button gets a private answer, and the message keeps following the game.
    let looked = bot.press(&bot.cleo(), &now, "Show board").await;
    assert!(looked.is_ephemeral(), "{}", looked.content());
    bot.restart_after(A_WHILE).await;
    a_turn(&bot, &mut duel).await;
    wait_for_text(&bot, &ben, &nothing, &duel.play.record().pop().unwrap()).await;

    bot.resign(&duel.mover(), &duel.board).await;
    bot.playground.clock().advance(A_WHILE);
    let over = wait_for_text(&bot, &ben, &nothing, "Just ended").await;
    assert!(over.content().contains(&duel.table));
    bot.playground.clock().advance(Duration::from_secs(120));
    wait_for_text(&bot, &ben, &nothing, "Nothing's on").await;
    assert_eq!(screens(&ben, general), 1);
    assert!(tv(&owner, general, &json!({"where": "off"})).await.contains("no longer shows its best game"));
    assert_eq!(screens(&ben, general), 0);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tv_message_that_is_old_or_deleted_is_posted_again() {
    let (bot, general) = bot().await;
    let (owner, ben) = (bot.ada(), bot.ben());
    tv(&owner, general, &json!({})).await;
    let mut duel = Duel::begin(&bot).await;
    bot.playground.clock().advance(A_WHILE);
    let first = on_screen(&ben, general, &duel.table).await;
    // Messages older than an hour can hardly be edited: a new one replaces the old one.
    bot.playground.clock().advance(Duration::from_secs(3_600));
    a_turn(&bot, &mut duel).await;
    let second = on_screen(&ben, general, &duel.play.record().pop().unwrap()).await;
    assert_ne!(first.id, second.id);
    let gone = || ben.refetch(&first).is_none().then_some(());
    bot.playground.wait("the old picture to go", gone).await.unwrap();
    bot.playground.delete_message(general, second.id);
    a_turn(&bot, &mut duel).await;
    on_screen(&ben, general, &duel.play.record().pop().unwrap()).await;
    assert_eq!(screens(&ben, general), 1);
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tv_waits_for_permission_and_ends_with_its_channel() {
    const SEND_MESSAGES: u64 = 1 << 11;
    let (bot, general) = bot().await;
    let (owner, ben) = (bot.ada(), bot.ben());
    let refused = bot.cleo().slash(general, "tv", &json!({})).err();
    assert!(refused.is_some(), "only for those who manage the server");
    tv(&owner, general, &json!({})).await;
    on_screen(&ben, general, "Nothing's on").await;
    let channel = bot.playground.new_channel("screen").unwrap();
    tv(&owner, channel, &json!({"where": "here"})).await;
    on_screen(&ben, channel, "Nothing's on").await;
    assert_eq!(screens(&ben, general), 0, "one television a server");

    bot.playground.deny_bot(channel, SEND_MESSAGES);
    let lacking = tv(&owner, channel, &json!({})).await;
    assert!(lacking.contains("can't play here without"), "{lacking}");
    bot.playground.deny_bot(channel, 0);
    bot.playground.delete_channel(channel);
    let duel = Duel::begin(&bot).await;
    bot.playground.clock().advance(A_WHILE);
    let gone = async || bot.registry.journal().note("tv").await.unwrap() == Some("[]".to_owned());
    eventually("the TV is gone", gone).await;
    assert!(!duel.table.is_empty());
    bot.stop_after(&[403, 404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tv_leaves_out_games_of_closed_channels() {
    let (bot, general) = bot().await;
    let (ada, ben, cleo) = (bot.ada(), bot.ben(), bot.cleo());
    bot.playground.restrict_channel_to(bot.games(), &[&ada, &ben]);
    tv(&ada, general, &json!({})).await;
    let screen = on_screen(&cleo, general, "Nothing's on").await;
    let duel = Duel::begin(&bot).await;
    bot.playground.clock().advance(A_WHILE);

    // A channel that the same people can read shows the game.
    let lounge = bot.playground.new_channel("lounge").unwrap();
    bot.playground.restrict_channel_to(lounge, &[&ben, &ada]);
    tv(&ada, lounge, &json!({})).await;
    on_screen(&ben, lounge, &duel.table).await;
    tv(&ada, general, &json!({})).await;
    let screen = wait_for_new_message(&cleo, general, &screen).await;
    bot.playground.clock().advance(A_WHILE);

    // The channel is opened to everybody, and closed again.
    bot.playground.restrict_channel_to(bot.games(), &[]);
    let shown = wait_for_text(&bot, &cleo, &screen, &duel.table).await;
    bot.playground.clock().advance(A_WHILE);
    bot.playground.restrict_channel_to(bot.games(), &[&ada, &ben]);
    wait_for_text(&bot, &cleo, &shown, "Nothing's on").await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tv_never_shows_a_direct_message() {
    let (bot, general) = bot().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    tv(&ada, general, &json!({})).await;
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "easy", "where": "dm"});
    let private = open(&ben, general, &terms).await;
    let shown = Duel::begin(&bot).await;
    bot.playground.clock().advance(A_WHILE);
    let screen = on_screen(&ada, general, &shown.table).await;
    assert!(!screen.content().contains(&private));
    bot.stop().await;
}
