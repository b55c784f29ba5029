//! The role that a bot has for itself on each server which invited it with permissions. It bears the bot's name,
//! and people who mean the bot mention it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use rookery_table::{GuildId, RoleId, UserId};

/// Such roles, by server and bot. Those of other bots are among them, for a server may come before we know who we
/// are.
#[derive(Default)]
pub(in crate::discord) struct BotRoles(Mutex<HashMap<(GuildId, UserId), RoleId>>);

impl BotRoles {
    /// Keeps a bot's role on a server, in place of an earlier one.
    pub(in crate::discord) fn learn(&self, guild: GuildId, bot: UserId, role: RoleId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert((guild, bot), role);
    }

    /// A bot's own role on a server, if it has one.
    pub(in crate::discord) fn of(&self, guild: GuildId, bot: UserId) -> Option<RoleId> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&(guild, bot)).copied()
    }
}
