//! The state that survives a restart.

use serde_json::json;

use super::super::{Options, Playground};
use super::raw_client::{Raw, manual_clock_options};

#[tokio::test]
async fn messages_files_people_and_commands_outlive_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = || Options { data: Some(folder.path().join("pg.sqlite")), ..manual_clock_options() };
    let raw = Raw::start(options()).await;
    let games = raw.playground.channel("games");
    let eve = raw.playground.new_user("Eve");
    eve.say(games, "hello").expect("said");
    raw.register(json!([{"name": "play", "description": "d"}])).await;
    let path = format!("/channels/{games}/messages");
    let (_, message) =
        raw.post_file(reqwest::Method::POST, &path, &json!({"content": "board"}), vec![7; 9]).await;
    let before = raw.playground.user("Ada").messages(games);
    raw.playground.stop().await;

    let again = Playground::start(options()).await.expect("starts again");
    let eve = again.user("Eve");
    let mut after = eve.messages(games);
    assert_eq!(after.len(), 2);
    // The file's address contains the port, which has changed.
    assert_eq!(after[1].json["attachments"][0]["id"], message["attachments"][0]["id"]);
    let url = after[1].json["attachments"][0]["url"].as_str().expect("an address").to_owned();
    let bytes = reqwest::get(url).await.expect("an answer").bytes().await.expect("bytes");
    assert_eq!(bytes.as_ref(), [7; 9]);
    after[1].json["attachments"] = before[1].json["attachments"].clone();
    assert_eq!(after, before);
    let newer = eve.say(games, "again").expect("said");
    assert!(newer.id > after[1].id, "ids go on where they were");
    assert!(eve.slash(games, "play", &json!({})).is_ok(), "the command is still there");
    again.stop().await;
}
