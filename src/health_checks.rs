//! The health checks of the tables and their journal.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use rookery::observability::health::{Backlog, Checks};
use rookery_table::registry::TableRegistry;

pub(crate) struct RegistryChecks(pub(crate) Arc<TableRegistry>);

#[async_trait]
impl Checks for RegistryChecks {
    async fn write(&self) -> Result<(), String> {
        self.0.journal().probe().await.map_err(|error| error.to_string())
    }

    async fn backlog(&self) -> Result<Backlog, String> {
        let journal = self.0.journal();
        let since = journal.oldest_due().await.map_err(|error| error.to_string())?;
        let age = since.map(|since| self.0.now().duration_since(since));
        let blocked = journal.count_blocked().await.map_err(|error| error.to_string())?;
        Ok(Backlog {
            oldest_due: age.map(|age| Duration::try_from(age).unwrap_or_default()),
            waiting_for_permission: blocked,
        })
    }

    fn gateway_lost(&self) -> Option<Duration> {
        self.0.outage_duration()
    }
}
