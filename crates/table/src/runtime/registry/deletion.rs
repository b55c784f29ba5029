//! the registry forgets a person: their games first, then every table that names them, then the rest.

use std::collections::HashSet;
use std::time::Duration;

use jiff::SignedDuration;

use crate::TableId;
use crate::actor::Request;
use crate::model::{Actor, LeavePolicy, Order, TableError, UserId};
use crate::ports::{Deletion, Filter, Stage, StoreError};

use super::TableRegistry;
use rookery_tasks::heartbeat;

/// For how long a game that was brought along to be looked at is kept.
const KEEP_IMPORTS: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How long after a game's end the outbox keeps what it said of it.
const KEEP_OUTBOX: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Tables for which the outbox is pruned in one transaction, and in one call at most.
const PRUNE_BATCH: usize = 5;
const MAX_PRUNED_PER_CALL: usize = 5_000;
/// The pause after each of these transactions, so that moves are written in between.
const PRUNE_INTERVAL: Duration = Duration::from_millis(200);
/// How often one call waits for a moment at which nothing is due. After that it prunes all the same: on a busy bot
/// there may be no such moment.
const MAX_PRUNE_WAITS: usize = 300;

impl TableRegistry {
    /// Deletes the games that were brought along to be looked at thirty days ago. Returns how many.
    ///
    /// # Errors
    /// If the journal fails; trying again is right.
    pub async fn delete_old_imports(&self) -> Result<usize, TableError> {
        let since = self.now() - KEEP_IMPORTS;
        let filter = Filter { imported: true, most: usize::MAX >> 1, ..Filter::default() };
        let mut gone = 0;
        for card in self.list(&filter).await?.into_iter().filter(|card| card.at <= since) {
            heartbeat();
            // An imported game belongs to its host alone and is deleted whole.
            let Some(who) = card.host else { continue };
            match self.send(card.id, |reply| Request::DeletePerson { who, over: false, reply }).await {
                Ok(()) => gone += 1,
                Err(TableError::NoTable(_) | TableError::Internal | TableError::Unreadable(_)) => {}
                Err(denied) => return Err(denied),
            }
        }
        Ok(gone)
    }

    /// Prunes the outbox of games that ended long ago, a few tables at a time. For a while it waits for what is to be
    /// posted first. Returns for how many tables.
    ///
    /// # Errors
    /// If the journal fails; trying again goes on from there.
    pub async fn prune_outbox(&self) -> Result<usize, TableError> {
        let (before, mut pruned, mut waits) = (self.now() - KEEP_OUTBOX, 0, 0);
        while pruned < MAX_PRUNED_PER_CALL {
            heartbeat();
            if waits < MAX_PRUNE_WAITS && !self.journal().due(0, 1).await?.is_empty() {
                waits += 1;
            } else {
                match self.journal().prune_outbox(before, PRUNE_BATCH).await? {
                    0 => break,
                    tables => pruned += tables,
                }
            }
            tokio::time::sleep(PRUNE_INTERVAL).await;
        }
        Ok(pruned)
    }

    /// Takes a person out of all that is kept. Their running games are given up, or handed to the program where
    /// that is wished and allowed; games in which nobody else had a part are deleted whole; in all others a
    /// pseudonym is left. What they chose, what they watch and their ratings go. What cannot be read or changed now
    /// is noted, and [`TableRegistry::finish_deletions`] deletes it.
    ///
    /// # Errors
    /// If the journal fails: some of it is done then, and trying again does the rest.
    pub async fn delete_person(
        &self,
        who: UserId,
        leave_policy: LeavePolicy,
    ) -> Result<DeletionOutcome, TableError> {
        let deletion = Deletion { who, leave_policy, tables: Vec::new(), rest: true };
        // Noted before the tables are known: a damaged list of them must not lose the wish.
        self.journal().privacy().note_deletion(&deletion).await?;
        self.carry_out(deletion).await
    }

    /// Goes on with the deletions that could not be finished: a record could not be read, the journal failed, the
    /// program stopped. Call it at a start and now and then. Returns how many tables still could not be changed; a
    /// deletion that is postponed counts as one.
    ///
    /// # Errors
    /// If the journal fails; trying again is right.
    pub async fn finish_deletions(&self) -> Result<usize, TableError> {
        let (mut remaining, mut failed) = (0, None);
        for deletion in self.journal().privacy().unfinished_deletions().await? {
            match self.carry_out(deletion).await {
                Ok(DeletionOutcome::Done) => {}
                Ok(DeletionOutcome::TablesRemain(tables)) => remaining += tables.len(),
                Ok(DeletionOutcome::Postponed) => remaining += 1,
                // What fails for one person need not fail for the next.
                Err(denied) => failed = Some(denied),
            }
        }
        failed.map_or(Ok(remaining), Err)
    }

    /// Does of a deletion what can be done.
    async fn carry_out(&self, mut deletion: Deletion) -> Result<DeletionOutcome, TableError> {
        if deletion.rest && is_damaged(self.list_tables(&mut deletion).await)? {
            return Ok(DeletionOutcome::Postponed);
        }
        let Deletion { who, leave_policy, tables, rest } = deletion;
        let (tables, mut remaining) = self.leave_all(who, leave_policy, tables).await?;
        let kept = self.take_out_of(who, &tables).await?;
        let changed = kept.len() < tables.len();
        remaining.extend(kept);
        let is_postponed = rest && self.delete_rest(who).await?;
        if rest || changed {
            self.journal().privacy().scrub().await?;
        }
        Ok(match remaining.is_empty() {
            _ if is_postponed => DeletionOutcome::Postponed,
            true => DeletionOutcome::Done,
            false => DeletionOutcome::TablesRemain(remaining),
        })
    }

    /// Adds the tables that name the person, and notes them: deleting the rest deletes the list that they come from.
    async fn list_tables(&self, deletion: &mut Deletion) -> Result<(), StoreError> {
        let privacy = self.journal().privacy();
        let mut named = privacy.tables_naming(deletion.who).await?;
        named.retain(|table| !deletion.tables.contains(table));
        deletion.tables.extend(named);
        privacy.note_deletion(deletion).await
    }

    /// Deletes what is kept beside tables. Returns whether a damaged journal prevents that.
    async fn delete_rest(&self, who: UserId) -> Result<bool, TableError> {
        let deleted = self.journal().privacy().take_out_rest(who).await;
        self.share_changed();
        if is_damaged(deleted)? {
            return Ok(true);
        }
        self.moderation().forget(who);
        self.forget_counts(who);
        self.preferences_cache().delete_person(who).await?;
        Ok(false)
    }

    /// Leaves every seat of some tables and of those that are opened by it: the tables that can be left, and those
    /// that cannot since nothing can be written there.
    async fn leave_all(
        &self,
        who: UserId,
        leave_policy: LeavePolicy,
        tables: Vec<TableId>,
    ) -> Result<(Vec<TableId>, Vec<TableId>), TableError> {
        let (mut all, mut left, mut kept) = (tables, Vec::new(), Vec::new());
        while let Some(id) = all.get(left.len() + kept.len()).copied() {
            heartbeat();
            match self.remove_from_table(id, who, leave_policy).await? {
                Parted::Kept => kept.push(id),
                Parted::Left(opened) => {
                    left.push(id);
                    let Some(opened) = opened.filter(|id| !all.contains(id)) else { continue };
                    let deletion = Deletion { who, leave_policy, tables: vec![opened], rest: false };
                    self.journal().privacy().note_deletion(&deletion).await?;
                    all.push(opened);
                }
            }
        }
        Ok((left, kept))
    }

    /// Takes a person out of tables that they have left; those that could not be changed.
    async fn take_out_of(&self, who: UserId, tables: &[TableId]) -> Result<Vec<TableId>, TableError> {
        let over = Filter {
            person: Some(who),
            stage: Some(Stage::Over),
            most: usize::MAX >> 1,
            ..Filter::default()
        };
        let over: HashSet<TableId> = match self.journal().list(&over).await {
            Ok(cards) => cards.iter().map(|card| card.id).collect(),
            // Then tables that cannot be read remain, also those that are over.
            Err(error) if error.is_unreadable() => HashSet::new(),
            Err(error) => return Err(error.into()),
        };
        let mut remaining = Vec::new();
        for id in tables {
            heartbeat();
            let over = over.contains(id);
            match self.send(*id, |reply| Request::DeletePerson { who, over, reply }).await {
                Ok(()) => {}
                Err(TableError::Unreadable(_) | TableError::Internal) => remaining.push(*id),
                Err(denied) => return Err(denied),
            }
        }
        Ok(remaining)
    }

    /// Nobody thinks or waits for a table that is not what it was.
    pub(crate) fn forget_table(&self, id: TableId) {
        self.thinker.drop_table(id);
        self.rated_games.remove(id);
        self.timers.set(id, None);
        self.share_changed();
    }

    /// Leaves every seat of a table, and lets come of it what follows while the names are there: ratings, and
    /// the second game of a set.
    async fn remove_from_table(
        &self,
        id: TableId,
        who: UserId,
        leave_policy: LeavePolicy,
    ) -> Result<Parted, TableError> {
        let next = async || self.table(id).await.ok().and_then(|table| table.rematch());
        let before = next().await;
        loop {
            match self.order(id, Actor::System, Order::RemovePerson { person: who, leave_policy }, None).await
            {
                Ok(seen) if !seen.events.is_empty() => {}
                Ok(_) | Err(TableError::Refused(_)) => break,
                Err(TableError::Unreadable(_)) if self.table(id).await.is_ok() => return Ok(Parted::Kept),
                Err(denied) => return unless_lasting(denied).map(|()| Parted::Left(None)),
            }
        }
        for done in [self.rate(id).await, self.open_second(id).await] {
            if let Err(denied) = done {
                unless_lasting(denied)?;
            }
        }
        Ok(Parted::Left(next().await.filter(|next| before != Some(*next))))
    }
}

/// What a deletion of a person's data has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeletionOutcome {
    /// Everything is deleted.
    Done,
    /// Everything is deleted but for these tables, which cannot be read or changed now.
    TablesRemain(Vec<TableId>),
    /// The journal is damaged where it lists what to delete.
    Postponed,
}

/// Whether a result is an error that damage causes, which is logged: the operator has to act.
fn is_damaged(result: Result<(), StoreError>) -> Result<bool, TableError> {
    match result {
        Err(error) if error.is_unreadable() => {
            tracing::error!(%error, "a deletion of a person's data waits until the journal is repaired");
            Ok(true)
        }
        result => Ok(result.map(|()| false)?),
    }
}

/// What came of leaving a table.
enum Parted {
    /// No seat is the person's, or the table cannot be read. With the table of the second game of a set, if it was
    /// opened by this.
    Left(Option<TableId>),
    /// The table can be read, and nothing can be written there.
    Kept,
}

/// Nothing comes of a table that is not there, or cannot be read: only a journal that fails stops a deletion.
fn unless_lasting(denied: TableError) -> Result<(), TableError> {
    match denied {
        TableError::Internal | TableError::NoTable(_) | TableError::Unreadable(_) => Ok(()),
        denied => Err(denied),
    }
}
