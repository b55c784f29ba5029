//! Which servers have come since we connected: Discord names all of them at once, and tells of each as soon as it
//! is in order.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use rookery_table::GuildId;

/// Servers that are in order come right behind the list on which they stand.
pub(in crate::discord) const ARRIVAL_TIMEOUT: Duration = Duration::from_secs(1);
/// Each event is dealt with in a task of its own: a server may even come before the list.
const OVERTAKING_WINDOW: Duration = Duration::from_secs(10);

/// When each server came last.
#[derive(Default)]
pub(in crate::discord) struct GuildArrivals(Mutex<HashMap<GuildId, Instant>>);

impl GuildArrivals {
    /// A server has come.
    pub(in crate::discord) fn note(&self, guild: GuildId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(guild, Instant::now());
    }

    /// Whether a server of the list that has just come has not come itself.
    pub(in crate::discord) fn lack(&self, guild: GuildId) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&guild).is_none_or(|at| at.elapsed() > OVERTAKING_WINDOW)
    }
}

impl GuildArrivals {
    /// Waits until a server has come, but no longer than one that is in order takes.
    pub(in crate::discord) async fn wait(&self, guild: GuildId) {
        const POLL_INTERVAL: Duration = Duration::from_millis(10);
        let until = Instant::now() + ARRIVAL_TIMEOUT;
        while self.lack(guild) && Instant::now() < until {
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
        assert!(arrivals.lack(GuildId(1)));
        arrivals.note(GuildId(1));
        assert!(!arrivals.lack(GuildId(1)) && arrivals.lack(GuildId(2)));
        tokio::time::advance(2 * OVERTAKING_WINDOW).await;
        assert!(arrivals.lack(GuildId(1)));
    }
}
