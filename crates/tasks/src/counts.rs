//! Counters of the tasks that share a name.

use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::status::{LONG_POLL, Phase, Supervised, TaskStatus};

/// Long polls of one name are logged at most once in this interval.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// The value of `interval_ms` for a task that is not supervised.
const UNSUPERVISED: u64 = 0;
/// The value of `interval_ms` for a supervised task that sends no heartbeats.
const NO_HEARTBEATS: u64 = u64::MAX;

/// The value of `logged_ms` while no long poll has been logged.
const NEVER: i64 = i64::MIN;

#[derive(Debug)]
pub(super) struct TaskCounters {
    name: &'static str,
    /// When the process started; the moments below are milliseconds since then.
    started: Instant,
    panics: AtomicU64,
    begun: AtomicU64,
    ended: AtomicU64,
    restarts: AtomicU64,
    computed: AtomicU64,
    longest_poll_ns: AtomicU64,
    long_polls: AtomicU64,
    logged_ms: AtomicI64,
    /// Milliseconds between heartbeats, or [`UNSUPERVISED`] or [`NO_HEARTBEATS`].
    interval_ms: AtomicU64,
    beat_ms: AtomicI64,
    phase: AtomicU8,
    failure: Mutex<Option<String>>,
}

impl TaskCounters {
    pub(super) fn new(name: &'static str, started: Instant) -> TaskCounters {
        TaskCounters {
            name,
            started,
            panics: AtomicU64::new(0),
            begun: AtomicU64::new(0),
            ended: AtomicU64::new(0),
            restarts: AtomicU64::new(0),
            computed: AtomicU64::new(0),
            longest_poll_ns: AtomicU64::new(0),
            long_polls: AtomicU64::new(0),
            logged_ms: AtomicI64::new(NEVER),
            interval_ms: AtomicU64::new(UNSUPERVISED),
            beat_ms: AtomicI64::new(0),
            phase: AtomicU8::new(Phase::Running as u8),
            failure: Mutex::default(),
        }
    }

    /// Marks the tasks of this name as supervised, with the longest time between two heartbeats, or `None` if
    /// they send none.
    pub(super) fn expect_heartbeats(&self, interval: Option<Duration>) {
        let in_ms = |interval: Duration| u64::try_from(interval.as_millis()).unwrap_or(NO_HEARTBEATS).max(1);
        self.interval_ms.store(interval.map_or(NO_HEARTBEATS, in_ms), Relaxed);
        self.enter(Phase::Running);
    }

    pub(super) fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Relaxed);
        self.heartbeat();
    }

    pub(super) fn heartbeat(&self) {
        self.beat_ms.store(self.now_ms(), Relaxed);
    }

    pub(super) fn begun(&self) {
        self.begun.fetch_add(1, Relaxed);
    }

    pub(super) fn ended(&self) {
        self.ended.fetch_add(1, Relaxed);
    }

    pub(super) fn panicked(&self, message: &str) {
        self.panics.fetch_add(1, Relaxed);
        tracing::error!(task = self.name, message, "a task panicked");
    }

    /// Stores why the task's work fails; `None` after a success.
    pub(super) fn set_failure(&self, why: Option<String>) {
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = why;
    }

    /// Counts a computation that ended beside the async threads.
    pub(super) fn computed(&self) {
        self.computed.fetch_add(1, Relaxed);
    }

    pub(super) fn restarted(&self) {
        self.restarts.fetch_add(1, Relaxed);
    }

    /// Counts a poll that took this CPU time; logs it if it was long.
    pub(super) fn polled(&self, took: Duration) {
        let took_ns = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        let is_longest = self.longest_poll_ns.fetch_max(took_ns, Relaxed) < took_ns;
        if took <= LONG_POLL {
            return;
        }
        self.long_polls.fetch_add(1, Relaxed);
        let milliseconds = took.as_secs_f64() * 1e3;
        if is_longest {
            tracing::debug!(task = self.name, milliseconds, "the longest poll of this task so far");
        }
        let (now_ms, logged_ms) = (self.now_ms(), self.logged_ms.load(Relaxed));
        let is_due = logged_ms == NEVER || now_ms - logged_ms >= to_ms(LOG_INTERVAL);
        if is_due && self.logged_ms.compare_exchange(logged_ms, now_ms, Relaxed, Relaxed).is_ok() {
            tracing::warn!(
                task = self.name,
                milliseconds,
                "a poll took long; other tasks waited for its thread"
            );
        }
    }

    pub(super) fn status(&self) -> TaskStatus {
        let interval_ms = self.interval_ms.load(Relaxed);
        let age_ms = self.now_ms().saturating_sub(self.beat_ms.load(Relaxed));
        let supervised = Supervised {
            interval: (interval_ms != NO_HEARTBEATS).then_some(Duration::from_millis(interval_ms)),
            heartbeat_age: Duration::from_millis(u64::try_from(age_ms).unwrap_or(0)),
            phase: self.phase(),
        };
        TaskStatus {
            name: self.name,
            panics: self.panics.load(Relaxed),
            begun: self.begun.load(Relaxed),
            ended: self.ended.load(Relaxed),
            restarts: self.restarts.load(Relaxed),
            computed: self.computed.load(Relaxed),
            longest_poll: Duration::from_nanos(self.longest_poll_ns.load(Relaxed)),
            long_polls: self.long_polls.load(Relaxed),
            supervised: (interval_ms != UNSUPERVISED).then_some(supervised),
            failure: self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    fn phase(&self) -> Phase {
        let now = self.phase.load(Relaxed);
        let all = [Phase::Running, Phase::BackingOff, Phase::Ended];
        all.into_iter().find(|phase| *phase as u8 == now).unwrap_or(Phase::Running)
    }

    fn now_ms(&self) -> i64 {
        to_ms(self.started.elapsed())
    }
}

fn to_ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
