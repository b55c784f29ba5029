//! The rate limit headers of Discord's responses.

use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::Value;

/// The wait after a 429 that does not contain one.
const DEFAULT_WAIT: Duration = Duration::from_secs(1);

/// The longest wait that is accepted: a day.
const MAX_WAIT_S: f64 = 86_400.0;

/// The `X-RateLimit-*` headers, as far as they are present and valid.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Headers {
    /// The requests that the bucket accepts in a window.
    pub(super) limit: Option<u32>,
    /// The requests left in this window.
    pub(super) remaining: Option<u32>,
    /// The time until the next window.
    pub(super) reset_after: Option<Duration>,
    /// The `Retry-After` header of a 429.
    retry_after: Option<Duration>,
    /// Whether the limit is the global one.
    global: bool,
}

/// The wait that a 429 requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wait {
    /// The length of the wait.
    pub(super) time: Duration,
    /// Whether the wait applies to all requests, and not only to the bucket.
    pub(super) global: bool,
}

impl Headers {
    /// Reads the headers of a response.
    pub(super) fn read(map: &HeaderMap) -> Headers {
        let text = |name: &str| map.get(name)?.to_str().ok();
        let span = |name: &str| text(name)?.parse().ok().and_then(seconds);
        Headers {
            limit: text("x-ratelimit-limit").and_then(|text| text.parse().ok()),
            remaining: text("x-ratelimit-remaining").and_then(|text| text.parse().ok()),
            reset_after: span("x-ratelimit-reset-after"),
            retry_after: span("retry-after"),
            global: text("x-ratelimit-global") == Some("true") || text("x-ratelimit-scope") == Some("global"),
        }
    }

    /// Returns the wait that a 429 requires: the longer of header and body, if they differ.
    pub(super) fn wait(&self, body: &Value) -> Wait {
        let told = body["retry_after"].as_f64().and_then(seconds);
        let time = told.max(self.retry_after).unwrap_or(DEFAULT_WAIT);
        Wait { time, global: self.global || body["global"] == true }
    }
}

fn seconds(number: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(number.clamp(0.0, MAX_WAIT_S)).ok()
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;
    use serde_json::json;

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> Headers {
        let map = pairs.iter().map(|(name, value)| {
            (reqwest::header::HeaderName::from_static(name), HeaderValue::from_static(value))
        });
        Headers::read(&map.collect())
    }

    #[test]
    fn the_longer_of_header_and_body_is_waited() {
        let two = headers(&[("retry-after", "2")]);
        let wait = |headers: &Headers, body| headers.wait(&body).time.as_millis();
        assert_eq!(wait(&two, json!({"retry_after": 1.25})), 2_000);
        assert_eq!(wait(&two, json!({"retry_after": 2.5})), 2_500);
        assert_eq!(wait(&two, Value::Null), 2_000);
        assert_eq!(wait(&Headers::default(), json!({"retry_after": 0.3})), 300);
        assert_eq!(wait(&Headers::default(), json!({"retry_after": "soon"})), 1_000);
        assert_eq!(wait(&Headers::default(), json!({"retry_after": 1e300})), 86_400_000);
        assert_eq!(wait(&headers(&[("retry-after", "-5")]), Value::Null), 0);
    }

    #[test]
    fn a_global_limit_is_told_by_header_scope_or_body() {
        assert!(headers(&[("x-ratelimit-global", "true")]).wait(&Value::Null).global);
        assert!(headers(&[("x-ratelimit-scope", "global")]).wait(&Value::Null).global);
        assert!(Headers::default().wait(&json!({"global": true})).global);
        for scope in ["user", "shared"] {
            assert!(!headers(&[("x-ratelimit-scope", scope)]).wait(&json!({"global": false})).global);
        }
    }
}
