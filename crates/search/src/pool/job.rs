//! Job data: scheduling, resources, and errors.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::queue::DeadlineShare;
use rookery_core::helper_threads::HelperThreads;
use rookery_core::player::{Halt, Level};

/// The scheduling data of a job.
#[derive(Clone, Copy, Debug)]
pub struct JobSpec {
    /// The table: turns are scheduled fairly between tables.
    pub table: u64,
    /// The table's owner: turns are scheduled fairly between owners first.
    pub owner: u64,
    /// Jobs with smaller numbers go first.
    pub urgency: u8,
    /// When the answer is wanted.
    pub deadline: Option<Instant>,
}

impl JobSpec {
    /// A search at a level for an owner's table, due within a time from now. Jobs of the same level go first if people
    /// wait for them (`waited_for`).
    pub fn new(table: u64, owner: u64, level: Level, waited_for: bool, within: Duration) -> JobSpec {
        let urgency = 2 * level as u8 + u8::from(!waited_for);
        JobSpec { table, owner, urgency, deadline: Some(Instant::now() + within) }
    }
}

/// The number of threads, the running jobs per owner, and the length of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolSize {
    /// Number of threads, at least one.
    pub threads: usize,
    /// Jobs of the same owner that may run at a time, at least one. Helper threads do not count: they are recalled for
    /// other jobs.
    pub threads_per_owner: usize,
    /// Maximum number of waiting jobs.
    pub max_waiting: usize,
}

impl PoolSize {
    /// This many threads, without a limit per owner or on the queue.
    pub fn new(threads: usize) -> PoolSize {
        PoolSize { threads, threads_per_owner: threads, max_waiting: usize::MAX }
    }
}

/// The resources of a job that starts.
#[derive(Clone, Debug)]
pub struct JobContext {
    /// Called when the answer is no longer needed. Pass it to the player in the request.
    pub halt: Halt,
    /// Idle threads, for long jobs. Other jobs get them back within the time that a player takes to evaluate one
    /// position's moves.
    pub helpers: HelperThreads,
    pub(super) helper_time: HelperTime,
    deadline: Option<Instant>,
    deadline_share: DeadlineShare,
}

impl JobContext {
    pub(super) fn new(halt: Halt, deadline: Option<Instant>, deadline_share: DeadlineShare) -> JobContext {
        JobContext {
            halt,
            helpers: HelperThreads::None,
            helper_time: HelperTime::default(),
            deadline,
            deadline_share,
        }
    }

    /// The total time that helper threads have spent.
    pub fn helper_time(&self) -> Duration {
        self.helper_time.time()
    }

    /// An equal share of the time left to the deadline among the jobs that waited when this one started; `None`
    /// without a deadline.
    pub fn share(&self) -> Option<Duration> {
        self.share_at(Instant::now())
    }

    pub(super) fn share_at(&self, now: Instant) -> Option<Duration> {
        self.deadline.map(|deadline| self.deadline_share.share(deadline.saturating_duration_since(now)))
    }
}

/// The queue is full. Try again later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{waiting} thoughts are waiting already; try again in a moment")]
pub struct QueueFull {
    /// The number of waiting jobs.
    pub waiting: usize,
}

/// The load of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Jobs that wait for a thread.
    pub waiting: usize,
    /// Number of running jobs.
    pub running: usize,
}

/// The time that helpers have spent on a job.
#[derive(Clone, Debug, Default)]
pub(super) struct HelperTime(Arc<AtomicU64>);

impl HelperTime {
    pub(super) fn time(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }

    pub(super) fn add(&self, time: Duration) {
        // Overflows after 584 years.
        self.0.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }
}
