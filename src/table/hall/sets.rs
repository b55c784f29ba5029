//! The second game of a set is opened once, however often that is asked for.

use crate::table::pledge::Pledge;
use crate::table::words::{By, Denied, Order};
use crate::table::{Table, TableId, sets, state};

use super::{Hall, Loud, NAMES_TRIED, no_name};

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
        let table = match self.second_of(&first).await {
            Ok(table) => table,
            // What was fit for the first game is fit for the second; were it not, the result must not wait.
            Err(Denied::Refused(refused)) => {
                tracing::error!(first = %first.id(), %refused, "the second game of a set cannot begin");
                return Ok(());
            }
            Err(denied) => return Err(denied),
        };
        match self.order(first.id(), By::House, Order::Rematch { table, instead_of: None }, None).await {
            Ok(_) | Err(Denied::Refused(_)) => Ok(()),
            Err(denied) => Err(denied),
        }
    }

    /// The second game's table: the one that is there, should a crash have come between opening it and
    /// telling the first.
    async fn second_of(&self, first: &Table) -> Result<TableId, Denied> {
        let (mut terms, chairs) = sets::second(first).ok_or(Denied::Fault)?;
        terms.pledge = Some(Box::new(Pledge::seal(terms.pledge.as_deref(), terms.seed, &mut self.chance())));
        for attempt in 0..NAMES_TRIED {
            let id = sets::name(first, attempt);
            match self.see(id).await {
                Ok(table) if table.terms().set == terms.set => return Ok(id),
                Ok(_) => continue,
                Err(Denied::NoTable(_)) => {}
                Err(denied) => return Err(denied),
            }
            let events = state::open(id, terms.clone(), first.host(), chairs.clone())?;
            if self.found_as(id, events, Loud::Yes, None).await?.is_some() {
                return Ok(id);
            }
        }
        Err(no_name())
    }
}
