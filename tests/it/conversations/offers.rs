//! Offers between people and to the bot: take back, pause, abort.

use std::time::Duration;

use rookery_playground::BOT_ID;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::calendar::{Daily, Zone};
use rookery_table::{Actor, Order, Status};
use serde_json::json;

use crate::duel::{Duel, Way, challenge, has_move_at, open};
use crate::test_bot::{TestBot, TestSetup};

/// Waits for a message to everybody at the table.
async fn wait_for_text(duel: &Duel, what: &str) -> VisibleMessage {
    duel.ada.wait_for(duel.thread, what, |it| it.content().contains(what)).await.unwrap()
}

/// Waits until a message has no buttons any more; returns its text.
async fn loses_its_buttons(bot: &TestBot, who: &Person, message: &VisibleMessage) -> String {
    let bare = || who.refetch(message).filter(|now| now.buttons().is_empty());
    bot.playground.wait("the buttons to go", bare).await.unwrap().content().to_owned()
}

/// Starts a bot that can read ordinary messages in the thread.
async fn with_message_content() -> TestBot {
    let mut plan = TestSetup::default();
    plan.options.allow_message_content = true;
    plan.settings.message_content = true;
    TestBot::of(plan).await
}

#[tokio::test(flavor = "multi_thread")]
async fn takeback_needs_the_opponents_yes() {
    let bot = with_message_content().await;
    let mut duel = Duel::begin(&bot).await;
    let first = duel.board.clone();
    duel.turn(&bot, Way::Reply).await;
    let undone = duel.board.clone();
    duel.ada.say(duel.thread, "undo").unwrap();
    let offer = wait_for_text(&duel, "wants to take back").await;
    assert_eq!(offer.pinged(), ["Ben"], "only who may answer hears of it");
    duel.ben.say(duel.thread, "yes").unwrap();
    wait_for_text(&duel, "took back a move").await;
    let left = loses_its_buttons(&bot, &duel.ada, &undone).await;
    assert!(left.contains("taken back") && !left.contains("your move"), "{left}");
    let passed = loses_its_buttons(&bot, &duel.ada, &first).await;
    assert!(!passed.contains("your move"), "{passed}");
    loses_its_buttons(&bot, &duel.ada, &offer).await;
    bot.wait_until_idle().await;
    assert_eq!(bot.table(&duel.table).await.ply(), 0);
    let fresh = |it: &VisibleMessage| it.button("Move").is_some() && it.id > first.id;
    duel.board = duel.ada.wait_for(duel.thread, "a fresh board", fresh).await.unwrap();
    assert!(duel.board.pinged().is_empty(), "she has just asked for it");
    duel.play = duel.play.at_ply(0);
    duel.turn(&bot, Way::Panel).await;
    bot.wait_until_idle().await;
    let undone = duel.ada.refetch(&undone).unwrap();
    assert!(
        undone.content().contains("taken back"),
        "its picture shows the other move: {}",
        undone.content()
    );
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn offer_follows_the_game_from_a_deleted_thread() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    bot.wait_until_idle().await;
    bot.playground.delete_channel(duel.thread);
    let games = bot.games();
    duel.ada.slash(games, "undo", &json!({})).unwrap().message().await.unwrap();
    let asks =
        |it: &VisibleMessage| it.content().contains("wants to take back") && it.button("Agree").is_some();
    let offer = duel.ben.wait_for(games, "the offer in the channel", asks).await.unwrap();
    assert_eq!(offer.pinged(), ["Ben"]);
    bot.press(&duel.ben, &offer, "Agree").await;
    bot.wait_until_idle().await;
    assert_eq!(bot.table(&duel.table).await.ply(), 0);
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn offer_ends_with_the_next_move() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    let more = bot.press(&duel.ada, &duel.board, "More").await;
    assert!(more.is_ephemeral(), "{}", more.content());
    let told = bot.press(&duel.ada, &more, "Take back").await;
    assert!(told.content().contains("Offer sent"), "{}", told.content());
    let offer = wait_for_text(&duel, "wants to take back").await;
    duel.turn(&bot, Way::Reply).await;
    let closed = loses_its_buttons(&bot, &duel.ada, &offer).await;
    assert!(closed.ends_with("The offer ended with the next move."), "{closed}");
    let late = duel.ben.click(&offer, offer.button("Agree").unwrap());
    assert!(late.is_err(), "what is gone cannot be pressed");
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn takeback_against_the_bot_is_immediate() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let table = open(&ada, games, &json!({"game": "amazons", "ai": "easy", "size": "6x6"})).await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let board = ada.wait_for(thread, "the first board", |it| it.button("Move").is_some()).await.unwrap();
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    ada.reply(&board, &text).unwrap();
    let answered = |it: &VisibleMessage| has_move_at(it, 2);
    let board = ada.wait_for(thread, "the bot's move", answered).await.unwrap();
    let told = ada.slash(thread, "undo", &json!({})).unwrap().message().await.unwrap();
    assert!(told.is_ephemeral() && told.content().contains("Move taken back"), "{}", told.content());
    loses_its_buttons(&bot, &ada, &board).await;
    assert_eq!(bot.table(&table).await.ply(), 0);
    let none = ada.slash(thread, "undo", &json!({})).unwrap().message().await.unwrap();
    assert!(none.content().contains("haven't made a move that you can take back"), "{}", none.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pause_lasts_until_a_player_resumes() {
    let bot = with_message_content().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    duel.ada.slash(duel.thread, "pause", &json!({})).unwrap().message().await.unwrap();
    let offer = wait_for_text(&duel, "wants to pause the game").await;
    bot.press(&duel.ben, &offer, "Agree").await;
    let paused = wait_for_text(&duel, "Paused.").await;
    assert!(bot.table(&duel.table).await.is_paused());
    bot.press(&duel.ada, &paused, "Resume").await;
    wait_for_text(&duel, "resumed the game").await;
    let told = loses_its_buttons(&bot, &duel.ada, &paused).await;
    assert!(told.ends_with("The game was paused here."), "{told}");
    let told = loses_its_buttons(&bot, &duel.ada, &offer).await;
    assert!(told.ends_with("wants to pause the game."), "nobody is asked any more: {told}");
    duel.ben.say(duel.thread, "pause").unwrap();
    let again = |it: &VisibleMessage| it.content().contains("wants to pause the game") && it.id > paused.id;
    let offer = duel.ada.wait_for(duel.thread, "the second offer", again).await.unwrap();
    bot.press(&duel.ada, &offer, "Agree").await;
    bot.wait_until_idle().await;
    let still = |it: &VisibleMessage| it.content().contains("Paused.") && it.id > paused.id;
    let again = duel.ada.wait_for(duel.thread, "the second pause", still).await.unwrap();
    duel.ada.say(duel.thread, "resume").unwrap();
    loses_its_buttons(&bot, &duel.ada, &again).await;
    bot.wait_until_idle().await;
    duel.turn(&bot, Way::Mention).await;
    assert!(!bot.table(&duel.table).await.is_paused());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pause_sends_no_ping_when_quiet_hours_end() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let ben = duel.ben.clone();
    let now = Zone::default().local(bot.registry.now());
    let quiet = Daily { from_min: now.minute / 15 * 15, to_min: (now.minute / 15 * 15 + 120) % 1_440 };
    let who = rookery_table::UserId(ben.id.0);
    bot.registry.preferences_cache().change_person(who, |it| it.quiet = Some(quiet)).await.unwrap();
    bot.wait_until_quiet_hours_are_checked().await;
    duel.turn(&bot, Way::Reply).await;
    duel.ada.slash(duel.thread, "pause", &json!({})).unwrap().message().await.unwrap();
    let offer = wait_for_text(&duel, "wants to pause the game").await;
    bot.press(&ben, &offer, "Agree").await;
    wait_for_text(&duel, "Paused.").await;
    let asked = open(&bot.cleo(), bot.games(), &json!({"game": "amazons", "opponent": ben.id})).await;
    bot.wait_until_idle().await;
    let said = ben.messages(duel.thread).len();
    bot.playground.clock().advance(Duration::from_secs(2 * 3_600));
    // The ping for a turn comes before the one for a pending answer.
    let late = |it: &VisibleMessage| it.content().contains(&asked) && it.pinged() == ["Ben"];
    ben.wait_for(bot.games(), "the challenge that waited", late).await.unwrap();
    assert_eq!(ben.messages(duel.thread).len(), said, "nothing waits for him there");
    let list = ben.slash(bot.games(), "games", &json!({})).unwrap().message().await.unwrap();
    let line = list.content().lines().find(|line| line.contains(&duel.table));
    assert!(line.unwrap().ends_with("after 1 move, paused"), "{}", list.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn abort_is_immediate_before_both_have_moved() {
    let bot = with_message_content().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    duel.ben.say(duel.thread, "abort").unwrap();
    wait_for_text(&duel, "Game cancelled").await;
    let table = bot.table(&duel.table).await;
    assert!(matches!(table.status(), Status::Over(ending) if ending.winners.is_empty()));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn abort_needs_agreement_after_both_have_moved() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    duel.turn(&bot, Way::Reply).await;
    duel.ada.say(duel.thread, &format!("<@{BOT_ID}> abort")).unwrap();
    let offer = wait_for_text(&duel, "wants to cancel the game").await;
    bot.press(&duel.ben, &offer, "Play on").await;
    wait_for_text(&duel, "said no").await;
    duel.turn(&bot, Way::Reply).await;
    duel.ben.slash(duel.thread, "abort", &json!({})).unwrap().message().await.unwrap();
    let again = |it: &VisibleMessage| it.content().contains("wants to cancel the game") && it.id > offer.id;
    let offer = duel.ada.wait_for(duel.thread, "the second offer", again).await.unwrap();
    bot.press(&duel.ada, &offer, "Agree").await;
    wait_for_text(&duel, "is over").await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn offer_can_be_answered_or_made_in_return() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let table = open(&ada, games, &json!({"game": "penguins", "players": 2})).await;
    let challenge = challenge(&ben, games, &table).await;
    bot.press(&ben, &challenge, "Join").await;
    let thread = ben.wait_for_thread(games, &table).await.unwrap();
    let board = ada.wait_for(thread, "the first board", |it| it.button("More").is_some()).await.unwrap();
    ada.slash(thread, "draw", &json!({})).unwrap().message().await.unwrap();
    let own = ada.slash(thread, "pause", &json!({})).unwrap().message().await.unwrap();
    assert!(own.content().contains("There's already an offer waiting for an answer"), "{}", own.content());
    let other = ben.slash(thread, "pause", &json!({})).unwrap().message().await.unwrap();
    assert!(other.content().contains("Press Agree or Play on"), "{}", other.content());
    let more = bot.press(&ben, &board, "More").await;
    bot.press(&ben, &more, "Offer draw").await;
    let over = format!("{table} is over");
    ada.wait_for(thread, "the result", |it| it.content().contains(&over)).await.unwrap();
    bot.stop().await;
}

/// The bot answers at once, so the offer has no buttons, and the person gets the answer.
#[tokio::test(flavor = "multi_thread")]
async fn offer_to_the_bot_is_answered_at_once() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let table = open(&ada, games, &json!({"game": "penguins", "ai": "easy"})).await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    ada.wait_for(thread, "the first board", |it| it.button("Move").is_some()).await.unwrap();
    let told = ada.slash(thread, "draw", &json!({})).unwrap().message().await.unwrap();
    assert!(
        told.content().contains("turned down your offer") && told.content().contains("the game goes on"),
        "{}",
        told.content()
    );
    let offer = ada.wait_for(thread, "the offer", |it| it.content().contains("offers a draw")).await.unwrap();
    assert!(offer.content().ends_with("offers a draw."), "{}", offer.content());
    ada.wait_for(thread, "the answer", |it| it.content().contains("said no")).await.unwrap();
    // Once both have moved, aborting needs both sides: the bot agrees.
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    let who = Actor::Person(rookery_table::UserId(ada.id.0));
    bot.registry.order(table.parse().unwrap(), who, Order::Move { text, ply: None }, None).await.unwrap();
    let answered = |it: &VisibleMessage| has_move_at(it, 2);
    ada.wait_for(thread, "the bot's move", answered).await.unwrap();
    let told = ada.slash(thread, "abort", &json!({})).unwrap().message().await.unwrap();
    assert!(told.content().contains("Rookery accepted your offer"), "{}", told.content());
    bot.stop().await;
}

/// A count against the bot ends the game with the press, so it is asked about first.
#[tokio::test(flavor = "multi_thread")]
async fn offer_that_ends_the_game_at_once_is_asked_about() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let table = open(&ada, games, &json!({"game": "amoeba", "ai": "random", "first": "me"})).await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let board = ada.wait_for(thread, "a board", |it| it.button("Move").is_some()).await.unwrap();
    for (label, question) in
        [("Stop and count", "count what each side has?"), ("Cancel game", "without a result")]
    {
        let more = bot.press(&ada, &board, "More").await;
        let asked = bot.press_private(&ada, &more, label).await;
        assert!(asked.content().contains(question), "{}", asked.content());
        let kept = bot.press_private(&ada, &asked, "Keep playing").await;
        assert!(kept.content().contains("goes on"), "{}", kept.content());
        assert_eq!(*bot.table(&table).await.status(), Status::Running);
    }
    let more = bot.press(&ada, &board, "More").await;
    let asked = bot.press_private(&ada, &more, "Cancel game").await;
    bot.press_private(&ada, &asked, "Cancel game").await;
    assert!(matches!(bot.table(&table).await.status(), Status::Over(_)));
    bot.stop().await;
}

/// Between people the others answer, so nothing is asked before.
#[tokio::test(flavor = "multi_thread")]
async fn offer_to_a_person_is_made_at_once() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    duel.turn(&bot, Way::Reply).await;
    let more = bot.press(&duel.ada, &duel.board, "More").await;
    let told = bot.press_private(&duel.ada, &more, "Cancel game").await;
    assert!(told.content().contains("Offer sent"), "{}", told.content());
    bot.stop().await;
}
