//! Work that computes for more than some milliseconds: beside the async threads, on a bounded number of threads.

use thiserror::Error;

use super::{Tasks, panic_message};

/// The fewest pieces of work that run at the same time, so that a long one does not stop all others.
const MIN_THREADS: usize = 2;

/// Work on another thread panicked; that is logged and counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a computation panicked")]
pub struct Panicked;

/// As many threads as the machine has processors.
pub(super) fn threads() -> usize {
    std::thread::available_parallelism().map_or(MIN_THREADS, |cores| cores.get().max(MIN_THREADS))
}

impl Tasks {
    /// Runs work of up to about a second beside the async threads. As many pieces run at the same time as the machine
    /// has processors, and at least two; the others wait in the order they came. Work that has begun is brought to
    /// its end even if the caller no longer waits.
    ///
    /// # Errors
    /// [`Panicked`], where it panics.
    pub async fn compute<T: Send + 'static>(
        &self,
        name: &'static str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Panicked> {
        // Nobody closes the semaphore.
        let turn = self.0.computing.clone().acquire_owned().await.map_err(|_| Panicked)?;
        let bounded = move || {
            let _turn = turn;
            work()
        };
        self.blocking(name, bounded).await
    }

    /// Runs work beside the async threads, at once: for work that its caller bounds, or that waits for something.
    ///
    /// # Errors
    /// [`Panicked`], where it panics.
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
