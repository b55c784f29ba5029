//! The daily digest: pending turns and answers, finished games, and events at watched tables, for people who
//! prefer one message a day. It is only sent if there is something to report.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use rookery_table::millis;
use rookery_table::ports::{Card, Filter, Stage, StoreError, digest_note};
use rookery_table::preferences::{PersonalPreferences, Pings};
use rookery_table::{TableId, UserId};

use crate::discord::state::context::Context;
use crate::discord::state::dm_budget::DAY;
use crate::discord::state::member_access::FRESH;
use crate::discord::view::digest::DailyDigest;
use crate::discord::view::digest::WaitingTables;

/// Quiet hours begin and end at a quarter of an hour, and so does the digest.
const QUARTER: SignedDuration = SignedDuration::from_mins(15);
/// When the digest is sent, in minutes of the person's local day.
const DIGEST_MINUTE: u16 = 9 * 60;
/// The most finished tables examined.
const MAX_TABLES: usize = 1_000;

/// Sends the digests that have become due since the last check. `looked` holds the times of that check and of
/// this one.
pub(in crate::discord) async fn send_digests(
    ctx: &Context,
    waiting: &BTreeMap<UserId, WaitingTables>,
    looked: (Timestamp, Timestamp),
) -> Result<(), StoreError> {
    let watched: BTreeMap<_, _> = ctx.registry.journal().follows().digests().await?.into_iter().collect();
    let over = over(ctx, looked.1).await?;
    let players: Vec<UserId> = over.iter().flat_map(Card::everybody).collect();
    let mut everybody: Vec<UserId> = waiting.keys().chain(watched.keys()).chain(&players).copied().collect();
    everybody.sort_unstable();
    everybody.dedup();
    for who in everybody {
        let personal = ctx.registry.preferences_cache().person(who).await;
        let own = personal.pings == Pings::Digest;
        let tables = watched.get(&who).map_or(&[][..], Vec::as_slice);
        if !own && tables.is_empty() {
            continue;
        }
        let Some(since) = due(ctx, who, &personal, looked).await? else { continue };
        let mut day = DailyDigest { watched: news(ctx, who, tables, since).await, ..DailyDigest::default() };
        if own {
            day.waiting = waiting.get(&who).cloned().unwrap_or_default();
            day.over = over.iter().filter(|card| ended(card, who, since)).cloned().collect();
        }
        send_digest(ctx, who, &day, looked.1).await;
        forget_over(ctx, who, tables).await?;
    }
    Ok(())
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

/// Returns the games that ended in the last two days: no digest reports older ones.
async fn over(ctx: &Context, now: Timestamp) -> Result<Vec<Card>, StoreError> {
    let filter = Filter { stage: Some(Stage::Over), most: MAX_TABLES, ..Filter::default() };
    let cards = ctx.registry.journal().list(&filter).await?;
    Ok(cards.into_iter().take_while(|card| card.at > now - 2 * DAY).collect())
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
