//! Work after a restart: turns that the bot still owes are resumed.

use std::sync::{MutexGuard, PoisonError};

use futures_util::TryStreamExt;

use crate::model::TableError;
use crate::ports::{Batch, Job, walk_pages};

use super::TableRegistry;
use super::time::JOURNAL_AGAIN;

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

    /// Resumes what follows from a batch although its write has failed: it may be in the journal all the same, if the
    /// failure came after the commit. With several processes the store keeps turns and timers.
    pub(super) fn resume_after_failure(&self, batch: &Batch) {
        if self.cluster().is_some() {
            return;
        }
        self.deferred_jobs().extend(batch.job);
        self.timers.set(batch.table, Some(self.now() + JOURNAL_AGAIN));
        self.outbox_wakeup.notify_one();
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
