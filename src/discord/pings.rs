//! Who hears of a turn, and how: the mover alone, once a turn, as they like it, and not while they rest.
//!
//! A turn that came in quiet hours is told of when they end; who wants to hear once a day gets one
//! direct message about all games.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::kit::Seat;
use crate::ops::stop::Stop;
use crate::table::calendar::DAY_MIN;
use crate::table::ports::{Card, Filter, Stage};
use crate::table::preferences::{Personal, Pings};
use crate::table::{Person, Table};

use super::desk::Desk;
use super::fault::Fault;
use super::layout::Layout;
use super::post::Post;

/// Who acted at a table so lately is still looking at it.
const LATELY_MS: i64 = 60_000;
/// Direct messages about turns that one person gets in a day; boards ping them after that.
const DIRECT_MOST: u32 = 20;
/// Milliseconds of a day.
const DAY_MS: i64 = DAY_MIN as i64 * 60_000;
/// Windows and digests begin and end at a quarter of an hour.
const QUARTER_MS: i64 = 15 * 60_000;
/// When the message of the day comes, in minutes of the person's own day.
const DIGEST_AT_MIN: u16 = 9 * 60;
/// How often the clock is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Tables looked through at most.
const TABLES_MOST: usize = 10_000;
/// Under which name it is kept up to when this was done.
const NOTE: &str = "pings";

/// How many direct messages about turns people got today.
#[derive(Clone, Default)]
pub struct Budget(Arc<Mutex<HashMap<Person, (i64, u32)>>>);

impl Budget {
    /// Whether one more is left for a person today; it counts as spent then.
    fn take(&self, who: Person, now_ms: i64) -> bool {
        let today = now_ms.div_euclid(DAY_MS);
        let mut spent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spent.retain(|_, (day, _)| *day == today);
        let (_, count) = spent.entry(who).or_insert((today, 0));
        *count += 1;
        *count <= DIRECT_MOST
    }
}

impl Desk {
    /// A board with its ping as the mover likes it: on it, by a direct message in its place, or not now.
    pub(super) async fn with_ping(&self, table: &Table, mut board: Post) -> Post {
        for who in std::mem::take(&mut board.pings) {
            let (personal, now_ms) = (self.hall.drawer().person(who).await, self.hall.now_ms());
            let rests = table.acted_ms(who).is_some_and(|acted_ms| now_ms - acted_ms < LATELY_MS)
                || personal.is_quiet_at(now_ms);
            let pinged = match personal.pings {
                _ if rests => false,
                Pings::Thread => true,
                Pings::Dm => !(self.budget.take(who, now_ms) && self.tell(who, table).await),
                Pings::Digest | Pings::Off => false,
            };
            board.pings.extend(pinged.then_some(who));
        }
        // A role is called as one: not while any of them has just been here.
        if table.to_move().is_some_and(|seat| self.was_here_lately(table, seat)) {
            board.roles.clear();
        }
        board
    }

    fn was_here_lately(&self, table: &Table, seat: Seat) -> bool {
        let now_ms = self.hall.now_ms();
        let lately = |who: Person| table.acted_ms(who).is_some_and(|acted_ms| now_ms - acted_ms < LATELY_MS);
        table.players_of(seat).into_iter().any(lately)
    }

    /// Tells somebody in a direct message that it is their turn; whether that reached them.
    async fn tell(&self, who: Person, table: &Table) -> bool {
        let card = table.card();
        let post = |layout: Layout<'_>| layout.turn_elsewhere(&card);
        let told = self.direct(who, post, &format!("t{}{}", table.id(), table.ply())).await;
        told.inspect_err(|fault| tracing::info!(%fault, "no direct message; the board pings")).is_ok()
    }

    async fn direct(
        &self,
        who: Person,
        post: impl FnOnce(Layout<'_>) -> Post,
        nonce: &str,
    ) -> Result<(), Fault> {
        let channel = self.api.dm(who.0).await?;
        let desk = self.for_writer(who, None, channel).await;
        self.api.post(channel, &post(desk.layout()), Some(nonce)).await.map(drop)
    }
}

/// Tells of turns that waited, until the program stops.
pub async fn work(desk: Arc<Desk>, stop: Stop) {
    let mut looks = tokio::time::interval(LOOK_EVERY);
    let mut done_ms = None;
    loop {
        tokio::select! {
            _ = looks.tick() => {}
            () = stop.finishing() => return,
        }
        let quarter_ms = desk.hall.now_ms().div_euclid(QUARTER_MS) * QUARTER_MS;
        if done_ms == Some(quarter_ms) {
            continue;
        }
        match look(&desk, quarter_ms).await {
            Ok(()) => done_ms = Some(quarter_ms),
            Err(why) => tracing::warn!(why, "turns that waited cannot be told of; trying again"),
        }
    }
}

/// Tells of what became due since the last look, which may be long ago.
async fn look(desk: &Desk, now_ms: i64) -> Result<(), String> {
    let journal = desk.hall.journal();
    let note = journal.note(NOTE).await.map_err(|error| error.to_string())?;
    let since_ms = note.and_then(|text| text.parse().ok()).unwrap_or(now_ms);
    if since_ms < now_ms {
        let filter = Filter { stage: Some(Stage::Running), most: TABLES_MOST, ..Filter::default() };
        let cards = desk.hall.list(&filter).await.map_err(|error| error.to_string())?;
        let mut waiting: BTreeMap<Person, Vec<Card>> = BTreeMap::new();
        for card in cards {
            for who in card.waited_for() {
                waiting.entry(who).or_default().push(card.clone());
            }
        }
        for (who, cards) in waiting {
            tell_late(desk, who, &cards, since_ms, now_ms).await;
        }
    }
    journal.keep_note(NOTE, &now_ms.to_string()).await.map_err(|error| error.to_string())
}

async fn tell_late(desk: &Desk, who: Person, cards: &[Card], since_ms: i64, now_ms: i64) {
    let personal = desk.hall.drawer().person(who).await;
    if personal.pings == Pings::Digest && has_digest(&personal, since_ms, now_ms) {
        let nonce = format!("d{}", now_ms / QUARTER_MS);
        noted(desk.direct(who, |layout| layout.turns_of_the_day(cards), &nonce).await);
    }
    if personal.is_quiet_at(now_ms) || !personal.is_quiet_at(since_ms) {
        return;
    }
    for card in cards.iter().filter(|card| personal.is_quiet_at(card.at_ms)) {
        let nonce = format!("l{}{}", card.id, card.ply);
        match (personal.pings, card.home) {
            (Pings::Thread, Some(home)) => {
                let Ok(table) = desk.hall.see(card.id).await else { continue };
                let post = desk.for_table(&table).await.layout().turn_still(card, who);
                noted(desk.api.post(home.channel, &post, Some(&nonce)).await.map(drop));
            }
            (Pings::Dm, _) if desk.budget.take(who, now_ms) => {
                noted(desk.direct(who, |layout| layout.turn_elsewhere(card), &nonce).await);
            }
            _ => {}
        }
    }
}

/// Whether the hour of the daily message has come between two moments.
fn has_digest(personal: &Personal, since_ms: i64, now_ms: i64) -> bool {
    // After a long time away one message is enough: a day is looked back at most.
    let first = since_ms.max(now_ms - DAY_MS) / QUARTER_MS + 1;
    (first..=now_ms / QUARTER_MS)
        .any(|quarter| personal.zone.local(quarter * QUARTER_MS).minute == DIGEST_AT_MIN)
}

fn noted(told: Result<(), Fault>) {
    if let Err(fault) = told {
        tracing::info!(%fault, "somebody could not be told of their turn");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::calendar::Zone;

    #[test]
    fn the_budget_of_a_day_is_spent_and_comes_again() {
        let budget = Budget::default();
        let today = (0..DIRECT_MOST + 5).filter(|_| budget.take(Person(1), 0)).count();
        assert_eq!(today, DIRECT_MOST as usize);
        assert!(budget.take(Person(2), 0), "everybody has their own");
        assert!(budget.take(Person(1), DAY_MS), "tomorrow there is more");
    }

    #[test]
    fn the_daily_message_comes_once_at_nine_where_the_person_lives() {
        let zone = Zone::named("Asia/Kolkata").unwrap();
        let personal = Personal { zone, ..Personal::default() };
        // 9:00 in Kolkata is 3:30 UTC, the fourteenth quarter of the day.
        let due = |from: i64, to: i64| has_digest(&personal, from * QUARTER_MS, to * QUARTER_MS);
        assert!(due(13, 14) && !due(14, 15) && !due(12, 13));
        let times = (1_000..1_000 + 7 * 96).filter(|quarter| due(*quarter, quarter + 1)).count();
        assert_eq!(times, 7);
        assert!(due(0, 5_000), "after a long time away");
    }
}
