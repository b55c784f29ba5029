//! Supervised tasks: they run as long as the program and restart when they panic or end early.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::counts::TaskCounters;
use super::measured::Measured;
use super::{Phase, Tasks, panic_message};

/// The wait before the first restart; it doubles with each further restart.
const MIN_RESTART_DELAY: Duration = Duration::from_secs(1);

/// The longest wait before a restart.
pub(crate) const MAX_RESTART_DELAY: Duration = Duration::from_secs(60);

/// After a run of this length the next restart waits `MIN_RESTART_DELAY` again.
const STABLE_AFTER: Duration = Duration::from_secs(300);

/// The signal on which supervised tasks may end.
pub trait Shutdown: Send + Sync + 'static {
    /// Whether the program is stopping.
    fn has_begun(&self) -> bool;

    /// Completes when the program begins to stop.
    fn begun(&self) -> impl Future<Output = ()> + Send;
}

/// The description of a supervised task.
#[derive(Clone, Copy, Debug)]
pub struct TaskSpec {
    /// The name in the log, `/health` and `/metrics`: lower case, words separated by spaces.
    pub name: &'static str,
    /// The longest time between two calls of [`super::heartbeat`] of a healthy task; `None` for a task that
    /// only waits.
    pub interval: Option<Duration>,
}

impl Tasks {
    /// Runs work until the program stops. When the work panics or ends before that, it restarts after
    /// `MIN_RESTART_DELAY`; the wait doubles with each restart, up to `MAX_RESTART_DELAY`. The returned
    /// handle ends with the work.
    pub fn supervise<S, W, F>(&self, task: TaskSpec, shutdown: S, work: W) -> JoinHandle<()>
    where
        S: Shutdown,
        W: Fn() -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let counts = self.counts(task.name);
        counts.expect_heartbeats(task.interval);
        let handle = self.0.running.spawn(async move {
            keep_running(task.name, &counts, &shutdown, work).await;
            counts.enter(Phase::Ended);
        });
        self.remember(handle.abort_handle());
        handle
    }
}

async fn keep_running<F>(
    name: &'static str,
    counts: &Arc<TaskCounters>,
    shutdown: &impl Shutdown,
    work: impl Fn() -> F,
) where
    F: Future<Output = ()>,
{
    let mut pause = MIN_RESTART_DELAY;
    loop {
        counts.enter(Phase::Running);
        let began = Instant::now();
        // The closure is called within the future, so that a panic in the closure itself is caught as well.
        match Measured::supervised(async { work().await }, counts.clone()).await {
            Err(panic) => counts.panicked(&panic_message(panic.as_ref())),
            Ok(()) if !shutdown.has_begun() => {
                tracing::error!(task = name, "a task ended before the program stops")
            }
            Ok(()) => {}
        }
        if shutdown.has_begun() {
            return;
        }
        pause = if began.elapsed() >= STABLE_AFTER { MIN_RESTART_DELAY } else { pause };
        counts.enter(Phase::BackingOff);
        tracing::warn!(task = name, seconds = pause.as_secs(), "the task is restarted after a pause");
        tokio::select! {
            biased;
            () = tokio::time::sleep(pause) => {}
            () = shutdown.begun() => return,
        }
        counts.restarted();
        pause = (pause * 2).min(MAX_RESTART_DELAY);
    }
}
