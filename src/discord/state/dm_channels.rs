//! The direct message channels of people, and who refuses direct messages. After a refusal the bot does not
//! write to the person for a day, unless they write there or ask for direct messages first: too many refused
//! requests get the bot's address banned.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use quick_cache::unsync::Cache;

use crate::discord::state::dm_budget::DAY;
use crate::discord::wire::error::DiscordError;
use rookery_table::{ChannelId, UserId};

/// The most cached people.
const CACHE_CAPACITY: usize = 50_000;

/// The direct message channels found since the start.
#[derive(Clone)]
pub struct DmChannels(Arc<Mutex<Cache<UserId, DmChannel>>>);

impl Default for DmChannels {
    fn default() -> DmChannels {
        DmChannels(Arc::new(Mutex::new(Cache::new(CACHE_CAPACITY))))
    }
}

/// What is known about a person's direct message channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DmChannel {
    /// The channel with the bot, if it is known.
    pub(super) channel: Option<ChannelId>,
    /// The end of the period in which the bot does not try again.
    pub(super) refused_until: Option<Timestamp>,
}

impl DmChannels {
    fn known(&self) -> MutexGuard<'_, Cache<UserId, DmChannel>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn change(&self, who: UserId, change: impl FnOnce(&mut DmChannel)) {
        let mut known = self.known();
        let mut channel = known.get(&who).copied().unwrap_or_default();
        change(&mut channel);
        known.insert(who, channel);
    }

    pub(super) fn channel(&self, who: UserId) -> Option<ChannelId> {
        self.known().get(&who)?.channel
    }

    pub(super) fn has_refused(&self, who: UserId, now: Timestamp) -> bool {
        let until = self.known().get(&who).and_then(|dm_channel| dm_channel.refused_until);
        until.is_some_and(|until| now < until)
    }

    /// Records that a person used this direct message channel, so they accept messages.
    pub(in crate::discord) fn record_channel(&self, who: UserId, channel: ChannelId) {
        self.change(who, |dm_channel| {
            *dm_channel = DmChannel { channel: Some(channel), refused_until: None }
        });
    }

    /// Ends the period without attempts: the person may accept messages now.
    pub(in crate::discord) fn clear_refusal(&self, who: UserId) {
        if let Some(mut dm_channel) = self.known().get_mut(&who) {
            dm_channel.refused_until = None;
        }
    }

    /// Records a failed direct message: a refusal starts the period without attempts.
    pub(super) fn refused(&self, who: UserId, fault: &DiscordError, now: Timestamp) {
        match fault {
            DiscordError::NoAccess { .. } => {
                self.change(who, |dm_channel| dm_channel.refused_until = Some(now + DAY))
            }
            DiscordError::NotFound { .. } => self.forget(who),
            DiscordError::RateLimited { .. }
            | DiscordError::Overloaded
            | DiscordError::Unreadable(_)
            | DiscordError::Outage(_)
            | DiscordError::Invalid { .. } => {}
        }
    }

    /// Removes all data about a person.
    pub(in crate::discord) fn forget(&self, who: UserId) {
        self.known().remove(&who);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::SignedDuration;
    use rookery_table::millis;

    const ADA: UserId = UserId(1);

    #[test]
    fn dm_refusals_last_a_day_or_until_the_person_writes() {
        let refusal = DiscordError::NoAccess { code: 50_007, why: String::new() };
        let dm_channels = DmChannels::default();
        dm_channels.refused(ADA, &refusal, millis::timestamp(5));
        assert!(
            dm_channels.has_refused(ADA, millis::timestamp(5))
                && dm_channels.has_refused(ADA, Timestamp::UNIX_EPOCH + DAY + SignedDuration::from_millis(4))
        );
        assert!(
            !dm_channels.has_refused(ADA, Timestamp::UNIX_EPOCH + DAY + SignedDuration::from_millis(5))
                && !dm_channels.has_refused(UserId(2), millis::timestamp(5))
        );
        dm_channels.clear_refusal(ADA);
        assert!(!dm_channels.has_refused(ADA, millis::timestamp(5)));
        dm_channels.refused(ADA, &refusal, millis::timestamp(5));
        dm_channels.record_channel(ADA, ChannelId(7));
        assert_eq!(
            (dm_channels.has_refused(ADA, millis::timestamp(5)), dm_channels.channel(ADA)),
            (false, Some(ChannelId(7)))
        );
        dm_channels.refused(ADA, &DiscordError::Outage(String::new()), millis::timestamp(5));
        assert!(!dm_channels.has_refused(ADA, millis::timestamp(5)), "what may pass says nothing of them");
    }

    #[test]
    fn a_channel_is_known_until_it_is_gone() {
        let dm_channels = DmChannels::default();
        dm_channels.record_channel(ADA, ChannelId(7));
        dm_channels.refused(
            ADA,
            &DiscordError::NoAccess { code: 50_007, why: String::new() },
            millis::timestamp(5),
        );
        assert_eq!(dm_channels.channel(ADA), Some(ChannelId(7)), "closed, but there");
        dm_channels.refused(
            ADA,
            &DiscordError::NotFound { code: 10_003, why: String::new() },
            millis::timestamp(5),
        );
        assert_eq!(
            (dm_channels.channel(ADA), dm_channels.has_refused(ADA, millis::timestamp(5))),
            (None, false)
        );
    }
}
