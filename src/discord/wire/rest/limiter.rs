//! The rate limits of Discord's REST API, applied before a request is sent: each bucket's
//! `X-RateLimit-Remaining` and `-Reset-After`, the wait of a 429, a pause of all requests if the limit is global, and
//! this process's share of the requests that the whole bot may send in a second. If a proxy keeps the limits, only the
//! waits of 429s count.
//!
//! serenity's own limiter ignores another API base, and holds a bucket's lock while it waits after a 429.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, broadcast};
use tokio::time::Instant;

use super::bucket::{Bucket, SendAt};
use super::headers::{Headers, Wait};
use super::send_share::SendShare;

/// Above this number, idle buckets are removed: every interaction has its own.
const MAX_BUCKETS: usize = 10_000;
/// The most pauses that are not yet told to other processes.
const MAX_PAUSES: usize = 16;

/// The key of a bucket: requests with the same key share a limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct BucketKey {
    /// Method and path, without ids other than the major parameter.
    route: String,
    /// Whether the requests do not count toward the global limit: answers to interactions.
    outside: bool,
}

impl BucketKey {
    /// Creates the key of a method and a path below the API's version: `channels/1/messages/2`.
    pub(super) fn new(method: &str, path: &str) -> BucketKey {
        let segments: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let top = segments.first().copied().unwrap_or_default();
        // The major parameter; for webhooks also the token.
        let kept = match top {
            "channels" | "guilds" => 2,
            "webhooks" | "interactions" => 3,
            _ => 1,
        };
        let is_id = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let part =
            |(at, part): (usize, &&str)| if at >= kept && is_id(part) { "{id}" } else { *part }.to_owned();
        let route: Vec<String> = segments.iter().enumerate().map(part).collect();
        let outside = matches!(top, "webhooks" | "interactions");
        BucketKey { route: format!("{method} {}", route.join("/")), outside }
    }
}

/// The buckets of all requests. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct RateLimiter(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// Notified whenever a request is answered.
    answered: Notify,
    /// Sends the pauses of all requests that Discord orders.
    pauses: broadcast::Sender<Duration>,
}

#[derive(Debug, Default)]
struct State {
    buckets: HashMap<BucketKey, Bucket>,
    /// `None` if a proxy keeps the limits.
    share: Option<SendShare>,
    /// No request may be sent before this moment, because the global limit was reached.
    paused_until: Option<Instant>,
}

/// Permission to send one request, until it is answered or dropped.
#[derive(Debug)]
pub(super) struct Permit {
    limiter: RateLimiter,
    key: BucketKey,
}

impl RateLimiter {
    /// Creates a limiter with this process's share of requests a second; `None` if a proxy keeps the limits.
    pub(super) fn new(share: Option<u32>) -> RateLimiter {
        let state = State { share: share.map(SendShare::new), ..State::default() };
        let pauses = broadcast::Sender::new(MAX_PAUSES);
        RateLimiter(Arc::new(Shared { state: Mutex::new(state), answered: Notify::new(), pauses }))
    }

    /// Changes this process's share with a function.
    pub(super) fn with_share<T>(&self, change: impl FnOnce(&mut SendShare) -> T) -> Option<T> {
        self.state().share.as_mut().map(change)
    }

    /// Pauses all requests that count toward the global limit.
    pub(super) fn pause(&self, pause: Duration) {
        let mut state = self.state();
        state.paused_until = state.paused_until.max(Some(Instant::now() + pause));
    }

    /// Returns the pauses that Discord orders this process to make.
    pub(super) fn pauses(&self) -> broadcast::Receiver<Duration> {
        self.0.pauses.subscribe()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a request may be sent, at most `max_wait`.
    ///
    /// # Errors
    /// The required wait, if it is longer.
    pub(super) async fn acquire(&self, key: &BucketKey, max_wait: Duration) -> Result<Permit, Duration> {
        let give_up = Instant::now() + max_wait;
        loop {
            let answered = self.0.answered.notified();
            tokio::pin!(answered);
            // From here on every response wakes this task, so none is missed between the check and the wait.
            answered.as_mut().enable();
            let now = Instant::now();
            let turn = self.state().take(key, now);
            match turn {
                SendAt::Now => return Ok(Permit { limiter: self.clone(), key: key.clone() }),
                SendAt::At(moment) if moment > give_up => return Err(moment - now),
                SendAt::At(moment) => tokio::time::sleep_until(moment).await,
                SendAt::AfterAnother => {
                    if tokio::time::timeout_at(give_up, answered).await.is_err() {
                        return Err(max_wait);
                    }
                }
            }
        }
    }
}

impl State {
    fn take(&mut self, key: &BucketKey, now: Instant) -> SendAt {
        if let Some(until) = self.paused_until.filter(|until| *until > now && !key.outside) {
            return SendAt::At(until);
        }
        if self.buckets.len() > MAX_BUCKETS {
            self.buckets.retain(|_, bucket| !bucket.is_idle(now));
        }
        let bucket = self.buckets.entry(key.clone()).or_default();
        let Some(share) = &mut self.share else { return bucket.take_unless_blocked(now) };
        let is_limited = !key.outside;
        if is_limited && let Some(until) = share.wait(now) {
            return SendAt::At(until);
        }
        let turn = bucket.take(now);
        if is_limited && turn == SendAt::Now {
            share.count(now);
        }
        turn
    }
}

impl Permit {
    /// Records a response other than a 429.
    pub(super) fn answered(self, headers: &Headers, taken: bool) {
        let now = Instant::now();
        if let Some(bucket) = self.limiter.state().buckets.get_mut(&self.key) {
            bucket.update_window(headers, taken, now);
        }
    }

    /// Records a 429: the bucket, or all requests, are blocked until the wait is over.
    pub(super) fn refused(self, headers: &Headers, wait: Wait) {
        let until = Instant::now() + wait.time;
        let mut state = self.limiter.state();
        if wait.global {
            state.paused_until = state.paused_until.max(Some(until));
            // There may be no other process.
            let _ = self.limiter.0.pauses.send(wait.time);
        }
        if let Some(bucket) = state.buckets.get_mut(&self.key) {
            bucket.update_window(headers, false, Instant::now());
            if !wait.global || self.key.outside {
                bucket.block(until);
            }
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(bucket) = self.limiter.state().buckets.get_mut(&self.key) {
            bucket.end();
        }
        self.limiter.0.answered.notify_waiters();
    }
}

#[cfg(test)]
mod tests;
