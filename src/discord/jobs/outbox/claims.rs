//! The tables whose rows this process posts, if several processes share the store: each table is claimed as a whole, so
//! that its rows stay in order, and released when they are settled.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rookery_table::TableId;
use rookery_table::ports::{ClaimedTable, Cluster, StoreError};

use super::table_lanes::{LaneResult, TableLanes};
use super::{Outbox, Tenant};

/// A claim, and the number of the lease in which it was made.
#[derive(Clone, Copy)]
struct Held {
    claim: ClaimedTable,
    lease: u64,
}

/// The tables that this process has claimed.
#[derive(Clone, Default)]
pub(super) struct Claims {
    known: Arc<Mutex<HashMap<TableId, Held>>>,
    /// Whether there may be others, because the answer to a claim or a release was lost.
    may_have_more: Arc<AtomicBool>,
}

impl Claims {
    fn all(&self) -> MutexGuard<'_, HashMap<TableId, Held>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a process that ended may have posted rows of a table.
    pub(super) fn was_abandoned(&self, table: TableId) -> bool {
        self.all().get(&table).is_some_and(|held| held.claim.was_abandoned)
    }

    /// Gives up the claims whose answers were lost, so that this process or another one can have those tables.
    async fn drop_unknown(&self, cluster: &dyn Cluster) -> Result<(), StoreError> {
        if !self.may_have_more.load(Ordering::Relaxed) {
            return Ok(());
        }
        let known: Vec<TableId> = self.all().keys().copied().collect();
        cluster.drop_claims_except(&known).await?;
        self.may_have_more.store(false, Ordering::Relaxed);
        Ok(())
    }
}

impl Outbox {
    /// Claims tables for the lanes that are free; returns whether there may be more.
    pub(super) async fn claim(&self, cluster: &dyn Cluster, lanes: &mut TableLanes) -> Result<bool, String> {
        let most = lanes.free_places();
        if most == 0 {
            return Ok(false);
        }
        // Without a lease the claim could be lost before it is used.
        let Some(lease) = self.ctx.registry.lease() else { return Ok(false) };
        self.claims.drop_unknown(cluster).await.map_err(|error| error.to_string())?;
        let claimed = cluster.claim_due(most, &lanes.full_servers()).await;
        let claimed = claimed.map_err(|error| {
            self.claims.may_have_more.store(true, Ordering::Relaxed);
            error.to_string()
        })?;
        for claim in &claimed {
            self.claims.all().insert(claim.table, Held { claim: *claim, lease });
            lanes.wake(Tenant::of(claim.table, claim.guild), claim.table);
        }
        Ok(claimed.len() == most)
    }

    /// Whether this process certainly has a table. If it slept or the store did not answer, another one may have it by now.
    pub(super) fn has(&self, table: TableId) -> bool {
        if self.ctx.registry.cluster().is_none() {
            return true;
        }
        let lease = self.ctx.registry.lease();
        lease.is_some() && self.claims.all().get(&table).map(|held| held.lease) == lease
    }

    /// Forgets a claim that may be lost. If it is not, the table is given up before the next claim.
    pub(super) fn forget(&self, table: TableId) -> LaneResult {
        self.claims.all().remove(&table);
        self.claims.may_have_more.store(true, Ordering::Relaxed);
        LaneResult::Done
    }

    /// Releases a table after all its rows were settled. If it has new rows, it is claimed again in its turn.
    pub(super) async fn release(&self, table: TableId) -> LaneResult {
        let Some(cluster) = self.ctx.registry.cluster() else { return LaneResult::Done };
        // Removed before it is released, because once it is free it may be claimed again at any moment.
        let Some(held) = self.claims.all().remove(&table) else { return LaneResult::Done };
        if let Err(error) = cluster.release_due(table, held.claim.version).await {
            tracing::warn!(%table, %error, "a table of the outbox is released later");
            self.claims.may_have_more.store(true, Ordering::Relaxed);
        }
        LaneResult::Done
    }
}
