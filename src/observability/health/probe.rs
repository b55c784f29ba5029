//! What only a try can tell: whether a transaction works now. However often it is asked for, one is tried a second at
//! most, and one at a time: a store that hangs is not asked again and again.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;
use tokio::time::Instant;

use rookery_tasks::Tasks;

/// How long an answer counts.
const FRESH: Duration = Duration::from_secs(1);
/// How long a try is waited for.
pub const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// What is asked of the rest of the program. Each may be slow; none may be so on purpose.
#[async_trait]
pub trait Checks: Send + Sync {
    /// Writes something to the store, in a transaction of its own.
    ///
    /// # Errors
    /// Why it was not written, in words.
    async fn write(&self) -> Result<(), String>;

    /// What waits in the outbox.
    ///
    /// # Errors
    /// Why that cannot be read, in words.
    async fn backlog(&self) -> Result<Backlog, String>;

    /// For how long Discord has been out of reach now; `None` if it is in reach.
    fn gateway_lost(&self) -> Option<Duration>;
}

/// What waits in the outbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// For how long the oldest item has been due; `None` if nothing is due.
    pub oldest_due: Option<Duration>,
    /// Items that are not due before the bot has a permission again.
    pub waiting_for_permission: usize,
}

/// What a try found.
#[derive(Clone, Debug)]
pub(super) struct ProbeResult {
    at: Instant,
    /// How long the transaction took, or why it failed.
    pub(super) store: Result<Duration, String>,
    pub(super) backlog: Result<Backlog, String>,
}

impl ProbeResult {
    pub(super) fn new(
        at: Instant,
        store: Result<Duration, String>,
        backlog: Result<Backlog, String>,
    ) -> ProbeResult {
        ProbeResult { at, store, backlog }
    }
}

/// Tries when it is asked.
pub(super) struct Prober {
    checks: Arc<dyn Checks>,
    tasks: Tasks,
    latest: watch::Sender<Option<ProbeResult>>,
    /// When the try began that goes on.
    trying_since: Mutex<Option<Instant>>,
}

impl Prober {
    pub(super) fn new(checks: Arc<dyn Checks>, tasks: Tasks) -> Arc<Prober> {
        let latest = watch::Sender::new(None);
        Arc::new(Prober { checks, tasks, latest, trying_since: Mutex::default() })
    }

    pub(super) fn checks(&self) -> &dyn Checks {
        self.checks.as_ref()
    }

    /// How the store is now: no older than a second, and no later than [`PROBE_TIMEOUT`].
    pub(super) async fn look(self: &Arc<Self>) -> ProbeResult {
        let asked = Instant::now();
        let is_fresh =
            |found: &Option<ProbeResult>| found.as_ref().is_some_and(|found| found.at + FRESH > asked);
        let mut latest = self.latest.subscribe();
        if !is_fresh(&latest.borrow()) {
            self.begin();
        }
        match tokio::time::timeout(PROBE_TIMEOUT, latest.wait_for(is_fresh)).await {
            Ok(Ok(found)) => found.clone().unwrap_or_else(|| self.hangs()),
            _ => self.hangs(),
        }
    }

    /// Begins a try unless one goes on.
    fn begin(self: &Arc<Self>) {
        let mut since = self.trying_since.lock().unwrap_or_else(PoisonError::into_inner);
        if since.is_some() {
            return;
        }
        *since = Some(Instant::now());
        let prober = self.clone();
        drop(self.tasks.spawn("health probe", async move {
            let _ended = Ended(&prober);
            let found = prober.probe().await;
            prober.latest.send_replace(Some(found));
        }));
    }

    async fn probe(&self) -> ProbeResult {
        let began = Instant::now();
        let written = async { self.checks.write().await.map(|()| began.elapsed()) };
        let (store, backlog) = tokio::join!(written, self.checks.backlog());
        ProbeResult::new(Instant::now(), store, backlog)
    }

    fn hangs(&self) -> ProbeResult {
        let since = *self.trying_since.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = since.map_or(PROBE_TIMEOUT, |since| since.elapsed()).as_secs();
        let why = format!("a transaction has not ended for {seconds} s");
        ProbeResult::new(Instant::now(), Err(why), Err("it could not be read in time".into()))
    }
}

/// A try goes on until this is dropped, also by a panic.
struct Ended<'a>(&'a Prober);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        *self.0.trying_since.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
