//! Orders on the page besides moves: rematches and votes. Before the game begins there is no page for them.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::play::{PlaySite, Visitor, id};
use crate::duel::{Duel, Way, open};

/// A rematch on the page is the one of Discord's button, and the second press joins it.
#[tokio::test(flavor = "multi_thread")]
async fn play_rematches_are_opened_once_and_joined() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let page = format!("{}/play/{}", site.base, duel.table);
    let (ada, ben) = (site.sign_in(&duel.ada, &duel.board).await, site.sign_in(&duel.ben, &duel.board).await);
    let cleo = site.sign_in(&site.bot.cleo(), &duel.board).await;
    let again = |number| format!("kind=rematch&{}", id(number));
    let (status, _) = ada.order(&page, &again(1)).await;
    assert_eq!(status, StatusCode::CONFLICT, "the game goes on");
    ben.order(&page, &format!("kind=resign&number=1&{}", id(2))).await;
    let (status, _) = cleo.order(&page, &again(3)).await;
    assert_eq!(status, StatusCode::CONFLICT, "she didn't play");
    let (status, opened) = ada.order(&page, &again(4)).await;
    assert_eq!(status, StatusCode::OK, "{opened}");
    let next = opened["next"].as_str().unwrap().to_owned();
    let (_, same) = ada.order(&page, &again(4)).await;
    assert_eq!(same["next"], json!(next), "the same order opens no second one");
    let waits: Value = ben.get(&format!("{page}/state")).await.json().await.unwrap();
    assert_eq!((&waits["rematch"]["table"], &waits["rematch"]["has_begun"]), (&json!(next), &json!(false)));
    let (_, joined) = ben.order(&page, &again(5)).await;
    assert_eq!(joined["next"], json!(next));
    assert_eq!(joined["state"]["rematch"]["has_begun"], json!(true), "{joined}");
    let board = ben.data(&format!("{}/play/{next}", site.base)).await;
    assert_eq!(board["state"]["mine"], json!(true), "the seats are rotated");
    site.bot.stop().await;
}

/// Members of a team vote on the page, for the move that another one proposed on Discord.
#[tokio::test(flavor = "multi_thread")]
async fn play_votes_of_a_team_are_cast_on_the_page() {
    let site = PlaySite::open().await;
    let bot = &site.bot;
    let (ada, ben) = (bot.ada(), bot.ben());
    let (table, board) = site.open_vote().await;
    let page = format!("{}/play/{table}", site.base);
    let (at_ada, at_ben) = (site.sign_in(&ada, &board).await, site.sign_in(&ben, &board).await);
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    let (status, proposed) = at_ada.order(&page, &format!("kind=move&ply=0&text={text}&{}", id(1))).await;
    assert_eq!(status, StatusCode::OK, "{proposed}");
    let vote = &at_ben.data(&page).await["state"]["vote"];
    assert_eq!((&vote["proposals"][0]["move"], &vote["proposals"][0]["mine"]), (&json!(text), &json!(false)));
    assert_eq!(vote["proposals"][0]["votes"], json!("1 vote, proposed by Ada"));
    assert_eq!(
        vote["decided"],
        "The first move with 2 votes is played, or the one with the most when everyone has voted or time is up. \
         If moves are tied, one of them is picked at random."
    );
    let order = vote["proposals"][0]["order"].as_str().unwrap();
    let (status, cast) = at_ben.order(&page, &format!("{order}&{}", id(2))).await;
    assert_eq!(status, StatusCode::OK, "{cast}");
    assert_eq!(bot.table(&table).await.play().unwrap().record()[0], text, "two votes decide");
    site.bot.stop_early().await;
}

/// An answer on the page is said in the game's thread as well, where nobody is pinged, and on the page of the person who asked.
#[tokio::test(flavor = "multi_thread")]
async fn play_declined_offers_are_said_on_discord_and_on_the_page() {
    let site = PlaySite::open().await;
    let mut duel = Duel::begin(&site.bot).await;
    duel.turn(&site.bot, Way::Mention).await;
    let page = format!("{}/play/{}", site.base, duel.table);
    let (ada, ben) = (site.sign_in(&duel.ada, &duel.board).await, site.sign_in(&duel.ben, &duel.board).await);
    let (status, _) = ada.order(&page, &format!("kind=offer&text=undo&{}", id(1))).await;
    assert_eq!(status, StatusCode::OK);
    let asked = ben.data(&page).await["state"]["offer"]["no"].as_str().unwrap().to_owned();
    let (status, answer) = ben.order(&page, &format!("{asked}&{}", id(2))).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let said =
        duel.ada.wait_for(duel.thread, "the answer", |it| it.content().contains("said no")).await.unwrap();
    assert!(said.content().contains(&duel.ben.mention()) && said.pinged().is_empty(), "{}", said.content());
    let notes = ada.data(&page).await["state"]["notes"].to_string();
    assert!(notes.contains("They said no to taking back your move"), "{notes}");
    site.bot.stop().await;
}

/// The button says whose time it adds to.
#[tokio::test(flavor = "multi_thread")]
async fn play_gives_the_opponent_more_time() {
    let site = PlaySite::open().await;
    let terms = json!({"game": "amazons", "size": "6x6", "clock": "fast"});
    let duel = Duel::begin_with(&site.bot, &terms).await;
    let page = format!("{}/play/{}", site.base, duel.table);
    let (ada, ben) = (site.sign_in(&duel.ada, &duel.board).await, site.sign_in(&duel.ben, &duel.board).await);
    let labels = async |who: &Visitor| who.data(&page).await["state"]["actions"].to_string();
    assert!(labels(&ben).await.contains("Give your opponent 8 hours"), "{}", labels(&ben).await);
    assert!(!labels(&ada).await.contains("Give"), "her own clock runs");
    let (status, _) = ben.order(&page, &format!("kind=give&{}", id(1))).await;
    assert_eq!(status, StatusCode::OK);
    site.bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn page_of_a_game_that_has_not_begun_says_so() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let ada = site.sign_in(&duel.ada, &duel.board).await;
    let waiting = open(&duel.ada, site.bot.games(), &json!({"game": "amazons"})).await;
    for part in ["", "/state"] {
        let answer = ada.get(&format!("{}/play/{waiting}{part}", site.base)).await;
        assert_eq!(answer.status(), StatusCode::CONFLICT, "{part}");
        let text = answer.text().await.unwrap();
        assert!(text.contains("started yet"), "reloading it wouldn't help: {text}");
    }
    site.bot.stop().await;
}
