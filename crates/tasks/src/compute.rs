//! CPU-bound work that takes more than a few milliseconds: it runs beside the async threads, on a bounded
//! number of threads.

use thiserror::Error;

use super::{Tasks, panic_message};

/// The least number of computations that run at the same time, so that a long one does not block all others.
const MIN_THREADS: usize = 2;

/// The work panicked on another thread. The panic is logged and counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a computation panicked")]
pub struct Panicked;

/// The number of processors of the machine, and at least [`MIN_THREADS`].
pub(super) fn threads() -> usize {
    std::thread::available_parallelism().map_or(MIN_THREADS, |cores| cores.get().max(MIN_THREADS))
}

impl Tasks {
    /// Runs work of up to about a second beside the async threads. As many computations run at the same time
    /// as the machine has processors, and at least two; the others wait in the order in which they came. Work
    /// that has begun runs to its end even if the caller no longer waits.
    ///
    /// # Errors
    /// [`Panicked`] if the work panics.
    pub async fn compute<T: Send + 'static>(
        &self,
        name: &'static str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Panicked> {
        // The semaphore is never closed, so that this error does not occur.
        let turn = self.0.computing.clone().acquire_owned().await.map_err(|_| Panicked)?;
        let bounded = move || {
            let _turn = turn;
            work()
        };
        self.blocking(name, bounded).await
    }

    /// Runs work beside the async threads without a queue: for work that its caller bounds, or that waits for
    /// I/O.
    ///
    /// # Errors
    /// [`Panicked`] if the work panics.
    pub async fn blocking<T: Send + 'static>(
        &self,
        name: &'static str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Panicked> {
        let ended = tokio::task::spawn_blocking(work).await;
        self.counts(name).computed();
        ended.map_err(|error| {
            let message =
                error.try_into_panic().map_or_else(|e| e.to_string(), |it| panic_message(it.as_ref()));
            self.counts(name).panicked(&message);
            Panicked
        })
    }
}
