//! Work after a restart: turns that the bot still owes are resumed.

use std::sync::{MutexGuard, PoisonError};

use futures_util::TryStreamExt;

use crate::model::TableError;
use crate::ports::{Job, walk_pages};

use super::TableRegistry;

impl TableRegistry {
    /// Resumes work after a restart: owed turns, clocks, and the outbox.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn resume(&self) -> Result<usize, TableError> {
        // First: an order must not be carried out while all games stand still.
        self.refresh_maintenance().await?;
        if self.cluster().is_some() {
            // Owed turns are in the queue of all processes.
            self.resume_time().await?;
            return Ok(0);
        }
        let (mut jobs, mut owed) = (walk_pages(|page| self.journal.jobs(page)), 0);
        while let Some(job) = jobs.try_next().await? {
            self.start_job(job).await;
            owed += 1;
        }
        self.resume_time().await?;
        self.outbox_wakeup.notify_one();
        Ok(owed)
    }

    /// Resumes owed turns at tables that could not be read so far: everybody there waits for the bot, so nothing else
    /// would load them.
    pub(super) async fn retry_deferred_jobs(&self) {
        let jobs = std::mem::take(&mut *self.deferred_jobs());
        for job in jobs {
            self.start_job(job).await;
        }
    }

    async fn start_job(&self, job: Job) {
        match self.table(job.table).await {
            Ok(table) => self.think_if_owed(&table, job),
            Err(TableError::Store(why)) => {
                tracing::warn!(table = %job.table, why, "an owed turn waits for the journal");
                self.deferred_jobs().push(job);
            }
            Err(error) => tracing::error!(table = %job.table, %error, "an owed turn cannot be taken up"),
        }
    }

    fn deferred_jobs(&self) -> MutexGuard<'_, Vec<Job>> {
        self.deferred_jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
