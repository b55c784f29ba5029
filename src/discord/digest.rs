//! The message of the day: what waits for somebody and what ended, for those who want to hear of it once
//! a day, and what happened at tables that they watch from afar. One message, and only if there is
//! anything to say.

use std::collections::BTreeMap;

use rookery_table::ports::{Card, Filter, JournalError, Stage, digest_note};
use rookery_table::preferences::{Personal, Pings};
use rookery_table::{Person, TableId};

use super::channel_access::FRESH_MS;
use super::desk::Desk;
use super::late::Waiting;
use super::pings::DAY_MS;

/// Windows begin and end at a quarter of an hour, and so does this message.
const QUARTER_MS: i64 = 15 * 60_000;
/// When the message of the day comes, in minutes of the person's own day.
const AT_MIN: u16 = 9 * 60;
/// Tables that are over that are looked through.
const TABLES_MOST: usize = 1_000;

/// What a day's message tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Day {
    /// What waits.
    pub waiting: Waiting,
    /// Their own games that ended.
    pub over: Vec<Card>,
    /// Tables that they watch, where something happened.
    pub watched: Vec<Card>,
}

impl Day {
    fn is_empty(&self) -> bool {
        *self == Day::default()
    }
}

/// Tells everybody whose message has become due since the last look. `looked` is that look, and now.
pub(super) async fn tell_all(
    desk: &Desk,
    waiting: &BTreeMap<Person, Waiting>,
    looked: (i64, i64),
) -> Result<(), JournalError> {
    let watched: BTreeMap<_, _> = desk.hall.journal().follows().digests().await?.into_iter().collect();
    let over = over(desk, looked.1).await?;
    let players: Vec<Person> = over.iter().flat_map(Card::everybody).collect();
    let mut everybody: Vec<Person> = waiting.keys().chain(watched.keys()).chain(&players).copied().collect();
    everybody.sort_unstable();
    everybody.dedup();
    for who in everybody {
        let personal = desk.hall.drawer().person(who).await;
        let own = personal.pings == Pings::Digest;
        let tables = watched.get(&who).map_or(&[][..], Vec::as_slice);
        if !own && tables.is_empty() {
            continue;
        }
        let Some(since_ms) = due(desk, who, &personal, looked).await? else { continue };
        let mut day = Day { watched: news(desk, who, tables, since_ms).await, ..Day::default() };
        if own {
            day.waiting = waiting.get(&who).cloned().unwrap_or_default();
            day.over = over.iter().filter(|card| ended(card, who, since_ms)).cloned().collect();
        }
        tell(desk, who, &day, looked.1).await;
        forget_over(desk, who, tables).await?;
    }
    Ok(())
}

/// Since when there is to tell, if somebody's message is due: at nine where they live, or when their
/// quiet hours end. It is kept that they were told before they are: twice would be worse than once not
/// at all.
async fn due(
    desk: &Desk,
    who: Person,
    personal: &Personal,
    (looked_ms, now_ms): (i64, i64),
) -> Result<Option<i64>, JournalError> {
    let (journal, key) = (desk.hall.journal(), digest_note(who));
    let told = journal.note(&key).await?.and_then(|note| note.parse::<i64>().ok());
    let since_ms = told.unwrap_or(looked_ms);
    let is_due = !personal.is_quiet_at(now_ms) && has_struck(personal, since_ms, now_ms);
    if is_due || told.is_none() {
        let up_to_ms = if is_due { now_ms } else { since_ms };
        journal.keep_note(&key, &up_to_ms.to_string()).await?;
    }
    Ok(is_due.then_some(since_ms))
}

/// Whether the hour of the message has come between two moments.
fn has_struck(personal: &Personal, since_ms: i64, now_ms: i64) -> bool {
    // After a long time away one message is enough: a day is looked back at most.
    let first = since_ms.max(now_ms - DAY_MS) / QUARTER_MS + 1;
    (first..=now_ms / QUARTER_MS).any(|quarter| personal.zone.local(quarter * QUARTER_MS).minute == AT_MIN)
}

/// Games that ended in the last two days: nobody's message is older.
async fn over(desk: &Desk, now_ms: i64) -> Result<Vec<Card>, JournalError> {
    let filter = Filter { stage: Some(Stage::Over), most: TABLES_MOST, ..Filter::default() };
    let cards = desk.hall.journal().list(&filter).await?;
    Ok(cards.into_iter().take_while(|card| card.at_ms > now_ms - 2 * DAY_MS).collect())
}

/// Whether somebody's own game ended since; one that never began is no game.
fn ended(card: &Card, who: Person, since_ms: i64) -> bool {
    card.at_ms > since_ms && card.ply > 0 && card.has(who)
}

/// The tables at which something happened since, of those that somebody may still see.
async fn news(desk: &Desk, who: Person, tables: &[TableId], since_ms: i64) -> Vec<Card> {
    let mut news = Vec::new();
    for table in tables {
        let Ok(table) = desk.hall.see(*table).await else { continue };
        if table.at_ms() > since_ms && desk.may_notify(who, &table, FRESH_MS).await {
            news.push(table.card());
        }
    }
    news
}

async fn tell(desk: &Desk, who: Person, day: &Day, now_ms: i64) {
    if day.is_empty() {
        return;
    }
    let nonce = format!("d{}", now_ms / QUARTER_MS);
    if let Err(fault) = desk.direct(who, &nonce, |layout| Some(layout.day(day, who))).await {
        tracing::info!(%fault, "somebody cannot be told of their day");
    }
}

/// Tables that are over are watched no more.
async fn forget_over(desk: &Desk, who: Person, tables: &[TableId]) -> Result<(), JournalError> {
    for id in tables {
        if desk.hall.see(*id).await.is_ok_and(|table| table.card().stage == Stage::Over) {
            desk.hall.journal().follows().unfollow(who, *id).await?;
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
        let personal = Personal { zone, ..Personal::default() };
        // 9:00 in Kolkata is 3:30 UTC, the fourteenth quarter of the day.
        let due = |from: i64, to: i64| has_struck(&personal, from * QUARTER_MS, to * QUARTER_MS);
        assert!(due(13, 14) && !due(14, 15) && !due(12, 13));
        let times = (1_000..1_000 + 7 * 96).filter(|quarter| due(*quarter, quarter + 1)).count();
        assert_eq!(times, 7);
        assert!(due(0, 5_000), "after a long time away");
    }
}
