//! The tables with due outbox rows, and the processes that have claimed them.
//!
//! A table is claimed as a whole, because its rows are posted in order. A process claims it with `SKIP LOCKED`, so that
//! processes don't wait for each other, and has it until it releases it or ends ([`super::processes`]).

use std::sync::atomic::Ordering;

use jiff::Timestamp;
use sqlx::postgres::PgRow;
use sqlx::{AssertSqlSafe, query};

use super::connections::Transaction;
use super::outbox::REQUEUE;
use super::rows::column;
use super::{Postgres, limit};
use crate::rows::{StoredRow, table_id, to_i64};
use rookery_table::ports::{ClaimedTable, StoreError};
use rookery_table::{GuildId, TableId};

/// Notes that rows of a table are due.
pub(super) const PUT_LANE: &str = "INSERT INTO outbox_lanes (table_id, guild) VALUES ($1, $2) \
     ON CONFLICT (table_id) DO UPDATE SET version = outbox_lanes.version + 1";
/// Notes the tables whose rows are due and that nobody has noted: rows that were stored by another way.
pub(super) const PUT_MISSING_LANES: &str = "INSERT INTO outbox_lanes (table_id, guild) \
     SELECT due.table_id, coalesce(cards.guild, 0) FROM (SELECT DISTINCT table_id FROM outbox WHERE state = 0) due \
     LEFT JOIN cards USING (table_id) ON CONFLICT DO NOTHING";
/// Claims free tables for a process that the others know: of the servers after a given one, skipping from server to server
/// by the index, a few each. If the condition `owned` does not hold, it claims nothing and the first column is false.
pub(super) fn claim_sql(owned: &str) -> String {
    format!(
        "WITH RECURSIVE owner AS MATERIALIZED (SELECT {owned} AS owned), \
         servers AS ( \
             (SELECT guild FROM outbox_lanes \
              WHERE (SELECT owned FROM owner) AND process IS NULL AND guild > $2 ORDER BY guild LIMIT 1) \
             UNION ALL \
             SELECT (SELECT next.guild FROM outbox_lanes next WHERE process IS NULL AND next.guild > servers.guild \
                     ORDER BY next.guild LIMIT 1) \
             FROM servers WHERE servers.guild IS NOT NULL), \
         chosen AS (SELECT lane.table_id \
             FROM (SELECT guild FROM servers WHERE guild IS NOT NULL AND guild <> ALL ($4) LIMIT $3) server, \
             LATERAL (SELECT table_id FROM outbox_lanes WHERE process IS NULL AND guild = server.guild \
                      ORDER BY since LIMIT $5) lane LIMIT $3), \
         free AS (SELECT table_id FROM outbox_lanes \
             WHERE table_id IN (SELECT table_id FROM chosen) AND process IS NULL FOR UPDATE SKIP LOCKED), \
         claimed AS (UPDATE outbox_lanes SET process = $1 FROM free WHERE outbox_lanes.table_id = free.table_id \
             AND EXISTS (SELECT FROM processes WHERE process = $1 FOR KEY SHARE) \
             RETURNING outbox_lanes.table_id, guild, version, was_abandoned) \
         SELECT owned, claimed.* FROM owner LEFT JOIN claimed ON true"
    )
}
/// Removes a claimed table whose rows are settled, unless there are new ones.
pub(super) fn release_sql(owned: &str) -> String {
    format!(
        "DELETE FROM outbox_lanes WHERE table_id = $1 AND process = $2 AND version = $3 AND {owned} RETURNING 1"
    )
}
/// Gives up a claimed table that has new rows. It waits behind the other tables of its server.
pub(super) const GIVE_BACK: &str = "UPDATE outbox_lanes SET process = NULL, since = DEFAULT, was_abandoned = false \
     WHERE table_id = $1 AND process = $2";
/// Gives up the claimed tables that the process does not know of. It may have posted a row of a table whose claim it
/// no longer trusted, without a note in the journal.
pub(super) const GIVE_BACK_UNKNOWN: &str = "UPDATE outbox_lanes SET process = NULL, was_abandoned = true \
     WHERE process = $1 AND table_id <> ALL ($2)";

/// The most tables of one server in one claim.
const MAX_PER_SERVER: i64 = 4;

/// Notes that rows of a table are due, as a part of the transaction that adds them.
pub(super) async fn put_lane(
    to: &mut Transaction,
    table: TableId,
    guild: Option<GuildId>,
) -> Result<(), StoreError> {
    let row = query(PUT_LANE).bind(table.as_str().to_owned()).bind(guild.map_or(0, to_i64));
    to.write(row).await.map(drop)
}

impl Postgres {
    /// Queues a row again that waits for a permission, with its table.
    pub(super) async fn requeue_row(&self, id: i64, now: Timestamp) -> Result<(), StoreError> {
        let mut transaction = self.connections.begin().await?;
        let rows = transaction.rows(query(REQUEUE).bind(id).bind(now.as_millisecond())).await?;
        if let Some(row) = rows.first() {
            let guild = row.optional_integer(1)?.map(|guild| GuildId(guild.cast_unsigned()));
            put_lane(&mut transaction, table_id(row, 0)?, guild).await?;
        }
        transaction.commit().await
    }

    pub(super) async fn claim_lanes(
        &self,
        most: usize,
        busy: &[GuildId],
    ) -> Result<Vec<ClaimedTable>, StoreError> {
        let last_server = &self.process.last_server;
        let after = last_server.load(Ordering::Relaxed);
        let mut claimed = self.claim_after(after, most, busy).await?;
        if claimed.len() < most && after != i64::MIN {
            claimed.extend(self.claim_after(i64::MIN, most - claimed.len(), busy).await?);
        }
        // With room left, no server waits behind another.
        let last = claimed.last().filter(|_| claimed.len() == most);
        let last = last.map_or(i64::MIN, |last| last.guild.map_or(0, to_i64));
        last_server.store(last, Ordering::Relaxed);
        Ok(claimed)
    }

    async fn claim_after(
        &self,
        after: i64,
        most: usize,
        busy: &[GuildId],
    ) -> Result<Vec<ClaimedTable>, StoreError> {
        let busy: Vec<i64> = busy.iter().map(|guild| to_i64(*guild)).collect();
        let claim = |owned: &str| {
            let claim = query(AssertSqlSafe(claim_sql(owned))).bind(self.process.number).bind(after);
            claim.bind(limit(most)).bind(busy.clone()).bind(MAX_PER_SERVER)
        };
        let mut rows = Vec::new();
        if self.is_row_current() {
            rows = self.connections.write_at_once(claim(&self.connections.owned())).await?;
        }
        let is_owned = rows.first().map(|row| column(row, 0)).transpose()?.unwrap_or(false);
        if !is_owned {
            // Beginning a transaction takes the database again.
            let mut transaction = self.connections.begin().await?;
            let session = self.restore_row(&mut transaction).await?;
            rows = transaction.rows(claim("TRUE")).await?;
            transaction.commit().await?;
            self.row_restored(session);
        }
        let mut claimed: Vec<ClaimedTable> = Vec::new();
        for row in &rows {
            // Without a free table there is one row, which has no table.
            if column::<Option<&str>>(row, 1)?.is_some() {
                claimed.push(claimed_table(row)?);
            }
        }
        claimed.sort_by_key(|claimed| claimed.guild.map_or(0, to_i64));
        Ok(claimed)
    }

    pub(super) async fn release_lane(&self, table: TableId, version: i64) -> Result<bool, StoreError> {
        let (name, process) = (table.as_str().to_owned(), self.process.number);
        let released = query(AssertSqlSafe(release_sql(&self.connections.owned())));
        let released = released.bind(name.clone()).bind(process).bind(version);
        if !self.connections.write_at_once(released).await?.is_empty() {
            return Ok(false);
        }
        Ok(self.connections.write(query(GIVE_BACK).bind(name).bind(process)).await? > 0)
    }

    pub(super) async fn give_back_lanes_except(&self, known: &[TableId]) -> Result<(), StoreError> {
        let known: Vec<String> = known.iter().map(|table| table.as_str().to_owned()).collect();
        let given_back = query(GIVE_BACK_UNKNOWN).bind(self.process.number).bind(known);
        self.connections.write(given_back).await.map(drop)
    }
}

fn claimed_table(row: &PgRow) -> Result<ClaimedTable, StoreError> {
    let guild = row.integer(2)?;
    Ok(ClaimedTable {
        table: table_id(row, 1)?,
        guild: (guild != 0).then(|| GuildId(guild.cast_unsigned())),
        version: row.integer(3)?,
        was_abandoned: column(row, 4)?,
    })
}
