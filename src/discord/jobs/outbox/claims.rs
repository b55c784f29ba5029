//! The tables whose rows this process posts, if several processes share the store: each table is claimed as a whole, so
//! that its rows stay in order, and released when they are settled.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rookery_table::ports::{ClaimedTable, Cluster, DueItem, Posted, StoreError};
use rookery_table::{OutboxItem, TableId};
use tokio::time::Instant;

use super::table_lanes::{LaneResult, TableLanes};
use super::{Outbox, Tenant, UnmarkedRow};

/// How long what came with a claim counts as the state of the table. Another process may change it meanwhile.
const FRESH: Duration = Duration::from_secs(1);

/// A claim, when it was made, and the number of the lease.
struct Held {
    claim: ClaimedTable,
    made_at: Instant,
    /// The rows that came with it, until they are taken.
    rows: Option<Vec<DueItem>>,
    /// The latest messages of these keys.
    messages: HashMap<String, Option<Posted>>,
    lease: u64,
}

impl Held {
    fn new(mut claim: ClaimedTable, made_at: Instant, lease: u64) -> Held {
        let (mut rows, mut messages) = (Vec::new(), HashMap::new());
        for (row, posted) in std::mem::take(&mut claim.due) {
            messages.insert(row.item.edited().key(), posted);
            rows.push(row);
        }
        Held { claim, made_at, rows: Some(rows), messages, lease }
    }

    fn is_fresh(&self) -> bool {
        self.made_at.elapsed() < FRESH
    }
}

/// The tables that this process has claimed.
#[derive(Clone, Default)]
pub(super) struct Claims {
    known: Arc<Mutex<HashMap<TableId, Held>>>,
    /// Whether there may be others, because the answer to a claim or a release was lost.
    may_have_more: Arc<AtomicBool>,
    /// Whether the last claim left tables because there was no room, or one that was released has new rows.
    left_some: Arc<AtomicBool>,
}

impl Claims {
    fn all(&self) -> MutexGuard<'_, HashMap<TableId, Held>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a process that ended may have posted rows of a table.
    pub(super) fn was_abandoned(&self, table: TableId) -> bool {
        self.all().get(&table).is_some_and(|held| held.claim.was_abandoned)
    }

    /// Takes the due rows that came with the claim of a table. `None` if they were taken, because some may be settled by
    /// now, or if that was a while ago: what a deleted person said may have been changed.
    pub(super) fn take_rows(&self, table: TableId) -> Option<Vec<DueItem>> {
        let mut all = self.all();
        let held = all.get_mut(&table)?;
        held.rows.take().filter(|_| held.is_fresh())
    }

    /// Returns the message that was posted for an item, if that came with the claim of the table a moment ago.
    pub(super) fn posted(&self, table: TableId, item: &OutboxItem) -> Option<Option<Posted>> {
        let all = self.all();
        let held = all.get(&table).filter(|held| held.is_fresh())?;
        held.messages.get(&item.key()).copied()
    }

    /// Notes that a row was posted.
    pub(super) fn note_posted(&self, row: &DueItem, posted: Posted) {
        if let Some(held) = self.all().get_mut(&row.table) {
            held.messages.insert(row.item.key(), Some(posted));
        }
    }

    /// Returns the latest entry of a table and whether people follow it, if it was claimed a moment ago.
    pub(super) fn seen(&self, table: TableId) -> Option<(u64, bool)> {
        let all = self.all();
        let held = all.get(&table).filter(|held| held.is_fresh())?;
        Some((held.claim.head, held.claim.is_followed))
    }

    /// Whether there may be tables to claim without a new row.
    pub(super) fn left_some(&self) -> bool {
        self.left_some.load(Ordering::Relaxed) || self.may_have_more.load(Ordering::Relaxed)
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
        // Until this has succeeded, every event is a reason to try again.
        self.claims.left_some.store(true, Ordering::Relaxed);
        let most = lanes.free_places();
        if most == 0 {
            return Ok(false);
        }
        // Without a lease the claim could be lost before it is used.
        let Some(lease) = self.ctx.registry.lease() else { return Ok(false) };
        self.claims.drop_unknown(cluster).await.map_err(|error| error.to_string())?;
        let full = lanes.full_servers();
        // A table that is released while this claims has stored its own note.
        self.claims.left_some.store(false, Ordering::Relaxed);
        let made_at = Instant::now();
        let claimed = cluster.claim_due(most, &full).await;
        let claimed = claimed.map_err(|error| {
            self.claims.may_have_more.store(true, Ordering::Relaxed);
            error.to_string()
        })?;
        let is_full = claimed.len() == most;
        if is_full || !full.is_empty() {
            self.claims.left_some.store(true, Ordering::Relaxed);
        }
        for claim in claimed {
            let (table, tenant) = (claim.table, Tenant::of(claim.table, claim.guild));
            self.claims.all().insert(table, Held::new(claim, made_at, lease));
            lanes.wake(tenant, table);
        }
        Ok(is_full)
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

    /// Releases a table after all its rows were settled, and marks those that are not marked. If it has new rows, it is
    /// claimed again in its turn. If the rows cannot be marked, they are due again, and this process or another one finds
    /// that they are posted.
    pub(super) async fn release(&self, table: TableId, mut unmarked: Vec<UnmarkedRow>) -> LaneResult {
        let Some(cluster) = self.ctx.registry.cluster() else { return LaneResult::Done };
        // Removed before it is released, because once it is free it may be claimed again at any moment.
        let Some(held) = self.claims.all().remove(&table) else {
            self.mark(&mut unmarked).await;
            return LaneResult::Done;
        };
        let posted = UnmarkedRow::marks(&unmarked);
        match cluster.release_due(table, held.claim.version, &posted).await {
            Ok(has_more) => {
                unmarked.iter().for_each(|unmarked| self.attempts.settled(&unmarked.row));
                self.claims.left_some.fetch_or(has_more, Ordering::Relaxed);
            }
            Err(error) => {
                tracing::warn!(%table, %error, "a table of the outbox is released later");
                self.claims.may_have_more.store(true, Ordering::Relaxed);
            }
        }
        LaneResult::Done
    }
}
