//! The public messages in which players were asked to confirm a resignation.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use rookery_core::Seat;
use rookery_table::TableId;
use rookery_table::{ChannelId, MessageId};

use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId};

/// The most open questions; a further one replaces the oldest.
const CACHE_CAPACITY: usize = 1_000;

/// The open confirmations by table: the seat, the channel and the message of each. Clones share them.
#[derive(Clone, Default)]
pub struct ResignConfirmations(Arc<Mutex<VecDeque<Confirmation>>>);

/// A question: whether the player of a seat resigns, and the message that asks it.
struct Confirmation {
    table: TableId,
    seat: Seat,
    channel: ChannelId,
    message: MessageId,
}

impl ResignConfirmations {
    /// Records where a confirmation is shown, if the message is one.
    pub(in crate::discord) fn note(&self, post: &OutgoingMessage, channel: ChannelId, message: MessageId) {
        let asks = |press: TableButtonId| match press.action {
            ButtonAction::ResignYes(seat) => Some((press.table, seat)),
            _ => None,
        };
        let parts = post.rows.iter().flatten();
        let Some((table, seat)) = parts.filter_map(|part| TableButtonId::read(part.id()).ok()).find_map(asks)
        else {
            return;
        };
        self.keep(Confirmation { table, seat, channel, message });
    }

    fn keep(&self, confirmation: Confirmation) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() == CACHE_CAPACITY {
            known.pop_front();
        }
        known.push_back(confirmation);
    }

    /// Removes and returns the confirmations of a table that are settled: those of one seat, or all.
    pub(in crate::discord) fn settled(
        &self,
        table: TableId,
        seat: Option<Seat>,
    ) -> Vec<(ChannelId, MessageId)> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut settled = Vec::new();
        known.retain(|asked| {
            let is_settled = asked.table == table && seat.is_none_or(|seat| seat == asked.seat);
            if is_settled {
                settled.push((asked.channel, asked.message));
            }
            !is_settled
        });
        settled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table id for a number below 4,096: its octal digits, in the characters of an id.
    fn table_id(number: u64) -> TableId {
        format!("{number:04o}").replace('0', "8").replace('1', "9").parse().unwrap()
    }

    fn keep(known: &ResignConfirmations, table: u64, seat: Seat, message: MessageId) {
        known.keep(Confirmation { table: table_id(table), seat, channel: ChannelId(5), message });
    }

    fn settled(known: &ResignConfirmations, table: u64, seat: Option<Seat>) -> Vec<u64> {
        known.settled(table_id(table), seat).iter().map(|(_, message)| message.0).collect()
    }

    #[test]
    fn resign_confirmations_are_settled_by_seat_or_all_at_once() {
        let known = ResignConfirmations::default();
        for (message, (table, seat)) in
            (1..).zip([(1, Seat::FIRST), (1, Seat::SECOND), (2, Seat::FIRST), (1, Seat::SECOND)])
        {
            keep(&known, table, seat, MessageId(message));
        }
        assert_eq!(settled(&known, 1, Some(Seat::SECOND)), [2, 4]);
        assert_eq!(settled(&known, 1, None), [1]);
        assert_eq!(settled(&known, 1, None), [0; 0]);
        assert_eq!(settled(&known, 2, None), [3], "another table's");
    }

    #[test]
    fn resign_confirmations_beyond_the_bound_replace_the_oldest() {
        let known = ResignConfirmations::default();
        let tables = CACHE_CAPACITY as u64 + 1;
        (1..=tables).for_each(|table| keep(&known, table, Seat::FIRST, MessageId(table)));
        assert_eq!(settled(&known, 1, None), [0; 0]);
        assert_eq!(settled(&known, 2, None), [2]);
        assert_eq!(settled(&known, tables, None), [tables]);
    }
}
