//! Counters and gauges, with output in Prometheus' text exposition format, version 0.0.4.

use std::fmt::{Display, Write};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use rookery_tasks::TaskStatus;

use crate::http_server::Server;

/// A counter or gauge of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Metric {
    /// Tables loaded in memory.
    Tables,
    /// Orders that became events.
    Orders,
    /// Orders that were refused.
    Refusals,
    /// Bugs caught in a table's task, and panics of the players.
    Bugs,
    /// Outbox rows that wait to be posted.
    OutboxWaiting,
    /// Turns that the bot owes: they wait for a thread or are being searched.
    AiOwed,
    /// Gateway events that could not be read.
    UnknownEvents,
    /// Tables and rows of the journal that this version could not read.
    Unreadable,
}

/// The description of a metric: whether it is a counter or a gauge, its name, and its help text.
struct MetricInfo {
    metric: Metric,
    kind: &'static str,
    name: &'static str,
    help: &'static str,
}

const fn counter(metric: Metric, name: &'static str, help: &'static str) -> MetricInfo {
    MetricInfo { metric, kind: "counter", name, help }
}

const fn gauge(metric: Metric, name: &'static str, help: &'static str) -> MetricInfo {
    MetricInfo { metric, kind: "gauge", name, help }
}

/// Every metric once, in the order of [`Metric`].
const ALL: [MetricInfo; 8] = [
    gauge(Metric::Tables, "rookery_tables", "Tables in memory."),
    counter(Metric::Orders, "rookery_orders_total", "Orders that became events."),
    counter(Metric::Refusals, "rookery_refusals_total", "Orders that were refused."),
    counter(Metric::Bugs, "rookery_bugs_total", "Faults of ours, caught at a table."),
    gauge(Metric::OutboxWaiting, "rookery_outbox_waiting", "Messages that wait to be posted."),
    gauge(Metric::AiOwed, "rookery_ai_owed", "Moves the bot owes."),
    counter(Metric::UnknownEvents, "rookery_unknown_events_total", "Gateway events dropped unread."),
    gauge(Metric::Unreadable, "rookery_unreadable", "Tables and rows that this version could not read."),
];

/// All metrics of a process; shared behind an `Arc`.
#[derive(Debug)]
pub struct Metrics {
    values: [AtomicI64; ALL.len()],
    started: SystemTime,
}

impl Default for Metrics {
    fn default() -> Self {
        Self { values: Default::default(), started: SystemTime::now() }
    }
}

impl Metrics {
    /// Increases a metric, or decreases a gauge by a negative amount.
    pub fn add(&self, metric: Metric, amount: i64) {
        self.values[metric as usize].fetch_add(amount, Ordering::Relaxed);
    }

    /// Sets a gauge to a value.
    pub fn set(&self, metric: Metric, value: i64) {
        self.values[metric as usize].store(value, Ordering::Relaxed);
    }

    /// Returns the present value.
    pub fn get(&self, metric: Metric) -> i64 {
        self.values[metric as usize].load(Ordering::Relaxed)
    }

    /// Formats all metrics in Prometheus' text format, including the memory and start time of the process.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for MetricInfo { metric, kind, name, help } in &ALL {
            describe(&mut text, kind, name, help, self.get(*metric).into());
        }
        let started = self.started.duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
        describe(
            &mut text,
            "gauge",
            "process_start_time_seconds",
            "When the process started.",
            started.into(),
        );
        if let Some(bytes) = resident_bytes() {
            describe(&mut text, "gauge", "process_resident_memory_bytes", "Memory in use.", bytes.into());
        }
        text
    }
}

fn describe(text: &mut String, kind: &str, name: &str, help: &str, value: serde_json::Value) {
    writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}")
        .expect("writing to a String cannot fail");
}

/// A metric with one sample per value of a label.
struct Family {
    kind: &'static str,
    name: &'static str,
    help: &'static str,
    label: &'static str,
}

impl Family {
    fn write<'a, V: Display>(&self, text: &mut String, samples: impl Iterator<Item = (&'a str, V)>) {
        let Family { kind, name, help, label } = self;
        let mut line = |line: String| writeln!(text, "{line}").expect("writing to a String cannot fail");
        line(format!("# HELP {name} {help}\n# TYPE {name} {kind}"));
        samples.for_each(|(of, value)| line(format!("{name}{{{label}=\"{of}\"}} {value}")));
    }
}

/// Writes the metrics of the tasks in Prometheus' text format.
pub fn write_tasks(text: &mut String, tasks: &[TaskStatus]) {
    let family = |kind, name, help| Family { kind, name, help, label: "task" };
    let all = || tasks.iter().map(|task| (task.name, task));
    let supervised = || all().filter(|(_, task)| task.supervised.is_some());
    family("counter", "rookery_task_panics_total", "Tasks that panicked.")
        .write(text, all().map(|(name, task)| (name, task.panics)));
    family("counter", "rookery_task_restarts_total", "Restarts of supervised tasks.")
        .write(text, supervised().map(|(name, task)| (name, task.restarts)));
    family("gauge", "rookery_task_beat_age_seconds", "Time since a supervised task's last beat.").write(
        text,
        supervised().filter_map(|(name, it)| Some((name, it.supervised?.beat_age.as_secs_f64()))),
    );
    family("counter", "rookery_computed_total", "Pieces of work that ran beside the async threads.")
        .write(text, all().map(|(name, task)| (name, task.computed)));
    family("gauge", "rookery_longest_poll_seconds", "The most CPU time that one poll of a task took.")
        .write(text, all().map(|(name, task)| (name, task.longest_poll.as_secs_f64())));
    family("counter", "rookery_long_polls_total", "Polls that took more than 10 ms of CPU time.")
        .write(text, all().map(|(name, task)| (name, task.long_polls)));
}

/// Writes the metrics of the servers in Prometheus' text format.
pub fn write_servers(text: &mut String, servers: &[Server]) {
    let family = |kind, name, help| Family { kind, name, help, label: "server" };
    let stats = || servers.iter().map(|server| (server.name(), server.stats()));
    let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
    family("gauge", "rookery_http_connections", "Connections held.")
        .write(text, servers.iter().map(|server| (server.name(), server.connections())));
    family("counter", "rookery_http_refused_total", "Connections refused because there was no room.")
        .write(text, stats().map(|(name, stats)| (name, count(&stats.refused))));
    family("counter", "rookery_http_evicted_total", "Waiting connections that were closed for new ones.")
        .write(text, stats().map(|(name, stats)| (name, count(&stats.evicted))));
    family("counter", "rookery_http_rate_limited_total", "Requests refused as too many from their address.")
        .write(text, stats().map(|(name, stats)| (name, count(&stats.rate_limited))));
}

/// Returns the resident memory of this process in bytes; `None` where `/proc` does not provide it.
pub fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_metric_has_its_own_place_and_name() {
        for (place, described) in ALL.iter().enumerate() {
            assert_eq!(described.metric as usize, place, "{} stands in the wrong place", described.name);
            assert_eq!(described.kind == "counter", described.name.ends_with("_total"), "{}", described.name);
        }
        assert_eq!(ALL.iter().map(|d| d.name).collect::<HashSet<_>>().len(), ALL.len());
        assert_eq!(ALL[ALL.len() - 1].metric, Metric::Unreadable, "the last of the enum is described");
    }

    #[test]
    fn the_text_holds_what_was_counted() {
        let metrics = Metrics::default();
        metrics.add(Metric::Orders, 3);
        metrics.add(Metric::Orders, 4);
        metrics.set(Metric::Tables, 12);
        metrics.add(Metric::Tables, -2);
        let text = metrics.text();
        assert!(text.contains("# TYPE rookery_orders_total counter\nrookery_orders_total 7\n"), "{text}");
        assert!(text.contains("# TYPE rookery_tables gauge\nrookery_tables 10\n"), "{text}");
        assert!(text.contains("rookery_refusals_total 0\n"), "{text}");
    }

    /// The exposition format: `HELP` and `TYPE` comments, and samples of a name and a number.
    #[test]
    fn every_line_is_of_the_format() {
        for line in Metrics::default().text().lines() {
            let words: Vec<&str> = line.splitn(4, ' ').collect();
            match words[..] {
                ["#", "HELP", name, _] | ["#", "TYPE", name, "counter" | "gauge"] => assert!(is_a_name(name)),
                [name, number] => assert!(is_a_name(name) && number.parse::<f64>().is_ok(), "{line}"),
                _ => panic!("not of the format: {line}"),
            }
        }
    }

    #[test]
    fn tasks_and_servers_have_a_sample_each() {
        let tasks = [TaskStatus {
            name: "health probe",
            panics: 2,
            restarts: 0,
            computed: 0,
            longest_poll: std::time::Duration::from_millis(1_500),
            long_polls: 1,
            supervised: None,
            failure: None,
        }];
        let mut text = String::new();
        write_tasks(&mut text, &tasks);
        write_servers(&mut text, &[]);
        assert!(text.contains("rookery_task_panics_total{task=\"health probe\"} 2\n"), "{text}");
        assert!(text.contains("rookery_longest_poll_seconds{task=\"health probe\"} 1.5\n"), "{text}");
        assert!(!text.contains("restarts_total{"), "it is not supervised: {text}");
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (name, number) = line.rsplit_once(' ').unwrap();
            assert!(name.ends_with("\"}") && number.parse::<f64>().is_ok(), "{line}");
        }
    }

    fn is_a_name(name: &str) -> bool {
        name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_') && !name.is_empty()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_is_in_bytes() {
        let held = vec![1_u8; 64 << 20];
        let resident = resident_bytes().unwrap();
        assert!((held.len() as u64..1 << 42).contains(&resident), "{resident} bytes");
    }
}
