//! The daily message to those who watch tables from afar: one for all of them, and only if something
//! happened there.

use std::sync::Arc;
use std::time::Duration;

use crate::ops::stop::Stop;
use crate::table::ports::JournalError;
use crate::table::{Person, Status, TableId};

use super::desk::Desk;
use super::fault::Fault;
use super::layout::lists::Listed;

/// How often it is looked whether somebody's day is over.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// The time between two messages to the same person.
const DAY_MS: i64 = 24 * 3_600 * 1_000;

/// Tells everybody who watches from afar, once a day each, until the program stops.
pub(super) async fn work(desk: Arc<Desk>, stop: Stop) {
    let mut moments = tokio::time::interval(LOOK_EVERY);
    loop {
        tokio::select! {
            _ = moments.tick() => {}
            () = stop.finishing() => return,
        }
        if let Err(error) = tell_all(&desk).await {
            tracing::warn!(%error, "who watches from afar could not be looked up; trying again");
        }
    }
}

async fn tell_all(desk: &Desk) -> Result<(), JournalError> {
    for (who, tables) in desk.hall.journal().follows().digests().await? {
        tell(desk, who, &tables).await?;
    }
    Ok(())
}

/// A day begins when somebody starts to watch, and anew with each look at what happened.
async fn tell(desk: &Desk, who: Person, tables: &[TableId]) -> Result<(), JournalError> {
    let (journal, now_ms) = (desk.hall.journal(), desk.hall.now_ms());
    let key = format!("digest-{}", who.0);
    let since = journal.note(&key).await?.and_then(|note| note.parse::<i64>().ok());
    let Some(since) = since else { return journal.keep_note(&key, &now_ms.to_string()).await };
    let quiet = desk.hall.drawer().person(who).await.is_quiet_at(now_ms);
    if now_ms - since < DAY_MS || quiet {
        return Ok(());
    }
    // Kept first: told twice would be worse than once not at all.
    journal.keep_note(&key, &now_ms.to_string()).await?;
    let news = news(desk, tables, since).await;
    if news.is_empty() {
        return Ok(());
    }
    if let Err(fault) = send(desk, who, &news).await {
        tracing::info!(%fault, "somebody who watches from afar cannot be told");
    }
    for table in over(desk, tables).await {
        journal.follows().unfollow(who, table).await?;
    }
    Ok(())
}

/// The tables at which something happened since.
async fn news(desk: &Desk, tables: &[TableId], since: i64) -> Vec<Listed> {
    let mut news = Vec::new();
    for table in tables {
        let Ok(table) = desk.hall.see(*table).await else { continue };
        if table.at_ms() > since {
            news.push(Listed { card: table.card(), board: None });
        }
    }
    news
}

async fn over(desk: &Desk, tables: &[TableId]) -> Vec<TableId> {
    let mut over = Vec::new();
    for id in tables {
        let seen = desk.hall.see(*id).await;
        if seen.is_ok_and(|table| matches!(table.status(), Status::Over(_))) {
            over.push(*id);
        }
    }
    over
}

async fn send(desk: &Desk, who: Person, news: &[Listed]) -> Result<(), Fault> {
    let channel = desk.api.dm(who.0).await?;
    let desk = desk.for_writer(who, None, channel).await;
    let nonce = format!("d{}", desk.hall.now_ms());
    desk.api.post(channel, &desk.layout().digest(news, who), Some(&nonce)).await.map(drop)
}
