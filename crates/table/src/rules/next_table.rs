//! What a decision makes of a table, and what is written of it.

use crate::SourceId;
use crate::clock::TimeSpan;
use crate::decide::Decision;
use crate::model::records::{Batch, Entry};
use crate::model::{Event, Order, TableError};
use crate::outbox::{self, Note, OutboxItem};
use crate::state::Table;
use jiff::Timestamp;

/// A table and the entries that it does not have yet, taken in one after another.
pub(crate) struct NextTable<'a> {
    before: &'a Table,
    /// The table after the entries so far.
    pub(crate) after: Table,
    entries: Vec<Entry>,
    /// The moment of new entries.
    pub(crate) now: Timestamp,
}

impl<'a> NextTable<'a> {
    /// Begins with the outages that the table does not know of yet.
    ///
    /// # Errors
    /// [`TableError::Internal`] if they cannot be.
    pub(crate) fn after_outages(
        before: &'a Table,
        outages: &[TimeSpan],
        now: Timestamp,
    ) -> Result<NextTable<'a>, TableError> {
        // A clock that was set back must not make a table's time run backwards.
        let now = now.max(before.at());
        let mut next = NextTable { before, after: before.clone(), entries: Vec::new(), now };
        let lost: Vec<Event> = before.given_back(outages, now).into_iter().collect();
        next.take_in(lost.into(), None)?;
        Ok(next)
    }

    /// Takes a decision in. The positions that deciding has played become the table's.
    ///
    /// # Errors
    /// [`TableError::Internal`] if its events cannot be.
    pub(crate) fn take_in(&mut self, decision: Decision, source: Option<SourceId>) -> Result<(), TableError> {
        let mut positions = decision.positions.into_iter();
        for entry in number(decision.events, self.after.sequence(), self.now, source) {
            let is_move = matches!(entry.event, Event::Moved { .. });
            let played = if is_move { positions.next() } else { None };
            self.after.apply_decided(&entry, played).map_err(|why| {
                let table = self.before.id();
                tracing::error!(%table, ?entry, why, "a decision that cannot be carried out");
                TableError::Internal
            })?;
            self.entries.push(entry);
        }
        Ok(())
    }

    /// The table, and what is written of an order.
    pub(crate) fn written(self, order: &Order) -> (Table, Batch) {
        let batch = batch(Some(self.before), &self.after, self.entries);
        let is_removal = matches!(order, Order::RemovePerson { .. });
        (self.after, if is_removal { without_return(batch) } else { batch })
    }
}

/// Gives events their numbers.
pub(crate) fn number(events: Vec<Event>, after: u64, at: Timestamp, source: Option<SourceId>) -> Vec<Entry> {
    let numbers = after + 1..;
    numbers.zip(events).map(|(sequence, event)| Entry { sequence, at, source, event }).collect()
}

/// Everything that a decision leaves behind.
pub(crate) fn batch(before: Option<&Table>, after: &Table, entries: Vec<Entry>) -> Batch {
    let events: Vec<Event> = entries.iter().map(|entry| entry.event.clone()).collect();
    Batch {
        table: after.id(),
        outbox_items: outbox::items_after(before, after, &events),
        job: after.job(),
        card: after.card(),
        entries,
    }
}

/// A person whose data is deleted doesn't leave for a while only.
fn without_return(mut batch: Batch) -> Batch {
    for item in &mut batch.outbox_items {
        if let OutboxItem::Note { note: note @ Note::Substituted, .. } = item {
            *note = Note::SubstitutedForGood;
        }
    }
    batch
}
