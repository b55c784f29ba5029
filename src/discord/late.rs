//! What waited: a turn, an offer or a challenge that came in quiet hours is told of when they end, and
//! whoever wants to hear once a day gets one direct message about everything.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::ops::stop::Stop;
use rookery_table::ports::{Card, Filter, Stage};
use rookery_table::preferences::Pings;
use rookery_table::{Person, Table};
use rookery_tasks::{Task, beat};

use super::desk::Desk;
use super::digest;
use super::fault::Fault;
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

/// What its supervisor knows of it.
pub(super) const TASK: Task = Task { name: "late pings", interval: Some(LOOK_EVERY) };

/// Tells of what waited, until the program stops.
pub(super) async fn work(desk: Arc<Desk>, stop: Stop) {
    let mut looks = tokio::time::interval(LOOK_EVERY);
    let (mut done_ms, mut told_ms) = (None, None);
    loop {
        beat();
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
                beat();
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

/// What somebody was not told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occasion {
    /// Their turn.
    Turn,
    /// What waits for their answer.
    Answer,
    /// That their game is over.
    Result,
}

impl Occasion {
    /// The letter that its nonces begin with.
    fn mark(self) -> char {
        match self {
            Occasion::Turn => 'l',
            Occasion::Answer => 'a',
            Occasion::Result => 'r',
        }
    }
}

async fn tell_late(desk: &Desk, who: Person, waits: &Waiting, since_ms: i64, now_ms: i64) {
    let personal = desk.hall.drawer().person(who).await;
    if personal.is_quiet_at(now_ms) || !personal.is_quiet_at(since_ms) {
        return;
    }
    let missed = |card: &&Card| personal.is_quiet_at(card.at_ms);
    for card in waits.turns.iter().filter(missed) {
        tell_or_warn(desk, who, card, personal.pings, Occasion::Turn).await;
    }
    for card in waits.answers.iter().filter(missed) {
        tell_or_warn(desk, who, card, personal.pings, Occasion::Answer).await;
    }
}

async fn tell_or_warn(desk: &Desk, who: Person, card: &Card, pings: Pings, occasion: Occasion) {
    if let Err(fault) = tell_again(desk, who, card, pings, occasion).await {
        tracing::info!(%fault, "somebody could not be told of what waits for them");
    }
}

/// Tells somebody of what they were not told when it came, as they like it.
///
/// # Errors
/// If Discord does not take it.
pub(super) async fn tell_again(
    desk: &Desk,
    who: Person,
    card: &Card,
    pings: Pings,
    occasion: Occasion,
) -> Result<(), Fault> {
    let Ok(table) = desk.hall.see(card.id).await else { return Ok(()) };
    // A turn that was taken back and comes again is another one.
    let nonce = format!("{}{}-{}", occasion.mark(), card.id, table.turn_since());
    match pings {
        Pings::Thread => {
            let desk = desk.for_table(&table).await;
            let layout = desk.layout();
            let post = match occasion {
                Occasion::Turn => layout.turn_still(card, who),
                Occasion::Answer => layout.answer_still(&table, who),
                Occasion::Result => layout.result_still(card, who),
            };
            desk.post_in(channel_of(&table), &post, &nonce_for(&nonce, who)).await.map(drop)
        }
        Pings::Dm => {
            let post = |layout: Layout<'_>| match occasion {
                Occasion::Turn => Some(layout.turn_elsewhere(&table)),
                Occasion::Answer => Some(layout.answer_elsewhere(&table)),
                Occasion::Result => layout.result(&table).map(|post| layout.told_elsewhere(post, &table)),
            };
            desk.direct_today(who, &nonce, post).await.map(drop)
        }
        Pings::Digest | Pings::Off => Ok(()),
    }
}

/// Tells a team, by its role, that it is their turn.
///
/// # Errors
/// If Discord does not take it.
pub(super) async fn tell_team(desk: &Desk, table: &Table, role: u64) -> Result<(), Fault> {
    let post = desk.for_table(table).await.layout().turn_still_of_team(table.id(), role);
    let nonce = format!("{}{}-{}", Occasion::Turn.mark(), table.id(), table.turn_since());
    desk.post_in(channel_of(table), &post, &nonce).await.map(drop)
}

fn channel_of(table: &Table) -> u64 {
    table.home().map_or(table.terms().channel, |home| home.channel)
}
