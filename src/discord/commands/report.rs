//! `/report`: tells a server's moderators, or the operator of the bot, what happened.
//!
//! A report is posted, and not kept. It goes to the first of these that takes it: the channel that the managers of
//! the server chose, the operator's channel (`discord.report_channel`), the log.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};

use rookery_i18n::{Words, clip, escaped, person};
use rookery_table::quota::Use;
use rookery_table::{Person, Table};

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::fault::Fault;
use super::super::limits::CONTENT_MOST;
use super::super::post::Post;
use super::super::which::Want;
use super::{Command, Kind, TABLE, meant, option, required, table_option};

/// The longest text of a report: escaped it still fits into one message.
const MAX_TEXT: usize = 600;

/// Sends a report.
pub(super) struct Report;

/// What somebody reports.
struct Told {
    who: Person,
    about: Option<Person>,
    table: Option<Arc<Table>>,
    text: String,
}

#[async_trait]
impl Command for Report {
    fn name(&self) -> &'static str {
        "report"
    }

    fn want(&self) -> Want {
        Want::Replay
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        let mut text = required(option(words, Kind::Text, "text", "command-report-text"));
        text["max_length"] = json!(MAX_TEXT);
        vec![text, option(words, Kind::Person, "person", "command-report-person"), table_option(words)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        let text: String = given.text("text").unwrap_or_default().trim().chars().take(MAX_TEXT).collect();
        if text.is_empty() {
            return Post::text(desk.words.word("report-empty"));
        }
        let table = match given.text(TABLE) {
            Some(_) => match meant(desk, asked, given, self.want()).await {
                Ok(table) => Some(table),
                Err(post) => return *post,
            },
            None => None,
        };
        if let Err(post) = desk.spend(asked, Use::Report) {
            return *post;
        }
        let told = Told { who: asked.who, about: given.person("person"), table, text };
        sent(desk, asked, &told).await
    }
}

/// Sends a report where it is taken; what whoever sent it is told.
async fn sent(desk: &Desk, asked: &Asked, told: &Told) -> Post {
    let here = asked.place.guild.filter(|_| asked.place.ours);
    let elsewhere =
        told.table.as_ref().and_then(|table| table.terms().guild.filter(|_| table.concerns(told.who)));
    let (guild, key) = match here {
        Some(guild) => (Some(guild), "report-to-server"),
        None => (elsewhere, "report-to-table-server"),
    };
    let server = desk.hall.drawer().server(guild).await;
    if let (Some(guild), Some(channel)) = (guild, server.reports)
        && posted(&desk.for_server(guild).await, asked, told, channel).await.is_ok()
    {
        return Post::text(desk.words.word(key));
    }
    let operator = desk.settings.report_channel;
    if let Some(channel) = operator
        && posted(&operators_desk(desk), asked, told, channel).await.is_ok()
    {
        return Post::text(desk.words.word("report-to-operator"));
    }
    let table = told.table.as_ref().map(|table| table.id());
    tracing::warn!(
        who = ?told.who, about = ?told.about, guild = asked.place.guild, ?table, text = ?told.text,
        "a report that no channel takes: set discord.report_channel"
    );
    let contact = desk.settings.contact.as_deref().map(|contact| desk.words.contact(contact));
    let lines: Vec<String> = [desk.words.word("report-nowhere")].into_iter().chain(contact).collect();
    Post::text(lines.join("\n"))
}

/// The operator reads the usual language.
fn operators_desk(desk: &Desk) -> Desk {
    desk.with(desk.languages.usual(), desk.taste.clone())
}

async fn posted(desk: &Desk, asked: &Asked, told: &Told, channel: u64) -> Result<(), Fault> {
    let post = Post::text(clip(&content(desk, asked, told).await, CONTENT_MOST));
    let nonce = format!("r{}", asked.ticket.id);
    let posted = desk.post_in(channel, &post, &nonce).await;
    posted.map(drop).inspect_err(|fault| tracing::warn!(channel, %fault, "a report was not taken"))
}

/// A report as it is posted. Nobody is pinged by it: only what is in a message's list of pings is.
async fn content(desk: &Desk, asked: &Asked, told: &Told) -> String {
    let words = desk.words;
    let place = match asked.place.guild {
        Some(_) => format!("<#{}>", asked.place.channel),
        None => words.word("report-where-dm"),
    };
    let mut lines =
        vec![words.say("report-head", &[("who", person(told.who).into()), ("where", place.into())])];
    lines.extend(told.about.map(|who| words.say("report-about", &[("who", person(who).into())])));
    if let Some(table) = &told.table {
        let game = words.game(&table.terms().game);
        let args = [("game", game.into()), ("table", table.id().to_string().into())];
        lines.push(words.say("report-table", &args));
        lines.extend(link(desk, table).await.map(|link| words.say("report-board", &[("link", link.into())])));
    }
    lines.extend(escaped(&told.text).lines().map(|line| format!("> {line}")));
    lines.join("\n")
}

/// Where the latest board of a server's table is.
async fn link(desk: &Desk, table: &Table) -> Option<String> {
    let guild = table.terms().guild?;
    let board = rookery_table::Say::Board { ply: table.ply() };
    let posted = desk.hall.journal().posted(table.id(), &board).await.ok()??;
    Some(format!("https://discord.com/channels/{guild}/{}/{}", posted.channel, posted.message))
}
