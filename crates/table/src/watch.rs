//! When tables want to be looked at because of time alone, and when nobody could move because the
//! program or Discord was away.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::TableId;
use super::clock::Span;

/// A loss of reach that is shorter than this, in milliseconds, is none: Discord reconnects now and then.
const LOSS_LEAST_MS: i64 = 10_000;
/// So many losses are remembered, for tables that nobody has told of them yet.
const LOSSES_KEPT: usize = 4_096;
/// So many of them outlive the process.
const LOSSES_NOTED: usize = 500;

/// A part of all tables that people may be unable to reach while they reach the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Part {
    /// The tables of a server: it is out of order.
    Server(u64),
    /// One table: its board cannot be shown.
    Table(TableId),
}

/// What a hall knows of time.
#[derive(Default)]
pub(super) struct Watch(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// The next moment of each table, in order.
    moments: BTreeSet<(i64, TableId)>,
    of_table: HashMap<TableId, i64>,
    reach: Reach,
    /// The parts that people do not reach, since when.
    lost: HashMap<Part, i64>,
    losses: Vec<Loss>,
    /// The losses as they were noted last.
    noted: String,
}

/// A time in which nobody could move, at all tables or at those of one part.
type Loss = (Option<Part>, Span);

impl Known {
    fn keep(&mut self, part: Option<Part>, loss: Span) {
        if self.losses.len() == LOSSES_KEPT {
            self.losses.remove(0);
        }
        self.losses.push((part, loss));
    }
}

/// Whether people can reach us.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Reach {
    #[default]
    There,
    /// They can again, and tables are being told.
    Telling,
    /// They cannot, since this moment.
    Lost { since_ms: i64 },
}

impl Reach {
    /// The loss that goes on at a moment, unless it may be a blink.
    fn loss(self, now_ms: i64) -> Option<Span> {
        let Reach::Lost { since_ms } = self else { return None };
        Some(Span { from_ms: since_ms, until_ms: now_ms }).filter(|_| now_ms - since_ms >= LOSS_LEAST_MS)
    }
}

impl Watch {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps when a table wants to be looked at next.
    pub(super) fn set(&self, table: TableId, next_ms: Option<i64>) {
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
    pub(super) fn learn(&self, table: TableId, next_ms: i64) {
        let mut known = self.known();
        if let Entry::Vacant(unknown) = known.of_table.entry(table) {
            unknown.insert(next_ms);
            known.moments.insert((next_ms, table));
        }
    }

    /// The tables whose moment has come; none while nobody could answer.
    pub(super) fn due(&self, now_ms: i64) -> Vec<TableId> {
        let known = self.known();
        if matches!(known.reach, Reach::Lost { .. }) {
            return Vec::new();
        }
        known.moments.iter().take_while(|(at_ms, _)| *at_ms <= now_ms).map(|(_, table)| *table).collect()
    }

    /// Nobody reaches us, since this moment or longer.
    pub(super) fn lose(&self, since_ms: i64) {
        let mut known = self.known();
        if !matches!(known.reach, Reach::Lost { .. }) {
            known.reach = Reach::Lost { since_ms };
        }
    }

    /// People reach us again. Says whether tables must be told of the time between.
    pub(super) fn regain(&self, now_ms: i64) -> bool {
        let mut known = self.known();
        let Reach::Lost { since_ms } = known.reach else { return false };
        let loss = Span { from_ms: since_ms, until_ms: now_ms };
        if loss.until_ms - loss.from_ms < LOSS_LEAST_MS {
            known.reach = Reach::There;
            return false;
        }
        known.reach = Reach::Telling;
        known.keep(None, loss);
        true
    }

    /// Nobody reaches a part of the tables, since this moment or longer.
    pub(super) fn lose_part(&self, part: Part, since_ms: i64) {
        self.known().lost.entry(part).or_insert(since_ms);
    }

    /// People reach it again. Says whether its tables must be told of the time between.
    pub(super) fn regain_part(&self, part: Part, now_ms: i64) -> bool {
        let mut known = self.known();
        let since_ms = known.lost.remove(&part);
        let loss = since_ms.and_then(|since_ms| Reach::Lost { since_ms }.loss(now_ms));
        loss.inspect(|loss| known.keep(Some(part), *loss)).is_some()
    }

    /// Whether one of these parts cannot be reached.
    pub(super) fn is_lost(&self, parts: &[Part]) -> bool {
        let known = self.known();
        parts.iter().any(|part| known.lost.contains_key(part))
    }

    /// All tables have been told.
    pub(super) fn told(&self) {
        let mut known = self.known();
        if known.reach == Reach::Telling {
            known.reach = Reach::There;
        }
    }

    /// Whether people reach us, and every table knows of the times when they did not.
    pub(super) fn is_there(&self) -> bool {
        self.known().reach == Reach::There
    }

    /// For how long, in milliseconds, people have not reached us now; `None` if they do, or it may be a blink.
    pub(super) fn lost_ms(&self, now_ms: i64) -> Option<i64> {
        self.known().reach.loss(now_ms).map(|span| span.until_ms - span.from_ms)
    }

    /// The latest losses as text, for whoever comes after this process, if they are not what was noted last. Those of
    /// parts that go on are told up to now.
    pub(super) fn to_note(&self, now_ms: i64) -> Option<String> {
        let known = self.known();
        let going_on = known.lost.iter().filter_map(|(part, since_ms)| {
            let loss = Reach::Lost { since_ms: *since_ms }.loss(now_ms)?;
            Some((Some(*part), loss))
        });
        let mut losses: Vec<Loss> = known.losses.iter().copied().chain(going_on).collect();
        losses.sort_by_key(|(_, span)| span.until_ms);
        losses.drain(..losses.len().saturating_sub(LOSSES_NOTED));
        if losses.is_empty() {
            return None;
        }
        let text = serde_json::to_string(&losses).expect("numbers and names always become JSON");
        (text != known.noted).then_some(text)
    }

    /// That was noted.
    pub(super) fn has_noted(&self, text: String) {
        self.known().noted = text;
    }

    /// Takes up what an earlier process noted.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn recall(&self, text: &str) -> serde_json::Result<()> {
        let losses: Vec<Loss> = serde_json::from_str(text)?;
        let mut known = self.known();
        losses.into_iter().for_each(|(part, loss)| known.keep(part, loss));
        Ok(())
    }

    /// The times since a moment in which nobody could move at a table of these parts, in order, none of them
    /// twice. One that still goes on counts up to now: what is written meanwhile must not have it charged to
    /// anybody.
    pub(super) fn losses(&self, parts: &[Part], since_ms: i64, now_ms: i64) -> Vec<Span> {
        let known = self.known();
        let concerns = |part: &Option<Part>| part.is_none_or(|part| parts.contains(&part));
        let over = known.losses.iter().filter(|(part, _)| concerns(part)).map(|(_, span)| *span);
        let lost = parts.iter().filter_map(|part| known.lost.get(part));
        let reaches = lost.map(|since_ms| Reach::Lost { since_ms: *since_ms }).chain([known.reach]);
        let going_on = reaches.filter_map(|reach| reach.loss(now_ms));
        joined(over.chain(going_on).filter(|span| span.until_ms > since_ms).collect())
    }
}

/// The same times without what they have in common.
fn joined(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable_by_key(|span| span.from_ms);
    let mut joined: Vec<Span> = Vec::new();
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
        let watch = Watch::default();
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
        let watch = Watch::default();
        watch.set(id("AAAA"), Some(20));
        watch.lose(10);
        watch.lose(15);
        assert_eq!(watch.due(20_000), []);
        assert!(watch.regain(20_000) && !watch.is_there());
        assert_eq!(watch.due(20_000), [id("AAAA")]);
        assert_eq!(watch.losses(&[], 5, 20_000), [Span { from_ms: 10, until_ms: 20_000 }]);
        assert_eq!(watch.losses(&[], 20_000, 20_000), []);
        watch.told();
        assert!(watch.is_there() && !watch.regain(30_000));
    }

    #[test]
    fn what_is_lost_for_some_is_lost_for_them_alone_and_once() {
        let watch = Watch::default();
        let (server, table) = (Part::Server(1), Part::Table(id("AAAA")));
        watch.lose_part(server, 0);
        watch.lose_part(server, 90_000);
        watch.lose_part(table, 20_000);
        watch.lose(30_000);
        assert!(watch.regain(50_000) && watch.regain_part(table, 60_000));
        let whole = Span { from_ms: 0, until_ms: 100_000 };
        assert_eq!(watch.losses(&[server, table], 0, 100_000), [whole], "no moment counts twice");
        assert_eq!(watch.losses(&[table], 0, 100_000), [Span { from_ms: 20_000, until_ms: 60_000 }]);
        assert_eq!(watch.losses(&[], 0, 100_000), [Span { from_ms: 30_000, until_ms: 50_000 }]);
        assert!(watch.is_lost(&[table, server]) && !watch.is_lost(&[table]));
        assert!(watch.regain_part(server, 100_000) && !watch.regain_part(server, 200_000));
        watch.lose_part(server, 200_000);
        assert!(!watch.regain_part(server, 200_000 + LOSS_LEAST_MS - 1), "a blink");
        assert_eq!(watch.losses(&[server], 0, 300_000), [whole]);
    }

    #[test]
    fn a_blink_is_no_loss() {
        let watch = Watch::default();
        watch.lose(10);
        assert!(!watch.regain(10 + LOSS_LEAST_MS - 1));
        assert!(watch.is_there() && watch.losses(&[], 0, 100_000).is_empty());
    }

    #[test]
    fn a_loss_counts_while_it_still_goes_on() {
        let watch = Watch::default();
        watch.lose(10);
        assert_eq!(watch.losses(&[], 0, 10 + LOSS_LEAST_MS - 1), [], "it may be a blink");
        assert_eq!(watch.losses(&[], 0, 50_000), [Span { from_ms: 10, until_ms: 50_000 }]);
        assert_eq!((watch.lost_ms(1_000), watch.lost_ms(50_000)), (None, Some(49_990)));
        watch.regain(70_000);
        assert_eq!(watch.losses(&[], 50_000, 90_000), [Span { from_ms: 10, until_ms: 70_000 }]);
    }
}
