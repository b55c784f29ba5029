//! Boards that could not be posted because we may not write in their channel, or their thread is locked: they are
//! posted when that changes.

use std::sync::PoisonError;

use crate::table::ports::{Due, JournalError};
use crate::table::{Say, Table, TableId};

use super::super::fault::Fault;
use super::Outbox;

/// The latest board of a table that was given up.
#[derive(Clone, Debug)]
pub(super) struct Lost {
    /// Its row in the outbox.
    row: i64,
    /// The turns taken on it.
    ply: usize,
    /// Where leave would have to be given: on its server, in its channel, in the one that it hangs under.
    places: Vec<u64>,
    /// When leave had been given there last.
    leave: u64,
}

impl Outbox {
    /// Remembers a board that was given up for want of leave.
    pub(super) async fn note_lost(&self, row: &Due, fault: &Fault) {
        let Say::Board { ply } = &row.say else { return };
        let Ok(table) = self.desk.hall.see(row.table).await else { return };
        let Some(places) = self.places(&table).await.filter(|_| fault.is_for_want_of_leave()) else { return };
        let leave = self.desk.sight.leave(&places);
        let lost = Lost { row: row.id, ply: *ply, places, leave };
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).insert(row.table, lost);
    }

    /// Where leave has to be given for a table's boards; nowhere where people talk to us directly.
    async fn places(&self, table: &Table) -> Option<Vec<u64>> {
        let (guild, home) = (table.terms().guild?, table.home()?.channel);
        let above = self.desk.parent_of(home).await;
        Some([guild, home, table.terms().channel].into_iter().chain(above).collect())
    }

    /// Takes boards up again where leave may have been given since.
    pub(super) async fn take_up_lost(&self) {
        let changed: Vec<(TableId, Lost)> = {
            let mut all = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
            all.extract_if(|_, lost| self.desk.sight.leave(&lost.places) != lost.leave).collect()
        };
        for (table, lost) in changed {
            if let Err(error) = self.take_up(table, lost).await {
                tracing::warn!(%table, %error, "a board that was given up stays so until the next turn");
            }
        }
    }

    /// Nothing is said of a board that was overtaken, or has been posted elsewhere since.
    async fn take_up(&self, id: TableId, lost: Lost) -> Result<(), JournalError> {
        let Ok(table) = self.desk.hall.see(id).await else { return Ok(()) };
        let journal = self.desk.hall.journal();
        let posted = journal.posted(id, &Say::Board { ply: lost.ply }).await?;
        if table.ply() != lost.ply || posted.is_some() {
            return Ok(());
        }
        if let Some(home) = table.home() {
            self.desk.shuns.forget(home.channel);
        }
        journal.resay(lost.row).await
    }
}
