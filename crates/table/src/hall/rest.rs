//! People's days off and free time, at all their tables: told when somebody changes them, when a game
//! begins, and every quarter of an hour, so that nothing is lost with the process.

use std::sync::atomic::Ordering;

use crate::clock::{MINUTE_MS, Rest};
use crate::ports::{Batch, Card, Filter, JournalError, Stage};
use crate::words::{By, Denied, Event, Occupant, Order};
use crate::{Person, Table, TableId};
use rookery_tasks::beat;

use super::Hall;

/// How often everybody's days are looked at: windows begin and end at a quarter of an hour.
const LOOK_EVERY_MS: i64 = 15 * MINUTE_MS;

impl Hall {
    /// Somebody's clocks stand from now on as they chose, at all their running tables.
    ///
    /// # Errors
    /// If the journal cannot be read. The next look makes up for it.
    pub async fn rest(&self, who: Person) -> Result<(), Denied> {
        let rest = self.rest_of(who).await?;
        self.rest_everywhere(who, rest).await
    }

    async fn rest_everywhere(&self, who: Person, rest: Rest) -> Result<(), Denied> {
        let (person, stage) = (Some(who), Some(Stage::Running));
        let filter = Filter { person, stage, most: usize::MAX >> 1, ..Filter::default() };
        for card in self.list(&filter).await? {
            beat();
            self.rest_at(card.id, who, rest).await;
        }
        Ok(())
    }

    /// Looks at everybody who plays, once a quarter of an hour; days off begin and end by this.
    pub(super) async fn rest_when_due(&self) {
        let now = self.now_ms().div_euclid(LOOK_EVERY_MS);
        if self.rested.swap(now, Ordering::Relaxed) == now {
            return;
        }
        if let Err(error) = self.rest_all().await {
            tracing::warn!(%error, "who has days off could not be looked up; trying again");
            self.rested.store(i64::MIN, Ordering::Relaxed);
        }
    }

    /// Whoever rests does so at all their tables; at tables where somebody's time may stand it is looked at
    /// whether they still rest. All others have nothing to do with it, and are not read.
    async fn rest_all(&self) -> Result<(), Denied> {
        for who in self.journal.preferences().resting().await? {
            if let Some(rest) = self.known_rest(who).await.filter(|rest| *rest != Rest::default()) {
                self.rest_everywhere(who, rest).await?;
            }
        }
        let stage = Some(Stage::Running);
        let filter = Filter { rests: true, stage, most: usize::MAX >> 1, ..Filter::default() };
        for card in self.list(&filter).await? {
            beat();
            for who in people(&card) {
                if let Some(rest) = self.known_rest(who).await {
                    self.rest_at(card.id, who, rest).await;
                }
            }
        }
        Ok(())
    }

    /// Whoever sits down brings along when they rest.
    pub(super) fn rest_who_sat_down(&self, table: &Table, batch: &Batch) {
        let sat = |event: &Event| {
            matches!(event, Event::Started { .. } | Event::Seated { occupant: Occupant::Human { .. }, .. })
        };
        let begun = table.clock().is_some() && batch.entries.iter().any(|entry| sat(&entry.event));
        let Some(hall) = self.me.upgrade().filter(|_| begun) else { return };
        let (id, card) = (table.id(), table.card());
        let work = async move {
            for who in people(&card) {
                if let Some(rest) = hall.known_rest(who).await.filter(|rest| *rest != Rest::default()) {
                    hall.rest_at(id, who, rest).await;
                }
            }
        };
        drop(self.tasks.spawn("days off", work));
    }

    /// When somebody rests; `None` if that cannot be read: then nothing changes for them until the next look.
    async fn known_rest(&self, who: Person) -> Option<Rest> {
        let rest = self.rest_of(who).await;
        let warn = |error: &JournalError| {
            // What this version cannot read was reported.
            if !error.is_unreadable() {
                tracing::warn!(%error, "somebody's days off cannot be looked up");
            }
        };
        rest.inspect_err(warn).ok()
    }

    /// When somebody rests; a change of their week that clocks may follow by now is followed.
    async fn rest_of(&self, who: Person) -> Result<Rest, JournalError> {
        let (drawer, now_ms) = (self.drawer(), self.now_ms());
        let mut personal = drawer.read_person(who).await?;
        if personal.has_new_week(now_ms) {
            match drawer.change_person(who, |it| it.keep_week(now_ms)).await {
                Ok(changed) => personal = changed,
                Err(error) => tracing::warn!(%error, "a change of somebody's week waits"),
            }
        }
        Ok(personal.rest(now_ms))
    }

    async fn rest_at(&self, id: TableId, person: Person, rest: Rest) {
        match self.order(id, By::House, Order::Rest { person, rest }, None).await {
            // A table without a clock, one that stands still without us, or one that ended this moment.
            // Or one that cannot be read, which was reported.
            Ok(_) | Err(Denied::Refused(_) | Denied::Unreadable(_)) => {}
            Err(error) => tracing::warn!(table = %id, %error, "somebody's days off wait"),
        }
    }
}

/// The people at a table, each once.
fn people(card: &Card) -> Vec<Person> {
    let mut once = Vec::new();
    for who in card.people.iter().flatten() {
        if !once.contains(who) {
            once.push(*who);
        }
    }
    once
}
