//! Rated games: changes, leaderboards, profiles.

use serde_json::json;

use crate::duel::slash_play;
use crate::duel::{challenge, open};
use crate::test_bot::TestBot;

#[tokio::test(flavor = "multi_thread")]
async fn ratings_change_after_a_rated_game_and_are_listed() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let terms = json!({"game": "amazons", "size": "6x6", "opponent": ben.id, "rated": true});
    let off = slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
    assert!(off.content().contains("Rated games are off on this server"), "{}", off.content());

    bot.allow_rated().await;
    let lopsided = json!({"game": "amazons", "size": "6x6", "white": "c3 d3", "black": "a6", "rated": true});
    let rows = json!({"game": "penguins", "layout": "1", "rated": true});
    for own in [lopsided, rows] {
        let refused = slash_play(&ada, games, &own).unwrap().message().await.unwrap();
        assert!(refused.content().contains("can't be rated"), "{}", refused.content());
    }
    let table = open(&ada, games, &terms).await;
    let asked = challenge(&ben, games, &table).await;
    assert!(asked.content().contains("rated"), "it says so beforehand: {}", asked.content());
    bot.press(&ben, &asked, "Accept").await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let board = ben.wait_for(thread, "a board", |it| !it.files().is_empty()).await.unwrap();
    bot.resign(&ben, &board).await;
    let over = ada.wait_for(thread, "the result", |it| it.content().contains("is over")).await.unwrap();
    // Two new players and one win: Glicko-2 moves each by 162 points (1662 and 1338 in Glickman's system).
    let ratings = format!("{} 1662? (+162), {} 1338? (−162)", ada.mention(), ben.mention());
    assert!(over.content().contains(&ratings), "{}", over.content());

    let leaders =
        ben.slash(games, "leaderboard", &json!({"game": "amazons"})).unwrap().message().await.unwrap();
    let first = leaders.content().find(&ada.mention()).unwrap();
    assert!(first < leaders.content().find(&ben.mention()).unwrap(), "{}", leaders.content());
    let profile = ben.slash(games, "profile", &json!({"person": ada.id})).unwrap().message().await.unwrap();
    assert!(
        profile.content().contains("1662?") && profile.content().contains("1 won"),
        "{}",
        profile.content()
    );
    assert!(
        profile.content().contains(&format!("Against {}: 1 won", ben.mention())),
        "{}",
        profile.content()
    );
    assert!(profile.files()[0]["description"].as_str().unwrap().contains("1 rated game"));
    let empty = ada.slash(games, "leaderboard", &json!({"game": "amoeba"})).unwrap().message().await.unwrap();
    assert!(empty.content().contains("No rated games of this kind yet"), "{}", empty.content());
    bot.stop().await;
}
