//! The gateway's protocol, frame by frame.

use serde_json::json;

use super::super::Options;
use super::super::id::Id;
use super::raw_client::{GatewayConnection, Raw, manual_clock_options};

/// GUILDS, GUILD_MESSAGES, DIRECT_MESSAGES.
const INTENTS: u64 = 1 | 1 << 9 | 1 << 12;
const MESSAGE_CONTENT: u64 = 1 << 15;

async fn contents(line: &mut GatewayConnection, count: usize) -> Vec<String> {
    let mut heard = Vec::new();
    for _ in 0..count {
        heard.push(line.event("MESSAGE_CREATE").await["content"].as_str().expect("content").to_owned());
    }
    heard
}

#[tokio::test]
async fn a_wrong_token_is_closed_with_4004() {
    let raw = Raw::start(manual_clock_options()).await;
    let mut line = raw.line().await;
    line.identify("somebody-else", INTENTS).await;
    assert_eq!(line.next().await, json!({"closed": 4004}));
}

#[tokio::test]
async fn an_intent_that_is_switched_off_is_closed_with_4014() {
    let raw = Raw::start(manual_clock_options()).await;
    let mut line = raw.line().await;
    line.identify(raw.playground.token(), INTENTS | MESSAGE_CONTENT).await;
    assert_eq!(line.next().await, json!({"closed": 4014}));
}

#[tokio::test]
async fn an_intent_that_does_not_exist_is_closed_with_4013() {
    let raw = Raw::start(manual_clock_options()).await;
    let mut line = raw.line().await;
    line.identify(raw.playground.token(), 1 << 40).await;
    assert_eq!(line.next().await, json!({"closed": 4013}));
}

#[tokio::test]
async fn two_identifies_are_closed_with_4005_and_none_with_4003() {
    let raw = Raw::start(manual_clock_options()).await;
    let (mut line, _) = raw.identified(0).await;
    line.identify(raw.playground.token(), 0).await;
    assert_eq!(line.next().await, json!({"closed": 4005}));
    let mut silent = raw.line().await;
    silent.send(json!({"op": 3, "d": {}})).await;
    assert_eq!(silent.next().await, json!({"closed": 4003}));
}

#[tokio::test]
async fn resume_on_a_connection_with_a_session_is_closed_with_4005() {
    let raw = Raw::start(manual_clock_options()).await;
    let (mut line, session) = raw.identified(0).await;
    line.resume(raw.playground.token(), &session, json!(1)).await;
    assert_eq!(line.next().await, json!({"closed": 4005}));
}

#[tokio::test]
async fn resume_after_an_event_that_was_never_sent_is_refused() {
    let raw = Raw::start(manual_clock_options()).await;
    let (_line, session) = raw.identified(0).await;
    for seq in [u64::MAX, u64::MAX - 1, 1_000] {
        let mut again = raw.line().await;
        again.resume(raw.playground.token(), &session, json!(seq)).await;
        let answer = again.next().await;
        assert_eq!((&answer["op"], &answer["d"]), (&json!(9), &json!(false)), "{seq}");
    }
}

/// Discord's documentation: "Must not exceed 4096 bytes. If an event payload does exceed 4096 bytes, the connection
/// will be closed with a 4002 close event code."
#[tokio::test]
async fn a_payload_of_more_than_4096_bytes_is_closed_with_4002() {
    let raw = Raw::start(manual_clock_options()).await;
    let padded = |bytes: usize| {
        let frame = |padding: &str| json!({"op": 1, "d": null, "padding": padding}).to_string();
        frame(&"x".repeat(bytes - frame("").len()))
    };
    let mut line = raw.line().await;
    line.send_text(padded(4_096)).await;
    assert_eq!(line.next().await["op"], 11);
    line.send_text(padded(4_097)).await;
    assert_eq!(line.next().await, json!({"closed": 4002}));
    let mut larger = raw.line().await;
    larger.send_text(padded(100 * 1_024)).await;
    assert!(larger.next().await.get("closed").is_some(), "the transport doesn't keep so long a message");
}

#[tokio::test]
async fn sessions_are_limited_and_the_oldest_without_a_connection_gives_way() {
    let raw = Raw::start(manual_clock_options()).await;
    let token = raw.playground.token();
    let mut first = String::new();
    // Every connection ends, and its session stays for a resume.
    for shard in 0..70 {
        let mut line = raw.line().await;
        line.send(json!({"op": 2, "d": {"token": token, "intents": 0, "shard": [shard, 1_000]}})).await;
        let session = line.event("READY").await["session_id"].as_str().expect("a session").to_owned();
        if first.is_empty() {
            first = session;
        }
        raw.playground.faults().drop_gateway();
        assert_eq!(line.next().await, json!({"closed": null}));
    }
    let mut again = raw.line().await;
    again.resume(token, &first, json!(1)).await;
    assert_eq!(again.next().await["op"], 9, "the first session is gone");
    // Sessions with a connection stay, so another one is refused.
    let mut lines = Vec::new();
    let refused = loop {
        let mut line = raw.line().await;
        line.send(json!({"op": 2, "d": {"token": token, "intents": 0}})).await;
        let answer = line.next().await;
        if answer["op"] == 9 {
            break answer;
        }
        assert_eq!(answer["t"], "READY");
        lines.push(line);
        assert!(lines.len() < 1_000, "sessions have no limit");
    };
    assert_eq!(refused["d"], false);
}

#[tokio::test]
async fn a_heartbeat_is_acknowledged_unless_ignored() {
    let raw = Raw::start(manual_clock_options()).await;
    let (mut line, _) = raw.identified(0).await;
    line.send(json!({"op": 1, "d": null})).await;
    assert_eq!(line.next().await["op"], 11);
    raw.playground.faults().ignore_heartbeats(true);
    line.send(json!({"op": 1, "d": null})).await;
    raw.playground.faults().ask_to_reconnect();
    assert_eq!(line.next().await["op"], 7, "the heartbeat before it was passed over");
}

#[tokio::test]
async fn a_silent_client_is_taken_for_dead() {
    let heartbeat_interval = std::time::Duration::from_millis(50);
    let raw = Raw::start(Options { heartbeat_interval, ..manual_clock_options() }).await;
    let (mut line, _) = raw.identified(0).await;
    assert_eq!(line.next().await, json!({"closed": 4009}));
}

#[tokio::test]
async fn a_resumed_session_gets_what_it_missed_in_order() {
    let raw = Raw::start(manual_clock_options()).await;
    let (ada, bot) = (raw.playground.user("Ada"), format!("<@{}>", super::super::BOT_ID));
    let games = raw.playground.channel("games");
    let (mut line, session) = raw.identified(INTENTS).await;
    ada.say(games, &format!("{bot} one")).expect("said");
    let seq = line.frame("MESSAGE_CREATE").await["s"].clone();
    raw.playground.faults().drop_gateway();
    assert_eq!(line.next().await, json!({"closed": null}));
    ada.say(games, &format!("{bot} two")).expect("said");
    ada.say(games, &format!("{bot} three")).expect("said");
    let mut again = raw.line().await;
    again.resume(raw.playground.token(), &session, seq).await;
    assert_eq!(contents(&mut again, 2).await, [format!("{bot} two"), format!("{bot} three")]);
    again.frame("RESUMED").await;
}

#[tokio::test]
async fn an_unknown_session_cannot_be_resumed() {
    let raw = Raw::start(manual_clock_options()).await;
    let (_line, session) = raw.identified(INTENTS).await;
    raw.playground.faults().forget_sessions(true);
    let mut again = raw.line().await;
    again.resume(raw.playground.token(), &session, json!(1)).await;
    let answer = again.next().await;
    assert_eq!((&answer["op"], &answer["d"]), (&json!(9), &json!(false)));
}

#[tokio::test]
async fn events_can_be_doubled_and_swapped() {
    let raw = Raw::start(manual_clock_options()).await;
    let dm = raw.playground.user("Ada").dm();
    let (mut line, _) = raw.identified(INTENTS).await;
    raw.playground.faults().duplicate_events(1);
    raw.playground.user("Ada").say(dm, "twice").expect("said");
    assert_eq!(contents(&mut line, 2).await, ["twice", "twice"]);
    raw.playground.faults().swap_next_events();
    raw.playground.user("Ada").say(dm, "first").expect("said");
    raw.playground.user("Ada").say(dm, "second").expect("said");
    assert_eq!(contents(&mut line, 2).await, ["second", "first"]);
}

#[tokio::test]
async fn message_content_is_withheld_but_for_dms_mentions_and_replies_with_a_ping() {
    let raw = Raw::start(manual_clock_options()).await;
    let (ada, games) = (raw.playground.user("Ada"), raw.playground.channel("games"));
    let (mut line, _) = raw.identified(INTENTS).await;
    let board = raw.say(games, "a board").await;
    let seen = ada.messages(games).into_iter().find(|it| it.id.to_string() == board).expect("seen");
    let mention = format!("<@{}> c", super::super::BOT_ID);
    ada.say(games, "a").expect("said");
    ada.reply(&seen, "b").expect("said");
    ada.say(games, &mention).expect("said");
    ada.reply_silently(&seen, "d").expect("said");
    ada.say(ada.dm(), "e").expect("said");
    let heard = contents(&mut line, 6).await;
    assert_eq!(heard, ["a board", "", "b", mention.as_str(), "", "e"]);
}

#[tokio::test]
async fn message_content_intent_sends_all_content() {
    let raw = Raw::start(Options { allow_message_content: true, ..manual_clock_options() }).await;
    let (mut line, _) = raw.identified(INTENTS | MESSAGE_CONTENT).await;
    raw.playground.user("Ada").say(raw.playground.channel("games"), "a").expect("said");
    assert_eq!(contents(&mut line, 1).await, ["a"]);
}

#[tokio::test]
async fn each_shard_gets_events_of_its_servers() {
    let raw = Raw::start(manual_clock_options()).await;
    let guilds = ["Rookery", "Reading Room"].map(|name| raw.playground.guild(name).expect("a server"));
    let mut heard = Vec::new();
    for shard in 0..2 {
        let mut line = raw.line().await;
        let token = raw.playground.token();
        line.send(json!({"op": 2, "d": {"token": token, "intents": INTENTS, "shard": [shard, 2]}})).await;
        for guild in line.event("READY").await["guilds"].as_array().expect("a list") {
            heard.push((guild["id"].as_str().and_then(|id| id.parse::<Id>().ok()).expect("an id"), shard));
        }
    }
    // The documentation's formula: (guild_id >> 22) % shards.
    let mut expected = guilds.map(|guild| (guild, (guild.0 >> 22) % 2)).to_vec();
    expected.sort();
    heard.sort();
    assert_eq!(heard, expected);
}

#[tokio::test]
async fn the_gateways_address_can_fail() {
    let raw = Raw::start(manual_clock_options()).await;
    raw.playground.faults().fail_gateway_address(true);
    assert_eq!(raw.get("/gateway").await.0, 503);
    assert_eq!(raw.get("/gateway/bot").await.0, 503);
    raw.playground.faults().fail_gateway_address(false);
    assert_eq!(raw.get("/gateway").await.0, 200);
}
