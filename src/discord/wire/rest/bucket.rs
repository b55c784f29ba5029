//! One rate limit bucket: how many requests it still takes, and from when on.

use std::time::Duration;

use tokio::time::Instant;

use super::headers::Headers;

/// A window whose end moves by less than this is the same window: answers take different times.
const WINDOW_TOLERANCE: Duration = Duration::from_millis(500);

/// Whether a request may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SendAt {
    /// Now. It counts as sent.
    Now,
    /// Not before this moment.
    At(Instant),
    /// Not before another request of the bucket is answered.
    AfterAnother,
}

/// What is known of a bucket.
#[derive(Debug, Default)]
pub(super) struct Bucket {
    window: Window,
    /// Requests sent and not answered yet.
    in_flight: u32,
    /// No request before this moment: a 429 said so.
    blocked_until: Option<Instant>,
}

#[derive(Debug, Default)]
enum Window {
    /// No answer yet: one request at a time, to learn the limit by it.
    #[default]
    Unknown,
    /// The server tells no limits.
    Free,
    Known {
        limit: u32,
        remaining: u32,
        /// `None` after the end of a window, before the first answer in the next one.
        resets: Option<Instant>,
    },
}

impl Bucket {
    /// Whether a request may be sent; [`SendAt::Now`] counts it.
    pub(super) fn take(&mut self, now: Instant) -> SendAt {
        if let Some(until) = self.blocked_until.filter(|until| *until > now) {
            return SendAt::At(until);
        }
        let turn = match &mut self.window {
            Window::Free => SendAt::Now,
            Window::Unknown if self.in_flight > 0 => SendAt::AfterAnother,
            Window::Unknown => SendAt::Now,
            Window::Known { limit, remaining, resets } => {
                if resets.is_some_and(|resets| resets <= now) {
                    // Those that are on their way may be counted in the new window.
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

    /// A request was answered, or is not waited for any more.
    pub(super) fn end(&mut self) {
        self.in_flight = self.in_flight.saturating_sub(1);
    }

    /// Takes in what the headers of an answer tell. `taken` is whether Discord took the request.
    pub(super) fn learn(&mut self, headers: &Headers, taken: bool, now: Instant) {
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
            // Our own count is the lower one while others are on their way.
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

    /// A 429 asks to wait.
    pub(super) fn block(&mut self, until: Instant) {
        self.blocked_until = self.blocked_until.max(Some(until));
    }

    /// Whether nothing is lost by forgetting the bucket.
    pub(super) fn is_idle(&self, now: Instant) -> bool {
        let blocked = self.blocked_until.is_some_and(|until| until > now);
        let counting = matches!(self.window, Window::Known { resets: Some(resets), .. } if resets > now);
        self.in_flight == 0 && !blocked && !counting
    }
}
