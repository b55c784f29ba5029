//! What follows on a finished game is opened once, however often that is asked for: the second game of a set, and
//! a game played again.

use std::sync::Arc;

use crate::pledge::Pledge;
use crate::words::{By, Denied, Event, Occupant, Order, Person, Refused, Terms};
use crate::{Table, TableId, sets, state};

use super::quota::Opening;
use super::{Hall, Loud, NAMES_TRIED, no_name};

/// A table that was asked for once more than it is opened.
pub struct Found {
    /// The table.
    pub table: Arc<Table>,
    /// Whether it was opened just now.
    pub is_new: bool,
}

impl Hall {
    /// Opens the second game of a set whose first game has a result, and tells the first of it. Where
    /// that is done already, or there is none to follow, nothing happens.
    ///
    /// # Errors
    /// If the journal fails; trying again is right.
    pub async fn open_second(&self, first: TableId) -> Result<(), Denied> {
        let first = self.see(first).await?;
        if first.rematch().is_some() || !first.has_second() {
            return Ok(());
        }
        let second = match self.second_of(&first).await {
            Ok(second) => second.table.id(),
            // What was fit for the first game is fit for the second; were it not, the result must not wait.
            Err(Denied::Refused(refused)) => {
                tracing::error!(first = %first.id(), %refused, "the second game of a set cannot begin");
                return Ok(());
            }
            Err(denied) => return Err(denied),
        };
        self.tell_of_next(&first, second).await
    }

    /// The second game's table: the one that is there, should a crash have come between opening it and
    /// telling the first.
    async fn second_of(&self, first: &Table) -> Result<Found, Denied> {
        let (terms, chairs) = sets::second(first).ok_or(Denied::Fault)?;
        let (terms, host) = (self.sealed(terms), first.host());
        let name = |attempt| sets::second_name(first, attempt);
        let is_it = |table: &Table| table.terms().set == terms.set;
        let make = |id| state::open(id, terms.clone(), host, chairs.clone());
        self.found_once(name, is_it, make, None).await
    }

    /// Opens a finished game again and tells its table of it. Who asks while another does, or after a crash
    /// that came between the two, finds the table that was opened first. `source` is the interaction that asked.
    ///
    /// # Errors
    /// If the terms do not fit the game, it would be more than a fair share, somebody does not want to be
    /// asked, or the journal fails.
    pub async fn open_again(
        &self,
        of: &Table,
        terms: Terms,
        host: Person,
        chairs: Vec<Occupant>,
        source: Option<u64>,
    ) -> Result<Found, Denied> {
        let opening = Opening::again(&terms, host, &chairs);
        let share = self.may_open(opening).await?;
        let terms = self.sealed(Terms { again: Some(of.id()), ..terms });
        let name = |attempt| sets::again_name(of, attempt);
        let is_it = |table: &Table| table.terms().again == terms.again;
        let make = |id| state::open(id, terms.clone(), host, chairs.clone());
        let found = self.found_once(name, is_it, make, source).await?;
        if found.is_new {
            share.opened(self).await;
        }
        // That the old table does not know of the new one takes nothing from the new one.
        if let Err(denied) = self.tell_of_next(of, found.table.id()).await {
            tracing::warn!(table = %of.id(), %denied, "a finished table does not know that it is played again");
        }
        Ok(found)
    }

    /// Tells a finished table of the one that follows on it, unless it has been told meanwhile.
    async fn tell_of_next(&self, of: &Table, next: TableId) -> Result<(), Denied> {
        let order = Order::Rematch { table: next, instead_of: of.rematch() };
        match self.order(of.id(), By::House, order, None).await {
            Ok(_) | Err(Denied::Refused(_)) => Ok(()),
            Err(denied) => Err(denied),
        }
    }

    /// Terms with their chance settled.
    pub(super) fn sealed(&self, terms: Terms) -> Terms {
        let pledge = Pledge::seal(terms.pledge.as_deref(), terms.seed, &mut self.chance());
        Terms { pledge: Some(Box::new(pledge)), ..terms }
    }

    /// Opens a table under the first of some names that is not another's, unless the one that is meant has it.
    async fn found_once(
        &self,
        name: impl Fn(usize) -> TableId,
        is_it: impl Fn(&Table) -> bool,
        make: impl Fn(TableId) -> Result<Vec<Event>, Refused>,
        source: Option<u64>,
    ) -> Result<Found, Denied> {
        for id in (0..NAMES_TRIED).map(name) {
            // Whoever else asks may open it between the look and the writing: a second look finds it.
            for _ in 0..2 {
                match self.see(id).await {
                    Ok(table) if is_it(&table) => return Ok(Found { table, is_new: false }),
                    Ok(_) => break,
                    Err(Denied::NoTable(_)) => {}
                    Err(denied) => return Err(denied),
                }
                if let Some(seen) = self.found_as(id, make(id)?, Loud::Yes, source).await? {
                    return Ok(Found { table: seen.table, is_new: true });
                }
            }
        }
        Err(no_name())
    }
}
