//! Where only a person has installed the bot: games between people are one message that changes.

use std::time::Duration;

use rookery_core::seed::SeededRng;
use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::preferences::Pings;
use rookery_table::{Actor, Occupant, Order, Status};
use serde_json::{Value, json};

use crate::duel::{has_move_at, offered, slash_play, tap_through, tells_move};
use crate::test_bot::TestBot;

/// Starts a bot that has been removed from the server; returns a channel of the server, too.
pub(super) async fn elsewhere() -> (TestBot, Id) {
    let bot = TestBot::start().await;
    let channel = bot.games();
    bot.playground.remove_bot(bot.playground.guild("Rookery").unwrap());
    (bot, channel)
}

/// Presses a button of a public message; returns the private answer.
pub(super) async fn press(
    bot: &TestBot,
    who: &Person,
    message: &VisibleMessage,
    label: &str,
) -> VisibleMessage {
    let button = message.button(label).unwrap_or_else(|| panic!("no {label}: {:?}", message.buttons()));
    let pressed = who.click(message, button).unwrap();
    let told = || pressed.follow_ups().into_iter().find(VisibleMessage::is_ephemeral);
    bot.playground.wait("what the presser is told", told).await.unwrap()
}

/// Waits until a game's single message satisfies `fits`.
pub(super) async fn message(
    who: &Person,
    channel: Id,
    what: &str,
    fits: impl Fn(&VisibleMessage) -> bool,
) -> VisibleMessage {
    who.wait_for(channel, what, |it| !it.is_ephemeral() && fits(it)).await.unwrap()
}

/// Ada challenges Ben, who accepts; returns the message, which now shows the board, and the table's name.
pub(super) async fn begun(bot: &TestBot, channel: Id) -> (VisibleMessage, String) {
    begun_with(bot, channel, &json!({"game": "amazons", "size": "6x6", "settle": "off"})).await
}

/// Starts the game with other terms.
pub(super) async fn begun_with(bot: &TestBot, channel: Id, terms: &Value) -> (VisibleMessage, String) {
    let (ada, ben) = (bot.ada(), bot.ben());
    let mut terms = terms.clone();
    terms["opponent"] = json!(ben.id);
    let told = slash_play(&ada, channel, &terms).unwrap().message().await.unwrap();
    assert!(told.is_ephemeral() && told.content().contains("not a member here"), "{}", told.content());
    let table = told.content().split("**").nth(1).unwrap().to_owned();
    let challenge = message(&ben, channel, "the challenge", |it| it.button("Accept").is_some()).await;
    assert_eq!(challenge.pinged(), ["Ben"]);
    assert!(challenge.content().contains("pings nobody"), "it says so: {}", challenge.content());
    press(bot, &ben, &challenge, "Accept").await;
    let board = message(&ada, channel, "the board", |it| it.button("Move").is_some()).await;
    assert_eq!(board.id, challenge.id, "the challenge became the board");
    assert_eq!(board.files().len(), 1);
    (board, table)
}

/// Plays a turn through the panel; returns the message afterwards.
pub(super) async fn turn(
    bot: &TestBot,
    who: &Person,
    board: &VisibleMessage,
    rng: &mut SeededRng,
) -> VisibleMessage {
    let panel = press(bot, who, board, "Move").await;
    let told = tap_through(bot, who, panel, rng).await;
    shows(who, board, told.content().split('`').nth(1).unwrap()).await
}

pub(super) async fn shows(who: &Person, board: &VisibleMessage, text: &str) -> VisibleMessage {
    message(who, board.channel, &format!("the board after {text}"), |it| tells_move(it, text)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn user_install_lets_two_people_play_in_a_server() {
    let (bot, channel) = elsewhere().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let (mut board, table) = begun(&bot, channel).await;
    let (first, mut rng) = (board.id, SeededRng::new(7));
    for ply in 0..6 {
        let mover = if ply % 2 == 0 { &ada } else { &ben };
        board = turn(&bot, mover, &board, &mut rng).await;
        assert_eq!(board.id, first, "one message, however often it changes");
        // After an hour all tokens have expired: the next press provides a new one.
        bot.advance(Duration::from_secs(3_600)).await;
    }
    let refused = press(&bot, &bot.cleo(), &board, "Resign").await;
    assert!(refused.content().contains("aren't playing in this game"), "{}", refused.content());
    let sure = press(&bot, &ben, &board, "Resign").await;
    bot.press_private(&ben, &sure, "Yes, resign").await;
    let over = message(&ada, channel, "the result", |it| it.button("Rematch").is_some()).await;
    assert!(over.id == first && over.files().len() == 1 && over.button("Move").is_none());
    assert!(matches!(bot.table(&table).await.status(), Status::Over(_)));
    press(&bot, &ada, &over, "Rematch").await;
    message(&ben, channel, "the new challenge", |it| it.button("Accept").is_some()).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn user_install_lets_two_people_play_in_their_direct_messages() {
    let bot = TestBot::start().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let here = ada.dm_with(&ben);
    let (mut board, table) = begun(&bot, here).await;
    let mut rng = SeededRng::new(9);
    for mover in [&ada, &ben, &ada] {
        board = turn(&bot, mover, &board, &mut rng).await;
    }
    let list = ben.slash(here, "games", &json!({})).unwrap().message().await.unwrap();
    assert!(list.is_ephemeral() && list.content().contains(&table), "{}", list.content());
    // In the bot's own direct messages a move can also be typed; the game's message is updated.
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    let said = ben.say(ben.dm(), &format!("{table} {text}")).unwrap();
    assert!(bot.answer_to(&ben, &said).await.content().contains(&text));
    assert_eq!(shows(&ada, &board, &text).await.id, board.id);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn user_install_posts_a_new_board_and_pings_after_a_long_think() {
    let (bot, channel) = elsewhere().await;
    let ada = bot.ada();
    let (board, _) = begun(&bot, channel).await;
    let panel = press(&bot, &ada, &board, "Move").await;
    bot.advance(Duration::from_secs(20 * 60)).await;
    let told = tap_through(&bot, &ada, panel, &mut SeededRng::new(3)).await;
    let anew = shows(&ada, &board, told.content().split('`').nth(1).unwrap()).await;
    assert!(anew.id > board.id, "the old message is out of reach");
    assert_eq!(anew.pinged(), ["Ben"], "a new message can ping");
    // A press on the old message updates it.
    press(&bot, &bot.ben(), &board, "As text").await;
    let now = || ada.refetch(&board).filter(|it| it.content() != board.content());
    bot.playground.wait("the old message to change", now).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn user_install_offer_survives_a_restart() {
    let (mut bot, channel) = elsewhere().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let (mut board, table) = begun(&bot, channel).await;
    let mut rng = SeededRng::new(5);
    board = turn(&bot, &ada, &board, &mut rng).await;
    board = turn(&bot, &ben, &board, &mut rng).await;
    let more = press(&bot, &ada, &board, "More").await;
    let undo = offered(&more).into_iter().map(|(id, _)| id).find(|id| id.ends_with("offer:undo")).unwrap();
    bot.changed(&ada, &more, &ada.click(&more, &undo).unwrap()).await;
    let asks = message(&ben, channel, "the offer", |it| it.button("Agree").is_some()).await;
    assert!(asks.id == board.id && asks.button("Move").is_some(), "under the board");
    bot.restart().await;
    press(&bot, &ben, &asks, "Agree").await;
    let back = message(&ada, channel, "the board without it", |it| it.button("Agree").is_none()).await;
    assert_eq!(bot.table(&table).await.ply(), 0);
    // Ada posts it again further down with a command, and continues there.
    ada.say(channel, "where was it?").unwrap();
    let shown = ada.slash(channel, "board", &json!({})).unwrap().message().await.unwrap();
    assert!(shown.is_ephemeral() && shown.button("Move").is_some());
    let anew =
        message(&ben, channel, "the board anew", |it| it.id > back.id && it.button("Move").is_some()).await;
    assert_eq!(turn(&bot, &ada, &anew, &mut rng).await.id, anew.id);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn user_install_bot_plays_and_turns_are_told_directly() {
    let (bot, channel) = elsewhere().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let who = rookery_table::UserId(ben.id.0);
    bot.registry.preferences_cache().change_person(who, |it| it.pings = Pings::Dm).await.unwrap();
    let (board, table) = begun(&bot, channel).await;
    turn(&bot, &ada, &board, &mut SeededRng::new(2)).await;
    let called = |it: &VisibleMessage| it.content().contains(&table) && it.content().contains("Your turn");
    ben.wait_for(ben.dm(), "that it is his turn", called).await.unwrap();
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "easy", "first": "them", "where": "here"});
    let told = slash_play(&ada, channel, &terms).unwrap().message().await.unwrap();
    let other = told.content().split("**").nth(1).unwrap().to_owned();
    let mine = |it: &VisibleMessage| it.content().contains(&other) && it.content().contains(" played ");
    message(&ada, channel, "the bot's first move", mine).await;
    // The bot may answer before the board of this move is shown.
    let text = bot.table(&other).await.play().unwrap().moves().remove(0);
    let by = Actor::Person(rookery_table::UserId(ada.id.0));
    bot.registry.order(other.parse().unwrap(), by, Order::Move { text, ply: None }, None).await.unwrap();
    let answered = |it: &VisibleMessage| it.content().contains(&other) && has_move_at(it, 3);
    message(&ada, channel, "the bot's answer", answered).await;
    assert!(
        bot.table(&other)
            .await
            .chairs()
            .contains(&Occupant::Human { person: rookery_table::UserId(ada.id.0) })
    );
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn user_install_explains_missing_permission_to_post() {
    const USE_EXTERNAL_APPS: u64 = 1 << 50;
    let (bot, channel) = elsewhere().await;
    let ben = bot.ben();
    bot.playground.deny(channel, &ben, USE_EXTERNAL_APPS);
    let terms = json!({"game": "amazons", "opponent": bot.ada().id});
    let asked = slash_play(&ben, channel, &terms).unwrap();
    asked.message().await.unwrap();
    let told = || asked.follow_ups().into_iter().find(|it| it.content().contains("Use External Apps"));
    assert!(bot.playground.wait("why nobody sees it", told).await.unwrap().is_ephemeral());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn user_install_game_gets_its_own_board_once_the_bot_is_a_member() {
    let (bot, channel) = elsewhere().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let (board, table) = begun(&bot, channel).await;
    bot.playground.invite_bot(bot.playground.guild("Rookery").unwrap());
    let shown = || Some(()).filter(|()| bot.playground.guild("Rookery").is_some());
    bot.playground.wait("the server", shown).await.unwrap();
    let told = ada.slash(channel, "board", &json!({})).unwrap().message().await.unwrap();
    assert!(told.content().contains("so it goes on here"), "{}", told.content());
    let own = |it: &VisibleMessage| it.id > board.id && it.button("Move").is_some();
    let own = message(&ben, channel, "the board in its place", own).await;
    assert!(bot.table(&table).await.board_channel().is_some());
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    ada.reply(&own, &text).unwrap();
    shows(&ben, &own, &text).await;
    bot.stop().await;
}
