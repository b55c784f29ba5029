//! How the playground's background tasks run: the server, the writer of the file, and the deadlines of answers.

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use tokio::task::{JoinError, JoinHandle};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

/// The pause of [`TokioTasks`] before a task is restarted.
const RESTART_DELAY: Duration = Duration::from_secs(1);

/// The work of a task.
pub type TaskFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Begins the work of a task, at its start and at each restart.
pub type StartTask = Box<dyn Fn() -> TaskFuture + Send + Sync>;

/// Runs the playground's background tasks. A program that supervises its own tasks implements this for the
/// playground's, so that its health check and metrics show them too.
pub trait TaskRunner: fmt::Debug + Send + Sync {
    /// Runs a task that ends by itself. A panic in it is logged.
    fn spawn(&self, name: &'static str, task: TaskFuture);

    /// Runs a task until `stop` is cancelled. When the task panics or ends before that, the failure is logged and the
    /// task restarted. The returned handle ends with the task.
    fn supervise(&self, name: &'static str, stop: CancellationToken, start: StartTask) -> JoinHandle<()>;
}

/// Plain Tokio tasks, for programs without supervision.
#[derive(Clone, Copy, Debug, Default)]
pub struct TokioTasks;

impl TaskRunner for TokioTasks {
    fn spawn(&self, name: &'static str, task: TaskFuture) {
        drop(tokio::spawn(async move { log_panic(name, tokio::spawn(task).await) }));
    }

    fn supervise(&self, name: &'static str, stop: CancellationToken, start: StartTask) -> JoinHandle<()> {
        tokio::spawn(async move {
            loop {
                log_panic(name, AbortOnDropHandle::new(tokio::spawn(start())).await);
                if stop.is_cancelled() {
                    return;
                }
                tracing::error!(task = name, "a task ended early; it's restarted");
                tokio::select! {
                    biased;
                    () = stop.cancelled() => return,
                    () = tokio::time::sleep(RESTART_DELAY) => {}
                }
            }
        })
    }
}

fn log_panic(name: &'static str, ended: Result<(), JoinError>) {
    if let Err(error) = ended
        && error.is_panic()
    {
        tracing::error!(task = name, %error, "a task panicked");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Returns a task that panics in its first two runs and then runs on, and the number of its runs.
    fn failing_twice() -> (StartTask, Arc<AtomicUsize>) {
        let runs = Arc::new(AtomicUsize::new(0));
        let counted = runs.clone();
        let start = move || -> TaskFuture {
            let run = counted.fetch_add(1, Ordering::Relaxed);
            Box::pin(async move {
                assert!(run >= 2, "a panic that is meant");
                std::future::pending().await
            })
        };
        (Box::new(start), runs)
    }

    #[tokio::test(start_paused = true)]
    async fn a_supervised_task_that_panics_is_restarted() {
        let (start, runs) = failing_twice();
        let _task = TokioTasks.supervise("trial", CancellationToken::new(), start);
        tokio::time::sleep(10 * RESTART_DELAY).await;
        assert_eq!(runs.load(Ordering::Relaxed), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn a_supervised_task_is_not_restarted_after_the_stop() {
        let (start, runs) = failing_twice();
        let stop = CancellationToken::new();
        let task = TokioTasks.supervise("trial", stop.clone(), start);
        tokio::time::sleep(RESTART_DELAY / 2).await;
        stop.cancel();
        task.await.expect("its panics are caught");
        assert_eq!(runs.load(Ordering::Relaxed), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn an_aborted_task_drops_its_work() {
        let held = Arc::new(());
        let work = held.clone();
        let start = move || -> TaskFuture {
            let work = work.clone();
            Box::pin(async move {
                std::future::pending::<()>().await;
                drop(work);
            })
        };
        let task = TokioTasks.supervise("trial", CancellationToken::new(), Box::new(start));
        tokio::time::sleep(RESTART_DELAY).await;
        task.abort();
        tokio::time::sleep(RESTART_DELAY).await;
        assert_eq!(Arc::strong_count(&held), 1);
    }
}
