//! The message of a lobby, kept in the journal's notes.

use crate::discord::actions::live_message;
use crate::discord::state::context::Context;
use rookery_table::{ChannelId, GuildId, MessageId};

/// Takes the lobby that stands in a channel away, so that it is posted anew if it is to stand there.
pub(in crate::discord) async fn take_down(ctx: &Context, guild: GuildId, channel: ChannelId) {
    let (journal, note) = (ctx.registry.journal(), note(channel));
    let kept = journal.note(&note).await.ok().flatten();
    if let Some((message, _)) = kept.as_deref().and_then(read_note) {
        live_message::delete_message(ctx, channel, message).await;
        if let Err(error) = journal.keep_note(&note, "").await {
            tracing::warn!(%error, %channel, "a lobby is not posted anew before something changes in it");
        }
    }
    // The server is looked at afresh, whatever it looked like at the last look.
    ctx.channel_access.forget(guild, Some(channel));
}

/// Under which name the message of a channel's lobby is kept, with what tells it from others.
pub(in crate::discord) fn note(channel: ChannelId) -> String {
    format!("lobby:{channel}")
}

pub(in crate::discord) fn read_note(note: &str) -> Option<(MessageId, &str)> {
    let (message, digest) = note.split_once(' ')?;
    Some((message.parse().ok()?, digest))
}
