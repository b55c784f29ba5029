//! Waits for other tasks and processes: the only place where tests let real time pass.

use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(5);
const RETRY_INTERVAL: Duration = Duration::from_millis(250);

/// Waits until a condition holds; panics after a minute.
pub(crate) async fn eventually(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let since = Instant::now();
    while !is_so().await {
        assert!(since.elapsed() < PATIENCE, "after {} s still not: {what}", PATIENCE.as_secs());
        poll_interval().await;
    }
}

/// Pauses between two checks of a condition, for loops that do more than wait.
pub(crate) async fn poll_interval() {
    tokio::time::sleep(POLL_INTERVAL).await;
}

/// Pauses between two attempts at an action that a killed program loses.
pub(crate) async fn retry_interval() {
    tokio::time::sleep(RETRY_INTERVAL).await;
}

/// Pauses before a program is killed; such a test varies the moment.
pub(crate) async fn before_kill(milliseconds: u64) {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
}
