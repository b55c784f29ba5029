//! the registry after a restart: turns that the program still owes are taken up.

use std::sync::{MutexGuard, PoisonError};

use crate::model::TableError;
use crate::ports::Job;

use super::TableRegistry;

impl TableRegistry {
    /// After a restart: the program takes up the turns it still owes, clocks go on, the outbox is rung.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn resume(&self) -> Result<usize, TableError> {
        let jobs = self.journal.jobs().await.map_err(|error| TableError::Store(error.to_string()))?;
        let owed = jobs.len();
        self.start_jobs(jobs).await;
        self.resume_time().await?;
        self.outbox_wakeup.notify_one();
        Ok(owed)
    }

    /// Takes up the turns whose tables could not be read so far: nothing else comes back to them while everybody
    /// waits for the program.
    pub(super) async fn retry_deferred_jobs(&self) {
        let jobs = std::mem::take(&mut *self.deferred_jobs());
        self.start_jobs(jobs).await;
    }

    async fn start_jobs(&self, jobs: Vec<Job>) {
        for job in jobs {
            match self.table(job.table).await {
                Ok(table) => self.think_if_owed(&table, job),
                Err(TableError::Store(why)) => {
                    tracing::warn!(table = %job.table, why, "an owed turn waits for the journal");
                    self.deferred_jobs().push(job);
                }
                Err(error) => tracing::error!(table = %job.table, %error, "an owed turn cannot be taken up"),
            }
        }
    }

    fn deferred_jobs(&self) -> MutexGuard<'_, Vec<Job>> {
        self.deferred_jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
