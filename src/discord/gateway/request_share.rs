//! The part of the requests to Discord that this process may send: with several processes, they share the limit of the
//! whole bot.

use std::sync::Arc;
use std::time::Duration;

use rookery_table::ports::{Cluster, KEEP_ALIVE_INTERVAL};
use rookery_tasks::{TaskSpec, heartbeat};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::MissedTickBehavior;

use crate::discord::state::context::Context;
use crate::shutdown::Stop;

/// The task that asks for the share.
const TASK: TaskSpec = TaskSpec { name: "request share", interval: Some(KEEP_ALIVE_INTERVAL) };

/// Starts to share the limit with other processes. Does nothing if this one is alone, or if a proxy keeps the limit.
pub(super) fn start(ctx: &Arc<Context>, stop: &Stop) {
    let (Some(limit), true) = (ctx.settings.request_limit(), ctx.registry.cluster().is_some()) else {
        return;
    };
    let (of, until) = (ctx.clone(), stop.clone());
    drop(ctx.registry.tasks().supervise(TASK, stop.clone(), move || {
        let (ctx, stop) = (of.clone(), until.clone());
        async move { share(&ctx, limit, &stop).await }
    }));
}

/// Takes the share every two seconds, and passes on the pauses that Discord orders.
async fn share(ctx: &Context, limit: u32, stop: &Stop) {
    let Some(cluster) = ctx.registry.cluster() else { return };
    let mut ticks = tokio::time::interval(KEEP_ALIVE_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut own, mut others) = (ctx.api.rest().pauses(), ctx.registry.request_pauses());
    // What is left without the others' consent: they take it from no process.
    let mut guaranteed = 1;
    loop {
        heartbeat();
        tokio::select! {
            biased;
            () = stop.leaving() => return,
            _ = ticks.tick() => take(ctx, cluster, limit, &mut guaranteed).await,
            pause = own.recv() => announce(cluster, pause).await,
            pause = others.recv() => if let Ok(pause) = pause { ctx.api.rest().pause(pause) },
        }
    }
}

async fn take(ctx: &Context, cluster: &dyn Cluster, limit: u32, guaranteed: &mut u32) {
    match cluster.take_request_share(limit, ctx.api.rest().wanted(limit)).await {
        Ok(share) => {
            *guaranteed = share.guaranteed;
            ctx.api.rest().set_share(share.per_second);
        }
        Err(error) => {
            tracing::warn!(%error, "no share of the requests to Discord; {guaranteed} a second are left");
            ctx.api.rest().set_share(*guaranteed);
        }
    }
}

async fn announce(cluster: &dyn Cluster, pause: Result<Duration, RecvError>) {
    let Ok(pause) = pause else { return };
    if let Err(error) = cluster.announce_pause(pause).await {
        tracing::warn!(%error, "the other processes are not told of Discord's pause");
    }
}
