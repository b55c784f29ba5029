//! Tracks which servers have become available: on connecting, Discord lists all servers at once, and then
//! sends an event for each available one.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use rookery_table::GuildId;

/// How long to wait for a listed server. The events of available servers follow the list at once.
pub(in crate::discord) const ARRIVAL_TIMEOUT: Duration = Duration::from_secs(1);
/// How long before the list a server's event may be handled, because each event has its own task.
const OVERTAKING_WINDOW: Duration = Duration::from_secs(10);

/// When each server last became available.
#[derive(Default)]
pub(in crate::discord) struct GuildArrivals(Mutex<HashMap<GuildId, Instant>>);

impl GuildArrivals {
    /// Records that a server is available.
    pub(in crate::discord) fn note(&self, guild: GuildId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(guild, Instant::now());
    }

    /// Returns whether a server of the list just received is not available yet.
    pub(in crate::discord) fn is_missing(&self, guild: GuildId) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&guild).is_none_or(|at| at.elapsed() > OVERTAKING_WINDOW)
    }
}

impl GuildArrivals {
    /// Waits until a server is available, at most [`ARRIVAL_TIMEOUT`].
    pub(in crate::discord) async fn wait(&self, guild: GuildId) {
        const POLL_INTERVAL: Duration = Duration::from_millis(10);
        let until = Instant::now() + ARRIVAL_TIMEOUT;
        while self.is_missing(guild) && Instant::now() < until {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_server_that_came_with_the_list_is_there_and_one_that_came_long_before_is_not() {
        let arrivals = GuildArrivals::default();
        assert!(arrivals.is_missing(GuildId(1)));
        arrivals.note(GuildId(1));
        assert!(!arrivals.is_missing(GuildId(1)) && arrivals.is_missing(GuildId(2)));
        tokio::time::advance(2 * OVERTAKING_WINDOW).await;
        assert!(arrivals.is_missing(GuildId(1)));
    }
}
