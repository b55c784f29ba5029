//! The game survives when people leave, and when threads and channels are deleted.

use std::time::Duration;

use rookery_playground::id::Id;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::preferences::Pings;
use rookery_table::{Occupant, Status};
use serde_json::json;

use crate::duel::{Duel, Way, has_move_at, open, three};
use crate::eventually::eventually;
use crate::test_bot::TestBot;

#[tokio::test(flavor = "multi_thread")]
async fn leaving_player_is_replaced_by_the_bot_until_they_return() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo) = (bot.ada(), bot.ben(), bot.cleo());
    let (table, thread, board) = three(&bot).await;
    let more = bot.press(&ben, &board, "More").await;
    let asked = bot.press_private(&ben, &more, "Let Rookery play").await;
    let told = bot.choose(&ben, &asked, "easy").await;
    assert!(told.content().contains("Rookery is playing for you"), "{}", told.content());
    let leaves = |it: &VisibleMessage| it.content().contains("has stepped away");
    let note = ada.wait_for(thread, "that Ben leaves", leaves).await.unwrap();
    let not_theirs = bot.press(&cleo, &note, "I'm back").await;
    assert!(not_theirs.content().contains("already playing in this game"), "{}", not_theirs.content());
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    ada.reply(&board, &text).unwrap();
    let after_bens = |it: &VisibleMessage| has_move_at(it, 2);
    ada.wait_for(thread, "the move that the bot made for Ben", after_bens).await.unwrap();
    let back = ben.slash(thread, "back", &json!({})).unwrap().message().await.unwrap();
    assert!(back.content().contains("You're back in"), "{}", back.content());
    let seats = bot.table(&table).await.chairs().to_vec();
    assert!(seats.iter().all(|chair| matches!(chair, Occupant::Human { .. })), "{seats:?}");
    let two = Duel::begin(&bot).await;
    let refused = two.ada.slash(two.thread, "leave", &json!({})).unwrap().message().await.unwrap();
    assert!(refused.content().contains("two-player game"), "{}", refused.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn abandoned_game_is_stopped_by_a_button() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    bot.registry.set_exhibition_pace(Duration::from_secs(3_600));
    let terms = json!({"game": "penguin_soccer", "players": 4, "ai": "easy", "first": "me"});
    let table = open(&ada, games, &terms).await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let board = ada.wait_for(thread, "the first board", |it| it.button("Resign").is_some()).await.unwrap();
    bot.resign(&ada, &board).await;
    bot.wait_until_idle().await;
    assert_eq!(*bot.table(&table).await.status(), Status::Running);
    let stoppable = |it: &VisibleMessage| it.button("Stop").is_some();
    let board = ada.wait_for(thread, "a board with a button to stop", stoppable).await.unwrap();
    let stopped = bot.press(&ada, &board, "Stop").await;
    assert!(stopped.content().contains("Done"), "{}", stopped.content());
    assert!(matches!(bot.table(&table).await.status(), Status::Over(_)));
    bot.stop().await;
}

/// Asks for the board in a channel; it is posted there for everybody, and the game continues there.
async fn moves_to(bot: &TestBot, duel: &mut Duel, place: Id) {
    let told = duel.ada.slash(place, "board", &json!({})).unwrap().message().await.unwrap();
    assert!(told.content().contains("so it goes on here"), "{}", told.content());
    duel.thread = place;
    let shown = |it: &VisibleMessage| !it.is_ephemeral() && it.button("Move").is_some();
    duel.board = duel.ben.wait_for(place, "the board in its new place", shown).await.unwrap();
    duel.turn(bot, Way::Reply).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_thread_is_replaced_by_a_player() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    let elsewhere = bot.playground.new_channel("elsewhere").unwrap();
    let kept = duel.ada.slash(elsewhere, "board", &json!({})).unwrap().message().await.unwrap();
    assert!(!kept.content().contains("so it goes on here"), "a game that has a home stays there");
    bot.wait_until_idle().await;
    bot.playground.delete_channel(duel.thread);
    let watcher = bot.cleo().slash(elsewhere, "board", &json!({"table": duel.table}));
    let watched = watcher.unwrap().message().await.unwrap();
    assert!(!watched.content().contains("so it goes on here"), "who only watches moves no game");
    moves_to(&bot, &mut duel, elsewhere).await;
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_channel_leaves_the_game_without_a_channel() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let elsewhere = bot.playground.new_channel("elsewhere").unwrap();
    bot.wait_until_idle().await;
    bot.playground.delete_channel(duel.thread);
    bot.playground.delete_channel(bot.games());
    let text = duel.any_move();
    let mover = duel.mover();
    let said = mover.say(mover.dm(), &format!("{} {text}", duel.table)).unwrap();
    assert!(bot.answer_to(&mover, &said).await.content().contains(&text));
    duel.play.play(&text).unwrap();
    bot.wait_until_idle().await;
    assert_eq!(bot.table(&duel.table).await.board_channel(), None);
    moves_to(&bot, &mut duel, elsewhere).await;
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_bot_pauses_the_games_of_its_server() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    let guild = bot.playground.guild("Rookery").unwrap();
    bot.playground.remove_bot(guild);
    frozen(&bot, &duel, true).await;
    let text = duel.any_move();
    let mover = duel.mover();
    let said = mover.say(mover.dm(), &format!("{} {text}", duel.table)).unwrap();
    let answer = bot.answer_to(&mover, &said).await;
    assert!(answer.content().contains("no longer on its server"), "{}", answer.content());
    bot.playground.invite_bot(guild);
    frozen(&bot, &duel, false).await;
    let first = duel.board.id;
    let fresh = |it: &VisibleMessage| it.button("Move").is_some() && it.id > first;
    duel.board = duel.ada.wait_for(duel.thread, "the board when the bot is back", fresh).await.unwrap();
    duel.turn(&bot, Way::Reply).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_bot_ends_games_after_thirty_days() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    bot.playground.remove_bot(bot.playground.guild("Rookery").unwrap());
    frozen(&bot, &duel, true).await;
    for days in [29, 1] {
        assert_eq!(bot.table(&duel.table).await.status(), &Status::Running);
        bot.playground.clock().advance(Duration::from_secs(days * 24 * 3_600));
        bot.registry.end_frozen_games().await.unwrap();
    }
    assert!(matches!(bot.table(&duel.table).await.status(), Status::Over(_)));
    bot.stop_after(&[403, 404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_bot_notices_when_it_starts_again() {
    let mut bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    bot.restart().await;
    assert_eq!(bot.table(&duel.table).await.frozen_since(), None, "a server that is there is not gone");
    duel.turn(&bot, Way::Reply).await;
    bot.wait_until_idle().await;
    let guild = bot.playground.guild("Rookery").unwrap();
    bot.restart_while(|playground| playground.remove_bot(guild)).await;
    frozen(&bot, &duel, true).await;
    bot.restart_while(|playground| playground.invite_bot(guild)).await;
    frozen(&bot, &duel, false).await;
    let before = duel.board.id;
    let fresh = |it: &VisibleMessage| it.button("Move").is_some() && it.id > before;
    duel.board = duel.ada.wait_for(duel.thread, "the board when the bot is back", fresh).await.unwrap();
    duel.turn(&bot, Way::Reply).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_bot_reminds_nobody() {
    let bot = TestBot::start().await;
    bot.advance_to_minute(8 * 60).await;
    // The messages of nine o'clock are sent before the game begins.
    bot.advance_to_minute(8 * 60 + 1).await;
    let mut duel = Duel::begin(&bot).await;
    let (ben, dm) = (duel.ben.clone(), duel.ben.dm());
    let who = rookery_table::UserId(ben.id.0);
    bot.registry.preferences_cache().change_person(who, |it| it.pings = Pings::Digest).await.unwrap();
    duel.turn(&bot, Way::Reply).await;
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "easy", "first": "me"});
    let own = open(&ben, dm, &terms).await;
    bot.wait_until_idle().await;
    bot.playground.remove_bot(bot.playground.guild("Rookery").unwrap());
    frozen(&bot, &duel, true).await;
    let listed = async |which: &str| {
        let told = ben.slash(dm, "games", &json!({"which": which})).unwrap().message().await.unwrap();
        told.content().lines().find(|line| line.contains(&duel.table)).map(str::to_owned)
    };
    let line = listed("mine").await.unwrap();
    assert!(line.ends_with("after 1 move, on hold: I was removed from its server"), "{line}");
    assert_eq!(listed("turn").await, None);

    bot.advance_to_minute(9 * 60).await;
    let day = ben.wait_for(dm, "the day", |it| it.content().contains("Your turn in one game")).await.unwrap();
    assert!(day.content().contains(&own) && !day.content().contains(&duel.table), "{}", day.content());
    bot.stop_after(&[403, 404]).await;
}

/// Waits until the bot knows whether it is in the game's server.
async fn frozen(bot: &TestBot, duel: &Duel, wanted: bool) {
    eventually("the game is frozen or not, as it should be", async || {
        bot.table(&duel.table).await.frozen_since().is_some() == wanted
    })
    .await;
}
