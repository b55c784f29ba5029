//! Boards: each is posted once, with a mention of the player to move.

use std::collections::HashSet;
use std::sync::PoisonError;

use rookery_table::ports::{DueItem, Posted};
use rookery_table::{BoardChannel, ChannelId, Table};

use super::timing::AttemptTimer;
use super::{Outbox, RecheckedThreads};
use crate::discord::actions::relocation;
use crate::discord::state::deferred_pings::PingTarget;
use crate::discord::wire::error::{DiscordError, MISSING_PERMISSIONS};
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::snowflake::written_at;

impl Outbox {
    /// Posts a board; without the picture and as text if Discord rejects the picture.
    pub(super) async fn board(
        &self,
        row: &DueItem,
        table: &Table,
        ply: usize,
        timer: &AttemptTimer,
    ) -> Result<Option<Posted>, DiscordError> {
        if let Some(posted) = self.attempts.of(row, |attempts_of_row| attempts_of_row.posted) {
            return Ok(posted);
        }
        let ctx = self.ctx.for_table(table).await;
        let Some(board) = ctx.view().board(table, ply) else { return Ok(None) };
        // A table without a channel has nowhere to post: its players are notified by direct message.
        let Some(home) = table.board_channel() else { return Ok(None) };
        if self.returns_to_thread(table, home).await {
            return Ok(None);
        }
        if let Some(found) = self.find_board(row, table, home.channel, &board).await? {
            return Ok(Some(found));
        }
        let is_latest = !board.rows.is_empty();
        let board = if is_latest { ctx.with_queue_notice(table, board) } else { board };
        let now = self.ctx.registry.now();
        let (board, left_out) = self.ctx.with_ping(table, board, &self.notified(row)).await;
        let mut sent = self.send(row, home.channel, &board, "").await;
        if let Some(fault) = sent.as_ref().err().filter(|fault| is_picture_rejected(fault)) {
            tracing::warn!(table = %table.id(), %fault, "Discord refused a board picture; posting it as text");
            let content = ctx.view().state_text(table).content;
            let plain = OutgoingMessage { content, picture: None, ..board };
            sent = self.send(row, home.channel, &plain, "").await;
        }
        if sent.is_ok() {
            self.record_board_post(row, timer);
        }
        let posted = sent.map(|message| Some(Posted { table: table.id(), channel: home.channel, message }));
        let posted = self.handle_post_result(table, home, posted).await?;
        self.ctx.defer_pings(table, left_out, now);
        self.attempts.of(row, |attempts_of_row| attempts_of_row.posted = Some(posted));
        Ok(posted)
    }

    /// Searches for the board that an earlier attempt may have posted.
    async fn find_board(
        &self,
        row: &DueItem,
        table: &Table,
        channel: ChannelId,
        board: &OutgoingMessage,
    ) -> Result<Option<Posted>, DiscordError> {
        let Some(message) = self.find_sent(row, channel, board, "").await? else { return Ok(None) };
        let movers = board.pings.iter().copied().map(PingTarget::Mover);
        let called = movers.chain(board.roles.iter().copied().map(PingTarget::Team));
        self.ctx.defer_pings(table, called, written_at(message));
        let found = Posted { table: table.id(), channel, message };
        self.attempts.of(row, |attempts_of_row| attempts_of_row.posted = Some(Some(found)));
        Ok(Some(found))
    }

    /// Removes the buttons of an earlier board of the same turn, if there is one, because the game was paused
    /// or has moved to another channel.
    pub(super) async fn strip_older(
        &self,
        row: &DueItem,
        table: &Table,
        ply: usize,
    ) -> Result<(), DiscordError> {
        let Some(older) = self.posted(table, &row.item).await? else { return Ok(()) };
        let post = self.ctx.for_table(table).await.view().outdated_board(table, ply, older.message);
        match self.edit_once(row, older, &post).await {
            Err(fault) if fault.is_temporary() => Err(fault),
            // The new board is posted; the old one is in a channel where nothing can be edited any more.
            _ => Ok(()),
        }
    }

    /// Whether the game returns to the thread that it left because nothing could be posted there. This is
    /// checked once per session, because events between sessions are missed.
    async fn returns_to_thread(&self, table: &Table, board_channel: BoardChannel) -> bool {
        !board_channel.thread
            && self.is_first_recheck(table)
            && relocation::return_to_thread(&self.ctx, table).await
    }

    /// Whether this is the first check in this session for a table's thread.
    fn is_first_recheck(&self, table: &Table) -> bool {
        let session = self.ctx.session_number();
        let mut rechecked_threads = self.rechecked_threads.lock().unwrap_or_else(PoisonError::into_inner);
        if rechecked_threads.session != session {
            *rechecked_threads = RecheckedThreads { session, tables: HashSet::new() };
        }
        rechecked_threads.tables.insert(table.id())
    }
}

/// Whether the message may have been rejected for its picture; it is then posted with its text only.
pub(super) fn is_picture_rejected(fault: &DiscordError) -> bool {
    let bad =
        matches!(fault, DiscordError::Invalid { .. }) && !fault.is_closed_thread() && !fault.is_blocked();
    bad || (matches!(fault, DiscordError::NoAccess { .. }) && fault.code() == Some(MISSING_PERMISSIONS))
}
