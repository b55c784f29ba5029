//! When tables want to be looked at because of time alone, and when nobody could move because the
//! program or Discord was away.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::GuildId;
use crate::TableId;
use crate::clock::TimeSpan;

/// A loss of reach that is shorter than this, in milliseconds, is none: Discord reconnects now and then.
const MIN_OUTAGE_MS: i64 = 10_000;
/// Outages that are remembered for tables that don't know of them yet.
const MAX_OUTAGES: usize = 4_096;
/// Outages that are noted for the next process.
const MAX_NOTED_OUTAGES: usize = 500;

/// A part of all tables that people may be unable to reach while they reach the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OutageScope {
    /// The tables of a server: it is out of order.
    Server(GuildId),
    /// One table: its board cannot be shown.
    Table(TableId),
}

/// What a registry knows of time.
#[derive(Default)]
pub(crate) struct Timers(Mutex<TimerState>);

#[derive(Default)]
struct TimerState {
    /// The next moment of each table, in order.
    moments: BTreeSet<(i64, TableId)>,
    of_table: HashMap<TableId, i64>,
    connection: Connection,
    /// The parts that people do not reach, since when.
    lost: HashMap<OutageScope, i64>,
    outages: Vec<Outage>,
    /// The losses as they were noted last.
    noted: String,
}

/// A time in which nobody could move, at all tables or at those of one part.
type Outage = (Option<OutageScope>, TimeSpan);

impl TimerState {
    fn keep(&mut self, scope: Option<OutageScope>, loss: TimeSpan) {
        if self.outages.len() == MAX_OUTAGES {
            self.outages.remove(0);
        }
        self.outages.push((scope, loss));
    }
}

/// Whether people can reach us.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Connection {
    #[default]
    There,
    /// They can again, and tables are being told.
    Telling,
    /// They cannot, since this moment.
    Lost { since_ms: i64 },
}

impl Connection {
    /// The loss that goes on at a moment, unless it may be a blink.
    fn loss(self, now_ms: i64) -> Option<TimeSpan> {
        let Connection::Lost { since_ms } = self else { return None };
        Some(TimeSpan { from_ms: since_ms, until_ms: now_ms }).filter(|_| now_ms - since_ms >= MIN_OUTAGE_MS)
    }
}

impl Timers {
    fn known(&self) -> MutexGuard<'_, TimerState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps when a table wants to be looked at next.
    pub(crate) fn set(&self, table: TableId, next_ms: Option<i64>) {
        let mut known = self.known();
        if let Some(old_ms) = known.of_table.remove(&table) {
            known.moments.remove(&(old_ms, table));
        }
        if let Some(next_ms) = next_ms {
            known.of_table.insert(table, next_ms);
            known.moments.insert((next_ms, table));
        }
    }

    /// The same from what is kept, which a table that is awake knows better.
    pub(crate) fn learn(&self, table: TableId, next_ms: i64) {
        let mut known = self.known();
        if let Entry::Vacant(unknown) = known.of_table.entry(table) {
            unknown.insert(next_ms);
            known.moments.insert((next_ms, table));
        }
    }

    /// The tables whose moment has come; none while nobody could answer.
    pub(crate) fn due(&self, now_ms: i64) -> Vec<TableId> {
        let known = self.known();
        if matches!(known.connection, Connection::Lost { .. }) {
            return Vec::new();
        }
        known.moments.iter().take_while(|(at_ms, _)| *at_ms <= now_ms).map(|(_, table)| *table).collect()
    }

    /// Nobody reaches us, since this moment or longer.
    pub(crate) fn begin_outage(&self, since_ms: i64) {
        let mut known = self.known();
        if !matches!(known.connection, Connection::Lost { .. }) {
            known.connection = Connection::Lost { since_ms };
        }
    }

    /// People reach us again. Says whether tables must be told of the time between.
    pub(crate) fn end_outage(&self, now_ms: i64) -> bool {
        let mut known = self.known();
        let Connection::Lost { since_ms } = known.connection else { return false };
        let loss = TimeSpan { from_ms: since_ms, until_ms: now_ms };
        if loss.until_ms - loss.from_ms < MIN_OUTAGE_MS {
            known.connection = Connection::There;
            return false;
        }
        known.connection = Connection::Telling;
        known.keep(None, loss);
        true
    }

    /// Nobody reaches a part of the tables, since this moment or longer.
    pub(crate) fn begin_outage_of(&self, scope: OutageScope, since_ms: i64) {
        self.known().lost.entry(scope).or_insert(since_ms);
    }

    /// People reach it again. Says whether its tables must be told of the time between.
    pub(crate) fn end_outage_of(&self, scope: OutageScope, now_ms: i64) -> bool {
        let mut known = self.known();
        let since_ms = known.lost.remove(&scope);
        let loss = since_ms.and_then(|since_ms| Connection::Lost { since_ms }.loss(now_ms));
        loss.inspect(|loss| known.keep(Some(scope), *loss)).is_some()
    }

    /// Whether one of these parts cannot be reached.
    pub(crate) fn is_lost(&self, scopes: &[OutageScope]) -> bool {
        let known = self.known();
        scopes.iter().any(|scope| known.lost.contains_key(scope))
    }

    /// All tables have been told.
    pub(crate) fn outage_applied(&self) {
        let mut known = self.known();
        if known.connection == Connection::Telling {
            known.connection = Connection::There;
        }
    }

    /// Whether people reach us, and every table knows of the times when they did not.
    pub(crate) fn is_connected(&self) -> bool {
        self.known().connection == Connection::There
    }

    /// For how long, in milliseconds, people have not reached us now; `None` if they do, or it may be a blink.
    pub(crate) fn lost_ms(&self, now_ms: i64) -> Option<i64> {
        self.known().connection.loss(now_ms).map(|span| span.until_ms - span.from_ms)
    }

    /// The latest outages as text for the next process, unless they were noted already. Outages that go on
    /// are noted up to
    /// now.
    pub(crate) fn to_note(&self, now_ms: i64) -> Option<String> {
        let known = self.known();
        let going_on = known.lost.iter().filter_map(|(scope, since_ms)| {
            let loss = Connection::Lost { since_ms: *since_ms }.loss(now_ms)?;
            Some((Some(*scope), loss))
        });
        let mut outages: Vec<Outage> = known.outages.iter().copied().chain(going_on).collect();
        outages.sort_by_key(|(_, span)| span.until_ms);
        outages.drain(..outages.len().saturating_sub(MAX_NOTED_OUTAGES));
        if outages.is_empty() {
            return None;
        }
        let text = serde_json::to_string(&outages).expect("numbers and names always become JSON");
        (text != known.noted).then_some(text)
    }

    /// That was noted.
    pub(crate) fn has_noted(&self, text: String) {
        self.known().noted = text;
    }

    /// Takes up what an earlier process noted.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn recall(&self, text: &str) -> serde_json::Result<()> {
        let outages: Vec<Outage> = serde_json::from_str(text)?;
        let mut known = self.known();
        outages.into_iter().for_each(|(scope, loss)| known.keep(scope, loss));
        Ok(())
    }

    /// The times since a moment in which nobody could move at a table of these parts, in order, none of them
    /// twice. One that still goes on counts up to now: what is written meanwhile must not have it charged to
    /// anybody.
    pub(crate) fn outages(&self, scopes: &[OutageScope], since_ms: i64, now_ms: i64) -> Vec<TimeSpan> {
        let known = self.known();
        let concerns = |scope: &Option<OutageScope>| scope.is_none_or(|scope| scopes.contains(&scope));
        let over = known.outages.iter().filter(|(scope, _)| concerns(scope)).map(|(_, span)| *span);
        let lost = scopes.iter().filter_map(|scope| known.lost.get(scope));
        let reaches = lost.map(|since_ms| Connection::Lost { since_ms: *since_ms }).chain([known.connection]);
        let going_on = reaches.filter_map(|connection| connection.loss(now_ms));
        joined(over.chain(going_on).filter(|span| span.until_ms > since_ms).collect())
    }
}

/// The same times without what they have in common.
fn joined(mut spans: Vec<TimeSpan>) -> Vec<TimeSpan> {
    spans.sort_unstable_by_key(|span| span.from_ms);
    let mut joined: Vec<TimeSpan> = Vec::new();
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.from_ms <= last.until_ms => last.until_ms = last.until_ms.max(span.until_ms),
            _ => joined.push(span),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> TableId {
        text.parse().unwrap()
    }

    #[test]
    fn tables_come_up_in_their_order_and_once() {
        let watch = Timers::default();
        watch.set(id("AAAA"), Some(30));
        watch.set(id("BBBB"), Some(20));
        watch.set(id("AAAA"), Some(10));
        watch.set(id("CCCC"), Some(40));
        assert_eq!(watch.due(9), []);
        assert_eq!(watch.due(20), [id("AAAA"), id("BBBB")]);
        watch.set(id("AAAA"), None);
        assert_eq!(watch.due(100), [id("BBBB"), id("CCCC")]);
        watch.learn(id("BBBB"), 5);
        watch.learn(id("DDDD"), 7);
        assert_eq!(watch.due(100), [id("DDDD"), id("BBBB"), id("CCCC")], "what is known stays");
    }

    #[test]
    fn no_time_is_up_while_nobody_could_answer() {
        let watch = Timers::default();
        watch.set(id("AAAA"), Some(20));
        watch.begin_outage(10);
        watch.begin_outage(15);
        assert_eq!(watch.due(20_000), []);
        assert!(watch.end_outage(20_000) && !watch.is_connected());
        assert_eq!(watch.due(20_000), [id("AAAA")]);
        assert_eq!(watch.outages(&[], 5, 20_000), [TimeSpan { from_ms: 10, until_ms: 20_000 }]);
        assert_eq!(watch.outages(&[], 20_000, 20_000), []);
        watch.outage_applied();
        assert!(watch.is_connected() && !watch.end_outage(30_000));
    }

    #[test]
    fn what_is_lost_for_some_is_lost_for_them_alone_and_once() {
        let watch = Timers::default();
        let (server, table) = (OutageScope::Server(GuildId(1)), OutageScope::Table(id("AAAA")));
        watch.begin_outage_of(server, 0);
        watch.begin_outage_of(server, 90_000);
        watch.begin_outage_of(table, 20_000);
        watch.begin_outage(30_000);
        assert!(watch.end_outage(50_000) && watch.end_outage_of(table, 60_000));
        let whole = TimeSpan { from_ms: 0, until_ms: 100_000 };
        assert_eq!(watch.outages(&[server, table], 0, 100_000), [whole], "no moment counts twice");
        assert_eq!(watch.outages(&[table], 0, 100_000), [TimeSpan { from_ms: 20_000, until_ms: 60_000 }]);
        assert_eq!(watch.outages(&[], 0, 100_000), [TimeSpan { from_ms: 30_000, until_ms: 50_000 }]);
        assert!(watch.is_lost(&[table, server]) && !watch.is_lost(&[table]));
        assert!(watch.end_outage_of(server, 100_000) && !watch.end_outage_of(server, 200_000));
        watch.begin_outage_of(server, 200_000);
        assert!(!watch.end_outage_of(server, 200_000 + MIN_OUTAGE_MS - 1), "a blink");
        assert_eq!(watch.outages(&[server], 0, 300_000), [whole]);
    }

    #[test]
    fn a_blink_is_no_loss() {
        let watch = Timers::default();
        watch.begin_outage(10);
        assert!(!watch.end_outage(10 + MIN_OUTAGE_MS - 1));
        assert!(watch.is_connected() && watch.outages(&[], 0, 100_000).is_empty());
    }

    #[test]
    fn a_loss_counts_while_it_still_goes_on() {
        let watch = Timers::default();
        watch.begin_outage(10);
        assert_eq!(watch.outages(&[], 0, 10 + MIN_OUTAGE_MS - 1), [], "it may be a blink");
        assert_eq!(watch.outages(&[], 0, 50_000), [TimeSpan { from_ms: 10, until_ms: 50_000 }]);
        assert_eq!((watch.lost_ms(1_000), watch.lost_ms(50_000)), (None, Some(49_990)));
        watch.end_outage(70_000);
        assert_eq!(watch.outages(&[], 50_000, 90_000), [TimeSpan { from_ms: 10, until_ms: 70_000 }]);
    }
}
