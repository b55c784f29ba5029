//! Answers to interactions: in time, once, of a fitting type; tokens; ephemeral messages.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::super::testing::person::{PendingInteraction, Person};
use super::super::{Answer, BOT_ID};
use super::raw_client::{GatewayConnection, Raw, manual_clock_options};

/// A bot without a library, with one command and its gateway connection.
struct InteractionBot {
    raw: Raw,
    line: GatewayConnection,
    ada: Person,
}

/// An interaction as the bot received it.
struct ReceivedInteraction {
    asked: PendingInteraction,
    payload: Value,
    callback: String,
    webhook: String,
}

impl InteractionBot {
    async fn start() -> Self {
        let raw = Raw::start(manual_clock_options()).await;
        let option = json!({"type": 3, "name": "move", "description": "d", "autocomplete": true});
        let command = json!({"name": "play", "description": "d", "options": [option],
            "integration_types": [0, 1], "contexts": [0, 1, 2]});
        assert_eq!(raw.register(json!([command])).await.0, 200);
        let (line, _) = raw.identified(1 | 1 << 9 | 1 << 12).await;
        let ada = raw.playground.user("Ada");
        Self { raw, line, ada }
    }

    async fn got(&mut self, asked: PendingInteraction) -> ReceivedInteraction {
        let payload = self.line.event("INTERACTION_CREATE").await;
        let (id, token) = (payload["id"].as_str().expect("id"), payload["token"].as_str().expect("token"));
        let callback = format!("/interactions/{id}/{token}/callback");
        ReceivedInteraction {
            asked,
            callback,
            webhook: format!("/webhooks/{BOT_ID}/{token}"),
            payload: payload.clone(),
        }
    }

    async fn slash(&mut self) -> ReceivedInteraction {
        let games = self.raw.playground.channel("games");
        let asked = self.ada.slash(games, "play", &json!({})).expect("asked");
        self.got(asked).await
    }

    /// Posts a message with one button and lets Ada press it.
    async fn press(&mut self) -> ReceivedInteraction {
        let games = self.raw.playground.channel("games");
        let row =
            json!({"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]});
        let body = json!({"content": "a board", "components": [row]});
        self.raw.post(&format!("/channels/{games}/messages"), body).await;
        let board = self.ada.messages(games).pop().expect("a board");
        let asked = self.ada.click(&board, board.button("Go").expect("a button")).expect("pressed");
        self.got(asked).await
    }

    async fn answer(&self, got: &ReceivedInteraction, body: Value) -> (u16, u64) {
        let (status, answer) = self.raw.post(&got.callback, body).await;
        (status, answer["code"].as_u64().unwrap_or(0))
    }
}

fn message(text: &str) -> Value {
    json!({"type": 4, "data": {"content": text}})
}

#[tokio::test]
async fn an_answer_is_taken_once() {
    let mut table = InteractionBot::start().await;
    let got = table.slash().await;
    assert_eq!(table.answer(&got, message("one")).await, (204, 0));
    assert_eq!(table.answer(&got, message("two")).await, (400, 40060));
    assert_eq!(got.asked.message().await.expect("answered").content(), "one");
}

#[tokio::test]
async fn after_three_seconds_it_is_too_late() {
    let mut table = InteractionBot::start().await;
    let got = table.slash().await;
    table.raw.playground.clock().advance(Duration::from_millis(3_001));
    assert_eq!(table.answer(&got, message("late")).await, (404, 10062));
    assert_eq!(got.asked.answer().await.expect("an end"), Answer::Failed);
}

#[tokio::test]
async fn just_before_three_seconds_it_is_not() {
    let mut table = InteractionBot::start().await;
    let got = table.slash().await;
    table.raw.playground.clock().advance(Duration::from_millis(2_999));
    assert_eq!(table.answer(&got, message("in time")).await, (204, 0));
}

#[tokio::test]
async fn a_token_is_good_for_fifteen_minutes() {
    let mut table = InteractionBot::start().await;
    let got = table.slash().await;
    assert_eq!(table.raw.post(&got.webhook, json!({"content": "early"})).await.1["code"], 10015);
    table.answer(&got, message("one")).await;
    let original = format!("{}/messages/@original", got.webhook);
    table.raw.playground.clock().advance(Duration::from_secs(899));
    assert_eq!(table.raw.call(Method::PATCH, &original, json!({"content": "two"})).await.0, 200);
    table.raw.playground.clock().advance(Duration::from_secs(2));
    let (status, answer) = table.raw.call(Method::PATCH, &original, json!({"content": "three"})).await;
    assert_eq!((status, &answer["code"]), (401, &json!(50027)));
    assert_eq!(got.asked.message().await.expect("answered").content(), "two");
}

#[tokio::test]
async fn thinking_becomes_a_message() {
    let mut table = InteractionBot::start().await;
    let got = table.slash().await;
    assert_eq!(table.answer(&got, json!({"type": 5})).await, (204, 0));
    let games = table.raw.playground.channel("games");
    assert!(table.ada.messages(games).is_empty(), "nothing to read while it thinks");
    let (_, filled) = table.raw.post(&got.webhook, json!({"content": "thought"})).await;
    let (_, original) = table.raw.get(&format!("{}/messages/@original", got.webhook)).await;
    assert_eq!(filled["id"], original["id"], "the first follow-up fills the answer");
    let (_, more) = table.raw.post(&got.webhook, json!({"content": "more", "flags": 64})).await;
    assert_ne!(more["id"], original["id"]);
    let as_seen = |person: &Person| -> Vec<String> {
        person.messages(games).iter().map(|it| it.content().to_owned()).collect()
    };
    assert_eq!(as_seen(&table.ada), ["thought", "more"]);
    assert_eq!(as_seen(&table.raw.playground.user("Ben")), ["thought"]);
}

#[tokio::test]
async fn an_ephemeral_message_is_no_message_of_the_channel() {
    let mut table = InteractionBot::start().await;
    let got = table.slash().await;
    table.answer(&got, json!({"type": 4, "data": {"content": "psst", "flags": 64}})).await;
    let seen = got.asked.message().await.expect("answered");
    assert!(seen.is_ephemeral());
    let path = format!("/channels/{}/messages/{}", seen.channel, seen.id);
    assert_eq!(table.raw.get(&path).await.1["code"], 10008);
    assert_eq!(table.raw.call(Method::DELETE, &path, Value::Null).await.1["code"], 10008);
}

#[tokio::test]
async fn kinds_of_answers_must_fit() {
    let mut table = InteractionBot::start().await;
    let slash = table.slash().await;
    for kind in [1, 6, 7, 8, 99] {
        let body = json!({"type": kind, "data": {"content": "x", "choices": []}});
        assert_eq!(table.answer(&slash, body).await, (400, 50035), "type {kind}");
    }
    assert_eq!(table.answer(&slash, json!({"type": 4, "data": {}})).await, (400, 50006));
    assert_eq!(table.answer(&slash, message("x")).await, (204, 0), "a refused answer uses nothing up");
    let press = table.press().await;
    assert_eq!(table.answer(&press, json!({"type": 7, "data": {"content": "changed"}})).await, (204, 0));
    let (_, original) = table.raw.get(&format!("{}/messages/@original", press.webhook)).await;
    assert_eq!(original["content"], "changed");
}

#[tokio::test]
async fn a_press_carries_the_message_and_who_and_where() {
    let mut table = InteractionBot::start().await;
    let got = table.press().await;
    assert_eq!(got.payload["message"]["content"], "a board");
    assert_eq!(got.payload["data"]["custom_id"], "go");
    assert_eq!(got.payload["member"]["user"]["id"], json!(table.ada.id));
    assert_eq!(got.payload["context"], 0);
    assert!(got.payload["member"]["permissions"].is_string());
    // The bits of the minimal invite and of everybody are Discord's.
    let may: u64 = got.payload["app_permissions"].as_str().and_then(|it| it.parse().ok()).expect("bits");
    assert_eq!(may & 309_237_763_072, 309_237_763_072);
}

#[tokio::test]
async fn in_a_dm_there_is_a_user_and_no_member() {
    let mut table = InteractionBot::start().await;
    let asked = table.ada.slash(table.ada.dm(), "play", &json!({})).expect("asked");
    let got = table.got(asked).await;
    assert_eq!(got.payload["user"]["id"], json!(table.ada.id));
    assert!(got.payload.get("member").is_none() && got.payload.get("guild_id").is_none());
    assert_eq!(got.payload["context"], 1);
}

#[tokio::test]
async fn a_reply_to_an_answer_pings_nobody() {
    let mut table = InteractionBot::start().await;
    let got = table.slash().await;
    table.answer(&got, message("an answer")).await;
    let answer = got.asked.message().await.expect("answered");
    let reply = table.ada.reply(&answer, "f1-e2").expect("said");
    assert!(reply.pinged().is_empty());
    loop {
        let heard = table.line.event("MESSAGE_CREATE").await;
        if heard["author"]["id"] == json!(table.ada.id) {
            assert_eq!(heard["content"], "");
            break;
        }
    }
}

#[tokio::test]
async fn forms_and_choices_are_limited() {
    let mut table = InteractionBot::start().await;
    let got = table.slash().await;
    let input = json!({"type": 4, "custom_id": "a", "label": "A", "style": 1});
    let form = |title: &str, inputs: usize| {
        let rows: Vec<Value> = (0..inputs)
            .map(|n| {
                let mut input = input.clone();
                input["custom_id"] = json!(n.to_string());
                json!({"type": 1, "components": [input]})
            })
            .collect();
        json!({"type": 9, "data": {"title": title, "custom_id": "f", "components": rows}})
    };
    assert_eq!(table.answer(&got, form(&"x".repeat(46), 1)).await, (400, 50035));
    assert_eq!(table.answer(&got, form("x", 6)).await, (400, 50035));
    assert_eq!(table.answer(&got, form("x", 5)).await, (204, 0));
    assert!(table.ada.submit_modal("f", &json!({"0": "only one"})).is_err(), "the others are required");
    let typed = json!({"0": "a", "1": "b", "2": "c", "3": "d", "4": "e"});
    let asked = table.ada.submit_modal("f", &typed).expect("submitted");
    let submitted = table.got(asked).await;
    assert_eq!(submitted.payload["data"]["components"][4]["components"][0]["value"], "e");
    assert_eq!(table.answer(&submitted, form("x", 1)).await, (400, 50035), "no form on a form");
}

#[tokio::test]
async fn autocomplete_takes_25_choices() {
    let mut table = InteractionBot::start().await;
    let games = table.raw.playground.channel("games");
    let choices = |count: usize| {
        let list: Vec<Value> = (0..count).map(|n| json!({"name": format!("c{n}"), "value": "v"})).collect();
        json!({"type": 8, "data": {"choices": list}})
    };
    let ada = table.ada.clone();
    let typing =
        tokio::spawn(async move { ada.complete(games, "play", &json!({"move": "f"}), "move").await });
    let payload = table.line.event("INTERACTION_CREATE").await;
    assert_eq!(payload["data"]["options"][0]["focused"], true);
    let callback = format!(
        "/interactions/{}/{}/callback",
        payload["id"].as_str().expect("id"),
        payload["token"].as_str().expect("token")
    );
    assert_eq!(table.raw.post(&callback, choices(26)).await.0, 400);
    assert_eq!(table.raw.post(&callback, choices(25)).await.0, 204);
    assert_eq!(typing.await.expect("joined").expect("completed").len(), 25);
}

#[tokio::test]
async fn where_the_bot_is_no_member_it_has_five_follow_ups_and_no_posts() {
    let mut table = InteractionBot::start().await;
    let guild = table.raw.playground.guild("Rookery").expect("a server");
    table.raw.playground.remove_bot(guild);
    let got = table.slash().await;
    assert_eq!(got.payload["authorizing_integration_owners"], json!({"1": table.ada.id}));
    table.answer(&got, message("one")).await;
    let mut statuses = Vec::new();
    for _ in 0..6 {
        statuses.push(table.raw.post(&got.webhook, json!({"content": "more"})).await.0);
    }
    assert_eq!(statuses, [200, 200, 200, 200, 200, 400]);
    let path = format!("/channels/{}/messages", table.raw.playground.channel("games"));
    assert_eq!(table.raw.post(&path, json!({"content": "x"})).await.1["code"], 50001);
}

#[tokio::test]
async fn a_button_that_is_gone_cannot_be_pressed() {
    let mut table = InteractionBot::start().await;
    let got = table.press().await;
    let board = table.ada.messages(table.raw.playground.channel("games")).pop().expect("a board");
    table.answer(&got, json!({"type": 7, "data": {"components": []}})).await;
    assert!(table.ada.click(&board, "go").is_err());
}
