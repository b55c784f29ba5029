//! A button pressed twice has its effect once.

use std::time::Duration;

use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::ports::Filter;
use rookery_table::{Actor, Order};
use serde_json::json;

use super::picture_imports::picture;
use crate::duel::{Duel, Way, open};
use crate::eventually::eventually;
use crate::test_bot::TestBot;

/// Returns the number of tables.
async fn tables(bot: &TestBot) -> usize {
    bot.registry.list(&Filter::default(), 100).await.unwrap().len()
}

/// Presses a button, or chooses in a select, twice before the first answer; returns both answers.
async fn press_twice(who: &Person, message: &VisibleMessage, id: &str, values: &[&str]) -> [String; 2] {
    let asked = [(); 2].map(|()| who.choose(message, id, values).unwrap());
    let mut told = Vec::new();
    for asked in &asked {
        told.push(asked.message().await.unwrap().content().to_owned());
    }
    told.try_into().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn double_press_opens_one_table() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Mention).await;
    let (cleo, games) = (bot.cleo(), bot.games());
    let replay = json!({"table": duel.table, "from": 1});
    let viewer = cleo.slash(games, "replay", &replay).unwrap().message().await.unwrap();
    let before = tables(&bot).await;
    let [first, second] =
        press_twice(&cleo, &viewer, viewer.button("Play Rookery from here").unwrap(), &[]).await;
    assert_eq!(tables(&bot).await, before + 1);
    assert_eq!(first, second, "both are told of the same table");
    // After a while a press counts as a new one.
    bot.advance(Duration::from_secs(60)).await;
    let third = bot.press(&cleo, &viewer, "Play Rookery from here").await;
    assert!(tables(&bot).await == before + 2 && third.content() != first, "{}", third.content());

    let asked = cleo.on_user(games, "Challenge to a game", duel.ben.id).unwrap().message().await.unwrap();
    let select = asked.selects()[0]["custom_id"].as_str().unwrap().to_owned();
    press_twice(&cleo, &asked, &select, &["amoeba"]).await;
    assert_eq!(tables(&bot).await, before + 3);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn double_press_takes_back_one_move() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6", "ai": "random"})).await;
    let (id, by) = (table.parse().unwrap(), Actor::Person(rookery_table::UserId(ada.id.0)));
    for ply in [0, 2] {
        let text = bot.table(&table).await.play().unwrap().moves().remove(0);
        bot.registry.order(id, by, Order::Move { text, ply: None }, None).await.unwrap();
        eventually("the bot's move", async || bot.table(&table).await.ply() >= ply + 2).await;
    }
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    bot.wait_until_idle().await;
    let board = ada.messages(thread).into_iter().rfind(|it| it.button("More").is_some()).unwrap();
    let more = bot.press(&ada, &board, "More").await;
    press_twice(&ada, &more, more.button("Take back").unwrap(), &[]).await;
    bot.wait_until_idle().await;
    assert_eq!(bot.table(&table).await.ply(), 2, "her last move and the answer to it, and no more");
    bot.stop().await;
}

/// Twice *Yes, start the game* under a picture that was read.
#[tokio::test(flavor = "multi_thread")]
async fn double_press_plays_on_from_a_picture_once() {
    let bot = TestBot::start().await;
    let cleo = bot.cleo();
    let file = cleo.upload("board.png", &picture(&[]));
    let options = json!({"file": file, "ai": "random"});
    let shown = cleo.slash(bot.games(), "import", &options).unwrap().message().await.unwrap();
    let play_on = shown.button("Yes, start the game").unwrap().to_owned();
    let before = tables(&bot).await;
    let [first, second] = press_twice(&cleo, &shown, &play_on, &[]).await;
    assert_eq!(tables(&bot).await, before + 1);
    assert_eq!(first, second, "both are told of the same table");
    bot.stop().await;
}
