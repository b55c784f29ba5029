//! What the processes that use the database share besides the journal.

use std::time::Duration;

use async_trait::async_trait;
use sqlx::query;

use super::append::LAST_ENTRY;
use super::locks::{SHARDS, SOLO_TASKS};
use super::{Postgres, nul};
use crate::rows::{StoredRow, to_i64, unsigned};
use rookery_table::ports::{
    ClaimedTable, Cluster, LiveProcesses, ProcessRoles, ShardSession, SoloTask, StoreError, TableChange,
};
use rookery_table::{GuildId, TableId, millis};

/// A shard's session.
pub(super) const SHARD: &str = "SELECT session_id, url, seq, alive_ms FROM shards WHERE shard = $1";
/// Stores a shard's session.
pub(super) const PUT_SHARD: &str = "INSERT INTO shards (shard, session_id, url, seq, alive_ms) \
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT (shard) DO UPDATE SET session_id = excluded.session_id, \
     url = excluded.url, seq = excluded.seq, alive_ms = coalesce(excluded.alive_ms, shards.alive_ms)";
/// Reserves the next moment of a bucket; the milliseconds until then. Discord wants five seconds between two sessions.
pub(super) const RESERVE: &str = "INSERT INTO identify_slots VALUES ($1, clock_timestamp() + interval '5.2 s') \
     ON CONFLICT (bucket) DO UPDATE SET \
         free_at = greatest(identify_slots.free_at, clock_timestamp()) + interval '5.2 s' \
     RETURNING (extract(epoch FROM free_at - interval '5.2 s' - clock_timestamp()) * 1000)::bigint";

#[async_trait]
impl Cluster for Postgres {
    fn set_roles(&self, roles: ProcessRoles) {
        self.process.set_roles(roles);
    }

    async fn keep_alive(&self) -> Result<LiveProcesses, StoreError> {
        self.tell_alive().await
    }

    async fn next_change(&self) -> Result<TableChange, StoreError> {
        self.next_notification().await
    }

    async fn head(&self, table: TableId) -> Result<u64, StoreError> {
        let row = self.connections.row(query(LAST_ENTRY).bind(table.as_str().to_owned())).await?;
        row.map_or(Ok(0), |row| unsigned(&row, 0))
    }

    async fn claim_due(&self, most: usize, busy: &[GuildId]) -> Result<Vec<ClaimedTable>, StoreError> {
        self.claim_lanes(most, busy).await
    }

    async fn release_due(&self, table: TableId, version: i64) -> Result<Option<i64>, StoreError> {
        self.release_lane(table, version).await
    }

    async fn leads(&self, task: SoloTask) -> Result<bool, StoreError> {
        let number = SoloTask::ALL.iter().position(|known| *known == task).unwrap_or_default();
        self.take_lock(SOLO_TASKS, number as i32).await
    }

    async fn take_shard(&self, shard: u32) -> Result<Option<ShardSession>, StoreError> {
        if !self.take_lock(SHARDS, shard.cast_signed()).await? {
            return Ok(None);
        }
        let Some(row) = self.connections.row(query(SHARD).bind(i64::from(shard))).await? else {
            return Ok(Some(ShardSession::default()));
        };
        Ok(Some(ShardSession {
            id: nul::decode(row.text(0)?),
            url: nul::decode(row.text(1)?),
            seq: unsigned(&row, 2)?,
            alive_at: row.optional_integer(3)?.map(millis::timestamp),
        }))
    }

    fn has_shard(&self, shard: u32) -> bool {
        self.has_lock(SHARDS, shard.cast_signed())
    }

    async fn store_shard(&self, shard: u32, session: &ShardSession) -> Result<(), StoreError> {
        let alive_ms = session.alive_at.map(|alive_at| alive_at.as_millisecond());
        let row = query(PUT_SHARD).bind(i64::from(shard)).bind(nul::encode(&session.id));
        let row = row.bind(nul::encode(&session.url)).bind(to_i64(session.seq)).bind(alive_ms);
        self.connections.write(row).await.map(drop)
    }

    async fn release_shard(&self, shard: u32) -> Result<(), StoreError> {
        self.release_lock(SHARDS, shard.cast_signed()).await
    }

    async fn reserve_identify(&self, bucket: u32) -> Result<Duration, StoreError> {
        let mut transaction = self.connections.begin().await?;
        let row = transaction.row(query(RESERVE).bind(i64::from(bucket))).await?;
        transaction.commit().await?;
        let wait = row.map_or(Ok(0), |row| row.integer(0))?;
        Ok(Duration::from_millis(wait.try_into().unwrap_or_default()))
    }
}
