//! Messages that people write while the bot has no session are handled once and in order as soon as it has one again.

use std::time::Duration;

use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_playground::{BOT_ID, Playground};
use serde_json::json;

use crate::duel::slash_play;
use crate::duel::{Duel, Way};
use crate::test_bot::TestBot;

const HOUR: Duration = Duration::from_secs(3_600);

/// Cuts the gateway so that events until the next session are lost.
fn lose_the_session(playground: &Playground) {
    playground.faults().forget_sessions(true);
    playground.faults().drop_gateway();
}

/// Waits until the bot is connected and has handled all that it missed: a new question is answered after that.
async fn caught_up(bot: &TestBot, duel: &Duel) -> usize {
    let asked = duel.ada.say(duel.thread, &format!("<@{BOT_ID}> clock")).unwrap();
    bot.answer_to(&duel.ada, &asked).await;
    bot.wait_until_idle().await;
    duel.ada.messages(duel.thread).len()
}

/// Returns the bot's answers to a message.
fn answers(duel: &Duel, said: &VisibleMessage) -> Vec<VisibleMessage> {
    let id = said.id.to_string();
    let all = duel.ada.messages(duel.thread).into_iter();
    all.filter(|it| it.json["message_reference"]["message_id"] == id.as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn missed_move_is_played_once_after_a_refused_resume() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    lose_the_session(&bot.playground);
    // Written while the bot has no session; the board is posted nevertheless.
    duel.turn(&bot, Way::Reply).await;
    duel.turn(&bot, Way::Mention).await;
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missed_moves_of_both_are_played_in_order_after_a_restart() {
    let mut bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let first = duel.any_move();
    duel.play.play(&first).unwrap();
    let second = duel.any_move();
    let (ada, ben, board, thread) = (duel.ada.clone(), duel.ben.clone(), duel.board.clone(), duel.thread);
    let (reply, mention) = (first.clone(), format!("<@{BOT_ID}> {second}"));
    bot.restart_while(move |playground| {
        ada.reply(&board, &reply).unwrap();
        ben.say(thread, &mention).unwrap();
        playground.clock().advance(Duration::from_secs(60));
    })
    .await;
    duel.see(&second).await;
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missed_move_in_a_direct_message_is_played_after_a_restart() {
    let mut bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let (text, ada, table) = (duel.any_move(), duel.ada.clone(), duel.table.clone());
    let said = format!("{table} {text}");
    bot.restart_while(move |_| drop(ada.say(ada.dm(), &said).unwrap())).await;
    duel.see(&text).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missed_words_are_answered_and_resigning_is_asked_about() {
    let mut bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let (ada, board) = (duel.ada.clone(), duel.board.clone());
    bot.restart_while(move |_| drop(ada.reply(&board, "resign").unwrap())).await;
    let asks = |it: &VisibleMessage| it.button("Yes, resign").is_some();
    duel.ada.wait_for(duel.thread, "the question", asks).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missed_messages_do_not_include_what_was_dealt_with() {
    let mut bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let wrong = duel.ada.reply(&duel.board, "d1-?!").unwrap();
    bot.answer_to(&duel.ada, &wrong).await;
    duel.turn(&bot, Way::Reply).await;
    duel.turn(&bot, Way::Mention).await;
    let asked = duel.ben.say(duel.thread, &format!("<@{BOT_ID}> last")).unwrap();
    bot.answer_to(&duel.ben, &asked).await;
    let before = caught_up(&bot, &duel).await;
    bot.restart().await;
    assert_eq!(caught_up(&bot, &duel).await, before + 2, "one question more, and its answer");
    lose_the_session(&bot.playground);
    assert_eq!(caught_up(&bot, &duel).await, before + 4);
    assert_eq!((answers(&duel, &wrong).len(), answers(&duel, &asked).len()), (1, 1));
    duel.check_every_board_posted_once(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missed_message_that_is_too_old_is_answered_and_not_acted_on() {
    let mut bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let (text, ada, board) = (duel.any_move(), duel.ada.clone(), duel.board.clone());
    let said = std::sync::Mutex::new(None);
    bot.restart_while(|playground| {
        ada.say(board.channel, "it rains").unwrap();
        ada.reply(&board, "board").unwrap();
        *said.lock().unwrap() = Some(ada.reply(&board, &text).unwrap());
        playground.clock().advance(25 * HOUR);
    })
    .await;
    let said = said.into_inner().unwrap().unwrap();
    let told = bot.answer_to(&duel.ada, &said).await;
    assert!(told.content().contains("too late to act on"), "{}", told.content());
    assert_eq!(bot.table(&duel.table).await.ply(), 0);
    let sorry = |it: &VisibleMessage| it.content().contains("too late to act on");
    assert_eq!(duel.ada.messages(duel.thread).iter().filter(|it| sorry(it)).count(), 1, "one for all");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missed_messages_are_not_looked_for_after_a_resume() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    bot.playground.faults().drop_gateway();
    duel.turn(&bot, Way::Reply).await;
    let read = bot.playground.requests();
    let reads = read.iter().filter(|it| it.method == "GET" && it.route == "/channels/{channel}/messages");
    assert_eq!(reads.count(), 0);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missed_answer_to_a_challenge_is_acted_on() {
    let mut bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let terms = json!({"game": "amazons", "size": "6x6", "opponent": ben.id});
    slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
    let asks = |it: &VisibleMessage| it.button("Accept").is_some() || it.button("Join").is_some();
    let challenge = ben.wait_for(games, "the challenge", asks).await.unwrap();
    bot.restart_while(|_| drop(ben.reply(&challenge, "yes").unwrap())).await;
    let thread = ben.wait_for_thread(games, "Amazons").await.unwrap();
    ada.wait_for(thread, "the first board", |it| !it.files().is_empty()).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missed_messages_are_read_in_pages_and_the_rest_is_reported() {
    let mut bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    let (text, ada, ben, thread) = (duel.any_move(), duel.ada.clone(), duel.ben.clone(), duel.thread);
    let mention = format!("<@{BOT_ID}> {text}");
    bot.restart_while(move |_| {
        // The move is on the third page of five, and one message is beyond the last.
        (0..250).for_each(|number| drop(ben.say(thread, &format!("talk {number}")).unwrap()));
        ada.say(thread, &mention).unwrap();
        (0..250).for_each(|number| drop(ben.say(thread, &format!("more {number}")).unwrap()));
    })
    .await;
    duel.see(&text).await;
    let cut = |it: &VisibleMessage| {
        it.author() == Some(BOT_ID) && it.content().contains("couldn't read everything here")
    };
    duel.ada.wait_for(duel.thread, "that messages were not read", cut).await.unwrap();
    assert_eq!(duel.ada.messages(duel.thread).iter().filter(|it| cut(it)).count(), 1);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missed_messages_of_five_pages_are_all_read() {
    let mut bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    let (text, ada, ben, thread) = (duel.any_move(), duel.ada.clone(), duel.ben.clone(), duel.thread);
    let mention = format!("<@{BOT_ID}> {text}");
    let before = duel.ada.messages(thread).into_iter().filter(|it| it.author() == Some(BOT_ID)).count();
    bot.restart_while(move |_| {
        // Some messages of the bot were written shortly before; they count toward the pages.
        (0..480).for_each(|number| drop(ben.say(thread, &format!("talk {number}")).unwrap()));
        ada.say(thread, &mention).unwrap();
    })
    .await;
    duel.see(&text).await;
    bot.wait_until_idle().await;
    let ours = duel.ada.messages(thread).into_iter().filter(|it| it.author() == Some(BOT_ID));
    assert_eq!(ours.count(), before + 1, "the board alone");
    bot.stop().await;
}

/// A move that names no table is for the game in which its author is to move. If it arrives again later, that is another
/// game.
#[tokio::test(flavor = "multi_thread")]
async fn missed_move_is_not_played_again_in_another_game() {
    let mut bot = TestBot::start().await;
    let mut first = Duel::begin(&bot).await;
    let mut second = Duel::begin(&bot).await;
    second.turn(&bot, Way::Reply).await;
    // Ada is to move in the first game only; after Ben's turn in the second one, only there. The move is possible in both.
    let bens = second.any_move();
    let mut after = second.play.clone_play();
    after.play(&bens).unwrap();
    let text = first.play.moves().into_iter().find(|it| after.moves().contains(it)).unwrap();
    let said = first.ada.say(first.ada.dm(), &text).unwrap();
    let told = bot.answer_to(&first.ada, &said).await;
    first.see(&text).await;
    second.ben.reply(&second.board, &bens).unwrap();
    second.see(&bens).await;
    bot.wait_until_idle().await;
    // As if the program had ended before it answered.
    bot.restart_while(|playground| {
        playground.clock().advance(Duration::from_secs(10));
        playground.delete_message(first.ada.dm(), told.id);
    })
    .await;
    let asked = first.ada.say(first.ada.dm(), &format!("{} clock", first.table)).unwrap();
    bot.answer_to(&first.ada, &asked).await;
    bot.wait_until_idle().await;
    assert_eq!((bot.table(&first.table).await.ply(), bot.table(&second.table).await.ply()), (1, 2));
    bot.stop().await;
}
