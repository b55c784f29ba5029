//! When a supervised task counts as stuck.

use std::time::Duration;

use rookery_tasks::{Phase, Supervised};

/// A supervised task is stuck after this many intervals without a heartbeat and at least [`MIN_STUCK_TIME`].
const STUCK_INTERVALS: u32 = 3;
/// The shortest time without a heartbeat after which a task counts as stuck.
const MIN_STUCK_TIME: Duration = Duration::from_secs(30);

/// Whether a task that runs has missed its heartbeats. A task that only waits has none, and is never stuck.
pub(super) fn is_stuck(task: &Supervised) -> bool {
    let longest = task.interval.map(|interval| (interval * STUCK_INTERVALS).max(MIN_STUCK_TIME));
    task.phase == Phase::Running && longest.is_some_and(|longest| task.heartbeat_age > longest)
}
