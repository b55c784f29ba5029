//! What the processes that use the database share besides the journal.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use sqlx::postgres::PgRow;
use sqlx::query;

use super::Postgres;
use super::locks::{LEADER_TASKS, SHARDS};
use super::rows::column;
use crate::rows::StoredRow;
use rookery_table::ports::{
    AccessChange, ClaimedTable, Cluster, GatewaySession, Hint, JobRunner, LeaderTask, LiveProcesses, Posted,
    ProcessInfo, RequestShare, ShardState, StoreError,
};
use rookery_table::{GuildId, TableId, millis};

/// What is known of a shard.
pub(super) const SHARD: &str =
    "SELECT shard, total, alive_ms, session_id, session_url, sequence FROM shards WHERE shard = $1";
/// What is known of all shards.
pub(super) const ALL_SHARDS: &str =
    "SELECT shard, total, alive_ms, session_id, session_url, sequence FROM shards ORDER BY shard";
/// Stores what is known of a shard.
pub(super) const PUT_SHARD: &str = "INSERT INTO shards (shard, total, alive_ms, session_id, session_url, sequence) \
         VALUES ($1, $2, $3, $4, $5, $6) \
     ON CONFLICT (shard) DO UPDATE SET total = excluded.total, \
         alive_ms = coalesce(excluded.alive_ms, shards.alive_ms), session_id = excluded.session_id, \
         session_url = excluded.session_url, sequence = excluded.sequence";
/// Takes the present moment of a bucket, unless another session took one lately; the milliseconds to wait then, or
/// nothing. A moment is never taken in advance, since a process that ends would keep it. Discord wants five seconds
/// between two sessions.
pub(super) const TAKE_SLOT: &str = "WITH taken AS (\
         INSERT INTO identify_slots VALUES ($1, clock_timestamp() + interval '5.2 s') \
         ON CONFLICT (bucket) DO UPDATE SET free_at = excluded.free_at \
             WHERE identify_slots.free_at <= clock_timestamp() \
         RETURNING bucket) \
     SELECT (extract(epoch FROM free_at - clock_timestamp()) * 1000)::bigint FROM identify_slots \
     WHERE bucket = $1 AND NOT EXISTS (SELECT FROM taken)";

/// The shortest time after which a process asks again for a slot, in milliseconds.
const MIN_SLOT_WAIT_MS: i64 = 20;

#[async_trait]
impl Cluster for Postgres {
    fn set_runs_gateway(&self, runs_gateway: bool) {
        self.process.runs_gateway.store(runs_gateway, Ordering::Relaxed);
    }

    fn set_thinks(&self, thinks: bool) {
        self.process.thinks.store(thinks, Ordering::Relaxed);
    }

    fn set_roles(&self, roles: &str) {
        self.process.set_roles(roles);
    }

    async fn processes(&self) -> Result<Vec<ProcessInfo>, StoreError> {
        self.known_processes().await
    }

    async fn keep_alive(&self) -> Result<LiveProcesses, StoreError> {
        self.record_heartbeat().await
    }

    async fn next_hint(&self) -> Result<Hint, StoreError> {
        self.next_notification().await
    }

    async fn head(&self, table: TableId) -> Result<u64, StoreError> {
        self.process.heads.head(table, &self.connections).await
    }

    async fn take_request_share(&self, limit: u32, wanted: u32) -> Result<RequestShare, StoreError> {
        self.take_share(limit, wanted).await
    }

    async fn announce_pause(&self, pause: Duration) -> Result<(), StoreError> {
        self.connections.write(self.process.pause_notice(pause)).await.map(drop)
    }

    async fn announce_access_change(&self, change: AccessChange) -> Result<(), StoreError> {
        self.connections.write(self.process.access_notice(change)).await.map(drop)
    }

    async fn claim_due(&self, most: usize, busy: &[GuildId]) -> Result<Vec<ClaimedTable>, StoreError> {
        self.claim_lanes(most, busy).await
    }

    async fn mark_all_posted(&self, posted: &[(i64, Option<Posted>)]) -> Result<(), StoreError> {
        self.mark_rows_posted(posted).await
    }

    async fn release_due(
        &self,
        table: TableId,
        version: i64,
        posted: &[(i64, Option<Posted>)],
    ) -> Result<bool, StoreError> {
        self.release_lane(table, version, posted).await
    }

    async fn drop_claims_except(&self, known: &[TableId]) -> Result<(), StoreError> {
        self.give_back_lanes_except(known).await
    }

    fn set_exhibition_pace(&self, pace: Duration) {
        let pace_ms = u64::try_from(pace.as_millis()).unwrap_or(u64::MAX);
        self.process.exhibition_pace_ms.store(pace_ms, Ordering::Relaxed);
    }

    async fn work(
        &self,
        most: usize,
        runner: Arc<dyn JobRunner>,
        stop: BoxFuture<'static, ()>,
    ) -> Result<(), StoreError> {
        self.do_jobs(most, runner, stop).await
    }

    async fn ask(&self, owner: u64, request: &str) -> Result<i64, StoreError> {
        self.add_request(owner, request).await
    }

    async fn request(&self, id: i64) -> Result<Option<String>, StoreError> {
        self.waiting_request(id).await
    }

    async fn answer(&self, id: i64, answer: &str) -> Result<(), StoreError> {
        self.store_answer(id, answer).await
    }

    async fn take_answer(&self, id: i64) -> Result<Option<String>, StoreError> {
        self.remove_answer(id).await
    }

    async fn withdraw(&self, id: i64) -> Result<(), StoreError> {
        self.remove_request(id).await
    }

    async fn leads(&self, task: LeaderTask) -> Result<bool, StoreError> {
        let number = LeaderTask::ALL.iter().position(|known| *known == task).unwrap_or_default();
        self.take_lock(LEADER_TASKS, number as i32).await
    }

    async fn take_shard(&self, shard: u32) -> Result<Option<ShardState>, StoreError> {
        if !self.take_lock(SHARDS, shard.cast_signed()).await? {
            return Ok(None);
        }
        let row = self.connections.row(query(SHARD).bind(i64::from(shard))).await?;
        row.map_or(Ok(Some(ShardState::default())), |row| read_shard(&row).map(|(_, state)| Some(state)))
    }

    async fn shards(&self) -> Result<Vec<(u32, ShardState)>, StoreError> {
        self.connections.rows(query(ALL_SHARDS)).await?.iter().map(read_shard).collect()
    }

    fn has_shard(&self, shard: u32) -> bool {
        self.has_lock(SHARDS, shard.cast_signed())
    }

    async fn store_shard(&self, shard: u32, state: ShardState) -> Result<(), StoreError> {
        let alive_ms = state.alive_at.map(|alive_at| alive_at.as_millisecond());
        let session = state.session.as_ref();
        let row = query(PUT_SHARD)
            .bind(i64::from(shard))
            .bind(i64::from(state.total))
            .bind(alive_ms)
            .bind(session.map(|session| session.id.clone()))
            .bind(session.and_then(|session| session.url.clone()))
            .bind(session.map(|session| session.sequence.cast_signed()));
        self.connections.write(row).await.map(drop)
    }

    async fn release_shard(&self, shard: u32) -> Result<(), StoreError> {
        self.release_lock(SHARDS, shard.cast_signed()).await
    }

    async fn take_identify_slot(&self, bucket: u32) -> Result<Option<Duration>, StoreError> {
        let mut transaction = self.connections.begin().await?;
        let row = transaction.row(query(TAKE_SLOT).bind(i64::from(bucket))).await?;
        transaction.commit().await?;
        let Some(row) = row else { return Ok(None) };
        // At least a moment, so that nobody asks in a hot loop.
        let wait = row.integer(0)?.max(MIN_SLOT_WAIT_MS);
        Ok(Some(Duration::from_millis(wait.try_into().unwrap_or_default())))
    }
}

fn read_shard(row: &PgRow) -> Result<(u32, ShardState), StoreError> {
    let small = |at| row.integer(at).map(|number| u32::try_from(number).unwrap_or_default());
    let alive_at = row.optional_integer(2)?.map(millis::timestamp);
    let (id, url): (Option<String>, Option<String>) = (column(row, 3)?, column(row, 4)?);
    let sequence: Option<i64> = column(row, 5)?;
    let session =
        id.zip(sequence).map(|(id, sequence)| GatewaySession { id, url, sequence: sequence.cast_unsigned() });
    Ok((small(0)?, ShardState { total: small(1)?, alive_at, session }))
}
