//! What the operators have ordered for the whole bot: it opens no new games, or all games stand still.
//!
//! It is one note of the journal. Each process reads it at its start; those that share a store read it again every few
//! seconds. The moments of past pauses stay in the note, because a table records the time that it gives back only with
//! its next entry.

use std::sync::{MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::TableRegistry;
use crate::clock::TimeSpan;
use crate::model::millis;
use crate::model::{Actor, OrderError, TableError};
use crate::ports::StoreError;

/// The key of the note.
const NOTE: &str = "maintenance";
/// The most past pauses that are kept.
const MAX_PAUSES: usize = 200;

/// What the operators have ordered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Maintenance {
    /// Whether no new games are opened.
    is_draining: bool,
    /// Since when all games stand still.
    #[serde(rename = "paused_since_ms", with = "millis::optional_moment")]
    paused_since: Option<Timestamp>,
    /// When all games stood still before.
    pauses: Vec<TimeSpan>,
}

impl TableRegistry {
    /// Whether no new games are opened.
    pub fn is_draining(&self) -> bool {
        self.maintenance().is_draining
    }

    /// Returns since when all games stand still; `None` if they don't.
    pub fn paused_since(&self) -> Option<Timestamp> {
        self.maintenance().paused_since
    }

    /// Stops the opening of new games in all processes, or allows it again if it was stopped. Games that are open go
    /// on. Returns whether it is stopped now.
    ///
    /// # Errors
    /// If the journal fails; nothing has changed then.
    pub async fn toggle_drain(&self) -> Result<bool, StoreError> {
        let _alone = self.maintenance_changes.lock().await;
        let mut ordered = self.read_maintenance().await?;
        ordered.is_draining = !ordered.is_draining;
        self.store_maintenance(ordered).await?;
        Ok(self.is_draining())
    }

    /// Lets all games in all processes stand still, or go on if they stood still: the time between is given back to
    /// everybody. Returns how long they stood still; `None` if they do now.
    ///
    /// # Errors
    /// If the journal fails; nothing has changed then.
    pub async fn toggle_pause(&self) -> Result<Option<SignedDuration>, StoreError> {
        let _alone = self.maintenance_changes.lock().await;
        let mut ordered = self.read_maintenance().await?;
        let now = self.now();
        let Some(from) = ordered.paused_since.take() else {
            ordered.paused_since = Some(now);
            self.store_maintenance(ordered).await?;
            return Ok(None);
        };
        // A clock that was set back must not make the pause end before it began.
        let pause = TimeSpan { from, until: now.max(from) };
        ordered.pauses.push(pause);
        ordered.pauses.drain(..ordered.pauses.len().saturating_sub(MAX_PAUSES));
        self.store_maintenance(ordered).await?;
        self.give_pause_back();
        Ok(Some(pause.until.duration_since(pause.from)))
    }

    /// Reads what an operator has ordered through another process.
    ///
    /// # Errors
    /// If the journal cannot be read; what was known before still counts then.
    pub async fn refresh_maintenance(&self) -> Result<(), StoreError> {
        let _alone = self.maintenance_changes.lock().await;
        let ordered = self.read_maintenance().await?;
        self.obey(ordered);
        Ok(())
    }

    /// Refuses an order while all games stand still. Time itself, and what keeps people's data safe, goes on.
    pub(super) fn check_pause(&self, by: Actor) -> Result<(), TableError> {
        match by {
            Actor::Person(_) | Actor::Ai if self.paused_since().is_some() => {
                Err(TableError::Refused(OrderError::Maintenance))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a new game while none may be opened.
    pub(super) fn check_drain(&self) -> Result<(), TableError> {
        let ordered = self.maintenance();
        match (ordered.paused_since, ordered.is_draining) {
            (Some(_), _) => Err(TableError::Refused(OrderError::Maintenance)),
            (None, true) => Err(TableError::Refused(OrderError::Draining)),
            (None, false) => Ok(()),
        }
    }

    /// Lets every running game record at once that it got its time back, so that the deadlines shown there are right.
    /// A game that is missed here records it with its next entry.
    fn give_pause_back(&self) {
        let Some(registry) = self.me.upgrade() else { return };
        drop(self.tasks.spawn("end of a pause", async move { registry.tick_timed_tables().await }));
    }

    async fn read_maintenance(&self) -> Result<Maintenance, StoreError> {
        let Some(text) = self.journal.note(NOTE).await? else { return Ok(Maintenance::default()) };
        Ok(serde_json::from_str(&text).unwrap_or_else(|error| {
            // A damaged note must not keep the bot from starting; the next order replaces it.
            tracing::error!(%error, "what the operators have ordered is forgotten: its note cannot be read");
            Maintenance::default()
        }))
    }

    async fn store_maintenance(&self, ordered: Maintenance) -> Result<(), StoreError> {
        let text = serde_json::to_string(&ordered).expect("numbers always become JSON");
        self.journal.store_note(NOTE, &text).await?;
        self.obey(ordered);
        Ok(())
    }

    fn obey(&self, ordered: Maintenance) {
        self.timers.set_pauses(ordered.paused_since, ordered.pauses.clone());
        *self.maintenance() = ordered;
    }

    fn maintenance(&self) -> MutexGuard<'_, Maintenance> {
        self.maintenance.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
