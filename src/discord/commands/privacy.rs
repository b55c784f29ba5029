//! `/privacy`: what is kept of somebody; they take it home, or have it deleted.

use async_trait::async_trait;
use serde_json::{Value, json};

use rookery_i18n::Words;
use rookery_table::ports::{Card, Filter, JournalError, Stage};
use rookery_table::rated::Account;
use rookery_table::share::{ShareLink, ShareTarget};
use rookery_table::{Parting, Person, TableId};

use super::super::asked::{Asked, Given, Pressed};
use super::super::desk::Desk;
use super::super::post::{Part, Post, Tone};
use super::Command;

/// What ids of its buttons begin with.
const KIND: &str = "prv:";
/// What the file that is taken home is called.
const FILE: &str = "rookery-my-data.json";
/// Games that a question names; the rest is counted.
const NAMED_MOST: usize = 20;
/// Seats from which on the program may play on for somebody.
const STAND_IN_FROM: usize = 3;

/// Shows what is kept of somebody.
pub(super) struct Privacy;

#[async_trait]
impl Command for Privacy {
    fn name(&self) -> &'static str {
        "privacy"
    }

    fn options(&self, _words: &Words) -> Vec<Value> {
        Vec::new()
    }

    async fn run(&self, desk: &Desk, _asked: &Asked, _given: &Given) -> Post {
        let contact = desk.settings.contact.as_deref().map(|contact| desk.words.contact(contact));
        let page: Vec<_> = [desk.words.word("privacy")].into_iter().chain(contact).collect();
        Post::text(page.join("\n\n")).row([
            button(desk.words, "button-privacy-send", Tone::Main, "send"),
            button(desk.words, "button-privacy-delete", Tone::Grave, "ask"),
        ])
    }
}

fn button(words: &Words, label: &str, tone: Tone, what: &str) -> Part {
    Part::button(words.word(label), tone, format!("{KIND}{what}"))
}

/// Carries out a press on what `/privacy` shows; `None` if it is none of that.
pub async fn pressed(desk: &Desk, asked: &Asked, pressed: &Pressed) -> Option<Post> {
    let done = match pressed.id.strip_prefix(KIND)? {
        "send" => sent(desk, asked.who).await,
        "ask" => ask(desk, asked.who).await,
        "resign" => delete(desk, asked.who, Parting::Resign).await,
        "stand-in" => delete(desk, asked.who, Parting::StandIn).await,
        "keep" => Ok(Post::text(desk.words.word("privacy-kept"))),
        _ => Ok(Post::text(desk.words.word("old-button"))),
    };
    Some(done.unwrap_or_else(|error| {
        tracing::error!(%error, "what is kept of somebody cannot be read or deleted");
        Post::text(desk.words.word("denied-journal"))
    }))
}

/// The question before all is deleted, with what becomes of games that are not over.
async fn ask(desk: &Desk, who: Person) -> Result<Post, JournalError> {
    let words = desk.words;
    let mut open = cards(desk, who).await?;
    open.retain(|card| card.stage != Stage::Over);
    let mut lines = vec![words.word("privacy-sure")];
    let mut buttons = vec![button(words, "button-privacy-resign", Tone::Grave, "resign")];
    if !open.is_empty() {
        let tables = named(&open.iter().map(|card| card.id).collect::<Vec<_>>());
        lines.push(words.say("privacy-running", &[("games", open.len().into()), ("tables", tables.into())]));
    }
    if open.iter().any(|card| card.stage == Stage::Running && card.people.len() >= STAND_IN_FROM) {
        lines.push(words.word("privacy-stand-in"));
        buttons.push(button(words, "button-privacy-stand-in", Tone::Grave, "stand-in"));
    }
    buttons.push(button(words, "button-privacy-keep", Tone::Plain, "keep"));
    Ok(Post::text(lines.join("\n")).row(buttons))
}

/// The names of tables; of many only the first.
fn named(tables: &[TableId]) -> String {
    let named: Vec<_> = tables.iter().take(NAMED_MOST).map(TableId::to_string).collect();
    let more = if tables.len() > NAMED_MOST { ", …" } else { "" };
    format!("{}{more}", named.join(", "))
}

async fn delete(desk: &Desk, who: Person, parting: Parting) -> Result<Post, JournalError> {
    desk.forget(who);
    match desk.hall.forget_person(who, parting).await {
        Ok(remaining) if remaining.is_empty() => Ok(Post::text(desk.words.word("privacy-done"))),
        Ok(remaining) => {
            let args = [("games", remaining.len().into()), ("tables", named(&remaining).into())];
            Ok(Post::text(desk.words.say("privacy-remains", &args)))
        }
        // Some of it may be done, games given up among it: to say that nothing has changed would be untrue.
        Err(denied) => {
            tracing::error!(%denied, "somebody's data is deleted in part");
            let (label, what) = match parting {
                Parting::Resign => ("button-privacy-resign", "resign"),
                Parting::StandIn => ("button-privacy-stand-in", "stand-in"),
            };
            let again = button(desk.words, label, Tone::Grave, what);
            Ok(Post::text(desk.words.word("privacy-half")).row([again]))
        }
    }
}

/// All that is kept, as a file.
async fn sent(desk: &Desk, who: Person) -> Result<Post, JournalError> {
    let journal = desk.hall.journal();
    let ratings = journal.ratings().history(Account::Person(who)).await?;
    let rating = |it: rookery_table::rated::Standing| {
        json!({ "game": it.game, "pool": it.pool.key(), "rating": it.rating.mean(), "table": it.table.as_str(),
            "at_ms": it.at_ms })
    };
    let links = journal.share_links().links_by(who).await?;
    let personal = match journal.preferences().personal(who).await {
        Err(error) if error.is_unreadable() => None,
        read => read?,
    };
    let watching = journal.follows().watched_by(who).await?;
    let blocking = journal.moderation().blocked_by(who).await?;
    let cards = cards(desk, who).await?;
    let written = move || {
        serde_json::to_vec_pretty(&json!({
            "discord_user": who.0.to_string(),
            "settings": personal,
            "blocking": blocking.iter().map(|other| other.0.to_string()).collect::<Vec<_>>(),
            "watching": watching.iter().map(|table| table.as_str()).collect::<Vec<_>>(),
            "shared_links": links.iter().map(link).collect::<Vec<_>>(),
            "games": cards.iter().map(|card| game(card, who)).collect::<Vec<_>>(),
            "ratings": ratings.into_iter().map(rating).collect::<Vec<_>>(),
        }))
    };
    // Somebody may have played thousands of games.
    let written = desk.hall.tasks().compute("personal data", written).await;
    let written = written.map_err(|error| JournalError::Medium(error.to_string()))?;
    let bytes = written.map_err(|error| JournalError::Medium(error.to_string()))?;
    Ok(Post::text(desk.words.word("privacy-sent")).file(FILE, bytes))
}

/// A link that they made, without its token: the link itself is shown by `/share` to those who play there.
fn link(link: &ShareLink) -> Value {
    let table = match link.target {
        ShareTarget::Table(table) => Some(table),
        ShareTarget::Server(_) => None,
    };
    json!({ "table": table.map(|table| table.to_string()), "made_ms": link.made_ms })
}

/// A game as it concerns one person: others are not theirs to take home.
fn game(card: &Card, who: Person) -> Value {
    let own = card.people.iter().enumerate().filter(|(_, person)| **person == Some(who));
    let seats: Vec<usize> = own.map(|(seat, _)| seat + 1).collect();
    let winners: Vec<u8> = card.winners.iter().map(|seat| seat + 1).collect();
    json!({ "table": card.id.as_str(), "game": card.game, "stage": card.stage, "turns": card.ply,
        "seats": card.people.len(), "your_seats": seats, "winning_seats": winners, "server": card.guild,
        "last_ms": card.at_ms })
}

/// Every table that somebody sits or sat at.
async fn cards(desk: &Desk, who: Person) -> Result<Vec<Card>, JournalError> {
    let filter = Filter { person: Some(who), most: usize::MAX >> 1, ..Filter::default() };
    desk.hall.journal().list(&filter).await
}
