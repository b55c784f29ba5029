//! The delays between connections. Discord allows 1,000 IDENTIFYs a day, one in 5 seconds.

use std::time::Duration;

use tokio::time::Instant;

/// The shortest time between two IDENTIFYs.
const IDENTIFY_INTERVAL: Duration = Duration::from_secs(5);
/// A connection of at least this length counts as stable.
const STABLE_AFTER: Duration = Duration::from_secs(60);
/// The longest delay. With it, a gateway that closes every new session gets fewer than 1,000 IDENTIFYs a day.
const MAX_BACKOFF: Duration = Duration::from_secs(120);

/// The history of connections that determines the next delay.
#[derive(Debug, Default)]
pub(super) struct ReconnectBackoff {
    /// The number of consecutive connections that were not stable.
    unstable_count: u32,
    identified: Option<Instant>,
    /// An additional delay, which Discord requires after it has refused a session.
    extra_delay: Duration,
}

impl ReconnectBackoff {
    /// Waits until the next connection may be made.
    pub(super) async fn wait(&mut self, resumes: bool) {
        let by_identify = self.identified.filter(|_| !resumes).map(|at| at + IDENTIFY_INTERVAL);
        let wait = self.backoff().max(std::mem::take(&mut self.extra_delay));
        let until = (Instant::now() + wait).max(by_identify.unwrap_or_else(Instant::now));
        tokio::time::sleep_until(until).await;
    }

    /// Records that a new session is requested now.
    pub(super) fn record_identify(&mut self) {
        self.identified = Some(Instant::now());
    }

    /// Records that a session was refused: Discord requires 1 to 5 seconds before the next one.
    pub(super) fn refused(&mut self) {
        self.extra_delay = Duration::from_millis(1_000 + random(4_000));
    }

    /// Records the end of a connection and its length.
    pub(super) fn ended(&mut self, lasted: Duration) {
        self.unstable_count = if lasted >= STABLE_AFTER { 0 } else { self.unstable_count.saturating_add(1) };
    }

    /// Returns no delay after a stable connection and the first unstable one; then 1 s, doubled each time.
    fn backoff(&self) -> Duration {
        match self.unstable_count {
            0 | 1 => Duration::ZERO,
            unstable_count => Duration::from_secs(1 << (unstable_count - 2).min(7)).min(MAX_BACKOFF),
        }
    }
}

/// Returns a random number below `most`, which is not 0.
pub(super) fn random(most: u64) -> u64 {
    let mut bytes = [0; 8];
    // Without random numbers all bots wait equally long, which is acceptable.
    let _ = getrandom::fill(&mut bytes);
    u64::from_le_bytes(bytes) % most
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn waited(backoff: &mut ReconnectBackoff, resumes: bool) -> Duration {
        let since = Instant::now();
        backoff.wait(resumes).await;
        since.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn connections_that_do_not_last_are_made_less_and_less_often() {
        let mut backoff = ReconnectBackoff::default();
        let mut waits = Vec::new();
        for _ in 0..12 {
            waits.push(waited(&mut backoff, true).await.as_secs());
            backoff.ended(Duration::from_secs(1));
        }
        assert_eq!(waits, [0, 0, 1, 2, 4, 8, 16, 32, 64, 120, 120, 120]);
        backoff.ended(STABLE_AFTER);
        assert_eq!(waited(&mut backoff, true).await, Duration::ZERO, "one that lasted begins anew");
    }

    #[tokio::test(start_paused = true)]
    async fn sessions_are_asked_for_five_seconds_apart() {
        let mut backoff = ReconnectBackoff::default();
        assert_eq!(waited(&mut backoff, false).await, Duration::ZERO);
        backoff.record_identify();
        assert_eq!(waited(&mut backoff, true).await, Duration::ZERO, "resuming is none");
        assert_eq!(waited(&mut backoff, false).await, IDENTIFY_INTERVAL);
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_refused_session_there_is_a_pause_once() {
        let mut backoff = ReconnectBackoff::default();
        backoff.refused();
        let pause = waited(&mut backoff, false).await;
        assert!((1..=5).contains(&pause.as_secs()), "{pause:?}");
        assert_eq!(waited(&mut backoff, false).await, Duration::ZERO);
    }
}
