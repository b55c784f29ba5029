//! Tests of the page's own API.

use std::time::Duration;

use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::super::id::Id;
use super::raw_client::{Raw, manual_clock_options};

async fn page(raw: &Raw, me: Id, method: reqwest::Method, path: &str, body: Value) -> (u16, Value) {
    let url = format!("{}/page{path}", raw.playground.api_base());
    let request = reqwest::Client::new().request(method, url).header("x-playground-user", me.to_string());
    let request = request.header("x-playground-token", raw.playground.page_token());
    let answer = request.json(&body).send().await.expect("an answer");
    (answer.status().as_u16(), answer.json().await.unwrap_or(Value::Null))
}

#[tokio::test]
async fn a_new_person_sees_the_home_server_and_speaks() {
    let raw = Raw::start(manual_clock_options()).await;
    let ada = raw.playground.user("Ada").id;
    let (_, eve) = page(&raw, ada, reqwest::Method::POST, "/users", json!({"name": "Eve"})).await;
    let eve: Id = eve["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
    let (_, state) = page(&raw, eve, reqwest::Method::GET, "/state", Value::Null).await;
    let names: Vec<_> =
        state["guilds"][0]["channels"].as_array().expect("channels").iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["games", "lobby", "general"]);
    assert_eq!(state["guilds"].as_array().map(Vec::len), Some(1));
    let path = format!("/channels/{}/messages", raw.playground.channel("games"));
    let (status, said) = page(&raw, eve, reqwest::Method::POST, &path, json!({"content": "hi"})).await;
    assert_eq!((status, &said["author"]["global_name"]), (200, &json!("Eve")));
    let (_, list) = page(&raw, ada, reqwest::Method::GET, &format!("{path}?limit=10"), Value::Null).await;
    assert_eq!(list[0]["content"], "hi");
    let (status, refused) = page(&raw, Id(1), reqwest::Method::POST, &path, json!({"content": "hi"})).await;
    assert_eq!(status, 401, "{refused}");
}

/// A file is uploaded first, and then goes with a message.
#[tokio::test]
async fn a_person_sends_a_file() {
    let raw = Raw::start(manual_clock_options()).await;
    let ada = raw.playground.user("Ada").id;
    let upload = async |bytes: Vec<u8>| {
        let url = format!("{}/page/files?name=my%20board.png", raw.playground.api_base());
        let request = reqwest::Client::new().post(url).header("x-playground-user", ada.to_string());
        let request = request.header("x-playground-token", raw.playground.page_token());
        let answer = request.body(bytes).send().await.expect("an answer");
        (answer.status().as_u16(), answer.json::<Value>().await.expect("JSON"))
    };
    let (status, file) = upload(b"a picture".to_vec()).await;
    assert_eq!((status, &file["filename"], &file["size"]), (200, &json!("my_board.png"), &json!(9)));
    let (status, refused) = upload(vec![0; 10 * 1024 * 1024 + 1]).await;
    assert_eq!(status, 400);
    assert!(refused["message"].as_str().expect("a sentence").contains("10 MB is the limit"), "{refused}");

    let path = format!("/channels/{}/messages", raw.playground.channel("games"));
    let body = json!({"content": "", "files": [file["id"]]});
    let (status, said) = page(&raw, ada, reqwest::Method::POST, &path, body.clone()).await;
    assert_eq!((status, &said["attachments"][0]["id"]), (200, &file["id"]), "{said}");
    let url = said["attachments"][0]["url"].as_str().expect("an address");
    let kept = reqwest::get(url).await.expect("an answer").bytes().await.expect("a file");
    assert_eq!(&kept[..], b"a picture");
    let (status, refused) = page(&raw, ada, reqwest::Method::POST, &path, body).await;
    assert_eq!(status, 400, "it is the first message's: {refused}");
}

#[tokio::test]
async fn page_brings_its_own_emoji_font() {
    let raw = Raw::start(manual_clock_options()).await;
    let get = async |path: &str| {
        let url = format!("{}{path}", raw.playground.api_base());
        reqwest::get(url).await.expect("an answer")
    };
    let styles = get("/page/static/theme.css").await.text().await.expect("a text");
    let address =
        styles.split("url(\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a font's address");
    let font = get(address).await;
    assert_eq!(font.headers()["content-type"], "font/ttf");
    let bytes = font.bytes().await.expect("a font");
    assert!(bytes.starts_with(&[0, 1, 0, 0]) && bytes.len() > 100_000, "{} bytes", bytes.len());
}

#[tokio::test]
async fn an_open_page_hears_what_its_person_may_see() {
    let raw = Raw::start(manual_clock_options()).await;
    let (ada, ben) = (raw.playground.user("Ada"), raw.playground.user("Ben"));
    let (base, token) = (raw.playground.api_base().replace("http", "ws"), raw.playground.page_token());
    let url = format!("{base}/page/ws?as={}&token={token}", ada.id);
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await.expect("a socket");
    let mut next = async move |name: &str| loop {
        let frame = tokio::time::timeout(Duration::from_secs(20), socket.next()).await.expect("in time");
        let Some(Ok(Message::Text(text))) = frame else { panic!("the socket ended") };
        let frame: Value = serde_json::from_str(&text).expect("JSON");
        if frame["t"] == name {
            return frame["d"].clone();
        }
    };
    assert_eq!(next("BOT_STATUS").await["online"], false);
    ben.say(ben.dm(), "not for Ada").expect("said");
    ben.say(raw.playground.channel("games"), "for all").expect("said");
    assert_eq!(next("MESSAGE_CREATE").await["content"], "for all");
}

#[tokio::test]
async fn files_of_the_page_are_served() {
    let raw = Raw::start(manual_clock_options()).await;
    let answer = reqwest::get(raw.playground.api_base()).await.expect("an answer");
    assert_eq!(answer.status().as_u16(), 200);
    assert!(answer.headers()["content-type"].to_str().expect("text").starts_with("text/html"));
}
