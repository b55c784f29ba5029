//! How long calls to the server may take, and how many connections a process may have.

use std::future::Future;
use std::io;
use std::time::Duration;

use sqlx::Error;

/// The most connections of one process, without the one by which it owns the database, the one that listens, and those of
/// the queue. Commits that wait for the disk at the same time share the wait, so more carry more. A server permits 100
/// unless `max_connections` says otherwise.
pub(crate) const MAX_CONNECTIONS: u32 = 16;
/// After how many seconds the server ends a statement, also one that waits for a lock.
pub(super) const STATEMENT_TIMEOUT_S: u64 = 30;
/// How long a call waits for the server's answer: longer than the server's own limit, which gives the better error. It
/// ends only calls to a server that has vanished.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(STATEMENT_TIMEOUT_S + 10);

/// Waits for the server's answer for a limited time. Afterwards the connection must not be used again.
pub(crate) async fn limited<T>(call: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    match tokio::time::timeout(ANSWER_TIMEOUT, call).await {
        Ok(answer) => answer,
        Err(_) => Err(no_answer(ANSWER_TIMEOUT)),
    }
}

pub(super) fn no_answer(after: Duration) -> Error {
    let why = format!("no answer within {} s", after.as_secs());
    Error::Io(io::Error::new(io::ErrorKind::TimedOut, why))
}
