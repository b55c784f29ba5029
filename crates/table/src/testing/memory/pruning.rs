//! Pruning of the outbox in memory, as in a file.

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;

use super::{Kept, Row};
use crate::ports::{AfterFailure, Stage};
use crate::{MessageId, OutboxItem, TableId};

/// Prunes the outbox of at most `most` finished tables without an event since `before`; returns their number.
pub(super) fn prune_outbox(kept: &mut Kept, before: Timestamp, most: usize) -> usize {
    let Kept { cards, outbox, messages, .. } = kept;
    let over =
        |table: &TableId| cards.get(table).is_some_and(|card| card.stage == Stage::Over && card.at < before);
    let settled: BTreeSet<TableId> =
        outbox.iter().filter(|row| row.can_go()).map(|row| row.due.table).filter(over).collect();
    let mut pruned = 0;
    for table in settled {
        pruned += usize::from(pruned < most && prune(outbox, messages, table));
    }
    pruned
}

impl Row {
    /// Whether the row is settled.
    fn can_go(&self) -> bool {
        matches!(self.after_failure, None | Some(AfterFailure::GivenUp))
    }

    /// Returns the kind of the row if lists link to the latest of that kind.
    fn linked(&self) -> Option<&'static str> {
        match self.due.item {
            OutboxItem::Announce => Some("announce"),
            OutboxItem::Board { .. } => Some("board"),
            OutboxItem::Result => Some("result"),
            _ => None,
        }
    }
}

/// Deletes the settled rows of a table except the latest that lists link to; returns whether there were any.
fn prune(
    outbox: &mut Vec<Row>,
    messages: &mut HashMap<MessageId, (TableId, Option<usize>)>,
    table: TableId,
) -> bool {
    let posted = outbox.iter().filter(|row| row.due.table == table && row.posted.is_some());
    let latest: HashMap<_, i64> = posted.filter_map(|row| Some((row.linked()?, row.due.id))).collect();
    let goes = |row: &mut Row| {
        row.due.table == table && row.can_go() && !latest.values().any(|latest| *latest == row.due.id)
    };
    let gone: Vec<Row> = outbox.extract_if(.., goes).collect();
    for row in &gone {
        let ply = if let OutboxItem::Board { ply } = row.due.item { Some(ply) } else { None };
        messages.extend(row.posted.map(|posted| (posted.message, (table, ply))));
    }
    !gone.is_empty()
}
