//! Welcome messages: the job posts or edits those that are due. Every server is due at the start and when its manager
//! changes something that the message shows.

use std::sync::Arc;

use rookery_tasks::heartbeat;

use crate::discord::actions::welcome;
use crate::discord::state::context::Context;
use crate::shutdown::Stop;

/// Brings welcome messages up to date until the program stops.
pub(in crate::discord) async fn work(ctx: Arc<Context>, stop: Stop) {
    let mut moments = tokio::time::interval(ctx.settings.lobby_interval);
    loop {
        heartbeat();
        tokio::select! {
            biased;
            _ = moments.tick() => refresh_due(&ctx).await,
            () = ctx.welcomes.added() => refresh_due(&ctx).await,
            () = stop.finishing() => return,
        }
    }
}

async fn refresh_due(ctx: &Context) {
    for (guild, tries) in ctx.welcomes.take() {
        heartbeat();
        if let Err(fault) = welcome::refresh(ctx, guild).await {
            tracing::warn!(%guild, %fault, "a welcome message could not be brought up to date");
            ctx.welcomes.retry(guild, tries);
        }
    }
}
