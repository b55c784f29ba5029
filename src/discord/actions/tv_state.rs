//! Where a server's TV channel is and what it shows, kept in the journal's notes.

use jiff::Timestamp;
use rookery_table::TableId;
use rookery_table::ports::StoreError;
use rookery_table::{ChannelId, GuildId, MessageId};
use serde::{Deserialize, Serialize};

use crate::discord::actions::live_message;
use crate::discord::state::context::Context;

/// The key of the note with the servers that have a TV channel.
pub(in crate::discord) const ALL_NOTE: &str = "tv";

/// The TV channel of a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::discord) struct TvState {
    pub(in crate::discord) channel: ChannelId,
    /// The message with the board, if it is posted.
    pub(in crate::discord) message: Option<MessageId>,
    /// The board that the message shows.
    pub(in crate::discord) shown: Option<ShownBoard>,
    /// The earliest time of the next update.
    #[serde(rename = "next_ms", with = "rookery_table::millis::moment")]
    pub(in crate::discord) next_due: Timestamp,
}

/// The content of the TV message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::discord) enum ShownBoard {
    /// No game is running.
    Nothing,
    /// A table as of the journal entry with this number.
    Game(TableId, u64),
}

/// Sets or removes the TV channel of a server, and deletes the message in the previous one.
pub(in crate::discord) async fn set_channel(
    ctx: &Context,
    guild: GuildId,
    channel: Option<ChannelId>,
) -> Result<(), StoreError> {
    let old = {
        let _writing = ctx.tv_writes.lock().await;
        let old = read(ctx, guild).await?;
        let new = channel.map(|channel| TvState {
            channel,
            message: None,
            shown: None,
            next_due: Timestamp::UNIX_EPOCH,
        });
        keep(ctx, guild, new).await?;
        let mut all = all(ctx).await?;
        all.retain(|known| *known != guild);
        all.extend(channel.map(|_| guild));
        ctx.registry.journal().store_note(ALL_NOTE, &written(&all)?).await?;
        old
    };
    if let Some(old) = old {
        take_down(ctx, &old).await;
    }
    Ok(())
}

/// Replaces the state of a server's TV channel unless it has changed since it was read; returns whether it
/// did. [`set_channel`] may run at the same time and takes precedence.
pub(in crate::discord) async fn replace(
    ctx: &Context,
    guild: GuildId,
    expected: &TvState,
    new: TvState,
) -> Result<bool, StoreError> {
    let _writing = ctx.tv_writes.lock().await;
    if read(ctx, guild).await?.as_ref() != Some(expected) {
        return Ok(false);
    }
    keep(ctx, guild, Some(new)).await?;
    Ok(true)
}

/// Deletes the TV message, if there is one.
pub(in crate::discord) async fn take_down(ctx: &Context, set: &TvState) {
    if let Some(message) = set.message {
        live_message::delete_message(ctx, set.channel, message).await;
    }
}

pub(in crate::discord) async fn all(ctx: &Context) -> Result<Vec<GuildId>, StoreError> {
    let note = ctx.registry.journal().note(ALL_NOTE).await?;
    Ok(note.and_then(|note| serde_json::from_str(&note).ok()).unwrap_or_default())
}

pub(in crate::discord) async fn read(ctx: &Context, guild: GuildId) -> Result<Option<TvState>, StoreError> {
    let note = ctx.registry.journal().note(&key(guild)).await?;
    Ok(note.and_then(|note| serde_json::from_str(&note).ok()).flatten())
}

async fn keep(ctx: &Context, guild: GuildId, set: Option<TvState>) -> Result<(), StoreError> {
    ctx.registry.journal().store_note(&key(guild), &written(&set)?).await
}

pub(in crate::discord) fn written(what: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(what).map_err(|error| StoreError::Backend(error.to_string()))
}

pub(in crate::discord) fn key(guild: GuildId) -> String {
    format!("tv-{guild}")
}
