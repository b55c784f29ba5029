//! Posts each outbox item on Discord.

use std::sync::Arc;

use rookery_core::Seat;
use rookery_table::ports::{Card, DueItem, Posted};
use rookery_table::preferences::Pings;
use rookery_table::{
    Actor, BoardChannel, ChannelId, MessageId, Note, Offer, Order, OutboxItem, Status, Table, TableError,
    TableId,
};

use super::Outbox;
use crate::discord::actions::live_message::is_fresh;
use crate::discord::actions::relocation;
use crate::discord::policy::pings::PingUrgency;
use crate::discord::view::MessageView;
use crate::discord::wire::error::{DiscordError, MAX_WAIT, THREAD_EXISTS};
use crate::discord::wire::limits::MAX_NONCE_CHARS;
use crate::discord::wire::outgoing_message::OutgoingMessage;

impl Outbox {
    /// Posts a row; returns its message, if it has one. A row that was posted is not posted again if only the
    /// journal failed.
    pub(super) async fn deliver(&self, row: &DueItem) -> Result<Option<Posted>, DiscordError> {
        if let Some(posted) = self.attempts.of(row, |attempts_of_row| attempts_of_row.delivered) {
            return Ok(posted);
        }
        let timer = self.begin_attempt(row);
        let Some(table) = self.deliverable_table(row).await? else { return Ok(None) };
        let table = &*table;
        let ctx = self.ctx.for_table(table).await;
        let view = ctx.view();
        if table.is_user_install() && !matches!(row.item, OutboxItem::Rate | OutboxItem::Second) {
            return self.update_user_install(row, table).await;
        }
        match &row.item {
            OutboxItem::Announce | OutboxItem::TurnedDown { .. } | OutboxItem::Lapsed => {
                self.announce(row, table).await
            }
            OutboxItem::Reannounce => self.reannounce(row, table).await,
            OutboxItem::MakeThread => self.make_thread(row, table).await,
            OutboxItem::Tally { number, ply: _ } => self.update_vote_message(row, table, *number).await,
            OutboxItem::Board { ply } => {
                let posted = self.board(row, table, *ply, &timer).await?;
                if posted.is_some() {
                    self.strip_older(row, table, *ply).await?;
                }
                self.notify_move_watchers(row, table, *ply).await;
                Ok(posted)
            }
            OutboxItem::Strip { ply } => self.strip(row, table, *ply).await,
            OutboxItem::Offered { .. }
            | OutboxItem::Proven
            | OutboxItem::Warned { .. }
            | OutboxItem::TimeUp { .. }
            | OutboxItem::TimeGiven { .. } => self.news(row, table).await,
            OutboxItem::Reproven => self.update_proof(table).await,
            OutboxItem::Unoffer { ply, made } => self.close_offer(table, *ply, *made).await,
            OutboxItem::Unpaused => self.unpaused(row, table).await,
            OutboxItem::Note { note, seat } => {
                self.post_in_board_channel(row, table, Some(view.note(table, *note, *seat))).await
            }
            OutboxItem::Declined { seat } => {
                self.post_in_board_channel(row, table, Some(view.offer_declined(table, *seat))).await
            }
            OutboxItem::PauseOver => {
                self.post_in_board_channel(row, table, Some(view.pause_over(table))).await
            }
            OutboxItem::GivenBack { lost } => {
                self.post_in_board_channel(row, table, view.time_returned(table, *lost)).await
            }
            OutboxItem::Away { person, until } => {
                self.post_in_board_channel(row, table, Some(view.vacation_notice(table, *person, *until)))
                    .await
            }
            OutboxItem::Rate => {
                let rated = self.ctx.registry.rate(row.table).await;
                rated.map(|()| None).map_err(|denied| to_discord_error(&denied))
            }
            OutboxItem::Second => {
                let opened = self.ctx.registry.open_second(row.table).await;
                opened.map(|()| None).map_err(|denied| to_discord_error(&denied))
            }
            OutboxItem::Result => {
                let posted = self.news(row, table).await?;
                self.notify_thread_watchers(row, table).await;
                self.ctx.remove_confirmation_buttons(table.id(), None).await;
                Ok(posted)
            }
        }
    }

    /// Returns the table of a row; `None` if the row cannot be posted: the bot is not in the server, in which
    /// case the next board shows the state when the game continues, or the table was just deleted with its
    /// rows.
    async fn deliverable_table(&self, row: &DueItem) -> Result<Option<Arc<Table>>, DiscordError> {
        match self.table(row.table).await {
            Ok(table) => Ok(Some(table).filter(|table| table.frozen_since().is_none())),
            Err(TableError::NoTable(_)) => Ok(None),
            Err(denied) => Err(to_discord_error(&denied)),
        }
    }

    /// Returns a table as it is now, or as it was a moment ago when it was claimed.
    pub(super) async fn table(&self, id: TableId) -> Result<Arc<Table>, TableError> {
        match self.claims.seen(id) {
            Some((head, _)) => self.ctx.registry.table_since(id, head).await,
            None => self.ctx.registry.table(id).await,
        }
    }

    /// Posts in the channel of the table's boards.
    pub(super) async fn post_in_board_channel(
        &self,
        row: &DueItem,
        table: &Table,
        post: Option<OutgoingMessage>,
    ) -> Result<Option<Posted>, DiscordError> {
        let Some(board_channel) = table.board_channel() else { return Ok(None) };
        let posted = self.post(row, table, board_channel.channel, post).await;
        self.handle_post_result(table, board_channel, posted).await
    }

    /// Handles the result of posting in the channel of the table's boards. If the channel is gone, the game
    /// moves to the channel where it was opened, and the board follows.
    pub(super) async fn handle_post_result(
        &self,
        table: &Table,
        board_channel: BoardChannel,
        posted: Result<Option<Posted>, DiscordError>,
    ) -> Result<Option<Posted>, DiscordError> {
        let Err(fault) = &posted else { return posted };
        // The table may have got another channel meanwhile.
        let now = self.ctx.registry.table(table.id()).await.map_err(|denied| to_discord_error(&denied))?;
        if now.board_channel() != Some(board_channel) {
            return posted;
        }
        if board_channel.thread && is_closed(fault) {
            self.leave_thread(table, board_channel, fault).await?;
        } else if is_lost(table, fault) {
            tracing::info!(table = %table.id(), "the channel is gone; /board moves the game elsewhere");
            self.system_order(table, Order::LeaveBoardChannel { lost: board_channel, next: None }).await?;
        }
        posted
    }

    /// Moves the game to the parent channel, until the thread is opened again, unless it is gone.
    async fn leave_thread(
        &self,
        table: &Table,
        lost: BoardChannel,
        fault: &DiscordError,
    ) -> Result<(), DiscordError> {
        let id = table.id();
        if matches!(fault, DiscordError::NotFound { .. }) {
            tracing::info!(table = %id, "the thread is gone; using the channel");
        } else {
            let why = if fault.is_closed_thread() { "locked" } else { "closed to the bot" };
            tracing::info!(table = %id, %fault, "the thread is {why}; using the channel until it is open");
            let kept = relocation::note_closed_thread(&self.ctx, id, lost.channel).await;
            kept.map_err(|error| DiscordError::Outage(error.to_string()))?;
        }
        let next = BoardChannel { channel: table.terms().channel, thread: false };
        self.system_order(table, Order::LeaveBoardChannel { lost, next: Some(next) }).await
    }

    pub(super) async fn post(
        &self,
        row: &DueItem,
        table: &Table,
        channel: ChannelId,
        post: Option<OutgoingMessage>,
    ) -> Result<Option<Posted>, DiscordError> {
        let Some(post) = post else { return Ok(None) };
        let message = self.send(row, channel, &post, "").await?;
        Ok(Some(Posted { table: table.id(), channel, message }))
    }

    /// Posts a message, unless an earlier attempt of the row has. `mark` distinguishes several messages of
    /// one row.
    pub(super) async fn send(
        &self,
        row: &DueItem,
        channel: ChannelId,
        post: &OutgoingMessage,
        mark: &str,
    ) -> Result<MessageId, DiscordError> {
        if let Some(message) = self.find_sent(row, channel, post, mark).await? {
            return Ok(message);
        }
        if !self.has(row.table) {
            return Err(DiscordError::Outage("another process may have this table".into()));
        }
        let (nonce, now) = (nonce(row, mark), self.ctx.registry.now());
        let sent = self.ctx.post_in(channel, post, &nonce).await;
        if let Err(DiscordError::Outage(_)) = sent {
            self.attempts.of(row, |attempts_of_row| attempts_of_row.note_unconfirmed(&nonce, now));
        }
        sent
    }

    async fn reannounce(&self, row: &DueItem, table: &Table) -> Result<Option<Posted>, DiscordError> {
        let Some(old) = self.posted(table, &OutboxItem::Announce).await? else { return Ok(None) };
        let ctx = self.ctx.for_table(table).await;
        let post = ctx.with_page_link(table, ctx.view().announcement(table)).await;
        self.edit_once(row, old, &post).await
    }

    /// Edits a message of any age. Discord allows few edits of old messages, and further attempts would delay
    /// everything else in that channel, so it is tried at most twice.
    pub(super) async fn edit_once(
        &self,
        row: &DueItem,
        old: Posted,
        post: &OutgoingMessage,
    ) -> Result<Option<Posted>, DiscordError> {
        if is_fresh(&self.ctx, old.message) {
            return self.edit_fresh(old, post).await;
        }
        if self.ctx.refused_channels.has(old.channel) {
            return Ok(None);
        }
        let asked_at = self.ctx.channel_access.grant_count();
        match self.ctx.api.edit(old.channel, old.message, post).await {
            Ok(()) => Ok(None),
            Err(fault @ DiscordError::Outage(_)) if row.tries == 0 => Err(fault),
            Err(fault @ DiscordError::RateLimited { .. }) if fault.wait() <= MAX_WAIT => Err(fault),
            Err(fault) => {
                tracing::info!(table = %old.table, say = row.item.key(), %fault, "could not edit an old message");
                self.ctx.refused_channels.note(old.channel, &fault, asked_at);
                Ok(None)
            }
        }
    }

    /// Removes the buttons of an earlier board, and its mention of the player to move.
    async fn strip(&self, row: &DueItem, table: &Table, ply: usize) -> Result<Option<Posted>, DiscordError> {
        let Some(old) = self.posted(table, &OutboxItem::Board { ply }).await? else { return Ok(None) };
        let post = self.ctx.for_table(table).await.view().outdated_board(table, ply, old.message);
        self.edit_once(row, old, &post).await
    }

    /// Updates the message about a proof.
    async fn update_proof(&self, table: &Table) -> Result<Option<Posted>, DiscordError> {
        let Some(old) = self.posted(table, &OutboxItem::Proven).await? else { return Ok(None) };
        let post = self
            .ctx
            .for_table(table)
            .await
            .view()
            .proven(table)
            .unwrap_or_else(OutgoingMessage::edit_without_buttons);
        self.edit_fresh(old, &post).await
    }

    /// Removes the question and the buttons of an offer that can no longer be answered.
    async fn close_offer(
        &self,
        table: &Table,
        ply: usize,
        made: Option<(Offer, Seat)>,
    ) -> Result<Option<Posted>, DiscordError> {
        let say = OutboxItem::Offered { offer: Offer::Count, seat: Seat::FIRST, ply };
        let Some(old) = self.posted(table, &say).await? else { return Ok(None) };
        let ctx = self.ctx.for_table(table).await;
        let told = made.map(|(offer, seat)| ctx.view().closed_offer(table, offer, seat, ply));
        self.edit_fresh(
            old,
            &told.map_or_else(OutgoingMessage::edit_without_buttons, OutgoingMessage::edit_text),
        )
        .await
    }

    /// Removes the button of the message that the game is paused.
    async fn unpaused(&self, row: &DueItem, table: &Table) -> Result<Option<Posted>, DiscordError> {
        let made = OutboxItem::Note { note: Note::Paused, seat: Seat::FIRST };
        let Some(old) = self.posted(table, &made).await? else { return Ok(None) };
        // The game was resumed and paused again before this could be posted.
        if table.is_paused() && *table.status() == Status::Running {
            return Ok(None);
        }
        let told = self.ctx.for_table(table).await.view().unpaused(table);
        self.edit_once(row, old, &told).await
    }

    /// Edits a recent message; an old or deleted one is left as it is, which is harmless because buttons
    /// carry their turn.
    pub(super) async fn edit_fresh(
        &self,
        old: Posted,
        post: &OutgoingMessage,
    ) -> Result<Option<Posted>, DiscordError> {
        match self.edit_there(old, post).await {
            Ok(()) | Err(DiscordError::NotFound { .. }) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// Edits a recent message; if it was deleted, returns the error.
    pub(super) async fn edit_there(&self, old: Posted, post: &OutgoingMessage) -> Result<(), DiscordError> {
        if !is_fresh(&self.ctx, old.message) || self.ctx.refused_channels.has(old.channel) {
            return Ok(());
        }
        let asked_at = self.ctx.channel_access.grant_count();
        let edited = self.ctx.api.edit(old.channel, old.message, post).await;
        edited.inspect_err(|fault| self.ctx.refused_channels.note(old.channel, fault, asked_at))
    }

    /// Creates the thread, adds the players and stores its id in the table. Where no thread is possible, the
    /// game is played in the channel itself.
    async fn make_thread(&self, row: &DueItem, table: &Table) -> Result<Option<Posted>, DiscordError> {
        if table.board_channel().is_some() {
            return Ok(None);
        }
        let channel = table.terms().channel;
        let board_channel = match self.thread(row, table).await {
            Ok(Some(thread)) => BoardChannel { channel: thread, thread: true },
            Ok(None) => BoardChannel { channel, thread: false },
            Err(fault) if fault.is_temporary() => return Err(fault),
            Err(fault) => {
                // The permission is missing, the limit on threads is reached, or the channel supports none.
                tracing::info!(table = %table.id(), %fault, "could not create a thread; using the channel");
                BoardChannel { channel, thread: false }
            }
        };
        let welcomed = match self.attempts.of(row, |attempts_of_row| attempts_of_row.welcomed) {
            Some(welcomed) => welcomed,
            None => self.welcome(row, table, board_channel).await?,
        };
        self.attempts.of(row, |attempts_of_row| attempts_of_row.welcomed = Some(welcomed));
        self.set_board_channel(table, board_channel).await?;
        Ok(welcomed)
    }

    async fn thread(&self, row: &DueItem, table: &Table) -> Result<Option<ChannelId>, DiscordError> {
        let (terms, api) = (table.terms(), &self.ctx.api);
        let (Some(guild), true) = (terms.guild, terms.thread) else { return Ok(None) };
        if (row.tries > 0 || self.is_inherited(row))
            && let Some(thread) = api.find_thread(guild, terms.channel, table.id().as_str()).await?
        {
            return Ok(Some(thread));
        }
        let (name, archive) = (
            self.ctx.for_table(table).await.view().thread_name(table),
            self.ctx.settings.thread_archive_minutes,
        );
        let above =
            self.posted(table, &OutboxItem::Announce).await?.filter(|above| above.channel == terms.channel);
        let Some(above) = above else {
            return api.thread(terms.channel, &name, archive).await.map(Some);
        };
        match api.thread_under(above.channel, above.message, &name, archive).await {
            // A thread has the id of the message that it belongs to.
            Err(fault) if fault.code() == Some(THREAD_EXISTS) => Ok(Some(ChannelId(above.message.0))),
            Err(DiscordError::NotFound { .. }) => api.thread(terms.channel, &name, archive).await.map(Some),
            made => made.map(Some),
        }
    }

    /// Posts the first message in a new thread; a game in a channel needs none.
    async fn welcome(
        &self,
        row: &DueItem,
        table: &Table,
        board_channel: BoardChannel,
    ) -> Result<Option<Posted>, DiscordError> {
        let ctx = self.ctx.for_table(table).await;
        let Some(post) = ctx.view().welcome(table).filter(|_| board_channel.thread) else { return Ok(None) };
        let sent = match self.find_sent(row, board_channel.channel, &post, "w").await? {
            Some(message) => Ok(message),
            None => {
                let post = self.with_start_pings(row, table, board_channel, post).await;
                self.send(row, board_channel.channel, &post, "w").await
            }
        };
        match sent {
            Ok(message) => Ok(Some(Posted { table: table.id(), channel: board_channel.channel, message })),
            Err(fault) if fault.is_temporary() => Err(fault),
            Err(_) => Ok(None),
        }
    }

    /// Adds the pings to the first message, as each player prefers. The player who begins is pinged by the
    /// first board instead.
    async fn with_start_pings(
        &self,
        row: &DueItem,
        table: &Table,
        board_channel: BoardChannel,
        mut post: OutgoingMessage,
    ) -> OutgoingMessage {
        if let Some(first) = table.alone_to_move()
            && self.ctx.registry.preferences_cache().person(first).await.pings != Pings::Thread
        {
            post.pings.retain(|who| *who != first);
        }
        let card = Card { board_channel: Some(board_channel), ..table.card() };
        let elsewhere = |view: MessageView<'_>| Some(view.game_started_dm(&card));
        let nonce = format!("b{}", table.id());
        self.ctx.with_pings(post, &nonce, PingUrgency::Usual, &self.notified(row), elsewhere).await
    }

    async fn set_board_channel(
        &self,
        table: &Table,
        board_channel: BoardChannel,
    ) -> Result<(), DiscordError> {
        self.system_order(table, Order::SetBoardChannel(board_channel)).await
    }

    async fn system_order(&self, table: &Table, order: Order) -> Result<(), DiscordError> {
        let told = self.ctx.registry.order(table.id(), Actor::System, order, None).await;
        told.map(drop).map_err(|denied| to_discord_error(&denied))
    }

    pub(super) async fn posted(
        &self,
        table: &Table,
        say: &OutboxItem,
    ) -> Result<Option<Posted>, DiscordError> {
        if let Some(posted) = self.claims.posted(table.id(), say) {
            return Ok(posted);
        }
        let posted = self.ctx.registry.journal().posted(table.id(), say).await;
        posted.map_err(|error| DiscordError::Outage(error.to_string()))
    }
}

/// Whether a table has lost its channel: it is gone, or a person refuses direct messages.
fn is_lost(table: &Table, fault: &DiscordError) -> bool {
    let shut_out = table.terms().guild.is_none() && matches!(fault, DiscordError::NoAccess { .. });
    shut_out || matches!(fault, DiscordError::NotFound { .. })
}

/// Converts an error of the table: a record that cannot be replayed is given up, because it would block the
/// table's rows forever.
fn to_discord_error(denied: &TableError) -> DiscordError {
    match denied {
        TableError::Internal => DiscordError::internal(denied),
        // The row waits for a version that can read it.
        TableError::Unreadable(_) => DiscordError::Unreadable(denied.to_string()),
        passes => DiscordError::Outage(passes.to_string()),
    }
}

/// Whether a thread or channel rejects messages until someone changes that.
fn is_closed(fault: &DiscordError) -> bool {
    matches!(fault, DiscordError::NotFound { .. }) || fault.needs_permission()
}

/// Returns a nonce that keeps a row from being posted twice. It contains the table, because the row ids of
/// another journal start from one as well.
pub(super) fn nonce(row: &DueItem, mark: &str) -> String {
    let nonce = format!("{}{mark}{}", row.table, row.id);
    nonce.chars().take(MAX_NONCE_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::jobs::outbox::boards::is_picture_rejected;
    use crate::discord::wire::error::{MISSING_PERMISSIONS, THREAD_ARCHIVED, THREAD_LOCKED};

    #[test]
    fn locked_threads_are_closed_and_no_picture_rejection() {
        let bad = |code| DiscordError::Invalid { code, why: String::new() };
        for code in [THREAD_LOCKED, THREAD_ARCHIVED] {
            assert!(is_closed(&bad(code)) && !is_picture_rejected(&bad(code)));
        }
        assert!(!is_closed(&bad(-1)) && is_picture_rejected(&bad(-1)));
        let closed = |code| DiscordError::NoAccess { code, why: String::new() };
        assert!(is_picture_rejected(&closed(MISSING_PERMISSIONS)) && !is_picture_rejected(&closed(50_001)));
    }

    #[test]
    fn a_nonce_fits_whatever_the_row() {
        let due = DueItem {
            id: i64::MAX,
            table: "K7Q2AB".parse().unwrap(),
            item: OutboxItem::Result,
            tries: 0,
            due_since: None,
        };
        assert!(nonce(&due, "w").len() <= MAX_NONCE_CHARS);
        assert_ne!(nonce(&DueItem { id: 1, ..due.clone() }, ""), nonce(&DueItem { id: 1, ..due }, "w"));
    }
}
