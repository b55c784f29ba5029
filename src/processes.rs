//! Joins the other processes that use the same store, and keeps in touch with them.

use std::sync::Arc;

use rookery_table::ports::{KEEP_ALIVE_INTERVAL, StoreError};
use rookery_table::registry::TableRegistry;
use rookery_tasks::TaskSpec;

use crate::roles::{Role, Roles};
use crate::shutdown::Stop;

/// The task that tells the others that this process is alive.
const KEEP_ALIVE: TaskSpec = TaskSpec { name: "processes", interval: Some(KEEP_ALIVE_INTERVAL) };
/// The task that does jobs of the queue.
const JOBS: TaskSpec = TaskSpec { name: "jobs", interval: None };
/// The task that hears what the others change.
const CHANGES: TaskSpec = TaskSpec { name: "changes", interval: Some(KEEP_ALIVE_INTERVAL) };

/// Tells the other processes what this one does, and starts to follow them. Does nothing if the store belongs to this
/// process alone.
///
/// # Errors
/// If the store cannot be written.
pub async fn join(registry: &Arc<TableRegistry>, roles: &Roles, stop: &Stop) -> Result<(), StoreError> {
    let Some(cluster) = registry.cluster() else { return Ok(()) };
    cluster.set_runs_gateway(roles.has(Role::Gateway));
    cluster.set_thinks(roles.has(Role::Thinker));
    cluster.set_roles(&roles.to_string());
    cluster.keep_alive().await?;
    let of = registry.clone();
    let keep_alive = move || {
        let registry = of.clone();
        async move { registry.keep_alive().await }
    };
    drop(registry.tasks().supervise(KEEP_ALIVE, stop.clone(), keep_alive));
    let of = registry.clone();
    let follow = move || {
        let registry = of.clone();
        async move { registry.follow_changes().await }
    };
    drop(registry.tasks().supervise(CHANGES, stop.clone(), follow));
    Ok(())
}

/// Starts to do jobs of the queue that all processes share, at most `most` at a time.
pub fn work(registry: &Arc<TableRegistry>, most: usize, stop: &Stop) {
    if registry.cluster().is_none() {
        return;
    }
    let (of, until) = (registry.clone(), stop.clone());
    let work = move || {
        let (registry, stop) = (of.clone(), until.clone());
        let stopped = Box::pin(async move { stop.finishing().await });
        async move {
            if let Err(error) = registry.work(most, stopped).await {
                tracing::warn!(%error, "no work is done; trying again");
            }
        }
    };
    drop(registry.tasks().supervise(JOBS, stop.clone(), work));
}
