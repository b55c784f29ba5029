//! The servers whose welcome message is to be brought up to date.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rookery_table::GuildId;
use tokio::sync::Notify;

/// How often an update is tried that fails each time; the next start tries again.
const MAX_TRIES: u8 = 5;

/// The servers whose welcome message is to be brought up to date, in the memory of this process: at the start every
/// server is one of them. Clones share the queue.
#[derive(Clone, Default)]
pub struct WelcomeQueue {
    due: Arc<Mutex<HashMap<GuildId, u8>>>,
    wakeup: Arc<Notify>,
    /// Locked while the state of a server's welcome message is read and written.
    pub(in crate::discord) writes: Arc<tokio::sync::Mutex<()>>,
}

impl WelcomeQueue {
    /// Adds a server, and wakes the job.
    pub(in crate::discord) fn add(&self, guild: GuildId) {
        self.lock().insert(guild, 0);
        self.wakeup.notify_one();
    }

    /// Takes all servers, each with the number of failed tries.
    pub(in crate::discord) fn take(&self) -> Vec<(GuildId, u8)> {
        self.lock().drain().collect()
    }

    /// Adds a server again after an update failed, unless that happened too often or the server is due anyway.
    pub(in crate::discord) fn retry(&self, guild: GuildId, tries: u8) {
        if tries + 1 < MAX_TRIES {
            self.lock().entry(guild).or_insert(tries + 1);
        }
    }

    /// Waits until a server is added.
    pub(in crate::discord) async fn added(&self) {
        self.wakeup.notified().await;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<GuildId, u8>> {
        self.due.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn welcome_queue_gives_up_after_some_tries_until_the_server_is_added_again() {
        let (queue, guild) = (WelcomeQueue::default(), GuildId(1));
        queue.add(guild);
        for tries in 0..MAX_TRIES {
            assert_eq!(queue.take(), [(guild, tries)]);
            queue.retry(guild, tries);
        }
        assert_eq!(queue.take(), []);
        queue.add(guild);
        queue.retry(guild, 3);
        assert_eq!(queue.take(), [(guild, 0)]);
    }
}
