//! New tables: opened under a fresh name with the events that they begin with.

use rookery_core::{Play, Seat};
use rookery_tasks::Panicked;

use crate::host::{self, Seen};
use crate::ports::JournalError;
use crate::words::{Denied, Event, Person, Refused, Terms};
use crate::{Table, TableId, state};

use super::{Hall, Loud, NAMES_TRIED, no_name};

impl Hall {
    /// Keeps a game that was played elsewhere, as a table that is over and of which nothing is said:
    /// whoever brought it can look at it like at any other. `winners` as its record tells them.
    ///
    /// # Errors
    /// If the journal fails; nothing was kept then.
    pub async fn keep(
        &self,
        terms: Terms,
        host: Person,
        play: &dyn Play,
        winners: Vec<Seat>,
    ) -> Result<Seen, Denied> {
        let play = play.clone_play();
        let study = move || state::study(terms, host, play.as_ref(), &winners);
        let events = self.tasks.compute("import", study).await.map_err(|Panicked| Denied::Fault)?;
        self.found(None, |_| Ok((events.clone(), Loud::No))).await
    }

    /// Opens a table under a fresh name with the events that are made for it. A name that is taken
    /// already shows as a conflict: then another is drawn, a longer one in the end.
    pub(super) async fn found(
        &self,
        source: Option<u64>,
        make: impl Fn(TableId) -> Result<(Vec<Event>, Loud), Refused>,
    ) -> Result<Seen, Denied> {
        for attempt in 0..NAMES_TRIED {
            let id = TableId::draw(&mut self.chance(), 4 + attempt / 8);
            let (events, loud) = make(id)?;
            if let Some(seen) = self.found_as(id, events, loud, source).await? {
                return Ok(seen);
            }
        }
        Err(no_name())
    }

    /// Opens a table under a name; `None` if that is taken.
    pub(super) async fn found_as(
        &self,
        id: TableId,
        events: Vec<Event>,
        loud: Loud,
        source: Option<u64>,
    ) -> Result<Option<Seen>, Denied> {
        let entries = host::number(events, 0, self.now_ms(), source);
        // Of a game that was played elsewhere every move is played again.
        let made = move || {
            let table = Table::replay(id, &entries).ok()??;
            let batch = host::batch(None, &table, entries);
            Some((table, batch))
        };
        let made = self.tasks.compute("table replay", made).await.map_err(|Panicked| Denied::Fault)?;
        let (table, mut batch) = made.ok_or(Denied::Fault)?;
        if loud == Loud::No {
            batch.says.clear();
        }
        match self.journal.append(&batch).await {
            Err(JournalError::Conflict(_)) => Ok(None),
            Err(error) => Err(self.failed_at(id, &error)),
            Ok(()) => Ok(Some(self.opened(table, batch))),
        }
    }
}
