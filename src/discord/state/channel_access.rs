//! Whether the content of one channel may be shown in another: only if everyone who can read the second can
//! read the first.
//!
//! The readers of a channel follow from the permissions of `@everyone` and from the channel's overwrites for
//! roles and members. Two channels with the same overwrites have the same readers. A public thread inherits
//! from its parent channel; a private thread and a direct message have only their members.
//!
//! Lookups are cached for a while, and dropped as soon as an event reports a change in the channels or roles
//! of the server.

pub(super) mod permission_rules;

use crate::discord::wire::snowflake::GuildOrChannel;
use jiff::{SignedDuration, Timestamp};
use quick_cache::unsync::Cache;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use permission_rules::{Guild, PermissionRules};
use rookery_table::access::TriState as Fact;
use rookery_table::{ChannelId, GuildId};

use crate::discord::wire::error::DiscordError;

/// The longest age of a cached lookup, in case an event about a change was missed.
const MAX_AGE: SignedDuration = SignedDuration::from_mins(10);
/// The most cached channels.
const CACHE_CAPACITY: usize = 20_000;

/// The readers of a channel or thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Readers {
    /// The readers of its parent channel.
    SameAs(ChannelId),
    /// The members of a private thread, and those who may manage the threads of its parent channel.
    Private(ChannelId),
    /// Everyone who has permission to view the channel.
    ByRules(PermissionRules),
    /// A fixed set of people whom the bot cannot look up, as in a direct message.
    Closed,
    /// The channel was deleted.
    Gone,
    /// The lookup failed temporarily.
    Unknown,
}

impl Readers {
    /// Returns the parent channel of a thread.
    pub(super) fn parent(&self) -> Option<ChannelId> {
        match self {
            Readers::SameAs(parent) | Readers::Private(parent) => Some(*parent),
            Readers::ByRules(_) | Readers::Closed | Readers::Gone | Readers::Unknown => None,
        }
    }
}

/// Caches the readers of channels. Clones share the cache.
#[derive(Clone, Default)]
pub struct ChannelAccess(Arc<Mutex<Known>>);

struct Known {
    /// The readers of each channel, with the time of the lookup.
    places: Cache<ChannelId, (Timestamp, Readers)>,
    /// The roles of each server, with the time of the lookup.
    guilds: Cache<GuildId, (Timestamp, Arc<Guild>)>,
    /// The number of changes reported for each server.
    changes: HashMap<GuildId, u64>,
    /// The value of `grant_count` at the latest event that may have given someone access, for each server as
    /// a whole and for each channel and thread.
    grants: HashMap<GuildOrChannel, u64>,
    /// The value of `grant_count` when older grants were dropped.
    grants_forgotten: u64,
    grant_count: u64,
}

impl Default for Known {
    fn default() -> Known {
        let (changes, grants, grants_forgotten, grant_count) = Default::default();
        let (places, guilds) = (Cache::new(CACHE_CAPACITY), Cache::new(CACHE_CAPACITY));
        Known { places, guilds, changes, grants, grants_forgotten, grant_count }
    }
}

impl ChannelAccess {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops cached data after a change in a channel, or, without a channel, in the roles of a server or its
    /// members.
    pub(in crate::discord) fn forget(&self, guild: GuildId, channel: Option<ChannelId>) {
        self.record_grant(channel.map_or(GuildOrChannel::Guild(guild), GuildOrChannel::Channel));
        let mut known = self.known();
        known.places.retain(|_, (_, place)| match place {
            Readers::ByRules(rules) => rules.guild != guild,
            // The parent of a thread never changes.
            Readers::SameAs(_) | Readers::Private(_) => true,
            Readers::Closed | Readers::Gone | Readers::Unknown => false,
        });
        known.guilds.remove(&guild);
        *known.changes.entry(guild).or_default() += 1;
    }

    /// Records that people may have gained access to a server, a channel or a thread.
    pub(in crate::discord) fn record_grant(&self, place: GuildOrChannel) {
        let mut known = self.known();
        known.grant_count += 1;
        let now = known.grant_count;
        if known.grants.len() >= CACHE_CAPACITY {
            // Not a cache that drops single entries: a grant may be forgotten only if `leave` reports it for
            // every place from then on.
            known.grants.clear();
            known.grants_forgotten = now;
        }
        known.grants.insert(place, now);
    }

    /// Returns the counter value at the latest event that may have given access to one of these places, or 0
    /// if there was none. Values can only be compared with each other.
    pub(in crate::discord) fn latest_grant(&self, places: &[GuildOrChannel]) -> u64 {
        let known = self.known();
        let granted = places.iter().filter_map(|place| known.grants.get(place)).max().copied();
        granted.unwrap_or_default().max(known.grants_forgotten)
    }

    /// Returns the current value of the counter of such events.
    pub(in crate::discord) fn grant_count(&self) -> u64 {
        self.known().grant_count
    }

    /// Returns whether a change in a channel, or, without one, on the whole server affects another channel or
    /// thread: it is the same, its child, or known to be on that server.
    pub(in crate::discord) fn affects(
        &self,
        guild: GuildId,
        changed: Option<ChannelId>,
        channel: ChannelId,
    ) -> bool {
        let known = self.known();
        let place = |channel| known.places.get(&channel).map(|(_, place)| place);
        let above = place(channel).and_then(Readers::parent).unwrap_or(channel);
        match changed {
            Some(changed) => [channel, above].contains(&changed),
            None => !matches!(place(above), Some(Readers::ByRules(rules)) if rules.guild != guild),
        }
    }

    /// Returns the number of changes on a server since the start.
    pub(in crate::discord) fn changes(&self, guild: GuildId) -> u64 {
        self.known().changes.get(&guild).copied().unwrap_or_default()
    }

    pub(super) fn place(&self, channel: ChannelId, now: Timestamp) -> Option<Readers> {
        let known = self.known();
        let (at, place) = known.places.get(&channel)?;
        let stays = place.parent().is_some() || now.duration_since(*at) < MAX_AGE;
        stays.then(|| place.clone())
    }

    /// Caches the result of a lookup begun at `grant_count`, unless the server has changed since then.
    pub(super) fn keep(&self, channel: ChannelId, place: &Readers, (now, grant_count): (Timestamp, u64)) {
        let mut known = self.known();
        if known.grant_count != grant_count {
            return;
        }
        known.places.insert(channel, (now, place.clone()));
    }

    pub(super) fn guild(&self, guild: GuildId, now: Timestamp) -> Option<Arc<Guild>> {
        let known = self.known();
        let (at, found) = known.guilds.get(&guild)?;
        (now.duration_since(*at) < MAX_AGE).then(|| found.clone())
    }

    pub(super) fn keep_guild(&self, id: GuildId, guild: &Arc<Guild>, (now, grant_count): (Timestamp, u64)) {
        let mut known = self.known();
        if known.grant_count != grant_count {
            return;
        }
        known.guilds.insert(id, (now, guild.clone()));
    }
}

/// Converts a failed lookup: after a temporary error the answer is unknown; otherwise nothing is shown.
pub(in crate::discord) fn fact_of_error(fault: &DiscordError) -> Fact {
    if fault.is_temporary() { Fact::Unknown } else { Fact::No }
}

#[cfg(test)]
mod tests;
