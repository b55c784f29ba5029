//! The journal in an embedded SQLite file.
//!
//! One connection writes and a few read. `journal_mode=WAL` lets them work at the same time;
//! `synchronous=FULL` makes a committed write survive a power failure.

use rookery_table::millis;
mod append;
pub(crate) mod chain;
mod connections;
pub(crate) mod errors;
mod group_commit;
mod insert_ratings;
mod lists;
pub(super) mod migrations;
pub(super) mod open;
pub(super) mod outbox;
pub(super) mod owner;
mod pages;
mod preferences;
mod privacy;
mod pruning;
mod pseudonyms;
mod ratings;
pub(super) mod rows;

#[cfg(test)]
mod query_plan_tests;

use crate::pages::{page_limit, page_of};
use crate::rows::{moment, name, read_job, table_id, to_i64, unsigned};
use crate::sqlite::errors::store_error;
use crate::unreadable::UnreadableRows;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::Executor;
use sqlx::sqlite::SqliteRow;

use chain::{chain_of, links};
use connections::Connections;
use group_commit::{GroupCommit, Write};
use outbox::{COUNT_BLOCKED, LATEST, POSTED, POSTED_ITEM};
use owner::Ownership;
use rookery_table::hash_chain::{ChainEntry, HashChain};
use rookery_table::moderation::ModerationStore;
use rookery_table::ports::{
    AfterFailure, AnalysisStore, Annotations, Batch, Card, DueItem, DueTable, Entry, Filter, Follows, Job,
    Journal, OpenTables, Page, PageRequest, Posted, Preferences, Privacy, Ratings, ShareLinks, StoreError,
    WebSessions,
};
use rookery_table::{GuildId, MessageId, OutboxItem, TableId};
use rows::column;

/// A journal in an SQLite file.
pub struct Sqlite {
    writer: Connections,
    readers: Connections,
    group_commit: GroupCommit,
    /// `None` for a read-only journal, and once it is closed.
    pub(super) owner: Mutex<Option<Ownership>>,
    unreadable: UnreadableRows,
}

impl Sqlite {
    /// Returns the pool of the only writing connection.
    pub(super) fn writer(&self) -> &Connections {
        &self.writer
    }

    /// Returns whether writes wait for the connection.
    #[cfg(test)]
    pub(super) fn has_waiting_writes(&self) -> bool {
        self.group_commit.is_waiting()
    }

    /// Returns the pool of reading connections.
    pub(super) fn readers(&self) -> &Connections {
        &self.readers
    }

    /// Returns the record of rows that this version could not read.
    pub(super) fn unreadable_rows(&self) -> &UnreadableRows {
        &self.unreadable
    }

    /// Closes the file once pending writes have ended, and gives up its ownership.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
        drop(self.owner.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

#[async_trait]
impl Journal for Sqlite {
    async fn append(&self, batch: &Batch) -> Result<(), StoreError> {
        let write = Write::Append(Box::new(batch.clone()));
        self.group_commit.carry_out(write, &self.writer).await?;
        self.unreadable.repaired("card", batch.table);
        Ok(())
    }

    async fn load(&self, table: TableId) -> Result<Vec<Entry>, StoreError> {
        let read = |link: &ChainEntry| {
            let sequence = link.sequence;
            link.entry().map_err(|error| StoreError::Unreadable { table, sequence, why: error.to_string() })
        };
        let links = links(&self.readers, table).await?;
        let mut entries = links.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let mut reader = self.readers.borrow().await.map_err(store_error)?;
        pseudonyms::pseudonyms(&mut reader, table).await?.reveal(&mut entries);
        reader.give_back();
        Ok(entries)
    }

    async fn chain(&self, table: TableId) -> Result<HashChain, StoreError> {
        let mut reader = self.readers.borrow().await.map_err(store_error)?;
        // One transaction reads both: a write in between would look like a missing entry at the end.
        reader.execute("BEGIN").await.map_err(store_error)?;
        let chain = chain_of(&mut reader, table).await?;
        reader.execute("COMMIT").await.map_err(store_error)?;
        reader.give_back();
        Ok(chain)
    }

    async fn list(
        &self,
        filter: &Filter,
        page: PageRequest<(Timestamp, TableId)>,
    ) -> Result<Page<Card, (Timestamp, TableId)>, StoreError> {
        let mut listing = lists::listing(filter, &page);
        let rows = listing.build().fetch_all(&self.readers).await.map_err(store_error)?;
        let key = |row: &SqliteRow| Ok((moment(row, 2)?, table_id(row, 1)?));
        page_of(&rows, page.limit, key, |row| self.fitting_card(filter, row))
    }

    async fn scan(
        &self,
        filter: &Filter,
        page: PageRequest<TableId>,
    ) -> Result<Page<Card, TableId>, StoreError> {
        let mut scanning = lists::scanning(filter, &page);
        let rows = scanning.build().fetch_all(&self.readers).await.map_err(store_error)?;
        page_of(&rows, page.limit, |row| table_id(row, 1), |row| self.fitting_card(filter, row))
    }

    async fn count_open(&self, which: OpenTables, most: usize) -> Result<usize, StoreError> {
        let (sql, id) = match which {
            OpenTables::HostedBy(who) => (lists::OPEN_BY_HOST, who.0),
            OpenTables::WaitingFor(who) => (lists::WAITING_BY_HOST, who.0),
            OpenTables::OnServer(guild) => (lists::OPEN_ON_SERVER, guild.0),
            OpenTables::Everywhere => (lists::OPEN, 0),
        };
        let mut row = sqlx::query_scalar(sql);
        if which != OpenTables::Everywhere {
            row = row.bind(to_i64(id));
        }
        let row = row.bind(i64::try_from(most).unwrap_or(i64::MAX));
        let count: i64 = row.fetch_one(&self.readers).await.map_err(store_error)?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    async fn servers_playing(
        &self,
        page: PageRequest<GuildId>,
    ) -> Result<Page<GuildId, GuildId>, StoreError> {
        self.ids(sqlx::query(lists::PLAYING), page).await
    }

    async fn timers(
        &self,
        until: Timestamp,
        page: PageRequest<(Timestamp, TableId)>,
    ) -> Result<Page<(TableId, Timestamp), (Timestamp, TableId)>, StoreError> {
        let rows = sqlx::query(lists::DUE_TIMERS)
            .bind(until.as_millisecond())
            .bind(page.after.map_or(i64::MIN, |(moment, _)| moment.as_millisecond()))
            .bind(page.after.map(|(_, table)| table.as_str().to_owned()).unwrap_or_default())
            .bind(page_limit(page.limit))
            .fetch_all(&self.readers)
            .await
            .map_err(store_error)?;
        let due = |row: &SqliteRow| Ok((table_id(row, 0)?, moment(row, 1)?));
        let key = |row: &SqliteRow| due(row).map(|(table, moment)| (moment, table));
        page_of(&rows, page.limit, key, |row| self.unreadable.skip("card", name(row, 0), due(row)))
    }

    async fn owing_proof(
        &self,
        page: PageRequest<TableId>,
    ) -> Result<Page<(TableId, usize), TableId>, StoreError> {
        let rows = self.by_table(sqlx::query(lists::OWING_PROOF), page).await?;
        let owing = |row: &SqliteRow| Ok((table_id(row, 0)?, unsigned::<u64>(row, 1)? as usize));
        let read = |row: &SqliteRow| self.unreadable.skip("card", name(row, 0), owing(row));
        page_of(&rows, page.limit, |row| table_id(row, 0), read)
    }

    async fn due(&self, after: i64, most: usize) -> Result<Vec<DueItem>, StoreError> {
        self.readable_due(after, most).await
    }

    async fn due_tables(&self, after: i64, most: usize) -> Result<Vec<DueTable>, StoreError> {
        self.tables_of_due(after, most).await
    }

    async fn last_row(&self) -> Result<i64, StoreError> {
        outbox::last_row(&self.readers).await
    }

    async fn due_at(&self, table: TableId, most: usize) -> Result<Vec<DueItem>, StoreError> {
        self.readable_due_at(table, most).await
    }

    async fn oldest_due(&self) -> Result<Option<Timestamp>, StoreError> {
        let oldest: Result<Option<i64>, _> =
            sqlx::query_scalar(lists::OLDEST_DUE).fetch_one(&self.readers).await;
        Ok(oldest.map_err(store_error)?.map(millis::timestamp))
    }

    async fn mark_posted(&self, id: i64, posted: Option<Posted>) -> Result<(), StoreError> {
        self.group_commit.carry_out(Write::MarkPosted(id, posted), &self.writer).await
    }

    async fn mark_failed(&self, id: i64, why: &str, after_failure: AfterFailure) -> Result<(), StoreError> {
        let sql = "UPDATE outbox SET tries = tries + 1, why = ?, state = ? WHERE id = ? AND state <> 1";
        let state = match after_failure {
            AfterFailure::Retry => 0,
            AfterFailure::GivenUp => 2,
            AfterFailure::Blocked => 3,
            AfterFailure::Unreadable => 4,
        };
        sqlx::query(sql)
            .bind(why.to_owned())
            .bind(state)
            .bind(id)
            .execute(&self.writer)
            .await
            .map_err(store_error)?;
        Ok(())
    }

    async fn requeue(&self, id: i64, now: Timestamp) -> Result<(), StoreError> {
        let sql = "UPDATE outbox SET state = 0, due_since_ms = ? WHERE id = ? AND state = 3";
        sqlx::query(sql)
            .bind(now.as_millisecond())
            .bind(id)
            .execute(&self.writer)
            .await
            .map_err(store_error)?;
        Ok(())
    }

    async fn blocked_items(&self, page: PageRequest<i64>) -> Result<Page<DueItem, i64>, StoreError> {
        self.page_of_blocked(page).await
    }

    async fn count_blocked(&self) -> Result<usize, StoreError> {
        let count: Result<i64, _> = sqlx::query_scalar(COUNT_BLOCKED).fetch_one(&self.readers).await;
        Ok(usize::try_from(count.map_err(store_error)?).unwrap_or_default())
    }

    async fn posted(&self, table: TableId, item: &OutboxItem) -> Result<Option<Posted>, StoreError> {
        let row = sqlx::query(POSTED).bind(table.as_str().to_owned()).bind(item.key());
        let row = row.fetch_optional(&self.readers).await.map_err(store_error)?;
        let read =
            |row: &SqliteRow| Ok(Posted { table, channel: unsigned(row, 0)?, message: unsigned(row, 1)? });
        row.as_ref().map(read).transpose()
    }

    async fn message_before(&self, table: TableId, row: i64) -> Result<Option<MessageId>, StoreError> {
        outbox::message_before(&self.readers, table, row).await
    }

    async fn latest(&self, table: TableId, item: &OutboxItem) -> Result<Option<(i64, bool)>, StoreError> {
        let row = sqlx::query_as(LATEST).bind(table.as_str().to_owned()).bind(item.key());
        Ok(row.fetch_optional(&self.readers).await.map_err(store_error)?)
    }

    async fn table_of(&self, message: MessageId) -> Result<Option<TableId>, StoreError> {
        let row = sqlx::query(POSTED_ITEM)
            .bind(to_i64(message))
            .fetch_optional(&self.readers)
            .await
            .map_err(store_error)?;
        row.map(|row| table_id(&row, 0)).transpose()
    }

    async fn posted_item(
        &self,
        message: MessageId,
    ) -> Result<Option<(TableId, Option<OutboxItem>)>, StoreError> {
        let row = sqlx::query(POSTED_ITEM)
            .bind(to_i64(message))
            .fetch_optional(&self.readers)
            .await
            .map_err(store_error)?;
        let Some(row) = row else { return Ok(None) };
        let ply: Option<i64> = column(&row, 2)?;
        let board = ply.and_then(|ply| usize::try_from(ply).ok()).map(|ply| OutboxItem::Board { ply });
        let item = column::<Option<&str>>(&row, 1).ok().flatten();
        let item = item.and_then(|item| serde_json::from_str(item).ok());
        Ok(Some((table_id(&row, 0)?, item.or(board))))
    }

    async fn prune_outbox(&self, before: Timestamp, most: usize) -> Result<usize, StoreError> {
        self.prune(before, most).await
    }

    fn unreadable(&self) -> usize {
        self.unreadable.count()
    }

    async fn jobs(&self, page: PageRequest<TableId>) -> Result<Page<Job, TableId>, StoreError> {
        let rows = self.by_table(sqlx::query(lists::JOBS), page).await?;
        let read = |row: &SqliteRow| self.unreadable.skip("job", name(row, 0), read_job(row));
        page_of(&rows, page.limit, |row| table_id(row, 0), read)
    }

    async fn note(&self, key: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT value FROM notes WHERE key = ?";
        let row =
            sqlx::query(sql).bind(key.to_owned()).fetch_optional(&self.readers).await.map_err(store_error)?;
        // An unreadable note counts as absent: it is soon written again.
        Ok(row.and_then(|row| self.unreadable.skip("note", key, column(&row, 0))))
    }

    async fn store_note(&self, key: &str, value: &str) -> Result<(), StoreError> {
        if value.is_empty() {
            let row = sqlx::query("DELETE FROM notes WHERE key = ?").bind(key.to_owned());
            row.execute(&self.writer).await.map_err(store_error)?;
            return Ok(());
        }
        let sql = "INSERT INTO notes VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        sqlx::query(sql)
            .bind(key.to_owned())
            .bind(value.to_owned())
            .execute(&self.writer)
            .await
            .map_err(store_error)?;
        self.unreadable.repaired("note", key);
        Ok(())
    }

    async fn probe(&self) -> Result<(), StoreError> {
        // The probe commits, because a rollback would never reach the disk. It writes pages of its own,
        // because changing a row needs no free space.
        let mut transaction = self.writer.begin().await?;
        let sql = "INSERT INTO probe VALUES (1, 1, zeroblob(16384)) \
             ON CONFLICT (id) DO UPDATE SET probes = probes + 1, room = excluded.room";
        sqlx::query(sql).execute(&mut *transaction).await.map_err(store_error)?;
        sqlx::query("UPDATE probe SET room = NULL").execute(&mut *transaction).await.map_err(store_error)?;
        transaction.commit().await
    }

    fn follows(&self) -> &dyn Follows {
        self
    }

    fn preferences(&self) -> &dyn Preferences {
        self
    }

    fn share_links(&self) -> &dyn ShareLinks {
        self
    }

    fn annotations(&self) -> &dyn Annotations {
        self
    }

    fn web_sessions(&self) -> &dyn WebSessions {
        self
    }

    fn ratings(&self) -> &dyn Ratings {
        self
    }

    fn privacy(&self) -> &dyn Privacy {
        self
    }

    fn moderation(&self) -> &dyn ModerationStore {
        self
    }

    fn analyses(&self) -> &dyn AnalysisStore {
        self
    }
}
