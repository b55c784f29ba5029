//! Sends the operators' announcements, slowly, so that boards and answers come first.

use std::sync::Arc;
use std::time::Duration;

use rookery_table::ports::{LeaderTask, StoreError};
use rookery_tasks::{TaskSpec, heartbeat};

use crate::discord::actions::announcement;
use crate::discord::state::context::Context;
use crate::shutdown::Stop;

/// The interval between two looks for an announcement.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);
/// The pause between two servers.
const PAUSE: Duration = Duration::from_millis(250);
/// The longest wait for Discord's rate limits.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// The task that sends announcements.
pub(in crate::discord) const TASK: TaskSpec =
    TaskSpec { name: "announcements", interval: Some(LOOK_INTERVAL) };

/// Sends announcements until the program stops.
pub(in crate::discord) async fn work(ctx: Arc<Context>, stop: Stop) {
    let ctx = ctx.yielding(MAX_WAIT);
    let mut moments = tokio::time::interval(LOOK_INTERVAL);
    loop {
        heartbeat();
        tokio::select! {
            biased;
            _ = moments.tick() => {}
            () = ctx.announced.notified() => {}
            () = stop.finishing() => return,
        }
        // One process at a time sends what the bot says by itself.
        if !ctx.registry.leads(LeaderTask::Digests).await {
            continue;
        }
        let sent = tokio::select! {
            biased;
            sent = send(&ctx) => sent,
            () = stop.finishing() => return,
        };
        if let Err(error) = sent {
            tracing::warn!(%error, "an announcement waits for the journal");
        }
    }
}

/// Sends an announcement to every server that has not got it, unless Discord is out of reach.
async fn send(ctx: &Context) -> Result<(), StoreError> {
    if !announcement::is_pending(ctx).await? {
        return Ok(());
    }
    let servers = announcement::recipients(ctx).await?;
    while ctx.registry.outage_duration().is_none() && announcement::send_next(ctx, &servers).await? {
        heartbeat();
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}
