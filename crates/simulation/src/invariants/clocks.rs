//! The clocks, computed from the entries once more: a flag falls when its player's time is used up, and not earlier.

use std::collections::BTreeMap;

use rookery_core::Seat;
use rookery_store::Sqlite;
use rookery_table::clock::ClockTerms;
use rookery_table::ports::Entry;
use rookery_table::{EndCause, Event, Status, TableId};

use super::violate;
use crate::tables;
use crate::violation::Invariant;
use crate::world::{World, lock};

/// Shorter outages are not given back: the bot counts them as waits.
const SHORTEST_OUTAGE_MS: i64 = 15_000;
/// How much earlier a flag may fall than computed here: the bot notices an outage late, and several short ones of a turn
/// add up.
const TOLERANCE_MS: i64 = 20_000;

/// A flag fell only after its player had used up their time, not counting outages.
pub(super) fn flags_fell_after_their_time(world: &World, store: &Sqlite, table: TableId) {
    // Times of a wrong clock cannot be compared with the outages.
    if world.processes.iter().any(|process| process.clock.was_wrong()) {
        return;
    }
    let entries = tables::entries(store, table);
    let Some(replayed) = tables::table(store, table) else { return };
    let is_on_time = matches!(replayed.status(), Status::Over(ending) if ending.cause == EndCause::OnTime);
    let (Some(terms), true) = (replayed.terms().clock, is_on_time) else { return };
    let mut outages = lock(&world.outages).clone();
    outages.retain(|(begin, end)| end - begin >= SHORTEST_OUTAGE_MS);
    outages.sort_unstable();
    let is_of_two = replayed.chairs().len() == 2;
    let Some(left_ms) = left_at_end(&entries, &terms, &outages).filter(|_| is_of_two) else { return };
    world.note(|| format!("the flag at {table} fell with {left_ms} ms left"));
    if left_ms > TOLERANCE_MS {
        for entry in &entries {
            world.note(|| format!("entry {} of {table} at {}: {:?}", entry.sequence, entry.at, entry.event));
        }
        violate(world, Invariant::FlagFellAfterItsTime, format!("{table} had {left_ms} ms left"));
    }
}

/// Returns the time that the player to move had left at the last entry of a game of two; `None` if pauses or undone moves
/// make it more difficult.
fn left_at_end(entries: &[Entry], terms: &ClockTerms, outages: &[(i64, i64)]) -> Option<i64> {
    let ms = |length: jiff::SignedDuration| i64::try_from(length.as_millis()).unwrap_or(i64::MAX);
    let mut left: BTreeMap<Seat, i64> = BTreeMap::new();
    let (mut turn_began, mut mover) = (None, None);
    for entry in entries {
        let at = entry.at.as_millisecond();
        match &entry.event {
            Event::Started { .. } => turn_began = Some(at),
            Event::Moved { seat, .. } => {
                let spent = net(turn_began?, at, outages);
                let own = left.entry(*seat).or_insert(ms(terms.initial));
                *own = (*own - spent + ms(terms.increment)).min(ms(terms.cap));
                (turn_began, mover) = (Some(at), Some(*seat));
            }
            Event::Undone { .. } | Event::Paused { .. } | Event::Resumed { .. } | Event::Frozen => {
                return None;
            }
            _ => {}
        }
    }
    // In a game of two, the one who did not move last is on turn.
    let other = left.iter().find(|(seat, _)| Some(**seat) != mover).map(|(_, left)| *left);
    let spent = net(turn_began?, entries.last()?.at.as_millisecond(), outages);
    Some(other.unwrap_or(ms(terms.initial)) - spent)
}

/// Returns the length of a span without the outages in it, which are in the order of their beginnings and may overlap.
fn net(from: i64, to: i64, outages: &[(i64, i64)]) -> i64 {
    let (mut up_ms, mut known) = (0, from);
    for (begin, end) in outages {
        up_ms += (to.min(*begin) - known).max(0);
        known = known.max(*end);
    }
    up_ms + (to - known).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outages_are_not_counted_as_used_time() {
        assert_eq!(net(100, 200, &[]), 100);
        assert_eq!(net(100, 200, &[(0, 110), (150, 160), (155, 158), (190, 900), (300, 400)]), 70);
    }
}
