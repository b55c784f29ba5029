//! The jobs of the queue that all processes share: a job names a table and a ply, and the journal says the rest.

use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use async_trait::async_trait;
use futures_util::future::BoxFuture;

use super::TableRegistry;
use super::program_turn::RETRY_DELAY;
use crate::TableId;
use crate::model::{Actor, Order, OrderError, TableError};
use crate::ports::{JobRunner, QueuedJob, StoreError};
use crate::thinking_limits::BudgetOwner;

/// How often it is tried before another process gets the job.
const MAX_TRIES: usize = 30;

/// Does jobs for a registry.
struct Runner(Weak<TableRegistry>);

impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Runner")
    }
}

#[async_trait]
impl JobRunner for Runner {
    async fn run(&self, job: QueuedJob) -> Result<(), String> {
        let Some(registry) = self.0.upgrade() else { return Err("the program stops".into()) };
        match job {
            QueuedJob::Turn { table, ply } => registry.take_queued_turn(table, ply).await,
            QueuedJob::Proof { table, ply } => {
                registry.prove(table, ply).await;
                Ok(())
            }
            QueuedJob::Analysis { request } => registry.answer_request(request).await,
        }
    }
}

impl TableRegistry {
    /// Does jobs of the queue, at most `most` at a time, until `stop` completes.
    ///
    /// # Errors
    /// If the store cannot be reached; the caller tries again.
    pub async fn work(&self, most: usize, stop: BoxFuture<'static, ()>) -> Result<(), StoreError> {
        match self.cluster() {
            Some(cluster) => cluster.work(most, Arc::new(Runner(self.me.clone())), stop).await,
            None => Ok(()),
        }
    }

    /// Takes the bot's turn at a table, if it still owes this one.
    async fn take_queued_turn(&self, id: TableId, ply: usize) -> Result<(), String> {
        let table = match self.table(id).await {
            Ok(table) => table,
            // The table was deleted, or the next version can read it.
            Err(TableError::NoTable(_) | TableError::Unreadable(_)) => return Ok(()),
            Err(error) => return Err(error.to_string()),
        };
        let owed = table.job().filter(|job| job.ply == ply);
        let (Some(job), Some(play)) = (owed, table.play()) else { return Ok(()) };
        let thought = self.thinker.think(job, BudgetOwner::of(&table), play.clone_play()).await;
        // Cancelled: the table has moved on.
        let Ok(Some(text)) = thought else { return Ok(()) };
        let order = Order::Move { text, ply: Some(ply) };
        let mut tries = 0;
        while tries < MAX_TRIES {
            match self.order(id, Actor::Ai, order.clone(), None).await {
                Err(TableError::Refused(OrderError::Maintenance))
                    if !self.closing.load(Ordering::Relaxed) =>
                {
                    // It is played when all games go on.
                    tokio::time::sleep(RETRY_DELAY).await;
                    continue;
                }
                Err(TableError::Refused(OrderError::Maintenance)) => return Err("the program stops".into()),
                Err(TableError::Store(why)) if !self.closing.load(Ordering::Relaxed) => {
                    tracing::warn!(table = %id, why, "the program's move waits for the journal");
                }
                Err(error @ (TableError::Store(_) | TableError::Internal)) => return Err(error.to_string()),
                // A refusal means that the table has moved on.
                Ok(_) | Err(_) => return Ok(()),
            }
            tries += 1;
            tokio::time::sleep(RETRY_DELAY).await;
        }
        Err("the journal could not be written".into())
    }
}
