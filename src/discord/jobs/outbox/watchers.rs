//! Messages to people who watch in a table's thread. A failure is ignored.

use futures_util::TryStreamExt;
use rookery_table::ports::{DueItem, WatchMode, walk_pages};
use rookery_table::{MessageId, Table, UserId};

use super::Outbox;
use crate::discord::actions::live_message;
use crate::discord::state::member_access::RECENT;
use crate::discord::wire::outgoing_message::OutgoingMessage;

impl Outbox {
    /// Notifies the people who watched in the thread that the game is over.
    pub(super) async fn notify_thread_watchers(&self, row: &DueItem, table: &Table) {
        let watchers = self.watchers(table, &[WatchMode::Thread, WatchMode::Moves]).await;
        if !watchers.is_empty() {
            let post = self.ctx.for_table(table).await.view().over_for_watchers(table, &watchers);
            self.line(row, table, &post).await;
        }
    }

    /// Notifies the people who follow every move, and deletes the message about the previous one.
    pub(super) async fn notify_move_watchers(&self, row: &DueItem, table: &Table, ply: usize) {
        let played =
            table.play().filter(|play| ply <= play.ply()).and_then(|play| play.at_ply(ply).record().pop());
        let (Some(text), watchers) = (played, self.watchers(table, &[WatchMode::Moves]).await) else {
            return;
        };
        if watchers.is_empty() {
            return;
        }
        let post = self.ctx.for_table(table).await.view().move_for_watchers(table, &watchers, &text);
        let Some(message) = self.line(row, table, &post).await else { return };
        let (journal, key) = (self.ctx.registry.journal(), format!("watched-{}", table.id()));
        let before = journal.note(&key).await.ok().flatten().and_then(|note| note.parse().ok());
        if let (Some(before), Some(board_channel)) = (before, table.board_channel())
            && before != message
        {
            live_message::delete_message(&self.ctx, board_channel.channel, before).await;
        }
        if let Err(error) = journal.store_note(&key, &message.to_string()).await {
            tracing::info!(%error, "could not delete a line about a move");
        }
    }

    async fn watchers(&self, table: &Table, ways: &[WatchMode]) -> Vec<UserId> {
        if self.claims.seen(table.id()).is_some_and(|(_, is_followed)| !is_followed) {
            return Vec::new();
        }
        let follows = self.ctx.registry.journal().follows();
        let mut followers = walk_pages(|page| follows.followers(table.id(), page));
        let mut named = Vec::new();
        while let Ok(Some((who, how))) = followers.try_next().await {
            if !ways.contains(&how) {
                continue;
            }
            // Discord hides the thread from people without access, so an access check that is an hour old is
            // enough.
            if self.ctx.may_notify(who, table, RECENT).await {
                named.push(who);
            }
        }
        named
    }

    async fn line(&self, row: &DueItem, table: &Table, post: &OutgoingMessage) -> Option<MessageId> {
        let board_channel = table.board_channel()?;
        let sent = self.send(row, board_channel.channel, post, "f").await;
        let told =
            sent.inspect_err(|fault| tracing::info!(table = %table.id(), %fault, "could not tell a watcher"));
        told.ok()
    }
}
