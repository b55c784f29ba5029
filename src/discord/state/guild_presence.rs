//! In which servers the bot is, by the latest event. Each event is handled in its own task, so an earlier one may be done
//! later: after an outage Discord sends at once that the bot was removed and that it is back.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rookery_table::GuildId;

/// What is known of the servers of a session.
#[derive(Default)]
pub(in crate::discord) struct GuildPresence(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// The servers where the bot was when the session began; `None` if that isn't known, as for the session of another process.
    listed: Option<HashSet<GuildId>>,
    /// Whether it is in a server, for each server that an event was about since then.
    reported: HashMap<GuildId, bool>,
}

impl GuildPresence {
    /// Begins with the servers that a new session lists. Call it in the order of the events.
    pub(in crate::discord) fn begin_session(&self, listed: Option<HashSet<GuildId>>) {
        *self.known() = Known { listed, reported: HashMap::new() };
    }

    /// Records whether the bot is in a server. Call it in the order of the events.
    pub(in crate::discord) fn note(&self, guild: GuildId, is_there: bool) {
        self.known().reported.insert(guild, is_there);
    }

    /// Whether the bot is in a server of this shard. Where nothing says so, it is.
    pub(in crate::discord) fn is_there(&self, guild: GuildId) -> bool {
        let known = self.known();
        let is_listed = || known.listed.as_ref().is_none_or(|listed| listed.contains(&guild));
        known.reported.get(&guild).copied().unwrap_or_else(is_listed)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
