//! Messages that stay and are brought up to date: a lobby, a television, the tally of a vote.
//!
//! Discord allows few changes of messages older than an hour. One is changed in its place while it is young;
//! then it is posted anew, and the old one taken away.

use crate::discord::state::context::Context;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::snowflake::written_at;
use jiff::SignedDuration;
use rookery_table::{ChannelId, MessageId};

/// How old a message may be to be edited still: Discord allows few edits of messages older than
/// an hour.
const FRESH: SignedDuration = SignedDuration::from_mins(50);

/// Whether a message is young enough to be changed as often as one likes.
pub(in crate::discord) fn is_fresh(ctx: &Context, message: MessageId) -> bool {
    ctx.registry.now().duration_since(written_at(message)) <= FRESH
}

/// Brings a message in a channel up to date: by `edit` while it is young, else, or where somebody has taken it
/// away, by `anew`; only one of them is asked for anything. What was posted anew, if anything was.
///
/// # Errors
/// Those of the edit, but that the message is gone; those of the new post. The old message is left alone then.
pub(in crate::discord) async fn update_or_repost<T>(
    ctx: &Context,
    (channel, message): (ChannelId, MessageId),
    edit: impl Future<Output = Result<(), DiscordError>>,
    anew: impl Future<Output = Result<Option<T>, DiscordError>>,
) -> Result<Option<T>, DiscordError> {
    if is_fresh(ctx, message) {
        return match edit.await {
            Ok(()) => Ok(None),
            // If it is the channel that is gone, the post will say so.
            Err(DiscordError::NotFound { .. }) => anew.await,
            Err(fault) => Err(fault),
        };
    }
    let posted = anew.await?;
    if posted.is_some() {
        delete_message(ctx, channel, message).await;
    }
    Ok(posted)
}

/// Brings the one message of its kind in a channel up to date, or posts it where there is none yet; the message
/// that it is now.
///
/// # Errors
/// As `renew`.
pub(in crate::discord) async fn update_or_post(
    ctx: &Context,
    channel: ChannelId,
    shown: Option<MessageId>,
    post: &OutgoingMessage,
    nonce: &str,
) -> Result<MessageId, DiscordError> {
    let anew = ctx.api.post(channel, post, Some(nonce));
    let Some(message) = shown else { return anew.await };
    let edit = ctx.api.edit(channel, message, post);
    let posted = update_or_repost(ctx, (channel, message), edit, async { anew.await.map(Some) }).await?;
    Ok(posted.unwrap_or(message))
}

/// Takes a message of ours away. One that stays is a blemish and no more.
pub(in crate::discord) async fn delete_message(ctx: &Context, channel: ChannelId, message: MessageId) {
    if let Err(fault) = ctx.api.delete(channel, message).await {
        tracing::info!(%channel, %message, %fault, "an old message stays");
    }
}
