//! A process that does nothing but serve the pages: people play there as if the whole bot ran in it.

use reqwest::StatusCode;
use rookery_core::rules::Setup;
use rookery_playground::BOT_ID;
use rookery_playground::limits::RateLimits;
use rookery_playground::testing::visible_message::VisibleMessage;
use serde_json::json;

use super::fleet::{Fleet, Part};
use crate::browser::free_port;
use crate::duel::{challenge, open};
use crate::eventually::eventually;
use crate::web::play::{Visitor, id};

#[tokio::test(flavor = "multi_thread")]
async fn people_play_on_pages_of_a_process_with_the_role_web_alone() {
    let place = free_port();
    let base = format!("http://{place}");
    let settings = vec![("ROOKERY_WEB__LISTEN", place), ("ROOKERY_WEB__ADDRESS", base.clone())];
    let parts = [Part::Front, Part::Web];
    let Some(fleet) = Fleet::with(1, &parts, RateLimits::none(), settings).await else { return };
    fleet.until_connected().await;
    fleet.playground.wait_for_bot().await.unwrap();
    let [ada, ben] = ["Ada", "Ben"].map(|name| fleet.playground.user(name));
    let (_, games) = fleet.playground.new_guild("home", "games", &[&ada, &ben]);
    let table =
        open(&ada, games, &json!({"game": "amazons", "size": "6x6", "first": "me", "open": true})).await;
    let challenge = challenge(&ben, games, &table).await;
    ben.click(&challenge, challenge.button("Join").unwrap()).unwrap().message().await.unwrap();
    let thread = ben.wait_for_thread(games, &table).await.unwrap();
    let board = ada.wait_for(thread, "the board", |it| it.button("Open board").is_some()).await.unwrap();

    let answer = ada.click(&board, board.button("Open board").unwrap()).unwrap().message().await.unwrap();
    let link = answer.json["components"][0]["components"][0]["url"].as_str().unwrap().to_owned();
    assert!(link.starts_with(&base), "{link}");
    let mut visitor = Visitor::new();
    let signed_in = visitor.post(&link, &[]).await;
    assert_eq!(signed_in.status(), StatusCode::SEE_OTHER);
    visitor.keep_cookie(&signed_in);
    let page = format!("{base}/play/{table}");
    // It says so while it is starting, which takes some seconds.
    let has_started = async || visitor.get(&page).await.status() != StatusCode::SERVICE_UNAVAILABLE;
    eventually("the pages are served", has_started).await;
    let mut events = visitor.get(&format!("{page}/events")).await;
    events.chunk().await.unwrap().unwrap();

    let mut play =
        rookery_games::named("amazons").unwrap().start(&Setup::new(2).with("size", "6x6")).unwrap();
    let mut next_move = || {
        let text = play.moves().swap_remove(0);
        play.play(&text).unwrap();
        text
    };
    let text = next_move();
    let (status, answer) = visitor.order(&page, &format!("kind=move&ply=0&text={text}&{}", id(1))).await;
    assert_eq!((status, &answer["state"]["ply"]), (StatusCode::OK, &json!(1)), "{answer}");
    let shows = |it: &VisibleMessage| !it.files().is_empty() && it.content().contains(&text);
    ben.wait_for(thread, "the board after the move", shows).await.unwrap();
    ben.say(thread, &format!("<@{BOT_ID}> {}", next_move())).unwrap();
    let heard = async {
        while visitor.data(&page).await["state"]["ply"] != json!(2) {
            events.chunk().await.unwrap().unwrap();
        }
    };
    tokio::time::timeout(crate::command_line::PATIENCE, heard).await.expect("the page hears of Ben's move");
    let (status, answer) = visitor.order(&page, &format!("kind=resign&number=0&{}", id(2))).await;
    assert_eq!((status, &answer["state"]["over"]), (StatusCode::OK, &json!(true)), "{answer}");
    ada.wait_for(thread, "the result", |it| it.content().contains("resign")).await.unwrap();
}
