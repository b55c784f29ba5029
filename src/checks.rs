//! The health checks of the tables and their journal.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use rookery::observability::health::{Backlog, Checks};
use rookery_table::registry::TableRegistry;

/// The health checks of a table registry.
pub(crate) struct HallChecks(pub(crate) Arc<TableRegistry>);

#[async_trait]
impl Checks for HallChecks {
    async fn write(&self) -> Result<(), String> {
        self.0.journal().probe().await.map_err(|error| error.to_string())
    }

    async fn backlog(&self) -> Result<Backlog, String> {
        let journal = self.0.journal();
        let since_ms = journal.oldest_due_ms().await.map_err(|error| error.to_string())?;
        let age_ms = since_ms.map(|since_ms| self.0.now_ms().saturating_sub(since_ms));
        let barred = journal.blocked_items().await.map_err(|error| error.to_string())?;
        Ok(Backlog {
            oldest_due: age_ms.map(|age_ms| Duration::from_millis(u64::try_from(age_ms).unwrap_or(0))),
            waiting_for_permission: barred.len(),
        })
    }

    fn gateway_lost(&self) -> Option<Duration> {
        self.0.outage_duration()
    }
}
