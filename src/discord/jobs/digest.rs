//! The daily digest: pending turns and answers, finished games, and events at watched tables, for people who
//! prefer one message a day. It is only sent if there is something to report.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::TryStreamExt;
use jiff::{SignedDuration, Timestamp};

use rookery_table::millis;
use rookery_table::ports::{Card, Filter, Stage, StoreError, WatchMode, digest_note, walk_pages};
use rookery_table::preferences::{PersonalPreferences, Pings};
use rookery_table::{TableError, TableId, UserId};
use rookery_tasks::heartbeat;

use crate::discord::jobs::quiet_hours::{self, PingReason};
use crate::discord::state::context::Context;
use crate::discord::state::dm_budget::DAY;
use crate::discord::state::member_access::FRESH;
use crate::discord::view::digest::DailyDigest;
use crate::discord::view::digest::WaitingTables;

/// Quiet hours begin and end at a quarter of an hour, and so does the digest.
const QUARTER: SignedDuration = SignedDuration::from_mins(15);
/// When the digest is sent, in minutes of the person's local day.
const DIGEST_MINUTE: u16 = 9 * 60;
/// No digest reports games that ended longer ago.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(48);

/// Sends the digests that have become due since the last check. `awaited` are the people whom tables wait for and who
/// prefer a digest; `looked` holds the times of that check and of this one.
pub(in crate::discord) async fn send_digests(
    ctx: &Context,
    awaited: BTreeSet<UserId>,
    looked: (Timestamp, Timestamp),
) -> Result<(), TableError> {
    for (who, watches) in everybody(ctx, awaited, looked.1).await? {
        heartbeat();
        let personal = ctx.registry.preferences_cache().person(who).await;
        let own = personal.pings == Pings::Digest;
        if !own && !watches {
            continue;
        }
        let Some(since) = due(ctx, who, &personal, looked).await? else { continue };
        let tables = if watches { in_digest(ctx, who).await? } else { Vec::new() };
        let mut day = DailyDigest { watched: news(ctx, who, &tables, since).await, ..DailyDigest::default() };
        if own {
            (day.waiting, day.over) = own_tables(ctx, who, since, looked.1).await?;
        }
        send_digest(ctx, who, &day, looked.1).await;
        forget_over(ctx, who, &tables).await?;
    }
    Ok(())
}

/// Returns the people who may get a digest, each with whether they watch tables that way. The players of games that
/// ended lately are among them.
async fn everybody(
    ctx: &Context,
    awaited: BTreeSet<UserId>,
    now: Timestamp,
) -> Result<BTreeMap<UserId, bool>, TableError> {
    let mut all: BTreeMap<UserId, bool> = awaited.into_iter().map(|who| (who, false)).collect();
    let follows = ctx.registry.journal().follows();
    let mut watchers = walk_pages(|page| follows.digests(page));
    while let Some((who, _)) = watchers.try_next().await? {
        all.insert(who, true);
    }
    let filter = Filter { stage: Some(Stage::Over), ..Filter::default() };
    let mut over = ctx.registry.latest(&filter);
    while let Some(card) = over.try_next().await?.filter(|card| card.at > now - MAX_AGE) {
        heartbeat();
        for who in card.everybody() {
            if ctx.registry.preferences_cache().person(who).await.pings == Pings::Digest {
                all.entry(who).or_default();
            }
        }
    }
    Ok(all)
}

/// Returns the watched tables whose news a person gets in the digest.
async fn in_digest(ctx: &Context, who: UserId) -> Result<Vec<TableId>, StoreError> {
    let (follows, mut tables) = (ctx.registry.journal().follows(), Vec::new());
    let mut watched = walk_pages(|page| follows.watched_by(who, page));
    while let Some(table) = watched.try_next().await? {
        let how = follows.watch_mode(who, table).await?;
        tables.extend((how == Some(WatchMode::Digest)).then_some(table));
    }
    Ok(tables)
}

/// Returns a person's tables that wait for them, and those of their games that ended since a moment, the latest first.
async fn own_tables(
    ctx: &Context,
    who: UserId,
    since: Timestamp,
    now: Timestamp,
) -> Result<(WaitingTables, Vec<Card>), TableError> {
    let (mut waiting, mut over) = (WaitingTables::default(), Vec::new());
    let filter = Filter { person: Some(who), unfinished: true, ..Filter::default() };
    let mut cards = ctx.registry.latest(&filter);
    while let Some(card) = cards.try_next().await? {
        for (_, occasion) in quiet_hours::awaited(&card).into_iter().filter(|(awaited, _)| *awaited == who) {
            match occasion {
                PingReason::Answer => waiting.answers.push(card.clone()),
                PingReason::Turn | PingReason::Result => waiting.turns.push(card.clone()),
            }
        }
    }
    let filter = Filter { person: Some(who), stage: Some(Stage::Over), ..Filter::default() };
    let since = since.max(now - MAX_AGE);
    let mut cards = ctx.registry.latest(&filter);
    while let Some(card) = cards.try_next().await?.filter(|card| card.at > since) {
        over.extend(ended(&card, who, since).then_some(card));
    }
    Ok((waiting, over))
}

/// Returns the time from which a person's digest reports, if it is due: at nine in their time zone, or when
/// their quiet hours end. The note is written before the digest is sent, because sending it twice would be
/// worse than not at all.
async fn due(
    ctx: &Context,
    who: UserId,
    personal: &PersonalPreferences,
    (looked_at, now): (Timestamp, Timestamp),
) -> Result<Option<Timestamp>, StoreError> {
    let (journal, key) = (ctx.registry.journal(), digest_note(who));
    let told = journal.note(&key).await?.and_then(|note| note.parse().ok()).map(millis::timestamp);
    let since = told.unwrap_or(looked_at);
    let is_due = !personal.is_quiet_at(now) && is_digest_time(personal, since, now);
    if is_due || told.is_none() {
        let up_to = if is_due { now } else { since };
        journal.store_note(&key, &up_to.as_millisecond().to_string()).await?;
    }
    Ok(is_due.then_some(since))
}

/// Returns the number of whole quarter hours from 1970 to a moment.
fn quarter_of(at: Timestamp) -> i64 {
    at.as_millisecond().div_euclid(millis::whole(QUARTER))
}

/// Whether the time of the digest is between two moments.
fn is_digest_time(personal: &PersonalPreferences, since: Timestamp, now: Timestamp) -> bool {
    // After a long outage one digest is enough, so only the last day is considered.
    let first = quarter_of(since.max(now - DAY)) + 1;
    let begin = |quarter: i64| millis::timestamp(quarter * millis::whole(QUARTER));
    (first..=quarter_of(now)).any(|quarter| personal.zone.local(begin(quarter)).minute == DIGEST_MINUTE)
}

/// Whether a person's own game ended since a moment; a table that never began does not count.
fn ended(card: &Card, who: UserId, since: Timestamp) -> bool {
    card.at > since && card.ply > 0 && card.has(who)
}

/// Returns the tables with events since a moment, without those that the person may no longer see.
async fn news(ctx: &Context, who: UserId, tables: &[TableId], since: Timestamp) -> Vec<Card> {
    let mut news = Vec::new();
    for table in tables {
        let Ok(table) = ctx.registry.table(*table).await else { continue };
        if table.at() > since && ctx.may_notify(who, &table, FRESH).await {
            news.push(table.card());
        }
    }
    news
}

async fn send_digest(ctx: &Context, who: UserId, day: &DailyDigest, now: Timestamp) {
    if day.is_empty() {
        return;
    }
    let nonce = format!("d{}", quarter_of(now));
    if let Err(fault) = ctx.direct(who, &nonce, |view| Some(view.digest(day, who))).await {
        tracing::info!(%fault, "could not send a daily digest");
    }
}

/// Ends the watching of tables that are over.
async fn forget_over(ctx: &Context, who: UserId, tables: &[TableId]) -> Result<(), StoreError> {
    for id in tables {
        if ctx.registry.table(*id).await.is_ok_and(|table| table.card().stage == Stage::Over) {
            ctx.registry.journal().follows().unfollow(who, *id).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_table::calendar::Zone;

    #[test]
    fn the_daily_message_comes_once_at_nine_where_the_person_lives() {
        let zone = Zone::named("Asia/Kolkata").unwrap();
        let personal = PersonalPreferences { zone, ..PersonalPreferences::default() };
        // 9:00 in Kolkata is 3:30 UTC, the fourteenth quarter hour of the day.
        let at = |quarter: i32| Timestamp::UNIX_EPOCH + quarter * QUARTER;
        let due = |from, to| is_digest_time(&personal, at(from), at(to));
        assert!(due(13, 14) && !due(14, 15) && !due(12, 13));
        let times = (1_000..1_000 + 7 * 96).filter(|quarter| due(*quarter, quarter + 1)).count();
        assert_eq!(times, 7);
        assert!(due(0, 5_000), "after a long time away");
    }
}
