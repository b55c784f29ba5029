//! Every task that this process spawns: named, its panics caught, its polls measured.
//!
//! - [`Tasks::supervise`]: a task that runs as long as the program. It is restarted with back-off when it panics or
//!   ends early, and says with [`heartbeat`] that it goes on; who asks for the health of the process sees both.
//! - [`Tasks::spawn`]: a task that ends. Its panic is logged and counted.
//! - [`Tasks::measure`]: the same for a future that runs on somebody else's task, such as an event handler.
//! - [`Tasks::compute`]: work that takes long, on a bounded number of threads beside the async ones.

mod compute;
mod counts;
mod measured;
mod supervise;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::Instant;

use counts::TaskCounters;
use measured::Measured;

pub use compute::Panicked;
pub use measured::{computes_here, heartbeat};
pub use supervise::{MAX_RESTART_DELAY, Shutdown, TaskSpec};

/// The CPU time that a poll may take before it is counted as long: other tasks on its thread wait meanwhile.
pub const LONG_POLL: Duration = Duration::from_millis(10);

/// The tasks of a process and what is known of them. Copies share everything.
#[derive(Clone)]
pub struct Tasks(Arc<Shared>);

struct Shared {
    started: Instant,
    counts: Mutex<BTreeMap<&'static str, Arc<TaskCounters>>>,
    computing: Arc<Semaphore>,
    supervised: Mutex<Vec<AbortHandle>>,
}

/// What is known of the tasks of one name.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskStatus {
    /// Their name.
    pub name: &'static str,
    /// How many panicked.
    pub panics: u64,
    /// How often a supervised task was restarted.
    pub restarts: u64,
    /// Pieces of work of this name that ran beside the async threads.
    pub computed: u64,
    /// The most CPU time that one poll took.
    pub longest_poll: Duration,
    /// Polls that took longer than [`LONG_POLL`].
    pub long_polls: u64,
    /// What is known besides of a supervised task.
    pub supervised: Option<Supervised>,
    /// Why what it does fails, as it said last; `None` while it succeeds.
    pub failure: Option<String>,
}

/// What is known of a supervised task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Supervised {
    /// The longest time between two beats while all is well; `None` for a task that only waits.
    pub interval: Option<Duration>,
    /// The time since the last beat.
    pub beat_age: Duration,
    /// What it does now.
    pub phase: Phase,
}

/// What a supervised task does now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It runs.
    Running,
    /// It panicked or ended early, and waits for its restart.
    BackingOff,
    /// The program stops, and it has ended.
    Ended,
}

impl Default for Tasks {
    fn default() -> Tasks {
        Tasks(Arc::new(Shared {
            started: Instant::now(),
            counts: Mutex::default(),
            computing: Arc::new(Semaphore::new(compute::threads())),
            supervised: Mutex::default(),
        }))
    }
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tasks").field(&self.status()).finish()
    }
}

impl Tasks {
    /// Spawns a task that ends by itself. A panic in it is logged under the name and counted; `None` is the result then.
    pub fn spawn<F>(&self, name: &'static str, work: F) -> JoinHandle<Option<F::Output>>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        tokio::spawn(self.measure(name, work))
    }

    /// Measures the polls of a future and catches its panic, which is logged and counted; `None` is the result then.
    pub fn measure<F: Future>(
        &self,
        name: &'static str,
        work: F,
    ) -> impl Future<Output = Option<F::Output>> + use<F> {
        let counts = self.counts(name);
        let measured = Measured::new(work, counts.clone());
        async move { measured.await.map_err(|panic| counts.panicked(&panic_message(panic.as_ref()))).ok() }
    }

    /// What is known of all tasks that ran so far, by name.
    pub fn status(&self) -> Vec<TaskStatus> {
        let counts = self.0.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.values().map(|counts| counts.status()).collect()
    }

    /// What the task of a name does fails, and why, which `/health` reports; `None` if it has succeeded.
    pub fn set_failure(&self, name: &'static str, why: Option<String>) {
        self.counts(name).set_failure(why);
    }

    /// Aborts every supervised task: what they work on is about to be closed.
    pub fn abort(&self) {
        let mut handles = self.0.supervised.lock().unwrap_or_else(PoisonError::into_inner);
        handles.drain(..).for_each(|handle| handle.abort());
    }

    fn remember(&self, handle: AbortHandle) {
        let mut handles = self.0.supervised.lock().unwrap_or_else(PoisonError::into_inner);
        handles.retain(|handle| !handle.is_finished());
        handles.push(handle);
    }

    fn counts(&self, name: &'static str) -> Arc<TaskCounters> {
        let mut counts = self.0.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.entry(name).or_insert_with(|| Arc::new(TaskCounters::new(name, self.0.started))).clone()
    }
}

/// The words of a panic.
fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
