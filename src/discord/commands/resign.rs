//! `/resign`: asks, and only then gives up.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Words;

use super::super::asked::{Asked, Given};
use super::super::buttons;
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::which::Want;
use super::{Command, meant, table_option};

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
        match meant(desk, asked, given, Want::Act).await {
            Ok(table) => {
                desk.about(&table, asked.place.channel, buttons::ask_to_resign(desk, &table, asked.who))
            }
            Err(post) => *post,
        }
    }
}
