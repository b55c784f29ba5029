//! `/watch` and `/unwatch`: follows a table without playing there.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Words;
use rookery_table::calendar::Zone;
use rookery_table::ports::{Following, JournalError};
use rookery_table::{Denied, Person, Status, Table, TableId};

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::pings::nonce_for;
use super::super::post::Post;
use super::super::which::Want;
use super::{Command, Kind, TABLE, chosen, meant, option, table_option};

/// How often somebody is named in a thread as one who watches, at most: once an hour.
const WELCOME_EVERY_MS: i64 = 3_600 * 1_000;

/// Follows a table.
pub(super) struct Watch;

/// Follows it no more.
pub(super) struct Unwatch;

#[async_trait]
impl Command for Watch {
    fn name(&self) -> &'static str {
        "watch"
    }

    fn want(&self) -> Want {
        Want::Watch
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        let ways = [("thread", "watch-in-thread"), ("moves", "watch-each-move"), ("dm", "watch-in-dm")];
        let ways = ways.map(|(way, offer)| (words.word(offer), way.to_owned()));
        vec![table_option(words), chosen(option(words, Kind::Text, "how", "command-watch-how"), ways)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        match meant(desk, asked, given, self.want()).await {
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
    followed(desk, asked, table, (how, thread)).await.unwrap_or_else(|error| failed(desk, &error))
}

async fn followed(
    desk: &Desk,
    asked: &Asked,
    table: &Table,
    (how, thread): (Option<&str>, Option<u64>),
) -> Result<Post, JournalError> {
    let follows = desk.hall.journal().follows();
    let before = follows.followers(table.id()).await?.into_iter().find(|(who, _)| *who == asked.who);
    let is_in = before.is_some_and(|(_, how)| how != Following::Digest);
    let thread = match thread {
        Some(thread) if is_in || may_enter(desk, asked, table, thread).await => Some(thread),
        _ => None,
    };
    let how = match (how, thread) {
        (Some("dm"), _) | (_, None) => Following::Digest,
        (Some("moves"), Some(_)) => Following::Moves,
        (_, Some(_)) => Following::Thread,
    };
    follows.follow(asked.who, table.id(), how).await?;
    let say = |key| Post::text(desk.words.say(key, &[("table", table.id().as_str().into())]));
    let Some(thread) = thread.filter(|_| how != Following::Digest) else {
        let lives = desk.hall.drawer().person(asked.who).await.zone != Zone::default();
        return Ok(say(if lives { "watch-digest" } else { "watch-digest-utc" }));
    };
    if is_in {
        return Ok(say("watch-thread"));
    }
    // Whoever begins and ends to watch in turn would fill the thread of those who play.
    let what = format!("watch {} {}", table.id(), asked.who.0);
    let times = (desk.hall.now_ms(), WELCOME_EVERY_MS);
    Ok(desk.lately.once(what, times, async { say(welcome(desk, asked.who, table, thread).await) }).await)
}

/// Whether somebody sees a table's thread from where they ask, as far as that is known: nobody is brought into
/// a place that is closed to them, nor shows themselves there without being able to look.
async fn may_enter(desk: &Desk, asked: &Asked, table: &Table, thread: u64) -> bool {
    let here = asked.place.guild.is_some() && asked.place.guild == table.terms().guild;
    // Nobody is brought before those who have blocked them.
    let players: Vec<Person> = table.chairs().iter().filter_map(|chair| chair.person()).collect();
    here && desk.hall.may_ask(asked.who, &players).await.is_ok()
        && desk.may_show(thread, asked.place.channel).await
}

/// Whoever is named in a thread finds it among their own from then on.
async fn welcome(desk: &Desk, who: Person, table: &Table, channel: u64) -> &'static str {
    let post = desk.for_table(table).await.layout().welcome_watcher(table, who);
    let nonce = nonce_for(&format!("w{}", table.id()), who);
    match desk.post_in(channel, &post, &nonce).await {
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

    fn want(&self) -> Want {
        Want::Unwatch
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![table_option(words)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        // Whoever watches what they may not see any more may end that all the same.
        if let Some(id) = given.text(TABLE).and_then(|text| text.parse().ok())
            && let Ok(true) = desk.hall.journal().follows().unfollow(asked.who, id).await
        {
            return unwatched(desk, id, true);
        }
        match meant(desk, asked, given, self.want()).await {
            Ok(table) => unwatch(desk, asked.who, &table).await,
            Err(post) => *post,
        }
    }
}

async fn unwatch(desk: &Desk, who: Person, table: &Table) -> Post {
    match desk.hall.journal().follows().unfollow(who, table.id()).await {
        Ok(did) => unwatched(desk, table.id(), did),
        Err(error) => failed(desk, &error),
    }
}

fn unwatched(desk: &Desk, id: TableId, did: bool) -> Post {
    let key = if did { "watch-done" } else { "watch-none" };
    Post::text(desk.words.say(key, &[("table", id.as_str().into())]))
}

fn failed(desk: &Desk, error: &JournalError) -> Post {
    Post::text(desk.words.denied(&Denied::Journal(error.to_string()), None))
}
