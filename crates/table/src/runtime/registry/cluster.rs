//! What this registry shares with other processes, if the store can be used by several.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rookery_tasks::heartbeat;
use tokio::sync::broadcast;

use super::TableRegistry;
use crate::model::TableError;
use crate::ports::{AccessChange, Cluster, Hint, KEEP_ALIVE_INTERVAL, LeaderTask, TableChange};
use crate::{GuildId, Table};

/// How long after a sign of life this process certainly has what it claimed: others take it after ten seconds.
const LEASE: SignedDuration = SignedDuration::from_secs(8);
/// How long the outbox waits after a change of another process.
const WAKE_DELAY: Duration = Duration::from_millis(50);
/// The delay before the changes of other processes are asked for again after a failure.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// The time in which this process has what it claimed.
#[derive(Debug, Default)]
pub(super) struct Lease {
    /// When its latest sign of life was sent.
    renewed_at: Option<Timestamp>,
    /// How often the lease has ended.
    number: u64,
}

impl Lease {
    fn holds(&self, now: Timestamp) -> bool {
        // A clock that was set back says nothing.
        self.renewed_at.is_some_and(|at| now >= at && now.duration_since(at) < LEASE)
    }

    fn renew(&mut self, at: Timestamp) {
        self.number += u64::from(!self.holds(at));
        self.renewed_at = Some(at);
    }
}

impl TableRegistry {
    /// Returns the number of the lease in which this process has what it claims; `None` if it may have lost that,
    /// because it slept, or the store did not answer. What was claimed under another number may be lost.
    pub fn lease(&self) -> Option<u64> {
        let lease = self.lease.lock().unwrap_or_else(PoisonError::into_inner);
        lease.holds(self.now()).then_some(lease.number)
    }

    /// Returns what the processes share that use this store; `None` if this one has it alone.
    pub fn cluster(&self) -> Option<&dyn Cluster> {
        self.journal.cluster()
    }

    /// Whether this process does a task for all. If that cannot be found out, it does not.
    pub async fn leads(&self, task: LeaderTask) -> bool {
        let Some(cluster) = self.cluster() else { return true };
        cluster.leads(task).await.unwrap_or_else(|error| {
            tracing::warn!(%error, ?task, "it cannot be found out which process does this; it waits");
            false
        })
    }

    /// Whether a table is as the journal has it: another process may have changed it.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub(crate) async fn is_fresh(&self, table: &Table) -> Result<bool, TableError> {
        let Some(cluster) = self.cluster() else { return Ok(true) };
        match cluster.head(table.id()).await {
            Ok(head) => Ok(head == table.sequence()),
            Err(error) => Err(TableError::Store(error.to_string())),
        }
    }

    /// Tells the other processes regularly that this one is alive, until the task is dropped.
    pub async fn keep_alive(&self) {
        let Some(cluster) = self.cluster() else { return };
        let mut moments = tokio::time::interval(KEEP_ALIVE_INTERVAL);
        moments.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            moments.tick().await;
            heartbeat();
            let sent_at = self.now();
            match cluster.keep_alive().await {
                Ok(live) => {
                    self.lease.lock().unwrap_or_else(PoisonError::into_inner).renew(sent_at);
                    self.gateways.store(live.gateways, Ordering::Relaxed);
                    self.thinkers.store(live.thinkers, Ordering::Relaxed);
                    self.thinker.share_budgets(live.thinkers);
                }
                Err(error) => {
                    tracing::warn!(%error, "the other processes cannot be told that this one is alive")
                }
            }
            if let Err(error) = self.refresh_maintenance().await {
                tracing::warn!(%error, "what the operators have ordered cannot be read; trying again");
            }
        }
    }

    /// Returns how many processes run the gateway, as far as this one knows; at least 1.
    pub fn gateways(&self) -> usize {
        self.gateways.load(Ordering::Relaxed).max(1)
    }

    /// Passes on the changes that any process makes, until the task is dropped.
    pub async fn follow_changes(&self) {
        let Some(cluster) = self.cluster() else { return };
        loop {
            heartbeat();
            let hint = tokio::time::timeout(KEEP_ALIVE_INTERVAL, cluster.next_hint()).await;
            match hint {
                // Nothing has changed for a while.
                Err(_) => {}
                Ok(Ok(Hint::Table(change))) => self.note_change(change),
                Ok(Ok(Hint::RequestsPaused(pause))) => drop(self.request_pauses.send(pause)),
                Ok(Ok(Hint::AccessChanged(change))) => drop(self.access_changes.send(change)),
                Ok(Err(error)) => {
                    tracing::warn!(%error, "changes of other processes are noticed late");
                    self.outbox_wakeup.notify_one();
                    tokio::time::sleep(RETRY_DELAY).await;
                }
            }
        }
    }

    /// Returns how long Discord wants no requests, each time that another process announces it.
    pub fn request_pauses(&self) -> broadcast::Receiver<Duration> {
        self.request_pauses.subscribe()
    }

    /// Returns the changes of access that other processes announce.
    pub fn access_changes(&self) -> broadcast::Receiver<AccessChange> {
        self.access_changes.subscribe()
    }

    fn note_change(&self, change: TableChange) {
        // There may be no subscriber.
        let _ = self.changed_tables.send(change.table);
        // The process that made the change has woken its own outbox at once. The others leave it the work, unless it has
        // no outbox or too much to do, and look once for many changes.
        if change.has_items
            && !self.wakes_outbox.swap(true, Ordering::Relaxed)
            && let Some(registry) = self.me.upgrade()
        {
            drop(self.tasks.spawn("outbox wake-up", async move {
                tokio::time::sleep(WAKE_DELAY).await;
                registry.wakes_outbox.store(false, Ordering::Relaxed);
                registry.outbox_wakeup.notify_one();
            }));
        }
    }

    /// Sets how many shards the gateway has.
    pub fn set_shard_count(&self, shards: u32) {
        self.timers.set_shard_count(shards);
    }
}

/// Returns the shard that gets the events of a server, or of direct messages. Source: Discord's documentation of the
/// gateway, "Sharding".
pub fn shard_of(guild: Option<GuildId>, shards: u32) -> u32 {
    let Some(guild) = guild else { return 0 };
    ((guild.0 >> 22) % u64::from(shards.max(1))) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lease_ends_without_signs_of_life() {
        let at = |seconds| Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds);
        let mut lease = Lease::default();
        assert!(!lease.holds(at(0)));
        lease.renew(at(0));
        let first = lease.number;
        lease.renew(at(7));
        assert!(lease.holds(at(14)) && lease.number == first);
        assert!(!lease.holds(at(15)) && !lease.holds(at(6)));
        lease.renew(at(15));
        assert!(lease.holds(at(15)) && lease.number == first + 1);
    }

    #[test]
    fn shard_of_a_server_follows_discords_formula() {
        // (guild_id >> 22) % num_shards, as Discord's documentation gives it.
        assert_eq!(
            shard_of(Some(GuildId(197038439483310086)), 16),
            ((197038439483310086_u64 >> 22) % 16) as u32
        );
        assert_eq!(shard_of(Some(GuildId(5 << 22)), 4), 1);
        assert_eq!((shard_of(None, 4), shard_of(Some(GuildId(7 << 22)), 0)), (0, 0));
    }
}
