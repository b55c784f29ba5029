//! Conversations through the real serenity client.

use serde_json::json;

use super::super::{Answer, Options, Playground};
use super::echo::start_echo;

async fn with_echo() -> Playground {
    let playground = Playground::start(Options::default()).await.expect("starts");
    start_echo(&playground).await;
    playground
}

#[tokio::test]
async fn a_slash_command_is_answered() {
    let playground = with_echo().await;
    let (ada, games) = (playground.user("Ada"), playground.channel("games"));
    let asked = ada.slash(games, "echo", &json!({"text": "hello"})).expect("asked");
    let answer = asked.message().await.expect("answered");
    assert!(answer.content().contains("hello"), "{}", answer.content());
    assert_eq!(asked.answer().await.expect("answered"), Answer::Message);
    playground.stop().await;
}
