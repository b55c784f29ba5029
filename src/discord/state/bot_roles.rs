//! The managed role of a bot on each server that invited it with permissions. It has the bot's name, and
//! people often mention it when they mean the bot.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use rookery_table::{GuildId, RoleId, UserId};

/// Managed roles, by server and bot. Other bots' roles are included, because a server's data may arrive
/// before the bot knows its own user id. A server has at most 250 roles, and its entries are removed when the bot
/// leaves it, so the map is bounded by the servers.
#[derive(Default)]
pub(in crate::discord) struct BotRoles(Mutex<HashMap<(GuildId, UserId), RoleId>>);

impl BotRoles {
    /// Stores a bot's role on a server, replacing an earlier one.
    pub(in crate::discord) fn insert(&self, guild: GuildId, bot: UserId, role: RoleId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert((guild, bot), role);
    }

    /// Removes the roles of a server that the bot has left.
    pub(in crate::discord) fn forget(&self, guild: GuildId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|(known, _), _| *known != guild);
    }

    /// Returns a bot's managed role on a server, if it has one.
    pub(in crate::discord) fn of(&self, guild: GuildId, bot: UserId) -> Option<RoleId> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&(guild, bot)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_of_a_server_are_forgotten_when_the_bot_leaves_it() {
        let (roles, me) = (BotRoles::default(), UserId(1));
        [2, 3].into_iter().for_each(|guild| roles.insert(GuildId(guild), me, RoleId(guild)));
        roles.forget(GuildId(2));
        assert_eq!((roles.of(GuildId(2), me), roles.of(GuildId(3), me)), (None, Some(RoleId(3))));
    }
}
