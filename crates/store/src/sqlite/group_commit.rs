//! Group commit: writes that wait for the connection at the same time are committed together.
//!
//! A commit waits for the disk, and meanwhile no other write can start. A move is about three writes, so at 200 moves a
//! second these waits would take most of the time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use sqlx::SqliteConnection;
use tokio::sync::oneshot;

use super::append;
use super::connections::{Connections, PooledConnection};
use crate::rows::to_i64;
use crate::sqlite::errors::store_error;
use rookery_table::ports::{Batch, Posted, StoreError};

/// The most writes that are committed together. It bounds how long one waits for the others.
const MOST: usize = 64;

/// A write that may share its transaction with others.
#[derive(Debug)]
pub(super) enum Write {
    /// Stores a batch.
    Append(Box<Batch>),
    /// Marks a row of the outbox as posted.
    MarkPosted(i64, Option<Posted>),
}

/// The writes that wait for the connection, in order.
#[derive(Debug, Default)]
pub(super) struct GroupCommit(Mutex<Vec<Waiting>>);

#[derive(Debug)]
struct Waiting {
    write: Write,
    /// Closed once its caller was cancelled.
    answer: oneshot::Sender<Result<(), StoreError>>,
}

impl GroupCommit {
    /// Carries out a write, together with the others that wait: the caller that gets the connection first does it for all of
    /// them. If the group fails, each of its writes is tried alone, so that a refused one does not affect the others.
    ///
    /// # Errors
    /// The error of this write alone. If the caller that carried out the group was cancelled, the outcome is unknown.
    pub(super) async fn carry_out(&self, write: Write, writer: &Connections) -> Result<(), StoreError> {
        let (answer, mut answered) = oneshot::channel();
        self.waiting().push(Waiting { write, answer });
        loop {
            tokio::select! {
                biased;
                outcome = &mut answered => return outcome.unwrap_or_else(|_| Err(cut_off())),
                connection = writer.borrow() => {
                    carry_out_group(self.next_group(), connection.map_err(store_error)?, writer).await;
                }
            }
        }
    }

    /// Takes the writes that have waited longest, without those of cancelled callers.
    fn next_group(&self) -> Vec<Waiting> {
        let mut waiting = self.waiting();
        waiting.retain(|waiting| !waiting.answer.is_closed());
        let most = waiting.len().min(MOST);
        waiting.drain(..most).collect()
    }

    /// Returns whether writes wait for the connection.
    #[cfg(test)]
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting().is_empty()
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn answer(self, outcome: Result<(), StoreError>) {
        // The caller may have been cancelled.
        let _ = self.answer.send(outcome);
    }
}

/// Carries out writes and answers their callers.
async fn carry_out_group(mut group: Vec<Waiting>, connection: PooledConnection, writer: &Connections) {
    if group.is_empty() {
        return connection.give_back();
    }
    let committed = commit(connection, &group).await;
    if group.len() == 1
        && let Some(only) = group.pop()
    {
        return only.answer(committed);
    }
    for waiting in group {
        let outcome = match &committed {
            Ok(()) => Ok(()),
            Err(_) => commit_alone(&waiting, writer).await,
        };
        waiting.answer(outcome);
    }
}

async fn commit_alone(waiting: &Waiting, writer: &Connections) -> Result<(), StoreError> {
    let connection = writer.borrow().await.map_err(store_error)?;
    commit(connection, std::slice::from_ref(waiting)).await
}

async fn commit(mut connection: PooledConnection, group: &[Waiting]) -> Result<(), StoreError> {
    if let [Waiting { write: Write::MarkPosted(row, posted), .. }] = group {
        // A single statement is a transaction of its own.
        mark_posted(&mut connection, *row, *posted).await?;
        connection.give_back();
        return Ok(());
    }
    let mut transaction = connection.begin().await?;
    for waiting in group {
        match &waiting.write {
            Write::Append(batch) => append::append(&mut transaction, batch).await?,
            Write::MarkPosted(row, posted) => mark_posted(&mut transaction, *row, *posted).await?,
        }
    }
    transaction.commit().await
}

/// Marks a row as posted.
async fn mark_posted(to: &mut SqliteConnection, row: i64, posted: Option<Posted>) -> Result<(), StoreError> {
    let update = sqlx::query("UPDATE outbox SET state = 1, channel = ?, message = ? WHERE id = ?")
        .bind(posted.map(|posted| to_i64(posted.channel)))
        .bind(posted.map(|posted| to_i64(posted.message)))
        .bind(row);
    update.execute(to).await.map_err(store_error)?;
    Ok(())
}

fn cut_off() -> StoreError {
    StoreError::Backend(
        "the write was cut off, and it isn't known whether it took place: read the table again".to_owned(),
    )
}
