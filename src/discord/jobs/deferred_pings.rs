//! Pings that were left out of a board because whoever is to move had moved a moment before: they come a minute
//! after the last sign of them, unless they were seen to have looked meanwhile.
//!
//! They are kept in memory, and noted every half minute. What a process that ended still owed is found again by that
//! note, and in the journal: see [`recall`].

mod recall;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::shutdown::Stop;
use rookery_table::ports::{Card, StoreError};
use rookery_table::{Person, Status, Table, TableId};
use rookery_tasks::{TaskSpec, heartbeat};

use crate::discord::jobs::quiet_hours;
use crate::discord::policy::pings::PRESENT_MS;
use crate::discord::state::context::Context;
use crate::discord::wire::error::DiscordError;

/// How often it is looked for pings that are due.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How often it is noted up to when all were given, in milliseconds.
const CHECKPOINT_INTERVAL_MS: i64 = 30_000;
/// How long to wait after a failed try, in milliseconds.
const RETRY_MS: i64 = 10_000;
/// Signs of people that are remembered before old ones are let go.
const MAX_ACTIVITY_ENTRIES: usize = 10_000;
/// Within so many milliseconds of what ends a game its result is posted.
const ENDS_WITHIN_MS: i64 = 5_000;

/// Who is to be called, and for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::discord) enum PingTarget {
    /// A person who is to move.
    Mover(Person),
    /// All with a role, whose team is to move.
    Team(u64),
    /// A person whose game is over.
    Result(Person),
}

/// A ping that is owed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DeferredPing {
    /// The number of the entry with which the turn, or the end, began.
    since: u64,
    /// When the message was posted without it, in milliseconds since 1970.
    posted_ms: i64,
    /// When it is due, in milliseconds since 1970.
    due_ms: i64,
}

/// All that is owed, and the signs of people. A copy shares them.
#[derive(Clone, Default)]
pub struct DeferredPings(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    deferred: BTreeMap<(TableId, PingTarget), DeferredPing>,
    /// When somebody pressed, wrote or asked something last in a channel, in milliseconds since 1970.
    last_active: HashMap<(Person, u64), i64>,
    /// Whether somebody was forgotten of whom something may be noted.
    has_forgotten: bool,
}

impl DeferredPings {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody does something in a channel.
    pub(in crate::discord) fn seen(&self, who: Person, channel: u64, now_ms: i64) {
        let last_active = &mut self.state().last_active;
        if last_active.len() >= MAX_ACTIVITY_ENTRIES {
            // Older ones matter to no ping that is still owed.
            last_active.retain(|_, at_ms| now_ms - *at_ms <= 2 * PRESENT_MS);
        }
        last_active.insert((who, channel), now_ms);
    }

    /// Forgets what is kept of somebody.
    pub(in crate::discord) fn forget(&self, who: Person) {
        let mut state = self.state();
        state.last_active.retain(|(person, _), _| *person != who);
        state
            .deferred
            .retain(|(_, called), _| ![PingTarget::Mover(who), PingTarget::Result(who)].contains(called));
        state.has_forgotten = true;
    }

    fn last_active_ms(&self, who: Person, channel: u64) -> Option<i64> {
        self.state().last_active.get(&(who, channel)).copied()
    }

    fn due(&self, now_ms: i64) -> Vec<(TableId, PingTarget, DeferredPing)> {
        let state = self.state();
        let due = state.deferred.iter().filter(|(_, deferred)| deferred.due_ms <= now_ms);
        due.map(|((table, called), deferred)| (*table, *called, *deferred)).collect()
    }

    fn defer(&self, table: TableId, called: PingTarget, deferred: DeferredPing) {
        self.state().deferred.insert((table, called), deferred);
    }

    /// The same for one that an earlier process owed, unless another has come since.
    fn owe_again(&self, table: TableId, called: PingTarget, deferred: DeferredPing) {
        self.state().deferred.entry((table, called)).or_insert(deferred);
    }

    /// All that is owed.
    fn all(&self) -> Vec<(TableId, PingTarget, DeferredPing)> {
        self.state().deferred.iter().map(|((table, called), deferred)| (*table, *called, *deferred)).collect()
    }

    /// Whether somebody was forgotten since this was asked last: then what is noted is to be written anew.
    fn take_forgotten(&self) -> bool {
        std::mem::take(&mut self.state().has_forgotten)
    }

    /// Takes one out, unless another has come in its place.
    fn settle(&self, table: TableId, called: PingTarget, deferred: &DeferredPing) {
        let state = &mut self.state().deferred;
        if state.get(&(table, called)).is_some_and(|now| now.since == deferred.since) {
            state.remove(&(table, called));
        }
    }

    fn put_off(&self, table: TableId, called: PingTarget, until_ms: i64) {
        if let Some(deferred) = self.state().deferred.get_mut(&(table, called)) {
            deferred.due_ms = until_ms;
        }
    }
}

/// What its supervisor knows of it.
pub(in crate::discord) const TASK: TaskSpec =
    TaskSpec { name: "deferred pings", interval: Some(POLL_INTERVAL) };

/// Gives the pings that are owed, until the program stops.
pub(in crate::discord) async fn work(ctx: Arc<Context>, stop: Stop) {
    let mut looks = tokio::time::interval(POLL_INTERVAL);
    let (mut recalled, mut noted_ms) = (false, None);
    loop {
        tokio::select! {
            _ = looks.tick() => {}
            () = stop.finishing() => break,
        }
        heartbeat();
        if !recalled {
            recalled = recall::recall(&ctx).await.inspect_err(warn).is_ok();
            continue;
        }
        let now_ms = ctx.registry.now_ms();
        for (table, called, deferred) in ctx.deferred_pings.due(now_ms) {
            send_due(&ctx, table, called, &deferred, now_ms).await;
        }
        let is_old = noted_ms.is_none_or(|noted_ms| now_ms - noted_ms >= CHECKPOINT_INTERVAL_MS);
        if ctx.deferred_pings.take_forgotten() || is_old {
            let kept = recall::note(&ctx, now_ms).await;
            noted_ms = kept.inspect_err(warn).ok().map(|()| now_ms).or(noted_ms);
        }
    }
    if recalled {
        // What was due a moment ago may not have been given.
        let given_ms = ctx.registry.now_ms() - i64::try_from(POLL_INTERVAL.as_millis()).unwrap_or(0);
        recall::note(&ctx, given_ms).await.inspect_err(warn).ok();
    }
}

fn warn(error: &StoreError) {
    tracing::warn!(%error, "pings that wait cannot be looked through; trying again");
}

impl Context {
    /// Owes pings that are left out of a message, to those who were there just before; the moment, in milliseconds
    /// since 1970, is that at which they were left out, or later. Whoever brought it about themselves needs none.
    pub(in crate::discord) fn defer_pings(
        &self,
        table: &Table,
        left_out: impl IntoIterator<Item = PingTarget>,
        posted_ms: i64,
    ) {
        for called in left_out {
            if let Some(deferred) = deferred(self, table, called, posted_ms) {
                self.deferred_pings.defer(table.id(), called, deferred);
            }
        }
    }
}

/// What is owed to somebody who was left out of a message that was posted at a moment, if anything.
fn deferred(ctx: &Context, table: &Table, called: PingTarget, posted_ms: i64) -> Option<DeferredPing> {
    let sign_ms = last_active_at_table(ctx, table, called)?;
    let there = posted_ms - sign_ms < PRESENT_MS;
    let is_owed = there && !brought_it_about(table, called, posted_ms - sign_ms);
    is_owed.then(|| DeferredPing { since: table.turn_since(), posted_ms, due_ms: sign_ms + PRESENT_MS })
}

/// When somebody who is called was last seen at a table, in milliseconds since 1970.
fn last_active_at_table(ctx: &Context, table: &Table, called: PingTarget) -> Option<i64> {
    let channel = table.board_channel().map_or(table.terms().channel, |board_channel| board_channel.channel);
    let of = |who: Person| table.acted_ms(who).max(ctx.deferred_pings.last_active_ms(who, channel));
    match called {
        PingTarget::Mover(who) | PingTarget::Result(who) => of(who),
        PingTarget::Team(_) => {
            let players = table.to_move().map(|seat| table.players_of(seat)).unwrap_or_default();
            players.into_iter().filter_map(of).max()
        }
    }
}

/// Whether what they did last, so many milliseconds ago, is what made it their turn, or ended the game.
fn brought_it_about(table: &Table, called: PingTarget, ago_ms: i64) -> bool {
    match called {
        PingTarget::Mover(who) => table.acted_last(who),
        // Not every way to end a game is kept as something that somebody did.
        PingTarget::Result(_) => ago_ms < ENDS_WITHIN_MS,
        PingTarget::Team(_) => false,
    }
}

/// Gives a ping that is due, if it is still wanted.
async fn send_due(ctx: &Context, id: TableId, called: PingTarget, deferred: &DeferredPing, now_ms: i64) {
    let pings = &ctx.deferred_pings;
    let Ok(table) = ctx.registry.table(id).await else { return pings.settle(id, called, deferred) };
    let looked =
        last_active_at_table(ctx, &table, called).is_some_and(|sign_ms| sign_ms > deferred.posted_ms);
    if looked || !is_wanted(&table, called, deferred) {
        return pings.settle(id, called, deferred);
    }
    match send_ping(ctx, &table, called, now_ms).await {
        // Somebody's quiet hours, or Discord out of reach.
        Ok(false) => pings.put_off(id, called, now_ms + RETRY_MS),
        Err(fault) if fault.is_temporary() => {
            let wait_ms = i64::try_from(fault.wait().as_millis()).unwrap_or(RETRY_MS);
            pings.put_off(id, called, now_ms + wait_ms.max(RETRY_MS));
        }
        Err(fault) => {
            tracing::info!(table = %id, %fault, "somebody could not be called");
            pings.settle(id, called, deferred);
        }
        Ok(true) => pings.settle(id, called, deferred),
    }
}

/// Whether it is still the same turn, and somebody is waited for, or the game is still over.
fn is_wanted(table: &Table, called: PingTarget, deferred: &DeferredPing) -> bool {
    let waits = table.turn_since() == deferred.since && !table.stands_still() && table.frozen_ms().is_none();
    match called {
        PingTarget::Mover(who) => waits && table.card().waited_for().contains(&who),
        PingTarget::Team(_) => waits && table.to_move().is_some(),
        PingTarget::Result(_) => matches!(table.status(), Status::Over(_)),
    }
}

/// Calls somebody as they like it; false if it is to be tried later.
async fn send_ping(
    ctx: &Context,
    table: &Table,
    called: PingTarget,
    now_ms: i64,
) -> Result<bool, DiscordError> {
    let card: Card = table.card();
    let (who, occasion) = match called {
        PingTarget::Team(role) => return quiet_hours::tell_team(ctx, table, role).await.map(|()| true),
        PingTarget::Mover(who) => (who, quiet_hours::PingReason::Turn),
        PingTarget::Result(who) => (who, quiet_hours::PingReason::Result),
    };
    let personal = ctx.registry.preferences_cache().person(who).await;
    if personal.is_quiet_at(now_ms) {
        return Ok(false);
    }
    quiet_hours::tell_again(ctx, who, &card, personal.pings, occasion).await.map(|()| true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: Person = Person(1);

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
            pings.seen(ADA, n, 0);
        }
        pings.seen(ADA, 7, 3 * PRESENT_MS);
        assert_eq!(pings.state().last_active.len(), 1);
        assert_eq!(pings.last_active_ms(ADA, 7), Some(3 * PRESENT_MS));
        pings.defer(table(), PingTarget::Result(ADA), DeferredPing { since: 1, posted_ms: 0, due_ms: 0 });
        pings.forget(ADA);
        assert_eq!((pings.last_active_ms(ADA, 7), pings.due(i64::MAX)), (None, vec![]));
    }
}
