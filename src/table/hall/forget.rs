//! The hall forgets a person: their games first, then every table that names them, then the rest.

use std::collections::BTreeSet;

use crate::table::TableId;
use crate::table::clock::DAY_MS;
use crate::table::host::Letter;
use crate::table::ports::Filter;
use crate::table::words::{By, Denied, Order, Parting, Person};

use super::Hall;
use crate::tasks::beat;

/// For how long a game that was brought along to be looked at is kept.
const IMPORT_MS: i64 = 30 * DAY_MS;

impl Hall {
    /// Deletes the games that were brought along to be looked at thirty days ago. Returns how many.
    ///
    /// # Errors
    /// If the journal fails; trying again is right.
    pub async fn let_imports_go(&self) -> Result<usize, Denied> {
        let since_ms = self.now_ms() - IMPORT_MS;
        let filter = Filter { imported: true, most: usize::MAX >> 1, ..Filter::default() };
        let mut gone = 0;
        for card in self.list(&filter).await?.into_iter().filter(|card| card.at_ms <= since_ms) {
            beat();
            // Whoever brought it holds all of it, so that nothing is left without them.
            let Some(who) = card.host else { continue };
            match self.write(card.id, |reply| Letter::Forget { who, reply }).await {
                Ok(_) => gone += 1,
                Err(Denied::NoTable(_) | Denied::Fault) => {}
                Err(denied) => return Err(denied),
            }
        }
        Ok(gone)
    }

    /// Takes a person out of all that is kept. Their running games are given up, or handed to the program where
    /// that is wished and allowed; games in which nobody else had a part are deleted whole; in all others a
    /// stand-in is left. What they chose, what they watch and their ratings go.
    ///
    /// # Errors
    /// If the journal fails: some of it is done then, and trying again does the rest.
    pub async fn forget_person(&self, who: Person, parting: Parting) -> Result<(), Denied> {
        let mut left = BTreeSet::new();
        // Leaving a table may open another: the second game of a set.
        loop {
            let named = self.journal().privacy().tables_naming(who).await?;
            let fresh: Vec<TableId> = named.into_iter().filter(|id| left.insert(*id)).collect();
            if fresh.is_empty() {
                break;
            }
            for id in fresh {
                self.part(id, who, parting).await?;
            }
        }
        for id in left {
            match self.write(id, |reply| Letter::Forget { who, reply }).await {
                Ok(_) | Err(Denied::NoTable(_)) => {}
                Err(Denied::Fault) => tracing::warn!(table = %id, "a name was taken out of a broken record"),
                Err(denied) => return Err(denied),
            }
        }
        let rest = self.journal().privacy().take_out_rest(who).await;
        self.share_changed();
        rest?;
        self.moderation().forget(who);
        self.forget_shares(who);
        Ok(self.drawer().forget_person(who).await?)
    }

    /// Nobody thinks or waits for a table that is not what it was.
    pub(in crate::table) fn let_go_of(&self, id: TableId) {
        self.thinker.drop_table(id);
        self.rated_games.remove(id);
        self.watch.set(id, None);
        self.share_changed();
    }

    /// Leaves every seat of a table, and lets come of it what follows while the names are there: ratings, and
    /// the second game of a set.
    async fn part(&self, id: TableId, who: Person, parting: Parting) -> Result<(), Denied> {
        loop {
            match self.order(id, By::House, Order::Part { person: who, parting }, None).await {
                Ok(seen) if !seen.events.is_empty() => {}
                Ok(_) | Err(Denied::Refused(_) | Denied::Fault | Denied::NoTable(_)) => break,
                Err(denied) => return Err(denied),
            }
        }
        for done in [self.rate(id).await, self.open_second(id).await] {
            match done {
                Ok(()) | Err(Denied::Fault | Denied::NoTable(_)) => {}
                Err(denied) => return Err(denied),
            }
        }
        Ok(())
    }
}
