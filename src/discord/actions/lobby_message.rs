//! The message of a lobby, whose id is kept in the journal's notes.

use crate::discord::actions::live_message;
use crate::discord::state::context::Context;
use rookery_table::{ChannelId, GuildId, MessageId};

/// Deletes the lobby message of a channel, so that a new one is posted if the channel still has a lobby.
pub(in crate::discord) async fn take_down(ctx: &Context, guild: GuildId, channel: ChannelId) {
    let (journal, note) = (ctx.registry.journal(), note(channel));
    let kept = journal.note(&note).await.ok().flatten();
    if let Some((message, _)) = kept.as_deref().and_then(read_note) {
        live_message::delete_message(ctx, channel, message).await;
        if let Err(error) = journal.store_note(&note, "").await {
            tracing::warn!(%error, %channel, "a lobby is gone; it is posted again at its next change");
        }
    }
    // This counts as a change, so that the next check updates the server's lobby.
    ctx.channel_access.forget(guild, Some(channel));
}

/// Returns the key of the note with the id and the digest of a channel's lobby message.
pub(in crate::discord) fn note(channel: ChannelId) -> String {
    format!("lobby:{channel}")
}

pub(in crate::discord) fn read_note(note: &str) -> Option<(MessageId, &str)> {
    let (message, digest) = note.split_once(' ')?;
    Some((message.parse().ok()?, digest))
}
