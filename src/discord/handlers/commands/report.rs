//! `/report`: sends a report to a server's moderators or to the operator of the bot.
//!
//! A report is posted, not stored. It goes to the first of these that accepts it: the channel that the
//! server's managers chose, the operator's channel (`discord.report_channel`), the log.

use std::sync::Arc;

use async_trait::async_trait;

use rookery_i18n::{clip, escaped, person};
use rookery_table::quota::LimitedAction;
use rookery_table::{ChannelId, Table, UserId};

use super::command::{Command, meant};
use super::common_options::TABLE;
use super::option_types::{TableName, TextUpTo};
use super::options::command_options;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::limits::MAX_CONTENT_CHARS;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The longest text of a report, in characters: even escaped it fits into one message.
const MAX_TEXT: usize = 600;

pub(super) struct Report;

/// A report before it is posted.
struct ReportDraft {
    who: UserId,
    about: Option<UserId>,
    table: Option<Arc<Table>>,
    text: String,
}

command_options! {
    pub(super) struct ReportOptions {
        text: TextUpTo<MAX_TEXT> = "text", "command-report-text";
        person: Option<UserId> = "person", "command-report-person";
        table: Option<TableName> = TABLE, "command-option-table";
    }
}

#[async_trait]
impl Command for Report {
    type Input = ReportOptions;

    fn name(&self) -> &'static str {
        "report"
    }

    fn purpose(&self) -> TablePurpose {
        TablePurpose::Replay
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: ReportOptions) -> OutgoingMessage {
        let text: String = input.text.0.trim().chars().take(MAX_TEXT).collect();
        if text.is_empty() {
            return OutgoingMessage::text(ctx.words.word("report-empty"));
        }
        let table = match input.table {
            Some(named) => match meant(ctx, interaction, Some(&named), self.purpose()).await {
                Ok(table) => Some(table),
                Err(post) => return *post,
            },
            None => None,
        };
        if let Err(post) = ctx.count_use(interaction, LimitedAction::Report) {
            return *post;
        }
        let draft = ReportDraft { who: interaction.who, about: input.person, table, text };
        send_report(ctx, interaction, &draft).await
    }
}

/// Posts a report in the first channel that accepts it; returns the answer to its author.
async fn send_report(ctx: &Context, interaction: &Interaction, draft: &ReportDraft) -> OutgoingMessage {
    let here = interaction.place.guild.filter(|_| interaction.place.ours);
    let elsewhere = draft
        .table
        .as_ref()
        .and_then(|table| table.terms().guild.filter(|_| table.is_participant(draft.who)));
    let (guild, key) = match here {
        Some(guild) => (Some(guild), "report-to-server"),
        None => (elsewhere, "report-to-table-server"),
    };
    let server = ctx.registry.preferences_cache().server(guild).await;
    if let (Some(guild), Some(channel)) = (guild, server.reports)
        && posted(&ctx.for_server(guild).await, interaction, draft, channel).await.is_ok()
    {
        return OutgoingMessage::text(ctx.words.word(key));
    }
    let operator = ctx.settings.report_channel;
    if let Some(channel) = operator
        && posted(&operator_context(ctx), interaction, draft, channel).await.is_ok()
    {
        return OutgoingMessage::text(ctx.words.word("report-to-operator"));
    }
    let table = draft.table.as_ref().map(|table| table.id());
    tracing::warn!(
        who = ?draft.who, about = ?draft.about, guild = ?interaction.place.guild, ?table, text = ?draft.text,
        "no channel for this report: set discord.report_channel"
    );
    let contact = ctx.settings.contact.as_deref().map(|contact| ctx.words.contact(contact));
    let lines: Vec<String> = [ctx.words.word("report-nowhere")].into_iter().chain(contact).collect();
    OutgoingMessage::text(lines.join("\n"))
}

/// Returns the context for the operator, who reads the default language.
fn operator_context(ctx: &Context) -> Context {
    ctx.with(ctx.languages.default_language(), ctx.display.clone())
}

async fn posted(
    ctx: &Context,
    interaction: &Interaction,
    draft: &ReportDraft,
    channel: ChannelId,
) -> Result<(), DiscordError> {
    let post = OutgoingMessage::text(clip(&content(ctx, interaction, draft).await, MAX_CONTENT_CHARS));
    let nonce = format!("r{}", interaction.token.id);
    let posted = ctx.post_in(channel, &post, &nonce).await;
    posted.map(drop).inspect_err(|fault| tracing::warn!(%channel, %fault, "could not deliver a report"))
}

/// Builds the text of a report. It pings nobody, because mentions ping only people in the message's list of
/// pings.
async fn content(ctx: &Context, interaction: &Interaction, draft: &ReportDraft) -> String {
    let words = ctx.words;
    let place = match interaction.place.guild {
        Some(_) => format!("<#{}>", interaction.place.channel),
        None => words.word("report-where-dm"),
    };
    let mut lines =
        vec![words.say("report-head", &[("who", person(draft.who).into()), ("where", place.into())])];
    lines.extend(draft.about.map(|who| words.say("report-about", &[("who", person(who).into())])));
    if let Some(table) = &draft.table {
        let game = words.game(&table.terms().game);
        let args = [("game", game.into()), ("table", table.id().to_string().into())];
        lines.push(words.say("report-table", &args));
        lines.extend(link(ctx, table).await.map(|link| words.say("report-board", &[("link", link.into())])));
    }
    lines.extend(escaped(&draft.text).lines().map(|line| format!("> {line}")));
    lines.join("\n")
}

/// Returns the link to the latest board of a server's table.
async fn link(ctx: &Context, table: &Table) -> Option<String> {
    let guild = table.terms().guild?;
    let board = rookery_table::OutboxItem::Board { ply: table.ply() };
    let posted = ctx.registry.journal().posted(table.id(), &board).await.ok()??;
    Some(format!("https://discord.com/channels/{guild}/{}/{}", posted.channel, posted.message))
}
