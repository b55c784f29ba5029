//! `/clock`: how much time everybody has, where words are not read.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Words;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::which::Want;
use super::{Command, meant, table_option};

/// Shows the clocks of a table.
pub(super) struct Clocks;

#[async_trait]
impl Command for Clocks {
    fn name(&self) -> &'static str {
        "clock"
    }

    fn want(&self) -> Want {
        Want::See
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![table_option(words)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        match meant(desk, asked, given, self.want()).await {
            Ok(table) => desk.layout().clocks(&table, asked.who, desk.hall.now_ms()),
            Err(post) => *post,
        }
    }
}
