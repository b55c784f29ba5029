//! Histograms of how long the work of the process takes, for Prometheus.

use std::time::{Duration, Instant};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric, Registry, Unit};

/// Upper bounds of the buckets in seconds: from a lookup in memory to the longest search.
const BUCKETS: [f64; 15] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

/// A part of the way from an order to the board in the channel. The first two are recorded for every order and every
/// new table, also if it fails; the last two once for every board that is posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum OrderPart {
    /// The rules decide what the order leads to, including the wait for a thread.
    Decide,
    /// The events are appended to the journal.
    Journal,
    /// The board waits in the outbox, from the end of the write to the attempt that posts it. For a write that this
    /// process doesn't know, from the order.
    Queue,
    /// The board is drawn and posted, in the attempt that succeeds.
    Deliver,
}

/// A queue of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Queue {
    /// Messages about tables that are to be posted.
    Outbox,
    /// The bot's turns, which wait for a thread.
    Thinking,
    /// Pictures, which wait for a thread.
    Drawing,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OrderPartLabel {
    part: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct QueueLabel {
    queue: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    status: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ThinkingLabels {
    game: &'static str,
    level: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DrawingLabels {
    kind: &'static str,
}

/// Records the time since its creation when it is dropped, so that work that panics counts too.
pub struct RecordOnDrop<F: FnMut(Duration)> {
    begun: Instant,
    record: F,
}

impl<F: FnMut(Duration)> RecordOnDrop<F> {
    /// Starts to measure.
    pub fn new(record: F) -> RecordOnDrop<F> {
        RecordOnDrop { begun: Instant::now(), record }
    }
}

impl<F: FnMut(Duration)> Drop for RecordOnDrop<F> {
    fn drop(&mut self) {
        (self.record)(self.begun.elapsed());
    }
}

type Histograms<Labels> = Family<Labels, Histogram, fn() -> Histogram>;

fn histogram() -> Histogram {
    Histogram::new(BUCKETS)
}

fn histograms<Labels: Clone + Eq + std::hash::Hash>() -> Histograms<Labels> {
    Family::new_with_constructor(histogram)
}

/// The histograms of a process, and its share of the requests to Discord. Clones share them.
#[derive(Clone, Debug)]
pub struct Timings {
    order_to_post: Histogram,
    order_parts: Histograms<OrderPartLabel>,
    queue_ages: Histograms<QueueLabel>,
    discord_requests: Histograms<RequestLabels>,
    request_share: Gauge,
    thinking: Histograms<ThinkingLabels>,
    drawing: Histograms<DrawingLabels>,
}

impl Default for Timings {
    fn default() -> Timings {
        Timings {
            order_to_post: histogram(),
            order_parts: histograms(),
            queue_ages: histograms(),
            discord_requests: histograms(),
            request_share: Gauge::default(),
            thinking: histograms(),
            drawing: histograms(),
        }
    }
}

impl Timings {
    /// Records the time from an order to the post of the board that shows its result.
    pub fn order_to_post(&self, took: Duration) {
        self.order_to_post.observe(took.as_secs_f64());
    }

    /// Records the time of one part of that way.
    pub fn order_part(&self, part: OrderPart, took: Duration) {
        self.order_parts.get_or_create(&OrderPartLabel { part: part.into() }).observe(took.as_secs_f64());
    }

    /// Records the age of an entry that leaves a queue.
    pub fn queue_age(&self, queue: Queue, age: Duration) {
        self.queue_ages.get_or_create(&QueueLabel { queue: queue.into() }).observe(age.as_secs_f64());
    }

    /// Records a request to Discord. `route` is a method and a path without ids and tokens, because each
    /// combination of labels is a time series of its own; `status` is `None` if there was no response.
    pub fn discord_request(&self, route: &str, status: Option<u16>, took: Duration) {
        let status = status.map_or_else(|| "none".to_owned(), |status| status.to_string());
        let labels = RequestLabels { route: route.to_owned(), status };
        self.discord_requests.get_or_create(&labels).observe(took.as_secs_f64());
    }

    /// Sets how many requests the process may send to Discord in a second.
    pub fn set_request_share(&self, per_second: u32) {
        self.request_share.set(per_second.into());
    }

    /// Records the time of one move of the bot, without the wait for a thread.
    pub fn thinking(&self, game: &'static str, level: &'static str, took: Duration) {
        self.thinking.get_or_create(&ThinkingLabels { game, level }).observe(took.as_secs_f64());
    }

    /// Records the time of one drawing, without the wait for a thread.
    pub fn drawing(&self, kind: &'static str, took: Duration) {
        self.drawing.get_or_create(&DrawingLabels { kind }).observe(took.as_secs_f64());
    }

    /// Registers all histograms with the registry that `/metrics` serves.
    pub fn register(&self, registry: &mut Registry) {
        fn seconds(registry: &mut Registry, name: &str, help: &str, metric: impl Metric) {
            registry.register_with_unit(name, help, Unit::Seconds, metric);
        }
        let Timings {
            order_to_post,
            order_parts,
            queue_ages,
            discord_requests,
            request_share,
            thinking,
            drawing,
        } = self.clone();
        let share = "Requests in a second that this process may send to Discord";
        registry.register("rookery_request_share", share, request_share);
        let parts = "Parts of the way from an order to the post of its board";
        seconds(registry, "rookery_order_to_post", "From an order to the post of its board", order_to_post);
        seconds(registry, "rookery_order_part", parts, order_parts);
        seconds(registry, "rookery_queue_age", "Age of the entries that leave a queue", queue_ages);
        let requests = "Requests to Discord by route and status";
        seconds(registry, "rookery_discord_request", requests, discord_requests);
        seconds(registry, "rookery_thinking", "Moves of the bot by game and level", thinking);
        seconds(registry, "rookery_drawing", "Drawings by kind", drawing);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn work_that_panics_is_recorded_too() {
        let mut recorded = 0;
        let work = || {
            let _timer = RecordOnDrop::new(|_| recorded += 1);
            panic!("a fault that is meant");
        };
        assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
        assert_eq!(recorded, 1);
    }
}
