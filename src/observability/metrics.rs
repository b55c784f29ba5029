//! The metrics of the process in the OpenMetrics text format, which Prometheus reads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Metric, Registry};
use rookery_tasks::{TaskStatus, Tasks};

use super::heartbeat::is_stuck;
use crate::http_server::Server;

/// The content type of [`Metrics::text`].
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The counters and gauges of a process; shared behind an `Arc`. Histograms are in [`rookery_tasks::Timings`].
#[derive(Debug)]
pub struct Metrics {
    /// Tables loaded in memory.
    pub tables: Gauge,
    /// Orders that became events.
    pub orders: Counter,
    /// Orders that were refused.
    pub refusals: Counter,
    /// Bugs caught in a table's task, and panics of the players.
    pub bugs: Counter,
    /// Outbox rows that wait to be posted.
    pub outbox_waiting: Gauge,
    /// Turns that the bot owes: they wait for a thread or are being searched.
    pub ai_owed: Gauge,
    /// Gateway events that could not be read.
    pub unknown_events: Counter,
    /// Tables and rows of the journal that this version could not read.
    pub unreadable: Gauge,
    started: SystemTime,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            tables: Gauge::default(),
            orders: Counter::default(),
            refusals: Counter::default(),
            bugs: Counter::default(),
            outbox_waiting: Gauge::default(),
            ai_owed: Gauge::default(),
            unknown_events: Counter::default(),
            unreadable: Gauge::default(),
            started: SystemTime::now(),
        }
    }
}

impl Metrics {
    /// Formats all metrics of the process, including those of its tasks and servers.
    pub fn text(&self, tasks: &Tasks, servers: &[Server]) -> String {
        let mut registry = Registry::default();
        self.register(&mut registry);
        tasks.timings().register(&mut registry);
        register_tasks(&mut registry, &tasks.status());
        register_servers(&mut registry, servers);
        register_process(&mut registry, self.started);
        let mut text = String::new();
        encode(&mut text, &registry).expect("writing to a String cannot fail");
        text
    }

    fn register(&self, registry: &mut Registry) {
        registry.register("rookery_tables", "Tables in memory", self.tables.clone());
        registry.register("rookery_orders", "Orders that became events", self.orders.clone());
        registry.register("rookery_refusals", "Orders that were refused", self.refusals.clone());
        registry.register("rookery_bugs", "Bugs that were caught at a table", self.bugs.clone());
        let waiting = self.outbox_waiting.clone();
        registry.register("rookery_outbox_waiting", "Messages that wait to be posted", waiting);
        registry.register("rookery_ai_owed", "Moves the bot owes", self.ai_owed.clone());
        let unknown = self.unknown_events.clone();
        registry.register("rookery_unknown_events", "Gateway events that could not be read", unknown);
        let unreadable = "Tables and rows that this version could not read";
        registry.register("rookery_unreadable", unreadable, self.unreadable.clone());
    }
}

/// Sets a counter whose value is counted elsewhere.
pub fn set_counter(counter: &Counter, total: u64) {
    counter.inner().store(total, Ordering::Relaxed);
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TaskLabel {
    task: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ServerLabel {
    server: &'static str,
}

type Seconds = Gauge<f64, AtomicU64>;

fn register_tasks(registry: &mut Registry, tasks: &[TaskStatus]) {
    let counters = |value: fn(&TaskStatus) -> Option<u64>| {
        let family = Family::<TaskLabel, Counter>::default();
        for (task, value) in tasks.iter().filter_map(|task| Some((task.name, value(task)?))) {
            set_counter(&family.get_or_create(&TaskLabel { task }), value);
        }
        family
    };
    let seconds = |value: fn(&TaskStatus) -> Option<f64>| {
        let family = Family::<TaskLabel, Seconds>::default();
        for (task, value) in tasks.iter().filter_map(|task| Some((task.name, value(task)?))) {
            family.get_or_create(&TaskLabel { task }).set(value);
        }
        family
    };
    let restarts = counters(|task| task.supervised.map(|_| task.restarts));
    let beats = seconds(|task| Some(task.supervised?.heartbeat_age.as_secs_f64()));
    let longest = seconds(|task| Some(task.longest_poll.as_secs_f64()));
    registry.register("rookery_task_panics", "Tasks that panicked", counters(|task| Some(task.panics)));
    registry.register("rookery_task_restarts", "Restarts of supervised tasks", restarts);
    registry.register("rookery_task_beat_age_seconds", "Time since a supervised task's last beat", beats);
    let stuck = Family::<TaskLabel, Gauge>::default();
    for (task, known) in tasks.iter().filter_map(|task| Some((task.name, task.supervised?))) {
        stuck.get_or_create(&TaskLabel { task }).set(is_stuck(&known).into());
    }
    registry.register("rookery_task_stuck", "Whether a supervised task has missed its heartbeats", stuck);
    let computed = counters(|task| Some(task.computed));
    registry.register("rookery_computed", "Computations that ran beside the async threads", computed);
    registry.register("rookery_longest_poll_seconds", "The most CPU time of one poll of a task", longest);
    let long_polls = counters(|task| Some(task.long_polls));
    registry.register("rookery_long_polls", "Polls that took more than 10 ms of CPU time", long_polls);
}

fn register_servers(registry: &mut Registry, servers: &[Server]) {
    let counters = |value: fn(&Server) -> &AtomicU64| {
        let family = Family::<ServerLabel, Counter>::default();
        for server in servers {
            let label = ServerLabel { server: server.name() };
            set_counter(&family.get_or_create(&label), value(server).load(Ordering::Relaxed));
        }
        family
    };
    let connections = Family::<ServerLabel, Gauge>::default();
    for server in servers {
        let open = i64::try_from(server.connections()).unwrap_or(i64::MAX);
        connections.get_or_create(&ServerLabel { server: server.name() }).set(open);
    }
    registry.register("rookery_http_connections", "Open connections", connections);
    let mut register = |name: &str, help: &str, metric: Family<ServerLabel, Counter>| {
        registry.register(name, help, metric);
    };
    let refused = counters(|server| &server.stats().refused);
    register("rookery_http_refused", "Connections refused because there was no room", refused);
    let evicted = counters(|server| &server.stats().evicted);
    register("rookery_http_evicted", "Waiting connections that were closed for new ones", evicted);
    let limited = counters(|server| &server.stats().rate_limited);
    register("rookery_http_rate_limited", "Requests refused by the rate limit of their address", limited);
}

/// The metrics that Prometheus' client libraries define for every process.
fn register_process(registry: &mut Registry, started: SystemTime) {
    let since = started.duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
    registry.register("process_start_time_seconds", "When the process started", constant(since));
    if let Some(bytes) = resident_bytes() {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        let memory = Gauge::<i64>::default();
        memory.set(bytes);
        registry.register("process_resident_memory_bytes", "Memory in use", memory);
    }
}

fn constant(value: f64) -> impl Metric {
    let gauge = Seconds::default();
    gauge.set(value);
    gauge
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
    use std::time::Duration;

    use rookery_tasks::OrderPart;

    use super::*;

    #[test]
    fn metrics_text_holds_what_was_counted() {
        let metrics = Metrics::default();
        metrics.orders.inc_by(7);
        metrics.tables.set(12);
        metrics.tables.dec_by(2);
        let text = metrics.text(&Tasks::default(), &[]);
        assert!(text.contains("# TYPE rookery_orders counter\nrookery_orders_total 7\n"), "{text}");
        assert!(text.contains("# TYPE rookery_tables gauge\nrookery_tables 10\n"), "{text}");
        assert!(text.contains("rookery_refusals_total 0\n"), "{text}");
        assert!(text.ends_with("# EOF\n"), "{text}");
    }

    #[test]
    fn metrics_text_holds_histograms_by_label() {
        let tasks = Tasks::default();
        tasks.timings().order_part(OrderPart::Decide, Duration::from_millis(30));
        tasks.timings().order_part(OrderPart::Decide, Duration::from_millis(3));
        tasks.timings().discord_request("POST channels/{id}/messages", Some(200), Duration::from_secs(90));
        tasks.timings().discord_request("POST channels/{id}/messages", None, Duration::from_secs(20));
        let text = Metrics::default().text(&tasks, &[]);
        for line in [
            "# TYPE rookery_order_part_seconds histogram",
            "rookery_order_part_seconds_count{part=\"decide\"} 2",
            "rookery_order_part_seconds_bucket{le=\"0.005\",part=\"decide\"} 1",
            "rookery_order_part_seconds_bucket{le=\"0.05\",part=\"decide\"} 2",
            "rookery_discord_request_seconds_sum{route=\"POST channels/{id}/messages\",status=\"200\"} 90.0",
            "rookery_discord_request_seconds_count{route=\"POST channels/{id}/messages\",status=\"none\"} 1",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}:\n{text}");
        }
    }

    #[test]
    fn metrics_text_has_a_sample_for_each_task() {
        let tasks = [TaskStatus {
            name: "health probe",
            panics: 2,
            begun: 0,
            ended: 0,
            restarts: 0,
            computed: 0,
            longest_poll: Duration::from_millis(1_500),
            long_polls: 1,
            supervised: None,
            failure: None,
        }];
        let (mut registry, mut text) = (Registry::default(), String::new());
        register_tasks(&mut registry, &tasks);
        encode(&mut text, &registry).unwrap();
        assert!(text.contains("rookery_task_panics_total{task=\"health probe\"} 2\n"), "{text}");
        assert!(text.contains("rookery_longest_poll_seconds{task=\"health probe\"} 1.5\n"), "{text}");
        assert!(!text.contains("restarts_total{"), "it is not supervised: {text}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_is_in_bytes() {
        let held = vec![1_u8; 64 << 20];
        let resident = resident_bytes().unwrap();
        assert!((held.len() as u64..1 << 42).contains(&resident), "{resident} bytes");
    }
}
