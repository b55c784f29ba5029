//! Opening of new tables under a fresh name.

use std::time::Instant;

use rookery_core::{Play, Seat};
use rookery_tasks::{OrderPart, Panicked};

use crate::actor;
use crate::model::{Event, OrderError, TableError, Terms, UserId};
use crate::ports::StoreError;
use crate::requests::OrderOutcome;
use crate::{SourceId, Table, TableId, decide};

use super::{Announce, MAX_NAME_ATTEMPTS, TableRegistry, no_free_name};

impl TableRegistry {
    /// Stores a game that was played elsewhere as a finished table without messages, for its host to view. `winners`
    /// are those of its record.
    ///
    /// # Errors
    /// If the journal fails; nothing is stored then.
    pub async fn import(
        &self,
        terms: Terms,
        host: UserId,
        play: &dyn Play,
        winners: Vec<Seat>,
    ) -> Result<OrderOutcome, TableError> {
        let play = play.clone_play();
        let study = move || decide::study(terms, host, play.as_ref(), &winners);
        let events = self.tasks.compute("import", study).await.map_err(|Panicked| TableError::Internal)?;
        self.open_new(None, |_| Ok((events.clone(), Announce::No))).await
    }

    /// Opens a table under a fresh name with the events made for it. A taken name shows as a conflict; then another,
    /// eventually longer one is drawn.
    pub(super) async fn open_new(
        &self,
        source: Option<SourceId>,
        make: impl Fn(TableId) -> Result<(Vec<Event>, Announce), OrderError>,
    ) -> Result<OrderOutcome, TableError> {
        for attempt in 0..MAX_NAME_ATTEMPTS {
            let id = TableId::draw(&mut self.rng(), 4 + attempt / 8);
            let (events, announce) = make(id)?;
            if let Some(seen) = self.open_as(id, events, announce, source).await? {
                return Ok(seen);
            }
        }
        Err(no_free_name())
    }

    /// Opens a table under a name; `None` if the name is taken.
    pub(super) async fn open_as(
        &self,
        id: TableId,
        events: Vec<Event>,
        announce: Announce,
        source: Option<SourceId>,
    ) -> Result<Option<OrderOutcome>, TableError> {
        let entries = actor::number(events, 0, self.now(), source);
        // An imported game is replayed.
        let made = move || {
            let table = Table::replay(id, &entries).ok()??;
            let batch = actor::batch(None, &table, entries);
            Some((table, batch))
        };
        let begun = Instant::now();
        let made = self.tasks.compute("table replay", made).await;
        self.tasks.timings().order_part(OrderPart::Decide, begun.elapsed());
        let made = made.map_err(|Panicked| TableError::Internal)?;
        let (table, mut batch) = made.ok_or(TableError::Internal)?;
        if announce == Announce::No {
            batch.outbox_items.clear();
        }
        match self.append(&batch).await {
            Err(StoreError::Conflict(_)) => Ok(None),
            Err(error) => Err(self.failed_at(id, &error)),
            Ok(()) => Ok(Some(self.opened(table, batch))),
        }
    }
}
