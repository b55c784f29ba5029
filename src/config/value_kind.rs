//! The kinds of values that settings take.

use figment::value::Value;
use rookery_store::StoreAddress;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::{LevelFilter, ParseError};

use super::values::{Secret, Server, parse_address, parse_hosts};

/// The kind of value that a setting takes. An empty text stands for "none" where that is allowed.
#[derive(Clone, Copy, Debug)]
pub enum ValueKind {
    /// A token, which is never printed. May be empty.
    Secret,
    /// A path; `or_none` allows the empty text.
    Path {
        /// Whether it may be left empty.
        or_none: bool,
    },
    /// Where a journal is stored.
    Store,
    /// `true` or `false`.
    Boolean,
    /// A whole number in this range, both ends included.
    Integer(u64, u64),
    /// One of these whole numbers.
    OneOf(&'static [u64]),
    /// One of these words.
    Word(&'static [&'static str]),
    /// An address to listen on; `or_none` allows the empty text.
    Address {
        /// Whether it may be left empty.
        or_none: bool,
    },
    /// IP addresses separated by commas; may be empty.
    Hosts,
    /// The address of a server, or the empty text.
    Server,
    /// A line of text of at most this number of characters; may be empty.
    Line(usize),
    /// An id of Discord, written as a text; may be empty.
    Id,
    /// A filter of log events.
    Filter,
}

impl ValueKind {
    /// Converts a text from the environment to the value that it represents. An unreadable text stays a text
    /// and is rejected by [`ValueKind::accepts`].
    pub(super) fn read(self, text: &str) -> Value {
        let text = text.trim();
        match self {
            Self::Boolean => text.parse::<bool>().map_or_else(|_| text.into(), Value::from),
            Self::Integer(..) | Self::OneOf(_) => {
                text.parse::<u64>().map_or_else(|_| text.into(), Value::from)
            }
            _ => text.into(),
        }
    }

    /// Returns whether this value is valid.
    pub(super) fn accepts(self, value: &Value) -> bool {
        let number = as_integer(value);
        let text = value.as_str();
        match self {
            Self::Boolean => value.to_bool().is_some(),
            Self::Integer(min, max) => number.is_some_and(|n| (min.into()..=max.into()).contains(&n)),
            Self::OneOf(numbers) => numbers.iter().any(|&n| number == Some(n.into())),
            Self::Word(words) => text.is_some_and(|text| words.contains(&text)),
            Self::Secret => text.is_some_and(|text| text.is_empty() || text.parse::<Secret>().is_ok()),
            Self::Path { or_none } => text.is_some_and(|text| or_none || !text.is_empty()),
            Self::Store => text.is_some_and(|text| text.parse::<StoreAddress>().is_ok()),
            Self::Address { or_none } => {
                text.is_some_and(|text| (or_none && text.is_empty()) || parse_address(text).is_ok())
            }
            Self::Hosts => text.is_some_and(|text| parse_hosts(text).is_ok()),
            Self::Server => text.is_some_and(|text| text.is_empty() || text.parse::<Server>().is_ok()),
            Self::Line(most) => {
                text.is_some_and(|text| text.chars().count() <= most && !text.contains(char::is_control))
            }
            Self::Id => {
                text.is_some_and(|text| text.is_empty() || text.parse::<u64>().is_ok_and(|id| id > 0))
            }
            Self::Filter => text.is_some_and(is_filter),
        }
    }

    /// Describes the valid values, for the sentence "it must be …".
    pub(super) fn sentence(self) -> String {
        match self {
            Self::Secret => "text without spaces".into(),
            Self::Path { or_none: true } => "a path, or empty for none".into(),
            Self::Path { or_none: false } => "a path".into(),
            Self::Store => "sqlite:PATH or postgres://user:password@host:5432/database".into(),
            Self::Boolean => "true or false".into(),
            Self::Integer(min, max) => format!("a whole number from {min} to {max}"),
            Self::OneOf(numbers) => format!("one of the numbers {}", listed(numbers)),
            Self::Word(words) => format!("one of the words {}", listed(words)),
            Self::Address { or_none: true } => {
                "an address and port such as 127.0.0.1:9090, or empty for none".into()
            }
            Self::Address { or_none: false } => "an address and port such as 127.0.0.1:8080".into(),
            Self::Hosts => "IP addresses separated by commas, such as 127.0.0.1, or empty for none".into(),
            Self::Server => {
                "an http or https address such as http://127.0.0.1:9000, or empty for none".into()
            }
            Self::Line(most) => format!("one line of at most {most} characters, or empty for none"),
            Self::Id => "an ID in quotes, such as \"1200000000000000000\", or empty for none".into(),
            Self::Filter => {
                "a level (error, warn, info, debug, trace) or levels by part such as info,serenity=warn"
                    .into()
            }
        }
    }
}

/// Returns whether a text is a valid log filter. `EnvFilter` also accepts a bare target, but that is usually
/// a mistyped level and would silence everything else.
fn is_filter(text: &str) -> bool {
    let is_level = |part: &str| part.trim().parse::<LevelFilter>().is_ok();
    log_filter(text).is_ok() && text.split(',').all(|part| part.contains(['=', '[']) || is_level(part))
}

/// Reads a log filter. A span's field has the value as written, not a regular expression: compiling one such as
/// `.{500}` takes minutes, and its syntax is documented nowhere here.
///
/// # Errors
/// [`ParseError`] for what is not in `EnvFilter`'s syntax.
pub(crate) fn log_filter(text: &str) -> Result<EnvFilter, ParseError> {
    EnvFilter::builder().with_regex(false).parse(text)
}

/// Returns a whole number of either sign type: TOML's numbers are signed, those of the environment unsigned.
fn as_integer(value: &Value) -> Option<u128> {
    if let Value::Num(_, number) = value { number.to_u128_lossy() } else { None }
}

fn listed<T: ToString>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}
