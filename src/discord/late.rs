//! What waited: a turn, an offer or a challenge that came in quiet hours is told of when they end, and
//! whoever wants to hear once a day gets one direct message about everything.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::ops::stop::Stop;
use crate::table::Person;
use crate::table::ports::{Card, Filter, Stage};
use crate::table::preferences::Pings;

use super::desk::Desk;
use super::digest;
use super::layout::Layout;
use super::pings::nonce_for;

/// Windows and digests begin and end at a quarter of an hour.
const QUARTER_MS: i64 = 15 * 60_000;
/// How often the clock is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Tables looked through at most.
const TABLES_MOST: usize = 10_000;
/// Under which name it is kept up to when this was done.
const NOTE: &str = "pings";

/// What waits for somebody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// Tables where they are to move.
    pub turns: Vec<Card>,
    /// Tables where an offer or a challenge waits for their answer.
    pub answers: Vec<Card>,
}

/// Tells of what waited, until the program stops.
pub(super) async fn work(desk: Arc<Desk>, stop: Stop) {
    let mut looks = tokio::time::interval(LOOK_EVERY);
    let (mut done_ms, mut told_ms) = (None, None);
    loop {
        tokio::select! {
            _ = looks.tick() => {}
            () = stop.finishing() => return,
        }
        let quarter_ms = desk.hall.now_ms().div_euclid(QUARTER_MS) * QUARTER_MS;
        if done_ms == Some(quarter_ms) {
            continue;
        }
        match look(&desk, quarter_ms, &mut told_ms).await {
            Ok(()) => done_ms = Some(quarter_ms),
            Err(why) => tracing::warn!(why, "what waited cannot be told of; trying again"),
        }
    }
}

/// Tells of what became due since the last look, which may be long ago. `told_ms` is up to when this process has told
/// of it: that may be impossible to note for as long as the disk is full, and nobody is told again meanwhile.
async fn look(desk: &Desk, now_ms: i64, told_ms: &mut Option<i64>) -> Result<(), String> {
    let journal = desk.hall.journal();
    let note = journal.note(NOTE).await.map_err(|error| error.to_string())?;
    let since_ms = note.and_then(|text| text.parse().ok()).unwrap_or(now_ms);
    if since_ms < now_ms {
        let waiting = waiting(desk).await?;
        let untold_ms = told_ms.map_or(since_ms, |told_ms| told_ms.max(since_ms));
        if untold_ms < now_ms {
            for (who, waits) in &waiting {
                tell_late(desk, *who, waits, untold_ms, now_ms).await;
            }
            *told_ms = Some(now_ms);
        }
        digest::tell_all(desk, &waiting, (since_ms, now_ms)).await.map_err(|error| error.to_string())?;
    }
    journal.keep_note(NOTE, &now_ms.to_string()).await.map_err(|error| error.to_string())
}

/// Everybody for whom something waits.
async fn waiting(desk: &Desk) -> Result<BTreeMap<Person, Waiting>, String> {
    let mut waiting: BTreeMap<Person, Waiting> = BTreeMap::new();
    for stage in [Stage::Running, Stage::Waiting] {
        let filter = Filter { stage: Some(stage), most: TABLES_MOST, ..Filter::default() };
        for card in desk.hall.list(&filter).await.map_err(|error| error.to_string())? {
            let moves = stage == Stage::Running && !card.stands_still();
            let to_move = if moves { card.waited_for() } else { Vec::new() };
            for who in to_move {
                waiting.entry(who).or_default().turns.push(card.clone());
            }
            // Where we were taken out of the server an answer is not taken either.
            let asked = if card.frozen_ms.is_none() { &card.asked[..] } else { &[] };
            for who in asked {
                waiting.entry(*who).or_default().answers.push(card.clone());
            }
        }
    }
    Ok(waiting)
}

async fn tell_late(desk: &Desk, who: Person, waits: &Waiting, since_ms: i64, now_ms: i64) {
    let personal = desk.hall.drawer().person(who).await;
    if personal.is_quiet_at(now_ms) || !personal.is_quiet_at(since_ms) {
        return;
    }
    let missed = |card: &&Card| personal.is_quiet_at(card.at_ms);
    for card in waits.turns.iter().filter(missed) {
        tell_again(desk, who, card, personal.pings, true).await;
    }
    for card in waits.answers.iter().filter(missed) {
        tell_again(desk, who, card, personal.pings, false).await;
    }
}

/// Tells somebody of what they were not told: their turn, or else what waits for their answer.
async fn tell_again(desk: &Desk, who: Person, card: &Card, pings: Pings, turn: bool) {
    let Ok(table) = desk.hall.see(card.id).await else { return };
    let nonce = format!("{}{}{}", if turn { 'l' } else { 'a' }, card.id, card.ply);
    let told = match pings {
        Pings::Thread => {
            let channel = table.home().map_or(table.terms().channel, |home| home.channel);
            let desk = desk.for_table(&table).await;
            let layout = desk.layout();
            let post = if turn { layout.turn_still(card, who) } else { layout.answer_still(&table, who) };
            desk.post_in(channel, &post, &nonce_for(&nonce, who)).await.map(drop)
        }
        Pings::Dm => {
            let post = |layout: Layout<'_>| {
                Some(if turn { layout.turn_elsewhere(&table) } else { layout.answer_elsewhere(&table) })
            };
            desk.direct_today(who, &nonce, post).await.map(drop)
        }
        Pings::Digest | Pings::Off => Ok(()),
    };
    if let Err(fault) = told {
        tracing::info!(%fault, "somebody could not be told of what waits for them");
    }
}
