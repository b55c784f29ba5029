//! Search limits. The only place in the searches that reads a clock, and a monotonic one.

use std::time::{Duration, Instant};

use super::helper_slot::HelperSlot;
use rookery_core::helper_threads::{HelperThread, HelperThreads};
use rookery_core::player::{Halt, Limits, Progress, ProgressListener, Value};

/// Positions between two time checks: reading the clock takes as long as evaluating a position.
const NODES_PER_TIME_CHECK: u64 = 16;

/// Checks the limits of one search.
#[derive(Debug)]
pub struct SearchClock {
    limits: Limits,
    halt: Halt,
    start: StartTime,
    nodes: u64,
    /// The node count at which the time is checked next.
    next_look: u64,
    /// Settled nodes since the last time check.
    settled: u64,
    out: bool,
    helpers: HelperThreads,
    progress: ProgressListener,
    /// The helper threads, once they run.
    helper_slot: Option<HelperSlot>,
}

impl SearchClock {
    /// Starts the clock. Missing limits do not apply; the halt always does.
    pub fn start(limits: Limits, halt: Halt) -> SearchClock {
        let start = StartTime::now(limits.cpu_time);
        SearchClock {
            limits,
            halt,
            start,
            nodes: 0,
            next_look: 0,
            settled: 0,
            out: false,
            helpers: HelperThreads::None,
            progress: ProgressListener::default(),
            helper_slot: None,
        }
    }

    /// The same clock with helper threads.
    #[must_use]
    pub fn with_helpers(self, helpers: HelperThreads) -> SearchClock {
        SearchClock { helpers, ..self }
    }

    /// The same clock with a progress listener.
    #[must_use]
    pub fn with_progress_listener(self, progress: ProgressListener) -> SearchClock {
        SearchClock { progress, ..self }
    }

    /// Reports the result of the last complete iteration.
    pub fn report_progress(&self, depth: u32, value: Value) {
        self.progress.report(Progress { depth, nodes: self.nodes(), value });
    }

    /// Counts searched positions and returns whether to stop. Once true, always true.
    pub fn count_nodes(&mut self, nodes: u64) -> bool {
        self.nodes += nodes;
        if let Some(helper_slot) = &self.helper_slot {
            helper_slot.report_nodes(self.nodes);
        }
        self.out = self.out || self.over();
        self.out
    }

    /// Counts a node that was settled by counting rather than evaluated, and returns whether to stop. It does not count
    /// as a searched position, but it takes time.
    pub fn settle(&mut self) -> bool {
        self.settled += 1;
        if self.settled >= NODES_PER_TIME_CHECK {
            (self.settled, self.next_look) = (0, self.nodes);
        }
        self.count_nodes(0)
    }

    /// Starts the helpers, each with its own clock; none if only one ply is searched. The node limit applies to all
    /// threads together, the time limit to the calling thread. The first thread to finish ends the search.
    pub(super) fn reserve(&mut self) -> Vec<(HelperThread, SearchClock)> {
        let short = self.is_unbounded() || self.limits.depth.is_some_and(|depth| depth < 2);
        let helpers = if short { Vec::new() } else { self.helpers.reserve() };
        if helpers.is_empty() {
            return Vec::new();
        }
        let mut helper_slot = HelperSlot::slots(1 + helpers.len());
        self.helper_slot = helper_slot.next();
        let limits = Limits { time: None, ..self.limits.clone() };
        let with_clock = |(helper, helper_slot): (HelperThread, HelperSlot)| {
            let clock = SearchClock::start(limits.clone(), helper.halt().clone());
            (helper, SearchClock { helper_slot: Some(helper_slot), ..clock })
        };
        helpers.into_iter().zip(helper_slot).map(with_clock).collect()
    }

    /// The halt of all threads of this search.
    pub(super) fn done(&self) -> Halt {
        self.helper_slot.as_ref().map(|helper_slot| helper_slot.done().clone()).unwrap_or_default()
    }

    /// The slot of this thread; 0 for the calling thread.
    pub(super) fn place(&self) -> usize {
        self.helper_slot.as_ref().map_or(0, HelperSlot::index)
    }

    /// Whether a limit was reached.
    pub fn limit_reached(&self) -> bool {
        self.out
    }

    /// Whether another iteration is worth starting after `done` plies: not beyond the depth limit, and not in the last
    /// part of the time, since an iteration takes several times as long as the one before.
    pub fn allows_round_after(&self, done: u32) -> bool {
        let late = self.limits.time.is_some_and(|time| self.start.elapsed() > time.mul_f32(0.6));
        !self.out && !late && self.limits.depth.is_none_or(|depth| done < depth)
    }

    /// Whether this fraction (0 to 1) of the time limit, if there is one, has passed.
    pub fn is_past(&self, part: f32) -> bool {
        self.limits.time.is_some_and(|time| self.start.elapsed() > time.mul_f32(part))
    }

    /// Whether there is a time limit.
    pub fn has_time_limit(&self) -> bool {
        self.limits.time.is_some()
    }

    /// Positions searched so far, by all threads.
    pub fn nodes(&self) -> u64 {
        self.helper_slot.as_ref().map_or(self.nodes, HelperSlot::nodes)
    }

    /// The depth limit in plies.
    pub fn depth(&self) -> Option<u32> {
        self.limits.depth
    }

    /// The node limit.
    pub fn most_nodes(&self) -> Option<u64> {
        self.limits.nodes
    }

    /// Whether only a halt would stop the search. Helpers always have a limit.
    pub fn is_unbounded(&self) -> bool {
        let alone = self.helper_slot.is_none();
        alone && self.limits.time.is_none() && self.limits.nodes.is_none() && self.limits.depth.is_none()
    }

    fn over(&mut self) -> bool {
        self.halt.called()
            || self.helper_slot.as_ref().is_some_and(|helper_slot| helper_slot.done().called())
            || self.limits.nodes.is_some_and(|nodes| self.nodes() >= nodes)
            || self.is_late()
    }

    fn is_late(&mut self) -> bool {
        if self.nodes < self.next_look {
            return false;
        }
        self.next_look = self.nodes + NODES_PER_TIME_CHECK;
        self.limits.time.is_some_and(|time| self.start.elapsed() >= time)
    }
}

/// A moment of the monotonic wall clock or of this thread's CPU time.
#[derive(Debug)]
enum StartTime {
    Wall(Instant),
    #[cfg(unix)]
    Cpu(Duration),
    /// A clock that tests set, in milliseconds since the start.
    #[cfg(test)]
    Manual(std::sync::Arc<std::sync::atomic::AtomicU64>),
}

impl StartTime {
    #[cfg(unix)]
    fn now(cpu: bool) -> StartTime {
        if cpu { StartTime::Cpu(thread_time()) } else { StartTime::Wall(Instant::now()) }
    }

    #[cfg(not(unix))]
    fn now(_cpu: bool) -> StartTime {
        StartTime::Wall(Instant::now())
    }

    fn elapsed(&self) -> Duration {
        match self {
            StartTime::Wall(start) => start.elapsed(),
            #[cfg(unix)]
            StartTime::Cpu(start) => thread_time().saturating_sub(*start),
            #[cfg(test)]
            StartTime::Manual(ms) => Duration::from_millis(ms.load(std::sync::atomic::Ordering::Relaxed)),
        }
    }
}

/// CPU time that this thread has used.
#[cfg(unix)]
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    fn clock(limits: Limits) -> SearchClock {
        SearchClock::start(limits, Halt::default())
    }

    #[test]
    fn nodes_bind_exactly_and_for_good() {
        let mut clock = clock(Limits { nodes: Some(10), ..Limits::default() });
        assert!(!clock.count_nodes(9));
        assert!(clock.count_nodes(1));
        assert!(clock.count_nodes(0) && clock.limit_reached());
    }

    /// The first time check happens at once, the next after some positions; settled nodes count.
    #[test]
    fn time_limit_applies_to_settled_nodes() {
        let now_ms = Arc::new(AtomicU64::new(0));
        let clock = clock(Limits { time: Some(Duration::from_millis(2)), ..Limits::default() });
        let mut clock = SearchClock { start: StartTime::Manual(now_ms.clone()), ..clock };
        assert!(!clock.count_nodes(1));
        now_ms.store(4, Ordering::Relaxed);
        assert!((0..NODES_PER_TIME_CHECK).any(|_| clock.settle()), "nobody looked at the clock");
        assert_eq!(clock.nodes(), 1);
    }

    #[test]
    fn time_binds_by_either_clock() {
        for cpu_time in [false, true] {
            let mut clock = clock(Limits { time: Some(Duration::ZERO), cpu_time, ..Limits::default() });
            assert!(clock.count_nodes(1));
        }
    }

    /// The CPU time of a new thread begins at 0, however long the process has run: waiting doesn't count.
    #[cfg(unix)]
    #[test]
    fn cpu_time_is_that_of_the_own_thread() {
        let limits = Limits { time: Some(Duration::from_secs(3_600)), cpu_time: true, ..Limits::default() };
        let started = std::thread::spawn(move || clock(limits).start).join().unwrap();
        assert!(matches!(started, StartTime::Cpu(used) if used < Duration::from_millis(20)), "{started:?}");
    }

    #[test]
    fn recalled_helper_leaves_others_running_and_finished_one_halts_all() {
        let mut asked =
            clock(Limits { depth: Some(9), ..Limits::default() }).with_helpers(HelperThreads::Count(2));
        let mut along = asked.reserve();
        along[0].0.halt().call();
        assert!(along[0].1.count_nodes(1) && !along[1].1.count_nodes(1) && !asked.count_nodes(1));
        assert_eq!(asked.nodes(), 3);
        along[1].1.done().call();
        assert!(along[1].1.count_nodes(1) && asked.count_nodes(1));
    }

    #[test]
    fn helpers_are_not_used_for_one_ply() {
        for depth in [None, Some(1)] {
            assert!(
                clock(Limits { depth, ..Limits::default() })
                    .with_helpers(HelperThreads::Count(2))
                    .reserve()
                    .is_empty()
            );
        }
    }

    #[test]
    fn a_halt_binds_at_once_and_depth_between_rounds() {
        let halt = Halt::default();
        let mut clock = SearchClock::start(Limits { depth: Some(3), ..Limits::default() }, halt.clone());
        assert!(clock.allows_round_after(2) && !clock.allows_round_after(3) && !clock.count_nodes(1));
        halt.call();
        assert!(clock.count_nodes(0) && !clock.allows_round_after(0));
    }
}
