//! What is said reaches everybody it is meant for, once, whatever fails on the way.

use rookery::playground::people::seen::Seen;
use serde_json::json;

use crate::duel::open;
use crate::house::House;

#[tokio::test(flavor = "multi_thread")]
async fn whoever_plays_both_sides_is_welcomed_and_told_the_result() {
    let house = House::open().await;
    let (ada, games) = (house.ada(), house.games());
    let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6", "opponent": ada.id})).await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let welcomed = |it: &Seen| it.content().contains("this is table");
    let welcome = ada.wait_for(thread, "the welcome", welcomed).await.unwrap();
    assert_eq!(welcome.pinged(), ["Ada"]);
    let board = ada.wait_for(thread, "a board", |it| it.button("Resign").is_some()).await.unwrap();
    let sure = house.press(&ada, &board, "Resign").await;
    house.press_private(&ada, &sure, "Yes, resign").await;
    let over = ada.wait_for(thread, "the result", |it| it.button("Rematch").is_some()).await.unwrap();
    assert_eq!(over.pinged(), ["Ada"]);
    house.close().await;
}
