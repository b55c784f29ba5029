//! Boards that could not be posted because we may not write in their channel: they are posted when that changes.

use std::sync::PoisonError;

use crate::table::ports::{Due, JournalError};
use crate::table::{Say, TableId};

use super::super::fault::Fault;
use super::Outbox;

/// The latest board of a table that was given up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lost {
    /// Its row in the outbox.
    row: i64,
    /// The turns taken on it.
    ply: usize,
    /// The table's server.
    guild: u64,
    /// How often it had changed by then who reads and writes where on that server.
    changes: u64,
}

impl Outbox {
    /// Remembers a board that was given up for want of leave.
    pub(super) async fn note_lost(&self, row: &Due, fault: &Fault) {
        let (Say::Board { ply }, Fault::NoAccess { .. }) = (&row.say, fault) else { return };
        let Ok(table) = self.desk.hall.see(row.table).await else { return };
        let Some(guild) = table.terms().guild else { return };
        let lost = Lost { row: row.id, ply: *ply, guild, changes: self.desk.sight.changes(guild) };
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).insert(row.table, lost);
    }

    /// Takes boards up again on whose server it has changed who writes where.
    pub(super) async fn take_up_lost(&self) {
        let changed: Vec<(TableId, Lost)> = {
            let mut all = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
            all.extract_if(|_, lost| self.desk.sight.changes(lost.guild) != lost.changes).collect()
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
            self.shunned.lock().unwrap_or_else(PoisonError::into_inner).remove(&home.channel);
        }
        journal.resay(lost.row).await
    }
}
