//! The bot's turn: a job, the move that a thinker finds for it, and an ordinary order.

use std::sync::Weak;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::Instant;

use crate::Table;
use crate::model::{Actor, Order, OrderError, TableError};
use crate::ports::{Answer, Job};
use crate::thinking_limits::BudgetOwner;

use super::TableRegistry;

/// The delay before a move that could not be written is tried again.
pub(super) const RETRY_DELAY: Duration = Duration::from_secs(1);

impl TableRegistry {
    /// Starts the bot's turn at a table, if it owes this one.
    pub(super) fn think_if_owed(&self, table: &Table, job: Job) {
        let (Some(play), true) = (table.play(), table.job() == Some(job)) else { return };
        let pace = if table.is_exhibition() { self.exhibition_pace_ms.load(Ordering::Relaxed) } else { 0 };
        let not_before = Instant::now() + Duration::from_millis(pace);
        // Requested at once, so that a later drop of this table cancels the right job.
        let thought = self.thinker.think(job, BudgetOwner::of(table), play.clone_play());
        drop(self.tasks.spawn("program's move", take_turn(self.me.clone(), job, thought, not_before)));
    }
}

/// Takes the bot's turn, from the job to the order. Only a failing journal and a pause of all games are waited for,
/// because the turn is owed until it is written.
async fn take_turn(registry: Weak<TableRegistry>, job: Job, thought: Answer<String>, not_before: Instant) {
    let Ok(Some(text)) = thought.await else { return };
    tokio::time::sleep_until(not_before).await;
    let order = Order::Move { text, ply: Some(job.ply) };
    while let Some(registry) = registry.upgrade() {
        match registry.order(job.table, Actor::Ai, order.clone(), None).await {
            Ok(_) => return,
            // The turn is still owed at the next start.
            Err(TableError::Store(_)) if registry.closing.load(Ordering::Relaxed) => return,
            // It is played when all games go on.
            Err(TableError::Refused(OrderError::Maintenance)) => {}
            Err(TableError::Store(why)) => {
                tracing::warn!(table = %job.table, why, "the program's move waits for the journal");
            }
            Err(error) => {
                return tracing::info!(table = %job.table, %error, "the program's move came to nothing");
            }
        }
        drop(registry);
        tokio::time::sleep(RETRY_DELAY).await;
    }
}
