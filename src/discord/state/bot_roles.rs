//! The managed role of a bot on each server that invited it with permissions. It has the bot's name, and
//! people often mention it when they mean the bot.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use rookery_table::{GuildId, RoleId, UserId};

/// Managed roles, by server and bot. Other bots' roles are included, because a server's data may arrive
/// before the bot knows its own user id.
#[derive(Default)]
pub(in crate::discord) struct BotRoles(Mutex<HashMap<(GuildId, UserId), RoleId>>);

impl BotRoles {
    /// Stores a bot's role on a server, replacing an earlier one.
    pub(in crate::discord) fn insert(&self, guild: GuildId, bot: UserId, role: RoleId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert((guild, bot), role);
    }

    /// Returns a bot's managed role on a server, if it has one.
    pub(in crate::discord) fn of(&self, guild: GuildId, bot: UserId) -> Option<RoleId> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&(guild, bot)).copied()
    }
}
