//! Tasks that run as long as the program: restarted when they panic or end early.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::counts::TaskCounters;
use super::measured::Measured;
use super::{Phase, Tasks, panic_message};

/// The wait before the first restart; it doubles with each.
const MIN_RESTART_DELAY: Duration = Duration::from_secs(1);

/// The longest wait before a restart.
pub const MAX_RESTART_DELAY: Duration = Duration::from_secs(60);

/// After running for this long a task is restarted as if for the first time.
const STABLE_AFTER: Duration = Duration::from_secs(300);

/// Says when supervised tasks may end.
pub trait Shutdown: Send + Sync + 'static {
    /// Whether the program is stopping.
    fn has_begun(&self) -> bool;

    /// Returns when the program stops.
    fn begun(&self) -> impl Future<Output = ()> + Send;
}

/// What is known of a supervised task before it runs.
#[derive(Clone, Copy, Debug)]
pub struct TaskSpec {
    /// Its name, for the log, `/health` and `/metrics`: lower case, words parted by spaces.
    pub name: &'static str,
    /// The longest time between two calls of [`super::heartbeat`] while all is well; `None` for a task that only waits.
    pub interval: Option<Duration>,
}

impl Tasks {
    /// Runs work until the program stops: whenever it panics or ends before that, it is begun again, after a
    /// second at first and then after twice as long each time, up to `LONGEST_PAUSE`. The handle ends with it.
    pub fn supervise<S, W, F>(&self, task: TaskSpec, shutdown: S, work: W) -> JoinHandle<()>
    where
        S: Shutdown,
        W: Fn() -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let counts = self.counts(task.name);
        counts.expect_beats(task.interval);
        let handle = tokio::spawn(async move {
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
        // The closure is called within the future, so that its own panic is caught as well.
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
            () = tokio::time::sleep(pause) => {}
            () = shutdown.begun() => return,
        }
        counts.restarted();
        pause = (pause * 2).min(MAX_RESTART_DELAY);
    }
}
