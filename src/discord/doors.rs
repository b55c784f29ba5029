//! The way to people's direct messages: which channel they are in, once Discord has told it, and who does not
//! let us in. Whoever has refused us is left alone for a day, unless they write to us there or ask for direct
//! messages before: too many refused requests get our address banned.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rookery_table::Person;

use super::asked::Asked;
use super::desk::Desk;
use super::fault::Fault;
use super::pings::DAY_MS;
use super::post::Post;

/// People that are remembered.
const REMEMBERED: usize = 50_000;

/// What is known of the ways to people, as long as the program runs.
#[derive(Clone, Default)]
pub struct Doors(Arc<Mutex<HashMap<Person, Door>>>);

/// The way to somebody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Door {
    /// Our direct messages with them.
    channel: Option<u64>,
    /// Until when we do not knock again, in milliseconds since 1970.
    shut_until_ms: Option<i64>,
}

impl Doors {
    fn known(&self) -> MutexGuard<'_, HashMap<Person, Door>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, who: Person, change: impl FnOnce(&mut Door)) {
        let mut known = self.known();
        if known.len() >= REMEMBERED && !known.contains_key(&who) {
            known.clear();
        }
        change(known.entry(who).or_default());
    }

    fn channel(&self, who: Person) -> Option<u64> {
        self.known().get(&who)?.channel
    }

    fn is_shut(&self, who: Person, now_ms: i64) -> bool {
        let until_ms = self.known().get(&who).and_then(|door| door.shut_until_ms);
        until_ms.is_some_and(|until_ms| now_ms < until_ms)
    }

    /// Somebody is there with us, in this channel.
    pub(super) fn met(&self, who: Person, channel: u64) {
        self.change(who, |door| *door = Door { channel: Some(channel), shut_until_ms: None });
    }

    /// Somebody may let us in now, whatever they did before.
    pub(super) fn unlock(&self, who: Person) {
        if let Some(door) = self.known().get_mut(&who) {
            door.shut_until_ms = None;
        }
    }

    /// What it tells of somebody that they could not be written to.
    fn refused(&self, who: Person, fault: &Fault, now_ms: i64) {
        match fault {
            Fault::NoAccess { .. } => self.change(who, |door| door.shut_until_ms = Some(now_ms + DAY_MS)),
            Fault::Gone { .. } => self.forget(who),
            Fault::Busy { .. }
            | Fault::Overloaded
            | Fault::Unreadable(_)
            | Fault::Outage(_)
            | Fault::Bad { .. } => {}
        }
    }

    /// Forgets what is known of somebody.
    pub(super) fn forget(&self, who: Person) {
        self.known().remove(&who);
    }
}

impl Desk {
    /// Keeps that somebody does something where they ask, and that they are there with us, if that is in our direct
    /// messages.
    pub(super) fn meet(&self, asked: &Asked) {
        self.deferred_pings.seen(asked.who, asked.place.channel, self.hall.now_ms());
        if asked.place.guild.is_none() && asked.place.ours {
            self.doors.met(asked.who, asked.place.channel);
        }
    }

    /// Our direct messages with somebody, open or not; Discord is asked once.
    ///
    /// # Errors
    /// If Discord does not tell.
    pub(super) async fn door_of(&self, who: Person) -> Result<u64, Fault> {
        if let Some(channel) = self.doors.channel(who) {
            return Ok(channel);
        }
        let opened = self.api.patient().dm(who.0).await;
        match &opened {
            Ok(channel) => self.doors.change(who, |door| door.channel = Some(*channel)),
            Err(fault) => self.doors.refused(who, fault, self.hall.now_ms()),
        }
        opened
    }

    /// Posts something in our direct messages with somebody, and keeps whether they let us in.
    ///
    /// # Errors
    /// If Discord does not take it.
    pub(super) async fn post_to(&self, who: Person, post: &Post, nonce: &str) -> Result<(), Fault> {
        let posted = self.api.patient().post(self.door_of(who).await?, post, Some(nonce)).await;
        match &posted {
            Ok(_) => self.doors.unlock(who),
            Err(fault) => self.doors.refused(who, fault, self.hall.now_ms()),
        }
        posted.map(drop)
    }

    /// Whether somebody has refused us so lately that we do not knock.
    ///
    /// # Errors
    /// If so.
    pub(super) fn may_knock(&self, who: Person) -> Result<(), Fault> {
        let why = || "direct messages were closed lately".to_owned();
        let shut = self.doors.is_shut(who, self.hall.now_ms());
        if shut { Err(Fault::NoAccess { code: 0, why: why() }) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: Person = Person(1);

    #[test]
    fn who_refused_us_is_left_alone_for_a_day_or_until_they_come() {
        let refusal = Fault::NoAccess { code: 50_007, why: String::new() };
        let doors = Doors::default();
        doors.refused(ADA, &refusal, 5);
        assert!(doors.is_shut(ADA, 5) && doors.is_shut(ADA, DAY_MS + 4));
        assert!(!doors.is_shut(ADA, DAY_MS + 5) && !doors.is_shut(Person(2), 5));
        doors.unlock(ADA);
        assert!(!doors.is_shut(ADA, 5));
        doors.refused(ADA, &refusal, 5);
        doors.met(ADA, 7);
        assert_eq!((doors.is_shut(ADA, 5), doors.channel(ADA)), (false, Some(7)));
        doors.refused(ADA, &Fault::Outage(String::new()), 5);
        assert!(!doors.is_shut(ADA, 5), "what may pass says nothing of them");
    }

    #[test]
    fn a_channel_is_known_until_it_is_gone() {
        let doors = Doors::default();
        doors.met(ADA, 7);
        doors.refused(ADA, &Fault::NoAccess { code: 50_007, why: String::new() }, 5);
        assert_eq!(doors.channel(ADA), Some(7), "closed, but there");
        doors.refused(ADA, &Fault::Gone { code: 10_003, why: String::new() }, 5);
        assert_eq!((doors.channel(ADA), doors.is_shut(ADA, 5)), (None, false));
    }
}
