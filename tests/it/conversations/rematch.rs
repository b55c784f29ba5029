//! Games played again, and games that the bot plays alone.

use std::time::Duration;

use rookery_core::player::Level;
use rookery_playground::people::visible_message::VisibleMessage;
use rookery_table::ports::{Filter, Stage};
use rookery_table::{Occupant, Person, SettlementPolicy, Status, Table, Terms};
use serde_json::json;

use crate::duel::{Duel, open};
use crate::test_bot::House;

/// The game is called off at once; its result.
async fn called_off(duel: &Duel) -> VisibleMessage {
    duel.ada.slash(duel.thread, "abort", &json!({})).unwrap().message().await.unwrap();
    let over = format!("{} is over", duel.table);
    duel.ada.wait_for(duel.thread, "the result", |it| it.content().contains(&over)).await.unwrap()
}

async fn next(house: &House, duel: &Duel) -> std::sync::Arc<Table> {
    let next = house.table(&duel.table).await.rematch().unwrap();
    house.table(next.as_str()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_swaps_the_seats_and_begins_when_the_other_presses_too() {
    let house = House::open().await;
    let duel = Duel::begin(&house).await;
    let result = called_off(&duel).await;
    let watcher = house.press(&house.cleo(), &result, "Rematch").await;
    assert!(watcher.content().contains("no seat"), "{}", watcher.content());
    let asked = house.press(&duel.ada, &result, "Rematch").await;
    assert!(asked.content().contains("open for your rematch"), "{}", asked.content());
    let table = next(&house, &duel).await;
    assert_eq!(table.status(), &Status::Waiting);
    let news =
        |it: &VisibleMessage| it.content().contains(table.id().as_str()) && it.button("Accept").is_some();
    let challenge = duel.ben.wait_for(house.games(), "the challenge", news).await.unwrap();
    assert_eq!(challenge.pinged(), ["Ben"]);
    let again = house.press(&duel.ada, &result, "Rematch").await;
    assert!(again.content().contains("as soon as everybody"), "{}", again.content());
    let joined = house.press(&duel.ben, &result, "Rematch").await;
    assert!(joined.content().contains("You sit at table"), "{}", joined.content());
    let (old, new) = (house.table(&duel.table).await, next(&house, &duel).await);
    assert_eq!(new.status(), &Status::Running);
    let mut swapped = old.chairs().to_vec();
    swapped.reverse();
    assert_eq!(new.chairs(), swapped);
    let same = |terms: &Terms| Terms { seed: 0, commitment: None, again: None, ..terms.clone() };
    assert_eq!(same(new.terms()), same(old.terms()));
    assert_eq!(new.terms().again, Some(old.id()));
    let on = house.press(&duel.ada, &result, "Rematch").await;
    assert!(on.content().contains("Your rematch is at"), "{}", on.content());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_against_the_bot_that_is_pressed_twice_at_once_is_one_game() {
    let house = House::open().await;
    let (ada, games) = (house.ada(), house.games());
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
        assert!(told.content().contains("Your rematch is at"), "{}", told.content());
    }
    let next = house.table(&table).await.rematch().unwrap();
    let running = Filter { stage: Some(Stage::Running), ..Filter::default() };
    let running: Vec<_> = house.registry.list(&running).await.unwrap().iter().map(|card| card.id).collect();
    assert_eq!(running, [next]);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_that_was_turned_down_can_be_asked_for_again() {
    let house = House::open().await;
    let duel = Duel::begin(&house).await;
    let result = called_off(&duel).await;
    house.press(&duel.ada, &result, "Rematch").await;
    let first = next(&house, &duel).await;
    let news =
        |it: &VisibleMessage| it.content().contains(first.id().as_str()) && it.button("Decline").is_some();
    let challenge = duel.ben.wait_for(house.games(), "the challenge", news).await.unwrap();
    house.press(&duel.ben, &challenge, "Decline").await;
    house.press(&duel.ben, &result, "Rematch").await;
    let second = next(&house, &duel).await;
    assert_ne!(first.id(), second.id());
    assert_eq!(second.host(), Person(duel.ben.id.0));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_between_bots_is_watched_and_stopped_by_who_opened_it() {
    let house = House::open().await;
    house.registry.set_exhibition_pace(Duration::from_millis(50));
    let (ada, games) = (house.ada(), house.games());
    let bots = vec![Occupant::Ai { level: Level::Random }, Occupant::Ai { level: Level::Easy }];
    let terms = Terms {
        game: "amazons".into(),
        options: Default::default(),
        seed: 1,
        guild: house.playground.guild("Rookery").map(|guild| guild.0),
        channel: games.0,
        thread: true,
        rated: false,
        settle: Some(SettlementPolicy::Off),
        ..Terms::default()
    };
    let opened = house.registry.open(terms, Person(ada.id.0), bots, None).await.unwrap().table;
    let thread = ada.wait_for_thread(games, opened.id().as_str()).await.unwrap();
    let stoppable = |it: &VisibleMessage| it.button("Stop").is_some();
    let board = ada.wait_for(thread, "a board", stoppable).await.unwrap();
    assert!(board.button("Move").is_none() && board.pinged().is_empty());
    let later = |it: &VisibleMessage| it.content().contains("4. ");
    ada.wait_for(thread, "the fourth move", later).await.unwrap();
    // Slower now, so that the board that is pressed is the latest one.
    house.registry.set_exhibition_pace(Duration::from_secs(3_600));
    tokio::time::sleep(Duration::from_millis(500)).await;
    house.quiet().await;
    let board = ada.messages(thread).into_iter().rfind(stoppable).unwrap();
    let refused = house.press(&house.cleo(), &board, "Stop").await;
    assert!(refused.content().contains("no seat"), "{}", refused.content());
    let stopped = house.press(&ada, &board, "Stop").await;
    assert!(stopped.content().contains("Done"), "{}", stopped.content());
    let over = house.table(opened.id().as_str()).await;
    assert!(matches!(over.status(), Status::Over(_)));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_counts_only_where_rated_games_are_still_on() {
    let house = House::open().await;
    let guild = house.playground.guild("Rookery").unwrap().0;
    house.registry.preferences_cache().change_server(guild, |it| it.rated = true).await.unwrap();
    let duel = Duel::begin_with(&house, &json!({"game": "amazons", "size": "6x6", "rated": true})).await;
    assert!(house.table(&duel.table).await.is_rated());
    house.resign(&duel.ada, &duel.board).await;
    let over = |it: &VisibleMessage| it.button("Rematch").is_some();
    let result = duel.ada.wait_for(duel.thread, "the result", over).await.unwrap();
    house.registry.preferences_cache().change_server(guild, |it| it.rated = false).await.unwrap();
    let told = house.press(&duel.ada, &result, "Rematch").await;
    assert!(told.content().contains("Rated games are off"), "{}", told.content());
    assert!(!next(&house, &duel).await.is_rated());
    house.close().await;
}
