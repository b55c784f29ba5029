//! In which servers the bot is, by the latest event. Each event is handled in its own task, so an earlier one may be done
//! later: after an outage Discord sends at once that the bot was removed and that it is back.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use rookery_table::GuildId;

/// The servers that the bot was removed from.
#[derive(Default)]
pub(in crate::discord) struct GuildPresence(Mutex<HashSet<GuildId>>);

impl GuildPresence {
    /// Records whether the bot is in a server. Call it in the order of the events.
    pub(in crate::discord) fn note(&self, guild: GuildId, is_there: bool) {
        let mut gone = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if is_there {
            gone.remove(&guild);
        } else {
            gone.insert(guild);
        }
    }

    /// Whether the bot is in a server that an event was about.
    pub(in crate::discord) fn is_there(&self, guild: GuildId) -> bool {
        !self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&guild)
    }
}
