//! Moves in messages that their authors edit.

use rookery_playground::testing::visible_message::VisibleMessage;

use crate::duel::{Duel, Way};
use crate::test_bot::TestBot;

#[tokio::test(flavor = "multi_thread")]
async fn edited_message_counts_once_its_typo_is_gone() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let (text, ada) = (duel.any_move(), duel.ada.clone());
    let said = ada.reply(&duel.board, "d1-?!").unwrap();
    let first = bot.answer_to(&ada, &said).await;
    let correct = |text: &str| {
        bot.playground.clock().advance(std::time::Duration::from_secs(1));
        ada.edit(&said, text).unwrap();
    };
    correct("z9-z8/z7");
    let changed = || ada.refetch(&first).filter(|now| now.content() != first.content());
    let second = bot.playground.wait("the answer to change with the message", changed).await.unwrap();
    assert_eq!(second.json["message_reference"], first.json["message_reference"]);
    correct(&text);
    duel.see(&text).await;
    let gone = || ada.refetch(&first).is_none().then_some(());
    bot.playground.wait("the answer to the typo to go", gone).await.unwrap();
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn edited_message_that_was_played_changes_nothing() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let (text, ada) = (duel.any_move(), duel.ada.clone());
    let said = ada.reply(&duel.board, &text).unwrap();
    duel.see(&text).await;
    ada.edit(&said, "board").unwrap();
    duel.turn(&bot, Way::Mention).await;
    ada.edit(&said, &duel.any_move()).unwrap();
    duel.turn(&bot, Way::Mention).await;
    duel.check_every_board_posted_once(&bot).await;
    let id = said.id.to_string();
    let answered = |it: &VisibleMessage| it.json["message_reference"]["message_id"] == id.as_str();
    assert!(!ada.messages(duel.thread).iter().any(answered), "an edit of a move is not answered");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn edited_message_without_mention_counts_once_it_mentions_the_bot() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let (text, ada) = (duel.any_move(), duel.ada.clone());
    let said = ada.say(duel.thread, &text).unwrap();
    ada.edit(&said, &format!("<@{}> {text}", rookery_playground::BOT_ID)).unwrap();
    duel.see(&text).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn edited_message_of_long_ago_changes_nothing() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let (text, ada) = (duel.any_move(), duel.ada.clone());
    let said = ada.reply(&duel.board, "d1-?!").unwrap();
    bot.answer_to(&ada, &said).await;
    bot.playground.clock().advance(std::time::Duration::from_secs(301));
    ada.edit(&said, &text).unwrap();
    let asked = ada.reply(&duel.board, "clock").unwrap();
    bot.answer_to(&ada, &asked).await;
    assert_eq!(bot.table(&duel.table).await.ply(), 0);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn edited_message_counts_though_the_bot_was_restarted_in_between() {
    let mut bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let (text, ada) = (duel.any_move(), duel.ada.clone());
    let said = ada.reply(&duel.board, "d1-?!").unwrap();
    bot.answer_to(&ada, &said).await;
    bot.restart_after(std::time::Duration::from_secs(60)).await;
    ada.edit(&said, &text).unwrap();
    duel.see(&text).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn edited_message_that_was_played_changes_nothing_after_a_restart() {
    let mut bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let (text, ada) = (duel.any_move(), duel.ada.clone());
    // The move itself was entered by an edit.
    let said = ada.reply(&duel.board, "d1-?!").unwrap();
    bot.answer_to(&ada, &said).await;
    bot.playground.clock().advance(std::time::Duration::from_secs(1));
    ada.edit(&said, &text).unwrap();
    duel.see(&text).await;
    duel.turn(&bot, Way::Mention).await;
    bot.wait_until_idle().await;
    bot.restart_after(std::time::Duration::from_secs(60)).await;
    ada.edit(&said, &duel.any_move()).unwrap();
    let asked = ada.reply(&duel.board, "clock").unwrap();
    bot.answer_to(&ada, &asked).await;
    assert_eq!(bot.table(&duel.table).await.ply(), 2);
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn edited_message_waits_for_those_that_were_missed() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let (first, ada) = (duel.any_move(), duel.ada.clone());
    duel.play.play(&first).unwrap();
    let second = duel.any_move();
    let typo = duel.ben.reply(&duel.board, "d1-?!").unwrap();
    bot.answer_to(&duel.ben, &typo).await;
    // The bot misses her move; his correction arrives live while the missed messages are still being read.
    bot.wait_until_idle().await;
    let (faults, connections) = (bot.playground.faults(), bot.playground.gateway_connections());
    faults.slow_requests(1, std::time::Duration::from_millis(700));
    faults.forget_sessions(true);
    faults.drop_gateway();
    ada.reply(&duel.board, &first).unwrap();
    let is_back = || (bot.playground.gateway_connections() > connections).then_some(());
    bot.playground.wait("the bot to connect again", is_back).await.unwrap();
    bot.playground.wait_for_bot().await.unwrap();
    bot.playground.clock().advance(std::time::Duration::from_secs(1));
    duel.ben.edit(&typo, &second).unwrap();
    duel.see(&second).await;
    bot.stop().await;
}
