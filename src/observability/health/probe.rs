//! A probe of the store: it tests whether a transaction works now. At most one probe runs at a time and at
//! most one per second, so that frequent health requests do not pile up on a store that hangs.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;
use tokio::time::Instant;

use rookery_tasks::Tasks;

/// How long a result stays valid.
const MAX_RESULT_AGE: Duration = Duration::from_secs(1);
/// How long a request waits for a running probe.
pub const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// The checks that the rest of the program implements. Each may be slow through no fault of its own.
#[async_trait]
pub trait Checks: Send + Sync {
    /// Writes to the store in a transaction of its own.
    ///
    /// # Errors
    /// The reason of a failed write, as text.
    async fn write(&self) -> Result<(), String>;

    /// Reads the state of the outbox.
    ///
    /// # Errors
    /// The reason of a failed read, as text.
    async fn backlog(&self) -> Result<Backlog, String>;

    /// Returns how long Discord has been unreachable; `None` if it is reachable.
    fn gateway_lost(&self) -> Option<Duration>;
}

/// The state of the outbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// The time since the oldest due item became due; `None` if nothing is due.
    pub oldest_due: Option<Duration>,
    /// The number of items that wait until the bot regains a permission.
    pub waiting_for_permission: usize,
}

/// The result of a probe.
#[derive(Clone, Debug)]
pub(super) struct ProbeResult {
    at: Instant,
    /// The duration of the transaction, or the reason of its failure.
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

/// Runs probes on demand.
pub(super) struct Prober {
    checks: Arc<dyn Checks>,
    tasks: Tasks,
    latest: watch::Sender<Option<ProbeResult>>,
    /// When the running probe began.
    running_since: Mutex<Option<Instant>>,
}

impl Prober {
    pub(super) fn new(checks: Arc<dyn Checks>, tasks: Tasks) -> Arc<Prober> {
        let latest = watch::Sender::new(None);
        Arc::new(Prober { checks, tasks, latest, running_since: Mutex::default() })
    }

    pub(super) fn checks(&self) -> &dyn Checks {
        self.checks.as_ref()
    }

    /// Returns a result no older than [`MAX_RESULT_AGE`], after at most [`PROBE_TIMEOUT`].
    pub(super) async fn latest_result(self: &Arc<Self>) -> ProbeResult {
        let asked = Instant::now();
        let is_fresh = |found: &Option<ProbeResult>| {
            found.as_ref().is_some_and(|found| found.at + MAX_RESULT_AGE > asked)
        };
        let mut latest = self.latest.subscribe();
        if !is_fresh(&latest.borrow()) {
            self.begin();
        }
        match tokio::time::timeout(PROBE_TIMEOUT, latest.wait_for(is_fresh)).await {
            Ok(Ok(found)) => found.clone().unwrap_or_else(|| self.timeout_result()),
            _ => self.timeout_result(),
        }
    }

    /// Starts a probe unless one is running.
    fn begin(self: &Arc<Self>) {
        let mut since = self.running_since.lock().unwrap_or_else(PoisonError::into_inner);
        if since.is_some() {
            return;
        }
        *since = Some(Instant::now());
        let prober = self.clone();
        drop(self.tasks.spawn("health probe", async move {
            let _ended = ProbeGuard(&prober);
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

    fn timeout_result(&self) -> ProbeResult {
        let since = *self.running_since.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = since.map_or(PROBE_TIMEOUT, |since| since.elapsed()).as_secs();
        let why = format!("a transaction has not ended for {seconds} s");
        ProbeResult::new(Instant::now(), Err(why), Err("it could not be read in time".into()))
    }
}

/// Marks the end of a probe when it is dropped, also by a panic.
struct ProbeGuard<'a>(&'a Prober);

impl Drop for ProbeGuard<'_> {
    fn drop(&mut self) {
        *self.0.running_since.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
