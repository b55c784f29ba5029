//! Rows that cannot be delivered. While one waits, its table's clock is stopped, because the player to move
//! has not seen the board. If AutoMod blocks a board, players get a direct message.

use rookery_core::Seat;
use rookery_table::ports::DueItem;
use rookery_table::preferences::Pings;
use rookery_table::{EndCause, Occupant, OutageScope, OutboxItem, Status, Table, UserId};

use super::Outbox;
use crate::discord::view::MessageView;
use crate::discord::wire::error::DiscordError;

impl Outbox {
    /// Records that a row, and therefore those behind it, cannot be posted at present.
    pub(super) fn note_waiting(&self, row: &DueItem) {
        self.ctx.registry.begin_outage(OutageScope::Table(row.table), self.ctx.registry.now());
    }

    /// Records that a row was posted, or given up because of this error.
    pub(super) async fn note_settled(&self, row: &DueItem, given_up: Option<&DiscordError>) {
        self.ctx.registry.end_outage(OutageScope::Table(row.table)).await;
        match row.item {
            OutboxItem::Board { ply } => {
                self.notify_missing_board(row, ply, given_up.is_some_and(DiscordError::is_blocked)).await;
            }
            OutboxItem::Result => self.notify_missing_result(row).await,
            _ => {}
        }
    }

    /// Sends the result with the last board to the players, except the one who ended the game, if the table
    /// has no channel any more.
    async fn notify_missing_result(&self, row: &DueItem) {
        let Ok(table) = self.table(row.table).await else { return };
        let over = matches!(table.status(), Status::Over(_)) && table.frozen_since().is_none();
        if table.has_place() || !over {
            return;
        }
        for who in result_recipients(&table) {
            let personal = self.ctx.registry.preferences_cache().person(who).await;
            if personal.pings == Pings::Off {
                continue;
            }
            let is_quiet = personal.is_quiet_at(self.ctx.registry.now());
            let post = |view: MessageView<'_>| {
                let post = view.result_without_place(&table, who);
                Some(if is_quiet { post.silent() } else { post })
            };
            if let Err(fault) = self.ctx.direct(who, &format!("e{}", row.table), post).await {
                tracing::info!(table = %row.table, %fault, "could not tell a player how the game ended");
            }
        }
    }

    /// Notifies the players to move if their board cannot be posted, because AutoMod blocks it or the table
    /// has no channel any more. A message at the table itself is impossible.
    async fn notify_missing_board(&self, row: &DueItem, ply: usize, blocked: bool) {
        let Ok(table) = self.table(row.table).await else { return };
        let no_place = !table.has_place() && *table.status() == Status::Running && !table.is_suspended();
        if table.ply() != ply || !(blocked || no_place) {
            return;
        }
        let card = table.card();
        for who in card.waited_for() {
            if self.ctx.registry.preferences_cache().person(who).await.pings == Pings::Off {
                continue;
            }
            let nonce = format!("x{}{ply}", row.table);
            let post = |view: MessageView<'_>| {
                Some(match no_place {
                    true => view.turn_without_channel_dm(&table, who),
                    false => view.board_blocked_dm(&card),
                })
            };
            if let Err(fault) = self.ctx.direct(who, &nonce, post).await {
                tracing::info!(table = %row.table, %fault, "could not say that a board is missing");
            }
        }
    }
}

/// Returns the players of a finished game, except the one who ended it.
fn result_recipients(table: &Table) -> Vec<UserId> {
    let Status::Over(ending) = table.status() else { return Vec::new() };
    let resigned = table.resigned().last().filter(|_| ending.cause == EndCause::Resigned);
    let ended_it = |who: UserId| match resigned {
        Some(seat) => table.occupant(*seat).and_then(Occupant::person) == Some(who),
        None => matches!(ending.cause, EndCause::Rules { .. }) && table.acted_last(who),
    };
    let mut people: Vec<UserId> = Vec::new();
    for who in Seat::all(table.chairs().len()).flat_map(|seat| table.players_of(seat)) {
        if !ended_it(who) && !people.contains(&who) {
            people.push(who);
        }
    }
    people
}
