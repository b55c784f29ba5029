//! `/rookery`: what the operators of the bot may do, in the server that `discord.owner_server` names.

use async_trait::async_trait;
use jiff::SignedDuration;
use serde_json::{Value, json};

use rookery_i18n::{Localizer, relative};
use rookery_table::ports::StoreError;
use rookery_table::registry::{BotStatus, MAX_COUNTED};

use super::command::{Command, RegisteredCommand, describe};
use super::option_types::TextUpTo;
use super::options::{CommandOptions, NoOptions, command_options};
use crate::discord::actions::announcement::{self, Confirmed};
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage};
use crate::discord::wire::owner_id::OwnerAction;

/// Discord's permission bit ADMINISTRATOR.
const ADMINISTRATOR: u64 = 1 << 3;
/// The most processes that are listed; the others are counted.
const MAX_LISTED: usize = 15;
/// The longest announcement, in characters: with its heading it fits into one message.
const MAX_TEXT: usize = 1_800;
/// The number of bytes in a megabyte.
const MEGABYTE: f64 = 1e6;

pub(super) struct Owner;

/// The command. It isn't in the list of all, because other servers don't have it.
pub(super) static COMMAND: &dyn RegisteredCommand = &Owner;

command_options! {
    pub(super) struct AnnounceOptions {
        text: TextUpTo<MAX_TEXT> = "text", "command-rookery-announce-text";
    }
}

command_options! {
    pub(super) enum OwnerOptions otherwise Status {
        Status(NoOptions) = "status", "command-rookery-status";
        Drain(NoOptions) = "drain", "command-rookery-drain";
        Pause(NoOptions) = "pause", "command-rookery-pause";
        Announce(AnnounceOptions) = "announce", "command-rookery-announce";
        Backup(NoOptions) = "backup", "command-rookery-backup";
    }
}

impl OwnerOptions {
    /// Returns the name of the subcommand, for the log: it contains nothing that people wrote.
    fn word(&self) -> &'static str {
        match self {
            OwnerOptions::Status(_) => "status",
            OwnerOptions::Drain(_) => "drain",
            OwnerOptions::Pause(_) => "pause",
            OwnerOptions::Announce(_) => "announce",
            OwnerOptions::Backup(_) => "backup",
        }
    }
}

/// Returns the registration of the command for one server.
pub(super) fn registration(words: &Localizer) -> Value {
    json!({
        "name": COMMAND.name(),
        "description": describe(words, COMMAND.name()),
        "type": 1,
        "options": OwnerOptions::register(words),
        "default_member_permissions": ADMINISTRATOR,
    })
}

/// Carries the command out for administrators of the operators' server. A server can show the command to others, and a
/// former server may still have it.
pub(super) async fn run(ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage {
    match refusal_to_others(ctx, interaction) {
        Some(post) => post,
        None => COMMAND.run(ctx, interaction, &input.options).await,
    }
}

/// Carries out a press of a button of `/rookery`.
pub async fn pressed(ctx: &Context, interaction: &Interaction, action: OwnerAction) -> OutgoingMessage {
    if let Some(post) = refusal_to_others(ctx, interaction) {
        return post;
    }
    let confirmed = match action {
        OwnerAction::Announce(draft) => announcement::confirm(ctx, draft).await,
        OwnerAction::Cancel => return OutgoingMessage::text(ctx.words.word("owner-announce-cancelled")),
    };
    tracing::info!(who = ?interaction.who, ?confirmed, "an operator's announcement");
    let key = match confirmed {
        Ok(Confirmed::Begun) => {
            ctx.announced.notify_one();
            "owner-announce-begun"
        }
        Ok(Confirmed::Repeated) => "owner-announce-repeated",
        Ok(Confirmed::Busy) => "owner-announce-busy",
        Ok(Confirmed::Outdated) => "owner-announce-outdated",
        Err(error) => {
            tracing::error!(%error, "an announcement is not stored");
            "denied-journal"
        }
    };
    OutgoingMessage::text(ctx.words.word(key))
}

/// Returns the refusal for everybody but administrators of the operators' server.
fn refusal_to_others(ctx: &Context, interaction: &Interaction) -> Option<OutgoingMessage> {
    let here = interaction.place.guild;
    let is_theirs = here.is_some() && here == ctx.settings.owner_server;
    let is_allowed = is_theirs && interaction.administers;
    (!is_allowed).then(|| OutgoingMessage::text(ctx.words.word("owner-not-yours")))
}

#[async_trait]
impl Command for Owner {
    type Input = OwnerOptions;

    fn name(&self) -> &'static str {
        "rookery"
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: OwnerOptions) -> OutgoingMessage {
        tracing::info!(who = ?interaction.who, command = input.word(), "an operator's command");
        let answer = match input {
            OwnerOptions::Status(_) => status(ctx).await.map(OutgoingMessage::text),
            OwnerOptions::Drain(_) => drain(ctx).await.map(OutgoingMessage::text),
            OwnerOptions::Pause(_) => pause(ctx).await.map(OutgoingMessage::text),
            OwnerOptions::Announce(options) => ask_to_announce(ctx, interaction, &options.text.0).await,
            OwnerOptions::Backup(_) => Ok(OutgoingMessage::text(back_up(ctx).await)),
        };
        answer.unwrap_or_else(|error| {
            tracing::error!(%error, "an operator's command came to nothing");
            OutgoingMessage::text(ctx.words.word("denied-journal"))
        })
    }
}

/// Shows an announcement as it will look, and asks for a confirmation.
async fn ask_to_announce(
    ctx: &Context,
    interaction: &Interaction,
    text: &str,
) -> Result<OutgoingMessage, StoreError> {
    let (words, text) = (ctx.words, text.trim());
    if text.is_empty() {
        return Ok(OutgoingMessage::text(words.word("owner-announce-empty")));
    }
    let id = interaction.token.id;
    let servers = announcement::draft(ctx, id, text).await?;
    if servers == 0 {
        return Ok(OutgoingMessage::text(words.word("owner-announce-nobody")));
    }
    let shown = words.say("announcement", &[("text", text.into())]);
    let question = words.say("owner-announce-sure", &[("count", servers.into())]);
    let send = words.say("button-owner-announce", &[("count", servers.into())]);
    Ok(OutgoingMessage::text(format!("{question}\n\n{shown}")).row([
        Component::button(send, ButtonStyle::Danger, OwnerAction::Announce(id).id()),
        Component::button(
            words.word("button-owner-cancel"),
            ButtonStyle::Secondary,
            OwnerAction::Cancel.id(),
        ),
    ]))
}

async fn drain(ctx: &Context) -> Result<String, StoreError> {
    let is_draining = ctx.registry.toggle_drain().await?;
    Ok(ctx.words.word(if is_draining { "owner-drain-on" } else { "owner-drain-off" }))
}

async fn pause(ctx: &Context) -> Result<String, StoreError> {
    Ok(match ctx.registry.toggle_pause().await? {
        None => ctx.words.word("owner-pause-on"),
        Some(length) => ctx.words.say("owner-pause-off", &[("time", ctx.words.length(length).into())]),
    })
}

async fn back_up(ctx: &Context) -> String {
    let Some(backups) = &ctx.backups else { return ctx.words.word("owner-backup-off") };
    match backups.back_up(ctx.registry.now()).await {
        Ok(made) => {
            let size = format!("{:.1}", made.bytes as f64 / MEGABYTE);
            let file = made.path.display().to_string();
            ctx.words.say("owner-backup-done", &[("file", file.into()), ("size", size.into())])
        }
        Err(why) => {
            tracing::error!(why, "the backup of an operator failed");
            ctx.words.say("owner-backup-failed", &[("why", why.into())])
        }
    }
}

async fn status(ctx: &Context) -> Result<String, StoreError> {
    let status = ctx.registry.status().await?;
    let words = ctx.words;
    let store = if ctx.registry.cluster().is_some() { "PostgreSQL" } else { "SQLite" };
    let mut lines = vec![
        words.say("owner-status", &[("version", env!("CARGO_PKG_VERSION").into()), ("store", store.into())]),
    ];
    lines.push(words.say("owner-status-games", &[("count", counted(status.open_tables).into())]));
    lines.push(waiting_messages(ctx, &status));
    lines.push(words.say("owner-status-turns", &[("count", status.owed_turns.into())]));
    lines.push(shards(words, &status));
    lines.extend(processes(words, &status));
    if ctx.registry.is_draining() {
        lines.push(words.word("owner-status-draining"));
    }
    if let Some(since) = ctx.registry.paused_since() {
        lines.push(words.say("owner-status-paused", &[("since", relative(since).into())]));
    }
    Ok(lines.join("\n"))
}

/// Formats a count that ends at [`MAX_COUNTED`].
fn counted(count: usize) -> String {
    if count < MAX_COUNTED { count.to_string() } else { format!("{MAX_COUNTED}+") }
}

fn waiting_messages(ctx: &Context, status: &BotStatus) -> String {
    let count = ("count", counted(status.due_items).into());
    match status.oldest_due {
        Some(since) if status.due_items > 0 => {
            let age = ctx.registry.now().duration_since(since).max(SignedDuration::ZERO);
            ctx.words.say("owner-status-late", &[count, ("time", ctx.words.length(age).into())])
        }
        _ => ctx.words.say("owner-status-messages", &[count]),
    }
}

fn shards(words: &Localizer, status: &BotStatus) -> String {
    if status.silent_shards.is_empty() {
        return words.say("owner-status-shards", &[("count", status.shards.into())]);
    }
    let silent: Vec<String> = status.silent_shards.iter().take(MAX_LISTED).map(u32::to_string).collect();
    let args = [
        ("count", status.shards.into()),
        ("silent", status.silent_shards.len().into()),
        ("numbers", silent.join(", ").into()),
    ];
    words.say("owner-status-silent", &args)
}

fn processes(words: &Localizer, status: &BotStatus) -> Vec<String> {
    if status.processes.is_empty() {
        return vec![words.word("owner-status-alone")];
    }
    let all = status.processes.len();
    let mut lines = vec![words.say("owner-status-processes", &[("count", all.into())])];
    lines.extend(status.processes.iter().take(MAX_LISTED).map(|process| format!("- {}", process.name)));
    if all > MAX_LISTED {
        lines.push(words.say("owner-status-more", &[("more", (all - MAX_LISTED).into())]));
    }
    lines
}
