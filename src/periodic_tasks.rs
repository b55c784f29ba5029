//! Work that depends on time: clocks, expired challenges, abandoned games.

use std::sync::Arc;
use std::time::Duration;

use rookery_table::ports::LeaderTask;
use rookery_table::registry::TableRegistry;
use rookery_tasks::{TaskSpec, heartbeat};
use tokio::time::MissedTickBehavior;

use crate::shutdown::Stop;

/// The interval between checks of the clocks.
const CLOCKS_INTERVAL: Duration = Duration::from_secs(1);
/// The interval between checks of the challenges, and between notes that the process is alive.
const MINUTE: Duration = Duration::from_secs(60);
/// The interval between checks for games to end or delete.
const CLEANER_INTERVAL: Duration = Duration::from_secs(3_600);

/// Starts the tasks for clocks and for cleaning; they end when the program stops.
pub fn begin(registry: &Arc<TableRegistry>, challenge_hours: u32, stop: &Stop) {
    let oldest = Duration::from_secs(3_600 * u64::from(challenge_hours));
    let clocks = TaskSpec { name: "clocks", interval: Some(CLOCKS_INTERVAL) };
    let (of, until) = (registry.clone(), stop.clone());
    drop(
        registry
            .tasks()
            .supervise(clocks, stop.clone(), move || run_clocks(of.clone(), oldest, until.clone())),
    );
    let cleaner = TaskSpec { name: "cleaner", interval: Some(CLEANER_INTERVAL) };
    let (of, until) = (registry.clone(), stop.clone());
    drop(registry.tasks().supervise(cleaner, stop.clone(), move || run_cleaner(of.clone(), until.clone())));
}

/// Checks clocks every second, and every minute expires challenges and notes that the process is alive. The last note is
/// made when the program begins to stop: nobody would notice if the machine slept after that.
async fn run_clocks(registry: Arc<TableRegistry>, oldest: Duration, stop: Stop) {
    let mut minutes = tokio::time::interval(MINUTE);
    let mut seconds = tokio::time::interval(CLOCKS_INTERVAL);
    seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // Among several processes each shard's own task watches.
    let watch = registry.cluster().is_none().then(|| registry.watch_for_sleep(0));
    loop {
        heartbeat();
        let minute = tokio::select! {
            biased;
            _ = minutes.tick() => true,
            _ = seconds.tick() => false,
            () = stop.finishing() => return note_alive(&registry).await,
        };
        if let Some(watch) = &watch {
            watch.check();
        }
        match minute {
            true => every_minute(&registry, oldest).await,
            false => drop(registry.tick().await),
        }
        // The machine may also sleep while the store is asked.
        if let Some(watch) = &watch {
            watch.check();
        }
    }
}

async fn every_minute(registry: &TableRegistry, oldest: Duration) {
    if !registry.leads(LeaderTask::Clocks).await {
        return;
    }
    if let Err(error) = registry.expire_challenges(oldest).await {
        tracing::warn!(%error, "could not check challenges; trying again in a minute");
    }
    note_alive(registry).await;
}

/// Stores that the program is alive. If that fails, the next start gives players this time back once more.
async fn note_alive(registry: &TableRegistry) {
    if let Err(error) = registry.note_alive().await {
        tracing::warn!(%error, "could not record that Rookery is online");
    }
}

/// Every hour ends games whose server has been unreachable for too long, and deletes old imported games.
async fn run_cleaner(registry: Arc<TableRegistry>, stop: Stop) {
    let mut hours = tokio::time::interval(CLEANER_INTERVAL);
    loop {
        heartbeat();
        tokio::select! {
            biased;
            _ = hours.tick() => {}
            () = stop.finishing() => return,
        }
        // Each step resumes after the next start. A program that stops closes the store under it.
        tokio::select! {
            biased;
            () = stop.finishing() => return,
            () = every_hour(&registry) => {}
        }
    }
}

async fn every_hour(registry: &TableRegistry) {
    if !registry.leads(LeaderTask::Cleaner).await {
        return;
    }
    if let Err(error) = registry.end_frozen_games().await {
        tracing::warn!(%error, "could not check idle games; trying again");
    }
    if let Err(error) = registry.delete_old_imports().await {
        tracing::warn!(%error, "could not delete old imported games; trying again");
    }
    match registry.finish_deletions().await {
        Ok(0) => {}
        Ok(tables) => {
            tracing::warn!(tables, "deletions of people's data wait for unreadable tables")
        }
        Err(error) => {
            tracing::warn!(%error, "could not finish deleting people's data; trying again")
        }
    }
    if let Err(error) = registry.delete_expired_sessions().await {
        tracing::warn!(%error, "could not delete expired sessions of browsers; trying again");
    }
    if let Err(error) = registry.prune_outbox().await {
        tracing::warn!(%error, "could not prune the outbox; trying again");
    }
}
