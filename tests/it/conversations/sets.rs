//! Sets of two games: the second opens automatically with the seats swapped, and the score is kept.

use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::ports::Filter;
use rookery_table::sets::InSet;
use rookery_table::{Status, TableId};
use serde_json::json;

use crate::duel::slash_play;
use crate::duel::{Duel, Way, open};
use crate::test_bot::TestBot;

async fn begin(bot: &TestBot) -> Duel {
    Duel::begin_with(bot, &json!({"game": "amazons", "size": "6x6", "set": "two"})).await
}

/// Resigns under a board; returns the result.
async fn give_up(bot: &TestBot, who: &Person, board: &VisibleMessage) -> VisibleMessage {
    bot.resign(who, board).await;
    who.wait_for(board.channel, "the result", |it| it.content().contains("is over")).await.unwrap()
}

/// Waits for the second game, which begins by itself; returns its table and first board.
async fn second(bot: &TestBot, duel: &Duel) -> (String, VisibleMessage) {
    bot.wait_until_idle().await;
    let second = bot.table(&duel.table).await.rematch().unwrap().to_string();
    let thread = duel.ben.wait_for_thread(bot.games(), &second).await.unwrap();
    let board = duel.ben.wait_for(thread, "the first board", |it| it.button("Move").is_some()).await.unwrap();
    (second, board)
}

#[tokio::test(flavor = "multi_thread")]
async fn set_opens_its_second_game_with_seats_swapped() {
    let mut bot = TestBot::start().await;
    let duel = begin(&bot).await;
    assert!(duel.board.content().contains("Game 1 of 2."), "{}", duel.board.content());
    let over = give_up(&bot, &duel.ada, &duel.board).await;
    let score = format!("Set so far: {} 0, {} 1.", duel.ada.mention(), duel.ben.mention());
    assert!(over.content().contains(&score), "{}", over.content());
    assert!(over.button("Rematch").is_none(), "the second game follows");

    let (table, board) = second(&bot, &duel).await;
    assert!(over.content().contains(&format!("with the sides swapped, is {table}")), "{}", over.content());
    assert_eq!(board.pinged(), ["Ben"], "he begins now");
    let score = format!("So far: {} 1, {} 0.", duel.ben.mention(), duel.ada.mention());
    assert!(board.content().contains(&score), "{}", board.content());
    let (old, new) = (bot.table(&duel.table).await, bot.table(&table).await);
    assert_eq!(old.play().unwrap().start_line(), new.play().unwrap().start_line());
    let swapped: Vec<_> = old.chairs().iter().rev().copied().collect();
    assert_eq!(new.chairs(), swapped);
    let games = duel.ada.slash(bot.games(), "games", &json!({})).unwrap().message().await.unwrap();
    assert!(games.content().contains("game 2 of 2 (1 : 0)"), "{}", games.content());

    bot.restart().await;
    let over = give_up(&bot, &duel.ben, &board).await;
    let (ada, ben) = (duel.ada.mention(), duel.ben.mention());
    let score = format!("Set over: {ben} and {ada} drew, 1 to 1.");
    assert!(over.content().contains(&score), "{}", over.content());
    bot.press(&duel.ben, &over, "Rematch").await;
    let again = bot.table(&table).await.rematch().unwrap();
    let again = bot.table(again.as_str()).await;
    assert_eq!(again.terms().set, Some(InSet::First), "a rematch is a new set");
    assert_eq!(again.seat_of(rookery_table::UserId(duel.ada.id.0)), None, "she is asked first");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn set_opens_its_second_game_once() {
    let bot = TestBot::start().await;
    let mut duel = begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    let told = duel.board.content();
    assert!(told.contains("Game 1 of 2 (0 : 0)") && !told.contains("swapped"), "said once: {told}");
    give_up(&bot, &duel.ben, &duel.board).await;
    let (table, board) = second(&bot, &duel).await;
    let first: TableId = duel.table.parse().unwrap();
    let (one, other) = tokio::join!(bot.registry.open_second(first), bot.registry.open_second(first));
    assert!(one.is_ok() && other.is_ok());
    assert_eq!(bot.registry.list(&Filter::default(), 100).await.unwrap().len(), 2);
    let over = give_up(&bot, &duel.ben, &board).await;
    let won = format!("Set over: {ada} won the set 2 to 0.", ada = duel.ada.mention());
    assert!(over.content().contains(&won), "{}", over.content());
    assert!(matches!(bot.table(&table).await.status(), Status::Over(_)));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn set_ends_with_an_aborted_game() {
    let bot = TestBot::start().await;
    let duel = begin(&bot).await;
    duel.ada.slash(duel.thread, "abort", &json!({})).unwrap().message().await.unwrap();
    let over =
        duel.ben.wait_for(duel.thread, "the result", |it| it.content().contains("is over")).await.unwrap();
    assert!(over.content().contains("so the set ends here"), "{}", over.content());
    assert!(over.button("Rematch").is_some());
    bot.wait_until_idle().await;
    assert_eq!(bot.registry.list(&Filter::default(), 100).await.unwrap().len(), 1);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn set_is_played_by_the_bot_and_not_by_three() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let three = json!({"game": "penguins", "players": 3, "set": "two"});
    let refused = slash_play(&ada, games, &three).unwrap().message().await.unwrap();
    assert!(refused.content().contains("exactly two players"), "{}", refused.content());
    let table = open(&ada, games, &json!({"game": "penguins", "ai": "random", "set": "two"})).await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let board = ada.wait_for(thread, "the first board", |it| it.button("Move").is_some()).await.unwrap();
    give_up(&bot, &ada, &board).await;
    bot.wait_until_idle().await;
    let (first, next) = (bot.table(&table).await, bot.table(&table).await.rematch().unwrap());
    let next = bot.table(next.as_str()).await;
    assert_eq!(next.seat_of(rookery_table::UserId(ada.id.0)).map(|seat| seat.index()), Some(1));
    assert_eq!(first.play().unwrap().start_line(), next.play().unwrap().start_line(), "the same floe");
    assert!(board.content().contains("the same start with the sides swapped"), "{}", board.content());
    let (first, next) = (first.terms(), next.terms());
    assert!(
        first.seed == next.seed && first.draw_seed() != next.draw_seed(),
        "what is drawn later is drawn afresh"
    );
    bot.stop().await;
}
