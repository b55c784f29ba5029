//! A future whose polls are measured and whose panic is caught.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use super::counts::Counts;

tokio::task_local! {
    /// The supervised task that is being polled on this thread.
    static SUPERVISED: Arc<Counts>;
}

/// Tells the supervisor that the task that calls this goes on. Call it in every round of a loop that may last:
/// elsewhere than in a supervised task it does nothing.
pub fn beat() {
    let _ = SUPERVISED.try_with(|counts| counts.beat());
}

/// Measures each poll of a future, in CPU time of its thread, and turns its panic into an error.
pub(super) struct Measured<F> {
    work: Pin<Box<F>>,
    counts: Arc<Counts>,
    supervised: bool,
}

impl<F> Measured<F> {
    pub(super) fn new(work: F, counts: Arc<Counts>) -> Measured<F> {
        Measured { work: Box::pin(work), counts, supervised: false }
    }

    /// The same; [`beat`] within it is heard.
    pub(super) fn supervised(work: F, counts: Arc<Counts>) -> Measured<F> {
        Measured { supervised: true, ..Measured::new(work, counts) }
    }
}

impl<F: Future> Future for Measured<F> {
    type Output = Result<F::Output, Box<dyn Any + Send>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let before = thread_cpu_time();
        let mut poll = || catch_unwind(AssertUnwindSafe(|| this.work.as_mut().poll(cx)));
        let polled = match this.supervised {
            true => SUPERVISED.sync_scope(this.counts.clone(), poll),
            false => poll(),
        };
        this.counts.polled(thread_cpu_time().saturating_sub(before));
        match polled {
            Ok(polled) => polled.map(Ok),
            Err(panic) => Poll::Ready(Err(panic)),
        }
    }
}

/// The CPU time that this thread has used.
#[cfg(unix)]
fn thread_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Where the system does not tell a thread's CPU time, the time of day stands in for it.
#[cfg(not(unix))]
fn thread_cpu_time() -> Duration {
    static STARTED: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    STARTED.elapsed()
}
