//! The direct message channels of people, and who refuses direct messages. After a refusal the bot does not
//! write to the person for a day, unless they write there or ask for direct messages first: too many refused
//! requests get the bot's address banned.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use quick_cache::unsync::Cache;

use crate::discord::state::dm_budget::DAY;
use crate::discord::wire::error::DiscordError;
use rookery_table::{ChannelId, UserId};

/// The most cached channels. Discord returns the same channel again for one that was dropped.
const MAX_CHANNELS: usize = 50_000;
/// The most refusals. Refusals that are over are removed first; then the one that ends first, which costs one more
/// refused request.
const MAX_REFUSALS: usize = 50_000;

/// The direct message channels found since the start, and the refusals.
#[derive(Clone)]
pub struct DmChannels(Arc<Mutex<State>>);

struct State {
    channels: Cache<UserId, ChannelId>,
    /// The ends of the periods in which the bot does not try again. A cache could drop them while they count.
    refused_until: HashMap<UserId, Timestamp>,
}

impl Default for DmChannels {
    fn default() -> DmChannels {
        let state = State { channels: Cache::new(MAX_CHANNELS), refused_until: HashMap::new() };
        DmChannels(Arc::new(Mutex::new(state)))
    }
}

impl State {
    fn refuse(&mut self, who: UserId, now: Timestamp) {
        if self.refused_until.len() >= MAX_REFUSALS {
            self.refused_until.retain(|_, until| now < *until);
        }
        if self.refused_until.len() >= MAX_REFUSALS {
            let first = self.refused_until.iter().min_by_key(|(_, until)| **until).map(|(who, _)| *who);
            first.map(|who| self.refused_until.remove(&who));
        }
        self.refused_until.insert(who, now + DAY);
    }
}

impl DmChannels {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a person's direct message channel, whether or not they accept messages there.
    pub(super) fn found(&self, who: UserId, channel: ChannelId) {
        self.state().channels.insert(who, channel);
    }

    pub(super) fn channel(&self, who: UserId) -> Option<ChannelId> {
        self.state().channels.get(&who).copied()
    }

    pub(super) fn has_refused(&self, who: UserId, now: Timestamp) -> bool {
        self.state().refused_until.get(&who).is_some_and(|until| now < *until)
    }

    /// Records that a person used this direct message channel, so they accept messages.
    pub(in crate::discord) fn record_channel(&self, who: UserId, channel: ChannelId) {
        let mut state = self.state();
        state.channels.insert(who, channel);
        state.refused_until.remove(&who);
    }

    /// Ends the period without attempts: the person may accept messages now.
    pub(in crate::discord) fn clear_refusal(&self, who: UserId) {
        self.state().refused_until.remove(&who);
    }

    /// Records a failed direct message: a refusal starts the period without attempts.
    pub(super) fn refused(&self, who: UserId, fault: &DiscordError, now: Timestamp) {
        match fault {
            DiscordError::NoAccess { .. } => self.state().refuse(who, now),
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
        let mut state = self.state();
        state.channels.remove(&who);
        state.refused_until.remove(&who);
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
    fn refusals_outlast_any_number_of_channels_and_are_bounded() {
        let refusal = DiscordError::NoAccess { code: 50_007, why: String::new() };
        let (dm_channels, now) = (DmChannels::default(), millis::timestamp(5));
        dm_channels.refused(ADA, &refusal, now);
        for id in 0..2 * MAX_CHANNELS as u64 {
            dm_channels.record_channel(UserId(10 + id), ChannelId(id));
        }
        assert!(dm_channels.has_refused(ADA, now));
        let later = now + SignedDuration::from_secs(1);
        for id in 0..MAX_REFUSALS as u64 {
            dm_channels.refused(UserId(10 + id), &refusal, later);
        }
        assert!(!dm_channels.has_refused(ADA, now), "hers ends first");
        assert_eq!(dm_channels.state().refused_until.len(), MAX_REFUSALS);
        dm_channels.refused(ADA, &refusal, later + DAY);
        assert_eq!(dm_channels.state().refused_until.len(), 1, "the others are over");
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
