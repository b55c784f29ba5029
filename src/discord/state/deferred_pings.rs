//! Pings that are deferred because the person was active a moment ago, and when people were last active.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};

use rookery_table::{ChannelId, RoleId, TableId, UserId};

/// The most activity entries. Old ones are removed first, then the older half of all: without its entry a person is
/// pinged although they may be looking, which is the usual case for anybody else.
pub(in crate::discord) const MAX_ACTIVITY_ENTRIES: usize = 10_000;

/// The recipient of a ping, and its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::discord) enum PingTarget {
    /// A person who is to move.
    Mover(UserId),
    /// The members of a role whose team is to move.
    Team(RoleId),
    /// A person whose game is over.
    Result(UserId),
}

/// A ping that is still to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discord) struct DeferredPing {
    /// The number of the journal entry with which the turn, or the end, began.
    pub(in crate::discord) since: u64,
    /// When the message without the ping was posted.
    pub(in crate::discord) posted_at: Timestamp,
    pub(in crate::discord) due: Timestamp,
}

/// The deferred pings and the latest activity of people. Clones share them.
#[derive(Clone, Default)]
pub struct DeferredPings(Arc<Mutex<State>>);

#[derive(Default)]
pub(in crate::discord) struct State {
    /// One for each table and recipient at most; each is sent or settled after a minute or some retries. Dropping one
    /// would lose a ping, so the tables that go on are the only bound.
    pub(in crate::discord) deferred: BTreeMap<(TableId, PingTarget), DeferredPing>,
    /// When a person last used a component or command or wrote in a channel.
    pub(in crate::discord) last_active: HashMap<(UserId, ChannelId), Timestamp>,
    /// Whether a person was removed since the pings were last saved.
    pub(in crate::discord) person_removed: bool,
}

impl DeferredPings {
    pub(in crate::discord) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that a person is active in a channel.
    pub(in crate::discord) fn seen(&self, who: UserId, channel: ChannelId, now: Timestamp) {
        let last_active = &mut self.state().last_active;
        if last_active.len() >= MAX_ACTIVITY_ENTRIES {
            // Older entries matter to no deferred ping.
            last_active.retain(|_, at| now.duration_since(*at) <= 2 * PRESENCE_PERIOD);
        }
        if last_active.len() >= MAX_ACTIVITY_ENTRIES {
            let mut moments: Vec<Timestamp> = last_active.values().copied().collect();
            moments.sort_unstable();
            let median = moments[moments.len() / 2];
            last_active.retain(|_, at| *at > median);
        }
        last_active.insert((who, channel), now);
    }

    /// Removes all data about a person.
    pub(in crate::discord) fn forget(&self, who: UserId) {
        let mut state = self.state();
        state.last_active.retain(|(person, _), _| *person != who);
        state
            .deferred
            .retain(|(_, target), _| ![PingTarget::Mover(who), PingTarget::Result(who)].contains(target));
        state.person_removed = true;
    }

    pub(in crate::discord) fn last_active(&self, who: UserId, channel: ChannelId) -> Option<Timestamp> {
        self.state().last_active.get(&(who, channel)).copied()
    }

    pub(in crate::discord) fn due(&self, now: Timestamp) -> Vec<(TableId, PingTarget, DeferredPing)> {
        let state = self.state();
        let due = state.deferred.iter().filter(|(_, deferred)| deferred.due <= now);
        due.map(|((table, target), deferred)| (*table, *target, *deferred)).collect()
    }

    pub(in crate::discord) fn defer(&self, table: TableId, target: PingTarget, deferred: DeferredPing) {
        self.state().deferred.insert((table, target), deferred);
    }

    /// Restores a ping that an earlier process deferred, unless a newer one exists.
    pub(in crate::discord) fn restore(&self, table: TableId, target: PingTarget, deferred: DeferredPing) {
        self.state().deferred.entry((table, target)).or_insert(deferred);
    }

    /// Returns all deferred pings.
    pub(in crate::discord) fn all(&self) -> Vec<(TableId, PingTarget, DeferredPing)> {
        self.state().deferred.iter().map(|((table, target), deferred)| (*table, *target, *deferred)).collect()
    }

    /// Returns whether a person was removed since the last call; the saved pings must then be written again.
    pub(in crate::discord) fn take_person_removed(&self) -> bool {
        std::mem::take(&mut self.state().person_removed)
    }

    /// Removes a ping, unless a newer one has replaced it.
    pub(in crate::discord) fn settle(&self, table: TableId, target: PingTarget, deferred: &DeferredPing) {
        let state = &mut self.state().deferred;
        if state.get(&(table, target)).is_some_and(|now| now.since == deferred.since) {
            state.remove(&(table, target));
        }
    }

    pub(in crate::discord) fn put_off(&self, table: TableId, target: PingTarget, until: Timestamp) {
        if let Some(deferred) = self.state().deferred.get_mut(&(table, target)) {
            deferred.due = until;
        }
    }
}

/// How long people are assumed to be looking at a table after they acted there.
pub(in crate::discord) const PRESENCE_PERIOD: SignedDuration = SignedDuration::from_mins(1);

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_table::millis;

    const ADA: UserId = UserId(1);

    fn table() -> TableId {
        "K7Q2AB".parse().unwrap()
    }

    #[test]
    fn a_newer_ping_is_not_settled_by_an_older_one() {
        let pings = DeferredPings::default();
        let [older, newer] = [3, 5].map(|since| DeferredPing {
            since,
            posted_at: millis::timestamp(0),
            due: millis::timestamp(10),
        });
        pings.defer(table(), PingTarget::Mover(ADA), older);
        assert_eq!(pings.due(millis::timestamp(9)), []);
        assert_eq!(pings.due(millis::timestamp(10)), [(table(), PingTarget::Mover(ADA), older)]);
        pings.defer(table(), PingTarget::Mover(ADA), newer);
        pings.settle(table(), PingTarget::Mover(ADA), &older);
        assert_eq!(pings.due(millis::timestamp(10)), [(table(), PingTarget::Mover(ADA), newer)]);
        pings.put_off(table(), PingTarget::Mover(ADA), millis::timestamp(20));
        assert_eq!(pings.due(millis::timestamp(19)), []);
        pings.settle(table(), PingTarget::Mover(ADA), &newer);
        assert_eq!(pings.due(millis::timestamp(20)), []);
    }

    #[test]
    fn fresh_activity_entries_are_bounded_too() {
        let pings = DeferredPings::default();
        for n in 0..=MAX_ACTIVITY_ENTRIES as u64 {
            pings.seen(ADA, ChannelId(n), millis::timestamp(i64::try_from(n).unwrap()));
            assert!(pings.state().last_active.len() <= MAX_ACTIVITY_ENTRIES);
        }
        assert!(pings.last_active(ADA, ChannelId(0)).is_none(), "the oldest goes first");
        assert!(pings.last_active(ADA, ChannelId(MAX_ACTIVITY_ENTRIES as u64)).is_some());
    }

    #[test]
    fn activity_entries_are_bounded_and_forgotten() {
        let pings = DeferredPings::default();
        for n in 0..MAX_ACTIVITY_ENTRIES as u64 {
            pings.seen(ADA, ChannelId(n), millis::timestamp(0));
        }
        pings.seen(ADA, ChannelId(7), Timestamp::UNIX_EPOCH + 3 * PRESENCE_PERIOD);
        assert_eq!(pings.state().last_active.len(), 1);
        assert_eq!(pings.last_active(ADA, ChannelId(7)), Some(Timestamp::UNIX_EPOCH + 3 * PRESENCE_PERIOD));
        pings.defer(
            table(),
            PingTarget::Result(ADA),
            DeferredPing { since: 1, posted_at: millis::timestamp(0), due: millis::timestamp(0) },
        );
        pings.forget(ADA);
        assert_eq!(
            (pings.last_active(ADA, ChannelId(7)), pings.due(millis::timestamp(i64::MAX))),
            (None, vec![])
        );
    }
}
