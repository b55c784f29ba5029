//! One rate limit bucket: how many requests it accepts now, and when it accepts more.

use std::time::Duration;

use tokio::time::Instant;

use super::headers::Headers;

/// A window whose end moves by less than this is the same window, because the latency of responses varies.
const WINDOW_TOLERANCE: Duration = Duration::from_millis(500);

/// When a request may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SendAt {
    /// At once; it counts as sent.
    Now,
    /// Not before this moment.
    At(Instant),
    /// Not before another request of the bucket is answered.
    AfterAnother,
}

/// The known state of a bucket.
#[derive(Debug, Default)]
pub(super) struct Bucket {
    window: Window,
    /// The number of requests sent and not yet answered.
    in_flight: u32,
    /// No request may be sent before this moment, because of a 429.
    blocked_until: Option<Instant>,
}

#[derive(Debug, Default)]
enum Window {
    /// Before the first response: only one request at a time, until its headers tell the limit.
    #[default]
    Unknown,
    /// The server sends no limits.
    Free,
    Known {
        limit: u32,
        remaining: u32,
        /// `None` after the end of a window, until the first response in the next one.
        resets: Option<Instant>,
    },
}

impl Bucket {
    /// Returns when a request may be sent; [`SendAt::Now`] counts it.
    pub(super) fn take(&mut self, now: Instant) -> SendAt {
        if let Some(until) = self.blocked(now) {
            return SendAt::At(until);
        }
        let turn = match &mut self.window {
            Window::Free => SendAt::Now,
            Window::Unknown if self.in_flight > 0 => SendAt::AfterAnother,
            Window::Unknown => SendAt::Now,
            Window::Known { limit, remaining, resets } => {
                if resets.is_some_and(|resets| resets <= now) {
                    // Requests in flight may count in the new window.
                    (*remaining, *resets) = (limit.saturating_sub(self.in_flight), None);
                }
                match (*remaining, *resets) {
                    (0, Some(resets)) => SendAt::At(resets),
                    (0, None) if self.in_flight > 0 => SendAt::AfterAnother,
                    _ => {
                        *remaining = remaining.saturating_sub(1);
                        SendAt::Now
                    }
                }
            }
        };
        self.in_flight += u32::from(turn == SendAt::Now);
        turn
    }

    /// Returns when a request may be sent if only the waits of 429s count; [`SendAt::Now`] counts it.
    pub(super) fn take_unless_blocked(&mut self, now: Instant) -> SendAt {
        if let Some(until) = self.blocked(now) {
            return SendAt::At(until);
        }
        self.in_flight += 1;
        SendAt::Now
    }

    fn blocked(&self, now: Instant) -> Option<Instant> {
        self.blocked_until.filter(|until| *until > now)
    }

    /// Records that a request was answered or dropped.
    pub(super) fn end(&mut self) {
        self.in_flight = self.in_flight.saturating_sub(1);
    }

    /// Updates the window from the headers of a response. `taken` is whether Discord accepted the request.
    pub(super) fn update_window(&mut self, headers: &Headers, taken: bool, now: Instant) {
        let (Some(limit), Some(remaining), Some(reset_after)) =
            (headers.limit, headers.remaining, headers.reset_after)
        else {
            if taken && matches!(self.window, Window::Unknown) {
                self.window = Window::Free;
            }
            return;
        };
        let others = self.in_flight.saturating_sub(1);
        let new_resets = now + reset_after;
        self.window = match self.window {
            // The bot's own count is lower while other requests are in flight.
            Window::Known { remaining: counted, resets: Some(resets), .. }
                if new_resets <= resets + WINDOW_TOLERANCE =>
            {
                Window::Known {
                    limit,
                    remaining: counted.min(remaining),
                    resets: Some(resets.max(new_resets)),
                }
            }
            _ => {
                Window::Known { limit, remaining: remaining.saturating_sub(others), resets: Some(new_resets) }
            }
        };
    }

    /// Blocks the bucket until the moment that a 429 names.
    pub(super) fn block(&mut self, until: Instant) {
        self.blocked_until = self.blocked_until.max(Some(until));
    }

    /// Whether the bucket holds no information that is still needed.
    pub(super) fn is_idle(&self, now: Instant) -> bool {
        let blocked = self.blocked_until.is_some_and(|until| until > now);
        let counting = matches!(self.window, Window::Known { resets: Some(resets), .. } if resets > now);
        self.in_flight == 0 && !blocked && !counting
    }
}
