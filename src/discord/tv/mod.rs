//! The television: one board in a channel that shows the best game going on on its server, of those that
//! whoever reads the channel can see where they are played ([`sight`](super::sight)).
//!
//! It is changed in its place while its message is young, then posted anew (`in_place`). What it shows, and
//! where, lies in the journal's notes, so that a restart goes on with the same message. Which game is the best is
//! the business of `choice`.

mod choice;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ops::stop::Stop;
use rookery_table::ports::JournalError;
use rookery_table::{Status, Table, TableId};
use rookery_tasks::beat;

use super::desk::Desk;
use super::fault::Fault;
use super::in_place;
use super::post::Post;
use super::shuns::SHUN;
use choice::Worths;

/// The shortest time between two changes of a board: faster games are shown with some turns at once.
const CHANGE_EVERY_MS: i64 = 5_000;
/// For how long a result stays before the next game is shown.
const RESULT_MS: i64 = 60_000;
/// Under which name the servers with a television are kept.
const ALL_NOTE: &str = "tv";

/// A server's television.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Set {
    /// Where it stands.
    channel: u64,
    /// The message with the board, once there is one.
    message: Option<u64>,
    /// What the message shows.
    shown: Option<Shown>,
    /// When it may be changed next, in milliseconds since 1970.
    next_ms: i64,
}

/// What a television shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Shown {
    /// That nothing goes on.
    Nothing,
    /// A table as it was after its entry of this number.
    Game(TableId, u64),
}

/// Puts a server's television into a channel, in place of where it stood, or takes it away.
pub(super) async fn put(desk: &Desk, guild: u64, channel: Option<u64>) -> Result<(), JournalError> {
    if let Some(old) = read(desk, guild).await? {
        take_down(desk, &old).await;
    }
    keep(desk, guild, channel.map(|channel| Set { channel, message: None, shown: None, next_ms: 0 })).await?;
    let mut all = all(desk).await?;
    all.retain(|known| *known != guild);
    all.extend(channel.map(|_| guild));
    desk.hall.journal().keep_note(ALL_NOTE, &written(&all)?).await
}

/// Takes the message away, if there is one.
async fn take_down(desk: &Desk, set: &Set) {
    if let Some(message) = set.message {
        in_place::take_away(desk, set.channel, message).await;
    }
}

/// Keeps all televisions up to date until the program stops.
pub(super) async fn work(desk: Arc<Desk>, stop: Stop) {
    let mut moments = tokio::time::interval(desk.settings.tv_every);
    let mut worths = Worths::default();
    loop {
        beat();
        tokio::select! {
            _ = moments.tick() => {}
            () = stop.finishing() => return,
        }
        if let Err(error) = show_all(&desk, &mut worths).await {
            tracing::warn!(%error, "what televisions show could not be looked up; trying again");
        }
    }
}

async fn show_all(desk: &Desk, worths: &mut Worths) -> Result<(), JournalError> {
    for guild in all(desk).await? {
        beat();
        let Some(set) = read(desk, guild).await? else { continue };
        if desk.hall.now_ms() >= set.next_ms {
            show(desk, guild, set, worths).await?;
        }
    }
    Ok(())
}

/// Shows what is best now, if that is something else than what is shown.
async fn show(desk: &Desk, guild: u64, set: Set, worths: &mut Worths) -> Result<(), JournalError> {
    if desk.is_gone(set.channel).await {
        return gone(desk, guild, "its channel was deleted").await;
    }
    let table = on_now(desk, guild, &set, worths).await;
    let now = table.as_ref().map_or(Shown::Nothing, |table| Shown::Game(table.id(), table.sequence()));
    if set.shown == Some(now) {
        return Ok(());
    }
    let post = match &table {
        Some(table) => desk.for_table(table).await.layout().television(table),
        None => desk.for_server(guild).await.layout().television_off(),
    };
    let now_ms = desk.hall.now_ms();
    let brought = bring(desk, &set, &post, now).await;
    // Whoever put it somewhere else, or away, meanwhile is not overruled.
    if read(desk, guild).await?.as_ref() != Some(&set) {
        take_down(desk, &Set { message: brought.ok(), ..set }).await;
        return Ok(());
    }
    match brought {
        Ok(message) => {
            let next_ms = now_ms + CHANGE_EVERY_MS;
            keep(desk, guild, Some(Set { message: Some(message), shown: Some(now), next_ms, ..set })).await
        }
        Err(Fault::Gone { why, .. }) => gone(desk, guild, &why).await,
        Err(fault) => {
            tracing::info!(%fault, guild, "a television waits");
            let pause = if fault.passes() { CHANGE_EVERY_MS } else { SHUN.as_millis() as i64 };
            keep(desk, guild, Some(Set { next_ms: now_ms + pause, ..set })).await
        }
    }
}

async fn gone(desk: &Desk, guild: u64, why: &str) -> Result<(), JournalError> {
    tracing::info!(why, guild, "a television's channel is gone, and the television with it");
    put(desk, guild, None).await
}

/// The game to be shown: the one that has just ended stays for a while, so that people see how.
async fn on_now(desk: &Desk, guild: u64, set: &Set, worths: &mut Worths) -> Option<Arc<Table>> {
    let shown = match set.shown {
        Some(Shown::Game(id, _)) => desk.hall.see(id).await.ok(),
        _ => None,
    };
    match shown {
        Some(table)
            if is_fresh_result(&table, desk.hall.now_ms())
                && desk.may_list(&table.card(), set.channel).await =>
        {
            Some(table)
        }
        shown => choice::best(desk, (guild, set.channel), shown.map(|table| table.id()), worths).await,
    }
}

fn is_fresh_result(table: &Table, now_ms: i64) -> bool {
    matches!(table.status(), Status::Over(_)) && now_ms - table.at_ms() < RESULT_MS
}

/// Shows a post on the television; the message that it is now.
async fn bring(desk: &Desk, set: &Set, post: &Post, now: Shown) -> Result<u64, Fault> {
    let nonce = match now {
        Shown::Nothing => format!("tv{}", desk.hall.now_ms()),
        Shown::Game(table, sequence) => format!("tv{table}-{sequence}"),
    };
    in_place::show(desk, set.channel, set.message, post, &nonce).await
}

async fn all(desk: &Desk) -> Result<Vec<u64>, JournalError> {
    let note = desk.hall.journal().note(ALL_NOTE).await?;
    Ok(note.and_then(|note| serde_json::from_str(&note).ok()).unwrap_or_default())
}

async fn read(desk: &Desk, guild: u64) -> Result<Option<Set>, JournalError> {
    let note = desk.hall.journal().note(&key(guild)).await?;
    Ok(note.and_then(|note| serde_json::from_str(&note).ok()).flatten())
}

async fn keep(desk: &Desk, guild: u64, set: Option<Set>) -> Result<(), JournalError> {
    desk.hall.journal().keep_note(&key(guild), &written(&set)?).await
}

fn written(what: &impl Serialize) -> Result<String, JournalError> {
    serde_json::to_string(what).map_err(|error| JournalError::Medium(error.to_string()))
}

fn key(guild: u64) -> String {
    format!("tv-{guild}")
}
