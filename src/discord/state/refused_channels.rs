//! Channels that refused the bot recently. Discord bans addresses that keep asking, so nothing is posted or
//! edited there for a while, unless an event indicates that the bot now has permission.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::discord::state::channel_access::ChannelAccess;
use crate::discord::wire::error::{DiscordError, MISSING_PERMISSIONS, NO_HISTORY};
use crate::discord::wire::outgoing_message::OutgoingMessage;
use rookery_table::{ChannelId, GuildId};

/// How long the bot does not try again after a refusal.
pub(in crate::discord) const REFUSAL_PERIOD: Duration = Duration::from_secs(600);

/// The channels that refused the bot recently.
#[derive(Clone, Default)]
pub struct RefusedChannels {
    all: Arc<Mutex<HashMap<ChannelId, RefusedChannel>>>,
    /// Counts the events that may have given access.
    channel_access: ChannelAccess,
}

/// A refusal that is still in effect.
#[derive(Clone, Copy)]
struct RefusedChannel {
    until: Instant,
    /// The counter value of [`ChannelAccess`] when the refused request was sent.
    since: u64,
}

impl RefusedChannels {
    /// Creates an empty set.
    pub(in crate::discord) fn of(channel_access: &ChannelAccess) -> RefusedChannels {
        RefusedChannels { channel_access: channel_access.clone(), ..RefusedChannels::default() }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<ChannelId, RefusedChannel>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether the channel refused the bot recently.
    pub(in crate::discord) fn has(&self, channel: ChannelId) -> bool {
        self.since(channel).is_some()
    }

    /// Returns the counter value of [`ChannelAccess`] when the request was sent that the channel refused, to find out
    /// whether access may have been given since.
    pub(in crate::discord) fn since(&self, channel: ChannelId) -> Option<u64> {
        let mut all = self.all();
        all.retain(|_, shun| shun.until > Instant::now());
        all.get(&channel).map(|shun| shun.since)
    }

    /// Records the channel if the error is a refusal. `since` is the counter value of [`ChannelAccess`] when the request
    /// was sent: access may have been given while the answer was on its way.
    pub(in crate::discord) fn note(&self, channel: ChannelId, fault: &DiscordError, since: u64) {
        if matches!(fault, DiscordError::NoAccess { .. }) {
            let shun = RefusedChannel { until: Instant::now() + REFUSAL_PERIOD, since };
            self.all().insert(channel, shun);
        }
    }

    /// Removes a channel, because it may accept messages now.
    pub(in crate::discord) fn forget(&self, channel: ChannelId) {
        self.all().remove(&channel);
    }

    /// Removes all channels affected by a change in a channel, or, without one, on the whole server.
    pub(super) fn forget_on(&self, guild: GuildId, changed: Option<ChannelId>) {
        self.all().retain(|channel, _| !self.channel_access.affects(guild, changed, *channel));
    }
}

/// Returns whether the message may have been refused only for its files or for being a reply.
pub(super) fn may_be_partial_refusal(post: &OutgoingMessage, fault: &DiscordError) -> bool {
    let of_files = post.has_files() && fault.code() == Some(MISSING_PERMISSIONS);
    of_files || (post.answers.is_some() && fault.code() == Some(NO_HISTORY))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::wire::snowflake::GuildOrChannel;

    #[tokio::test(start_paused = true)]
    async fn refused_channels_are_skipped_until_they_expire_or_open() {
        let refused_channels = RefusedChannels::default();
        let refused = DiscordError::NoAccess { code: 50_001, why: String::new() };
        refused_channels.note(ChannelId(1), &refused, 0);
        refused_channels.note(ChannelId(2), &DiscordError::NotFound { code: 10_003, why: String::new() }, 0);
        assert!(refused_channels.has(ChannelId(1)) && !refused_channels.has(ChannelId(2)));
        tokio::time::advance(REFUSAL_PERIOD).await;
        assert!(!refused_channels.has(ChannelId(1)));
        refused_channels.note(ChannelId(1), &refused, 0);
        refused_channels.forget(ChannelId(1));
        assert!(!refused_channels.has(ChannelId(1)));
    }

    #[test]
    fn refused_channels_are_retried_after_a_grant() {
        let channel_access = ChannelAccess::default();
        let refused_channels = RefusedChannels::of(&channel_access);
        let refused = DiscordError::NoAccess { code: 50_001, why: String::new() };
        channel_access.record_grant(GuildOrChannel::Channel(ChannelId(9)));
        let asked = channel_access.grant_count();
        // The answer may be slower than the event.
        channel_access.record_grant(GuildOrChannel::Channel(ChannelId(1)));
        refused_channels.note(ChannelId(1), &refused, asked);
        assert_eq!(refused_channels.since(ChannelId(1)), Some(asked));
        assert!(
            refused_channels.since(ChannelId(1))
                < Some(channel_access.latest_grant(&[GuildOrChannel::Channel(ChannelId(1))])),
            "it was given since"
        );
        refused_channels.note(ChannelId(2), &refused, channel_access.grant_count());
        refused_channels.forget_on(GuildId(5), Some(ChannelId(1)));
        assert!(!refused_channels.has(ChannelId(1)) && refused_channels.has(ChannelId(2)), "another channel");
        refused_channels.forget_on(GuildId(5), None);
        assert!(!refused_channels.has(ChannelId(2)), "nobody knows on which server it is");
    }

    #[test]
    fn partial_refusals_do_not_block_a_channel() {
        let refused = |code| DiscordError::NoAccess { code, why: String::new() };
        let plain = OutgoingMessage::text("x");
        let with_file = OutgoingMessage::text("x").file("game.txt", vec![1]);
        assert!(may_be_partial_refusal(&with_file, &refused(MISSING_PERMISSIONS)));
        assert!(!may_be_partial_refusal(&plain, &refused(MISSING_PERMISSIONS)));
        assert!(may_be_partial_refusal(
            &OutgoingMessage::text("x").in_reply_to(rookery_table::MessageId(1)),
            &refused(NO_HISTORY)
        ));
        assert!(!may_be_partial_refusal(&with_file, &refused(50_001)));
    }
}
