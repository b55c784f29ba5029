//! The public messages in which players were asked to confirm a resignation.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rookery_core::Seat;
use rookery_table::TableId;
use rookery_table::{ChannelId, MessageId};

use crate::discord::wire::component_id::{ButtonAction, ComponentId};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The number of tables above which all entries are removed.
pub(in crate::discord) const CACHE_CAPACITY: usize = 1_000;

/// The open confirmations by table: the seat, the channel and the message of each. Clones share them.
#[derive(Clone, Default)]
pub struct ResignConfirmations(Arc<Mutex<HashMap<TableId, Vec<ConfirmationMessage>>>>);

pub(in crate::discord) type ConfirmationMessage = (Seat, ChannelId, MessageId);

impl ResignConfirmations {
    /// Records where a confirmation is shown, if the message is one.
    pub(in crate::discord) fn note(&self, post: &OutgoingMessage, channel: ChannelId, message: MessageId) {
        let asks = |press: ComponentId| match press.action {
            ButtonAction::ResignYes(seat) => Some((press.table, seat)),
            _ => None,
        };
        let parts = post.rows.iter().flatten();
        let Some((table, seat)) = parts.filter_map(|part| ComponentId::read(part.id()).ok()).find_map(asks)
        else {
            return;
        };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= CACHE_CAPACITY {
            known.clear();
        }
        known.entry(table).or_default().push((seat, channel, message));
    }

    /// Removes and returns the confirmations of a table that are settled: those of one seat, or all.
    pub(in crate::discord) fn settled(
        &self,
        table: TableId,
        seat: Option<Seat>,
    ) -> Vec<(ChannelId, MessageId)> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (settled, open): (Vec<_>, Vec<_>) = known
            .remove(&table)
            .unwrap_or_default()
            .into_iter()
            .partition(|(about, ..)| seat.is_none_or(|seat| seat == *about));
        if !open.is_empty() {
            known.insert(table, open);
        }
        settled.into_iter().map(|(_, channel, message)| (channel, message)).collect()
    }
}
