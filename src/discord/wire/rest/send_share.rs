//! The requests that this process may send in a second, of all those that the whole bot may.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// The time in which the share may be sent: a second, and a reserve because requests arrive with different delays.
const WINDOW: Duration = Duration::from_millis(1_100);

/// The share, and the requests of the last second.
#[derive(Debug)]
pub(super) struct SendShare {
    per_second: usize,
    /// A larger share, and when it counts: others may still use it until then.
    larger: Option<(Instant, usize)>,
    /// When the latest requests were sent.
    sent: VecDeque<Instant>,
    /// The most requests of one window since [`SendShare::wanted`] was asked.
    most: usize,
    /// Whether a request had to wait since then.
    waited: bool,
}

impl SendShare {
    /// Creates a share.
    pub(super) fn new(per_second: u32) -> SendShare {
        let per_second = per_second.max(1) as usize;
        SendShare { per_second, larger: None, sent: VecDeque::new(), most: 0, waited: false }
    }

    /// Sets the share: a smaller one counts at once, a larger one in a moment.
    pub(super) fn set(&mut self, per_second: u32, now: Instant) {
        self.grow(now);
        let per_second = per_second.max(1) as usize;
        self.larger = None;
        if per_second > self.per_second {
            self.larger = Some((now + WINDOW, per_second));
        } else {
            self.per_second = per_second;
        }
    }

    fn grow(&mut self, now: Instant) {
        if let Some((_, per_second)) = self.larger.take_if(|(at, _)| *at <= now) {
            self.per_second = per_second;
        }
    }

    /// Returns until when a request must wait; `None` if it may be sent now.
    pub(super) fn wait(&mut self, now: Instant) -> Option<Instant> {
        self.grow(now);
        while self.sent.front().is_some_and(|at| *at + WINDOW <= now) {
            self.sent.pop_front();
        }
        let surplus = (self.sent.len() + 1).checked_sub(self.per_second).filter(|surplus| *surplus > 0)?;
        self.waited = true;
        let free = self.sent[surplus - 1] + WINDOW;
        Some(self.larger.map_or(free, |(at, _)| free.min(at)))
    }

    /// Counts a request that is sent now.
    pub(super) fn count(&mut self, now: Instant) {
        self.sent.push_back(now);
        self.most = self.most.max(self.sent.len());
    }

    /// Returns how many requests a second this process has wanted to send since the last call, up to `limit`.
    pub(super) fn wanted(&mut self, limit: u32) -> u32 {
        let most = u32::try_from(std::mem::take(&mut self.most)).unwrap_or(u32::MAX);
        if std::mem::take(&mut self.waited) { limit } else { most.min(limit) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends as much as possible for a while, and returns when.
    fn send_all(share: &mut SendShare, from: Instant, time: Duration) -> Vec<Instant> {
        let (mut now, mut sent) = (from, Vec::new());
        while now < from + time {
            match share.wait(now) {
                Some(until) => now = until,
                None => {
                    share.count(now);
                    sent.push(now);
                }
            }
        }
        sent
    }

    fn most_in_a_second(sent: &[Instant]) -> usize {
        let within = |from: &Instant| {
            sent.iter().filter(|at| *at >= from && **at < *from + Duration::from_secs(1)).count()
        };
        sent.iter().map(within).max().unwrap_or(0)
    }

    #[test]
    fn share_holds_in_every_second_and_is_used() {
        let (mut share, begin) = (SendShare::new(7), Instant::now());
        let sent = send_all(&mut share, begin, Duration::from_secs(11));
        assert_eq!(most_in_a_second(&sent), 7);
        assert_eq!(sent.len(), 70, "ten windows");
        assert_eq!(share.wanted(50), 50, "it had to wait");
        assert_eq!(share.wanted(50), 0);
    }

    #[test]
    fn smaller_share_counts_at_once_and_a_larger_one_when_the_second_is_over() {
        let (mut share, begin) = (SendShare::new(4), Instant::now());
        assert_eq!(send_all(&mut share, begin, Duration::from_millis(1)).len(), 4);
        share.set(10, begin);
        let soon = begin + Duration::from_millis(900);
        assert_eq!(share.wait(soon), Some(begin + WINDOW));
        let later = begin + WINDOW;
        assert_eq!(send_all(&mut share, later, Duration::from_millis(1)).len(), 10);
        share.set(2, later);
        let sent = send_all(&mut share, later + WINDOW, Duration::from_millis(1));
        assert_eq!(sent.len(), 2);
        share.set(9, later);
        share.set(3, later);
        assert_eq!(send_all(&mut share, later + 3 * WINDOW, Duration::from_millis(1)).len(), 3);
    }
}
