//! Results of games whose channel was deleted, and games that return to a thread.

use rookery_core::Play;
use rookery_playground::BOT_ID;
use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::{Actor, ChannelId, Order};
use serde_json::json;

use super::board_delivery::{in_channel, turn_by_command};
use crate::duel::Duel;
use crate::test_bot::TestBot;

/// Returns a move that ends the game at once, if there is one.
fn last_move(play: &dyn Play) -> Option<String> {
    let ends = |text: &&String| {
        let mut after = play.clone_play();
        after.play(text).unwrap();
        while let [only] = &after.moves()[..] {
            after.play(only).unwrap();
        }
        after.outcome().is_some()
    };
    play.moves().iter().find(ends).cloned()
}

/// Plays on until one move can end the game; returns that move, its player and the other player.
async fn play_to_last_move(bot: &TestBot, table: &str) -> (String, Person, Person) {
    let (ada, ben) = (bot.ada(), bot.ben());
    loop {
        let now = bot.table(table).await;
        let play = now.play().unwrap();
        let (mover, other) = if play.turn().index() == 0 { (&ada, &ben) } else { (&ben, &ada) };
        if let Some(text) = last_move(play) {
            bot.wait_until_idle().await;
            return (text, mover.clone(), other.clone());
        }
        let order = Order::Move { text: play.moves().remove(0), ply: None };
        let by = Actor::Person(rookery_table::UserId(mover.id.0));
        bot.registry.order(table.parse().unwrap(), by, order, None).await.unwrap();
    }
}

/// Returns the direct messages about the end of a game.
fn told_of_the_end(who: &Person) -> Vec<VisibleMessage> {
    let ends =
        |it: &VisibleMessage| it.author() == Some(BOT_ID) && it.content().contains("Your game is over");
    who.messages(who.dm()).into_iter().filter(ends).collect()
}

/// The other player gets one message about the end of the game; the player who ended it gets none.
async fn is_told(bot: &TestBot, other: &Person, actor: &Person) {
    let told = || told_of_the_end(other).pop();
    let told = bot.playground.wait("the result in a direct message", told).await.unwrap();
    assert!(told.files().len() == 1 && told.content().contains("won"), "{}", told.content());
    bot.wait_until_idle().await;
    assert_eq!((told_of_the_end(other).len(), told_of_the_end(actor).len()), (1, 0));
}

/// Plays a game in a channel that is deleted before the last move; `known` tells whether the bot has noticed.
async fn ends_by_a_move(known: bool) {
    let bot = TestBot::start().await;
    let general = bot.playground.channel("general");
    let table = in_channel(&bot, general).await;
    let (text, mover, other) = play_to_last_move(&bot, &table).await;
    bot.playground.delete_channel(general);
    if known {
        let lost = bot.table(&table).await.board_channel().unwrap();
        let leave = Order::LeaveBoardChannel { lost, next: None };
        bot.registry.order(table.parse().unwrap(), Actor::System, leave, None).await.unwrap();
    }
    let told = mover.slash(bot.games(), "move", &json!({"table": table, "move": text})).unwrap();
    let told = told.message().await.unwrap();
    assert!(told.files().len() == 1 && told.content().contains("final board"), "{}", told.content());
    is_told(&bot, &other, &mover).await;
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_channel_tells_the_loser_of_the_winning_move() {
    ends_by_a_move(false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_channel_that_is_known_tells_the_loser_of_the_winning_move() {
    ends_by_a_move(true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_channel_tells_the_winner_of_a_resignation() {
    let bot = TestBot::start().await;
    let (ada, ben, general) = (bot.ada(), bot.ben(), bot.playground.channel("general"));
    let table = in_channel(&bot, general).await;
    bot.playground.delete_channel(general);
    let here: Id = bot.games();
    let sure = ada.slash(here, "resign", &json!({"table": table})).unwrap().message().await.unwrap();
    let gone = bot.press_private(&ada, &sure, "Yes, resign").await;
    assert!(gone.files().len() == 1 && gone.content().contains("final board"), "{}", gone.content());
    is_told(&bot, &ben, &ada).await;
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unlocked_thread_is_noticed_after_a_lost_session() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let (games, thread) = (bot.games(), duel.thread);
    bot.wait_until_idle().await;
    bot.playground.set_thread(thread, true, true);
    turn_by_command(&bot, &mut duel, games).await;
    turn_by_command(&bot, &mut duel, games).await;
    bot.playground.faults().forget_sessions(true);
    let connections = bot.playground.gateway_connections();
    bot.playground.faults().drop_gateway();
    bot.playground.set_thread(thread, false, false);
    let is_back = || (bot.playground.gateway_connections() > connections).then_some(());
    bot.playground.wait("the bot to connect again", is_back).await.unwrap();
    bot.playground.wait_for_bot().await.unwrap();
    turn_by_command(&bot, &mut duel, thread).await;
    assert_eq!(bot.table(&duel.table).await.board_channel().unwrap().channel, ChannelId(thread.0));
    bot.stop_after(&[400, 403]).await;
}
