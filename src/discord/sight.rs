//! Whether what goes on in one channel may be shown in another: only where whoever reads the one can read
//! the other as well.
//!
//! Who reads a channel is said by the permissions of `@everyone` and by what the channel itself gives to or
//! takes from roles and people. Two channels that give and take the same let the same people in. A thread goes
//! by the channel that it hangs under; a private one, and a direct message, is its people's alone.
//!
//! What Discord says of a channel is kept for a while, and let go as soon as it tells that something about the
//! channels or roles of its server has changed.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Deserialize;

use crate::table::ports::Card;

use super::desk::Desk;
use super::fault::Fault;

/// Discord's bit for seeing a channel.
const VIEW: u64 = 1 << 10;
/// Discord's bit for whoever sees everything.
const ADMINISTRATOR: u64 = 1 << 3;
/// For how long a channel is taken to be as it was, should a change have been missed.
const KEPT_MS: i64 = 10 * 60_000;
/// Channels that are remembered.
const REMEMBERED: usize = 20_000;

/// A channel as Discord tells of it, as far as it says who reads it.
#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    #[serde(rename = "type")]
    kind: u8,
    guild_id: Option<String>,
    parent_id: Option<String>,
    #[serde(default)]
    permission_overwrites: Vec<Overwrite>,
}

/// What a channel gives to a role or a person, and takes from them.
#[derive(Debug, Deserialize)]
struct Overwrite {
    id: String,
    allow: String,
    deny: String,
}

/// A role of a server; that of the server's own number is everybody's.
#[derive(Debug, Deserialize)]
pub(super) struct Role {
    id: String,
    permissions: String,
    /// Whether everybody may mention it.
    #[serde(default)]
    mentionable: bool,
}

impl Role {
    /// Whether it is the role of this number, and only those may mention it who may mention everybody.
    pub(super) fn is_silent(&self, role: u64) -> bool {
        self.id.parse() == Ok(role) && !self.mentionable
    }
}

/// Who reads a place.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    /// Whoever reads the channel that it hangs under.
    Under(u64),
    /// Those whom a channel lets in.
    Door(Door),
    /// Its people alone, or nobody knows who.
    Closed,
    /// Nobody any more.
    Gone,
}

/// Whom a channel lets in.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Door {
    guild: u64,
    /// Whether everybody on the server is let in, whatever their roles.
    open: bool,
    /// Whether a role or person, by number, is let in or kept out, where the channel itself says so.
    rules: BTreeMap<u64, bool>,
}

impl Door {
    /// Whether everybody whom another door lets in is let in here.
    fn lets_in_all_of(&self, other: &Door) -> bool {
        self.guild == other.guild && (self.open || self.rules == other.rules)
    }
}

/// What is known of channels.
#[derive(Clone, Default)]
pub struct Sight(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    /// Each with when it was looked up, in milliseconds since 1970.
    places: HashMap<u64, (i64, Place)>,
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
            Place::Under(_) => true,
            Place::Closed | Place::Gone => false,
        });
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
        let above = match place(channel) {
            Some(Place::Under(parent)) => *parent,
            _ => channel,
        };
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
        let stays = matches!(place, Place::Under(_)) || now_ms - at_ms < KEPT_MS;
        stays.then(|| place.clone())
    }

    fn keep(&self, channel: u64, place: &Place, now_ms: i64) {
        let mut known = self.known();
        if known.places.len() >= REMEMBERED {
            known.places.clear();
        }
        known.places.insert(channel, (now_ms, place.clone()));
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
        let from = match card.home {
            Some(home) if !self.is_gone(home.channel).await => Some(home.channel),
            _ => self.hall.see(card.id).await.ok().map(|table| table.terms().channel),
        };
        match from {
            Some(from) => self.may_show(from, there).await,
            None => false,
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
        match self.place(channel).await {
            Place::Under(parent) => Some(parent),
            Place::Door(_) | Place::Closed | Place::Gone => None,
        }
    }

    /// Whom a channel, or a thread in one, lets in.
    async fn door(&self, channel: u64) -> Option<Door> {
        match self.place(channel).await {
            Place::Door(door) => Some(door),
            Place::Under(parent) => match self.place(parent).await {
                Place::Door(door) => Some(door),
                Place::Under(_) | Place::Closed | Place::Gone => None,
            },
            Place::Closed | Place::Gone => None,
        }
    }

    async fn place(&self, channel: u64) -> Place {
        let now_ms = self.hall.now_ms();
        if let Some(place) = self.sight.place(channel, now_ms) {
            return place;
        }
        match self.look_up(channel).await {
            Ok(place) => {
                self.sight.keep(channel, &place, now_ms);
                place
            }
            Err(fault) => {
                tracing::info!(channel, %fault, "who reads a channel is not known: nothing of it is shown");
                let place = if matches!(fault, Fault::Gone { .. }) { Place::Gone } else { Place::Closed };
                if !fault.passes() {
                    self.sight.keep(channel, &place, now_ms);
                }
                place
            }
        }
    }

    async fn look_up(&self, channel: u64) -> Result<Place, Fault> {
        let found = self.api.channel(channel).await?;
        let guild = found.guild_id.as_deref().and_then(|id| id.parse().ok());
        match (guild, found.kind) {
            (Some(guild), kind) if !is_thread(kind) => {
                let roles = self.api.roles(guild).await?;
                Ok(Place::Door(door(guild, &roles, &found)))
            }
            (Some(_), kind) if kind != PRIVATE_THREAD => {
                let parent = found.parent_id.and_then(|id| id.parse().ok());
                Ok(parent.map_or(Place::Closed, Place::Under))
            }
            _ => Ok(Place::Closed),
        }
    }
}

/// Discord's number for a thread to which people are let in by name.
const PRIVATE_THREAD: u8 = 12;

fn is_thread(kind: u8) -> bool {
    const NEWS_THREAD: u8 = 10;
    (NEWS_THREAD..=PRIVATE_THREAD).contains(&kind)
}

/// Whom a channel lets in, by its server's roles and its own rules.
fn door(guild: u64, roles: &[Role], channel: &Channel) -> Door {
    let rule = |overwrite: &Overwrite| {
        let (allows, denies) = (sees(&overwrite.allow), sees(&overwrite.deny));
        // Discord takes away first and gives then.
        Some((overwrite.id.parse().ok()?, allows)).filter(|_| allows || denies)
    };
    let rules: BTreeMap<u64, bool> = channel.permission_overwrites.iter().filter_map(rule).collect();
    let everybody = roles.iter().find(|role| role.id.parse() == Ok(guild));
    let base = everybody.map_or(0, |role| bits(&role.permissions));
    let seen = rules.get(&guild).copied().unwrap_or(base & VIEW != 0);
    // Whoever is kept out by a role or by name is not everybody.
    let nobody_is_out = rules.iter().all(|(who, lets_in)| *lets_in || *who == guild);
    Door { guild, open: base & ADMINISTRATOR != 0 || (seen && nobody_is_out), rules }
}

fn sees(permissions: &str) -> bool {
    bits(permissions) & VIEW != 0
}

fn bits(permissions: &str) -> u64 {
    permissions.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const GUILD: u64 = 5;

    /// The door of a channel with these rules, on a server where everybody may do `base`.
    fn of(base: u64, rules: &Value) -> Door {
        let roles = json!([{"id": "5", "permissions": base.to_string()}, {"id": "6", "permissions": "1024"}]);
        let channel = json!({"type": 0, "guild_id": "5", "parent_id": null, "permission_overwrites": rules});
        door(
            GUILD,
            &serde_json::from_value::<Vec<Role>>(roles).unwrap(),
            &serde_json::from_value(channel).unwrap(),
        )
    }

    fn rule(id: u64, allow: u64, deny: u64) -> Value {
        json!({"id": id.to_string(), "type": 0, "allow": allow.to_string(), "deny": deny.to_string()})
    }

    #[test]
    fn what_everybody_sees_may_be_shown_anywhere() {
        let staff = of(VIEW, &json!([rule(GUILD, 0, VIEW), rule(6, VIEW, 0)]));
        for open in [
            of(VIEW, &json!([])),
            of(0, &json!([rule(GUILD, VIEW, 0)])),
            of(VIEW, &json!([rule(6, VIEW, 0), rule(7, 1 << 11, 1 << 12)])),
            of(ADMINISTRATOR, &json!([rule(GUILD, 0, VIEW)])),
        ] {
            assert!(open.open && open.lets_in_all_of(&staff), "{open:?}");
            assert!(!staff.lets_in_all_of(&open), "{open:?}");
        }
    }

    #[test]
    fn what_some_see_may_be_shown_to_the_same_people_alone() {
        let staff = of(VIEW, &json!([rule(GUILD, 0, VIEW), rule(6, VIEW, 0)]));
        let other = of(VIEW, &json!([rule(6, VIEW | 1 << 11, 0), rule(GUILD, 1 << 11, VIEW)]));
        assert!(other.lets_in_all_of(&staff), "other rights make no difference");
        let wider = of(VIEW, &json!([rule(GUILD, 0, VIEW), rule(6, VIEW, 0), rule(9, VIEW, 0)]));
        assert!(!staff.lets_in_all_of(&wider));
        let gated = of(0, &json!([]));
        assert!(!gated.open && gated.lets_in_all_of(&of(0, &json!([]))), "both by the same roles");
        assert!(!of(VIEW, &json!([rule(8, 0, VIEW)])).open, "somebody is kept out");
        let elsewhere = Door { guild: 4, ..staff.clone() };
        assert!(!staff.lets_in_all_of(&elsewhere));
    }

    #[test]
    fn what_is_known_is_let_go_when_it_is_old_or_changed() {
        let sight = Sight::default();
        let place = Place::Door(of(VIEW, &json!([])));
        sight.keep(1, &place, 0);
        sight.keep(2, &Place::Closed, 0);
        sight.keep(3, &Place::Under(1), 0);
        assert_eq!(sight.place(1, KEPT_MS - 1), Some(place));
        assert_eq!(sight.place(1, KEPT_MS), None);
        sight.forget(GUILD, Some(1));
        assert_eq!((sight.place(1, 0), sight.place(2, 0), sight.changes(GUILD)), (None, None, 1));
        assert_eq!(sight.place(3, KEPT_MS), Some(Place::Under(1)), "a thread hangs where it hangs");
        assert_eq!(sight.changes(4), 0);
    }

    #[test]
    fn a_change_concerns_a_channel_and_its_threads_or_a_whole_server() {
        let sight = Sight::default();
        sight.keep(1, &Place::Door(of(VIEW, &json!([]))), 0);
        sight.keep(3, &Place::Under(1), 0);
        let concerned = |guild, changed| [1, 2, 3].map(|channel| sight.concerns(guild, changed, channel));
        assert_eq!(concerned(GUILD, Some(1)), [true, false, true]);
        assert_eq!(concerned(GUILD, Some(3)), [false, false, true]);
        assert_eq!(concerned(GUILD, None), [true; 3]);
        assert_eq!(concerned(4, None), [false, true, false], "where the second is nobody knows");
    }

    #[test]
    fn leave_is_given_in_a_channel_or_on_a_whole_server() {
        let sight = Sight::default();
        let [one, other] = [1, 2].map(|channel| [GUILD, channel]);
        let seen = || (sight.leave(&one), sight.leave(&other));
        let none = seen();
        sight.forget(GUILD, Some(1));
        let first = seen();
        assert!(first.0 != none.0 && first.1 == none.1);
        sight.opened(2);
        let second = seen();
        assert!(second.0 == first.0 && second.1 != first.1);
        sight.forget(GUILD, None);
        assert!(seen().0 != second.0 && seen().1 != second.1);
        sight.forget(4, None);
        assert_eq!(sight.leave(&one), sight.leave(&other), "another server");
    }
}
