//! `/analyse`: a finished game as the program sees it.

use async_trait::async_trait;
use serde_json::Value;

use crate::table::{Status, Table, hints};
use crate::words::Words;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::which::Want;
use super::{Command, meant, table_option};

/// Shows how a game went.
pub(super) struct Analyse;

#[async_trait]
impl Command for Analyse {
    fn name(&self) -> &'static str {
        "analyse"
    }

    fn looks_back(&self) -> bool {
        true
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![table_option(words)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        match meant(desk, asked, given, Want::See).await {
            Ok(table) => analyse(desk, &table).await,
            Err(post) => *post,
        }
    }
}

async fn analyse(desk: &Desk, table: &Table) -> Post {
    if let Err(why) = may_analyse(desk, table) {
        return Post::text(why);
    }
    match desk.hall.review(table).await {
        Some(review) => desk.layout().review(table, &review),
        None => Post::text(desk.words.word("hint-busy")),
    }
}

/// One of the turns that a game's analysis tells of.
pub async fn turning(desk: &Desk, table: &Table, ply: usize) -> Post {
    if let Err(why) = may_analyse(desk, table) {
        return Post::text(why);
    }
    let Some(review) = desk.hall.review(table).await else {
        return Post::text(desk.words.word("hint-busy"));
    };
    let turn = review.turns.iter().find(|turn| turn.ply == ply);
    let shown = turn.and_then(|turn| desk.layout().turning(table, turn));
    shown.unwrap_or_else(|| Post::text(desk.words.word("old-button")))
}

/// Only what is over is analysed; while a game goes on nobody needs to know more than its players.
fn may_analyse(desk: &Desk, table: &Table) -> Result<(), String> {
    hints::may_help(table).map_err(|refused| desk.words.refused(&refused, Some(table)))?;
    let refused = match (table.status(), table.play()) {
        (Status::Running, _) => "analyse-running",
        (_, None) => "refused-not-begun",
        (_, Some(play)) if play.ply() == 0 => "analyse-nothing",
        _ => return Ok(()),
    };
    Err(desk.words.word(refused))
}
