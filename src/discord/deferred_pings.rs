//! Pings that were left out of a board because whoever is to move had moved a moment before: they come a minute
//! after the last sign of them, unless they were seen to have looked meanwhile.
//!
//! They are kept in memory, and noted every half minute. What a process that ended still owed is found again by that
//! note, and in the journal: see [`recall`].

mod recall;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::ops::stop::Stop;
use rookery_table::ports::{Card, JournalError};
use rookery_table::{Person, Status, Table, TableId};
use rookery_tasks::{Task, beat};

use super::desk::Desk;
use super::fault::Fault;
use super::late;
use super::pings::PRESENT_MS;

/// How often it is looked for pings that are due.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// How often it is noted up to when all were given, in milliseconds.
const NOTE_INTERVAL_MS: i64 = 30_000;
/// How long to wait after a failed try, in milliseconds.
const RETRY_MS: i64 = 10_000;
/// Signs of people that are remembered before old ones are let go.
const MAX_SIGNS: usize = 10_000;
/// Within so many milliseconds of what ends a game its result is posted.
const ENDS_WITHIN_MS: i64 = 5_000;

/// Who is to be called, and for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Called {
    /// A person who is to move.
    Mover(Person),
    /// All with a role, whose team is to move.
    Team(u64),
    /// A person whose game is over.
    Result(Person),
}

/// A ping that is owed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Owed {
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
    owed: BTreeMap<(TableId, Called), Owed>,
    /// When somebody pressed, wrote or asked something last in a channel, in milliseconds since 1970.
    signs: HashMap<(Person, u64), i64>,
    /// Whether somebody was forgotten of whom something may be noted.
    has_forgotten: bool,
}

impl DeferredPings {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody does something in a channel.
    pub(super) fn seen(&self, who: Person, channel: u64, now_ms: i64) {
        let signs = &mut self.state().signs;
        if signs.len() >= MAX_SIGNS {
            // Older ones matter to no ping that is still owed.
            signs.retain(|_, at_ms| now_ms - *at_ms <= 2 * PRESENT_MS);
        }
        signs.insert((who, channel), now_ms);
    }

    /// Forgets what is kept of somebody.
    pub(super) fn forget(&self, who: Person) {
        let mut state = self.state();
        state.signs.retain(|(person, _), _| *person != who);
        state.owed.retain(|(_, called), _| ![Called::Mover(who), Called::Result(who)].contains(called));
        state.has_forgotten = true;
    }

    fn sign_ms(&self, who: Person, channel: u64) -> Option<i64> {
        self.state().signs.get(&(who, channel)).copied()
    }

    fn due(&self, now_ms: i64) -> Vec<(TableId, Called, Owed)> {
        let state = self.state();
        let due = state.owed.iter().filter(|(_, owed)| owed.due_ms <= now_ms);
        due.map(|((table, called), owed)| (*table, *called, *owed)).collect()
    }

    fn owe(&self, table: TableId, called: Called, owed: Owed) {
        self.state().owed.insert((table, called), owed);
    }

    /// The same for one that an earlier process owed, unless another has come since.
    fn owe_again(&self, table: TableId, called: Called, owed: Owed) {
        self.state().owed.entry((table, called)).or_insert(owed);
    }

    /// All that is owed.
    fn all(&self) -> Vec<(TableId, Called, Owed)> {
        self.state().owed.iter().map(|((table, called), owed)| (*table, *called, *owed)).collect()
    }

    /// Whether somebody was forgotten since this was asked last: then what is noted is to be written anew.
    fn take_forgotten(&self) -> bool {
        std::mem::take(&mut self.state().has_forgotten)
    }

    /// Takes one out, unless another has come in its place.
    fn settle(&self, table: TableId, called: Called, owed: &Owed) {
        let state = &mut self.state().owed;
        if state.get(&(table, called)).is_some_and(|now| now.since == owed.since) {
            state.remove(&(table, called));
        }
    }

    fn put_off(&self, table: TableId, called: Called, until_ms: i64) {
        if let Some(owed) = self.state().owed.get_mut(&(table, called)) {
            owed.due_ms = until_ms;
        }
    }
}

/// What its supervisor knows of it.
pub(super) const TASK: Task = Task { name: "deferred pings", interval: Some(LOOK_INTERVAL) };

/// Gives the pings that are owed, until the program stops.
pub(super) async fn work(desk: Arc<Desk>, stop: Stop) {
    let mut looks = tokio::time::interval(LOOK_INTERVAL);
    let (mut recalled, mut noted_ms) = (false, None);
    loop {
        tokio::select! {
            _ = looks.tick() => {}
            () = stop.finishing() => break,
        }
        beat();
        if !recalled {
            recalled = recall::recall(&desk).await.inspect_err(warn).is_ok();
            continue;
        }
        let now_ms = desk.hall.now_ms();
        for (table, called, owed) in desk.deferred_pings.due(now_ms) {
            give(&desk, table, called, &owed, now_ms).await;
        }
        let is_old = noted_ms.is_none_or(|noted_ms| now_ms - noted_ms >= NOTE_INTERVAL_MS);
        if desk.deferred_pings.take_forgotten() || is_old {
            let kept = recall::note(&desk, now_ms).await;
            noted_ms = kept.inspect_err(warn).ok().map(|()| now_ms).or(noted_ms);
        }
    }
    if recalled {
        // What was due a moment ago may not have been given.
        let given_ms = desk.hall.now_ms() - i64::try_from(LOOK_INTERVAL.as_millis()).unwrap_or(0);
        recall::note(&desk, given_ms).await.inspect_err(warn).ok();
    }
}

fn warn(error: &JournalError) {
    tracing::warn!(%error, "pings that wait cannot be looked through; trying again");
}

impl Desk {
    /// Owes pings that are left out of a message, to those who were there just before; the moment, in milliseconds
    /// since 1970, is that at which they were left out, or later. Whoever brought it about themselves needs none.
    pub(super) fn defer_pings(
        &self,
        table: &Table,
        left_out: impl IntoIterator<Item = Called>,
        posted_ms: i64,
    ) {
        for called in left_out {
            if let Some(owed) = owed(self, table, called, posted_ms) {
                self.deferred_pings.owe(table.id(), called, owed);
            }
        }
    }
}

/// What is owed to somebody who was left out of a message that was posted at a moment, if anything.
fn owed(desk: &Desk, table: &Table, called: Called, posted_ms: i64) -> Option<Owed> {
    let sign_ms = last_sign(desk, table, called)?;
    let there = posted_ms - sign_ms < PRESENT_MS;
    let is_owed = there && !brought_it_about(table, called, posted_ms - sign_ms);
    is_owed.then(|| Owed { since: table.turn_since(), posted_ms, due_ms: sign_ms + PRESENT_MS })
}

/// When somebody who is called was last seen at a table, in milliseconds since 1970.
fn last_sign(desk: &Desk, table: &Table, called: Called) -> Option<i64> {
    let channel = table.home().map_or(table.terms().channel, |home| home.channel);
    let of = |who: Person| table.acted_ms(who).max(desk.deferred_pings.sign_ms(who, channel));
    match called {
        Called::Mover(who) | Called::Result(who) => of(who),
        Called::Team(_) => {
            let players = table.to_move().map(|seat| table.players_of(seat)).unwrap_or_default();
            players.into_iter().filter_map(of).max()
        }
    }
}

/// Whether what they did last, so many milliseconds ago, is what made it their turn, or ended the game.
fn brought_it_about(table: &Table, called: Called, ago_ms: i64) -> bool {
    match called {
        Called::Mover(who) => table.acted_last(who),
        // Not every way to end a game is kept as something that somebody did.
        Called::Result(_) => ago_ms < ENDS_WITHIN_MS,
        Called::Team(_) => false,
    }
}

/// Gives a ping that is due, if it is still wanted.
async fn give(desk: &Desk, id: TableId, called: Called, owed: &Owed, now_ms: i64) {
    let pings = &desk.deferred_pings;
    let Ok(table) = desk.hall.see(id).await else { return pings.settle(id, called, owed) };
    let looked = last_sign(desk, &table, called).is_some_and(|sign_ms| sign_ms > owed.posted_ms);
    if looked || !is_wanted(&table, called, owed) {
        return pings.settle(id, called, owed);
    }
    match call(desk, &table, called, now_ms).await {
        // Somebody's quiet hours, or Discord out of reach.
        Ok(false) => pings.put_off(id, called, now_ms + RETRY_MS),
        Err(fault) if fault.passes() => {
            let wait_ms = i64::try_from(fault.wait().as_millis()).unwrap_or(RETRY_MS);
            pings.put_off(id, called, now_ms + wait_ms.max(RETRY_MS));
        }
        Err(fault) => {
            tracing::info!(table = %id, %fault, "somebody could not be called");
            pings.settle(id, called, owed);
        }
        Ok(true) => pings.settle(id, called, owed),
    }
}

/// Whether it is still the same turn, and somebody is waited for, or the game is still over.
fn is_wanted(table: &Table, called: Called, owed: &Owed) -> bool {
    let waits = table.turn_since() == owed.since && !table.stands_still() && table.frozen_ms().is_none();
    match called {
        Called::Mover(who) => waits && table.card().waited_for().contains(&who),
        Called::Team(_) => waits && table.to_move().is_some(),
        Called::Result(_) => matches!(table.status(), Status::Over(_)),
    }
}

/// Calls somebody as they like it; false if it is to be tried later.
async fn call(desk: &Desk, table: &Table, called: Called, now_ms: i64) -> Result<bool, Fault> {
    let card: Card = table.card();
    let (who, occasion) = match called {
        Called::Team(role) => return late::tell_team(desk, table, role).await.map(|()| true),
        Called::Mover(who) => (who, late::Occasion::Turn),
        Called::Result(who) => (who, late::Occasion::Result),
    };
    let personal = desk.hall.drawer().person(who).await;
    if personal.is_quiet_at(now_ms) {
        return Ok(false);
    }
    late::tell_again(desk, who, &card, personal.pings, occasion).await.map(|()| true)
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
        let [older, newer] = [3, 5].map(|since| Owed { since, posted_ms: 0, due_ms: 10 });
        pings.owe(table(), Called::Mover(ADA), older);
        assert_eq!(pings.due(9), []);
        assert_eq!(pings.due(10), [(table(), Called::Mover(ADA), older)]);
        pings.owe(table(), Called::Mover(ADA), newer);
        pings.settle(table(), Called::Mover(ADA), &older);
        assert_eq!(pings.due(10), [(table(), Called::Mover(ADA), newer)]);
        pings.put_off(table(), Called::Mover(ADA), 20);
        assert_eq!(pings.due(19), []);
        pings.settle(table(), Called::Mover(ADA), &newer);
        assert_eq!(pings.due(20), []);
    }

    #[test]
    fn signs_are_bounded_and_forgotten() {
        let pings = DeferredPings::default();
        for n in 0..MAX_SIGNS as u64 {
            pings.seen(ADA, n, 0);
        }
        pings.seen(ADA, 7, 3 * PRESENT_MS);
        assert_eq!(pings.state().signs.len(), 1);
        assert_eq!(pings.sign_ms(ADA, 7), Some(3 * PRESENT_MS));
        pings.owe(table(), Called::Result(ADA), Owed { since: 1, posted_ms: 0, due_ms: 0 });
        pings.forget(ADA);
        assert_eq!((pings.sign_ms(ADA, 7), pings.due(i64::MAX)), (None, vec![]));
    }
}
