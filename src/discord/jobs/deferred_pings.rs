//! Pings that are left out of a board because the player to move was active a moment before. A ping follows
//! one minute after the player's last activity, unless they were active again since the board was posted.
//!
//! Deferred pings are kept in memory and noted every half minute. After a restart, [`recall`] finds what the
//! earlier process still owed, in that note and in the journal.

mod recall;

use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Duration;

use rookery_table::ports::{Card, StoreError};
use rookery_table::{Status, Table, TableId, UserId};
use rookery_tasks::{TaskSpec, heartbeat};

use crate::discord::actions::own_messages::NONCE_TRUSTED;
use crate::discord::jobs::quiet_hours;
use crate::discord::state::context::Context;
use crate::discord::state::deferred_pings::PRESENCE_PERIOD;
use crate::discord::state::deferred_pings::{DeferredPing, PingTarget};
use crate::discord::wire::error::DiscordError;
use crate::shutdown::Stop;

/// The interval between checks for due pings.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The interval between notes of the time up to which all pings were sent.
const CHECKPOINT_INTERVAL: SignedDuration = SignedDuration::from_secs(30);
/// The delay after a failed attempt.
const RETRY: SignedDuration = SignedDuration::from_secs(10);
/// How long after an action its author is surely still there to see the bot's move.
const STILL_THERE: SignedDuration = SignedDuration::from_secs(15);
/// The longest time between the event that ended a game and the post of its result.
const MAX_RESULT_DELAY: SignedDuration = SignedDuration::from_secs(5);

pub(in crate::discord) const TASK: TaskSpec =
    TaskSpec { name: "deferred pings", interval: Some(POLL_INTERVAL) };

/// Sends due pings until the program stops.
pub(in crate::discord) async fn work(ctx: Arc<Context>, stop: Stop) {
    let mut ticks = tokio::time::interval(POLL_INTERVAL);
    let (mut recalled, mut noted_at) = (false, None);
    loop {
        tokio::select! {
            biased;
            _ = ticks.tick() => {}
            () = stop.finishing() => break,
        }
        heartbeat();
        if !recalled {
            recalled = recall::recall(&ctx).await.inspect_err(warn).is_ok();
            continue;
        }
        let now = ctx.registry.now();
        let due = ctx.deferred_pings.due(now);
        for (table, target, deferred) in &due {
            send_due(&ctx, *table, *target, deferred, now).await;
        }
        // Noted at once, so that a crash does not send them again.
        let is_old = !due.is_empty()
            || noted_at.is_none_or(|noted_at| now.duration_since(noted_at) >= CHECKPOINT_INTERVAL);
        if ctx.deferred_pings.take_person_removed() || is_old {
            let kept = recall::note(&ctx, now).await;
            noted_at = kept.inspect_err(warn).ok().map(|()| now).or(noted_at);
        }
    }
    if recalled {
        // Pings due within the last interval may not have been sent.
        let given = ctx.registry.now() - SignedDuration::try_from(POLL_INTERVAL).unwrap_or_default();
        recall::note(&ctx, given).await.inspect_err(warn).ok();
    }
}

fn warn(error: &StoreError) {
    tracing::warn!(%error, "could not check waiting pings; trying again");
}

impl Context {
    /// Defers the pings left out of a message for people who were just active. `posted_at` is when the
    /// message was posted, or later. A person whose own action caused the message
    /// needs no ping.
    pub(in crate::discord) fn defer_pings(
        &self,
        table: &Table,
        left_out: impl IntoIterator<Item = PingTarget>,
        posted_at: Timestamp,
    ) {
        for target in left_out {
            if let Some(deferred) = deferred(self, table, target, posted_at) {
                self.deferred_pings.defer(table.id(), target, deferred);
            }
        }
    }
}

/// Returns the ping for a recipient who was left out of a message posted at a moment, if one is owed.
fn deferred(ctx: &Context, table: &Table, target: PingTarget, posted_at: Timestamp) -> Option<DeferredPing> {
    let active_at = last_active_at_table(ctx, table, target)?;
    let ago = posted_at.duration_since(active_at);
    let seen = ago < STILL_THERE && is_unhurried(table, target);
    let is_owed = ago < PRESENCE_PERIOD && !seen && !caused_by_recipient(table, target, ago);
    is_owed.then(|| DeferredPing { since: table.turn_since(), posted_at, due: active_at + PRESENCE_PERIOD })
}

/// Whether a turn can wait without a ping for a person who saw it begin: no other person and no clock waits for it.
fn is_unhurried(table: &Table, target: PingTarget) -> bool {
    matches!(target, PingTarget::Mover(who) if table.only_person() == Some(who) && !table.card().timed)
}

/// Returns when a recipient was last active at a table.
fn last_active_at_table(ctx: &Context, table: &Table, target: PingTarget) -> Option<Timestamp> {
    let channel = table.board_channel().map_or(table.terms().channel, |board_channel| board_channel.channel);
    let of = |who: UserId| table.acted_at(who).max(ctx.deferred_pings.last_active(who, channel));
    match target {
        PingTarget::Mover(who) | PingTarget::Result(who) => of(who),
        PingTarget::Team(_) => {
            let players = table.to_move().map(|seat| table.players_of(seat)).unwrap_or_default();
            players.into_iter().filter_map(of).max()
        }
    }
}

/// Whether the recipient's last action, this long ago, caused their turn or ended the game.
fn caused_by_recipient(table: &Table, target: PingTarget, ago: SignedDuration) -> bool {
    match target {
        PingTarget::Mover(who) => table.acted_last(who),
        // The journal does not record the person for every action that can end a game.
        PingTarget::Result(_) => ago < MAX_RESULT_DELAY,
        PingTarget::Team(_) => false,
    }
}

/// Sends a due ping if it is still wanted.
async fn send_due(ctx: &Context, id: TableId, target: PingTarget, deferred: &DeferredPing, now: Timestamp) {
    let pings = &ctx.deferred_pings;
    let Ok(table) = ctx.registry.table(id).await else { return pings.settle(id, target, deferred) };
    let looked =
        last_active_at_table(ctx, &table, target).is_some_and(|active_at| active_at > deferred.posted_at);
    if looked || !is_wanted(&table, target, deferred) {
        return pings.settle(id, target, deferred);
    }
    // An earlier process may have sent it.
    let is_late = now.duration_since(deferred.due) >= NONCE_TRUSTED;
    match send_ping(ctx, &table, target, (now, is_late.then_some(deferred.posted_at))).await {
        // Quiet hours, or Discord is unreachable.
        Ok(false) => pings.put_off(id, target, now + RETRY),
        Err(fault) if fault.is_temporary() => {
            let wait = SignedDuration::try_from(fault.wait()).unwrap_or(RETRY);
            pings.put_off(id, target, now + wait.max(RETRY));
        }
        Err(fault) => {
            tracing::info!(table = %id, %fault, "could not ping a player");
            pings.settle(id, target, deferred);
        }
        Ok(true) => pings.settle(id, target, deferred),
    }
}

/// Whether it is still the same turn and the game waits for the recipient, or the game is still over.
fn is_wanted(table: &Table, target: PingTarget, deferred: &DeferredPing) -> bool {
    let waits =
        table.turn_since() == deferred.since && !table.is_suspended() && table.frozen_since().is_none();
    match target {
        PingTarget::Mover(who) => waits && table.card().waited_for().contains(&who),
        PingTarget::Team(_) => waits && table.to_move().is_some(),
        PingTarget::Result(_) => matches!(table.status(), Status::Over(_)),
    }
}

/// Sends a ping according to the recipient's preferences; returns false if it must be retried later.
async fn send_ping(
    ctx: &Context,
    table: &Table,
    target: PingTarget,
    (now, late): (Timestamp, Option<Timestamp>),
) -> Result<bool, DiscordError> {
    let card: Card = table.card();
    let (who, occasion) = match target {
        PingTarget::Team(role) => return quiet_hours::ping_team(ctx, table, role, late).await.map(|()| true),
        PingTarget::Mover(who) => (who, quiet_hours::PingReason::Turn),
        PingTarget::Result(who) => (who, quiet_hours::PingReason::Result),
    };
    let personal = ctx.registry.preferences_cache().person(who).await;
    if personal.is_quiet_at(now) {
        return Ok(false);
    }
    let sent = quiet_hours::send_delayed_ping(ctx, who, &card, (personal.pings, occasion), late).await;
    sent.map(|()| true)
}
