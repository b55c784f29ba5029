//! Changes to the model that only tests make.

use serde_json::json;

use crate::discord_state::gateway_events::intent;
use crate::discord_state::model::Role;
use crate::discord_state::{DiscordState, Key};
use crate::id::Id;

impl DiscordState {
    /// Adds another bot that is in no server.
    pub(crate) fn add_bot(&mut self, name: &str) -> Id {
        let id = self.new_id();
        self.add_user(id, name, true);
        id
    }

    /// Removes `user` from the server and sends the events.
    pub(crate) fn leave(&mut self, guild_id: Id, user: Id) {
        let Some(guild) = self.guilds.get_mut(&guild_id) else { return };
        if guild.members.remove(&user).is_none() {
            return;
        }
        self.touch(Key::Guild(guild_id));
        let gone = json!({"guild_id": guild_id, "user": self.show_user(user)});
        if user == self.bot_id {
            self.send_to_bot(
                "GUILD_DELETE",
                intent::GUILDS,
                Some(guild_id),
                json!({"id": guild_id, "unavailable": false}),
            );
        } else {
            self.send_to_bot("GUILD_MEMBER_REMOVE", intent::GUILD_MEMBERS, Some(guild_id), gone.clone());
        }
        self.send_to_people(None, "GUILD_MEMBER_REMOVE", gone);
    }

    /// Adds a role without permissions for these members; `None` if the server does not exist.
    pub(crate) fn add_role(&mut self, guild_id: Id, name: &str, people: &[Id]) -> Option<Id> {
        let id = self.new_id();
        let guild = self.guilds.get_mut(&guild_id)?;
        guild.roles.push(Role {
            id,
            name: name.to_owned(),
            permissions: 0,
            position: 1,
            bot_id: None,
            mentionable: true,
        });
        for person in people {
            guild.members.get_mut(person)?.roles.push(id);
        }
        self.touch(Key::Guild(guild_id));
        Some(id)
    }
}
