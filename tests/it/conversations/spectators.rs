//! Spectators may press every button: the answers are private, and the table does not change.

use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use serde_json::json;

use crate::duel::{Duel, Way};
use crate::test_bot::TestBot;

/// Returns everything that can be pressed or chosen under a message.
fn pressable(message: &VisibleMessage) -> Vec<(String, Vec<String>)> {
    let buttons = message.buttons().into_iter().filter_map(|label| message.button(label));
    let selects = message.selects().into_iter().map(|select| {
        let first = select["options"][0]["value"].as_str().unwrap_or_default().to_owned();
        (select["custom_id"].as_str().unwrap().to_owned(), vec![first])
    });
    buttons.map(|id| (id.to_owned(), Vec::new())).chain(selects).collect()
}

/// Returns the public messages in the table's thread and in its parent channel.
fn in_the_open(bot: &TestBot, who: &Person, thread: Id) -> Vec<String> {
    let all = [bot.games(), thread].into_iter().flat_map(|channel| who.messages(channel));
    let shown = |it: VisibleMessage| format!("{} {} {}", it.id, it.content(), it.json["components"]);
    all.filter(|it| !it.is_ephemeral()).map(shown).collect()
}

/// Presses everything under every public message, and everything under the answers: each answer is private to the
/// presser, and neither the table nor the public messages change.
async fn press_everything(bot: &TestBot, who: &Person, duel: &Duel) -> Vec<VisibleMessage> {
    bot.wait_until_idle().await;
    let before = (bot.table(&duel.table).await.sequence(), in_the_open(bot, &duel.ada, duel.thread));
    let mut messages: Vec<VisibleMessage> =
        [bot.games(), duel.thread].into_iter().flat_map(|at| who.messages(at)).collect();
    messages.retain(|it| !it.is_ephemeral());
    let mut answers = Vec::new();
    while let Some(message) = messages.pop() {
        for (id, values) in pressable(&message) {
            // Opening a game from the position is allowed, and another test covers it.
            if id.contains(":look:o:") {
                continue;
            }
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let Ok(asked) = who.choose(&message, &id, &values) else { continue };
            let answer = asked.message().await.unwrap();
            assert!(answer.is_ephemeral(), "{id} is answered in the open: {}", answer.content());
            if !message.is_ephemeral() {
                messages.push(answer.clone());
            }
            answers.push(answer);
        }
    }
    bot.wait_until_idle().await;
    let after = (bot.table(&duel.table).await.sequence(), in_the_open(bot, &duel.ada, duel.thread));
    assert_eq!(before, after, "a spectator has disturbed the game");
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn spectators_disturb_nobody_whatever_they_press() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let cleo = bot.cleo();
    for _ in 0..2 {
        duel.turn(&bot, Way::Mention).await;
    }
    // With a pending public offer; later also with a finished game.
    duel.ada.slash(duel.thread, "pause", &json!({})).unwrap().message().await.unwrap();
    let pressed = press_everything(&bot, &cleo, &duel).await;
    assert!(pressed.len() > 5, "only {} answers", pressed.len());
    bot.resign(&duel.ada, &duel.board).await;
    press_everything(&bot, &cleo, &duel).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn spectators_of_a_rated_game_see_the_board_and_no_more() {
    let bot = TestBot::start().await;
    bot.allow_rated().await;
    let mut duel = Duel::begin_with(&bot, &json!({"game": "amazons", "size": "6x6", "rated": true})).await;
    duel.turn(&bot, Way::Mention).await;
    let cleo = bot.cleo();
    let viewer = bot.press(&cleo, &duel.board, "More").await;
    let tinted = bot.press_private(&cleo, &viewer, "Territory").await;
    assert!(tinted.content().contains("I can't help with a rated game"), "{}", tinted.content());
    let refused = bot.press(&cleo, &tinted, "Play Rookery from here").await;
    assert!(refused.content().contains("I can't help with a rated game"), "{}", refused.content());
    press_everything(&bot, &cleo, &duel).await;
    bot.stop().await;
}
