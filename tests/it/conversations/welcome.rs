//! The welcome message in the channel for games: where it appears, that it appears once, and who may move it.

use std::time::Duration;

use rookery::discord::Greeting;
use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::GuildId;
use serde_json::json;

use crate::eventually::eventually;
use crate::test_bot::{TestBot, TestSetup};

const SEND_MESSAGES: u64 = 1 << 11;
/// The buttons of the welcome message.
const BUTTONS: [&str; 4] = ["Play the bot", "Challenge someone", "Learn a game", "Watch"];

fn plan(greeting: Greeting) -> TestSetup {
    let mut plan = TestSetup::default();
    plan.settings.greeting = greeting;
    plan.settings.lobby_interval = Duration::from_millis(50);
    plan
}

/// Starts a bot that puts the welcome into `#games`, as in the playground.
pub(super) async fn welcomed() -> (TestBot, VisibleMessage) {
    let bot = TestBot::of(plan(Greeting::Welcome("games".to_owned()))).await;
    let welcome = wait_for_welcome(&bot, bot.games()).await;
    (bot, welcome)
}

fn is_welcome(message: &VisibleMessage) -> bool {
    !message.is_ephemeral() && message.buttons() == BUTTONS
}

/// Waits for the welcome in a channel, and until the journal has noted it.
async fn wait_for_welcome(bot: &TestBot, channel: Id) -> VisibleMessage {
    let welcome = bot.ben().wait_for(channel, "the welcome", is_welcome).await.unwrap();
    eventually("the welcome is noted", async || note(bot).await.contains(&welcome.id.to_string())).await;
    welcome
}

async fn note(bot: &TestBot) -> String {
    let guild = bot.playground.guild("Rookery").unwrap();
    bot.registry.journal().note(&format!("welcome-{guild}")).await.unwrap().unwrap_or_default()
}

fn count(who: &Person, channel: Id) -> usize {
    who.messages(channel).iter().filter(|message| is_welcome(message)).count()
}

/// Waits until the bot has brought all welcomes up to date that were due before: it takes them in turn, so another
/// one that appears in the second server is the last.
async fn settle(bot: &TestBot) {
    bot.wait_until("both servers to have arrived", || bot.tasks("event")[1] >= 2).await;
    let (ada, room) = (bot.ada(), bot.playground.channel("table"));
    let before = ada.messages(room).last().map(|message| message.id);
    let panel = ada.slash(room, "config panel", &json!({})).unwrap().message().await.unwrap();
    let page = bot.press_private(&ada, &panel, "Welcome …").await;
    ada.choose(&page, "cfg:welcome", &[&room.to_string()]).unwrap().answer().await.unwrap();
    let is_new = |it: &VisibleMessage| is_welcome(it) && before.is_none_or(|before| it.id > before);
    ada.wait_for(room, "the welcome of the second server", is_new).await.unwrap();
}

async fn page(bot: &TestBot) -> VisibleMessage {
    let (ada, games) = (bot.ada(), bot.games());
    let panel = ada.slash(games, "config panel", &json!({})).unwrap().message().await.unwrap();
    bot.press_private(&ada, &panel, "Welcome …").await
}

#[tokio::test(flavor = "multi_thread")]
async fn welcome_is_posted_once_and_its_buttons_work_after_a_restart() {
    let (mut bot, welcome) = welcomed().await;
    let (ada, games) = (bot.ada(), bot.games());
    assert_eq!(welcome.files().len(), 1, "a board as picture");
    assert!(welcome.pinged().is_empty());
    for _ in 0..2 {
        bot.restart().await;
        settle(&bot).await;
        assert_eq!(count(&ada, games), 1);
    }
    let asked = bot.press(&ada, &welcome, "Play the bot").await;
    assert!(asked.is_ephemeral() && asked.button("Amazons").is_some(), "{:?}", asked.buttons());
    bot.stop().await;
}

/// The process died after Discord had accepted the message, before its id was stored.
#[tokio::test(flavor = "multi_thread")]
async fn welcome_that_was_posted_and_not_stored_is_found_again() {
    let (mut bot, welcome) = welcomed().await;
    let (ada, games) = (bot.ada(), bot.games());
    let mut kept: serde_json::Value = serde_json::from_str(&note(&bot).await).unwrap();
    kept["message"] = serde_json::Value::Null;
    let guild = bot.playground.guild("Rookery").unwrap();
    bot.registry.journal().store_note(&format!("welcome-{guild}"), &kept.to_string()).await.unwrap();
    // After so long a nonce does not prevent a second message.
    bot.restart_after(Duration::from_secs(3_600)).await;
    eventually("the welcome is noted", async || note(&bot).await.contains(&welcome.id.to_string())).await;
    assert_eq!(count(&ada, games), 1);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn welcome_that_was_deleted_returns_only_when_a_manager_asks() {
    let (mut bot, welcome) = welcomed().await;
    let (ada, games) = (bot.ada(), bot.games());
    bot.playground.delete_message(games, welcome.id);
    bot.restart().await;
    settle(&bot).await;
    assert_eq!(count(&ada, games), 0);
    // A change of what it shows is no reason to post it again.
    let panel = ada.slash(games, "config panel", &json!({})).unwrap().message().await.unwrap();
    ada.choose(&panel, "cfg:theme", &["slate"]).unwrap().answer().await.unwrap();
    settle(&bot).await;
    assert_eq!(count(&ada, games), 0);
    let page = page(&bot).await;
    ada.click(&page, page.button("Post it again").unwrap()).unwrap().answer().await.unwrap();
    wait_for_welcome(&bot, games).await;
    assert_eq!(count(&ada, games), 1);
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn welcome_follows_the_theme_of_its_server() {
    let (bot, welcome) = welcomed().await;
    let (ada, games) = (bot.ada(), bot.games());
    let picture = |message: &VisibleMessage| message.files()[0]["url"].as_str().unwrap().to_owned();
    let panel = ada.slash(games, "config panel", &json!({})).unwrap().message().await.unwrap();
    ada.choose(&panel, "cfg:theme", &["slate"]).unwrap().answer().await.unwrap();
    let edited = || ada.refetch(&welcome).filter(|now| picture(now) != picture(&welcome));
    bot.playground.wait("the welcome in the new theme", edited).await.unwrap();
    assert_eq!(count(&ada, games), 1);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn welcome_moves_to_the_chosen_channel() {
    let (bot, old) = welcomed().await;
    let (ada, games, general) = (bot.ada(), bot.games(), bot.playground.channel("general"));
    let page = page(&bot).await;
    assert!(page.content().contains(&format!("<#{games}>")), "{}", page.content());
    let moved = ada.choose(&page, "cfg:welcome", &[&general.to_string()]).unwrap();
    let page = bot.changed(&ada, &page, &moved).await;
    wait_for_welcome(&bot, general).await;
    let gone = || ada.refetch(&old).is_none().then_some(());
    bot.playground.wait("the old welcome to go", gone).await.unwrap();
    let none = ada.choose(&page, "cfg:welcome", &[]).unwrap();
    let page = bot.changed(&ada, &page, &none).await;
    assert!(page.content().contains("Choose the channel"), "{}", page.content());
    let gone = || (count(&ada, general) == 0).then_some(());
    bot.playground.wait("the welcome to go", gone).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn welcome_is_refused_where_the_bot_may_not_post() {
    let bot = TestBot::of(plan(Greeting::Off)).await;
    let (ada, general) = (bot.ada(), bot.playground.channel("general"));
    bot.playground.deny_bot(general, SEND_MESSAGES);
    let shown = page(&bot).await;
    let chosen = ada.choose(&shown, "cfg:welcome", &[&general.to_string()]).unwrap();
    let refused = bot.changed(&ada, &shown, &chosen).await;
    let says =
        refused.content().contains("Send Messages") && refused.content().contains(&format!("<#{general}>"));
    assert!(refused.is_ephemeral() && says, "{}", refused.content());
    let guild = GuildId(bot.playground.guild("Rookery").unwrap().0);
    assert_eq!(bot.registry.preferences_cache().server(Some(guild)).await.welcome, None);
    bot.playground.deny_bot(general, 0);
    let shown = page(&bot).await;
    ada.choose(&shown, "cfg:welcome", &[&general.to_string()]).unwrap().answer().await.unwrap();
    wait_for_welcome(&bot, general).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn welcome_is_set_by_one_press_in_a_new_server() {
    let mut bot = TestBot::of(plan(Greeting::Ask)).await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let asks = |it: &VisibleMessage| it.button("Use this channel").is_some();
    // The first channel in which it may write.
    let question = ada.wait_for(games, "the question", asks).await.unwrap();
    eventually("the question is noted", async || note(&bot).await.contains(&question.id.to_string())).await;
    bot.restart().await;
    settle(&bot).await;
    assert_eq!(ada.messages(games).iter().filter(|it| asks(it)).count(), 1);

    let refused = bot.press(&ben, &question, "Use this channel").await;
    assert!(refused.content().contains("people who manage this server"), "{}", refused.content());
    bot.press(&ada, &question, "Use this channel").await;
    wait_for_welcome(&bot, games).await;
    let gone = || ada.refetch(&question).is_none().then_some(());
    bot.playground.wait("the question to go", gone).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn welcome_question_is_asked_again_after_the_bot_was_removed_and_where_it_may_write() {
    let bot = TestBot::of(plan(Greeting::Ask)).await;
    let (ada, guild) = (bot.ada(), bot.playground.guild("Rookery").unwrap());
    let asks = |it: &VisibleMessage| it.button("Use this channel").is_some();
    ada.wait_for(bot.games(), "the question", asks).await.unwrap();
    eventually("the question is noted", async || note(&bot).await.contains("\"message\":[")).await;
    bot.playground.deny_bot(bot.games(), SEND_MESSAGES);
    bot.playground.remove_bot(guild);
    eventually("the server is forgotten", async || note(&bot).await.is_empty()).await;
    bot.playground.invite_bot(guild);
    ada.wait_for(bot.playground.channel("lobby"), "the question in the next channel", asks).await.unwrap();
    bot.stop().await;
}

/// A server that was there before this version asked is not surprised by a question.
#[tokio::test(flavor = "multi_thread")]
async fn welcome_question_spares_servers_of_earlier_versions() {
    let setup = plan(Greeting::Ask);
    // The time at which an earlier version was last connected.
    let then = setup.options.clock.now_ms().to_string();
    setup.journal.store_note("alive", &then).await.unwrap();
    let bot = TestBot::of(setup).await;
    eventually("the server is left out", async || note(&bot).await.contains("\"gone\":true")).await;
    settle(&bot).await;
    assert!(bot.ada().messages(bot.games()).iter().all(VisibleMessage::is_ephemeral));
    bot.stop().await;
}
