//! Pings that are left out of a board because the player to move was active a moment before. A ping follows
//! one minute after the player's last activity, unless they were active again since the board was posted.
//!
//! Deferred pings are kept in memory and noted every half minute. After a restart, [`recall`] finds what the
//! earlier process still owed, in that note and in the journal.

mod recall;

use std::sync::Arc;
use std::time::Duration;

use rookery_table::ports::{Card, StoreError};
use rookery_table::{Status, Table, TableId, UserId};
use rookery_tasks::{TaskSpec, heartbeat};

use crate::discord::jobs::quiet_hours;
use crate::discord::state::context::Context;
use crate::discord::state::deferred_pings::PRESENT_MS;
use crate::discord::state::deferred_pings::{DeferredPing, PingTarget};
use crate::discord::wire::error::DiscordError;
use crate::shutdown::Stop;

/// The interval between checks for due pings.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The interval between notes of the time up to which all pings were sent, in milliseconds.
const CHECKPOINT_INTERVAL_MS: i64 = 30_000;
/// The delay after a failed attempt, in milliseconds.
const RETRY_MS: i64 = 10_000;
/// Milliseconds within which a result is posted after the event that ended the game.
const ENDS_WITHIN_MS: i64 = 5_000;

/// What its supervisor knows of it.
pub(in crate::discord) const TASK: TaskSpec =
    TaskSpec { name: "deferred pings", interval: Some(POLL_INTERVAL) };

/// Sends due pings until the program stops.
pub(in crate::discord) async fn work(ctx: Arc<Context>, stop: Stop) {
    let mut looks = tokio::time::interval(POLL_INTERVAL);
    let (mut recalled, mut noted_ms) = (false, None);
    loop {
        tokio::select! {
            _ = looks.tick() => {}
            () = stop.finishing() => break,
        }
        heartbeat();
        if !recalled {
            recalled = recall::recall(&ctx).await.inspect_err(warn).is_ok();
            continue;
        }
        let now_ms = ctx.registry.now_ms();
        for (table, called, deferred) in ctx.deferred_pings.due(now_ms) {
            send_due(&ctx, table, called, &deferred, now_ms).await;
        }
        let is_old = noted_ms.is_none_or(|noted_ms| now_ms - noted_ms >= CHECKPOINT_INTERVAL_MS);
        if ctx.deferred_pings.take_forgotten() || is_old {
            let kept = recall::note(&ctx, now_ms).await;
            noted_ms = kept.inspect_err(warn).ok().map(|()| now_ms).or(noted_ms);
        }
    }
    if recalled {
        // Pings due within the last interval may not have been sent.
        let given_ms = ctx.registry.now_ms() - i64::try_from(POLL_INTERVAL.as_millis()).unwrap_or(0);
        recall::note(&ctx, given_ms).await.inspect_err(warn).ok();
    }
}

fn warn(error: &StoreError) {
    tracing::warn!(%error, "pings that wait cannot be looked through; trying again");
}

impl Context {
    /// Defers the pings left out of a message for people who were just active. `posted_ms` is when the
    /// message was posted, or later, in milliseconds since 1970. A person whose own action caused the message
    /// needs no ping.
    pub(in crate::discord) fn defer_pings(
        &self,
        table: &Table,
        left_out: impl IntoIterator<Item = PingTarget>,
        posted_ms: i64,
    ) {
        for called in left_out {
            if let Some(deferred) = deferred(self, table, called, posted_ms) {
                self.deferred_pings.defer(table.id(), called, deferred);
            }
        }
    }
}

/// Returns the ping for a recipient who was left out of a message posted at a moment, if one is owed.
fn deferred(ctx: &Context, table: &Table, called: PingTarget, posted_ms: i64) -> Option<DeferredPing> {
    let sign_ms = last_active_at_table(ctx, table, called)?;
    let there = posted_ms - sign_ms < PRESENT_MS;
    let is_owed = there && !brought_it_about(table, called, posted_ms - sign_ms);
    is_owed.then(|| DeferredPing { since: table.turn_since(), posted_ms, due_ms: sign_ms + PRESENT_MS })
}

/// Returns when a recipient was last active at a table, in milliseconds since 1970.
fn last_active_at_table(ctx: &Context, table: &Table, called: PingTarget) -> Option<i64> {
    let channel = table.board_channel().map_or(table.terms().channel, |board_channel| board_channel.channel);
    let of = |who: UserId| table.acted_ms(who).max(ctx.deferred_pings.last_active_ms(who, channel));
    match called {
        PingTarget::Mover(who) | PingTarget::Result(who) => of(who),
        PingTarget::Team(_) => {
            let players = table.to_move().map(|seat| table.players_of(seat)).unwrap_or_default();
            players.into_iter().filter_map(of).max()
        }
    }
}

/// Whether the recipient's last action, this many milliseconds ago, caused their turn or ended the game.
fn brought_it_about(table: &Table, called: PingTarget, ago_ms: i64) -> bool {
    match called {
        PingTarget::Mover(who) => table.acted_last(who),
        // The journal does not record the person for every action that can end a game.
        PingTarget::Result(_) => ago_ms < ENDS_WITHIN_MS,
        PingTarget::Team(_) => false,
    }
}

/// Sends a due ping if it is still wanted.
async fn send_due(ctx: &Context, id: TableId, called: PingTarget, deferred: &DeferredPing, now_ms: i64) {
    let pings = &ctx.deferred_pings;
    let Ok(table) = ctx.registry.table(id).await else { return pings.settle(id, called, deferred) };
    let looked =
        last_active_at_table(ctx, &table, called).is_some_and(|sign_ms| sign_ms > deferred.posted_ms);
    if looked || !is_wanted(&table, called, deferred) {
        return pings.settle(id, called, deferred);
    }
    match send_ping(ctx, &table, called, now_ms).await {
        // Quiet hours, or Discord is unreachable.
        Ok(false) => pings.put_off(id, called, now_ms + RETRY_MS),
        Err(fault) if fault.is_temporary() => {
            let wait_ms = i64::try_from(fault.wait().as_millis()).unwrap_or(RETRY_MS);
            pings.put_off(id, called, now_ms + wait_ms.max(RETRY_MS));
        }
        Err(fault) => {
            tracing::info!(table = %id, %fault, "somebody could not be called");
            pings.settle(id, called, deferred);
        }
        Ok(true) => pings.settle(id, called, deferred),
    }
}

/// Whether it is still the same turn and the recipient is waited for, or the game is still over.
fn is_wanted(table: &Table, called: PingTarget, deferred: &DeferredPing) -> bool {
    let waits = table.turn_since() == deferred.since && !table.stands_still() && table.frozen_ms().is_none();
    match called {
        PingTarget::Mover(who) => waits && table.card().waited_for().contains(&who),
        PingTarget::Team(_) => waits && table.to_move().is_some(),
        PingTarget::Result(_) => matches!(table.status(), Status::Over(_)),
    }
}

/// Sends a ping according to the recipient's preferences; returns false if it must be retried later.
async fn send_ping(
    ctx: &Context,
    table: &Table,
    called: PingTarget,
    now_ms: i64,
) -> Result<bool, DiscordError> {
    let card: Card = table.card();
    let (who, occasion) = match called {
        PingTarget::Team(role) => return quiet_hours::tell_team(ctx, table, role).await.map(|()| true),
        PingTarget::Mover(who) => (who, quiet_hours::PingReason::Turn),
        PingTarget::Result(who) => (who, quiet_hours::PingReason::Result),
    };
    let personal = ctx.registry.preferences_cache().person(who).await;
    if personal.is_quiet_at(now_ms) {
        return Ok(false);
    }
    quiet_hours::tell_again(ctx, who, &card, personal.pings, occasion).await.map(|()| true)
}
