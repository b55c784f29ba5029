//! Looks for messages that the bot has posted: a nonce keeps Discord from accepting one twice only for some minutes.

use jiff::SignedDuration;
use rookery_table::{ChannelId, MessageId, UserId};

use crate::discord::state::context::Context;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::sent_message::SentMessage;

/// How long after a message may have been posted its nonce is relied on.
pub(in crate::discord) const NONCE_TRUSTED: SignedDuration = SignedDuration::from_mins(1);
/// The most pages of messages that are searched.
const MAX_PAGES: usize = 5;

/// Searches the bot's own messages after another, the oldest first; without one, the latest.
///
/// # Errors
/// If Discord doesn't answer, or refuses.
pub(in crate::discord) async fn find(
    ctx: &Context,
    channel: ChannelId,
    mut after: Option<MessageId>,
    is_it: impl Fn(&SentMessage) -> bool,
) -> Result<Option<MessageId>, DiscordError> {
    let me = UserId(ctx.me().0);
    for _ in 0..MAX_PAGES {
        let page = ctx.api.messages(channel, after).await?;
        if let Some(found) = page.messages.iter().find(|it| it.author == me && is_it(it)) {
            return Ok(Some(found.id));
        }
        match page.messages.iter().map(|it| it.id).max() {
            Some(last) if page.is_full && after.is_some() => after = Some(last),
            _ => break,
        }
    }
    Ok(None)
}

/// Whether two messages begin with the same line, which isn't empty.
pub(in crate::discord) fn have_same_first_line(one: &str, other: &str) -> bool {
    let first_line = |content: &str| content.lines().next().unwrap_or_default().to_owned();
    !one.is_empty() && first_line(one) == first_line(other)
}
