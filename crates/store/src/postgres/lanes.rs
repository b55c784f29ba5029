//! The tables with due outbox rows, and the processes that have claimed them.
//!
//! A table is claimed as a whole, because its rows are posted in order. A process claims it with `SKIP LOCKED`, so that
//! processes don't wait for each other, and has it until it releases it or ends ([`super::processes`]).

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use jiff::Timestamp;
use sqlx::postgres::PgRow;
use sqlx::{AssertSqlSafe, query};

use super::connections::Transaction;
use super::outbox::{PostedColumns, REQUEUE};
use super::rows::column;
use super::{Postgres, limit};
use crate::rows::{StoredRow, table_id, to_i64};
use rookery_table::ports::{CLAIMED_ROWS, ClaimedTable, Posted, StoreError};
use rookery_table::{ChannelId, GuildId, MessageId, TableId};

/// Notes that rows of a table are due.
pub(super) const PUT_LANE: &str = "INSERT INTO outbox_lanes (table_id, guild) VALUES ($1, $2) \
     ON CONFLICT (table_id) DO UPDATE SET version = outbox_lanes.version + 1";
/// Notes the tables whose rows are due and that nobody has noted: rows that were stored by another way.
pub(super) const PUT_MISSING_LANES: &str = "INSERT INTO outbox_lanes (table_id, guild) \
     SELECT due.table_id, coalesce(cards.guild, 0) FROM (SELECT DISTINCT table_id FROM outbox WHERE state = 0) due \
     LEFT JOIN cards USING (table_id) ON CONFLICT DO NOTHING";
/// Claims free tables for a process that the others know: of the servers after a given one, skipping from server to server
/// by the index, a few each. Returns a line for each of their first due rows, or one for a table without any. If the
/// condition `owned` does not hold, it claims nothing and says so.
///
/// The rows are those of the moment at which the statement begins. A table that was claimed and freed or got new rows
/// after that has another version, and is left for the next claim. So no row is read that was posted meanwhile, and a
/// version always belongs to the rows that come with it.
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
         chosen AS MATERIALIZED (SELECT lane.table_id, lane.version \
             FROM (SELECT guild FROM servers WHERE guild IS NOT NULL AND guild <> ALL ($4) LIMIT $3) server, \
             LATERAL (SELECT table_id, version FROM outbox_lanes WHERE process IS NULL AND guild = server.guild \
                      ORDER BY since LIMIT $5) lane LIMIT $3), \
         free AS (SELECT lane.table_id FROM outbox_lanes lane JOIN chosen USING (table_id) \
             WHERE lane.process IS NULL AND lane.version = chosen.version FOR UPDATE OF lane SKIP LOCKED), \
         claimed AS (UPDATE outbox_lanes SET process = $1 FROM free WHERE outbox_lanes.table_id = free.table_id \
             AND EXISTS (SELECT FROM processes WHERE process = $1 FOR KEY SHARE) \
             RETURNING outbox_lanes.table_id, guild, version, was_abandoned) \
         SELECT due.id, claimed.table_id, due.say, due.tries, due.due_since_ms, owned, guild, version, was_abandoned, \
             (SELECT sequence FROM events WHERE table_id = claimed.table_id ORDER BY sequence DESC LIMIT 1), \
             EXISTS (SELECT FROM follows WHERE table_id = claimed.table_id), edited.channel, edited.message \
         FROM owner LEFT JOIN claimed ON true \
         LEFT JOIN LATERAL (SELECT id, key, say, tries, due_since_ms FROM outbox \
             WHERE state = 0 AND table_id = claimed.table_id ORDER BY id LIMIT $6) AS due ON true \
         LEFT JOIN LATERAL (SELECT channel, message FROM outbox \
             WHERE table_id = claimed.table_id AND key = regexp_replace(due.key, '^strip-', 'board-') \
                 AND message IS NOT NULL ORDER BY id DESC LIMIT 1) AS edited ON true \
         ORDER BY due.id"
    )
}
/// Marks rows as posted, given as columns, and removes a claimed table unless rows were added or others are due. Returns
/// whether the condition `owned` holds, without which it does nothing, and whether the table is removed.
pub(super) fn release_sql(owned: &str) -> String {
    format!(
        "WITH owner AS MATERIALIZED (SELECT {owned} AS owned), \
         posted AS (UPDATE outbox SET state = 1, channel = item.channel, message = item.message \
             FROM unnest($4::bigint[], $5::bigint[], $6::bigint[]) AS item (id, channel, message) \
             WHERE outbox.id = item.id AND (SELECT owned FROM owner)), \
         released AS (DELETE FROM outbox_lanes \
             WHERE table_id = $1 AND process = $2 AND version = $3 AND (SELECT owned FROM owner) \
                 AND NOT EXISTS (SELECT FROM outbox WHERE state = 0 AND table_id = $1 AND id <> ALL ($4::bigint[])) \
             RETURNING 1) \
         SELECT owned, EXISTS (SELECT FROM released) FROM owner"
    )
}
/// Gives up a claimed table that has new rows. It waits behind the other tables of its server.
pub(super) const GIVE_BACK: &str = "UPDATE outbox_lanes \
     SET process = NULL, since = DEFAULT, was_abandoned = false, version = version + 1 WHERE table_id = $1 AND process = $2";
/// Gives up the claimed tables that the process does not know of. It may have posted a row of a table whose claim it
/// no longer trusted, without a note in the journal.
pub(super) const GIVE_BACK_UNKNOWN: &str = "UPDATE outbox_lanes \
     SET process = NULL, was_abandoned = true, version = version + 1 WHERE process = $1 AND table_id <> ALL ($2)";

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
            claim.bind(limit(most)).bind(busy.clone()).bind(MAX_PER_SERVER).bind(limit(CLAIMED_ROWS))
        };
        let mut rows = Vec::new();
        if self.is_row_current() {
            rows = self.connections.write_at_once(claim(&self.connections.owned())).await?;
        }
        let is_owned = rows.first().map(|row| column(row, 5)).transpose()?.unwrap_or(false);
        if !is_owned {
            // Beginning a transaction takes the database again.
            let mut transaction = self.connections.begin().await?;
            let session = self.restore_row(&mut transaction).await?;
            rows = transaction.rows(claim("TRUE")).await?;
            transaction.commit().await?;
            self.row_restored(session);
        }
        let mut claimed: BTreeMap<TableId, ClaimedTable> = BTreeMap::new();
        for row in &rows {
            // Without a free table there is one row, which has no table.
            if row.optional_text(1)?.is_some() {
                let read = claimed_table(row)?;
                claimed.entry(read.table).or_insert(read);
            }
        }
        let due: Vec<PgRow> =
            rows.into_iter().filter(|row| matches!(row.optional_integer(0), Ok(Some(_)))).collect();
        let edited: BTreeMap<i64, Posted> = due.iter().filter_map(edited_message).collect();
        for item in self.read_rows(&due).await {
            if let Some(claimed) = claimed.get_mut(&item.table) {
                let edited = edited.get(&item.id).copied();
                claimed.due.push((item, edited));
            }
        }
        let mut claimed: Vec<ClaimedTable> = claimed.into_values().collect();
        claimed.sort_by_key(|claimed| claimed.guild.map_or(0, to_i64));
        Ok(claimed)
    }

    pub(super) async fn release_lane(
        &self,
        table: TableId,
        version: i64,
        posted: &[(i64, Option<Posted>)],
    ) -> Result<bool, StoreError> {
        let (name, process) = (table.as_str().to_owned(), self.process.number);
        let columns = PostedColumns::of(posted);
        let release = |owned: &str| {
            let release =
                query(AssertSqlSafe(release_sql(owned))).bind(name.clone()).bind(process).bind(version);
            columns.bind(release)
        };
        let rows = self.connections.write_at_once(release(&self.connections.owned())).await?;
        let mut outcome: (bool, bool) = read_release(&rows)?;
        if !outcome.0 {
            // Beginning a transaction takes the database again.
            let mut transaction = self.connections.begin().await?;
            outcome = read_release(&transaction.rows(release("TRUE")).await?)?;
            transaction.commit().await?;
        }
        if outcome.1 {
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
    let guild = row.integer(6)?;
    Ok(ClaimedTable {
        table: table_id(row, 1)?,
        guild: (guild != 0).then(|| GuildId(guild.cast_unsigned())),
        version: row.integer(7)?,
        was_abandoned: column(row, 8)?,
        head: row.optional_integer(9)?.unwrap_or_default().cast_unsigned(),
        is_followed: column(row, 10)?,
        due: Vec::new(),
    })
}

/// Reads the number of a row and the message that it edits, if there is one.
fn edited_message(row: &PgRow) -> Option<(i64, Posted)> {
    let message = row.optional_integer(12).ok().flatten()?.cast_unsigned();
    let channel = row.integer(11).ok()?.cast_unsigned();
    let table = table_id(row, 1).ok()?;
    Some((row.integer(0).ok()?, Posted { table, channel: ChannelId(channel), message: MessageId(message) }))
}

/// Reads whether a release was carried out, and whether the table is released.
fn read_release(rows: &[PgRow]) -> Result<(bool, bool), StoreError> {
    let Some(row) = rows.first() else { return Ok((false, false)) };
    Ok((column(row, 0)?, column(row, 1)?))
}

#[cfg(test)]
mod tests {
    use sqlx::Connection;

    use super::*;
    use crate::contract_tests::postgres::server::Database;
    use crate::postgres::processes::FREE_LANES;

    /// A statement reads the rows before it locks the table. What others do in between is forced here: the condition of
    /// the claim waits for a lock that the test has.
    #[tokio::test]
    async fn table_that_changes_during_a_claim_is_left_for_the_next() {
        let Some(database) = Database::create().await else { return };
        database.run("INSERT INTO outbox_lanes (table_id, guild) VALUES ('KKK2', 7)").await;
        let owner = "INSERT INTO processes (process, session, name, gateway, seen_at) VALUES (7, 7, '', FALSE, now())";
        database.run(owner).await;
        let changes = [
            "UPDATE outbox_lanes SET process = 8".to_owned(),
            FREE_LANES.replace("$1", "8"),
            "UPDATE outbox_lanes SET version = version + 1".to_owned(),
        ];
        for change in [&changes[0..2], &changes[2..3], &[]] {
            let (mut holder, mut claimer) = (database.connect().await, database.connect().await);
            query("SELECT pg_advisory_lock(1)").execute(&mut holder).await.unwrap();
            let claiming = tokio::spawn(async move {
                let waits = "(SELECT pg_advisory_xact_lock(1) IS NOT NULL)";
                let claim = query(AssertSqlSafe(claim_sql(waits))).bind(7_i64).bind(i64::MIN).bind(9_i64);
                let claim = claim.bind(Vec::<i64>::new()).bind(4_i64).bind(8_i64);
                claim.fetch_all(&mut claimer).await.unwrap()
            });
            let waiting = "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted)";
            while !column::<bool>(&query(waiting).fetch_one(&mut holder).await.unwrap(), 0).unwrap() {
                tokio::task::yield_now().await;
            }
            for change in change {
                database.run(change.as_str()).await;
            }
            holder.close().await.unwrap();
            let rows = claiming.await.unwrap();
            let is_claimed = column::<Option<&str>>(&rows[0], 1).unwrap().is_some();
            assert_eq!(is_claimed, change.is_empty(), "{change:?}");
        }
    }
}
