//! The message that a server keeps in its channel for games: the welcome message, or before a channel is chosen the
//! question which one it is. The journal's notes store where it is, so that a restart finds it again.
//!
//! It is posted once. Later it is only edited, and a message that somebody deleted stays deleted until a manager
//! chooses a channel again.

use jiff::Timestamp;
use rookery_table::digest::sha256_hex;
use rookery_table::ports::StoreError;
use rookery_table::{ChannelId, GuildId, MessageId};
use serde::{Deserialize, Serialize};

use crate::discord::actions::live_message;
use crate::discord::state::context::Context;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::limits::MAX_NONCE_CHARS;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::snowflake::{CLOCK_MARGIN, first_id};

/// The message in a server's channel for games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::discord) struct WelcomeState {
    channel: ChannelId,
    /// Whether it asks for the channel; otherwise it is the welcome message.
    question: bool,
    /// When the channel was chosen: the message cannot be older.
    #[serde(rename = "since_ms", with = "rookery_table::millis::moment")]
    since: Timestamp,
    /// The message and the digest of its content, once it is posted.
    message: Option<(MessageId, String)>,
    /// Whether no message is kept: it was deleted, or none was ever asked for.
    gone: bool,
}

impl WelcomeState {
    fn new(channel: ChannelId, question: bool, since: Timestamp) -> WelcomeState {
        WelcomeState { channel, question, since, message: None, gone: false }
    }
}

/// Chooses the channel for the welcome message, or none. The message in the previous channel is deleted, and the
/// welcome posted in the new one, also if that is the same.
///
/// # Errors
/// If the choice cannot be stored; nothing has changed then.
pub(in crate::discord) async fn choose(
    ctx: &Context,
    guild: GuildId,
    channel: Option<ChannelId>,
) -> Result<(), StoreError> {
    let old = {
        let _writing = ctx.welcomes.writes.lock().await;
        let old = read(ctx, guild).await?;
        ctx.registry.preferences_cache().change_server(guild, |server| server.welcome = channel).await?;
        let none = WelcomeState { gone: true, ..WelcomeState::new(ChannelId(0), false, ctx.registry.now()) };
        let new = channel.map_or(none, |channel| WelcomeState::new(channel, false, ctx.registry.now()));
        keep(ctx, guild, &new).await?;
        old
    };
    if let Some((old, (message, _))) = old.and_then(|old| Some((old.channel, old.message?))) {
        live_message::delete_message(ctx, old, message).await;
    }
    ctx.welcomes.add(guild);
    Ok(())
}

/// Asks in a channel of a new server which one is for games, unless the server keeps a message already.
pub(in crate::discord) async fn ask(
    ctx: &Context,
    guild: GuildId,
    channel: ChannelId,
) -> Result<(), StoreError> {
    begin(ctx, guild, &WelcomeState::new(channel, true, ctx.registry.now())).await
}

/// Records that a server keeps no message, unless it does.
pub(in crate::discord) async fn leave_out(ctx: &Context, guild: GuildId) -> Result<(), StoreError> {
    let none = WelcomeState::new(ChannelId(0), false, ctx.registry.now());
    begin(ctx, guild, &WelcomeState { gone: true, ..none }).await
}

async fn begin(ctx: &Context, guild: GuildId, state: &WelcomeState) -> Result<(), StoreError> {
    let _writing = ctx.welcomes.writes.lock().await;
    if read(ctx, guild).await?.is_none() {
        keep(ctx, guild, state).await?;
        ctx.welcomes.add(guild);
    }
    Ok(())
}

/// Whether the server keeps such a message, or was left out.
pub(in crate::discord) async fn is_known(ctx: &Context, guild: GuildId) -> Result<bool, StoreError> {
    Ok(read(ctx, guild).await?.is_some())
}

/// Forgets what a server keeps, because the bot was removed from it.
pub(in crate::discord) async fn forget(ctx: &Context, guild: GuildId) -> Result<(), StoreError> {
    let _writing = ctx.welcomes.writes.lock().await;
    if read(ctx, guild).await?.is_some() {
        ctx.registry.journal().store_note(&key(guild), "").await?;
        ctx.registry.preferences_cache().change_server(guild, |server| server.welcome = None).await?;
    }
    Ok(())
}

/// Posts or edits the message of a server, if it differs from what is there.
///
/// # Errors
/// If Discord or the journal fails.
pub(in crate::discord) async fn refresh(ctx: &Context, guild: GuildId) -> Result<(), DiscordError> {
    let _writing = ctx.welcomes.writes.lock().await;
    let state = read(ctx, guild).await.map_err(outage)?;
    let Some(state) = state.filter(|state| !state.gone) else { return Ok(()) };
    let for_server = ctx.for_server(guild).await;
    let post = match state.question {
        true => for_server.view().welcome_question(state.channel),
        false => for_server.view().welcome_message(),
    };
    // The picture is no part of the JSON, but follows the theme.
    let digest = sha256_hex(&format!("{} {:?}", post.json(None), post.picture));
    let message = match &state.message {
        Some((_, same)) if *same == digest => return Ok(()),
        Some((message, _)) => match ctx.api.edit(state.channel, *message, &post).await {
            Ok(()) => Some(*message),
            Err(DiscordError::NotFound { .. }) => None,
            Err(fault) => return Err(fault),
        },
        None => Some(post_once(ctx, guild, &state, &post).await?),
    };
    let state =
        WelcomeState { message: message.map(|message| (message, digest)), gone: message.is_none(), ..state };
    keep(ctx, guild, &state).await.map_err(outage)
}

/// Posts the message, unless an earlier attempt did whose response was lost.
async fn post_once(
    ctx: &Context,
    guild: GuildId,
    state: &WelcomeState,
    post: &OutgoingMessage,
) -> Result<MessageId, DiscordError> {
    let own: Vec<&str> = post.rows.iter().flatten().map(|part| part.id()).collect();
    let page = match ctx.api.messages(state.channel, Some(first_id(state.since - CLOCK_MARGIN))).await {
        Err(fault) if fault.is_temporary() => return Err(fault),
        // Posting will fail with the same error, or the bot may post but not read.
        page => page.unwrap_or_default(),
    };
    let is_own = |ids: &[String]| own.iter().all(|id| ids.iter().any(|known| known == id));
    let mut sent = page.messages.iter().filter(|it| it.author == ctx.me());
    if let Some(found) = sent.find(|it| is_own(&it.custom_ids)) {
        return Ok(found.id);
    }
    let nonce = sha256_hex(&format!("{guild} {} {}", state.channel, state.since));
    ctx.api.post(state.channel, post, Some(&nonce[..MAX_NONCE_CHARS])).await
}

fn outage(error: StoreError) -> DiscordError {
    DiscordError::Outage(error.to_string())
}

async fn read(ctx: &Context, guild: GuildId) -> Result<Option<WelcomeState>, StoreError> {
    let note = ctx.registry.journal().note(&key(guild)).await?;
    Ok(note.and_then(|note| serde_json::from_str(&note).ok()))
}

async fn keep(ctx: &Context, guild: GuildId, state: &WelcomeState) -> Result<(), StoreError> {
    let note = serde_json::to_string(state).map_err(|error| StoreError::Backend(error.to_string()))?;
    ctx.registry.journal().store_note(&key(guild), &note).await
}

/// Returns the key of the note about a server's message.
fn key(guild: GuildId) -> String {
    format!("welcome-{guild}")
}
