//! Whether the content of one channel may be shown in another: only if everybody who reads the second can
//! read the first.
//!
//! Who reads a channel is said by the permissions of `@everyone` and by what the channel itself gives to or
//! takes from roles and people. Two channels that give and take the same let the same people in. A thread goes
//! by the channel that it hangs under; a private one, and a direct message, is its people's alone.
//!
//! What Discord says of a channel is kept for a while, and let go as soon as it tells that something about the
//! channels or roles of its server has changed.

mod permission_rules;

use crate::discord::wire::snowflake::GuildOrChannel;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use permission_rules::{Guild, Kind, PermissionRules};
use rookery_table::BoardChannel;
use rookery_table::access::{self, TriState as Fact, Venue};
use rookery_table::ports::Card;
use rookery_table::{ChannelId, GuildId, RoleId, UserId};
use serde::Deserialize;
use serde_json::Value;

use crate::discord::state::context::Context;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::server_info::Channel;

/// For how long a channel is taken to be as it was, should a change have been missed.
const KEPT_MS: i64 = 10 * 60_000;
/// Channels that are remembered.
const CACHE_CAPACITY: usize = 20_000;

/// Who reads a place.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Readers {
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
    fn parent(&self) -> Option<ChannelId> {
        match self {
            Readers::SameAs(parent) | Readers::Private(parent) => Some(*parent),
            Readers::ByRules(_) | Readers::Closed | Readers::Gone | Readers::Unknown => None,
        }
    }
}

/// What is known of channels.
#[derive(Clone, Default)]
pub struct ChannelAccess(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    /// Each with when it was looked up, in milliseconds since 1970.
    places: HashMap<ChannelId, (i64, Readers)>,
    /// Servers with their roles, each with when it was looked up.
    guilds: HashMap<GuildId, (i64, Arc<Guild>)>,
    /// How often something has changed on each server.
    changes: HashMap<GuildId, u64>,
    /// The latest moments, counted from the start, at which somebody may have been given leave: on each server as a
    /// whole, and in each channel and thread by itself.
    grants: HashMap<GuildOrChannel, u64>,
    grant_count: u64,
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
        if known.grants.len() >= CACHE_CAPACITY {
            known.grants.clear();
        }
        known.grant_count += 1;
        let now = known.grant_count;
        known.grants.insert(place, now);
    }

    /// The moment at which leave may have been given last in one of these servers, channels and threads; 0 if it never
    /// was. It says no more than whether it was since another moment.
    pub(in crate::discord) fn leave(&self, places: &[GuildOrChannel]) -> u64 {
        let known = self.known();
        places.iter().filter_map(|place| known.grants.get(place)).max().copied().unwrap_or_default()
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

    fn place(&self, channel: ChannelId, now_ms: i64) -> Option<Readers> {
        let known = self.known();
        let (at_ms, place) = known.places.get(&channel)?;
        let stays = place.parent().is_some() || now_ms - at_ms < KEPT_MS;
        stays.then(|| place.clone())
    }

    /// Keeps what was looked up at a moment, unless something has changed since.
    fn keep(&self, channel: ChannelId, place: &Readers, (now_ms, moment): (i64, u64)) {
        let mut known = self.known();
        if known.grant_count != moment {
            return;
        }
        if known.places.len() >= CACHE_CAPACITY {
            known.places.clear();
        }
        known.places.insert(channel, (now_ms, place.clone()));
    }

    fn guild(&self, guild: GuildId, now_ms: i64) -> Option<Arc<Guild>> {
        let known = self.known();
        let (at_ms, found) = known.guilds.get(&guild)?;
        (now_ms - at_ms < KEPT_MS).then(|| found.clone())
    }

    fn keep_guild(&self, id: GuildId, guild: &Arc<Guild>, (now_ms, moment): (i64, u64)) {
        let mut known = self.known();
        if known.grant_count != moment {
            return;
        }
        if known.guilds.len() >= CACHE_CAPACITY {
            known.guilds.clear();
        }
        known.guilds.insert(id, (now_ms, guild.clone()));
    }
}

impl Context {
    /// Whether what goes on in one channel may be shown in another of the same server. What cannot be looked
    /// up is not shown.
    pub(in crate::discord) async fn may_show(&self, from: ChannelId, there: ChannelId) -> bool {
        if from == there {
            return true;
        }
        let (Some(from), Some(there)) = (self.door(from).await, self.door(there).await) else { return false };
        from.includes_readers_of(&there)
    }

    /// Whether a table may be told of in a channel: by where its boards are, or else where it was opened.
    pub(in crate::discord) async fn may_list(&self, card: &Card, there: ChannelId) -> bool {
        let venue = Venue::of_card(card);
        if access::may_list(venue, Fact::Yes).is_err() {
            return false;
        }
        let opened_in = match card.opened_in {
            Some(channel) => Some(channel),
            None => self.registry.table(card.id).await.ok().map(|table| table.terms().channel),
        };
        let Some(opened_in) = opened_in else { return false };
        let readers_see =
            self.may_show(self.readers_channel(card.board_channel, opened_in).await, there).await;
        access::may_list(venue, readers_see.into()).is_ok()
    }

    /// The channel whose readers see a table: where its boards are, or else where it was opened.
    pub(in crate::discord) async fn readers_channel(
        &self,
        board_channel: Option<BoardChannel>,
        opened_in: ChannelId,
    ) -> ChannelId {
        match board_channel {
            Some(board_channel) if !self.is_gone(board_channel.channel).await => board_channel.channel,
            _ => opened_in,
        }
    }

    /// Whether everybody on its server reads a channel; what cannot be looked up is not open.
    pub(in crate::discord) async fn is_open(&self, channel: ChannelId) -> bool {
        self.door(channel).await.is_some_and(|door| door.open)
    }

    /// Whether everybody on its server could read a channel, by Discord's own description of it.
    pub(in crate::discord) async fn was_open(&self, guild: GuildId, channel: &Value) -> bool {
        let Ok(channel) = Channel::deserialize(channel) else { return false };
        self.guild(guild).await.is_ok_and(|guild| PermissionRules::new(&guild, &channel).open)
    }

    /// Whether a channel was taken away, as far as is known.
    pub(in crate::discord) async fn is_gone(&self, channel: ChannelId) -> bool {
        self.place(channel).await == Readers::Gone
    }

    /// The channel that a thread hangs under, as far as is known; `None` of what is no thread.
    pub(in crate::discord) async fn parent_of(&self, channel: ChannelId) -> Option<ChannelId> {
        self.place(channel).await.parent()
    }

    /// Whether a member of its server with these roles reads a channel or thread.
    pub(in crate::discord) async fn can_read(
        &self,
        channel: ChannelId,
        who: UserId,
        roles: &[RoleId],
    ) -> Fact {
        match self.place(channel).await {
            Readers::ByRules(door) => self.is_readable(&door, who, roles, PermissionRules::can_read).await,
            Readers::SameAs(parent) => match self.place(parent).await {
                Readers::ByRules(door) => {
                    self.is_readable(&door, who, roles, PermissionRules::can_read).await
                }
                place => closed(&place),
            },
            Readers::Private(parent) => self.can_read_private((channel, parent), who, roles).await,
            place => closed(&place),
        }
    }

    async fn is_readable(
        &self,
        door: &PermissionRules,
        who: UserId,
        roles: &[RoleId],
        lets: fn(&PermissionRules, &Guild, UserId, &[RoleId]) -> bool,
    ) -> Fact {
        match self.guild(door.guild).await {
            Ok(guild) => lets(door, &guild, who, roles).into(),
            Err(fault) => unless_it_passes(&fault),
        }
    }

    async fn can_read_private(
        &self,
        (thread, parent): (ChannelId, ChannelId),
        who: UserId,
        roles: &[RoleId],
    ) -> Fact {
        let Readers::ByRules(door) = self.place(parent).await else { return Fact::No };
        match self.is_readable(&door, who, roles, PermissionRules::can_read).await {
            Fact::Yes => {}
            other => return other,
        }
        match self.is_readable(&door, who, roles, PermissionRules::can_moderate).await {
            Fact::No => {}
            other => return other,
        }
        match self.api.is_in_thread(thread, who).await {
            Ok(is_in) => is_in.into(),
            Err(fault) => unless_it_passes(&fault),
        }
    }

    /// Whom a channel, or a thread in one, lets in.
    async fn door(&self, channel: ChannelId) -> Option<PermissionRules> {
        match self.place(channel).await {
            Readers::ByRules(door) => Some(door),
            Readers::SameAs(parent) => match self.place(parent).await {
                Readers::ByRules(door) => Some(door),
                _ => None,
            },
            _ => None,
        }
    }

    async fn place(&self, channel: ChannelId) -> Readers {
        let (now_ms, moment) = (self.registry.now_ms(), self.channel_access.moment());
        if let Some(place) = self.channel_access.place(channel, now_ms) {
            return place;
        }
        match self.look_up(channel).await {
            Ok(place) => {
                self.channel_access.keep(channel, &place, (now_ms, moment));
                place
            }
            Err(fault) => {
                tracing::info!(%channel, %fault, "who reads a channel is not known: nothing of it is shown");
                let place = match &fault {
                    DiscordError::NotFound { .. } => Readers::Gone,
                    fault if fault.is_temporary() => return Readers::Unknown,
                    _ => Readers::Closed,
                };
                self.channel_access.keep(channel, &place, (now_ms, moment));
                place
            }
        }
    }

    async fn look_up(&self, channel: ChannelId) -> Result<Readers, DiscordError> {
        let found = self.api.channel(channel).await?;
        Ok(match found.kind() {
            Kind::OfServer(guild) => {
                Readers::ByRules(PermissionRules::new(&*self.guild(guild).await?, &found))
            }
            Kind::Thread(parent) => Readers::SameAs(parent),
            Kind::PrivateThread(parent) => Readers::Private(parent),
            Kind::Other => Readers::Closed,
        })
    }

    /// A server's roles and owner.
    async fn guild(&self, id: GuildId) -> Result<Arc<Guild>, DiscordError> {
        let (now_ms, moment) = (self.registry.now_ms(), self.channel_access.moment());
        if let Some(guild) = self.channel_access.guild(id, now_ms) {
            return Ok(guild);
        }
        let guild = Arc::new(Guild::new(id, &self.api.guild(id).await?));
        self.channel_access.keep_guild(id, &guild, (now_ms, moment));
        Ok(guild)
    }
}

/// What a place that lets in nobody we know of says of a reader.
fn closed(place: &Readers) -> Fact {
    if *place == Readers::Unknown { Fact::Unknown } else { Fact::No }
}

/// What a failed look-up means: a channel that the bot may not read is shown to nobody.
pub(in crate::discord) fn unless_it_passes(fault: &DiscordError) -> Fact {
    if fault.is_temporary() { Fact::Unknown } else { Fact::No }
}

#[cfg(test)]
mod tests;
