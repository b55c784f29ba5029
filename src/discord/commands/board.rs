//! `/board`: shows a game to who asks.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Words;
use rookery_table::Table;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::rehouse;
use super::super::which::Want;
use super::{Command, meant, table_option};

/// Shows a game.
pub(super) struct Board;

/// The board, to who asks; to all, if the game has lost its place and finds it here, or is a message here that
/// cannot be posted but by answering.
async fn show(desk: &Desk, asked: &Asked, table: &Table) -> Post {
    let moved = rehouse::here(desk, asked, table).await;
    let here = !asked.place.ours && asked.place.channel == table.terms().channel;
    if table.is_brought() && here && table.concerns(asked.who) {
        desk.brought.leave(table).await;
    }
    let mut post = desk.layout().state(table, Some(asked.who));
    if moved {
        post.content = format!("{}\n{}", desk.words.word("board-lives-here"), post.content);
    }
    post
}

#[async_trait]
impl Command for Board {
    fn name(&self) -> &'static str {
        "board"
    }

    fn want(&self) -> Want {
        Want::See
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![table_option(words)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        match meant(desk, asked, given, self.want()).await {
            Ok(table) => show(desk, asked, &table).await,
            Err(post) => *post,
        }
    }
}
