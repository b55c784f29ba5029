//! What processes share, behind the same faults as the journal.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use rookery_table::ports::{
    AccessChange, CLAIMED_ROWS, ClaimedTable, Cluster, Hint, JobRunner, LeaderTask, LiveProcesses,
    PageRequest, Posted, ProcessInfo, RequestShare, ShardState, StoreError,
};
use rookery_table::{GuildId, TableId};

use super::{Disk, Journal};
use crate::leases::Lock;

/// The most rows of the outbox that are looked at for a claim.
const MAX_DUE: usize = 1_000;

async fn last_sequence(journal: &dyn Journal, table: TableId) -> Result<u64, StoreError> {
    Ok(journal.load(table).await?.last().map_or(0, |entry| entry.sequence))
}

async fn mark_all(journal: &dyn Journal, posted: &[(i64, Option<Posted>)]) -> Result<(), StoreError> {
    for (row, posted) in posted {
        journal.mark_posted(*row, *posted).await?;
    }
    Ok(())
}

/// A result that needs no journal.
async fn now<T>(result: impl FnOnce() -> T) -> Result<T, StoreError> {
    Ok(result())
}

#[async_trait]
impl Cluster for Disk {
    fn set_runs_gateway(&self, runs_gateway: bool) {
        self.world.leases.set_parts(self.member, Some(runs_gateway), None);
    }

    fn set_thinks(&self, thinks: bool) {
        self.world.leases.set_parts(self.member, None, Some(thinks));
    }

    fn set_roles(&self, _: &str) {}

    async fn processes(&self) -> Result<Vec<ProcessInfo>, StoreError> {
        Ok(Vec::new())
    }

    async fn keep_alive(&self) -> Result<LiveProcesses, StoreError> {
        self.call("keep_alive", now(|| self.world.leases.keep_alive(self.member))).await
    }

    async fn next_hint(&self) -> Result<Hint, StoreError> {
        loop {
            let hinted = self.world.leases.hinted.notified();
            if let Some(hint) = self.world.leases.next_hint(self.member) {
                return Ok(hint);
            }
            hinted.await;
        }
    }

    async fn head(&self, table: TableId) -> Result<u64, StoreError> {
        self.call("head", last_sequence(&*self.journal, table)).await
    }

    async fn take_request_share(&self, limit: u32, _: u32) -> Result<RequestShare, StoreError> {
        let share = || {
            let per_second = (limit / self.world.leases.gateways()).max(1);
            RequestShare { per_second, guaranteed: per_second }
        };
        self.call("take_request_share", now(share)).await
    }

    async fn announce_pause(&self, _: Duration) -> Result<(), StoreError> {
        Ok(())
    }

    async fn announce_access_change(&self, change: AccessChange) -> Result<(), StoreError> {
        let announced = now(|| self.world.leases.tell_others(self.member, Hint::AccessChanged(change)));
        self.call("announce_access_change", announced).await
    }

    async fn claim_due(&self, most: usize, busy: &[GuildId]) -> Result<Vec<ClaimedTable>, StoreError> {
        let claim = async {
            let due = self.journal.due_tables(0, MAX_DUE).await?;
            let mut claimed = self.world.leases.claim(self.member, &due, (most, busy));
            for claim in &mut claimed {
                for row in self.journal.due_at(claim.table, CLAIMED_ROWS).await? {
                    let edited = self.journal.posted(claim.table, &row.item.edited()).await?;
                    claim.due.push((row, edited));
                }
                claim.head = last_sequence(&*self.journal, claim.table).await?;
                let followers = self.journal.follows().followers(claim.table, PageRequest::first(1));
                claim.is_followed = !followers.await?.rows.is_empty();
            }
            Ok(claimed)
        };
        self.call("claim_due", claim).await
    }

    async fn mark_all_posted(&self, posted: &[(i64, Option<Posted>)]) -> Result<(), StoreError> {
        self.call("mark_all_posted", mark_all(&*self.journal, posted)).await
    }

    async fn release_due(
        &self,
        table: TableId,
        version: i64,
        posted: &[(i64, Option<Posted>)],
    ) -> Result<bool, StoreError> {
        let release = async {
            mark_all(&*self.journal, posted).await?;
            Ok(self.world.leases.release_table(self.member, table, version))
        };
        self.call("release_due", release).await
    }

    async fn drop_claims_except(&self, known: &[TableId]) -> Result<(), StoreError> {
        let leases = &self.world.leases;
        self.call("drop_claims_except", now(|| leases.drop_claims_except(self.member, known))).await
    }

    fn set_exhibition_pace(&self, _: Duration) {}

    async fn work(
        &self,
        most: usize,
        runner: Arc<dyn JobRunner>,
        stop: BoxFuture<'static, ()>,
    ) -> Result<(), StoreError> {
        self.world.leases.work(self.member, (most, runner), stop).await;
        Ok(())
    }

    async fn ask(&self, _: u64, request: &str) -> Result<i64, StoreError> {
        self.call("ask", now(|| self.world.leases.ask(request))).await
    }

    async fn request(&self, id: i64) -> Result<Option<String>, StoreError> {
        self.call("request", now(|| self.world.leases.request(id))).await
    }

    async fn answer(&self, id: i64, answer: &str) -> Result<(), StoreError> {
        self.call("answer", now(|| self.world.leases.answer(id, answer))).await
    }

    async fn take_answer(&self, id: i64) -> Result<Option<String>, StoreError> {
        self.call("take_answer", now(|| self.world.leases.take_answer(id))).await
    }

    async fn withdraw(&self, id: i64) -> Result<(), StoreError> {
        self.call("withdraw", now(|| self.world.leases.withdraw(id))).await
    }

    async fn leads(&self, task: LeaderTask) -> Result<bool, StoreError> {
        self.call("leads", now(|| self.world.leases.take(self.member, task.into()))).await
    }

    async fn take_shard(&self, shard: u32) -> Result<Option<ShardState>, StoreError> {
        let take = || {
            let leases = &self.world.leases;
            leases.take(self.member, Lock::Shard(shard)).then(|| leases.shard(shard))
        };
        self.call("take_shard", now(take)).await
    }

    fn has_shard(&self, shard: u32) -> bool {
        self.world.leases.has(self.member, Lock::Shard(shard))
    }

    async fn store_shard(&self, shard: u32, state: ShardState) -> Result<(), StoreError> {
        self.call("store_shard", now(|| self.world.leases.store_shard(shard, state))).await
    }

    async fn shards(&self) -> Result<Vec<(u32, ShardState)>, StoreError> {
        self.call("shards", now(|| self.world.leases.shards())).await
    }

    async fn release_shard(&self, shard: u32) -> Result<(), StoreError> {
        self.call("release_shard", now(|| self.world.leases.release(self.member, Lock::Shard(shard)))).await
    }

    async fn take_identify_slot(&self, bucket: u32) -> Result<Option<Duration>, StoreError> {
        let wait_ms = self.call("take_identify_slot", now(|| self.world.leases.take_identify_slot(bucket)));
        Ok(wait_ms.await?.map(|ms| Duration::from_millis(ms.unsigned_abs())))
    }
}
