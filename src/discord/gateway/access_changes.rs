//! Changes of access: Discord reports each to the process that has the server's shard, and the others post there and show
//! its games, too.

use std::sync::Arc;

use rookery_table::ports::KEEP_ALIVE_INTERVAL;
use rookery_tasks::{TaskSpec, heartbeat};

use crate::discord::state::context::Context;
use crate::shutdown::Stop;

/// The task that passes the changes on.
const TASK: TaskSpec = TaskSpec { name: "access changes", interval: Some(KEEP_ALIVE_INTERVAL) };

/// Starts to pass changes on. Does nothing if this process is alone.
pub(super) fn start(ctx: &Arc<Context>, stop: &Stop) {
    if ctx.registry.cluster().is_none() {
        return;
    }
    let (of, until) = (ctx.clone(), stop.clone());
    drop(ctx.registry.tasks().supervise(TASK, stop.clone(), move || {
        let (ctx, stop) = (of.clone(), until.clone());
        async move { pass_on(&ctx, &stop).await }
    }));
}

/// Tells the others what this process hears, and drops what they hear from its caches. What is lost is noticed late: caches
/// expire, and blocked messages are tried again every half a minute.
async fn pass_on(ctx: &Context, stop: &Stop) {
    let Some(cluster) = ctx.registry.cluster() else { return };
    let (mut own, mut others) = (ctx.own_access_changes.subscribe(), ctx.registry.access_changes());
    loop {
        heartbeat();
        tokio::select! {
            biased;
            () = stop.leaving() => return,
            change = own.recv() => {
                let Ok(change) = change else { continue };
                if let Err(error) = cluster.announce_access_change(change).await {
                    tracing::warn!(%error, "the other processes are not told of a change of access");
                }
            }
            change = others.recv() => if let Ok(change) = change { ctx.access_changed(change) },
            () = tokio::time::sleep(KEEP_ALIVE_INTERVAL) => {}
        }
    }
}
