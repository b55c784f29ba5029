//! Messages that are kept up to date: a lobby, a TV channel's board, the state of a vote.
//!
//! Discord allows few edits of messages older than an hour. So a recent message is edited; an older one is
//! replaced by a new message and deleted.

use crate::discord::state::context::Context;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::snowflake::written_at;
use jiff::SignedDuration;
use rookery_table::{ChannelId, MessageId};

/// The maximum age at which a message is still edited: Discord allows few edits of messages older than an
/// hour.
const FRESH: SignedDuration = SignedDuration::from_mins(50);

/// Returns whether a message is recent enough to be edited without Discord's limit for old messages.
pub(in crate::discord) fn is_fresh(ctx: &Context, message: MessageId) -> bool {
    ctx.registry.now().duration_since(written_at(message)) <= FRESH
}

/// Updates a message in a channel: awaits `edit` while the message is recent, or `repost` if it is older or was
/// deleted. Returns the result of `repost`, if it ran. The other future is never polled.
///
/// # Errors
/// The error of the edit, unless the message is gone, or that of the new post. The old message then stays.
pub(in crate::discord) async fn update_or_repost<T>(
    ctx: &Context,
    (channel, message): (ChannelId, MessageId),
    edit: impl Future<Output = Result<(), DiscordError>>,
    repost: impl Future<Output = Result<Option<T>, DiscordError>>,
) -> Result<Option<T>, DiscordError> {
    if is_fresh(ctx, message) {
        return match edit.await {
            Ok(()) => Ok(None),
            // If the channel is gone as well, posting fails with the same error.
            Err(DiscordError::NotFound { .. }) => repost.await,
            Err(fault) => Err(fault),
        };
    }
    let posted = repost.await?;
    if posted.is_some() {
        delete_message(ctx, channel, message).await;
    }
    Ok(posted)
}

/// Updates the only message of its kind in a channel, or posts it if there is none yet. Returns the id of the
/// current message.
///
/// # Errors
/// As [`update_or_repost`].
pub(in crate::discord) async fn update_or_post(
    ctx: &Context,
    channel: ChannelId,
    shown: Option<MessageId>,
    post: &OutgoingMessage,
    nonce: &str,
) -> Result<MessageId, DiscordError> {
    let repost = ctx.api.post(channel, post, Some(nonce));
    let Some(message) = shown else { return repost.await };
    let edit = ctx.api.edit(channel, message, post);
    let posted = update_or_repost(ctx, (channel, message), edit, async { repost.await.map(Some) }).await?;
    Ok(posted.unwrap_or(message))
}

/// Deletes a message of the bot. A failure is only logged, because a leftover message does no harm.
pub(in crate::discord) async fn delete_message(ctx: &Context, channel: ChannelId, message: MessageId) {
    if let Err(fault) = ctx.api.delete(channel, message).await {
        tracing::info!(%channel, %message, %fault, "could not delete an old message");
    }
}
