//! `/hint`: the program's advice, told to whoever is to move; that it was asked is told to all.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;

use crate::kit::Play;
use crate::kit::player::Limits;
use crate::table::patron::Patron;
use crate::table::ports::{Filter, Stage};
use crate::table::{Order, Person, Refused, Table, hints};
use crate::words::Words;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::which::{self, Want};
use super::{Command, table_option};

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
        match which::table(desk, asked.who, asked.place.channel, given.text("table"), Want::Act).await {
            Ok(table) => hint(desk, asked, &table).await,
            Err(post) => *post,
        }
    }

    async fn complete(&self, desk: &Desk, asked: &Asked, given: &Given) -> Vec<String> {
        let typed = given.focus.as_ref().map_or("", |(_, typed)| typed);
        which::complete(desk, asked.who, typed).await
    }
}

/// Notes that a hint is had, then thinks about it: what the program says is never had unseen.
pub async fn hint(desk: &Desk, asked: &Asked, table: &Table) -> Post {
    if is_of_rated(desk, asked.who, table).await {
        return Post::text(desk.words.refused(&Refused::NoHelp, Some(table)));
    }
    let seen = match desk.order(table.id(), asked.who, Order::Hint, asked.ticket.id).await {
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

/// Whether the same position stands in a rated game of theirs that goes on: a table opened from there is
/// no way round.
async fn is_of_rated(desk: &Desk, who: Person, table: &Table) -> bool {
    let Some(play) = table.play() else { return false };
    let filter = Filter { person: Some(who), stage: Some(Stage::Running), ..Filter::default() };
    let cards = desk.hall.list(&filter).await.unwrap_or_default();
    for card in cards.iter().filter(|card| card.game == table.terms().game) {
        let Ok(other) = desk.hall.see(card.id).await else { continue };
        let same = |it: &dyn Play| (it.turn(), it.text_board()) == (play.turn(), play.text_board());
        if hints::may_help(&other).is_err() && other.play().is_some_and(same) {
            return true;
        }
    }
    false
}
