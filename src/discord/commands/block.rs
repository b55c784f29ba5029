//! `/block`: keeps somebody from challenging one, joining one's games and pinging one through the bot.

use async_trait::async_trait;
use serde_json::{Value, json};

use rookery_i18n::{Words, clip, person};
use rookery_table::moderation::{Change, MAX_BLOCKS};
use rookery_table::ports::{Card, Filter, JournalError, Stage};
use rookery_table::{Denied, Person};

use super::super::asked::{Asked, Given};
use super::super::bans;
use super::super::desk::Desk;
use super::super::limits::COMMAND_NAME_MOST;
use super::super::post::Post;
use super::{Command, Kind, option, part, required};

/// Tables that are looked through for those with somebody who is blocked.
const MAX_TABLES: usize = 500;
/// Tables that an answer names.
const MAX_NAMED: usize = 10;

/// Blocks people.
pub(super) struct Block;

#[async_trait]
impl Command for Block {
    fn name(&self) -> &'static str {
        "block"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        let who = || vec![required(option(words, Kind::Person, "person", "command-block-person"))];
        vec![
            part(words, "add", "command-block-add", who()),
            part(words, "remove", "command-block-remove", who()),
            part(words, "list", "command-block-list", Vec::new()),
        ]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        match (given.part.as_deref(), given.person("person")) {
            (Some("add"), Some(other)) => add(desk, asked.who, other).await,
            (Some("remove"), Some(other)) => remove(desk, asked.who, other).await,
            _ => list(desk, asked.who).await,
        }
    }
}

/// What it is called in a person's menu.
pub(super) fn menu_name(words: &Words) -> String {
    clip(&words.word("menu-block"), COMMAND_NAME_MOST)
}

/// How Discord is told of the one in a person's menu.
pub(super) fn registration(words: &Words) -> Value {
    const ON_PERSON: u8 = 2;
    json!({
        "name": menu_name(words),
        "type": ON_PERSON,
        "contexts": super::EVERYWHERE,
        "integration_types": super::BY_ANYBODY,
    })
}

/// Blocks somebody, and turns down what they have asked until now.
pub(super) async fn add(desk: &Desk, who: Person, other: Person) -> Post {
    if other == who || other == desk.me() {
        return Post::text(desk.words.word(if other == who { "block-self" } else { "block-me" }));
    }
    match desk.hall.moderation().block(who, other, desk.hall.now_ms()).await {
        Ok(Change::Done) => blocked(desk, who, other).await,
        Ok(Change::Already) => about(desk, "block-already", other),
        Ok(Change::Full) => Post::text(desk.words.say("block-full", &[("most", MAX_BLOCKS.into())])),
        Err(error) => failed(desk, error),
    }
}

async fn blocked(desk: &Desk, who: Person, other: Person) -> Post {
    let mut lines = vec![desk.words.say("block-done", &[("who", person(other).into())])];
    // The block stands, whether or not these can be read now.
    let shared = shared_tables(desk, who, other).await.unwrap_or_default();
    let mut declined = 0_usize;
    for card in shared.iter().filter(|card| card.stage == Stage::Waiting && card.asked.contains(&who)) {
        declined += usize::from(bans::leave(desk, card.id, who).await);
    }
    let running: Vec<&str> =
        shared.iter().filter(|card| card.stage == Stage::Running).map(|card| card.id.as_str()).collect();
    if !running.is_empty() {
        let tables = running[..running.len().min(MAX_NAMED)].join(", ");
        let args = [("count", running.len().into()), ("tables", tables.into())];
        lines.push(desk.words.say("block-games", &args));
    }
    if declined > 0 {
        lines.push(desk.words.say("block-declined", &[("count", declined.into())]));
    }
    Post::text(lines.join("\n"))
}

/// The unfinished tables at which two people are.
async fn shared_tables(desk: &Desk, who: Person, other: Person) -> Result<Vec<Card>, Denied> {
    let filter = Filter { person: Some(who), unfinished: true, most: MAX_TABLES, ..Filter::default() };
    let mut cards = desk.hall.list(&filter).await?;
    cards.retain(|card| card.has(other) || card.host == Some(other));
    Ok(cards)
}

async fn remove(desk: &Desk, who: Person, other: Person) -> Post {
    match desk.hall.moderation().unblock(who, other).await {
        Ok(true) => about(desk, "block-removed", other),
        Ok(false) => about(desk, "block-not-there", other),
        Err(error) => failed(desk, error),
    }
}

async fn list(desk: &Desk, who: Person) -> Post {
    match desk.hall.moderation().blocked_by(who).await {
        Ok(people) if people.is_empty() => Post::text(desk.words.word("block-list-none")),
        Ok(people) => {
            let people = bans::listed(desk, people.iter().copied());
            Post::text(desk.words.say("block-list", &[("people", people.into())]))
        }
        Err(error) => failed(desk, error),
    }
}

fn about(desk: &Desk, key: &str, other: Person) -> Post {
    Post::text(desk.words.say(key, &[("who", person(other).into())]))
}

fn failed(desk: &Desk, error: JournalError) -> Post {
    Post::text(desk.words.denied(&Denied::from(error), None))
}
