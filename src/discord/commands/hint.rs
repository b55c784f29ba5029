//! `/hint`: the program's advice, told to whoever is to move; that it was asked is told to all.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;

use rookery_core::player::Limits;
use rookery_i18n::Words;
use rookery_table::fair::Help;
use rookery_table::patron::Patron;
use rookery_table::quota::Use;
use rookery_table::{Order, Refused, Table};

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::which::Want;
use super::{Command, meant, table_option};

/// Positions that a hint looks at, at most.
const NODES: u64 = 200_000;
/// Time that a hint takes, at most.
const TIME: Duration = Duration::from_secs(2);

/// Gives a hint.
pub(super) struct Hint;

#[async_trait]
impl Command for Hint {
    fn name(&self) -> &'static str {
        "hint"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![table_option(words)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        match meant(desk, asked, given, Want::Act).await {
            Ok(table) => desk.about(&table, asked.place.channel, hint(desk, asked, &table).await),
            Err(post) => *post,
        }
    }
}

/// Notes that a hint is had, then thinks about it: what the program says is never had unseen.
pub async fn hint(desk: &Desk, asked: &Asked, table: &Table) -> Post {
    // A table opened from such a game is no way round.
    if let Some(play) = table.play()
        && desk.hall.helps_rated(&[asked.who], asked.place.guild, play, Help::Tells).await
    {
        return Post::text(desk.words.refused(&Refused::NoHelp, Some(table)));
    }
    if let Err(post) = desk.spend(asked, Use::Hint) {
        return *post;
    }
    let seen = match desk.order(table.id(), asked.into(), Order::Hint, asked.ticket.id).await {
        Ok(seen) => seen,
        Err(post) => return *post,
    };
    let Some(play) = seen.table.play() else { return Post::text(desk.words.word("refused-not-begun")) };
    let limits = Limits { nodes: Some(NODES), time: Some(TIME), ..Limits::default() };
    match desk.hall.study(Patron::of(&seen.table), play, limits).await {
        Some(thought) => desk.layout().hint(&seen.table, play, &thought),
        None => Post::text(desk.words.word("hint-busy")),
    }
}
