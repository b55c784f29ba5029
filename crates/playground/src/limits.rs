//! Rate limits: a bucket a route and place, and 50 requests a second over all.

use std::collections::HashMap;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use tokio::time::{Duration, Instant};

use super::api_error::ApiError;

/// How many requests are taken. Discord tells a route's numbers only in its answers' headers; these are
/// what it was seen to use for messages.
#[derive(Clone, Copy, Debug)]
pub struct RateLimits {
    /// Requests that one bucket (method, route, channel or server) takes in [`RateLimits::window`].
    pub per_bucket: u32,
    /// How long a bucket's window is.
    pub window: Duration,
    /// Requests that all routes together take in a second, interactions left out.
    pub global_per_second: u32,
}

impl RateLimits {
    /// As Discord: 5 requests in 5 seconds a bucket, 50 a second over all.
    pub fn discord() -> Self {
        Self { per_bucket: 5, window: Duration::from_secs(5), global_per_second: 50 }
    }

    /// So many that nobody meets them: for tests of other things, and for measuring.
    pub fn none() -> Self {
        Self { per_bucket: u32::MAX, window: Duration::from_secs(1), global_per_second: u32::MAX }
    }
}

/// Above so many buckets those whose window is over are forgotten: every interaction has its own.
const BUCKETS_MAX: usize = 10_000;

/// The counting.
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

/// How a bucket stands after a request: what the headers say.
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

    /// Counts a request in its bucket, and in the sum where `counts_globally`; or refuses it.
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

/// Takes one of a window's requests, or says how long to wait for the next window.
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
    /// Writes `X-RateLimit-*`.
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

/// FNV-1a, 64 bits: a short name that stays the same for the same bucket.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
