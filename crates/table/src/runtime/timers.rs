//! The timers of tables, and the outages in which nobody could move because the program or Discord was down.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::GuildId;
use crate::TableId;
use crate::clock::TimeSpan;

/// A shorter loss of connection is no outage: Discord reconnects now and then.
const MIN_OUTAGE: SignedDuration = SignedDuration::from_secs(10);
/// If a task that runs every second hasn't for at least this long, the machine slept.
const MIN_SLEEP: SignedDuration = SignedDuration::from_secs(10);
/// The most outages remembered for tables that have not recorded them yet.
const MAX_OUTAGES: usize = 4_096;
/// The most outages noted for the next process.
const MAX_NOTED_OUTAGES: usize = 500;

/// Tables that people may be unable to reach while they reach the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OutageScope {
    /// The tables of a server that has an outage on Discord.
    Server(GuildId),
    /// One table whose board cannot be shown.
    Table(TableId),
    /// The tables of the servers of a shard of the gateway.
    Shard(u32),
}

/// The timers and outages of a registry.
#[derive(Default)]
pub(crate) struct Timers(Mutex<TimerState>);

#[derive(Default)]
struct TimerState {
    /// The next due moment of each table, in order.
    moments: BTreeSet<(Timestamp, TableId)>,
    of_table: HashMap<TableId, Timestamp>,
    connection: Connection,
    /// When the task of each shard ran last. It runs every second.
    awake: BTreeMap<u32, Timestamp>,
    /// The scopes with an outage, and since when.
    lost: HashMap<OutageScope, Timestamp>,
    outages: Vec<Outage>,
    /// The outages as they were noted last.
    noted: String,
    /// Since when all games stand still by an operator's order.
    paused_since: Option<Timestamp>,
    /// When they stood still before.
    pauses: Vec<TimeSpan>,
    /// How many shards the gateway has; 0 without shards.
    shards: u32,
    /// The shards that no process has connected. Only for clocks that are read from the store.
    silent_shards: BTreeSet<u32>,
    /// When tables that could not be looked at are looked at again. Only for clocks that are read from the store.
    postponed: HashMap<TableId, Timestamp>,
}

/// A time in which nobody could move, at all tables or at those of one scope.
type Outage = (Option<OutageScope>, TimeSpan);

impl TimerState {
    /// Starts an outage of everything, or lets the current one begin at this moment if that is earlier. Returns whether
    /// there was none.
    fn begin_outage(&mut self, since: Timestamp) -> bool {
        let current = match self.connection {
            Connection::Lost { since } => Some(since),
            Connection::Up | Connection::Recording => None,
        };
        self.connection = Connection::Lost { since: current.map_or(since, |it| it.min(since)) };
        current.is_none()
    }

    /// Starts an outage of a scope, or lets the current one begin at this moment if that is earlier. Returns whether
    /// there was none.
    fn begin_outage_of(&mut self, scope: OutageScope, since: Timestamp) -> bool {
        let current = self.lost.get(&scope).copied();
        self.lost.insert(scope, current.map_or(since, |it| it.min(since)));
        current.is_none()
    }

    fn keep(&mut self, scope: Option<OutageScope>, loss: TimeSpan) {
        if self.outages.len() == MAX_OUTAGES {
            self.outages.remove(0);
        }
        self.outages.push((scope, loss));
    }
}

/// The connection to Discord.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Connection {
    #[default]
    Up,
    /// It is restored, and the outage is being recorded at tables.
    Recording,
    /// It is lost, since this moment.
    Lost { since: Timestamp },
}

impl Connection {
    /// Returns the current outage, unless it is too short to count.
    fn loss(self, now: Timestamp) -> Option<TimeSpan> {
        let Connection::Lost { since } = self else { return None };
        Some(TimeSpan { from: since, until: now }).filter(|_| now.duration_since(since) >= MIN_OUTAGE)
    }
}

impl Timers {
    fn state(&self) -> MutexGuard<'_, TimerState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets when a table is due next.
    pub(crate) fn set(&self, table: TableId, next_due: Option<Timestamp>) {
        let mut known = self.state();
        if let Some(before) = known.of_table.remove(&table) {
            known.moments.remove(&(before, table));
        }
        if let Some(next_due) = next_due {
            known.of_table.insert(table, next_due);
            known.moments.insert((next_due, table));
        }
    }

    /// Sets when a table is due next, from the store; a loaded table knows better.
    pub(crate) fn set_if_unknown(&self, table: TableId, next_due: Timestamp) {
        let mut known = self.state();
        if let Entry::Vacant(unknown) = known.of_table.entry(table) {
            unknown.insert(next_due);
            known.moments.insert((next_due, table));
        }
    }

    /// Sets when all games stood still by an operator's order, and since when they do.
    pub(crate) fn set_pauses(&self, paused_since: Option<Timestamp>, pauses: Vec<TimeSpan>) {
        let mut known = self.state();
        (known.paused_since, known.pauses) = (paused_since, pauses);
    }

    /// Returns the due tables; none while nobody could answer, or may.
    pub(crate) fn due(&self, now: Timestamp) -> Vec<TableId> {
        let known = self.state();
        if known.paused_since.is_some() || matches!(known.connection, Connection::Lost { .. }) {
            return Vec::new();
        }
        known.moments.iter().take_while(|(at, _)| *at <= now).map(|(_, table)| *table).collect()
    }

    /// Sets how many shards the gateway has.
    pub(crate) fn set_shard_count(&self, shards: u32) {
        self.state().shards = shards;
    }

    /// Sets the shards that no process has connected, of all.
    pub(crate) fn set_silent_shards(&self, silent: BTreeSet<u32>) {
        self.state().silent_shards = silent;
    }

    /// Returns the shards that no process has connected, by number.
    pub(crate) fn silent_shards(&self) -> Vec<u32> {
        self.state().silent_shards.iter().copied().collect()
    }

    /// Returns how many shards the gateway has; `None` without shards.
    pub(crate) fn shard_count(&self) -> Option<u32> {
        Some(self.state().shards).filter(|shards| *shards > 0)
    }

    /// Leaves a due table alone until a moment.
    pub(crate) fn postpone(&self, table: TableId, until: Timestamp) {
        self.state().postponed.insert(table, until);
    }

    /// Returns the tables of these that are not postponed.
    pub(crate) fn without_postponed(&self, due: Vec<TableId>, now: Timestamp) -> Vec<TableId> {
        let mut known = self.state();
        known.postponed.retain(|_, until| *until > now);
        due.into_iter().filter(|table| !known.postponed.contains_key(table)).collect()
    }

    /// Starts an outage of everything, at this moment or earlier.
    pub(crate) fn begin_outage(&self, since: Timestamp) {
        self.state().begin_outage(since);
    }

    /// Notes that the task of a shard runs at this moment, and that it will again in about a second.
    pub(crate) fn note_awake(&self, shard: u32, now: Timestamp) {
        self.state().awake.insert(shard, now);
    }

    /// Notes that the task of a shard has ended.
    pub(crate) fn forget_awake(&self, shard: u32) {
        self.state().awake.remove(&shard);
    }

    /// Starts an outage if a shard's task hasn't run for far longer than a second: the machine slept, or its clock was
    /// set. If other processes connect other shards, it is an outage of these shards only. Returns how long that was.
    pub(crate) fn check_for_sleep(&self, now: Timestamp, is_shared: bool) -> Option<SignedDuration> {
        let mut known = self.state();
        let awake: Vec<(u32, Timestamp)> =
            known.awake.iter().map(|(shard, since)| (*shard, *since)).collect();
        let mut longest = None;
        for (shard, since) in awake {
            let slept = now.duration_since(since);
            if slept < MIN_SLEEP {
                continue;
            }
            let begins = match is_shared {
                true => known.begin_outage_of(OutageScope::Shard(shard), since),
                false => known.begin_outage(since),
            };
            // Otherwise the same sleep would start another outage when this one has ended.
            known.awake.insert(shard, now);
            longest = longest.max(begins.then_some(slept));
        }
        longest
    }

    /// Ends the outage of everything. Returns whether tables must record it.
    pub(crate) fn end_outage(&self, now: Timestamp) -> bool {
        let mut known = self.state();
        let Connection::Lost { since } = known.connection else { return false };
        let loss = TimeSpan { from: since, until: now };
        if loss.until.duration_since(loss.from) < MIN_OUTAGE {
            known.connection = Connection::Up;
            return false;
        }
        known.connection = Connection::Recording;
        known.keep(None, loss);
        true
    }

    /// Starts an outage of a scope, at this moment or earlier.
    pub(crate) fn begin_outage_of(&self, scope: OutageScope, since: Timestamp) {
        self.state().begin_outage_of(scope, since);
    }

    /// Ends the outage of a scope. Returns whether its tables must record it.
    pub(crate) fn end_outage_of(&self, scope: OutageScope, now: Timestamp) -> bool {
        let mut known = self.state();
        let since = known.lost.remove(&scope);
        let loss = since.and_then(|since| Connection::Lost { since }.loss(now));
        loss.inspect(|loss| known.keep(Some(scope), *loss)).is_some()
    }

    /// Whether one of these scopes has an outage.
    pub(crate) fn is_lost(&self, scopes: &[OutageScope]) -> bool {
        let known = self.state();
        let is_silent =
            |scope: &OutageScope| matches!(scope, OutageScope::Shard(it) if known.silent_shards.contains(it));
        scopes.iter().any(|scope| known.lost.contains_key(scope) || is_silent(scope))
    }

    /// Marks that all tables have recorded the outage.
    pub(crate) fn outage_applied(&self) {
        let mut known = self.state();
        if known.connection == Connection::Recording {
            known.connection = Connection::Up;
        }
    }

    /// Whether there is a connection, and every table has recorded all outages.
    pub(crate) fn is_connected(&self) -> bool {
        self.state().connection == Connection::Up
    }

    /// Returns how long there has been no connection; `None` if there is one, or the loss is too short to count.
    pub(crate) fn lost(&self, now: Timestamp) -> Option<SignedDuration> {
        self.state().connection.loss(now).map(|span| span.until.duration_since(span.from))
    }

    /// Formats the latest outages as text for the next process, unless they were noted already. Current outages are
    /// noted up to now.
    pub(crate) fn to_note(&self, now: Timestamp) -> Option<String> {
        let known = self.state();
        let going_on = known.lost.iter().filter_map(|(scope, since)| {
            let loss = Connection::Lost { since: *since }.loss(now)?;
            Some((Some(*scope), loss))
        });
        let mut outages: Vec<Outage> = known.outages.iter().copied().chain(going_on).collect();
        outages.sort_by_key(|(_, span)| span.until);
        outages.drain(..outages.len().saturating_sub(MAX_NOTED_OUTAGES));
        if outages.is_empty() {
            return None;
        }
        let text = serde_json::to_string(&outages).expect("numbers and names always become JSON");
        (text != known.noted).then_some(text)
    }

    /// Remembers the text of the latest note, after it was stored.
    pub(crate) fn has_noted(&self, text: String) {
        self.state().noted = text;
    }

    /// Loads what an earlier process noted.
    ///
    /// # Errors
    /// If it cannot be parsed.
    pub(crate) fn recall(&self, text: &str) -> serde_json::Result<()> {
        let outages: Vec<Outage> = serde_json::from_str(text)?;
        let mut known = self.state();
        outages.into_iter().for_each(|(scope, loss)| known.keep(scope, loss));
        Ok(())
    }

    /// Returns the outages since a moment at a table of these scopes, in order and merged. A current one counts up to
    /// now, so that an event written meanwhile does not charge it to anybody.
    pub(crate) fn outages(&self, scopes: &[OutageScope], since: Timestamp, now: Timestamp) -> Vec<TimeSpan> {
        let known = self.state();
        let concerns = |scope: &Option<OutageScope>| scope.is_none_or(|scope| scopes.contains(&scope));
        let over = known.outages.iter().filter(|(scope, _)| concerns(scope)).map(|(_, span)| *span);
        let lost = scopes.iter().filter_map(|scope| known.lost.get(scope));
        let reaches = lost.map(|since| Connection::Lost { since: *since }).chain([known.connection]);
        let going_on = reaches.filter_map(|connection| connection.loss(now));
        let pause = known.paused_since.map(|from| TimeSpan { from, until: now.max(from) });
        let pauses = known.pauses.iter().copied().chain(pause);
        joined(over.chain(going_on).chain(pauses).filter(|span| span.until > since).collect())
    }
}

fn joined(mut spans: Vec<TimeSpan>) -> Vec<TimeSpan> {
    spans.sort_unstable_by_key(|span| span.from);
    let mut joined: Vec<TimeSpan> = Vec::new();
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.from <= last.until => last.until = last.until.max(span.until),
            _ => joined.push(span),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::millis;

    fn at(ms: i64) -> Timestamp {
        millis::timestamp(ms)
    }

    fn id(text: &str) -> TableId {
        text.parse().unwrap()
    }

    #[test]
    fn tables_come_up_in_their_order_and_once() {
        let watch = Timers::default();
        watch.set(id("AAAA"), Some(at(30)));
        watch.set(id("BBBB"), Some(at(20)));
        watch.set(id("AAAA"), Some(at(10)));
        watch.set(id("CCCC"), Some(at(40)));
        assert_eq!(watch.due(at(9)), []);
        assert_eq!(watch.due(at(20)), [id("AAAA"), id("BBBB")]);
        watch.set(id("AAAA"), None);
        assert_eq!(watch.due(at(100)), [id("BBBB"), id("CCCC")]);
        watch.set_if_unknown(id("BBBB"), at(5));
        watch.set_if_unknown(id("DDDD"), at(7));
        assert_eq!(watch.due(at(100)), [id("DDDD"), id("BBBB"), id("CCCC")], "what is known stays");
    }

    #[test]
    fn no_time_is_up_while_nobody_could_answer() {
        let watch = Timers::default();
        watch.set(id("AAAA"), Some(at(20)));
        watch.begin_outage(at(10));
        watch.begin_outage(at(15));
        assert_eq!(watch.due(at(20_000)), []);
        assert!(watch.end_outage(at(20_000)) && !watch.is_connected());
        assert_eq!(watch.due(at(20_000)), [id("AAAA")]);
        assert_eq!(watch.outages(&[], at(5), at(20_000)), [TimeSpan { from: at(10), until: at(20_000) }]);
        assert_eq!(watch.outages(&[], at(20_000), at(20_000)), []);
        watch.outage_applied();
        assert!(watch.is_connected() && !watch.end_outage(at(30_000)));
    }

    #[test]
    fn what_is_lost_for_some_is_lost_for_them_alone_and_once() {
        let watch = Timers::default();
        let (server, table) = (OutageScope::Server(GuildId(1)), OutageScope::Table(id("AAAA")));
        watch.begin_outage_of(server, at(0));
        watch.begin_outage_of(server, at(90_000));
        watch.begin_outage_of(table, at(20_000));
        watch.begin_outage(at(30_000));
        assert!(watch.end_outage(at(50_000)) && watch.end_outage_of(table, at(60_000)));
        let whole = TimeSpan { from: at(0), until: at(100_000) };
        assert_eq!(watch.outages(&[server, table], at(0), at(100_000)), [whole], "no moment counts twice");
        assert_eq!(
            watch.outages(&[table], at(0), at(100_000)),
            [TimeSpan { from: at(20_000), until: at(60_000) }]
        );
        assert_eq!(
            watch.outages(&[], at(0), at(100_000)),
            [TimeSpan { from: at(30_000), until: at(50_000) }]
        );
        assert!(watch.is_lost(&[table, server]) && !watch.is_lost(&[table]));
        assert!(watch.end_outage_of(server, at(100_000)) && !watch.end_outage_of(server, at(200_000)));
        watch.begin_outage_of(server, at(200_000));
        assert!(
            !watch.end_outage_of(server, at(200_000) + MIN_OUTAGE - SignedDuration::from_millis(1)),
            "a blink"
        );
        assert_eq!(watch.outages(&[server], at(0), at(300_000)), [whole]);
    }

    #[test]
    fn a_pause_of_all_games_counts_from_its_first_moment() {
        let watch = Timers::default();
        watch.set(id("AAAA"), Some(at(20)));
        let first = TimeSpan { from: at(10), until: at(15) };
        watch.set_pauses(Some(at(18)), vec![first]);
        assert_eq!(watch.due(at(90)), []);
        let now = TimeSpan { from: at(18), until: at(90) };
        assert_eq!(watch.outages(&[], at(0), at(90)), [first, now]);
        assert_eq!(watch.outages(&[], at(15), at(90)), [now]);
        watch.set_pauses(None, vec![first, TimeSpan { from: at(18), until: at(40) }]);
        assert_eq!(watch.due(at(90)), [id("AAAA")]);
        watch.begin_outage(at(30));
        let both = TimeSpan { from: at(18), until: at(20_000) };
        assert_eq!(watch.outages(&[], at(15), at(20_000)), [both], "no moment counts twice");
    }

    #[test]
    fn a_blink_is_no_loss() {
        let watch = Timers::default();
        watch.begin_outage(at(10));
        assert!(!watch.end_outage(at(10) + MIN_OUTAGE - SignedDuration::from_millis(1)));
        assert!(watch.is_connected() && watch.outages(&[], at(0), at(100_000)).is_empty());
    }

    #[test]
    fn a_loss_counts_while_it_still_goes_on() {
        let watch = Timers::default();
        watch.begin_outage(at(10));
        assert_eq!(
            watch.outages(&[], at(0), at(10) + MIN_OUTAGE - SignedDuration::from_millis(1)),
            [],
            "it may be a blink"
        );
        assert_eq!(watch.outages(&[], at(0), at(50_000)), [TimeSpan { from: at(10), until: at(50_000) }]);
        assert_eq!(
            (watch.lost(at(1_000)), watch.lost(at(50_000))),
            (None, Some(SignedDuration::from_millis(49_990)))
        );
        watch.end_outage(at(70_000));
        assert_eq!(
            watch.outages(&[], at(50_000), at(90_000)),
            [TimeSpan { from: at(10), until: at(70_000) }]
        );
    }
}
