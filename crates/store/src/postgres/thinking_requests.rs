//! What people ask the bot to think about: requests that a process stores, and answers that another one finds. Each has a
//! job in the queue; a row that its process has withdrawn is not thought about.

use sqlx::query;

use super::{Postgres, limit, nul};
use crate::rows::{StoredRow, to_i64};
use rookery_table::ports::StoreError;

/// Deletes what nobody has taken.
pub(super) const PRUNE: &str = "DELETE FROM thinking_requests WHERE asked_at < now() - interval '5 minutes'";
/// The number of requests of an owner that wait, up to a limit. With it as the priority, owners take turns.
pub(super) const WAITING: &str = "SELECT count(*) FROM (SELECT 1 FROM thinking_requests \
     WHERE owner = $1 AND answer IS NULL LIMIT $2) AS waiting";
const ADD: &str = "INSERT INTO thinking_requests (owner, request) VALUES ($1, $2) RETURNING id";
/// Adds the job of a request: after all turns, before proofs.
const ADD_JOB: &str = "SELECT 1 FROM graphile_worker.add_job('analysis', json_build_object('request', $1::bigint), \
     max_attempts => 3, job_key => 'analysis ' || $1, priority => $2::int)";
pub(super) const REQUEST: &str = "SELECT request FROM thinking_requests WHERE id = $1 AND answer IS NULL";
pub(super) const ANSWER: &str = "UPDATE thinking_requests SET answer = $2 WHERE id = $1";
pub(super) const TAKE_ANSWER: &str =
    "DELETE FROM thinking_requests WHERE id = $1 AND answer IS NOT NULL RETURNING answer";
pub(super) const WITHDRAW: &str = "DELETE FROM thinking_requests WHERE id = $1";

/// The priority numbers of requests: the first of an owner has the lowest.
const FIRST_PRIORITY: i64 = 1_500;
const MAX_WAITING: usize = 400;

impl Postgres {
    /// Stores a request with its job, and returns its number.
    pub(super) async fn add_request(&self, owner: u64, request: &str) -> Result<i64, StoreError> {
        let mut transaction = self.connections.begin().await?;
        transaction.write(query(PRUNE)).await?;
        let row = transaction.row(query(WAITING).bind(to_i64(owner)).bind(limit(MAX_WAITING))).await?;
        let waiting = row.map_or(Ok(0), |row| row.integer(0))?;
        let row = transaction.row(query(ADD).bind(to_i64(owner)).bind(nul::encode(request))).await?;
        let id = row.ok_or_else(|| StoreError::Backend("the request has no number".into()))?.integer(0)?;
        let priority = i32::try_from(FIRST_PRIORITY + waiting).unwrap_or(i32::MAX);
        transaction.row(query(ADD_JOB).bind(id).bind(priority)).await?;
        transaction.commit().await?;
        Ok(id)
    }

    /// Returns a request that waits.
    pub(super) async fn waiting_request(&self, id: i64) -> Result<Option<String>, StoreError> {
        let row = self.connections.row(query(REQUEST).bind(id)).await?;
        row.map(|row| row.text(0).map(nul::decode)).transpose()
    }

    pub(super) async fn store_answer(&self, id: i64, answer: &str) -> Result<(), StoreError> {
        self.connections.write(query(ANSWER).bind(id).bind(nul::encode(answer))).await.map(drop)
    }

    pub(super) async fn remove_answer(&self, id: i64) -> Result<Option<String>, StoreError> {
        let mut transaction = self.connections.begin().await?;
        let row = transaction.row(query(TAKE_ANSWER).bind(id)).await?;
        transaction.commit().await?;
        row.map(|row| row.text(0).map(nul::decode)).transpose()
    }

    pub(super) async fn remove_request(&self, id: i64) -> Result<(), StoreError> {
        self.connections.write(query(WITHDRAW).bind(id)).await.map(drop)
    }
}
