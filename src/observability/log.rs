//! The log on standard error, and a layer that collects events that could not be read.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use thiserror::Error;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::filter::{FilterExt, FilterFn, LevelFilter, filter_fn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

use crate::config::{Log, LogFormat, log_filter};
use crate::observability::metrics::Metrics;

/// How the log line of an unreadable gateway event begins.
const UNREADABLE_EVENT_PREFIX: &str = "An event could not be read";

/// The number of unknown events kept as text; further ones are only counted.
const MAX_SAMPLES: usize = 16;

/// The number of characters kept of an unknown event: enough for its name and first fields.
const MAX_SAMPLE_CHARS: usize = 400;

/// Why logging did not start.
#[derive(Debug, Error)]
pub enum LogError {
    /// The level is not a valid filter; the check of the configuration reports that earlier.
    #[error("The log level could not be read: {0}.")]
    Level(#[from] tracing_subscriber::filter::ParseError),
    /// Another subscriber was already set up.
    #[error("Logging is already set up in this process: {0}.")]
    AlreadyStarted(#[from] TryInitError),
}

/// Sets up logging for the whole process: lines to standard error, unknown events to `metrics`.
///
/// # Errors
/// [`LogError`] if the level is not a valid filter or logging is already set up.
pub fn start(settings: &Log, metrics: Arc<Metrics>) -> Result<UnknownEvents, LogError> {
    let unknown = UnknownEvents::new(metrics);
    subscriber(settings, unknown.clone(), std::io::stderr)?.try_init()?;
    Ok(unknown)
}

/// Builds a subscriber that writes lines to `writer`. The layer for unknown events has its own filter, so
/// that the level of the lines does not hide any.
fn subscriber<W>(settings: &Log, unknown: UnknownEvents, writer: W) -> Result<impl Subscriber, LogError>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let filter = log_filter(&settings.level)?;
    let lines = tracing_subscriber::fmt::layer().with_writer(writer);
    let lines = match settings.format {
        LogFormat::Compact => lines.compact().with_ansi(std::io::stderr().is_terminal()).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let layer = unknown.with_filter(only_unknown_events());
    let filter = filter.and(filter_fn(|metadata| !is_request_span(metadata) && !is_queue_detail(metadata)));
    Ok(tracing_subscriber::registry().with(lines.with_filter(filter)).with(layer))
}

/// For tests: collects unknown events of the whole process from the first call on, and writes nothing. A test
/// that ran the bot ends with `assert_eq!(log::unknown_events_in_tests().samples(), Vec::<String>::new())`.
pub fn unknown_events_in_tests() -> &'static UnknownEvents {
    static UNKNOWN_EVENTS: OnceLock<UnknownEvents> = OnceLock::new();
    UNKNOWN_EVENTS.get_or_init(|| {
        let unknown = UnknownEvents::new(Arc::default());
        let layer = unknown.clone().with_filter(only_unknown_events());
        // With another subscriber in place the layer would see nothing, and tests would pass without a check.
        tracing_subscriber::registry()
            .with(layer)
            .try_init()
            .expect("no other subscriber is set up in tests");
        unknown
    })
}

/// Counts gateway events that could not be read: the event handler logs one line for each.
#[derive(Clone, Debug)]
pub struct UnknownEvents {
    metrics: Arc<Metrics>,
    samples: Arc<Mutex<Vec<String>>>,
}

impl UnknownEvents {
    /// Creates a layer that counts in [`Metrics::unknown_events`] once it is part of a subscriber.
    pub fn new(metrics: Arc<Metrics>) -> Self {
        Self { metrics, samples: Arc::default() }
    }

    /// Returns the beginnings of the first few unknown events. They may contain messages of people: only for
    /// tests and debugging, never for a log.
    pub fn samples(&self) -> Vec<String> {
        self.samples.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn record_sample(&self, message: &str) {
        self.metrics.unknown_events.inc();
        let mut samples = self.samples.lock().unwrap_or_else(PoisonError::into_inner);
        if samples.len() < MAX_SAMPLES {
            samples.push(message.chars().take(MAX_SAMPLE_CHARS).collect());
        }
    }
}

impl<S: Subscriber> Layer<S> for UnknownEvents {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut message = Message::default();
        event.record(&mut message);
        if message.0.starts_with(UNREADABLE_EVENT_PREFIX) {
            self.record_sample(&message.0);
        }
    }
}

/// Whether this is one of the lines that the queue of the bot's work writes about each job.
fn is_queue_detail(metadata: &Metadata<'_>) -> bool {
    metadata.target().starts_with("graphile_worker") && *metadata.level() > Level::WARN
}

/// Returns whether this is a span of serenity. Its spans format their whole request, pictures included: a third of the
/// instructions from a move to its post, and content that does not belong in a log.
fn is_request_span(metadata: &Metadata<'_>) -> bool {
    metadata.is_span() && metadata.target().starts_with("serenity")
}

/// Lets only the event handler's warnings through, so that no other line is formatted for this layer.
fn only_unknown_events() -> FilterFn<fn(&Metadata<'_>) -> bool> {
    let filter: FilterFn<fn(&Metadata<'_>) -> bool> = filter_fn(|metadata| {
        let of_handler = metadata.target() == "rookery::discord::handlers::events";
        metadata.is_event() && of_handler && *metadata.level() == Level::WARN
    });
    filter.with_max_level_hint(LevelFilter::WARN)
}

#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HANDLER: &str = "rookery::discord::handlers::events";

    fn collect_unknown(speak: impl FnOnce()) -> (Vec<String>, u64) {
        let metrics = Arc::new(Metrics::default());
        let unknown = UnknownEvents::new(Arc::clone(&metrics));
        let layer = unknown.clone().with_filter(only_unknown_events());
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), speak);
        (unknown.samples(), metrics.unknown_events.get())
    }

    #[test]
    fn unknown_event_is_sampled_and_counted() {
        let (samples, count) = collect_unknown(|| {
            tracing::warn!(target: HANDLER, "An event could not be read: X, `id` is missing");
            tracing::warn!(target: HANDLER, "something else");
        });
        assert_eq!((samples, count), (vec!["An event could not be read: X, `id` is missing".into()], 1));
    }

    #[test]
    fn other_log_lines_are_not_counted() {
        let (samples, count) = collect_unknown(|| {
            tracing::warn!(target: "rookery::other", "An event could not be read: X");
            tracing::info!(target: HANDLER, "An event could not be read: at INFO");
        });
        assert_eq!((samples, count), (vec![], 0));
    }

    #[test]
    fn flood_of_unknown_events_is_counted_but_not_stored() {
        let long = "x".repeat(10_000);
        let (samples, count) = collect_unknown(|| {
            for _ in 0..MAX_SAMPLES + 5 {
                tracing::warn!(target: HANDLER, "An event could not be read: {long}");
            }
        });
        assert_eq!((samples.len(), count), (MAX_SAMPLES, 21));
        assert!(samples.iter().all(|line| line.len() == MAX_SAMPLE_CHARS));
    }

    /// A writer that keeps the log lines for a test.
    #[derive(Clone, Default)]
    struct LogBuffer(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for LogBuffer {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// Returns the lines written at a level and in a form, and the unknown events collected meanwhile.
    fn written(level: &str, format: LogFormat) -> (String, Vec<String>) {
        let (buffer, unknown) = (LogBuffer::default(), UnknownEvents::new(Arc::default()));
        let writer = buffer.clone();
        let settings = Log { level: level.into(), format };
        let subscriber = subscriber(&settings, unknown.clone(), move || writer.clone()).unwrap();
        tracing::subscriber::with_default(subscriber, || {
            tracing::warn!(target: HANDLER, "An event could not be read: X");
            tracing::warn!(table = "K7Q2", "a warning");
            tracing::info!("a remark");
        });
        let text = String::from_utf8(buffer.0.lock().unwrap().clone()).unwrap();
        (text, unknown.samples())
    }

    #[test]
    fn unknown_events_are_counted_below_the_log_level() {
        let (text, samples) = written("warn,rookery::discord=off", LogFormat::Compact);
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.contains("a warning") && text.contains("K7Q2"), "{text}");
        assert_eq!(samples, ["An event could not be read: X"]);
    }

    #[test]
    fn requests_are_never_formatted_for_the_log() {
        let settings = Log { level: "trace".into(), format: LogFormat::Compact };
        let subscriber = subscriber(&settings, UnknownEvents::new(Arc::default()), std::io::sink).unwrap();
        tracing::subscriber::with_default(subscriber, || {
            assert!(tracing::info_span!(target: "serenity::http::request", "build").is_disabled());
            assert!(!tracing::info_span!(target: "rookery::discord", "move").is_disabled());
            assert!(tracing::enabled!(target: "serenity::http::request", Level::WARN), "its lines are kept");
        });
    }

    #[test]
    fn a_program_can_read_every_line() {
        let (text, _) = written("info,rookery::discord=off", LogFormat::Json);
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let said: Vec<_> = lines.iter().map(|line| (&line["level"], &line["message"])).collect();
        assert_eq!(said, [(&"WARN".into(), &"a warning".into()), (&"INFO".into(), &"a remark".into())]);
        assert_eq!(lines[0]["table"], "K7Q2");
    }
}
