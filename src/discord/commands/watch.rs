//! `/watch` and `/unwatch`: follows a table without playing there.

use async_trait::async_trait;
use serde_json::Value;

use crate::table::ports::{Following, JournalError};
use crate::table::{Denied, Person, Status, Table};
use crate::words::Words;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::which::Want;
use super::{Command, Kind, chosen, meant, option, table_option};

/// Follows a table.
pub(super) struct Watch;

/// Follows it no more.
pub(super) struct Unwatch;

#[async_trait]
impl Command for Watch {
    fn name(&self) -> &'static str {
        "watch"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        let ways = [("thread", "watch-in-thread"), ("moves", "watch-each-move"), ("dm", "watch-in-dm")];
        let ways = ways.map(|(way, offer)| (words.word(offer), way.to_owned()));
        vec![table_option(words), chosen(option(words, Kind::Text, "how", "command-watch-how"), ways)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        match meant(desk, asked, given, Want::See).await {
            Ok(table) => watch(desk, asked, &table, given.text("how")).await,
            Err(post) => *post,
        }
    }
}

async fn watch(desk: &Desk, asked: &Asked, table: &Table, how: Option<&str>) -> Post {
    let refused = match table.status() {
        Status::Over(_) => Some("watch-is-over"),
        _ if table.seat_of(asked.who).is_some() => Some("watch-plays"),
        _ => None,
    };
    if let Some(refused) = refused {
        return Post::text(desk.words.word(refused));
    }
    let thread = table.home().filter(|home| home.thread).map(|home| home.channel);
    let how = match (how, thread) {
        (Some("dm"), _) | (_, None) => Following::Digest,
        (Some("moves"), Some(_)) => Following::Moves,
        (_, Some(_)) => Following::Thread,
    };
    if let Err(error) = desk.hall.journal().follows().follow(asked.who, table.id(), how).await {
        return failed(desk, &error);
    }
    let done = match (how, thread) {
        (Following::Thread | Following::Moves, Some(channel)) => welcome(desk, asked, table, channel).await,
        _ => "watch-digest",
    };
    Post::text(desk.words.say(done, &[("table", table.id().as_str().into())]))
}

/// Whoever is named in a thread finds it among their own from then on.
async fn welcome(desk: &Desk, asked: &Asked, table: &Table, channel: u64) -> &'static str {
    let post = desk.for_table(table).await.layout().welcome_watcher(table, asked.who);
    match desk.post_in(channel, &post, &format!("w{}", asked.ticket.id)).await {
        Ok(_) => "watch-thread",
        Err(fault) => {
            tracing::info!(table = %table.id(), %fault, "who watches cannot be brought into the thread");
            "watch-thread-closed"
        }
    }
}

#[async_trait]
impl Command for Unwatch {
    fn name(&self) -> &'static str {
        "unwatch"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![table_option(words)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        match meant(desk, asked, given, Want::See).await {
            Ok(table) => unwatch(desk, asked.who, &table).await,
            Err(post) => *post,
        }
    }
}

async fn unwatch(desk: &Desk, who: Person, table: &Table) -> Post {
    match desk.hall.journal().follows().unfollow(who, table.id()).await {
        Ok(did) => {
            let key = if did { "watch-done" } else { "watch-none" };
            Post::text(desk.words.say(key, &[("table", table.id().as_str().into())]))
        }
        Err(error) => failed(desk, &error),
    }
}

fn failed(desk: &Desk, error: &JournalError) -> Post {
    Post::text(desk.words.denied(&Denied::Journal(error.to_string()), None))
}
