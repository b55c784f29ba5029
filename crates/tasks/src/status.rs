//! What is known of a task: its counters and its state.

use std::time::Duration;

/// The CPU time from which a poll counts as long: it delays the other tasks on its thread.
pub(crate) const LONG_POLL: Duration = Duration::from_millis(10);

/// The counters of the tasks that share a name.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskStatus {
    /// The name they were spawned with, such as `outbox`.
    pub name: &'static str,
    /// The number of panics since the process started.
    pub panics: u64,
    /// The number of tasks under this name that were begun.
    pub begun: u64,
    /// The number of them that have ended, in whatever way.
    pub ended: u64,
    /// The number of restarts of a supervised task.
    pub restarts: u64,
    /// The number of computations under this name that ended beside the async threads.
    pub computed: u64,
    /// The longest CPU time of one poll.
    pub longest_poll: Duration,
    /// The number of polls that took longer than `LONG_POLL`.
    pub long_polls: u64,
    /// The supervision state; `None` for a task that is not supervised.
    pub supervised: Option<Supervised>,
    /// Why the task's work failed last; `None` after a success.
    pub failure: Option<String>,
}

/// The state of a supervised task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Supervised {
    /// The longest time between two heartbeats of a healthy task; `None` for a task that only waits.
    pub interval: Option<Duration>,
    /// The time since the last heartbeat.
    pub heartbeat_age: Duration,
    /// Where the task is between its start and its end.
    pub phase: Phase,
}

/// Where a supervised task is between its start and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The task is running its work.
    Running,
    /// The task panicked or ended early, and waits for its restart.
    BackingOff,
    /// The task has ended because the program stops.
    Ended,
}
