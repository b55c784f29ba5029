//! Challenges, boards and results that could not be posted because the bot may not write in the channel or
//! the thread is locked. They are posted when that changes. The journal stores which they are, so that a
//! restart loses none.

use crate::discord::wire::snowflake::GuildOrChannel;
use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};
use std::sync::PoisonError;

use futures_util::TryStreamExt;
use rookery_table::ports::{AfterFailure, DueItem, DueTable, StoreError, walk_pages};
use rookery_table::{ChannelId, OutboxItem, Status, Table, TableId};

use super::Outbox;
use crate::discord::policy::pings::NotifiedPeople;
use crate::discord::wire::error::DiscordError;

/// The blocked items: for each table, the latest of each kind.
pub(super) type BlockedItems = HashMap<(TableId, Discriminant<OutboxItem>), BlockedItem>;

/// An item that waits for a permission.
#[derive(Clone)]
pub(super) struct BlockedItem {
    /// The outbox row to requeue.
    row: DueItem,
    /// The ids whose permissions matter: its server, its channel, and the parent channel.
    places: Vec<GuildOrChannel>,
    /// The count of granted permissions when it was refused; `None` for an item of an earlier process, since
    /// permissions may have changed while the bot was offline.
    since: Option<u64>,
    /// The people who got a direct message about it.
    notified: NotifiedPeople,
}

impl Outbox {
    /// Takes a row that cannot be posted out of the outbox; it becomes a blocked item if it needs a
    /// permission.
    pub(super) async fn give_up(&self, row: &DueItem, fault: &DiscordError) -> Result<(), StoreError> {
        tracing::warn!(table = %row.table, item = row.item.key(), %fault, "given up");
        let blocked = if fault.needs_permission() { self.blocked_item_of(row).await } else { None };
        let after_failure = if blocked.is_some() { AfterFailure::Blocked } else { AfterFailure::GivenUp };
        self.ctx.registry.journal().mark_failed(row.id, &fault.to_string(), after_failure).await?;
        self.note_settled(row, Some(fault)).await;
        match blocked {
            Some(blocked) => self.store_blocked(blocked).await,
            None => Ok(()),
        }
    }

    /// Loads the blocked items of an earlier process; returns whether they could be read.
    pub(super) async fn load_blocked(&self) -> bool {
        let recalled = self.try_recall().await;
        if let Err(error) = &recalled {
            tracing::warn!(%error, "could not read what waits for permission; trying again");
        }
        recalled.is_ok()
    }

    async fn try_recall(&self) -> Result<(), StoreError> {
        let journal = self.ctx.registry.journal();
        let mut rows = walk_pages(|page| journal.blocked_items(page));
        while let Some(row) = rows.try_next().await? {
            if let Some(blocked) = self.blocked_item_of(&row).await {
                self.store_blocked(BlockedItem { since: None, ..blocked }).await?;
            }
        }
        Ok(())
    }

    /// Returns the blocked item of a row, if its kind waits for a permission.
    async fn blocked_item_of(&self, row: &DueItem) -> Option<BlockedItem> {
        let now = self.ctx.channel_access.grant_count();
        let table = self.ctx.registry.table(row.table).await.ok()?;
        let (guild, channel) = (table.terms().guild?, channel_of(&table, &row.item)?);
        // A channel that is skipped was refused at an earlier count.
        let since = Some(self.ctx.refused_channels.since(channel).unwrap_or(now));
        let above = self.ctx.parent_of(channel).await;
        let places = [Some(channel), Some(table.terms().channel), above]
            .into_iter()
            .flatten()
            .map(GuildOrChannel::Channel);
        let places = places.chain([GuildOrChannel::Guild(guild)]).collect();
        Some(BlockedItem { row: row.clone(), places, since, notified: self.notified(row) })
    }

    /// Stores a blocked item; of each kind only the latest stays.
    async fn store_blocked(&self, blocked: BlockedItem) -> Result<(), StoreError> {
        let (row, kind) = (blocked.row.id, (blocked.row.table, discriminant(&blocked.row.item)));
        let outdated_row = {
            let mut all = self.blocked.lock().unwrap_or_else(PoisonError::into_inner);
            match all.get(&kind).map(|known| known.row.id) {
                Some(known) if known > row => Some(row),
                known => {
                    all.insert(kind, blocked);
                    known.filter(|known| *known != row)
                }
            }
        };
        match outdated_row {
            Some(row) => self.abandon(row).await,
            None => Ok(()),
        }
    }

    /// Requeues the items whose permissions may have been granted since; returns their tables.
    pub(super) async fn requeue_granted(&self) -> Vec<DueTable> {
        let given_since = |blocked: &BlockedItem| {
            blocked.since.is_none_or(|since| self.ctx.channel_access.latest_grant(&blocked.places) > since)
        };
        let changed: Vec<BlockedItem> = {
            let mut all = self.blocked.lock().unwrap_or_else(PoisonError::into_inner);
            all.extract_if(|_, blocked| given_since(blocked)).map(|(_, blocked)| blocked).collect()
        };
        let mut due = Vec::new();
        for blocked in changed {
            match self.requeue_item(&blocked).await {
                Ok(taken) => due.extend(taken),
                Err(error) => {
                    let table = blocked.row.table;
                    tracing::warn!(%table, %error, "could not retry a dropped message; it waits for the next start");
                }
            }
        }
        due
    }

    /// Requeues an item. It is dropped if it is outdated, or if a later row posts the same item: elsewhere,
    /// or for the same ply after it was taken back.
    async fn requeue_item(&self, blocked: &BlockedItem) -> Result<Option<DueTable>, StoreError> {
        let DueItem { id, table, item, .. } = &blocked.row;
        let Ok(table) = self.ctx.registry.table(*table).await else { return Ok(None) };
        let journal = self.ctx.registry.journal();
        let latest = journal.latest(table.id(), item).await?;
        if latest.is_some_and(|(row, _)| row > *id) || !holds(&table, item) {
            return self.abandon(*id).await.map(|()| None);
        }
        if let Some(channel) = channel_of(&table, item) {
            self.ctx.refused_channels.forget(channel);
        }
        self.attempts.of(&blocked.row, |attempts_of_row| {
            attempts_of_row.notified = blocked.notified.clone();
            attempts_of_row.was_requeued = true;
        });
        journal.requeue(*id, self.ctx.registry.now()).await?;
        Ok(Some(DueTable { id: *id, table: table.id(), guild: table.terms().guild }))
    }

    async fn abandon(&self, row: i64) -> Result<(), StoreError> {
        self.ctx.registry.journal().mark_failed(row, "overtaken", AfterFailure::GivenUp).await
    }
}

/// Returns the channel of an item that waits for permission. Other kinds do not wait, because they are only
/// of momentary interest.
fn channel_of(table: &Table, item: &OutboxItem) -> Option<ChannelId> {
    match item {
        OutboxItem::Announce => Some(table.terms().channel),
        OutboxItem::Board { .. } | OutboxItem::Result => {
            table.board_channel().map(|board_channel| board_channel.channel)
        }
        _ => None,
    }
}

/// Whether the item still describes the table's state.
fn holds(table: &Table, item: &OutboxItem) -> bool {
    match item {
        OutboxItem::Announce => *table.status() == Status::Waiting,
        OutboxItem::Board { ply } => table.ply() == *ply,
        OutboxItem::Result => matches!(table.status(), Status::Over(_)),
        _ => false,
    }
}
