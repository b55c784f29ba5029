//! Deferred pings after restarts, and in games against the bot.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::testing::{HookedJournal, MemoryJournal};
use serde_json::json;

use super::board_delivery::{FailingMarkPosted, late_pings, until_pings_are_looked_for};
use crate::duel::{Duel, Way, open, shows_turn};
use crate::test_bot::{TestBot, TestSetup};

const HOUR: Duration = Duration::from_secs(3_600);
const MINUTE: Duration = Duration::from_secs(60);

/// Waits for a ping of Ada below the current board.
async fn wait_for_ping(duel: &Duel) -> VisibleMessage {
    let called = |it: &VisibleMessage| it.id > duel.board.id && it.pinged() == ["Ada"];
    duel.ada.wait_for(duel.thread, "the call that waited", called).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn deferred_ping_that_was_put_off_outlives_a_restart() {
    let mut bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    duel.turn(&bot, Way::Reply).await;
    bot.wait_until_idle().await;
    // Discord is unreachable for a long time after the ping was due.
    bot.playground.faults().fail_channel(duel.thread, Some(503));
    for _ in 0..3 {
        bot.advance(2 * MINUTE).await;
        until_pings_are_looked_for(&bot).await;
    }
    assert_eq!(late_pings(&duel, "Ada"), 0);
    let thread = duel.thread;
    bot.restart_while(|playground| {
        playground.faults().fail_channel(thread, None);
        playground.clock().advance(MINUTE);
    })
    .await;
    wait_for_ping(&duel).await;
    bot.restart_after(MINUTE).await;
    until_pings_are_looked_for(&bot).await;
    assert_eq!(late_pings(&duel, "Ada"), 1, "once");
    bot.stop_after(&[503]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deferred_ping_of_a_result_outlives_a_restart() {
    let mut bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    until_pings_are_looked_for(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    bot.advance(MINUTE / 3).await;
    bot.resign(&duel.ben, &duel.board).await;
    let over = |it: &VisibleMessage| it.button("Rematch").is_some();
    duel.ada.wait_for(duel.thread, "the result", over).await.unwrap();
    bot.wait_until_idle().await;
    bot.restart_after(HOUR).await;
    let told = wait_for_ping(&duel).await;
    assert!(told.content().contains("your game is over"), "{}", told.content());
    bot.restart_after(HOUR).await;
    until_pings_are_looked_for(&bot).await;
    assert_eq!(late_pings(&duel, "Ada"), 1, "once");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deferred_ping_of_a_board_that_was_not_noted_comes_as_well() {
    let journal =
        Arc::new(HookedJournal { inner: MemoryJournal::default(), hooks: FailingMarkPosted::default() });
    let mut bot = TestBot::of(TestSetup { journal: journal.clone(), ..TestSetup::default() }).await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    bot.wait_until_idle().await;
    journal.hooks.0.store(true, Ordering::Relaxed);
    duel.turn(&bot, Way::Reply).await;
    assert!(duel.board.pinged().is_empty(), "she has just moved");
    bot.restart_while(|playground| {
        playground.clock().advance(HOUR);
        journal.hooks.0.store(false, Ordering::Relaxed);
    })
    .await;
    wait_for_ping(&duel).await;
    bot.stop().await;
}

/// Starts a game between Ada and the program, in which both have moved once; returns its table, thread and board.
async fn answered_by_the_program(
    bot: &TestBot,
    clock: &str,
) -> (String, rookery_playground::id::Id, VisibleMessage) {
    let (ada, games) = (bot.ada(), bot.games());
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me", "clock": clock});
    let table = open(&ada, games, &terms).await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let board = ada.wait_for(thread, "a board", |it| it.button("Move").is_some()).await.unwrap();
    let board = moves_and_is_answered(bot, &table, &board).await;
    (table, thread, board)
}

async fn moves_and_is_answered(bot: &TestBot, table: &str, board: &VisibleMessage) -> VisibleMessage {
    let ada = bot.ada();
    let play = bot.table(table).await;
    let play = play.play().unwrap();
    ada.reply(board, &play.moves()[0]).unwrap();
    let next = shows_turn(table, play.ply() + 2);
    let board = ada.wait_for(board.channel, "the board after both moves", next).await.unwrap();
    bot.wait_until_idle().await;
    assert!(board.pinged().is_empty(), "{}", board.content());
    board
}

fn calls(bot: &TestBot, board: &VisibleMessage) -> usize {
    let called = |it: &VisibleMessage| it.id > board.id && it.pinged() == ["Ada"];
    bot.ada().messages(board.channel).into_iter().filter(called).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn deferred_ping_comes_to_who_left_before_the_program_answered() {
    let bot = TestBot::start().await;
    let (_, thread, board) = answered_by_the_program(&bot, "daily").await;
    bot.advance(MINUTE).await;
    let called = |it: &VisibleMessage| it.id > board.id && it.pinged() == ["Ada"];
    bot.ada().wait_for(thread, "the call that waited", called).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deferred_ping_does_not_come_to_who_plays_the_program_without_a_break() {
    let bot = TestBot::start().await;
    let (table, _, first) = answered_by_the_program(&bot, "daily").await;
    let mut board = first.clone();
    for _ in 0..3 {
        bot.advance(MINUTE / 2).await;
        until_pings_are_looked_for(&bot).await;
        board = moves_and_is_answered(&bot, &table, &board).await;
    }
    assert_eq!(calls(&bot, &first), 0);
    bot.stop().await;
}

/// Nobody waits, so a person who saw the bot's move is left in peace.
#[tokio::test(flavor = "multi_thread")]
async fn deferred_ping_does_not_come_in_a_game_against_the_program_without_a_clock() {
    let bot = TestBot::start().await;
    let (_, _, board) = answered_by_the_program(&bot, "none").await;
    for _ in 0..3 {
        bot.advance(MINUTE).await;
        until_pings_are_looked_for(&bot).await;
    }
    assert_eq!(calls(&bot, &board), 0);
    bot.stop().await;
}
