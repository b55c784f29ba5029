//! The tasks of this process: each has a name, its panics are caught, and its polls are measured.
//!
//! - [`Tasks::supervise`]: a task that runs as long as the program. It restarts with back-off when it panics
//!   or ends early, and calls [`heartbeat`] to show that it is alive; the health check reads both.
//! - [`Tasks::spawn`]: a task that ends by itself. Its panic is logged and counted.
//! - [`Tasks::measure`]: the same for a future on a task of another library, such as an event handler.
//! - [`Tasks::compute`]: work that takes long, on a bounded number of threads beside the async ones.
//! - [`Tasks::timings`]: histograms of how long orders, requests, searches and drawings take.

mod compute;
mod counts;
mod measured;
mod status;
mod supervise;
#[cfg(test)]
mod tests;
mod timings;

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use counts::TaskCounters;
use measured::Measured;

pub use compute::Panicked;
pub use measured::{assert_off_async_threads, heartbeat};
pub use status::{Phase, Supervised, TaskStatus};
pub use supervise::{Shutdown, TaskSpec};
pub use timings::{OrderPart, Queue, RecordOnDrop, Timings};

/// The tasks of a process and their counters. Clones share them.
#[derive(Clone)]
pub struct Tasks(Arc<Shared>);

struct Shared {
    started: Instant,
    counts: Mutex<BTreeMap<&'static str, Arc<TaskCounters>>>,
    computing: Arc<Semaphore>,
    place: compute::Place,
    supervised: Mutex<Vec<AbortHandle>>,
    running: TaskTracker,
    timings: Timings,
}

impl Default for Tasks {
    fn default() -> Tasks {
        Tasks::computing(compute::Place::Threads)
    }
}

impl Tasks {
    fn computing(place: compute::Place) -> Tasks {
        Tasks(Arc::new(Shared {
            started: Instant::now(),
            counts: Mutex::default(),
            computing: Arc::new(Semaphore::new(compute::threads())),
            place,
            supervised: Mutex::default(),
            running: TaskTracker::new(),
            timings: Timings::default(),
        }))
    }
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tasks").field(&self.status()).finish()
    }
}

impl Tasks {
    /// Creates tasks that compute in the task that asks for it, so that nothing depends on when a thread is done.
    #[cfg(feature = "testing")]
    pub fn without_threads() -> Tasks {
        Tasks::computing(compute::Place::Caller)
    }

    /// Spawns a task that ends by itself. A panic in it is logged under the name and counted; the handle then
    /// yields `None`.
    pub fn spawn<F>(&self, name: &'static str, work: F) -> JoinHandle<Option<F::Output>>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        tokio::spawn(self.measure(name, work))
    }

    /// Measures the polls of a future and catches its panic, which is logged and counted; the result is then
    /// `None`.
    pub fn measure<F: Future>(
        &self,
        name: &'static str,
        work: F,
    ) -> impl Future<Output = Option<F::Output>> + use<F> {
        let counts = self.counts(name);
        let measured = Measured::new(work, counts.clone());
        async move { measured.await.map_err(|panic| counts.panicked(&panic_message(panic.as_ref()))).ok() }
    }

    /// Returns the counters of all tasks that ran so far, sorted by name.
    pub fn status(&self) -> Vec<TaskStatus> {
        let counts = self.0.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.values().map(|counts| counts.status()).collect()
    }

    /// Returns the histograms of the process's work.
    pub fn timings(&self) -> &Timings {
        &self.0.timings
    }

    /// Stores why the work of the tasks of this name fails, which `/health` reports; `None` after a success.
    pub fn set_failure(&self, name: &'static str, why: Option<String>) {
        self.counts(name).set_failure(why);
    }

    /// Aborts every supervised task and waits for their ends, before the store that they use is closed.
    pub async fn abort(&self) {
        let handles = {
            let mut handles = self.0.supervised.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *handles)
        };
        handles.iter().for_each(AbortHandle::abort);
        self.0.running.close();
        self.0.running.wait().await;
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

/// Returns the message of a panic payload.
fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
