//! Posting to channels, except to those that refused the bot recently.

use crate::discord::state::context::Context;
use crate::discord::state::refused_channels::may_be_partial_refusal;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use rookery_table::ports::AccessChange;
use rookery_table::{ChannelId, GuildId, MessageId};

impl Context {
    /// Drops cached permissions after a change of access, and tells the other processes.
    pub(in crate::discord) fn readers_changed(&self, guild: GuildId, channel: Option<ChannelId>) {
        let change = AccessChange { guild, channel };
        self.access_changed(change);
        // Without other processes nobody listens.
        let _ = self.own_access_changes.send(change);
    }

    /// Drops cached permissions, including the bot's own, after a change of access.
    pub(in crate::discord) fn access_changed(&self, change: AccessChange) {
        let AccessChange { guild, channel } = change;
        // This comes first, because it needs the parents of channels, which `forget` drops.
        self.refused_channels.forget_on(guild, channel);
        self.channel_access.forget(guild, channel);
        self.members.forget(guild);
        self.registry.outbox_wakeup().notify_one();
    }

    /// Posts in a channel that has not refused the bot recently, and returns the message's id. Within some
    /// minutes the same nonce returns the same message.
    ///
    /// # Errors
    /// If Discord rejects the message, or the channel refused the bot recently.
    pub(in crate::discord) async fn post_in(
        &self,
        channel: ChannelId,
        post: &OutgoingMessage,
        nonce: &str,
    ) -> Result<MessageId, DiscordError> {
        if self.refused_channels.has(channel) {
            return Err(DiscordError::NoAccess {
                code: 0,
                why: "this channel refused us a moment ago".into(),
            });
        }
        let asked_at = self.channel_access.grant_count();
        let sent = self.api.post(channel, post, Some(nonce)).await;
        if let Err(fault) = &sent
            && !may_be_partial_refusal(post, fault)
        {
            self.refused_channels.note(channel, fault, asked_at);
        }
        sent
    }
}
