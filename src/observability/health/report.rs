//! The parts of the process and the health of each.

use std::fmt::Write;
use std::time::Duration;

use serde::Serialize;

use rookery_tasks::{Phase, Supervised, TaskStatus};

use super::probe::{Backlog, ProbeResult};
use crate::observability::heartbeat::is_stuck;

/// The outbox is stuck when its oldest item has been due for this time.
const OUTBOX_STUCK: Duration = Duration::from_secs(300);

/// The health of the process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Report {
    /// Whether every part is healthy.
    pub(super) well: bool,
    pub(super) parts: Vec<ComponentReport>,
}

/// The health of one part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct ComponentReport {
    pub(super) part: String,
    pub(super) well: bool,
    pub(super) state: String,
}

impl ComponentReport {
    fn new(part: impl Into<String>, state: Result<String, String>) -> ComponentReport {
        let (well, state) = match state {
            Ok(state) => (true, state),
            Err(state) => (false, state),
        };
        ComponentReport { part: part.into(), well, state }
    }
}

impl Report {
    /// Creates the report from the data of one moment.
    pub(super) fn new(
        stopping: bool,
        found: &ProbeResult,
        gateway_lost: Option<Duration>,
        tasks: &[TaskStatus],
    ) -> Report {
        let mut parts = vec![
            ComponentReport::new("store", store(&found.store)),
            ComponentReport::new("outbox", found.backlog.clone().and_then(outbox)),
            ComponentReport::new("gateway", gateway(gateway_lost)),
        ];
        if stopping {
            parts.insert(0, ComponentReport::new("process", Err("stopping".into())));
        }
        let supervised = tasks.iter().filter_map(|task| Some((task, task.supervised?)));
        parts
            .extend(supervised.map(|(task, known)| {
                ComponentReport::new(format!("task {}", task.name), state(task, known))
            }));
        Report { well: parts.iter().all(|part| part.well), parts }
    }

    /// Formats the report for people: the overall state, then a line for each part, unhealthy ones first.
    pub(super) fn text(&self) -> String {
        let mut text = String::from(if self.well { "well\n" } else { "not well\n" });
        for well in [false, true] {
            for part in self.parts.iter().filter(|part| part.well == well) {
                let mark = if well { "ok " } else { "" };
                writeln!(text, "{mark}{}: {}", part.part, part.state)
                    .expect("writing to a String cannot fail");
            }
        }
        text
    }
}

fn store(written: &Result<Duration, String>) -> Result<String, String> {
    match written {
        Ok(took) => Ok(format!("a transaction took {} ms", took.as_millis())),
        Err(why) => Err(format!("nothing can be written: {why}")),
    }
}

fn outbox(backlog: Backlog) -> Result<String, String> {
    let waiting = match backlog.waiting_for_permission {
        0 => String::new(),
        waiting => format!("; {waiting} wait for a permission"),
    };
    match backlog.oldest_due {
        None => Ok(format!("nothing is due{waiting}")),
        Some(age) if age < OUTBOX_STUCK => {
            Ok(format!("the oldest item has been due for {} s{waiting}", age.as_secs()))
        }
        Some(age) => Err(format!("the oldest item has been due for {} s{waiting}", age.as_secs())),
    }
}

fn gateway(lost: Option<Duration>) -> Result<String, String> {
    match lost {
        None => Ok("connected".into()),
        Some(lost) => Err(format!("Discord is out of reach for {} s", lost.as_secs())),
    }
}

fn state(task: &TaskStatus, known: Supervised) -> Result<String, String> {
    let restarts = match task.restarts {
        0 => String::new(),
        times => format!(", restarted {times} times"),
    };
    if let Some(why) = task.failure.as_ref().filter(|_| known.phase == Phase::Running) {
        return Err(why.clone());
    }
    let age = known.heartbeat_age.as_secs();
    match known.phase {
        Phase::Ended => Ok("ended".into()),
        Phase::BackingOff => Err(format!("it panicked or ended early and waits for a restart{restarts}")),
        Phase::Running => match known.interval {
            None => Ok(format!("running{restarts}")),
            Some(interval) if is_stuck(&known) => Err(format!(
                "no beat for {age} s, one is due every {} s{restarts}",
                interval.as_secs().max(1)
            )),
            Some(_) => Ok(format!("beat {age} s ago{restarts}")),
        },
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    fn found(store: Result<Duration, String>, backlog: Backlog) -> ProbeResult {
        ProbeResult::new(Instant::now(), store, Ok(backlog))
    }

    fn task(phase: Phase, interval: u64, heartbeat_age: u64) -> TaskStatus {
        let (interval, heartbeat_age) =
            (Some(Duration::from_secs(interval)), Duration::from_secs(heartbeat_age));
        let supervised = Some(Supervised { interval, heartbeat_age, phase });
        TaskStatus {
            name: "clocks",
            panics: 2,
            begun: 0,
            ended: 0,
            restarts: 2,
            computed: 0,
            longest_poll: Duration::ZERO,
            long_polls: 0,
            supervised,
            failure: None,
        }
    }

    fn with(tasks: &[TaskStatus], backlog: Backlog, lost: Option<Duration>) -> Report {
        Report::new(false, &found(Ok(Duration::from_millis(3)), backlog), lost, tasks)
    }

    #[test]
    fn each_part_has_a_line_and_says_what_is_wrong() {
        let oldest_due = Some(OUTBOX_STUCK);
        let stuck = Backlog { oldest_due, waiting_for_permission: 4 };
        let report = with(&[task(Phase::Running, 1, 31)], stuck, Some(Duration::from_secs(12)));
        assert_eq!(
            report.text(),
            "not well\n\
             outbox: the oldest item has been due for 300 s; 4 wait for a permission\n\
             gateway: Discord is out of reach for 12 s\n\
             task clocks: no beat for 31 s, one is due every 1 s, restarted 2 times\n\
             ok store: a transaction took 3 ms\n"
        );
    }

    #[test]
    fn a_late_beat_is_no_trouble_before_three_intervals_and_half_a_minute() {
        let well = |tasks: &[TaskStatus]| with(tasks, Backlog::default(), None).well;
        assert!(well(&[task(Phase::Running, 1, 30), task(Phase::Running, 20, 60)]));
        assert!(!well(&[task(Phase::Running, 1, 31)]));
        assert!(!well(&[task(Phase::Running, 20, 61)]));
        assert!(!well(&[task(Phase::BackingOff, 20, 0)]));
        assert!(well(&[task(Phase::Ended, 20, 900)]));
    }

    #[test]
    fn a_stopping_process_is_not_well() {
        let found = found(Ok(Duration::ZERO), Backlog::default());
        assert!(!Report::new(true, &found, None, &[]).well);
    }
}
