//! Visibility: members, former members, private threads, other bots.

use serde_json::json;

use super::super::testing::person::Person;
use super::raw_client::{Raw, manual_clock_options};

const VIEW_CHANNEL: u64 = 1 << 10;
const MANAGE_THREADS: u64 = 1 << 34;
/// GUILDS and GUILD_MESSAGES, without members and moderation.
const PLAIN_INTENTS: u64 = 1 << 0 | 1 << 9;

/// Posts a message of a person; returns Discord's code if it is refused.
fn says(who: &Person, channel: super::super::id::Id) -> Result<(), u32> {
    who.say(channel, "hello").map(drop).map_err(|error| error.code)
}

#[tokio::test]
async fn a_private_thread_is_open_to_its_members_and_to_who_manages_threads() {
    let raw = Raw::start(manual_clock_options()).await;
    let (ben, cleo, dan) =
        (raw.playground.user("Ben"), raw.playground.user("Cleo"), raw.playground.user("Dan"));
    let games = raw.playground.channel("games");
    let thread = raw.playground.new_private_thread(games, "secret", &[&ben]).expect("a thread");
    assert_eq!((says(&ben, thread), says(&cleo, thread)), (Ok(()), Err(50001)));
    let moderators = raw.playground.new_role("Moderators", &[&dan]).expect("a role");
    raw.playground.set_role_overwrite(games, moderators, MANAGE_THREADS, 0);
    assert_eq!(says(&dan, thread), Ok(()));
    for (who, expected) in [(&ben, (200, json!(null))), (&cleo, (404, json!(10007)))] {
        let (status, body) = raw.get(&format!("/channels/{thread}/thread-members/{}", who.id)).await;
        assert_eq!((status, body["code"].clone()), expected, "{}", who.name);
    }
    raw.playground.set_role_overwrite(games, moderators, 0, VIEW_CHANNEL);
    assert_eq!(says(&dan, thread), Err(50001), "who does not see the channel sees no thread in it");
}

#[tokio::test]
async fn departures_send_the_bot_no_event_without_the_intent() {
    let raw = Raw::start(manual_clock_options()).await;
    let home = raw.playground.guild("Rookery").expect("a server");
    let games = raw.playground.channel("games");
    let (ben, cleo, dan) =
        (raw.playground.user("Ben"), raw.playground.user("Cleo"), raw.playground.user("Dan"));
    let (mut line, _) = raw.identified(PLAIN_INTENTS).await;
    raw.playground.leave(home, &ben);
    raw.playground.ban(home, &cleo);
    dan.say(games, "still here").expect("said");
    loop {
        let frame = line.next().await;
        assert!(!["GUILD_MEMBER_REMOVE", "GUILD_BAN_ADD"].contains(&frame["t"].as_str().unwrap_or("")));
        if frame["t"] == "MESSAGE_CREATE" {
            break;
        }
    }
    for (who, status, code) in
        [(&ben, 404, json!(10007)), (&cleo, 404, json!(10007)), (&dan, 200, json!(null))]
    {
        let (answered, body) = raw.get(&format!("/guilds/{home}/members/{}", who.id)).await;
        assert_eq!((answered, body["code"].clone()), (status, code), "{}", who.name);
    }
    raw.playground.join(home, &ben);
    raw.playground.join(home, &cleo);
    assert_eq!((says(&ben, games), says(&cleo, games)), (Ok(()), Err(50001)), "a ban lasts");
}

#[tokio::test]
async fn a_channel_that_is_closed_to_somebody_gives_them_nothing_to_press() {
    let raw = Raw::start(manual_clock_options()).await;
    let (games, cleo) = (raw.playground.channel("games"), raw.playground.user("Cleo"));
    let row = json!([{"type": 1, "components": [{"type": 2, "style": 1, "label": "x", "custom_id": "x"}]}]);
    let body = json!({"content": "press", "components": row});
    raw.post(&format!("/channels/{games}/messages"), body).await;
    let message = cleo.messages(games).pop().expect("a message");
    assert!(cleo.click(&message, "x").is_ok());
    let own = cleo.say(games, "written before").expect("said");
    raw.playground.deny(games, &cleo, VIEW_CHANNEL);
    assert_eq!(cleo.edit(&own, "changed").err().map(|error| error.code), Some(50001));
    assert_eq!(cleo.click(&message, "x").err().map(|error| error.code), Some(50001));
    assert!(cleo.messages(games).is_empty());
}

#[tokio::test]
async fn the_bot_is_refused_what_it_may_not_see() {
    let raw = Raw::start(manual_clock_options()).await;
    let games = raw.playground.channel("games");
    raw.playground.deny_bot(games, VIEW_CHANNEL);
    for path in [format!("/channels/{games}"), format!("/channels/{games}/messages")] {
        let (status, body) = raw.get(&path).await;
        assert_eq!((status, body["code"].clone()), (403, json!(50001)), "{path}");
    }
}

#[tokio::test]
async fn another_bot_writes_and_presses_nothing() {
    let raw = Raw::start(manual_clock_options()).await;
    let other = raw.playground.new_bot("Mallory").expect("a server");
    let games = raw.playground.channel("games");
    let (mut line, _) = raw.identified(PLAIN_INTENTS).await;
    other.say(games, "hello").expect("said");
    assert_eq!(line.event("MESSAGE_CREATE").await["author"]["bot"], true);
    raw.register(json!([{"name": "board", "description": "x", "type": 1}])).await;
    assert!(other.slash(games, "board", &json!({})).is_err());
}
