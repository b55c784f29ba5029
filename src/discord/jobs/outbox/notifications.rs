//! Items that notify people other than by a board, according to their preferences.

use rookery_table::ports::{DueItem, Posted};
use rookery_table::{Occupant, OutboxItem, Table};

use super::Outbox;
use super::delivery::nonce;
use crate::discord::policy::pings::{NotifiedPeople, PingUrgency};
use crate::discord::state::deferred_pings::PingTarget;
use crate::discord::view::MessageView;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::snowflake::written_at;

impl Outbox {
    /// Posts a notification in the channel of the table's boards.
    pub(super) async fn news(&self, row: &DueItem, table: &Table) -> Result<Option<Posted>, DiscordError> {
        let ctx = self.ctx.for_table(table).await;
        let post = news(ctx.view(), table, &row.item).filter(|_| table.board_channel().is_some());
        let (Some(post), Some(board_channel)) = (post, table.board_channel()) else { return Ok(None) };
        let channel = board_channel.channel;
        if let Some(message) = self.find_sent(row, channel, &post, "").await? {
            if is_result(&row.item) {
                let called = post.pings.into_iter().map(PingTarget::Result);
                self.ctx.defer_pings(table, called, written_at(message));
            }
            return Ok(Some(Posted { table: table.id(), channel, message }));
        }
        let now = self.ctx.registry.now();
        let (post, left_out) = self.pinging(row, table, post).await;
        let posted = self.post_in_board_channel(row, table, Some(post)).await?;
        self.ctx.defer_pings(table, left_out, now);
        Ok(posted)
    }

    /// Posts in the channel where the table was opened, as there is no board yet: the challenge, who declines
    /// it, and its expiry.
    pub(super) async fn announce(
        &self,
        row: &DueItem,
        table: &Table,
    ) -> Result<Option<Posted>, DiscordError> {
        let ctx = self.ctx.for_table(table).await;
        let Some(post) = news(ctx.view(), table, &row.item) else { return Ok(None) };
        let channel = table.terms().channel;
        if let Some(message) = self.find_sent(row, channel, &post, "").await? {
            return Ok(Some(Posted { table: table.id(), channel, message }));
        }
        let post = match row.item {
            OutboxItem::Announce => ctx.with_page_link(table, post).await,
            _ => post,
        };
        let (post, _) = self.pinging(row, table, post).await;
        self.post(row, table, channel, Some(post)).await
    }

    /// Updates the single message of a user-installed table. The edit pings nobody; people who prefer direct
    /// messages get one.
    pub(super) async fn update_user_install(
        &self,
        row: &DueItem,
        table: &Table,
    ) -> Result<Option<Posted>, DiscordError> {
        let is_turn = matches!(row.item, OutboxItem::Board { ply } if ply == table.ply());
        let mover = table.to_move().and_then(|seat| table.occupant(seat)).and_then(Occupant::person);
        if is_turn && let Some(mover) = mover {
            drop(
                self.ctx
                    .with_ping(table, OutgoingMessage::default().ping([mover]), &self.notified(row))
                    .await,
            );
        }
        if let Some(post) = news(self.ctx.for_table(table).await.view(), table, &row.item) {
            self.pinging(row, table, post).await;
        }
        self.ctx.update_user_install(table.id()).await.map(|()| None)
    }

    /// Adds the pings to a notification, according to the recipients' preferences.
    async fn pinging(
        &self,
        row: &DueItem,
        table: &Table,
        post: OutgoingMessage,
    ) -> (OutgoingMessage, Vec<PingTarget>) {
        // A person who has just moved, offered or declined sees the result without a ping.
        let (post, left_out) = match is_result(&row.item) {
            true => self.ctx.without_recently_active(table, post, PingTarget::Result),
            false => (post, Vec::new()),
        };
        let elsewhere =
            |view: MessageView<'_>| news(view, table, &row.item).map(|post| view.news_dm(post, table));
        let (nonce, told) = (nonce(row, "d"), self.notified(row));
        (self.ctx.with_pings(post, &nonce, urgency(&row.item), &told, elsewhere).await, left_out)
    }

    /// Returns the people who were notified of a row in earlier attempts.
    pub(super) fn notified(&self, row: &DueItem) -> NotifiedPeople {
        self.attempts.of(row, |attempts_of_row| attempts_of_row.notified.clone())
    }
}

/// Whether a row reports a result.
fn is_result(say: &OutboxItem) -> bool {
    matches!(say, OutboxItem::Result | OutboxItem::Lapsed)
}

/// Returns the urgency of a row: warnings about time do not wait for the digest.
fn urgency(say: &OutboxItem) -> PingUrgency {
    match say {
        OutboxItem::Warned { .. } | OutboxItem::TimeUp { .. } => PingUrgency::Now,
        _ => PingUrgency::Usual,
    }
}

/// Builds the message of a row that notifies people other than by a board.
fn news(view: MessageView<'_>, table: &Table, say: &OutboxItem) -> Option<OutgoingMessage> {
    match say {
        OutboxItem::Announce => Some(view.announcement(table)),
        OutboxItem::TurnedDown { person } => view.challenge_declined(table, *person),
        OutboxItem::Offered { offer, seat: by, ply } => Some(view.offered(table, *offer, *by, *ply)),
        OutboxItem::Proven => view.proven(table),
        OutboxItem::Warned { seat: mover, warning, ply } => Some(view.warned(table, *mover, *warning, *ply)),
        OutboxItem::TimeUp { seat: mover, ply } => Some(view.time_up(table, *mover, *ply)),
        OutboxItem::TimeGiven { by, seat: to, more } => Some(view.time_given(table, *by, *to, *more)),
        OutboxItem::Result | OutboxItem::Lapsed => view.result(table),
        _ => None,
    }
}
