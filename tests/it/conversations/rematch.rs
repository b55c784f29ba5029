//! Rematches, and games that the bot plays against itself.

use std::time::Duration;

use rookery_core::player::Level;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::ports::{Filter, Stage};
use rookery_table::{ChannelId, GuildId, Occupant, SettlementPolicy, Status, Table, Terms, UserId};
use serde_json::json;

use crate::duel::{Duel, open};
use crate::eventually::{eventually, poll_interval};
use crate::test_bot::TestBot;

/// Aborts the game at once; returns the result.
async fn abort_game(duel: &Duel) -> VisibleMessage {
    duel.ada.slash(duel.thread, "abort", &json!({})).unwrap().message().await.unwrap();
    let over = format!("{} is over", duel.table);
    duel.ada.wait_for(duel.thread, "the result", |it| it.content().contains(&over)).await.unwrap()
}

async fn next(bot: &TestBot, duel: &Duel) -> std::sync::Arc<Table> {
    let next = bot.table(&duel.table).await.rematch().unwrap();
    bot.table(next.as_str()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn rematch_swaps_the_seats_and_begins_when_both_pressed() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let result = abort_game(&duel).await;
    let watcher = bot.press(&bot.cleo(), &result, "Rematch").await;
    assert!(watcher.content().contains("aren't playing in this game"), "{}", watcher.content());
    let asked = bot.press(&duel.ada, &result, "Rematch").await;
    assert!(asked.content().contains("Your rematch is"), "{}", asked.content());
    let table = next(&bot, &duel).await;
    assert_eq!(table.status(), &Status::Waiting);
    let news =
        |it: &VisibleMessage| it.content().contains(table.id().as_str()) && it.button("Accept").is_some();
    let challenge = duel.ben.wait_for(bot.games(), "the challenge", news).await.unwrap();
    assert_eq!(challenge.pinged(), ["Ben"]);
    let again = bot.press(&duel.ada, &result, "Rematch").await;
    assert!(again.content().contains("when everyone has accepted"), "{}", again.content());
    let joined = bot.press(&duel.ben, &result, "Rematch").await;
    assert!(joined.content().contains("You've joined"), "{}", joined.content());
    let (old, new) = (bot.table(&duel.table).await, next(&bot, &duel).await);
    assert_eq!(new.status(), &Status::Running);
    let mut swapped = old.chairs().to_vec();
    swapped.reverse();
    assert_eq!(new.chairs(), swapped);
    let same = |terms: &Terms| Terms { seed: 0, commitment: None, again: None, ..terms.clone() };
    assert_eq!(same(new.terms()), same(old.terms()));
    assert_eq!(new.terms().again, Some(old.id()));
    let on = bot.press(&duel.ada, &result, "Rematch").await;
    assert!(on.content().contains("Your rematch has begun"), "{}", on.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rematch_against_the_bot_pressed_twice_is_one_game() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let terms = json!({"game": "amazons", "ai": "random", "size": "6x6", "first": "me"});
    let table = open(&ada, games, &terms).await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    ada.slash(thread, "abort", &json!({})).unwrap().message().await.unwrap();
    let over = |it: &VisibleMessage| it.button("Rematch").is_some();
    let result = ada.wait_for(thread, "the result", over).await.unwrap();
    let rematch = result.button("Rematch").unwrap();
    let presses = [(); 3].map(|()| ada.click(&result, rematch).unwrap());
    for press in &presses {
        let told = press.message().await.unwrap();
        assert!(told.content().contains("Your rematch has begun"), "{}", told.content());
    }
    let next = bot.table(&table).await.rematch().unwrap();
    let running = Filter { stage: Some(Stage::Running), ..Filter::default() };
    let running: Vec<_> =
        bot.registry.list(&running, 100).await.unwrap().iter().map(|card| card.id).collect();
    assert_eq!(running, [next]);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rematch_that_was_declined_can_be_asked_for_again() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let result = abort_game(&duel).await;
    bot.press(&duel.ada, &result, "Rematch").await;
    let first = next(&bot, &duel).await;
    let news =
        |it: &VisibleMessage| it.content().contains(first.id().as_str()) && it.button("Decline").is_some();
    let challenge = duel.ben.wait_for(bot.games(), "the challenge", news).await.unwrap();
    bot.press(&duel.ben, &challenge, "Decline").await;
    bot.press(&duel.ben, &result, "Rematch").await;
    let second = next(&bot, &duel).await;
    assert_ne!(first.id(), second.id());
    assert_eq!(second.host(), UserId(duel.ben.id.0));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bot_game_is_watched_and_stopped_by_its_host() {
    let bot = TestBot::start().await;
    bot.registry.set_exhibition_pace(Duration::from_millis(50));
    let (ada, games) = (bot.ada(), bot.games());
    let bots = vec![Occupant::Ai { level: Level::Random }, Occupant::Ai { level: Level::Easy }];
    let terms = Terms {
        game: "amazons".into(),
        options: Default::default(),
        seed: 1,
        guild: bot.playground.guild("Rookery").map(|guild| guild.0).map(GuildId),
        channel: ChannelId(games.0),
        thread: true,
        rated: false,
        settle: Some(SettlementPolicy::Off),
        ..Terms::default()
    };
    let opened = bot.registry.open(terms, UserId(ada.id.0), bots, None).await.unwrap().table;
    let thread = ada.wait_for_thread(games, opened.id().as_str()).await.unwrap();
    let stoppable = |it: &VisibleMessage| it.button("Stop").is_some();
    let board = ada.wait_for(thread, "a board", stoppable).await.unwrap();
    assert!(board.button("Move").is_none() && board.pinged().is_empty());
    let later = |it: &VisibleMessage| it.content().contains("4. ");
    ada.wait_for(thread, "the fourth move", later).await.unwrap();
    // A slow pace, so that the pressed board is the latest one.
    bot.registry.set_exhibition_pace(Duration::from_secs(3_600));
    // Moves in progress at the old pace are posted first.
    eventually("no move is under way", async || {
        let before = bot.table(opened.id().as_str()).await.ply();
        bot.wait_until_idle().await;
        poll_interval().await;
        bot.table(opened.id().as_str()).await.ply() == before
    })
    .await;
    let board = ada.messages(thread).into_iter().rfind(stoppable).unwrap();
    let refused = bot.press(&bot.cleo(), &board, "Stop").await;
    assert!(refused.content().contains("aren't playing in this game"), "{}", refused.content());
    let stopped = bot.press(&ada, &board, "Stop").await;
    assert!(stopped.content().contains("Done"), "{}", stopped.content());
    let over = bot.table(opened.id().as_str()).await;
    assert!(matches!(over.status(), Status::Over(_)));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rematch_is_rated_only_where_rated_games_are_still_allowed() {
    let bot = TestBot::start().await;
    let guild = bot.playground.guild("Rookery").unwrap().0;
    bot.registry.preferences_cache().change_server(GuildId(guild), |it| it.rated = true).await.unwrap();
    let duel = Duel::begin_with(&bot, &json!({"game": "amazons", "size": "6x6", "rated": true})).await;
    assert!(bot.table(&duel.table).await.is_rated());
    bot.resign(&duel.ada, &duel.board).await;
    let over = |it: &VisibleMessage| it.button("Rematch").is_some();
    let result = duel.ada.wait_for(duel.thread, "the result", over).await.unwrap();
    bot.registry.preferences_cache().change_server(GuildId(guild), |it| it.rated = false).await.unwrap();
    let told = bot.press(&duel.ada, &result, "Rematch").await;
    assert!(told.content().contains("Rated games are off"), "{}", told.content());
    assert!(!next(&bot, &duel).await.is_rated());
    bot.stop().await;
}
