//! Announcements of the operators to every server with running games. The draft, the text and how far it has got are
//! notes of the journal, so that a process that ends leaves the rest to the next one.
//!
//! A server that may have got the message is never tried again later than its nonce lives: once too often is worse than
//! once too few.

use futures_util::TryStreamExt;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use rookery_i18n::clip;
use rookery_table::digest::sha256_hex;
use rookery_table::millis;
use rookery_table::ports::{Filter, Stage, StoreError, walk_pages};
use rookery_table::{ChannelId, GuildId, SourceId};

use crate::discord::state::context::Context;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::limits::{MAX_CONTENT_CHARS, MAX_NONCE_CHARS};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The keys of the notes.
const DRAFT_NOTE: &str = "announcement-draft";
const NOTE: &str = "announcement";
/// How long after an attempt its nonce is relied on.
const NONCE_TRUSTED: SignedDuration = SignedDuration::from_mins(1);

/// A text that an operator has not confirmed yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Draft {
    id: SourceId,
    text: String,
}

/// A confirmed announcement, and how far it has got.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::discord) struct Announcement {
    id: SourceId,
    text: String,
    /// The last server that is done with; servers follow by ascending id.
    after: Option<GuildId>,
    /// The server that is being tried, since this moment.
    trying: Option<Attempt>,
    /// The servers that got the message, and those that could not.
    sent: usize,
    failed: usize,
    is_done: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Attempt {
    guild: GuildId,
    #[serde(rename = "since_ms", with = "millis::moment")]
    since: Timestamp,
}

/// What becomes of a confirmed draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discord) enum Confirmed {
    /// It is being sent.
    Begun,
    /// It was confirmed before.
    Repeated,
    /// Another announcement is still being sent.
    Busy,
    /// A later draft has replaced it.
    Outdated,
}

/// Stores a draft in place of an earlier one; returns the number of servers that would get it.
pub(in crate::discord) async fn draft(ctx: &Context, id: SourceId, text: &str) -> Result<usize, StoreError> {
    let journal = ctx.registry.journal();
    let servers = recipients(ctx).await?.len();
    journal.store_note(DRAFT_NOTE, &to_note(&Draft { id, text: text.to_owned() })).await?;
    Ok(servers)
}

/// Begins to send a draft, unless it was begun before.
pub(in crate::discord) async fn confirm(ctx: &Context, id: SourceId) -> Result<Confirmed, StoreError> {
    let journal = ctx.registry.journal();
    match current(ctx).await? {
        Some(sent) if sent.id == id => return Ok(Confirmed::Repeated),
        Some(sent) if !sent.is_done => return Ok(Confirmed::Busy),
        _ => {}
    }
    let draft: Option<Draft> =
        journal.note(DRAFT_NOTE).await?.and_then(|note| serde_json::from_str(&note).ok());
    let Some(Draft { text, .. }) = draft.filter(|draft| draft.id == id) else {
        return Ok(Confirmed::Outdated);
    };
    let announcement =
        Announcement { id, text, after: None, trying: None, sent: 0, failed: 0, is_done: false };
    journal.store_note(NOTE, &to_note(&announcement)).await?;
    Ok(Confirmed::Begun)
}

/// Whether an announcement is being sent.
pub(in crate::discord) async fn is_pending(ctx: &Context) -> Result<bool, StoreError> {
    Ok(current(ctx).await?.is_some_and(|announcement| !announcement.is_done))
}

/// Returns the servers with running games, by ascending id.
pub(in crate::discord) async fn recipients(ctx: &Context) -> Result<Vec<GuildId>, StoreError> {
    let journal = ctx.registry.journal();
    let mut servers: Vec<GuildId> = walk_pages(|page| journal.servers_playing(page)).try_collect().await?;
    servers.sort_unstable();
    Ok(servers)
}

/// Tries the next of these servers, by ascending id, for the announcement that is being sent. Returns whether there may
/// be more to do.
pub(in crate::discord) async fn send_next(ctx: &Context, servers: &[GuildId]) -> Result<bool, StoreError> {
    let journal = ctx.registry.journal();
    let Some(mut announcement) = current(ctx).await?.filter(|it| !it.is_done) else { return Ok(false) };
    let after = announcement.after;
    let Some(guild) = servers.iter().copied().find(|guild| after.is_none_or(|after| *guild > after)) else {
        tracing::info!(sent = announcement.sent, failed = announcement.failed, "an announcement is sent");
        announcement.is_done = true;
        journal.store_note(NOTE, &to_note(&announcement)).await?;
        return Ok(false);
    };
    let now = ctx.registry.now();
    let attempt = announcement.trying.filter(|attempt| attempt.guild == guild);
    let attempt = attempt.unwrap_or(Attempt { guild, since: now });
    if announcement.trying != Some(attempt) {
        announcement.trying = Some(attempt);
        journal.store_note(NOTE, &to_note(&announcement)).await?;
    }
    let may_repeat = now.duration_since(attempt.since) < NONCE_TRUSTED;
    match may_repeat {
        true => match post(ctx, guild, &announcement).await {
            Ok(()) => announcement.sent += 1,
            Err(fault @ DiscordError::RateLimited { .. }) => {
                tracing::info!(%guild, %fault, "an announcement waits");
                // Discord has certainly not posted it.
                announcement.trying = None;
                journal.store_note(NOTE, &to_note(&announcement)).await?;
                return Ok(true);
            }
            Err(fault) if fault.is_temporary() => {
                tracing::info!(%guild, %fault, "an announcement waits");
                return Ok(true);
            }
            Err(fault) => {
                tracing::warn!(%guild, %fault, "an announcement was refused");
                announcement.failed += 1;
            }
        },
        false => {
            tracing::warn!(%guild, "an announcement may be missing: Discord didn't answer");
            announcement.failed += 1;
        }
    }
    (announcement.after, announcement.trying) = (Some(guild), None);
    journal.store_note(NOTE, &to_note(&announcement)).await?;
    Ok(true)
}

/// Posts the announcement in the first channel of a server that takes it.
async fn post(ctx: &Context, guild: GuildId, announcement: &Announcement) -> Result<(), DiscordError> {
    let ctx = ctx.for_server(guild).await;
    let text = ctx.words.say("announcement", &[("text", announcement.text.as_str().into())]);
    let post = OutgoingMessage::text(clip(&text, MAX_CONTENT_CHARS));
    let mut refused = DiscordError::internal("the server has no channel for it");
    for channel in channels(&ctx, guild).await? {
        let digest = sha256_hex(&format!("{} {guild} {channel}", announcement.id));
        let nonce: String = format!("a{digest}").chars().take(MAX_NONCE_CHARS).collect();
        match ctx.post_in(channel, &post, &nonce).await {
            Ok(_) => return Ok(()),
            Err(fault) if fault.is_temporary() => return Err(fault),
            Err(fault) => refused = fault,
        }
    }
    Err(refused)
}

/// Returns the channels of a server for announcements, the best first: those that its managers chose, and the one where
/// the latest running game was opened.
async fn channels(ctx: &Context, guild: GuildId) -> Result<Vec<ChannelId>, DiscordError> {
    let server = ctx.registry.preferences_cache().server(Some(guild)).await;
    let latest = Filter { guild: Some(guild), stage: Some(Stage::Running), ..Filter::default() };
    let latest = ctx.registry.list(&latest, 1).await;
    let latest = latest.map_err(|error| DiscordError::Outage(error.to_string()))?;
    let opened_in = latest.first().and_then(|card| card.opened_in);
    let board_channel = latest.first().and_then(|card| card.board_channel).map(|it| it.channel);
    let chosen = server.welcome.into_iter().chain(server.lobby).chain(server.channels.iter().copied());
    let mut channels = Vec::new();
    for channel in chosen.chain(opened_in).chain(board_channel) {
        if !channels.contains(&channel) {
            channels.push(channel);
        }
    }
    Ok(channels)
}

async fn current(ctx: &Context) -> Result<Option<Announcement>, StoreError> {
    let Some(note) = ctx.registry.journal().note(NOTE).await? else { return Ok(None) };
    let read = serde_json::from_str(&note).map(Some);
    read.map_err(|error| StoreError::Backend(format!("the note {NOTE} cannot be read: {error}")))
}

fn to_note(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts and numbers always become JSON")
}
