//! Whether the content of one channel may be shown in another: only if everybody who reads the second can
//! read the first.
//!
//! Who reads a channel is said by the permissions of `@everyone` and by what the channel itself gives to or
//! takes from roles and people. Two channels that give and take the same let the same people in. A thread goes
//! by the channel that it hangs under; a private one, and a direct message, is its people's alone.
//!
//! What Discord says of a channel is kept for a while, and let go as soon as it tells that something about the
//! channels or roles of its server has changed.

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

/// For how long a channel is taken to be as it was, should a change have been missed.
const KEPT: SignedDuration = SignedDuration::from_mins(10);
/// Channels, servers and grants that are remembered, of each.
const CACHE_CAPACITY: usize = 20_000;

/// Who reads a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Readers {
    /// The readers of its parent channel.
    SameAs(ChannelId),
    /// Its members, and those who may manage the threads of its parent channel.
    Private(ChannelId),
    /// Those whom a channel lets in.
    ByRules(PermissionRules),
    /// Its people alone, whom we do not know.
    Closed,
    /// Nobody any more.
    Gone,
    /// Discord could not be asked just now.
    Unknown,
}

impl Readers {
    /// The channel that it hangs under.
    pub(super) fn parent(&self) -> Option<ChannelId> {
        match self {
            Readers::SameAs(parent) | Readers::Private(parent) => Some(*parent),
            Readers::ByRules(_) | Readers::Closed | Readers::Gone | Readers::Unknown => None,
        }
    }
}

/// What is known of channels.
#[derive(Clone, Default)]
pub struct ChannelAccess(Arc<Mutex<Known>>);

struct Known {
    /// Each with when it was looked up.
    places: Cache<ChannelId, (Timestamp, Readers)>,
    /// Servers with their roles, each with when it was looked up.
    guilds: Cache<GuildId, (Timestamp, Arc<Guild>)>,
    /// How often something has changed on each server.
    changes: HashMap<GuildId, u64>,
    /// The latest moments, counted from the start, at which somebody may have been given leave: on each server as a
    /// whole, and in each channel and thread by itself.
    grants: HashMap<GuildOrChannel, u64>,
    /// The moment at which older grants were forgotten.
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

    /// Something about a channel of a server has changed, or, without one, about its roles or who has them: what was
    /// known is looked up again.
    pub(in crate::discord) fn forget(&self, guild: GuildId, channel: Option<ChannelId>) {
        self.opened(channel.map_or(GuildOrChannel::Guild(guild), GuildOrChannel::Channel));
        let mut known = self.known();
        known.places.retain(|_, (_, place)| match place {
            Readers::ByRules(door) => door.guild != guild,
            // A thread hangs where it hangs.
            Readers::SameAs(_) | Readers::Private(_) => true,
            Readers::Closed | Readers::Gone | Readers::Unknown => false,
        });
        known.guilds.remove(&guild);
        *known.changes.entry(guild).or_default() += 1;
    }

    /// Somebody may have been given leave on a server, in a channel or in a thread.
    pub(in crate::discord) fn opened(&self, place: GuildOrChannel) {
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

    /// The latest moment at which leave may have been given in one of these servers, channels and threads; 0 if it
    /// never was. It is useful only to compare with another moment.
    pub(in crate::discord) fn leave(&self, places: &[GuildOrChannel]) -> u64 {
        let known = self.known();
        let granted = places.iter().filter_map(|place| known.grants.get(place)).max().copied();
        granted.unwrap_or_default().max(known.grants_forgotten)
    }

    /// The moment, as the latest leave was counted.
    pub(in crate::discord) fn moment(&self) -> u64 {
        self.known().grant_count
    }

    /// Whether a change in a channel of a server, or, without one, on all of it, concerns another channel or thread:
    /// it is the same, or hangs under it, or is on that server as far as is known.
    pub(in crate::discord) fn concerns(
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
            None => !matches!(place(above), Some(Readers::ByRules(door)) if door.guild != guild),
        }
    }

    /// How often something has changed on a server since the start.
    pub(in crate::discord) fn changes(&self, guild: GuildId) -> u64 {
        self.known().changes.get(&guild).copied().unwrap_or_default()
    }

    pub(super) fn place(&self, channel: ChannelId, now: Timestamp) -> Option<Readers> {
        let known = self.known();
        let (at, place) = known.places.get(&channel)?;
        let stays = place.parent().is_some() || now.duration_since(*at) < KEPT;
        stays.then(|| place.clone())
    }

    /// Keeps what was looked up at a moment, unless something has changed since.
    pub(super) fn keep(&self, channel: ChannelId, place: &Readers, (now, moment): (Timestamp, u64)) {
        let mut known = self.known();
        if known.grant_count != moment {
            return;
        }
        known.places.insert(channel, (now, place.clone()));
    }

    pub(super) fn guild(&self, guild: GuildId, now: Timestamp) -> Option<Arc<Guild>> {
        let known = self.known();
        let (at, found) = known.guilds.get(&guild)?;
        (now.duration_since(*at) < KEPT).then(|| found.clone())
    }

    pub(super) fn keep_guild(&self, id: GuildId, guild: &Arc<Guild>, (now, moment): (Timestamp, u64)) {
        let mut known = self.known();
        if known.grant_count != moment {
            return;
        }
        known.guilds.insert(id, (now, guild.clone()));
    }
}

/// What a failed look-up means: a channel that the bot may not read is shown to nobody.
pub(in crate::discord) fn unless_it_passes(fault: &DiscordError) -> Fact {
    if fault.is_temporary() { Fact::Unknown } else { Fact::No }
}

#[cfg(test)]
mod tests;
