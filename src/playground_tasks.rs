//! Runs the playground's background tasks under the program's supervision, so that `/health` and `/metrics`
//! show them.

use rookery_playground::task_runner::{StartTask, TaskFuture, TaskRunner};
use rookery_tasks::{Shutdown, TaskSpec, Tasks};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The tasks of the program, as the playground uses them.
#[derive(Clone, Debug)]
pub struct PlaygroundTasks(pub Tasks);

impl TaskRunner for PlaygroundTasks {
    fn spawn(&self, name: &'static str, task: TaskFuture) {
        drop(self.0.spawn(name, task));
    }

    fn supervise(&self, name: &'static str, stop: CancellationToken, start: StartTask) -> JoinHandle<()> {
        self.0.supervise(TaskSpec { name, interval: None }, PlaygroundStop(stop), start)
    }
}

/// The signal on which a task of the playground may end.
struct PlaygroundStop(CancellationToken);

impl Shutdown for PlaygroundStop {
    fn has_begun(&self) -> bool {
        self.0.is_cancelled()
    }

    async fn begun(&self) {
        self.0.cancelled().await;
    }
}
