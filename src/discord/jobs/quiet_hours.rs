//! Notifications delayed by quiet hours: turns, offers and challenges are announced when the quiet hours end.
//! People who prefer a daily digest get one direct message about everything.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use rookery_table::millis;
use rookery_table::ports::{Card, Filter, LeaderTask, Stage};
use rookery_table::preferences::Pings;
use rookery_table::{ChannelId, RoleId, Table, UserId};
use rookery_tasks::{TaskSpec, heartbeat};

use crate::discord::jobs::digest;
use crate::discord::policy::pings::nonce_for;
use crate::discord::state::context::Context;
use crate::discord::view::MessageView;
use crate::discord::view::digest::WaitingTables;
use crate::discord::wire::error::DiscordError;
use crate::shutdown::Stop;

/// Quiet hours and digests begin and end at a quarter of an hour.
const QUARTER: SignedDuration = SignedDuration::from_mins(15);
/// The interval between checks of the time.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The most tables examined.
const MAX_TABLES: usize = 10_000;
/// The key of the note with the time of the last check.
const NOTE: &str = "pings";

pub(in crate::discord) const TASK: TaskSpec = TaskSpec { name: "late pings", interval: Some(POLL_INTERVAL) };

/// Sends delayed notifications until the program stops.
pub(in crate::discord) async fn work(ctx: Arc<Context>, stop: Stop) {
    let mut ticks = tokio::time::interval(POLL_INTERVAL);
    let (mut done_at, mut sent_until) = (None, None);
    loop {
        heartbeat();
        tokio::select! {
            _ = ticks.tick() => {}
            () = stop.finishing() => return,
        }
        let quarter = millis::whole(QUARTER);
        let quarter = millis::timestamp(ctx.registry.now().as_millisecond().div_euclid(quarter) * quarter);
        if done_at == Some(quarter) || !ctx.registry.leads(LeaderTask::Digests).await {
            continue;
        }
        match send_due(&ctx, quarter, &mut sent_until).await {
            Ok(()) => done_at = Some(quarter),
            Err(why) => tracing::warn!(why, "could not send what was waiting; trying again"),
        }
    }
}

/// Sends notifications that have become due since the last check, which may be long ago. `sent_until` is the
/// time up to which this process has sent them: it prevents duplicates while the disk is full and the time
/// cannot be noted.
async fn send_due(ctx: &Context, now: Timestamp, sent_until: &mut Option<Timestamp>) -> Result<(), String> {
    let journal = ctx.registry.journal();
    let note = journal.note(NOTE).await.map_err(|error| error.to_string())?;
    let since = note.and_then(|text| text.parse().ok()).map_or(now, millis::timestamp);
    if since < now {
        let waiting = waiting(ctx).await?;
        let unsent_since = sent_until.map_or(since, |sent_until| sent_until.max(since));
        if unsent_since < now {
            for (who, waits) in &waiting {
                heartbeat();
                send_delayed(ctx, *who, waits, unsent_since, now).await;
            }
            *sent_until = Some(now);
        }
        digest::send_digests(ctx, &waiting, (since, now)).await.map_err(|error| error.to_string())?;
    }
    journal.store_note(NOTE, &now.as_millisecond().to_string()).await.map_err(|error| error.to_string())
}

/// Returns the tables that wait for each person.
async fn waiting(ctx: &Context) -> Result<BTreeMap<UserId, WaitingTables>, String> {
    let mut waiting: BTreeMap<UserId, WaitingTables> = BTreeMap::new();
    for stage in [Stage::Running, Stage::Waiting] {
        let filter = Filter { stage: Some(stage), most: MAX_TABLES, ..Filter::default() };
        for card in ctx.registry.list(&filter).await.map_err(|error| error.to_string())? {
            let moves = stage == Stage::Running && !card.is_suspended();
            let to_move = if moves { card.waited_for() } else { Vec::new() };
            for who in to_move {
                waiting.entry(who).or_default().turns.push(card.clone());
            }
            // In a server that the bot was removed from, answers are not accepted either.
            let awaited = if card.frozen_since.is_none() { &card.asked[..] } else { &[] };
            for who in awaited {
                waiting.entry(*who).or_default().answers.push(card.clone());
            }
        }
    }
    Ok(waiting)
}

/// The subject of a delayed notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discord) enum PingReason {
    /// It is the person's turn.
    Turn,
    /// An offer or a challenge waits for the person's answer.
    Answer,
    /// The person's game is over.
    Result,
}

impl PingReason {
    /// Returns the letter with which its nonces begin.
    fn mark(self) -> char {
        match self {
            PingReason::Turn => 'l',
            PingReason::Answer => 'a',
            PingReason::Result => 'r',
        }
    }
}

async fn send_delayed(ctx: &Context, who: UserId, waits: &WaitingTables, since: Timestamp, now: Timestamp) {
    let personal = ctx.registry.preferences_cache().person(who).await;
    if personal.is_quiet_at(now) || !personal.is_quiet_at(since) {
        return;
    }
    let missed = |card: &&Card| personal.is_quiet_at(card.at);
    for card in waits.turns.iter().filter(missed) {
        send_delayed_or_log(ctx, who, card, personal.pings, PingReason::Turn).await;
    }
    for card in waits.answers.iter().filter(missed) {
        send_delayed_or_log(ctx, who, card, personal.pings, PingReason::Answer).await;
    }
}

async fn send_delayed_or_log(ctx: &Context, who: UserId, card: &Card, pings: Pings, occasion: PingReason) {
    if let Err(fault) = send_delayed_ping(ctx, who, card, pings, occasion).await {
        tracing::info!(%fault, "could not send a reminder");
    }
}

/// Sends a person a delayed notification, according to their preferences.
///
/// # Errors
/// If Discord does not accept it.
pub(in crate::discord) async fn send_delayed_ping(
    ctx: &Context,
    who: UserId,
    card: &Card,
    pings: Pings,
    occasion: PingReason,
) -> Result<(), DiscordError> {
    let Ok(table) = ctx.registry.table(card.id).await else { return Ok(()) };
    // A turn that is taken back and begins again is a different one.
    let nonce = format!("{}{}-{}", occasion.mark(), card.id, table.turn_since());
    match pings {
        Pings::Thread => {
            let ctx = ctx.for_table(&table).await;
            let view = ctx.view();
            let post = match occasion {
                PingReason::Turn => view.turn_reminder(card, who),
                PingReason::Answer => view.answer_reminder(&table, who),
                PingReason::Result => view.result_reminder(card, who),
            };
            ctx.post_in(channel_of(&table), &post, &nonce_for(&nonce, who)).await.map(drop)
        }
        Pings::Dm => {
            let post = |view: MessageView<'_>| match occasion {
                PingReason::Turn => Some(view.turn_dm(&table)),
                PingReason::Answer => Some(view.answer_dm(&table)),
                PingReason::Result => view.result(&table).map(|post| view.news_dm(post, &table)),
            };
            ctx.direct_within_budget(who, &nonce, post).await.map(drop)
        }
        Pings::Digest | Pings::Off => Ok(()),
    }
}

/// Notifies a team by its role that it is their turn.
///
/// # Errors
/// If Discord does not accept it.
pub(in crate::discord) async fn ping_team(
    ctx: &Context,
    table: &Table,
    role: RoleId,
) -> Result<(), DiscordError> {
    let post = ctx.for_table(table).await.view().team_turn_reminder(table.id(), role);
    let nonce = format!("{}{}-{}", PingReason::Turn.mark(), table.id(), table.turn_since());
    ctx.post_in(channel_of(table), &post, &nonce).await.map(drop)
}

fn channel_of(table: &Table) -> ChannelId {
    table.board_channel().map_or(table.terms().channel, |board_channel| board_channel.channel)
}
