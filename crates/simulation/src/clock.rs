//! The clocks of a simulation. Each process and Discord see the same time, but a process's clock may be wrong.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use rookery_table::millis::timestamp;
use rookery_table::ports::Clock;

/// When every simulation begins: 2026-01-05 12:00 UTC, a Monday.
pub(crate) const BEGINNING_MS: i64 = 1_767_614_400_000;

/// The true time, in milliseconds since 1970.
#[derive(Clone, Debug)]
pub(crate) struct TrueTime(Arc<AtomicI64>);

impl TrueTime {
    pub(crate) fn beginning() -> TrueTime {
        TrueTime(Arc::new(AtomicI64::new(BEGINNING_MS)))
    }

    pub(crate) fn now_ms(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn advance(&self, by: Duration) {
        self.0.fetch_add(i64::try_from(by.as_millis()).unwrap_or(0), Ordering::Relaxed);
    }
}

/// The clock of a process, which may differ from the true time.
#[derive(Clone, Debug)]
pub(crate) struct ProcessClock {
    time: TrueTime,
    error_ms: Arc<AtomicI64>,
    was_wrong: Arc<AtomicBool>,
}

impl ProcessClock {
    pub(crate) fn new(time: TrueTime) -> ProcessClock {
        ProcessClock { time, error_ms: Arc::default(), was_wrong: Arc::default() }
    }

    /// Sets how far this clock is ahead of the true time; negative if it is behind.
    pub(crate) fn set_error(&self, error_ms: i64) {
        self.error_ms.store(error_ms, Ordering::Relaxed);
        self.was_wrong.fetch_or(error_ms != 0, Ordering::Relaxed);
    }

    /// Whether this clock ever differed from the true time.
    pub(crate) fn was_wrong(&self) -> bool {
        self.was_wrong.load(Ordering::Relaxed)
    }

    /// Returns how far this clock is ahead of the true time.
    pub(crate) fn error_ms(&self) -> i64 {
        self.error_ms.load(Ordering::Relaxed)
    }
}

impl Clock for ProcessClock {
    fn now(&self) -> Timestamp {
        timestamp(self.time.now_ms() + self.error_ms())
    }
}
