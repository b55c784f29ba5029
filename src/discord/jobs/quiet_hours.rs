//! Notifications delayed by quiet hours: turns, offers and challenges are announced when the quiet hours end.
//! People who prefer a daily digest get one direct message about everything.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt;
use jiff::{SignedDuration, Timestamp};

use rookery_table::millis;
use rookery_table::ports::{Card, Filter, LeaderTask, Stage};
use rookery_table::preferences::Pings;
use rookery_table::{ChannelId, RoleId, Table, TableError, UserId};
use rookery_tasks::{TaskSpec, heartbeat};

use crate::discord::actions::own_messages::{self, have_same_first_line};
use crate::discord::jobs::digest;
use crate::discord::policy::pings::nonce_for;
use crate::discord::state::context::Context;
use crate::discord::view::MessageView;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::sent_message::SentMessage;
use crate::discord::wire::snowflake::{CLOCK_MARGIN, first_id};
use crate::shutdown::Stop;

/// Quiet hours and digests begin and end at a quarter of an hour.
const QUARTER: SignedDuration = SignedDuration::from_mins(15);
/// The interval between checks of the time.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
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
            biased;
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
        let unsent_since = sent_until.map_or(since, |sent_until| sent_until.max(since));
        let awaited = send_all_delayed(ctx, unsent_since, now).await.map_err(|error| error.to_string())?;
        *sent_until = Some(now);
        digest::send_digests(ctx, awaited, (since, now)).await.map_err(|error| error.to_string())?;
    }
    journal.store_note(NOTE, &now.as_millisecond().to_string()).await.map_err(|error| error.to_string())
}

/// Sends the notifications of all unfinished tables that have become due between two moments, if there is a time between
/// them. Returns the people whom tables wait for and who prefer a daily digest.
async fn send_all_delayed(
    ctx: &Context,
    since: Timestamp,
    now: Timestamp,
) -> Result<BTreeSet<UserId>, TableError> {
    let filter = Filter { unfinished: true, ..Filter::default() };
    let (mut cards, mut digests) = (ctx.registry.scan(&filter), BTreeSet::new());
    // Sent after the walk: an error in it must not make the next attempt send some of them again.
    let mut due = Vec::new();
    while let Some(card) = cards.try_next().await? {
        heartbeat();
        for (who, occasion) in awaited(&card) {
            let personal = ctx.registry.preferences_cache().person(who).await;
            if personal.pings == Pings::Digest {
                digests.insert(who);
            }
            let has_ended = personal.is_quiet_at(since) && !personal.is_quiet_at(now);
            if since < now && has_ended && personal.is_quiet_at(card.at) {
                due.push((who, card.id, occasion));
            }
        }
    }
    for (who, table, occasion) in due {
        heartbeat();
        let filter = Filter { table: Some(table), ..Filter::default() };
        let cards = ctx.registry.list(&filter, 1).await.unwrap_or_default();
        for card in cards.iter().filter(|card| awaited(card).contains(&(who, occasion))) {
            let pings = ctx.registry.preferences_cache().person(who).await.pings;
            send_delayed_or_log(ctx, who, card, pings, occasion).await;
        }
    }
    Ok(digests)
}

/// Returns the people whom a table waits for: to move, and to answer an offer or a challenge.
pub(in crate::discord) fn awaited(card: &Card) -> Vec<(UserId, PingReason)> {
    let moves = card.stage == Stage::Running && !card.is_suspended();
    let to_move = if moves { card.waited_for() } else { Vec::new() };
    // In a server that the bot was removed from, answers are not accepted either.
    let answers = if card.frozen_since.is_none() { &card.asked[..] } else { &[] };
    let to_move = to_move.into_iter().map(|who| (who, PingReason::Turn));
    to_move.chain(answers.iter().map(|who| (*who, PingReason::Answer))).collect()
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

async fn send_delayed_or_log(ctx: &Context, who: UserId, card: &Card, pings: Pings, occasion: PingReason) {
    if let Err(fault) = send_delayed_ping(ctx, who, card, (pings, occasion), None).await {
        tracing::info!(%fault, "could not send a reminder");
    }
}

/// Sends a person a delayed notification, according to their preferences. `late` is given if it may have been sent
/// already, too long ago for its nonce: then it is looked for among the messages after that moment.
///
/// # Errors
/// If Discord does not accept it.
pub(in crate::discord) async fn send_delayed_ping(
    ctx: &Context,
    who: UserId,
    card: &Card,
    (pings, occasion): (Pings, PingReason),
    late: Option<Timestamp>,
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
            let channel = channel_of(&table);
            if was_sent(&ctx, channel, &post, late).await? {
                return Ok(());
            }
            ctx.post_in(channel, &post, &nonce_for(&nonce, who)).await.map(drop)
        }
        Pings::Dm => {
            let post = |view: MessageView<'_>| match occasion {
                PingReason::Turn => Some(view.turn_dm(&table)),
                PingReason::Answer => Some(view.answer_dm(&table)),
                PingReason::Result => view.result(&table).map(|post| view.news_dm(post, &table)),
            };
            if late.is_some() {
                let channel = ctx.dm_channel(who).await?;
                let own = ctx.for_writer(who, None, channel).await;
                let post = post(own.view());
                if let Some(post) = post
                    && was_sent(ctx, channel, &post, late).await?
                {
                    return Ok(());
                }
            }
            ctx.direct_within_budget(who, &nonce, post).await.map(drop)
        }
        Pings::Digest | Pings::Off => Ok(()),
    }
}

/// Whether the bot has posted a message that begins with the same line, if it may have been since a moment.
async fn was_sent(
    ctx: &Context,
    channel: ChannelId,
    post: &OutgoingMessage,
    late: Option<Timestamp>,
) -> Result<bool, DiscordError> {
    let Some(since) = late else { return Ok(false) };
    let is_it = |sent: &SentMessage| have_same_first_line(&post.content, &sent.content);
    match own_messages::find(ctx, channel, Some(first_id(since - CLOCK_MARGIN)), is_it).await {
        Err(fault) if fault.is_temporary() => Err(fault),
        // Without the history nobody knows. A reminder twice is better than none.
        found => Ok(found.unwrap_or_default().is_some()),
    }
}

/// Notifies a team by its role that it is their turn; `late` as for [`send_delayed_ping`].
///
/// # Errors
/// If Discord does not accept it.
pub(in crate::discord) async fn ping_team(
    ctx: &Context,
    table: &Table,
    role: RoleId,
    late: Option<Timestamp>,
) -> Result<(), DiscordError> {
    let post = ctx.for_table(table).await.view().team_turn_reminder(table.id(), role);
    let nonce = format!("{}{}-{}", PingReason::Turn.mark(), table.id(), table.turn_since());
    if was_sent(ctx, channel_of(table), &post, late).await? {
        return Ok(());
    }
    ctx.post_in(channel_of(table), &post, &nonce).await.map(drop)
}

fn channel_of(table: &Table) -> ChannelId {
    table.board_channel().map_or(table.terms().channel, |board_channel| board_channel.channel)
}
