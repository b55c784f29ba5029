//! CPU-bound work that takes more than a few milliseconds: it runs beside the async threads, on a bounded
//! number of threads.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use thiserror::Error;

use super::measured::within_computation;
use super::{Tasks, panic_message};

/// The least number of computations that run at the same time, so that a long one does not block all others.
const MIN_THREADS: usize = 2;

/// The work panicked on another thread. The panic is logged and counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a computation panicked")]
pub struct Panicked;

/// Where computations run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// On threads beside the async ones.
    Threads,
    /// In the task that asks for them.
    #[cfg_attr(not(feature = "testing"), allow(dead_code, reason = "only the simulation computes there"))]
    Caller,
}

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
        let ended = match self.0.place {
            Place::Threads => tokio::task::spawn_blocking(work).await.map_err(|error| {
                error
                    .try_into_panic()
                    .unwrap_or_else(|error| Box::new(error.to_string()) as Box<dyn Any + Send>)
            }),
            Place::Caller => catch_unwind(AssertUnwindSafe(|| within_computation(work))),
        };
        self.counts(name).computed();
        ended.map_err(|panic| {
            self.counts(name).panicked(&panic_message(panic.as_ref()));
            Panicked
        })
    }
}
