//! A thread pool on which many tables search.
//!
//! `queue` schedules the jobs; this file holds the threads. They are plain threads: asynchronous callers pass a
//! callback that sends the answer to a channel. `loans` lends idle threads to running jobs.

mod job;
mod loans;
mod queue;
#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use self::queue::Queue;

pub use self::job::{JobContext, JobSpec, Load, PoolSize, QueueFull};

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    /// The job was cancelled, or the pool closed.
    #[error("the thought was called off")]
    Cancelled,
    /// The job panicked: a bug in the player.
    #[error("the player failed; this is a bug in it, and the table should ask again or seat somebody else")]
    Panicked,
}

/// The threads and their queue. Dropping it cancels all jobs and waits for the threads.
#[derive(Debug)]
pub struct SearchPool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

/// A job in the pool. Dropping the handle has no effect.
#[derive(Debug)]
pub struct JobHandle {
    shared: Arc<Shared>,
    id: u64,
}

impl JobHandle {
    /// Cancels the job: its callback gets [`JobError::Cancelled`], at once if the job has not started.
    pub fn cancel(&self) {
        self.shared.cancel(|id| id == self.id);
    }

    /// Its place among the waiting jobs of the same owner, from 1; `None` once it has started.
    pub fn place(&self) -> Option<usize> {
        self.shared.lock().place(self.id, Instant::now())
    }
}

impl SearchPool {
    /// Creates a pool of this size.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn new(size: PoolSize) -> std::io::Result<SearchPool> {
        let state = Mutex::new(Queue::new(size));
        let shared = Arc::new(Shared { state, panics: AtomicU64::new(0), called: Condvar::new() });
        let mut pool = SearchPool { shared, threads: Vec::new() };
        for i in 0..size.threads.max(1) {
            let shared = Arc::clone(&pool.shared);
            let named = std::thread::Builder::new().name(format!("thinker-{i}"));
            pool.threads.push(named.spawn(move || Shared::work(&shared))?);
        }
        Ok(pool)
    }

    /// Queues a job. `done` is called exactly once, on the thread that ran the job, with its result or the error; it
    /// must be quick.
    ///
    /// # Errors
    /// If the queue is full; then neither `job` nor `done` is ever called.
    pub fn submit<T>(
        &self,
        order: JobSpec,
        job: impl FnOnce(&JobContext) -> T + Send + 'static,
        done: impl FnOnce(Result<T, JobError>) + Send + 'static,
    ) -> Result<JobHandle, QueueFull> {
        let shared = Arc::clone(&self.shared);
        let run = move |fate: JobStart| {
            let JobStart::Run(turn) = fate else { return done(Err(JobError::Cancelled)) };
            let answer = catch_unwind(AssertUnwindSafe(|| job(&turn)));
            shared.panics.fetch_add(u64::from(answer.is_err()), Ordering::Relaxed);
            done(match answer {
                _ if turn.halt.called() => Err(JobError::Cancelled),
                answer => answer.map_err(|_| JobError::Panicked),
            });
        };
        let id = self.shared.lock().push(order, Box::new(run))?;
        self.shared.called.notify_one();
        Ok(JobHandle { shared: Arc::clone(&self.shared), id })
    }

    /// Jobs and callbacks that panicked since the start.
    pub fn panics(&self) -> u64 {
        self.shared.panics.load(Ordering::Relaxed)
    }

    /// The current load.
    pub fn load(&self) -> Load {
        self.shared.lock().load()
    }
}

impl Drop for SearchPool {
    fn drop(&mut self) {
        self.shared.lock().close();
        self.shared.cancel(|_| true);
        self.shared.called.notify_all();
        for thread in self.threads.drain(..) {
            // The thread itself cannot have panicked: panics of jobs and callbacks are caught.
            let _ = thread.join();
        }
    }
}

type Run = Box<dyn FnOnce(JobStart) + Send>;

enum JobStart {
    Run(JobContext),
    Cancel,
}

struct Shared {
    state: Mutex<Queue<Run>>,
    /// Jobs and callbacks that panicked.
    panics: AtomicU64,
    called: Condvar,
}

impl Shared {
    /// No job runs under the lock, so the state is valid even if the lock is poisoned.
    fn lock(&self) -> MutexGuard<'_, Queue<Run>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The loop of a thread.
    fn work(self: &Arc<Shared>) {
        while let Some((run, mut turn, id)) = self.next() {
            turn.helpers = loans::helpers(self, &turn.helper_time);
            // A callback that panics must not end the thread.
            let called = catch_unwind(AssertUnwindSafe(|| run(JobStart::Run(turn))));
            self.panics.fetch_add(u64::from(called.is_err()), Ordering::Relaxed);
            self.lock().end(id);
        }
    }

    /// Waits for a job; `None` when the pool closes.
    fn next(&self) -> Option<(Run, JobContext, u64)> {
        let mut state = self.lock();
        loop {
            if state.is_closing() {
                return None;
            }
            let now = Instant::now();
            if let Some(begun) = state.begin(now) {
                return Some(begun);
            }
            // A job that is held back for other owners is held back at most until its deadline.
            let patience = state.overdue_in(now);
            state = match patience {
                None => self.called.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(time) => self.called.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
    }

    fn cancel(&self, meant: impl Fn(u64) -> bool) {
        let off = self.lock().cancel(meant);
        off.into_iter().for_each(|run| run(JobStart::Cancel));
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Load { waiting, running } = self.lock().load();
        f.debug_struct("Shared").field("waiting", &waiting).field("running", &running).finish_non_exhaustive()
    }
}
