//! Rate limits: a bucket per route and channel or server, and 50 requests a second in total.

use std::collections::HashMap;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use tokio::time::{Duration, Instant};

use super::api_error::ApiError;

/// The limits for requests. Discord publishes a route's limit only in response headers; these are the
/// observed ones for messages.
#[derive(Clone, Copy, Debug)]
pub struct RateLimits {
    /// The requests that one bucket (method, route, channel or server) accepts in [`RateLimits::window`].
    pub per_bucket: u32,
    /// The length of a bucket's window.
    pub window: Duration,
    /// The requests per second of all routes together, interactions excluded.
    pub global_per_second: u32,
}

impl RateLimits {
    /// Discord's limits: 5 requests in 5 seconds per bucket, 50 a second in total.
    pub fn discord() -> Self {
        Self { per_bucket: 5, window: Duration::from_secs(5), global_per_second: 50 }
    }

    /// Limits that are never reached: for tests of other features, and for measurements.
    pub fn none() -> Self {
        Self { per_bucket: u32::MAX, window: Duration::from_secs(1), global_per_second: u32::MAX }
    }
}

/// Above this number, buckets with an expired window are removed: every interaction has its own.
const BUCKETS_MAX: usize = 10_000;

/// The request counters of all buckets, and of the global limit.
#[derive(Debug)]
pub(crate) struct Limits {
    rules: RateLimits,
    buckets: HashMap<String, Window>,
    global: Window,
}

#[derive(Clone, Copy, Debug)]
struct Window {
    ends: Instant,
    used: u32,
}

/// The state of a bucket after a request, for the headers.
#[derive(Clone, Debug)]
pub(crate) struct RateLimitStatus {
    name: u64,
    limit: u32,
    remaining: u32,
    reset_after: Duration,
}

impl Limits {
    pub(crate) fn new(rules: RateLimits) -> Self {
        let global = Window { ends: Instant::now(), used: 0 };
        Self { rules, buckets: HashMap::new(), global }
    }

    /// Counts a request in its bucket, and in the total if `counts_globally`; or refuses it.
    pub(crate) fn count(&mut self, bucket: &str, counts_globally: bool) -> Result<RateLimitStatus, ApiError> {
        let now = Instant::now();
        if counts_globally {
            take(&mut self.global, now, Duration::from_secs(1), self.rules.global_per_second)
                .map_err(|wait| ApiError::slow_down(wait.as_secs_f64(), true))?;
        }
        if self.buckets.len() > BUCKETS_MAX {
            self.buckets.retain(|_, window| window.ends > now);
        }
        let window = self.buckets.entry(bucket.to_owned()).or_insert(Window { ends: now, used: 0 });
        take(window, now, self.rules.window, self.rules.per_bucket)
            .map_err(|wait| ApiError::slow_down(wait.as_secs_f64(), false))?;
        Ok(RateLimitStatus {
            name: fnv(bucket),
            limit: self.rules.per_bucket,
            remaining: self.rules.per_bucket - window.used,
            reset_after: window.ends - now,
        })
    }
}

/// Takes a request of a window, or returns the wait until the next window.
fn take(window: &mut Window, now: Instant, length: Duration, most: u32) -> Result<(), Duration> {
    if window.ends <= now {
        *window = Window { ends: now + length, used: 0 };
    }
    if window.used >= most {
        return Err(window.ends - now);
    }
    window.used += 1;
    Ok(())
}

impl RateLimitStatus {
    /// Writes the `X-RateLimit-*` headers.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let reset = since_1970 + self.reset_after;
        let lines = [
            ("x-ratelimit-limit", self.limit.to_string()),
            ("x-ratelimit-remaining", self.remaining.to_string()),
            ("x-ratelimit-reset", format!("{:.3}", reset.as_secs_f64())),
            ("x-ratelimit-reset-after", format!("{:.3}", self.reset_after.as_secs_f64())),
            ("x-ratelimit-bucket", format!("{:016x}", self.name)),
        ];
        for (name, value) in lines {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
    }
}

/// FNV-1a, 64 bits: a short name that is stable for a bucket.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
