//! The hall after a restart: turns that the program still owes are taken up.

use std::sync::{MutexGuard, PoisonError};

use crate::ports::Job;
use crate::words::Denied;

use super::Hall;

impl Hall {
    /// After a restart: the program takes up the turns it still owes, clocks go on, the outbox is rung.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn resume(&self) -> Result<usize, Denied> {
        let jobs = self.journal.jobs().await.map_err(|error| Denied::Journal(error.to_string()))?;
        let owed = jobs.len();
        self.take_up(jobs).await;
        self.resume_time().await?;
        self.bell.notify_one();
        Ok(owed)
    }

    /// Takes up the turns whose tables could not be read so far: nothing else comes back to them while everybody
    /// waits for the program.
    pub(super) async fn take_up_untaken(&self) {
        let jobs = std::mem::take(&mut *self.untaken());
        self.take_up(jobs).await;
    }

    async fn take_up(&self, jobs: Vec<Job>) {
        for job in jobs {
            match self.see(job.table).await {
                Ok(table) => self.think_if_owed(&table, job),
                Err(Denied::Journal(why)) => {
                    tracing::warn!(table = %job.table, why, "an owed turn waits for the journal");
                    self.untaken().push(job);
                }
                Err(error) => tracing::error!(table = %job.table, %error, "an owed turn cannot be taken up"),
            }
        }
    }

    fn untaken(&self) -> MutexGuard<'_, Vec<Job>> {
        self.untaken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
