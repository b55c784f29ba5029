//! Direct message channels of people, and who refuses them. A person whose channel is closed is not written
//! to for a day,
//! unless they write there or ask for direct messages first: too many refused requests get the bot's address
//! banned.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::discord::state::context::Context;
use crate::discord::state::dm_budget::DAY_MS;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use rookery_table::{ChannelId, UserId};

/// People that are remembered.
const CACHE_CAPACITY: usize = 50_000;

/// What is known of the ways to people, as long as the program runs.
#[derive(Clone, Default)]
pub struct DmChannels(Arc<Mutex<HashMap<UserId, DmChannel>>>);

/// The way to somebody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct DmChannel {
    /// Our direct messages with them.
    channel: Option<ChannelId>,
    /// Until when we do not knock again, in milliseconds since 1970.
    shut_until_ms: Option<i64>,
}

impl DmChannels {
    fn known(&self) -> MutexGuard<'_, HashMap<UserId, DmChannel>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, who: UserId, change: impl FnOnce(&mut DmChannel)) {
        let mut known = self.known();
        if known.len() >= CACHE_CAPACITY && !known.contains_key(&who) {
            known.clear();
        }
        change(known.entry(who).or_default());
    }

    fn channel(&self, who: UserId) -> Option<ChannelId> {
        self.known().get(&who)?.channel
    }

    fn is_shut(&self, who: UserId, now_ms: i64) -> bool {
        let until_ms = self.known().get(&who).and_then(|door| door.shut_until_ms);
        until_ms.is_some_and(|until_ms| now_ms < until_ms)
    }

    /// Somebody is there with us, in this channel.
    pub(in crate::discord) fn met(&self, who: UserId, channel: ChannelId) {
        self.change(who, |door| *door = DmChannel { channel: Some(channel), shut_until_ms: None });
    }

    /// Somebody may let us in now, whatever they did before.
    pub(in crate::discord) fn unlock(&self, who: UserId) {
        if let Some(door) = self.known().get_mut(&who) {
            door.shut_until_ms = None;
        }
    }

    /// What it tells of somebody that they could not be written to.
    fn refused(&self, who: UserId, fault: &DiscordError, now_ms: i64) {
        match fault {
            DiscordError::NoAccess { .. } => {
                self.change(who, |door| door.shut_until_ms = Some(now_ms + DAY_MS))
            }
            DiscordError::NotFound { .. } => self.forget(who),
            DiscordError::RateLimited { .. }
            | DiscordError::Overloaded
            | DiscordError::Unreadable(_)
            | DiscordError::Outage(_)
            | DiscordError::Invalid { .. } => {}
        }
    }

    /// Forgets what is known of somebody.
    pub(in crate::discord) fn forget(&self, who: UserId) {
        self.known().remove(&who);
    }
}

impl Context {
    /// Keeps that somebody does something where they ask, and that they are there with us, if that is in our direct
    /// messages.
    pub(in crate::discord) fn meet(&self, interaction: &Interaction) {
        self.deferred_pings.seen(interaction.who, interaction.place.channel, self.registry.now_ms());
        if interaction.place.guild.is_none() && interaction.place.ours {
            self.dm_channels.met(interaction.who, interaction.place.channel);
        }
    }

    /// Our direct messages with somebody, open or not; Discord is asked once.
    ///
    /// # Errors
    /// If Discord does not tell.
    pub(in crate::discord) async fn door_of(&self, who: UserId) -> Result<ChannelId, DiscordError> {
        if let Some(channel) = self.dm_channels.channel(who) {
            return Ok(channel);
        }
        let opened = self.api.patient().dm(who).await;
        match &opened {
            Ok(channel) => self.dm_channels.change(who, |door| door.channel = Some(*channel)),
            Err(fault) => self.dm_channels.refused(who, fault, self.registry.now_ms()),
        }
        opened
    }

    /// Posts something in our direct messages with somebody, and keeps whether they let us in.
    ///
    /// # Errors
    /// If Discord does not take it.
    pub(in crate::discord) async fn post_to(
        &self,
        who: UserId,
        post: &OutgoingMessage,
        nonce: &str,
    ) -> Result<(), DiscordError> {
        let posted = self.api.patient().post(self.door_of(who).await?, post, Some(nonce)).await;
        match &posted {
            Ok(_) => self.dm_channels.unlock(who),
            Err(fault) => self.dm_channels.refused(who, fault, self.registry.now_ms()),
        }
        posted.map(drop)
    }

    /// Whether somebody has refused us so lately that we do not knock.
    ///
    /// # Errors
    /// If so.
    pub(in crate::discord) fn may_knock(&self, who: UserId) -> Result<(), DiscordError> {
        let why = || "direct messages were closed lately".to_owned();
        let shut = self.dm_channels.is_shut(who, self.registry.now_ms());
        if shut { Err(DiscordError::NoAccess { code: 0, why: why() }) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: UserId = UserId(1);

    #[test]
    fn who_refused_us_is_left_alone_for_a_day_or_until_they_come() {
        let refusal = DiscordError::NoAccess { code: 50_007, why: String::new() };
        let dm_channels = DmChannels::default();
        dm_channels.refused(ADA, &refusal, 5);
        assert!(dm_channels.is_shut(ADA, 5) && dm_channels.is_shut(ADA, DAY_MS + 4));
        assert!(!dm_channels.is_shut(ADA, DAY_MS + 5) && !dm_channels.is_shut(UserId(2), 5));
        dm_channels.unlock(ADA);
        assert!(!dm_channels.is_shut(ADA, 5));
        dm_channels.refused(ADA, &refusal, 5);
        dm_channels.met(ADA, ChannelId(7));
        assert_eq!((dm_channels.is_shut(ADA, 5), dm_channels.channel(ADA)), (false, Some(ChannelId(7))));
        dm_channels.refused(ADA, &DiscordError::Outage(String::new()), 5);
        assert!(!dm_channels.is_shut(ADA, 5), "what may pass says nothing of them");
    }

    #[test]
    fn a_channel_is_known_until_it_is_gone() {
        let dm_channels = DmChannels::default();
        dm_channels.met(ADA, ChannelId(7));
        dm_channels.refused(ADA, &DiscordError::NoAccess { code: 50_007, why: String::new() }, 5);
        assert_eq!(dm_channels.channel(ADA), Some(ChannelId(7)), "closed, but there");
        dm_channels.refused(ADA, &DiscordError::NotFound { code: 10_003, why: String::new() }, 5);
        assert_eq!((dm_channels.channel(ADA), dm_channels.is_shut(ADA, 5)), (None, false));
    }
}
