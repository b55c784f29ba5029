//! Deletion of a person's data: first from their running games, then from every table that names them, then the rest.

use std::collections::HashSet;
use std::time::Duration;

use futures_util::TryStreamExt;
use jiff::SignedDuration;

use crate::TableId;
use crate::model::{Actor, LeavePolicy, Order, TableError, UserId};
use crate::ports::{Deletion, Filter, Page, PageRequest, Stage, StoreError, walk_pages};
use crate::requests::Request;

use super::TableRegistry;
use rookery_tasks::heartbeat;

/// How long an imported game is kept.
const KEEP_IMPORTS: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How long after a game's end its outbox rows are kept.
const KEEP_OUTBOX: SignedDuration = SignedDuration::from_hours(7 * 24);
/// The most tables pruned in one transaction, and in one call.
const PRUNE_BATCH: usize = 5;
const MAX_PRUNED_PER_CALL: usize = 5_000;
/// The pause between two transactions, so that moves can be written.
const PRUNE_INTERVAL: Duration = Duration::from_millis(200);
/// The most waits of one call for a moment without due items. Then it prunes anyway: a busy bot may never have such a
/// moment.
const MAX_PRUNE_WAITS: usize = 300;

impl TableRegistry {
    /// Deletes the games that were imported more than thirty days ago. Returns their number.
    ///
    /// # Errors
    /// If the journal fails; the caller may retry.
    pub async fn delete_old_imports(&self) -> Result<usize, TableError> {
        let since = self.now() - KEEP_IMPORTS;
        let filter = Filter { imported: true, ..Filter::default() };
        let (mut imports, mut gone) = (self.scan(&filter), 0);
        while let Some(card) = imports.try_next().await? {
            heartbeat();
            // An imported game belongs to its host alone and is deleted whole.
            let Some(who) = card.host.filter(|_| card.at <= since) else { continue };
            match self.send(card.id, |reply| Request::DeletePerson { who, over: false, reply }).await {
                Ok(()) => gone += 1,
                Err(TableError::NoTable(_) | TableError::Internal | TableError::Unreadable(_)) => {}
                Err(denied) => return Err(denied),
            }
        }
        Ok(gone)
    }

    /// Prunes the outbox of games that ended long ago, a few tables at a time, and waits a while for due items to be
    /// posted first. Returns the number of tables.
    ///
    /// # Errors
    /// If the journal fails; the next call continues from there.
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

    /// Deletes all data of a person. Their running games are resigned, or handed to the bot if that is wanted and
    /// allowed; games without any other person are deleted whole; in all others a pseudonym remains. Preferences,
    /// watched tables and ratings are deleted. What cannot be read or changed now is noted, and
    /// [`TableRegistry::finish_deletions`] deletes it later.
    ///
    /// # Errors
    /// If the journal fails: some of it is done then, and a retry does the rest.
    pub async fn delete_person(
        &self,
        who: UserId,
        leave_policy: LeavePolicy,
    ) -> Result<DeletionOutcome, TableError> {
        let deletion = Deletion { who, leave_policy, tables: Vec::new(), rest: true };
        // Stored before the tables are known: a damaged list of tables must not lose the request.
        self.journal().privacy().note_deletion(&deletion).await?;
        self.carry_out(deletion).await
    }

    /// Continues unfinished deletions: a record could not be read, the journal failed, or the program stopped. Call it
    /// at startup and periodically. Returns the number of tables that could not be changed; a postponed deletion counts
    /// as one.
    ///
    /// # Errors
    /// If the journal fails; the caller may retry.
    pub async fn finish_deletions(&self) -> Result<usize, TableError> {
        let (mut remaining, mut failed) = (0, None);
        let mut deletions = walk_pages(|page| self.journal().privacy().unfinished_deletions(page));
        while let Some(deletion) = deletions.try_next().await? {
            match self.carry_out(deletion).await {
                Ok(DeletionOutcome::Done) => {}
                Ok(DeletionOutcome::TablesRemain(tables)) => remaining += tables.len(),
                Ok(DeletionOutcome::Postponed) => remaining += 1,
                // An error for one person need not occur for the next.
                Err(denied) => failed = Some(denied),
            }
        }
        failed.map_or(Ok(remaining), Err)
    }

    /// Does as much of a deletion as possible.
    async fn carry_out(&self, mut deletion: Deletion) -> Result<DeletionOutcome, TableError> {
        if deletion.rest && is_damaged(self.list_tables(&mut deletion).await)? {
            return Ok(DeletionOutcome::Postponed);
        }
        let Deletion { who, leave_policy, tables, rest } = deletion;
        let (tables, mut remaining) = self.leave_all(who, leave_policy, tables).await?;
        let kept = self.remove_from_tables(who, &tables).await?;
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

    /// Adds the tables that name the person, and stores them: deleting the rest deletes the list that they come from.
    async fn list_tables(&self, deletion: &mut Deletion) -> Result<(), StoreError> {
        let (privacy, who) = (self.journal().privacy(), deletion.who);
        let known: HashSet<TableId> = deletion.tables.iter().copied().collect();
        let mut request = Some(PageRequest::default());
        while let Some(asked) = request {
            let limit = asked.limit;
            let Page { rows: mut tables, next } = privacy.tables_naming(who, asked).await?;
            tables.retain(|table| !known.contains(table));
            deletion.tables.extend(&tables);
            privacy.note_deletion(&Deletion { tables, ..*deletion }).await?;
            request = next.map(|key| PageRequest { after: Some(key), limit });
        }
        Ok(())
    }

    /// Deletes the data that belongs to no table. Returns whether a damaged journal prevents that.
    async fn delete_rest(&self, who: UserId) -> Result<bool, TableError> {
        let deleted = self.journal().privacy().delete_personal_rows(who).await;
        self.share_changed();
        if is_damaged(deleted)? {
            return Ok(true);
        }
        self.moderation().forget(who);
        self.forget_counts(who);
        self.preferences_cache().delete_person(who).await?;
        Ok(false)
    }

    /// Vacates every seat of the person at some tables and at those that this opens. Returns the tables that were left,
    /// and those that could not be written.
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
                LeaveOutcome::Kept => kept.push(id),
                LeaveOutcome::Left(opened) => {
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

    /// Removes a person from tables that they have left; returns those that could not be changed.
    async fn remove_from_tables(&self, who: UserId, tables: &[TableId]) -> Result<Vec<TableId>, TableError> {
        let over = Filter { person: Some(who), stage: Some(Stage::Over), ..Filter::default() };
        let over = walk_pages(|page| self.journal().scan(&over, page)).map_ok(|card| card.id);
        let over: HashSet<TableId> = match over.try_collect().await {
            Ok(over) => over,
            // Then unreadable tables remain, including finished ones.
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

    /// Drops everything in memory about a deleted or rewritten table.
    pub(crate) fn forget_table(&self, id: TableId) {
        self.thinker.drop_table(id);
        self.rated_games.remove(id);
        self.timers.set(id, None);
        self.share_changed();
    }

    /// Vacates every seat of the person at a table, and completes what needs their name: ratings, and the second game
    /// of a set.
    async fn remove_from_table(
        &self,
        id: TableId,
        who: UserId,
        leave_policy: LeavePolicy,
    ) -> Result<LeaveOutcome, TableError> {
        let next = async || self.table(id).await.ok().and_then(|table| table.rematch());
        let before = next().await;
        loop {
            match self.order(id, Actor::System, Order::RemovePerson { person: who, leave_policy }, None).await
            {
                Ok(seen) if !seen.events.is_empty() => {}
                Ok(_) | Err(TableError::Refused(_)) => break,
                Err(TableError::Unreadable(_)) if self.table(id).await.is_ok() => {
                    return Ok(LeaveOutcome::Kept);
                }
                Err(denied) => return ignore_unreadable(denied).map(|()| LeaveOutcome::Left(None)),
            }
        }
        for done in [self.rate(id).await, self.open_second(id).await] {
            if let Err(denied) = done {
                ignore_unreadable(denied)?;
            }
        }
        Ok(LeaveOutcome::Left(next().await.filter(|next| before != Some(*next))))
    }
}

/// The outcome of a deletion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeletionOutcome {
    /// All data is deleted.
    Done,
    /// All data is deleted except at these tables, which cannot be read or changed now.
    TablesRemain(Vec<TableId>),
    /// The journal is damaged where it lists what to delete.
    Postponed,
}

/// Whether a result is an error caused by damage; it is logged, because the operator must act.
fn is_damaged(result: Result<(), StoreError>) -> Result<bool, TableError> {
    match result {
        Err(error) if error.is_unreadable() => {
            tracing::error!(%error, "a deletion of a person's data waits until the journal is repaired");
            Ok(true)
        }
        result => Ok(result.map(|()| false)?),
    }
}

/// The outcome of leaving a table.
enum LeaveOutcome {
    /// The person has no seat there any more, or the table cannot be read; with the table of the second game of a set,
    /// if leaving opened it.
    Left(Option<TableId>),
    /// The table can be read, but not written.
    Kept,
}

/// Ignores missing and unreadable tables: only a failing journal stops a deletion.
fn ignore_unreadable(denied: TableError) -> Result<(), TableError> {
    match denied {
        TableError::Internal | TableError::NoTable(_) | TableError::Unreadable(_) => Ok(()),
        denied => Err(denied),
    }
}
