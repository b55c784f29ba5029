//! The journal in a PostgreSQL database.
//!
//! Several processes may use the database. Their writes keep out of each other's way by [`locks`]; who does which work
//! is in [`processes`] and [`lanes`]. A command can have the database alone: [`owner`]. What happens when a connection
//! is lost is in [`connections`].

mod analyses;
mod annotations;
mod append;
pub(crate) mod chain;
mod change_notices;
mod cluster;
pub(crate) mod connections;
pub(crate) mod errors;
mod follows;
mod heads;
mod job_queue;
mod lanes;
pub(crate) mod limits;
mod lists;
pub(crate) mod locks;
mod moderation;
pub(crate) mod nul;
pub(crate) mod open;
mod outbox;
pub(crate) mod owner;
mod preferences;
mod privacy;
mod processes;
mod pruning;
mod pseudonyms;
#[cfg(unix)]
#[cfg(test)]
mod query_plan_tests;
mod ratings;
mod request_shares;
pub(crate) mod rows;
mod share_links;
mod thinking_requests;
mod web_sessions;

use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::postgres::PgRow;
use sqlx::query;

use crate::pages::{lowest_id, page_limit, page_of};
use crate::rows::{StoredRow, moment, name, read_card, read_job, read_link, table_id, to_i64, unsigned};
use crate::unreadable::UnreadableRows;
use connections::{Connections, Statement};
use rookery_table::hash_chain::HashChain;
use rookery_table::millis;
use rookery_table::moderation::ModerationStore;
use rookery_table::ports::{
    AfterFailure, AnalysisStore, Annotations, Batch, Card, Cluster, DueItem, DueTable, Entry, Filter,
    Follows, Job, Journal, OpenTables, Page, PageRequest, Posted, Preferences, Privacy, Ratings, ShareLinks,
    StoreError, WebSessions,
};
use rookery_table::{GuildId, MessageId, OutboxItem, TableId};
use rows::column;

pub use open::ServerReport;

/// A journal in a PostgreSQL database.
pub struct Postgres {
    connections: Connections,
    process: processes::Process,
    unreadable: UnreadableRows,
}

/// Writes to the row of the health check. Its content is stored anew each time, so that it needs space.
const PROBE: &str = "INSERT INTO probe (id, probes, room) VALUES (1, 1, convert_to(repeat('0', 16384), 'UTF8')) \
     ON CONFLICT (id) DO UPDATE SET probes = probe.probes + 1, room = excluded.room";

impl Postgres {
    /// Gives up what this process has claimed, and closes all connections once pending calls have ended.
    pub async fn close(&self) {
        if let Err(error) = self.leave().await {
            tracing::warn!(%error, "others take over when they notice that this process has ended");
        }
        self.connections.close().await;
    }

    /// Returns the connections, for tests.
    #[cfg(test)]
    pub(crate) fn connections(&self) -> &Connections {
        &self.connections
    }
}

/// Returns the most rows of a query as the server's number, which has a sign.
fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

#[async_trait]
impl Journal for Postgres {
    async fn append(&self, batch: &Batch) -> Result<(), StoreError> {
        self.append_batch(batch).await
    }

    async fn load(&self, table: TableId) -> Result<Vec<Entry>, StoreError> {
        let rows = self.connections.rows(query(chain::LINKS).bind(table.as_str().to_owned())).await?;
        let read = |row: &PgRow| {
            let link = read_link(table, row)?;
            let sequence = link.sequence;
            link.entry().map_err(|error| StoreError::Unreadable { table, sequence, why: error.to_string() })
        };
        let mut entries = rows.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        // Entries are written together with their pseudonyms, so all that were read are known now.
        let known = self.connections.rows(pseudonyms::of_table(table)).await?;
        pseudonyms::read(&known)?.reveal(&mut entries);
        Ok(entries)
    }

    async fn chain(&self, table: TableId) -> Result<HashChain, StoreError> {
        // Both queries see the same state: a write in between would look like a missing entry at the end.
        let mut snapshot = self.connections.begin_snapshot().await?;
        let chain = chain::chain_of(&mut snapshot, table).await?;
        snapshot.commit().await?;
        Ok(chain)
    }

    async fn list(
        &self,
        filter: &Filter,
        page: PageRequest<(Timestamp, TableId)>,
    ) -> Result<Page<Card, (Timestamp, TableId)>, StoreError> {
        let mut listing = lists::listing(filter, &page);
        let rows = self.connections.rows(listing.build()).await?;
        let key = |row: &PgRow| Ok((moment(row, 2)?, table_id(row, 1)?));
        page_of(&rows, page.limit, key, |row| self.fitting_card(filter, row))
    }

    async fn scan(
        &self,
        filter: &Filter,
        page: PageRequest<TableId>,
    ) -> Result<Page<Card, TableId>, StoreError> {
        let mut scanning = lists::scanning(filter, &page);
        let rows = self.connections.rows(scanning.build()).await?;
        page_of(&rows, page.limit, |row| table_id(row, 1), |row| self.fitting_card(filter, row))
    }

    async fn count_open(&self, which: OpenTables, most: usize) -> Result<usize, StoreError> {
        let (sql, id) = match which {
            OpenTables::HostedBy(who) => (lists::OPEN_BY_HOST, who.0),
            OpenTables::WaitingFor(who) => (lists::WAITING_BY_HOST, who.0),
            OpenTables::OnServer(guild) => (lists::OPEN_ON_SERVER, guild.0),
            OpenTables::Everywhere => (lists::OPEN, 0),
        };
        let mut row = query(sql);
        if which != OpenTables::Everywhere {
            row = row.bind(to_i64(id));
        }
        let row = row.bind(limit(most));
        Ok(usize::try_from(self.integer(row).await?).unwrap_or_default())
    }

    async fn servers_playing(
        &self,
        page: PageRequest<GuildId>,
    ) -> Result<Page<GuildId, GuildId>, StoreError> {
        self.ids(query(lists::PLAYING), page).await
    }

    async fn timers(
        &self,
        until: Timestamp,
        page: PageRequest<(Timestamp, TableId)>,
    ) -> Result<Page<(TableId, Timestamp), (Timestamp, TableId)>, StoreError> {
        let timers = query(lists::DUE_TIMERS)
            .bind(until.as_millisecond())
            .bind(page.after.map_or(i64::MIN, |(moment, _)| moment.as_millisecond()))
            .bind(page.after.map(|(_, table)| table.as_str().to_owned()).unwrap_or_default())
            .bind(page_limit(page.limit));
        let rows = self.connections.rows(timers).await?;
        let due = |row: &PgRow| Ok((table_id(row, 0)?, moment(row, 1)?));
        let key = |row: &PgRow| due(row).map(|(table, moment)| (moment, table));
        page_of(&rows, page.limit, key, |row| self.unreadable.skip("card", name(row, 0), due(row)))
    }

    async fn owing_proof(
        &self,
        page: PageRequest<TableId>,
    ) -> Result<Page<(TableId, usize), TableId>, StoreError> {
        let rows = self.by_table(query(lists::OWING_PROOF), page).await?;
        let owing = |row: &PgRow| Ok((table_id(row, 0)?, unsigned::<u64>(row, 1)? as usize));
        let read = |row: &PgRow| self.unreadable.skip("card", name(row, 0), owing(row));
        page_of(&rows, page.limit, |row| table_id(row, 0), read)
    }

    async fn due(&self, after: i64, most: usize) -> Result<Vec<DueItem>, StoreError> {
        self.readable_due(after, most).await
    }

    async fn due_tables(&self, after: i64, most: usize) -> Result<Vec<DueTable>, StoreError> {
        self.tables_of_due(after, most).await
    }

    async fn last_row(&self) -> Result<i64, StoreError> {
        self.integer(query(outbox::LAST_ROW)).await
    }

    async fn due_at(&self, table: TableId, most: usize) -> Result<Vec<DueItem>, StoreError> {
        self.readable_due_at(table, most).await
    }

    async fn oldest_due(&self) -> Result<Option<Timestamp>, StoreError> {
        let row = self.connections.row(query(outbox::OLDEST_DUE)).await?;
        let oldest = row.map(|row| row.optional_integer(0)).transpose()?.flatten();
        Ok(oldest.map(millis::timestamp))
    }

    async fn mark_posted(&self, id: i64, posted: Option<Posted>) -> Result<(), StoreError> {
        self.mark_rows_posted(&[(id, posted)]).await
    }

    async fn mark_failed(&self, id: i64, why: &str, after_failure: AfterFailure) -> Result<(), StoreError> {
        let state: i64 = match after_failure {
            AfterFailure::Retry => 0,
            AfterFailure::GivenUp => 2,
            AfterFailure::Blocked => 3,
            AfterFailure::Unreadable => 4,
        };
        let row = query(outbox::MARK_FAILED).bind(id).bind(nul::encode(why)).bind(state);
        self.connections.write(row).await?;
        Ok(())
    }

    async fn requeue(&self, id: i64, now: Timestamp) -> Result<(), StoreError> {
        self.requeue_row(id, now).await
    }

    async fn blocked_items(&self, page: PageRequest<i64>) -> Result<Page<DueItem, i64>, StoreError> {
        self.page_of_blocked(page).await
    }

    async fn count_blocked(&self) -> Result<usize, StoreError> {
        Ok(usize::try_from(self.integer(query(outbox::COUNT_BLOCKED)).await?).unwrap_or_default())
    }

    async fn posted(&self, table: TableId, item: &OutboxItem) -> Result<Option<Posted>, StoreError> {
        let row = query(outbox::POSTED).bind(table.as_str().to_owned()).bind(nul::encode(&item.key()));
        let row = self.connections.row(row).await?;
        let read =
            |row: PgRow| Ok(Posted { table, channel: unsigned(&row, 0)?, message: unsigned(&row, 1)? });
        row.map(read).transpose()
    }

    async fn message_before(&self, table: TableId, row: i64) -> Result<Option<MessageId>, StoreError> {
        let latest = query(outbox::MESSAGE_BEFORE).bind(table.as_str().to_owned()).bind(row);
        let latest = self.connections.row(latest).await?;
        let latest = latest.map(|row| row.optional_integer(0)).transpose()?.flatten();
        Ok(latest.map(i64::cast_unsigned).map(MessageId))
    }

    async fn latest(&self, table: TableId, item: &OutboxItem) -> Result<Option<(i64, bool)>, StoreError> {
        let row = query(outbox::LATEST).bind(table.as_str().to_owned()).bind(nul::encode(&item.key()));
        let row = self.connections.row(row).await?;
        row.map(|row| Ok((row.integer(0)?, column(&row, 1)?))).transpose()
    }

    async fn table_of(&self, message: MessageId) -> Result<Option<TableId>, StoreError> {
        let row = self.connections.row(query(outbox::POSTED_ITEM).bind(to_i64(message))).await?;
        row.map(|row| table_id(&row, 0)).transpose()
    }

    async fn posted_item(
        &self,
        message: MessageId,
    ) -> Result<Option<(TableId, Option<OutboxItem>)>, StoreError> {
        let row = self.connections.row(query(outbox::POSTED_ITEM).bind(to_i64(message))).await?;
        let Some(row) = row else { return Ok(None) };
        let ply = row.optional_integer(2)?;
        let board = ply.and_then(|ply| usize::try_from(ply).ok()).map(|ply| OutboxItem::Board { ply });
        let item = row.optional_text(1).ok().flatten();
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
        let rows = self.by_table(query(lists::JOBS), page).await?;
        let read = |row: &PgRow| self.unreadable.skip("job", name(row, 0), read_job(row));
        page_of(&rows, page.limit, |row| table_id(row, 0), read)
    }

    async fn note(&self, key: &str) -> Result<Option<String>, StoreError> {
        let row = query("SELECT value FROM notes WHERE key = $1").bind(nul::encode(key));
        let row = self.connections.row(row).await?;
        row.map(|row| row.text(0).map(nul::decode)).transpose()
    }

    async fn store_note(&self, key: &str, value: &str) -> Result<(), StoreError> {
        let stored = nul::encode(key);
        let row = match value {
            "" => query("DELETE FROM notes WHERE key = $1").bind(stored),
            _ => {
                let sql = "INSERT INTO notes VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
                query(sql).bind(stored).bind(nul::encode(value))
            }
        };
        self.connections.write(row).await?;
        Ok(())
    }

    async fn probe(&self) -> Result<(), StoreError> {
        // Every few seconds, which also keeps routers from forgetting a connection that says nothing.
        self.connections.keep_ownership().await?;
        self.connections.write(query(PROBE)).await?;
        Ok(())
    }

    fn cluster(&self) -> Option<&dyn Cluster> {
        Some(self)
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

impl Postgres {
    /// Returns a page of ids: `sql` has the lowest one and the limit as its last parameters.
    async fn ids<T: From<u64> + Into<u64>>(
        &self,
        sql: Statement<'_>,
        page: PageRequest<T>,
    ) -> Result<Page<T, T>, StoreError> {
        let Some(lowest) = lowest_id(page.after) else { return Ok(Page::end()) };
        let rows = self.connections.rows(sql.bind(lowest).bind(page_limit(page.limit))).await?;
        page_of(&rows, page.limit, |row| unsigned(row, 0), |row| unsigned(row, 0).ok())
    }

    /// Returns the rows of a page by table: `sql` has the last table and the limit as its last parameters.
    async fn by_table(
        &self,
        sql: Statement<'_>,
        page: PageRequest<TableId>,
    ) -> Result<Vec<PgRow>, StoreError> {
        let after = page.after.map_or(String::new(), |table| table.as_str().to_owned());
        self.connections.rows(sql.bind(after).bind(page_limit(page.limit))).await
    }

    /// Reads a card. For a person it fits only if they have not left the table.
    fn fitting_card(&self, filter: &Filter, row: &PgRow) -> Option<Card> {
        let card = self.unreadable.skip("card", name(row, 1), read_card(row))?;
        filter.person.is_none_or(|who| card.has(who)).then_some(card)
    }

    /// Returns the only number of a query.
    async fn integer(&self, statement: Statement<'_>) -> Result<i64, StoreError> {
        let row = self.connections.row(statement).await?;
        row.ok_or_else(|| StoreError::Backend("the database returned no row".into()))?.integer(0)
    }
}
