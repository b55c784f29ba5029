//! Whether what goes on in one channel may be shown in another: only where whoever reads the one can read
//! the other as well.
//!
//! Who reads a channel is said by the permissions of `@everyone` and by what the channel itself gives to or
//! takes from roles and people. Two channels that give and take the same let the same people in. A thread goes
//! by the channel that it hangs under; a private one, and a direct message, is its people's alone.
//!
//! What Discord says of a channel is kept for a while, and let go as soon as it tells that something about the
//! channels or roles of its server has changed.

mod door;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rookery_table::Home;
use rookery_table::access::{self, Known as Fact, Venue};
use rookery_table::ports::Card;

use super::desk::Desk;
use super::fault::Fault;
use door::{Door, Guild, Kind};

pub(super) use door::{Channel, GuildInfo, Role};

/// For how long a channel is taken to be as it was, should a change have been missed.
const KEPT_MS: i64 = 10 * 60_000;
/// Channels that are remembered.
const REMEMBERED: usize = 20_000;

/// Who reads a place.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    /// Whoever reads the channel that it hangs under.
    Under(u64),
    /// Its own people, and whoever looks after the threads of the channel that it hangs under.
    Private(u64),
    /// Those whom a channel lets in.
    Door(Door),
    /// Its people alone, whom we do not know.
    Closed,
    /// Nobody any more.
    Gone,
    /// Discord could not be asked just now.
    Unknown,
}

impl Place {
    /// The channel that it hangs under.
    fn parent(&self) -> Option<u64> {
        match self {
            Place::Under(parent) | Place::Private(parent) => Some(*parent),
            Place::Door(_) | Place::Closed | Place::Gone | Place::Unknown => None,
        }
    }
}

/// What is known of channels.
#[derive(Clone, Default)]
pub struct Sight(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    /// Each with when it was looked up, in milliseconds since 1970.
    places: HashMap<u64, (i64, Place)>,
    /// Servers with their roles, each with when it was looked up.
    guilds: HashMap<u64, (i64, Arc<Guild>)>,
    /// How often something has changed on each server.
    changes: HashMap<u64, u64>,
    /// The latest moments, counted from the start, at which somebody may have been given leave: on each server as a
    /// whole, and in each channel and thread by itself.
    leaves: HashMap<u64, u64>,
    leaves_given: u64,
}

impl Sight {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something about a channel of a server has changed, or, without one, about its roles or who has them: what was
    /// known is looked up again.
    pub(super) fn forget(&self, guild: u64, channel: Option<u64>) {
        self.opened(channel.unwrap_or(guild));
        let mut known = self.known();
        known.places.retain(|_, (_, place)| match place {
            Place::Door(door) => door.guild != guild,
            // A thread hangs where it hangs.
            Place::Under(_) | Place::Private(_) => true,
            Place::Closed | Place::Gone | Place::Unknown => false,
        });
        known.guilds.remove(&guild);
        *known.changes.entry(guild).or_default() += 1;
    }

    /// Somebody may have been given leave on a server, in a channel or in a thread.
    pub(super) fn opened(&self, place: u64) {
        let mut known = self.known();
        if known.leaves.len() >= REMEMBERED {
            known.leaves.clear();
        }
        known.leaves_given += 1;
        let now = known.leaves_given;
        known.leaves.insert(place, now);
    }

    /// The moment at which leave may have been given last in one of these servers, channels and threads; 0 if it never
    /// was. It says no more than whether it was since another moment.
    pub(super) fn leave(&self, places: &[u64]) -> u64 {
        let known = self.known();
        places.iter().filter_map(|place| known.leaves.get(place)).max().copied().unwrap_or_default()
    }

    /// The moment, as the latest leave was counted.
    pub(super) fn moment(&self) -> u64 {
        self.known().leaves_given
    }

    /// Whether a change in a channel of a server, or, without one, on all of it, concerns another channel or thread:
    /// it is the same, or hangs under it, or is on that server as far as is known.
    pub(super) fn concerns(&self, guild: u64, changed: Option<u64>, channel: u64) -> bool {
        let known = self.known();
        let place = |channel| known.places.get(&channel).map(|(_, place)| place);
        let above = place(channel).and_then(Place::parent).unwrap_or(channel);
        match changed {
            Some(changed) => [channel, above].contains(&changed),
            None => !matches!(place(above), Some(Place::Door(door)) if door.guild != guild),
        }
    }

    /// How often something has changed on a server since the start.
    pub(super) fn changes(&self, guild: u64) -> u64 {
        self.known().changes.get(&guild).copied().unwrap_or_default()
    }

    fn place(&self, channel: u64, now_ms: i64) -> Option<Place> {
        let known = self.known();
        let (at_ms, place) = known.places.get(&channel)?;
        let stays = place.parent().is_some() || now_ms - at_ms < KEPT_MS;
        stays.then(|| place.clone())
    }

    /// Keeps what was looked up at a moment, unless something has changed since.
    fn keep(&self, channel: u64, place: &Place, (now_ms, moment): (i64, u64)) {
        let mut known = self.known();
        if known.leaves_given != moment {
            return;
        }
        if known.places.len() >= REMEMBERED {
            known.places.clear();
        }
        known.places.insert(channel, (now_ms, place.clone()));
    }

    fn guild(&self, guild: u64, now_ms: i64) -> Option<Arc<Guild>> {
        let known = self.known();
        let (at_ms, found) = known.guilds.get(&guild)?;
        (now_ms - at_ms < KEPT_MS).then(|| found.clone())
    }

    fn keep_guild(&self, id: u64, guild: &Arc<Guild>, (now_ms, moment): (i64, u64)) {
        let mut known = self.known();
        if known.leaves_given != moment {
            return;
        }
        if known.guilds.len() >= REMEMBERED {
            known.guilds.clear();
        }
        known.guilds.insert(id, (now_ms, guild.clone()));
    }
}

impl Desk {
    /// Whether what goes on in one channel may be shown in another of the same server. What cannot be looked
    /// up is not shown.
    pub(super) async fn may_show(&self, from: u64, there: u64) -> bool {
        if from == there {
            return true;
        }
        let (Some(from), Some(there)) = (self.door(from).await, self.door(there).await) else { return false };
        from.lets_in_all_of(&there)
    }

    /// Whether a table may be told of in a channel: by where its boards are, or else where it was opened.
    pub(super) async fn may_list(&self, card: &Card, there: u64) -> bool {
        let venue = Venue::of_card(card);
        if access::may_list(venue, Fact::Yes).is_err() {
            return false;
        }
        let opened_in = match card.opened_in {
            Some(channel) => Some(channel),
            None => self.hall.see(card.id).await.ok().map(|table| table.terms().channel),
        };
        let Some(opened_in) = opened_in else { return false };
        let readers_see = self.may_show(self.readers_channel(card.home, opened_in).await, there).await;
        access::may_list(venue, readers_see.into()).is_ok()
    }

    /// The channel whose readers see a table: where its boards are, or else where it was opened.
    pub(super) async fn readers_channel(&self, home: Option<Home>, opened_in: u64) -> u64 {
        match home {
            Some(home) if !self.is_gone(home.channel).await => home.channel,
            _ => opened_in,
        }
    }

    /// Whether everybody on its server reads a channel; what cannot be looked up is not open.
    pub(super) async fn is_open(&self, channel: u64) -> bool {
        self.door(channel).await.is_some_and(|door| door.open)
    }

    /// Whether a channel was taken away, as far as is known.
    pub(super) async fn is_gone(&self, channel: u64) -> bool {
        self.place(channel).await == Place::Gone
    }

    /// The channel that a thread hangs under, as far as is known; `None` of what is no thread.
    pub(super) async fn parent_of(&self, channel: u64) -> Option<u64> {
        self.place(channel).await.parent()
    }

    /// Whether a member of its server with these roles reads a channel or thread.
    pub(super) async fn lets_in(&self, channel: u64, who: u64, roles: &[u64]) -> Fact {
        match self.place(channel).await {
            Place::Door(door) => self.lets_through(&door, who, roles, Door::lets_in).await,
            Place::Under(parent) => match self.place(parent).await {
                Place::Door(door) => self.lets_through(&door, who, roles, Door::lets_in).await,
                place => closed(&place),
            },
            Place::Private(parent) => self.lets_into_private((channel, parent), who, roles).await,
            place => closed(&place),
        }
    }

    async fn lets_through(
        &self,
        door: &Door,
        who: u64,
        roles: &[u64],
        lets: fn(&Door, &Guild, u64, &[u64]) -> bool,
    ) -> Fact {
        match self.guild(door.guild).await {
            Ok(guild) => lets(door, &guild, who, roles).into(),
            Err(fault) => unless_it_passes(&fault),
        }
    }

    async fn lets_into_private(&self, (thread, parent): (u64, u64), who: u64, roles: &[u64]) -> Fact {
        let Place::Door(door) = self.place(parent).await else { return Fact::No };
        match self.lets_through(&door, who, roles, Door::lets_in).await {
            Fact::Yes => {}
            other => return other,
        }
        match self.lets_through(&door, who, roles, Door::lets_moderate).await {
            Fact::No => {}
            other => return other,
        }
        match self.api.is_in_thread(thread, who).await {
            Ok(is_in) => is_in.into(),
            Err(fault) => unless_it_passes(&fault),
        }
    }

    /// Whom a channel, or a thread in one, lets in.
    async fn door(&self, channel: u64) -> Option<Door> {
        match self.place(channel).await {
            Place::Door(door) => Some(door),
            Place::Under(parent) => match self.place(parent).await {
                Place::Door(door) => Some(door),
                _ => None,
            },
            _ => None,
        }
    }

    async fn place(&self, channel: u64) -> Place {
        let (now_ms, moment) = (self.hall.now_ms(), self.sight.moment());
        if let Some(place) = self.sight.place(channel, now_ms) {
            return place;
        }
        match self.look_up(channel).await {
            Ok(place) => {
                self.sight.keep(channel, &place, (now_ms, moment));
                place
            }
            Err(fault) => {
                tracing::info!(channel, %fault, "who reads a channel is not known: nothing of it is shown");
                let place = match &fault {
                    Fault::Gone { .. } => Place::Gone,
                    fault if fault.passes() => return Place::Unknown,
                    _ => Place::Closed,
                };
                self.sight.keep(channel, &place, (now_ms, moment));
                place
            }
        }
    }

    async fn look_up(&self, channel: u64) -> Result<Place, Fault> {
        let found = self.api.channel(channel).await?;
        Ok(match found.kind() {
            Kind::OfServer(guild) => Place::Door(Door::new(&*self.guild(guild).await?, &found)),
            Kind::Thread(parent) => Place::Under(parent),
            Kind::PrivateThread(parent) => Place::Private(parent),
            Kind::Other => Place::Closed,
        })
    }

    /// A server's roles and owner.
    async fn guild(&self, id: u64) -> Result<Arc<Guild>, Fault> {
        let (now_ms, moment) = (self.hall.now_ms(), self.sight.moment());
        if let Some(guild) = self.sight.guild(id, now_ms) {
            return Ok(guild);
        }
        let guild = Arc::new(Guild::new(id, &self.api.guild(id).await?));
        self.sight.keep_guild(id, &guild, (now_ms, moment));
        Ok(guild)
    }
}

/// What a place that lets in nobody we know of says of a reader.
fn closed(place: &Place) -> Fact {
    if *place == Place::Unknown { Fact::Unknown } else { Fact::No }
}

/// What a failed look-up says: what Discord keeps from us it keeps from whoever we would show it to.
pub(super) fn unless_it_passes(fault: &Fault) -> Fact {
    if fault.passes() { Fact::Unknown } else { Fact::No }
}

#[cfg(test)]
mod tests;
