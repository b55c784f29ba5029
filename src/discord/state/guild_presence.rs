//! In which servers the bot is, by the latest event. Each event is handled in its own task, so an earlier one may be done
//! later: after an outage Discord sends at once that the bot was removed and that it is back.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rookery_table::GuildId;

/// Whether the bot is in a server, for each server that an event was about.
#[derive(Default)]
pub(in crate::discord) struct GuildPresence(Mutex<HashMap<GuildId, bool>>);

impl GuildPresence {
    /// Forgets what events of an earlier session said. Call it in the order of the events.
    pub(in crate::discord) fn begin_session(&self) {
        self.known().clear();
    }

    /// Records whether the bot is in a server. Call it in the order of the events.
    pub(in crate::discord) fn note(&self, guild: GuildId, is_there: bool) {
        self.known().insert(guild, is_there);
    }

    /// Records that the bot was not in a server when its session began, unless a later event was about that server.
    pub(in crate::discord) fn note_absent_at_start(&self, guild: GuildId) {
        self.known().entry(guild).or_insert(false);
    }

    /// Whether the bot is in a server that an event was about.
    pub(in crate::discord) fn is_there(&self, guild: GuildId) -> bool {
        self.known().get(&guild).copied().unwrap_or(true)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<GuildId, bool>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
