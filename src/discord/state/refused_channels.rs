//! Channels that refused the bot lately. Discord bans addresses that keep asking, so nothing is posted or
//! edited there for
//! a while, unless an event says that the bot may.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::discord::state::channel_access::ChannelAccess;
use crate::discord::state::context::Context;
use crate::discord::wire::error::{DiscordError, MISSING_PERMISSIONS, NO_HISTORY};
use crate::discord::wire::outgoing_message::OutgoingMessage;
use rookery_table::{ChannelId, GuildId, MessageId};

/// For how long a channel that refused us is left alone.
pub(in crate::discord) const REFUSAL_PERIOD: Duration = Duration::from_secs(600);

/// The channels.
#[derive(Clone, Default)]
pub struct RefusedChannels {
    all: Arc<Mutex<HashMap<ChannelId, RefusedChannel>>>,
    /// Who hears where leave is given.
    channel_access: ChannelAccess,
}

/// How a channel is left alone.
#[derive(Clone, Copy)]
struct RefusedChannel {
    until: Instant,
    /// The moment of its refusal, as [`ChannelAccess`] counts them.
    since: u64,
}

impl RefusedChannels {
    /// None yet.
    pub(in crate::discord) fn of(channel_access: &ChannelAccess) -> RefusedChannels {
        RefusedChannels { channel_access: channel_access.clone(), ..RefusedChannels::default() }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<ChannelId, RefusedChannel>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a channel refused us lately.
    pub(in crate::discord) fn has(&self, channel: ChannelId) -> bool {
        self.since(channel).is_some()
    }

    /// When a channel refused us that is left alone, as [`ChannelAccess`] counts moments: leave may have been given since.
    pub(in crate::discord) fn since(&self, channel: ChannelId) -> Option<u64> {
        let mut all = self.all();
        all.retain(|_, shun| shun.until > Instant::now());
        all.get(&channel).map(|shun| shun.since)
    }

    /// Remembers a channel, if a fault says that it refused us.
    pub(in crate::discord) fn note(&self, channel: ChannelId, fault: &DiscordError) {
        if matches!(fault, DiscordError::NoAccess { .. }) {
            let shun = RefusedChannel {
                until: Instant::now() + REFUSAL_PERIOD,
                since: self.channel_access.moment(),
            };
            self.all().insert(channel, shun);
        }
    }

    /// A channel may take something now, whatever it did before.
    pub(in crate::discord) fn forget(&self, channel: ChannelId) {
        self.all().remove(&channel);
    }

    /// The same of all that such a change concerns: in a channel of a server, or, without one, on all of it.
    fn forget_on(&self, guild: GuildId, changed: Option<ChannelId>) {
        self.all().retain(|channel, _| !self.channel_access.concerns(guild, changed, *channel));
    }
}

impl Context {
    /// Who reads and writes where may be otherwise from now on, ourselves included: in a channel, or, without one, on
    /// the whole server.
    pub(in crate::discord) fn readers_changed(&self, guild: GuildId, channel: Option<ChannelId>) {
        // Where channels are is known until sight lets go of it.
        self.refused_channels.forget_on(guild, channel);
        self.channel_access.forget(guild, channel);
        self.members.forget(guild);
        self.registry.outbox_wakeup().notify_one();
    }

    /// Posts in a channel that has not refused us lately; the message's id. The same nonce within some minutes gives
    /// the same message.
    ///
    /// # Errors
    /// If Discord does not take it, or the channel is left alone.
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
        let sent = self.api.post(channel, post, Some(nonce)).await;
        if let Err(fault) = &sent
            && !may_be_of_a_part(post, fault)
        {
            self.refused_channels.note(channel, fault);
        }
        sent
    }
}

/// Whether a message may be refused for its files, or for what it answers, and taken without.
fn may_be_of_a_part(post: &OutgoingMessage, fault: &DiscordError) -> bool {
    let of_files = post.has_files() && fault.code() == Some(MISSING_PERMISSIONS);
    of_files || (post.answers.is_some() && fault.code() == Some(NO_HISTORY))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::wire::snowflake::GuildOrChannel;

    #[tokio::test(start_paused = true)]
    async fn a_channel_that_refused_us_is_left_alone_for_a_while_or_until_it_opens() {
        let refused_channels = RefusedChannels::default();
        let refused = DiscordError::NoAccess { code: 50_001, why: String::new() };
        refused_channels.note(ChannelId(1), &refused);
        refused_channels.note(ChannelId(2), &DiscordError::NotFound { code: 10_003, why: String::new() });
        assert!(refused_channels.has(ChannelId(1)) && !refused_channels.has(ChannelId(2)));
        tokio::time::advance(REFUSAL_PERIOD).await;
        assert!(!refused_channels.has(ChannelId(1)));
        refused_channels.note(ChannelId(1), &refused);
        refused_channels.forget(ChannelId(1));
        assert!(!refused_channels.has(ChannelId(1)));
    }

    #[test]
    fn a_channel_is_left_alone_until_leave_may_have_been_given_there() {
        let channel_access = ChannelAccess::default();
        let refused_channels = RefusedChannels::of(&channel_access);
        let refused = DiscordError::NoAccess { code: 50_001, why: String::new() };
        channel_access.opened(GuildOrChannel::Channel(ChannelId(9)));
        refused_channels.note(ChannelId(1), &refused);
        assert_eq!(refused_channels.since(ChannelId(1)), Some(channel_access.moment()));
        channel_access.opened(GuildOrChannel::Channel(ChannelId(1)));
        assert!(
            refused_channels.since(ChannelId(1))
                < Some(channel_access.leave(&[GuildOrChannel::Channel(ChannelId(1))])),
            "it was given since"
        );
        refused_channels.note(ChannelId(2), &refused);
        refused_channels.forget_on(GuildId(5), Some(ChannelId(1)));
        assert!(!refused_channels.has(ChannelId(1)) && refused_channels.has(ChannelId(2)), "another channel");
        refused_channels.forget_on(GuildId(5), None);
        assert!(!refused_channels.has(ChannelId(2)), "nobody knows on which server it is");
    }

    #[test]
    fn a_message_that_is_taken_without_its_files_is_no_refusal_of_all() {
        let refused = |code| DiscordError::NoAccess { code, why: String::new() };
        let plain = OutgoingMessage::text("x");
        let with_file = OutgoingMessage::text("x").file("game.txt", vec![1]);
        assert!(may_be_of_a_part(&with_file, &refused(MISSING_PERMISSIONS)));
        assert!(!may_be_of_a_part(&plain, &refused(MISSING_PERMISSIONS)));
        assert!(may_be_of_a_part(
            &OutgoingMessage::text("x").in_reply_to(MessageId(1)),
            &refused(NO_HISTORY)
        ));
        assert!(!may_be_of_a_part(&with_file, &refused(50_001)));
    }
}
