//! When a session may identify. Shards whose numbers have the same remainder by Discord's `max_concurrency` share a
//! bucket, with one session every five seconds. Source: Discord's documentation of the gateway, "Rate Limiting" of
//! sharding.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use rookery_table::ports::Cluster;
use rookery_table::registry::TableRegistry;
use tokio::time::Instant;

use crate::discord::wire::session::{IdentifyQueue, ShardId};

/// The time between two sessions of a bucket, with a margin for clocks and the network.
const INTERVAL: Duration = Duration::from_millis(5_200);
/// The delay before the other processes are asked again.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// The queue of the sessions of all processes, or of this one if it has the store alone.
pub(super) struct Buckets {
    registry: Arc<TableRegistry>,
    max_concurrency: u32,
    /// When the next session of a bucket of this process may identify.
    free_at: Mutex<HashMap<u32, Instant>>,
}

impl Buckets {
    pub(super) fn new(registry: Arc<TableRegistry>, max_concurrency: u32) -> Buckets {
        Buckets { registry, max_concurrency: max_concurrency.max(1), free_at: Mutex::default() }
    }

    /// Waits for the moment of a session among those of all processes.
    async fn wait_with_others(&self, cluster: &dyn Cluster, bucket: u32) {
        loop {
            let wait = match cluster.take_identify_slot(bucket).await {
                Ok(None) => return,
                Ok(Some(wait)) => wait,
                Err(error) => {
                    tracing::warn!(%error, "a session waits for the other processes");
                    RETRY_DELAY
                }
            };
            tokio::time::sleep(wait).await;
        }
    }

    fn reserve_here(&self, bucket: u32) -> Duration {
        let now = Instant::now();
        let mut free_at = self.free_at.lock().unwrap_or_else(PoisonError::into_inner);
        let next = free_at.get(&bucket).copied().unwrap_or(now).max(now);
        free_at.insert(bucket, next + INTERVAL);
        next - now
    }
}

#[async_trait]
impl IdentifyQueue for Buckets {
    async fn wait(&self, shard: ShardId) {
        let bucket = shard.number % self.max_concurrency;
        match self.registry.cluster() {
            Some(cluster) => self.wait_with_others(cluster, bucket).await,
            None => tokio::time::sleep(self.reserve_here(bucket)).await,
        }
    }

    fn has(&self, shard: ShardId) -> bool {
        let has_lease = || self.registry.lease().is_some();
        self.registry.cluster().is_none_or(|cluster| cluster.has_shard(shard.number) && has_lease())
    }
}
