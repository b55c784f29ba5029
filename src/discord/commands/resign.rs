//! `/resign`: asks, and only then gives up.

use async_trait::async_trait;
use serde_json::Value;

use crate::words::Words;

use super::super::asked::{Asked, Given};
use super::super::buttons;
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::which::{self, Want};
use super::{Command, table_option};

/// Gives up a game.
pub(super) struct Resign;

#[async_trait]
impl Command for Resign {
    fn name(&self) -> &'static str {
        "resign"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![table_option(words)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        match which::table(desk, asked.who, asked.place.channel, given.text("table"), Want::Act).await {
            Ok(table) => buttons::ask_to_resign(desk, &table, asked.who),
            Err(post) => *post,
        }
    }

    async fn complete(&self, desk: &Desk, asked: &Asked, given: &Given) -> Vec<String> {
        let typed = given.focus.as_ref().map_or("", |(_, typed)| typed);
        which::complete(desk, asked.who, typed).await
    }
}
