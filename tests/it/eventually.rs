//! Waiting for what another task or process does: the only place where tests let real time pass.

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

/// Lets a moment pass between two looks at a condition, in a loop that does more than wait.
pub(crate) async fn poll_interval() {
    tokio::time::sleep(POLL_INTERVAL).await;
}

/// Lets a moment pass between two tries of what a killed program loses.
pub(crate) async fn retry_interval() {
    tokio::time::sleep(RETRY_INTERVAL).await;
}

/// Lets some milliseconds pass before a program is killed: the moment is what such a test varies.
pub(crate) async fn before_kill(milliseconds: u64) {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
}
