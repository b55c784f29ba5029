//! `/clock`: how much time everybody has, where words are not read.

use async_trait::async_trait;
use serde_json::Value;

use crate::words::Words;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::which::{self, Want};
use super::{Command, table_option};

/// Shows the clocks of a table.
pub(super) struct Clocks;

#[async_trait]
impl Command for Clocks {
    fn name(&self) -> &'static str {
        "clock"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![table_option(words)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        let named = given.text("table");
        match which::table(desk, asked.who, asked.place.channel, named, Want::See).await {
            Ok(table) => desk.layout().clocks(&table, asked.who, desk.hall.now_ms()),
            Err(post) => *post,
        }
    }

    async fn complete(&self, desk: &Desk, asked: &Asked, given: &Given) -> Vec<String> {
        let typed = given.focus.as_ref().map_or("", |(_, typed)| typed);
        which::complete(desk, asked.who, typed).await
    }
}
