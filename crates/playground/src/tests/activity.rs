//! Activities against what Discord documents: the command that opens one, its answer, what a frame may ask, and the proxy.

use axum::Router;
use axum::http::{HeaderMap, header};
use axum::routing::get;
use reqwest::Method;
use serde_json::{Value, json};

use super::super::id::Id;
use super::super::testing::person::{PendingInteraction, Person};
use super::super::{Answer, BOT_ID};
use super::raw_client::{Raw, manual_clock_options};

fn entry_point() -> Value {
    json!({"name": "launch", "description": "Opens it.", "type": 4, "handler": 1, "integration_types": [0, 1],
        "contexts": [0, 1, 2]})
}

/// Starts a playground in which a bot has registered the command that opens its Activity.
async fn opened() -> Raw {
    let raw = Raw::start(manual_clock_options()).await;
    assert_eq!(raw.register(json!([entry_point()])).await.0, 200);
    raw
}

/// Starts a small server of pages; each answers with the host and the path that it was asked for.
async fn pages(raw: &Raw) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    raw.playground.map_activity(listener.local_addr().expect("an address"));
    let page = async |headers: HeaderMap, uri: axum::http::Uri| {
        let host = headers[header::HOST].to_str().expect("text").to_owned();
        ([(header::CONTENT_TYPE, "text/html"), (header::CACHE_CONTROL, "max-age=9")], format!("{host} {uri}"))
    };
    let router = Router::new().route("/{*path}", get(page));
    tokio::spawn(async { axum::serve(listener, router).await });
}

/// Answers an interaction by opening the Activity.
async fn launch(raw: &Raw, asked: &PendingInteraction) -> (u16, Value) {
    let event = raw.playground.last_event("INTERACTION_CREATE").expect("an interaction");
    assert_eq!(event["id"], asked.id.to_string());
    let token = event["token"].as_str().expect("a token");
    let path = format!("/interactions/{}/{token}/callback?with_response=true", asked.id);
    raw.post(&path, json!({"type": 12})).await
}

/// Opens a frame for a person; returns the ids of the instance and the frame.
async fn frame(raw: &Raw, who: &Person, channel: Id) -> (String, String) {
    let asked = who.launch(channel, "launch").expect("asked");
    let (status, told) = launch(raw, &asked).await;
    assert_eq!((status, &told["resource"]["type"]), (200, &json!(12)), "{told}");
    assert_eq!(asked.answer().await.expect("an answer"), Answer::Launched);
    let instance = told["resource"]["activity_instance"]["id"].as_str().expect("an instance").to_owned();
    let frame = raw.playground.frame_of(who).expect("a frame");
    (instance, frame)
}

/// Sends a request of a person's page.
async fn page(raw: &Raw, who: &Person, path: &str, body: Value) -> (u16, Value) {
    let url = format!("{}/page/activity/{path}", raw.playground.api_base());
    let request = reqwest::Client::new().post(url).header("x-playground-token", raw.playground.page_token());
    let answer = request.header("x-playground-user", who.id.to_string()).json(&body).send().await;
    let answer = answer.expect("an answer");
    (answer.status().as_u16(), answer.json().await.expect("JSON"))
}

#[tokio::test]
async fn activity_has_one_entry_point_without_options() {
    let raw = opened().await;
    let other = json!({"name": "other", "type": 4, "handler": 2});
    assert_eq!(raw.register(json!([entry_point(), other])).await.1["code"], 30_032);
    let of = |key: &str, value: Value| {
        let mut command = entry_point();
        command[key] = value;
        json!([command])
    };
    let option = json!([{"type": 3, "name": "a", "description": "b"}]);
    for wrong in [of("handler", json!(3)), of("handler", Value::Null), of("options", option)] {
        assert_eq!(raw.register(wrong.clone()).await.0, 400, "{wrong}");
    }
    let (_, listed) = raw.get(&format!("/applications/{BOT_ID}/commands")).await;
    assert_eq!((listed.as_array().map(Vec::len), &listed[0]["handler"]), (Some(1), &json!(1)));
}

#[tokio::test]
async fn activity_opens_once_where_it_is_enabled() {
    let raw = opened().await;
    let (ada, channel) = (raw.playground.user("Ada"), raw.playground.channel("games"));
    let asked = ada.launch(channel, "launch").expect("asked");
    assert_eq!(launch(&raw, &asked).await.0, 400, "the portal's switch is off");
    pages(&raw).await;
    assert_eq!(launch(&raw, &asked).await.0, 200);
    assert_eq!(launch(&raw, &asked).await.1["code"], 40_060, "it is answered");
}

#[tokio::test]
async fn activity_instance_ends_with_its_last_frame() {
    let raw = opened().await;
    pages(&raw).await;
    let (ada, ben, channel) =
        (raw.playground.user("Ada"), raw.playground.user("Ben"), raw.playground.channel("games"));
    let (first, frame_of_ada) = frame(&raw, &ada, channel).await;
    let (same, frame_of_ben) = frame(&raw, &ben, channel).await;
    assert_eq!(first, same);
    let (_, told) = page(&raw, &ada, "participants", json!({"frame_id": frame_of_ada})).await;
    let names: Vec<_> =
        told["participants"].as_array().expect("a list").iter().map(|it| &it["global_name"]).collect();
    assert_eq!(names, ["Ada", "Ben"]);
    assert_eq!(page(&raw, &ada, "participants", json!({"frame_id": frame_of_ben})).await.0, 400, "not hers");
    for (who, frame) in [(&ada, &frame_of_ada), (&ben, &frame_of_ben)] {
        page(&raw, who, "close", json!({"frame_id": frame})).await;
        assert_eq!(page(&raw, who, "participants", json!({"frame_id": frame})).await.0, 400, "closed");
    }
    assert_ne!(frame(&raw, &ada, channel).await.0, first, "a new instance");
}

#[tokio::test]
async fn activity_code_needs_consent_once() {
    let raw = opened().await;
    pages(&raw).await;
    let (ada, channel) = (raw.playground.user("Ada"), raw.playground.channel("games"));
    let (_, frame) = frame(&raw, &ada, channel).await;
    let ask = |agreed: bool, changed: Value| {
        let mut args =
            json!({"client_id": BOT_ID, "scope": ["identify"], "response_type": "code", "prompt": "none"});
        for (key, value) in changed.as_object().into_iter().flatten() {
            args[key] = value.clone();
        }
        page(&raw, &ada, "authorize", json!({"frame_id": frame, "agreed": agreed, "args": args}))
    };
    assert_eq!(ask(false, json!({})).await, (200, json!({"asks": true})));
    for wrong in
        [json!({"client_id": "1"}), json!({"scope": ["email"]}), json!({"scope": []}), json!({"prompt": "x"})]
    {
        assert_eq!(ask(true, wrong.clone()).await.0, 400, "{wrong}");
    }
    assert!(ask(true, json!({})).await.1["code"].is_string());
    assert!(ask(false, json!({})).await.1["code"].is_string(), "asked once");
    assert_eq!(ask(false, json!({"prompt": "consent"})).await.1, json!({"asks": true}));
    let (status, told) =
        page(&raw, &ada, "authenticate", json!({"frame_id": frame, "access_token": "x"})).await;
    assert_eq!((status, &told["code"]), (400, &json!(4_009)));
}

#[tokio::test]
async fn activity_proxy_shows_the_pages_and_nothing_of_the_playground() {
    let raw = opened().await;
    let port = raw.playground.addr().port();
    let ask = async |path: &str| {
        let request =
            reqwest::Client::new().request(Method::GET, format!("{}{path}", raw.playground.api_base()));
        let request = request.header("host", format!("{BOT_ID}.localhost:{port}"));
        request.header("x-playground-token", raw.playground.page_token()).send().await.expect("an answer")
    };
    assert_eq!(ask("/page/").await.status(), 404, "the portal's switch is off");
    pages(&raw).await;
    for (asked, there) in [("/page/users?a=b", "/page/users?a=b"), ("/.proxy/play", "/play")] {
        let shown = ask(asked).await;
        assert!(shown.headers().get("cache-control").is_none());
        let policy = shown.headers()["content-security-policy"].to_str().expect("text").to_owned();
        assert!(policy.contains("connect-src 'self'"), "{policy}");
        let text = shown.text().await.expect("text");
        assert!(text.starts_with("127.0.0.1:") && text.ends_with(&format!(" {there}")), "{text}");
    }
}
