//! People's days off and weekly rest periods at all their tables. They are applied when a person changes them, when a
//! game starts, and every quarter of an hour, so that a restart loses nothing.

use std::sync::atomic::Ordering;

use futures_util::TryStreamExt;
use jiff::SignedDuration;

use crate::clock::TimeOff;
use crate::model::{Actor, Event, Occupant, Order, TableError};
use crate::ports::{Batch, Card, Filter, Stage, StoreError, walk_pages};
use crate::{Table, TableId, UserId};
use rookery_tasks::heartbeat;

use super::TableRegistry;

/// How often time off is checked: windows begin and end at a quarter of an hour.
const CHECK_INTERVAL: SignedDuration = SignedDuration::from_mins(15);

impl TableRegistry {
    /// Applies a person's time off at all their running tables.
    ///
    /// # Errors
    /// If the journal cannot be read. The next check makes up for it.
    pub async fn apply_time_off(&self, who: UserId) -> Result<(), TableError> {
        let rest = self.time_off_of(who).await?;
        self.apply_everywhere(who, rest).await
    }

    async fn apply_everywhere(&self, who: UserId, rest: TimeOff) -> Result<(), TableError> {
        let (person, stage) = (Some(who), Some(Stage::Running));
        let filter = Filter { person, stage, ..Filter::default() };
        let mut cards = self.scan(&filter);
        while let Some(card) = cards.try_next().await? {
            heartbeat();
            self.apply_time_off_at(card.id, who, rest).await;
        }
        Ok(())
    }

    /// Checks the time off of all players, once a quarter of an hour; days off begin and end by this.
    pub(super) async fn apply_time_off_when_due(&self) {
        let now = self.now().as_second().div_euclid(CHECK_INTERVAL.as_secs());
        if self.last_time_off_check.swap(now, Ordering::Relaxed) == now {
            return;
        }
        if let Err(error) = self.apply_all_time_off().await {
            tracing::warn!(%error, "who has days off could not be looked up; trying again");
            self.last_time_off_check.store(i64::MIN, Ordering::Relaxed);
        }
    }

    /// Applies the time off of resting people at all their tables, and checks the tables with a stopped clock whose
    /// player may no longer rest. No other table is read.
    async fn apply_all_time_off(&self) -> Result<(), TableError> {
        let mut resting = walk_pages(|page| self.journal.preferences().resting(page));
        while let Some(who) = resting.try_next().await? {
            if let Some(rest) = self.known_time_off(who).await.filter(|rest| *rest != TimeOff::default()) {
                self.apply_everywhere(who, rest).await?;
            }
        }
        let stage = Some(Stage::Running);
        let filter = Filter { rests: true, stage, ..Filter::default() };
        let mut cards = self.scan(&filter);
        while let Some(card) = cards.try_next().await? {
            heartbeat();
            for who in people(&card) {
                if let Some(rest) = self.known_time_off(who).await {
                    self.apply_time_off_at(card.id, who, rest).await;
                }
            }
        }
        Ok(())
    }

    /// Applies the time off of people who have just joined.
    pub(super) fn apply_time_off_of_joiners(&self, table: &Table, batch: &Batch) {
        let sat = |event: &Event| {
            matches!(event, Event::Started { .. } | Event::Seated { occupant: Occupant::Human { .. }, .. })
        };
        let begun = table.clock().is_some() && batch.entries.iter().any(|entry| sat(&entry.event));
        let Some(registry) = self.me.upgrade().filter(|_| begun) else { return };
        let (id, card) = (table.id(), table.card());
        let work = async move {
            for who in people(&card) {
                if let Some(rest) =
                    registry.known_time_off(who).await.filter(|rest| *rest != TimeOff::default())
                {
                    registry.apply_time_off_at(id, who, rest).await;
                }
            }
        };
        drop(self.tasks.spawn("days off", work));
    }

    /// Returns a person's time off; `None` if it cannot be read: then nothing changes for them until the next check.
    async fn known_time_off(&self, who: UserId) -> Option<TimeOff> {
        let rest = self.time_off_of(who).await;
        let warn = |error: &StoreError| {
            // Unreadable preferences have been reported.
            if !error.is_unreadable() {
                tracing::warn!(%error, "somebody's days off cannot be looked up");
            }
        };
        rest.inspect_err(warn).ok()
    }

    /// Returns a person's time off, after applying a change of their weekly window if clocks may follow it.
    async fn time_off_of(&self, who: UserId) -> Result<TimeOff, StoreError> {
        let (preferences_cache, now) = (self.preferences_cache(), self.now());
        let mut personal = preferences_cache.read_person(who).await?;
        if personal.has_new_week(now) {
            match preferences_cache.change_person(who, |it| it.keep_week(now)).await {
                Ok(changed) => personal = changed,
                Err(error) => tracing::warn!(%error, "a change of somebody's week waits"),
            }
        }
        Ok(personal.rest(now))
    }

    async fn apply_time_off_at(&self, id: TableId, person: UserId, rest: TimeOff) {
        match self.order(id, Actor::System, Order::SetTimeOff { person, rest }, None).await {
            // The table has no clock, is frozen, has just ended, or is unreadable, which was reported.
            Ok(_) | Err(TableError::Refused(_) | TableError::Unreadable(_)) => {}
            Err(error) => tracing::warn!(table = %id, %error, "somebody's days off wait"),
        }
    }
}

/// Returns the people at a table, each once.
fn people(card: &Card) -> Vec<UserId> {
    let mut once = Vec::new();
    for who in card.people.iter().flatten() {
        if !once.contains(who) {
            once.push(*who);
        }
    }
    once
}
