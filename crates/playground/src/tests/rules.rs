//! Discord's rules for messages, threads, permissions and limits, one by one.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::super::limits::RateLimits;
use super::super::{BOT_ID, Options};
use super::raw_client::{Raw, manual_clock_options};

/// Permission bits, from Discord's documentation.
const VIEW_CHANNEL: u64 = 1 << 10;
const SEND_MESSAGES: u64 = 1 << 11;
const ATTACH_FILES: u64 = 1 << 15;
const READ_MESSAGE_HISTORY: u64 = 1 << 16;

fn row(components: Value) -> Value {
    json!({"type": 1, "components": components})
}

fn button(id: &str) -> Value {
    json!({"type": 2, "style": 1, "label": id, "custom_id": id})
}

/// Posts in #games and returns the status and the code.
async fn posted(raw: &Raw, body: Value) -> (u16, u64) {
    let games = raw.playground.channel("games");
    let (status, answer) = raw.post(&format!("/channels/{games}/messages"), body).await;
    (status, answer["code"].as_u64().unwrap_or(0))
}

#[tokio::test]
async fn a_message_is_refused_for_each_limit_and_taken_just_within() {
    let raw = Raw::start(manual_clock_options()).await;
    let select = |options: usize| {
        let options: Vec<Value> =
            (0..options).map(|n| json!({"label": "x", "value": n.to_string()})).collect();
        json!({"components": [row(json!([{"type": 3, "custom_id": "s", "options": options}]))]})
    };
    let rows = |count: usize| {
        let rows: Vec<Value> = (0..count).map(|n| row(json!([button(&n.to_string())]))).collect();
        json!({"components": rows})
    };
    let buttons = |count: usize| {
        let list: Vec<Value> = (0..count).map(|n| button(&n.to_string())).collect();
        json!({"components": [row(json!(list))]})
    };
    let embed = |characters: usize| {
        let fields: Vec<Value> = (0..characters / 1_000)
            .map(|_| json!({"name": "n".repeat(100), "value": "v".repeat(900)}))
            .collect();
        json!({"embeds": [{"fields": fields}]})
    };
    let cases = [
        (json!({"content": "x".repeat(2_000)}), json!({"content": "x".repeat(2_001)})),
        (embed(6_000), embed(7_000)),
        (
            json!({"embeds": vec![json!({"title": "t"}); 10]}),
            json!({"embeds": vec![json!({"title": "t"}); 11]}),
        ),
        (rows(5), rows(6)),
        (buttons(5), buttons(6)),
        (select(25), select(26)),
        (rows(1), json!({"components": [row(json!([button("same"), button("same")]))]})),
        (rows(1), json!({"components": [row(json!([button(&"x".repeat(81))]))]})),
        (
            rows(1),
            json!({"components": [row(json!([button("a"), select(1)["components"][0]["components"][0]]))]}),
        ),
        (rows(1), json!({"content": "x", "components": [button("not in a row")]})),
        (
            json!({"content": "x", "allowed_mentions": {"parse": []}}),
            json!({"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}}),
        ),
        (
            json!({"content": "x", "allowed_mentions": {"users": ["1", "2"]}}),
            json!({"content": "x", "allowed_mentions": {"users": ["1", "2", "1"]}}),
        ),
    ];
    for (good, bad) in cases {
        assert_eq!(posted(&raw, good.clone()).await, (200, 0), "{good}");
        assert_eq!(posted(&raw, bad.clone()).await, (400, 50035), "{bad}");
    }
}

#[tokio::test]
async fn errors_name_the_field_in_discords_shape() {
    let raw = Raw::start(manual_clock_options()).await;
    let games = raw.playground.channel("games");
    let body = json!({"embeds": [{"title": "x".repeat(257)}]});
    let (_, answer) = raw.post(&format!("/channels/{games}/messages"), body).await;
    assert_eq!(answer["message"], "Invalid Form Body");
    assert_eq!(answer["errors"]["embeds"]["0"]["title"]["_errors"][0]["code"], "BASE_TYPE_MAX_LENGTH");
}

#[tokio::test]
async fn message_without_visible_parts_is_refused() {
    let raw = Raw::start(manual_clock_options()).await;
    assert_eq!(posted(&raw, json!({"content": "  \n"})).await, (400, 50006));
    assert_eq!(posted(&raw, json!({"embeds": [], "components": []})).await, (400, 50006));
}

#[tokio::test]
async fn unknown_things_and_a_wrong_token_have_their_codes() {
    let raw = Raw::start(manual_clock_options()).await;
    let games = raw.playground.channel("games");
    let code = |(status, body): (u16, Value)| (status, body["code"].as_u64().unwrap_or(0));
    assert_eq!(code(raw.post("/channels/1/messages", json!({"content": "x"})).await), (404, 10003));
    assert_eq!(code(raw.get(&format!("/channels/{games}/messages/1")).await), (404, 10008));
    assert_eq!(code(raw.get("/guilds/1").await), (404, 10004));
    assert_eq!(code(raw.get("/users/1").await), (404, 10013));
    assert_eq!(code(raw.get("/no/such/route").await), (404, 0));
    let url = format!("{}/api/v10/users/@me", raw.playground.api_base());
    let answer =
        reqwest::Client::new().get(url).header("authorization", "Bot x").send().await.expect("an answer");
    assert_eq!(answer.status().as_u16(), 401);
}

#[tokio::test]
async fn missing_permissions_are_told_apart() {
    let raw = Raw::start(manual_clock_options()).await;
    let games = raw.playground.channel("games");
    raw.playground.deny_bot(games, SEND_MESSAGES);
    assert_eq!(posted(&raw, json!({"content": "x"})).await, (403, 50013));
    raw.playground.deny_bot(games, VIEW_CHANNEL);
    assert_eq!(posted(&raw, json!({"content": "x"})).await, (403, 50001));
    raw.playground.deny_bot(games, READ_MESSAGE_HISTORY);
    let line = raw.playground.user("Ada").say(games, "a line").expect("said");
    let reply = json!({"content": "x", "message_reference": {"message_id": line.id}});
    assert_eq!(posted(&raw, reply).await, (403, 160002));
    raw.playground.deny_bot(games, ATTACH_FILES);
    let path = format!("/channels/{games}/messages");
    let (status, answer) = raw.post_file(Method::POST, &path, &json!({}), vec![0]).await;
    assert_eq!((status, &answer["code"]), (403, &json!(50013)));
}

#[tokio::test]
async fn a_reply_needs_its_message_unless_it_says_otherwise() {
    let raw = Raw::start(manual_clock_options()).await;
    let to_nothing = json!({"content": "x", "message_reference": {"message_id": "1"}});
    assert_eq!(posted(&raw, to_nothing).await, (400, 50035));
    let anyway =
        json!({"content": "x", "message_reference": {"message_id": "1", "fail_if_not_exists": false}});
    assert_eq!(posted(&raw, anyway).await, (200, 0));
}

#[tokio::test]
async fn closed_dms_refuse_messages() {
    let raw = Raw::start(manual_clock_options()).await;
    let ada = raw.playground.user("Ada");
    let (_, dm) = raw.post("/users/@me/channels", json!({"recipient_id": ada.id})).await;
    assert_eq!(dm["id"], json!(ada.dm()), "there is one DM between two");
    ada.set_dms_open(false);
    let path = format!("/channels/{}/messages", ada.dm());
    let (status, answer) = raw.post(&path, json!({"content": "x"})).await;
    assert_eq!((status, &answer["code"]), (403, &json!(50007)));
}

#[tokio::test]
async fn a_nonce_makes_one_message_when_enforced() {
    let raw = Raw::start(manual_clock_options()).await;
    let path = format!("/channels/{}/messages", raw.playground.channel("games"));
    let once = json!({"content": "x", "nonce": "n1", "enforce_nonce": true});
    let (_, first) = raw.post(&path, once.clone()).await;
    let (_, second) = raw.post(&path, once).await;
    assert_eq!(first["id"], second["id"]);
    let (_, third) = raw.post(&path, json!({"content": "x", "nonce": "n1"})).await;
    assert_ne!(first["id"], third["id"]);
}

#[tokio::test]
async fn only_allowed_mentions_ping() {
    let raw = Raw::start(manual_clock_options()).await;
    let (ada, ben) = (raw.playground.user("Ada"), raw.playground.user("Ben"));
    let text = format!("{} and {}, @everyone", ada.mention(), ben.mention());
    let body = json!({"content": text, "allowed_mentions": {"users": [ada.id]}});
    let path = format!("/channels/{}/messages", raw.playground.channel("games"));
    let (_, message) = raw.post(&path, body).await;
    assert_eq!(message["mentions"].as_array().expect("a list").len(), 1);
    assert_eq!(message["mentions"][0]["id"], json!(ada.id));
    assert_eq!(message["mention_everyone"], false);
}

#[tokio::test]
async fn an_edit_keeps_the_files_it_lists() {
    let raw = Raw::start(manual_clock_options()).await;
    let path = format!("/channels/{}/messages", raw.playground.channel("games"));
    let body = json!({"attachments": [{"id": 0, "description": "a board"}]});
    let (_, message) = raw.post_file(Method::POST, &path, &body, vec![1, 2, 3]).await;
    assert_eq!(message["attachments"][0]["description"], "a board");
    assert_eq!(message["attachments"][0]["size"], 3);
    let path = format!("{path}/{}", message["id"].as_str().expect("an id"));
    let add = json!({"attachments": [{"id": 0, "description": "another"}]});
    let (_, edited) = raw.post_file(Method::PATCH, &path, &add, vec![4]).await;
    let names: Vec<_> =
        edited["attachments"].as_array().expect("a list").iter().map(|it| &it["description"]).collect();
    assert_eq!(names, ["another"], "the first was not listed");
    let (_, edited) = raw.call(Method::PATCH, &path, json!({"content": "text"})).await;
    assert_eq!(edited["attachments"].as_array().expect("a list").len(), 1, "no list keeps all");
    let (status, answer) = raw.call(Method::PATCH, &path, json!({"content": "", "attachments": []})).await;
    assert_eq!((status, &answer["code"]), (400, &json!(50006)));
}

#[tokio::test]
async fn alt_text_is_limited() {
    let raw = Raw::start(manual_clock_options()).await;
    let path = format!("/channels/{}/messages", raw.playground.channel("games"));
    let long = json!({"attachments": [{"id": 0, "description": "x".repeat(1_025)}]});
    assert_eq!(raw.post_file(Method::POST, &path, &long, vec![0]).await.0, 400);
}

#[tokio::test]
async fn somebody_elses_message_cannot_be_edited_nor_deleted() {
    let raw = Raw::start(manual_clock_options()).await;
    let games = raw.playground.channel("games");
    let line = raw.playground.user("Ada").say(games, "mine").expect("said");
    let path = format!("/channels/{games}/messages/{}", line.id);
    assert_eq!(raw.call(Method::PATCH, &path, json!({"content": "x"})).await.1["code"], 50005);
    assert_eq!(raw.call(Method::DELETE, &path, Value::Null).await.1["code"], 50013);
}

#[tokio::test]
async fn old_messages_take_few_edits() {
    let raw = Raw::start(manual_clock_options()).await;
    let games = raw.playground.channel("games");
    let path = format!("/channels/{games}/messages/{}", raw.say(games, "a board").await);
    for _ in 0..20 {
        assert_eq!(raw.call(Method::PATCH, &path, json!({"content": "fresh"})).await.0, 200);
    }
    raw.playground.clock().advance(Duration::from_secs(3_601));
    let mut statuses = Vec::new();
    for _ in 0..20 {
        let (status, answer) = raw.call(Method::PATCH, &path, json!({"content": "old"})).await;
        statuses.push((status, answer["code"].as_u64().unwrap_or(0)));
    }
    assert_eq!(statuses[0], (200, 0));
    assert_eq!(statuses[19], (429, 30046));
}

#[tokio::test]
async fn message_unarchives_a_thread() {
    let raw = Raw::start(manual_clock_options()).await;
    let games = raw.playground.channel("games");
    let message = raw.say(games, "a table").await;
    let path = format!("/channels/{games}/messages/{message}/threads");
    let (status, thread) = raw.post(&path, json!({"name": "K7Q2", "auto_archive_duration": 1_440})).await;
    assert_eq!((status, &thread["id"], &thread["type"]), (201, &json!(message), &json!(11)));
    assert_eq!(raw.post(&path, json!({"name": "again"})).await.1["code"], 160004);
    assert_eq!(raw.post(&path, json!({"name": "x", "auto_archive_duration": 7})).await.1["code"], 50035);
    let id = raw.playground.channel("K7Q2");
    let board = raw.say(id, "a board").await;
    let (status, _) = raw.call(Method::PATCH, &format!("/channels/{id}"), json!({"archived": true})).await;
    assert_eq!(status, 200, "its own thread");
    let edit = format!("/channels/{id}/messages/{board}");
    assert_eq!(raw.call(Method::PATCH, &edit, json!({"content": "x"})).await.1["code"], 50083);
    raw.playground.user("Ada").say(id, "still here").expect("said");
    assert!(!raw.playground.is_archived(id));
    assert_eq!(raw.call(Method::PATCH, &edit, json!({"content": "x"})).await.0, 200);
    raw.playground.set_thread(id, false, true);
    let (_, locked) = raw.post(&format!("/channels/{id}/messages"), json!({"content": "x"})).await;
    assert_eq!(locked["code"], 160005);
}

#[tokio::test]
async fn inactive_thread_is_archived() {
    let raw = Raw::start(manual_clock_options()).await;
    let path = format!("/channels/{}/threads", raw.playground.channel("games"));
    raw.post(&path, json!({"name": "quiet", "type": 11, "auto_archive_duration": 60})).await;
    let thread = raw.playground.channel("quiet");
    raw.playground.clock().advance(Duration::from_secs(50 * 60));
    let board = raw.say(thread, "a board").await;
    raw.playground.clock().advance(Duration::from_secs(59 * 60));
    let edit = format!("/channels/{thread}/messages/{board}");
    assert_eq!(raw.call(Method::PATCH, &edit, json!({"content": "in time"})).await.0, 200);
    raw.playground.clock().advance(Duration::from_secs(2 * 60));
    assert_eq!(raw.call(Method::PATCH, &edit, json!({"content": "late"})).await.1["code"], 50083);
    assert!(raw.playground.is_archived(thread));
}

#[tokio::test]
async fn there_is_a_cap_of_active_threads() {
    let raw = Raw::start(Options { active_threads_max: 1, ..manual_clock_options() }).await;
    let path = format!("/channels/{}/threads", raw.playground.channel("games"));
    assert_eq!(raw.post(&path, json!({"name": "one", "type": 11})).await.0, 201);
    assert_eq!(raw.post(&path, json!({"name": "two", "type": 11})).await.1["code"], 160006);
    raw.playground.set_thread(raw.playground.channel("one"), true, false);
    assert_eq!(raw.post(&path, json!({"name": "two", "type": 11})).await.0, 201);
}

#[tokio::test]
async fn exhausted_rate_limit_buckets_answer_429() {
    let raw = Raw::start(Options { rate_limits: RateLimits::discord(), ..manual_clock_options() }).await;
    let path = format!("/channels/{}/messages", raw.playground.channel("games"));
    for left in (0..5).rev() {
        let answer =
            raw.request(Method::POST, &path).json(&json!({"content": "x"})).send().await.expect("answer");
        assert_eq!(answer.headers()["x-ratelimit-remaining"], left.to_string().as_str());
        assert_eq!(answer.headers()["x-ratelimit-limit"], "5");
    }
    let (status, answer) = raw.post(&path, json!({"content": "x"})).await;
    assert_eq!((status, &answer["global"]), (429, &json!(false)));
    assert!(answer["retry_after"].as_f64().is_some_and(|seconds| seconds > 0.0));
    let elsewhere = format!("/channels/{}/messages", raw.playground.channel("lobby"));
    assert_eq!(raw.post(&elsewhere, json!({"content": "x"})).await.0, 200, "another channel, another bucket");
}

#[tokio::test]
async fn the_global_limit_stands_over_all_routes() {
    let window = Duration::from_secs(5);
    let rate_limits = RateLimits { per_bucket: 1_000, window, global_per_second: 2 };
    let raw = Raw::start(Options { rate_limits, ..manual_clock_options() }).await;
    let mut answers = Vec::new();
    // Three requests can straddle two seconds, so the test sends more than two seconds accept.
    for _ in 0..8 {
        answers.push(raw.get("/users/@me").await);
    }
    let refused = answers.iter().find(|(status, _)| *status == 429).expect("a refusal");
    assert_eq!(refused.1["global"], true);
}

#[tokio::test]
async fn injected_faults_fail_requests_or_lose_answers() {
    let raw = Raw::start(manual_clock_options()).await;
    let games = raw.playground.channel("games");
    let faults = raw.playground.faults();
    faults.fail_requests(1, 500);
    faults.rate_limit_requests(1, 0.25);
    faults.lose_answers(1);
    assert_eq!(posted(&raw, json!({"content": "a"})).await.0, 500);
    assert_eq!(posted(&raw, json!({"content": "b"})).await.0, 429);
    assert_eq!(posted(&raw, json!({"content": "c"})).await.0, 502);
    assert_eq!(posted(&raw, json!({"content": "d"})).await.0, 200);
    let seen: Vec<String> =
        raw.playground.user("Ada").messages(games).iter().map(|it| it.content().to_owned()).collect();
    assert_eq!(seen, ["c", "d"]);
}

#[tokio::test]
async fn every_request_is_recorded_in_order() {
    let raw = Raw::start(manual_clock_options()).await;
    raw.say(raw.playground.channel("games"), "one").await;
    raw.get("/no/such/route").await;
    let all = raw.playground.requests();
    let routes: Vec<_> = all.iter().map(|it| (it.method.as_str(), it.route.as_str(), it.status)).collect();
    assert_eq!(routes, [("POST", "/channels/{channel}/messages", 200), ("GET", "(unknown)", 404)]);
    assert_eq!(all[0].body, json!({"content": "one"}));
}

#[tokio::test]
async fn commands_are_checked() {
    let raw = Raw::start(manual_clock_options()).await;
    let slash = |name: &str| json!({"name": name, "description": "d"});
    let option = |name: &str, required: bool| json!({"type": 3, "name": name, "description": "d", "required": required});
    let with = |options: Value| json!([{"name": "play", "description": "d", "options": options}]);
    let bad = [
        json!([slash("Play")]),
        json!([slash("two words")]),
        json!([slash(&"x".repeat(33))]),
        json!([{"name": "play", "description": ""}]),
        json!([{"name": "play", "description": "x".repeat(101)}]),
        json!([slash("play"), slash("play")]),
        with(json!([option("a", false), option("b", true)])),
        with(json!([option("a", true), option("a", true)])),
        with(json!((0..26).map(|n| option(&format!("o{n}"), false)).collect::<Vec<_>>())),
        with(
            json!([{"type": 3, "name": "a", "description": "d", "autocomplete": true, "choices": [{"name": "x", "value": "x"}]}]),
        ),
        json!([{"name": "Greet", "type": 2, "description": "no"}]),
    ];
    for list in bad {
        let (status, answer) = raw.register(list.clone()).await;
        assert_eq!((status, &answer["code"]), (400, &json!(50035)), "{list}");
    }
    let many: Vec<Value> = (0..101).map(|n| slash(&format!("c{n}"))).collect();
    assert_eq!(raw.register(json!(many)).await.0, 400);
    let (status, kept) =
        raw.register(json!([slash("play"), slash("хід"), {"name": "Greet me", "type": 2}])).await;
    assert_eq!((status, kept.as_array().map(Vec::len)), (200, Some(3)));
    let (_, same) = raw.register(json!([slash("play")])).await;
    assert_eq!(same[0]["id"], kept[0]["id"], "a command keeps its id by its name");
    assert_eq!(same[0]["version"], kept[0]["version"], "and its version while nothing changes");
    assert_eq!(raw.get("/applications/1/commands").await.1["code"], 10002);
    assert_eq!(raw.get(&format!("/applications/{BOT_ID}/commands/1")).await.1["code"], 10063);
}

#[tokio::test]
async fn commands_of_a_server_exist_there_alone() {
    let raw = Raw::start(manual_clock_options()).await;
    let guild = raw.playground.guild("Rookery").expect("the first server");
    let named = |name: &str| json!([{"name": name, "description": "d"}]);
    let own = format!("/applications/{BOT_ID}/guilds/{guild}/commands");
    let global = format!("/applications/{BOT_ID}/commands");
    assert_eq!(raw.register(named("play")).await.0, 200);
    let (status, kept) = raw.call(Method::PUT, &own, named("operate")).await;
    assert_eq!((status, &kept[0]["guild_id"]), (200, &json!(guild)));
    assert_eq!(raw.get(&global).await.1[0]["name"], "play");
    let listed = raw.get(&own).await.1;
    assert_eq!((listed.as_array().map(Vec::len), &listed[0]["name"]), (Some(1), &json!("operate")));
    let id = kept[0]["id"].as_str().expect("an id");
    assert_eq!(raw.get(&format!("{global}/{id}")).await.1["code"], 10063, "it is no global command");

    assert_eq!(raw.register(named("other")).await.0, 200);
    assert_eq!(raw.get(&own).await.1[0]["name"], "operate", "each list is overwritten by itself");
    assert_eq!(raw.call(Method::PUT, &own, json!([])).await.0, 200);
    assert_eq!(raw.get(&own).await.1, json!([]));
    assert_eq!(raw.get(&global).await.1[0]["name"], "other");
    let elsewhere = format!("/applications/{BOT_ID}/guilds/1/commands");
    assert_eq!(raw.get(&elsewhere).await.1["code"], 50001);
}
