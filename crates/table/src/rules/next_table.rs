//! The table after a decision, and the batch to write for it.

use crate::SourceId;
use crate::clock::TimeSpan;
use crate::decide::Decision;
use crate::model::records::{Batch, Entry};
use crate::model::{Event, Order, TableError};
use crate::outbox::{self, Note, OutboxItem};
use crate::state::Table;
use jiff::Timestamp;

/// A table with the new entries applied one after another.
pub(crate) struct NextTable<'a> {
    before: &'a Table,
    /// The table after the new entries so far.
    pub(crate) after: Table,
    entries: Vec<Entry>,
    /// The time of the new entries.
    pub(crate) now: Timestamp,
}

impl<'a> NextTable<'a> {
    /// Starts with the outages that the table has not recorded yet.
    ///
    /// # Errors
    /// [`TableError::Internal`] if they cannot be applied.
    pub(crate) fn after_outages(
        before: &'a Table,
        outages: &[TimeSpan],
        now: Timestamp,
    ) -> Result<NextTable<'a>, TableError> {
        // A clock that was set back must not make a table's time run backwards.
        let now = now.max(before.at());
        let mut next = NextTable { before, after: before.clone(), entries: Vec::new(), now };
        let lost: Vec<Event> = before.outage_event(outages, now).into_iter().collect();
        next.apply_decision(lost.into(), None)?;
        Ok(next)
    }

    /// Applies a decision. The positions that deciding has played become the table's.
    ///
    /// # Errors
    /// [`TableError::Internal`] if its events cannot be applied.
    pub(crate) fn apply_decision(
        &mut self,
        decision: Decision,
        source: Option<SourceId>,
    ) -> Result<(), TableError> {
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

    /// Returns the table, and the batch to write for an order.
    pub(crate) fn into_batch(self, order: &Order) -> (Table, Batch) {
        let mut batch = batch(Some(self.before), &self.after, self.entries);
        if let Order::Rate(known) = order {
            batch.known_ratings.clone_from(known);
        }
        let is_removal = matches!(order, Order::RemovePerson { .. });
        (self.after, if is_removal { without_return(batch) } else { batch })
    }
}

/// Numbers events and makes entries of them.
pub(crate) fn number(events: Vec<Event>, after: u64, at: Timestamp, source: Option<SourceId>) -> Vec<Entry> {
    let numbers = after + 1..;
    numbers.zip(events).map(|(sequence, event)| Entry { sequence, at, source, event }).collect()
}

/// Builds the batch of a decision: entries, outbox items, job and card.
pub(crate) fn batch(before: Option<&Table>, after: &Table, entries: Vec<Entry>) -> Batch {
    let events: Vec<Event> = entries.iter().map(|entry| entry.event.clone()).collect();
    Batch {
        table: after.id(),
        outbox_items: outbox::items_after(before, after, &events),
        job: after.job(),
        card: after.card(),
        entries,
        known_ratings: Vec::new(),
    }
}

/// Rewords the substitution of a person whose data is deleted: they do not come back.
fn without_return(mut batch: Batch) -> Batch {
    for item in &mut batch.outbox_items {
        if let OutboxItem::Note { note: note @ Note::Substituted, .. } = item {
            *note = Note::SubstitutedForGood;
        }
    }
    batch
}
