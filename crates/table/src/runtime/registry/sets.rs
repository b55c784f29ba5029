//! Follow-ups of a finished game are opened once, however often they are requested: the second game of a set, and a
//! rematch.

use std::sync::Arc;

use crate::commitment::SeedCommitment;
use crate::model::{Actor, Event, Occupant, Order, OrderError, TableError, Terms, UserId};
use crate::{SourceId, Table, TableId, decide, sets};

use super::quota_state::OpenRequest;
use super::{Announce, MAX_NAME_ATTEMPTS, TableRegistry, no_free_name};

/// A table that follows a finished game.
pub struct FollowUp {
    /// The second game or the rematch.
    pub table: Arc<Table>,
    /// Whether this request opened it.
    pub is_new: bool,
}

impl TableRegistry {
    /// Opens the second game of a set whose first game has a result, and reports it to the first table. Does nothing if
    /// that is done already, or no game follows.
    ///
    /// # Errors
    /// If the journal fails; the caller may retry.
    pub async fn open_second(&self, first: TableId) -> Result<(), TableError> {
        let first = self.table(first).await?;
        if first.rematch().is_some() || !first.has_second_game() {
            return Ok(());
        }
        let second = match self.second_of(&first).await {
            Ok(second) => second.table.id(),
            // The terms of the first game should be valid for the second; if not, the result must not be blocked.
            Err(TableError::Refused(refused)) => {
                tracing::error!(first = %first.id(), %refused, "the second game of a set cannot begin");
                return Ok(());
            }
            Err(denied) => return Err(denied),
        };
        self.link_follow_up(&first, second).await
    }

    /// Returns the second game's table; it exists already if the program stopped between opening and reporting it.
    async fn second_of(&self, first: &Table) -> Result<FollowUp, TableError> {
        let (terms, chairs) = sets::second_game(first).ok_or(TableError::Internal)?;
        let (terms, host) = (self.with_commitment(terms), first.host());
        let name = |attempt| sets::second_name(first, attempt);
        let is_wanted = |table: &Table| table.terms().set == terms.set;
        let make = |id| decide::open(id, terms.clone(), host, chairs.clone());
        self.open_once(name, is_wanted, make, None).await
    }

    /// Opens a rematch and reports it to the finished table. A concurrent or repeated request gets the table that was
    /// opened first. `source` is the interaction that requested it.
    ///
    /// # Errors
    /// If the terms do not fit the game, a quota is exceeded, an invited person does not accept requests, or the
    /// journal fails.
    pub async fn open_rematch(
        &self,
        of: &Table,
        terms: Terms,
        host: UserId,
        chairs: Vec<Occupant>,
        source: Option<SourceId>,
    ) -> Result<FollowUp, TableError> {
        let opening = OpenRequest::again(&terms, host, &chairs);
        let reservation = self.check_open(opening).await?;
        let terms = self.with_commitment(Terms { again: Some(of.id()), ..terms });
        let name = |attempt| sets::rematch_name(of, attempt);
        let is_wanted = |table: &Table| table.terms().again == terms.again;
        let make = |id| decide::open(id, terms.clone(), host, chairs.clone());
        let found = self.open_once(name, is_wanted, make, source).await?;
        if found.is_new {
            reservation.opened(self).await;
        }
        // The new table is valid even if the old one has no link to it.
        if let Err(denied) = self.link_follow_up(of, found.table.id()).await {
            tracing::warn!(table = %of.id(), %denied, "a finished table does not know that it is played again");
        }
        Ok(found)
    }

    /// Reports a follow-up to the finished table, unless that was done meanwhile.
    async fn link_follow_up(&self, of: &Table, next: TableId) -> Result<(), TableError> {
        let order = Order::Rematch { table: next, instead_of: of.rematch() };
        match self.order(of.id(), Actor::System, order, None).await {
            Ok(_) | Err(TableError::Refused(_)) => Ok(()),
            Err(denied) => Err(denied),
        }
    }

    /// Returns terms with a committed seed.
    pub(super) fn with_commitment(&self, terms: Terms) -> Terms {
        let commitment = SeedCommitment::commit(terms.commitment.as_deref(), terms.seed, &mut self.rng());
        Terms { commitment: Some(Box::new(commitment)), ..terms }
    }

    /// Opens a table under the first of some names that is free, or returns the wanted table that has one of them.
    async fn open_once(
        &self,
        name: impl Fn(usize) -> TableId,
        is_wanted: impl Fn(&Table) -> bool,
        make: impl Fn(TableId) -> Result<Vec<Event>, OrderError>,
        source: Option<SourceId>,
    ) -> Result<FollowUp, TableError> {
        for id in (0..MAX_NAME_ATTEMPTS).map(name) {
            // Another request may open it between the look-up and the write: a second look-up finds it.
            for _ in 0..2 {
                match self.table(id).await {
                    Ok(table) if is_wanted(&table) => return Ok(FollowUp { table, is_new: false }),
                    Ok(_) => break,
                    Err(TableError::NoTable(_)) => {}
                    Err(denied) => return Err(denied),
                }
                if let Some(seen) = self.open_as(id, make(id)?, Announce::Yes, source).await? {
                    return Ok(FollowUp { table: seen.table, is_new: true });
                }
            }
        }
        Err(no_free_name())
    }
}
