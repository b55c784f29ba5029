//! Boards that could not be posted because we may not write in their channel, or their thread is locked: they are
//! posted when that changes. The journal keeps which they are, so that a restart between loses none.

use std::sync::PoisonError;

use crate::table::ports::{Due, Fate, JournalError};
use crate::table::{Say, Table, TableId};

use super::super::fault::Fault;
use super::Outbox;

/// The latest board of a table that waits for leave.
#[derive(Clone, Debug)]
pub(super) struct Lost {
    /// Its row in the outbox.
    row: i64,
    /// The turns taken on it.
    ply: usize,
    /// Where leave would have to be given: on its server, in its channel, in the one that it hangs under.
    places: Vec<u64>,
    /// When leave had been given there last; `None` of what another process noted: it may have been given while
    /// nobody was there.
    leave: Option<u64>,
}

impl Outbox {
    /// Takes a row out of the outbox that cannot be said; a board that we may not post waits for leave.
    pub(super) async fn give_up(&self, row: &Due, fault: &Fault) -> Result<(), JournalError> {
        tracing::warn!(table = %row.table, say = row.say.key(), %fault, "given up");
        let lost = if fault.is_for_want_of_leave() { self.lost_board(row).await } else { None };
        let fate = if lost.is_some() { Fate::Barred } else { Fate::GivenUp };
        self.desk.hall.journal().unsaid(row.id, &fault.to_string(), fate).await?;
        self.note_settled(row, Some(fault)).await;
        match lost {
            Some(lost) => self.note_lost(row.table, lost).await,
            None => Ok(()),
        }
    }

    /// Remembers the boards that waited for leave when the program stopped; whether they could be read.
    pub(super) async fn recall_lost(&self) -> bool {
        let recalled = self.try_recall().await;
        if let Err(error) = &recalled {
            tracing::warn!(%error, "which boards wait for leave cannot be read; trying again");
        }
        recalled.is_ok()
    }

    async fn try_recall(&self) -> Result<(), JournalError> {
        for row in self.desk.hall.journal().barred().await? {
            if let Some(lost) = self.lost_board(&row).await {
                self.note_lost(row.table, Lost { leave: None, ..lost }).await?;
            }
        }
        Ok(())
    }

    /// What a row is about, if it is the board of a table on a server.
    async fn lost_board(&self, row: &Due) -> Option<Lost> {
        let Say::Board { ply } = row.say else { return None };
        let table = self.desk.hall.see(row.table).await.ok()?;
        let places = self.places(&table).await?;
        let leave = Some(self.desk.sight.leave(&places));
        Some(Lost { row: row.id, ply, places, leave })
    }

    /// One board a table waits: the latest.
    async fn note_lost(&self, table: TableId, lost: Lost) -> Result<(), JournalError> {
        let overtaken = {
            let mut all = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
            match all.get(&table).map(|known| known.row) {
                Some(known) if known > lost.row => Some(lost.row),
                known => {
                    let row = lost.row;
                    all.insert(table, lost);
                    known.filter(|known| *known != row)
                }
            }
        };
        match overtaken {
            Some(row) => self.let_go(row).await,
            None => Ok(()),
        }
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
            all.extract_if(|_, lost| Some(self.desk.sight.leave(&lost.places)) != lost.leave).collect()
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
            return self.let_go(lost.row).await;
        }
        if let Some(home) = table.home() {
            self.desk.shuns.forget(home.channel);
        }
        journal.resay(lost.row).await
    }

    async fn let_go(&self, row: i64) -> Result<(), JournalError> {
        self.desk.hall.journal().unsaid(row, "overtaken", Fate::GivenUp).await
    }
}
