//! A future whose polls are measured and whose panic is caught.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use super::counts::TaskCounters;

thread_local! {
    /// Whether this thread is polling a measured future now.
    static POLLING: Cell<bool> = const { Cell::new(false) };
}

tokio::task_local! {
    /// The counters of the supervised task that this thread polls.
    static SUPERVISED: Arc<TaskCounters>;
}

/// Records that the calling task is alive. Call it in every round of a loop that may last. Outside a
/// supervised task it does nothing.
pub fn heartbeat() {
    let _ = SUPERVISED.try_with(|counts| counts.heartbeat());
}

/// Marks code that computes for long and must not run within a poll, where it would delay other tasks. A
/// build with debug assertions panics if it does.
pub fn assert_off_async_threads(what: &str) {
    debug_assert!(!POLLING.get(), "{what} is computed on an async thread; use `Tasks::compute`");
}

/// Runs work that may compute for long, although a measured future waits for it on this thread.
pub(super) fn within_computation<T>(work: impl FnOnce() -> T) -> T {
    let _polling = Polling(POLLING.replace(false));
    work()
}

/// Sets [`POLLING`] on this thread until it is dropped.
struct Polling(bool);

impl Polling {
    fn begin() -> Polling {
        Polling(POLLING.replace(true))
    }
}

impl Drop for Polling {
    fn drop(&mut self) {
        POLLING.set(self.0);
    }
}

/// Measures each poll of a future in CPU time of its thread, and turns its panic into an error.
pub(super) struct Measured<F> {
    work: Pin<Box<F>>,
    counts: Arc<TaskCounters>,
    supervised: bool,
}

impl<F> Measured<F> {
    pub(super) fn new(work: F, counts: Arc<TaskCounters>) -> Measured<F> {
        counts.begun();
        Measured { work: Box::pin(work), counts, supervised: false }
    }

    /// Measures the future of a supervised task: [`heartbeat`] within it reaches these counters.
    pub(super) fn supervised(work: F, counts: Arc<TaskCounters>) -> Measured<F> {
        let mut measured = Measured::new(work, counts);
        measured.supervised = true;
        measured
    }
}

impl<F> Drop for Measured<F> {
    fn drop(&mut self) {
        self.counts.ended();
    }
}

impl<F: Future> Future for Measured<F> {
    type Output = Result<F::Output, Box<dyn Any + Send>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let (before, polling) = (thread_cpu_time(), Polling::begin());
        let mut poll = || catch_unwind(AssertUnwindSafe(|| this.work.as_mut().poll(cx)));
        let polled = match this.supervised {
            true => SUPERVISED.sync_scope(this.counts.clone(), poll),
            false => poll(),
        };
        drop(polling);
        this.counts.polled(thread_cpu_time().saturating_sub(before));
        match polled {
            Ok(polled) => polled.map(Ok),
            Err(panic) => Poll::Ready(Err(panic)),
        }
    }
}

/// Returns the CPU time that this thread has used.
#[cfg(unix)]
fn thread_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Returns the wall time since the first call, where the system does not measure CPU time by thread.
#[cfg(not(unix))]
fn thread_cpu_time() -> Duration {
    static STARTED: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    STARTED.elapsed()
}
