//! Pings that wait because the person was active a moment ago, and when people were last active.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rookery_table::{ChannelId, RoleId, TableId, UserId};

/// Signs of people that are remembered before old ones are let go.
pub(in crate::discord) const MAX_ACTIVITY_ENTRIES: usize = 10_000;

/// Who is to be called, and for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::discord) enum PingTarget {
    /// A person who is to move.
    Mover(UserId),
    /// All with a role, whose team is to move.
    Team(RoleId),
    /// A person whose game is over.
    Result(UserId),
}

/// A ping that is owed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discord) struct DeferredPing {
    /// The number of the entry with which the turn, or the end, began.
    pub(in crate::discord) since: u64,
    /// When the message was posted without it, in milliseconds since 1970.
    pub(in crate::discord) posted_ms: i64,
    /// When it is due, in milliseconds since 1970.
    pub(in crate::discord) due_ms: i64,
}

/// All that is owed, and the signs of people. A copy shares them.
#[derive(Clone, Default)]
pub struct DeferredPings(Arc<Mutex<State>>);

#[derive(Default)]
pub(in crate::discord) struct State {
    pub(in crate::discord) deferred: BTreeMap<(TableId, PingTarget), DeferredPing>,
    /// When somebody pressed, wrote or asked something last in a channel, in milliseconds since 1970.
    pub(in crate::discord) last_active: HashMap<(UserId, ChannelId), i64>,
    /// Whether somebody was forgotten of whom something may be noted.
    pub(in crate::discord) has_forgotten: bool,
}

impl DeferredPings {
    pub(in crate::discord) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody does something in a channel.
    pub(in crate::discord) fn seen(&self, who: UserId, channel: ChannelId, now_ms: i64) {
        let last_active = &mut self.state().last_active;
        if last_active.len() >= MAX_ACTIVITY_ENTRIES {
            // Older ones matter to no ping that is still owed.
            last_active.retain(|_, at_ms| now_ms - *at_ms <= 2 * PRESENT_MS);
        }
        last_active.insert((who, channel), now_ms);
    }

    /// Forgets what is kept of somebody.
    pub(in crate::discord) fn forget(&self, who: UserId) {
        let mut state = self.state();
        state.last_active.retain(|(person, _), _| *person != who);
        state
            .deferred
            .retain(|(_, called), _| ![PingTarget::Mover(who), PingTarget::Result(who)].contains(called));
        state.has_forgotten = true;
    }

    pub(in crate::discord) fn last_active_ms(&self, who: UserId, channel: ChannelId) -> Option<i64> {
        self.state().last_active.get(&(who, channel)).copied()
    }

    pub(in crate::discord) fn due(&self, now_ms: i64) -> Vec<(TableId, PingTarget, DeferredPing)> {
        let state = self.state();
        let due = state.deferred.iter().filter(|(_, deferred)| deferred.due_ms <= now_ms);
        due.map(|((table, called), deferred)| (*table, *called, *deferred)).collect()
    }

    pub(in crate::discord) fn defer(&self, table: TableId, called: PingTarget, deferred: DeferredPing) {
        self.state().deferred.insert((table, called), deferred);
    }

    /// The same for one that an earlier process owed, unless another has come since.
    pub(in crate::discord) fn owe_again(&self, table: TableId, called: PingTarget, deferred: DeferredPing) {
        self.state().deferred.entry((table, called)).or_insert(deferred);
    }

    /// All that is owed.
    pub(in crate::discord) fn all(&self) -> Vec<(TableId, PingTarget, DeferredPing)> {
        self.state().deferred.iter().map(|((table, called), deferred)| (*table, *called, *deferred)).collect()
    }

    /// Whether somebody was forgotten since this was asked last: then what is noted is to be written anew.
    pub(in crate::discord) fn take_forgotten(&self) -> bool {
        std::mem::take(&mut self.state().has_forgotten)
    }

    /// Takes one out, unless another has come in its place.
    pub(in crate::discord) fn settle(&self, table: TableId, called: PingTarget, deferred: &DeferredPing) {
        let state = &mut self.state().deferred;
        if state.get(&(table, called)).is_some_and(|now| now.since == deferred.since) {
            state.remove(&(table, called));
        }
    }

    pub(in crate::discord) fn put_off(&self, table: TableId, called: PingTarget, until_ms: i64) {
        if let Some(deferred) = self.state().deferred.get_mut(&(table, called)) {
            deferred.due_ms = until_ms;
        }
    }
}

/// For how long after they acted at a table people are taken to be looking at it, in milliseconds.
pub(in crate::discord) const PRESENT_MS: i64 = 60_000;

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: UserId = UserId(1);

    fn table() -> TableId {
        "K7Q2AB".parse().unwrap()
    }

    #[test]
    fn a_newer_ping_is_not_settled_by_an_older_one() {
        let pings = DeferredPings::default();
        let [older, newer] = [3, 5].map(|since| DeferredPing { since, posted_ms: 0, due_ms: 10 });
        pings.defer(table(), PingTarget::Mover(ADA), older);
        assert_eq!(pings.due(9), []);
        assert_eq!(pings.due(10), [(table(), PingTarget::Mover(ADA), older)]);
        pings.defer(table(), PingTarget::Mover(ADA), newer);
        pings.settle(table(), PingTarget::Mover(ADA), &older);
        assert_eq!(pings.due(10), [(table(), PingTarget::Mover(ADA), newer)]);
        pings.put_off(table(), PingTarget::Mover(ADA), 20);
        assert_eq!(pings.due(19), []);
        pings.settle(table(), PingTarget::Mover(ADA), &newer);
        assert_eq!(pings.due(20), []);
    }

    #[test]
    fn signs_are_bounded_and_forgotten() {
        let pings = DeferredPings::default();
        for n in 0..MAX_ACTIVITY_ENTRIES as u64 {
            pings.seen(ADA, ChannelId(n), 0);
        }
        pings.seen(ADA, ChannelId(7), 3 * PRESENT_MS);
        assert_eq!(pings.state().last_active.len(), 1);
        assert_eq!(pings.last_active_ms(ADA, ChannelId(7)), Some(3 * PRESENT_MS));
        pings.defer(table(), PingTarget::Result(ADA), DeferredPing { since: 1, posted_ms: 0, due_ms: 0 });
        pings.forget(ADA);
        assert_eq!((pings.last_active_ms(ADA, ChannelId(7)), pings.due(i64::MAX)), (None, vec![]));
    }
}
