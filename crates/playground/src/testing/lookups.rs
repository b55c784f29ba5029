//! Lookups by name, for tests.

use super::person::Person;
use crate::discord_state::DiscordState;
use crate::discord_state::model::Role;
use crate::discord_state::seed::HOME_GUILD;
use crate::id::Id;
use crate::playground::Playground;

impl Playground {
    /// Returns a person by name.
    ///
    /// # Panics
    /// If there is no person of this name: the test is wrong.
    pub fn user(&self, name: &str) -> Person {
        let found = self.shared.look(|discord_state| {
            discord_state.users.values().find(|user| user.name == name && !user.bot).map(|user| user.id)
        });
        match found {
            Some(id) => Person { shared: self.shared.clone(), id, name: name.to_owned() },
            None => panic!("nobody here is called {name}"),
        }
    }

    /// Returns the channel or thread of this name; the first, if there are several.
    pub fn find_channel(&self, name: &str) -> Option<Id> {
        self.shared
            .look(|discord_state| discord_state.channels.values().find(|it| it.name == name).map(|it| it.id))
    }

    /// Returns the channel of this name.
    ///
    /// # Panics
    /// If there is none: the test is wrong.
    pub fn channel(&self, name: &str) -> Id {
        self.find_channel(name).expect("a channel of that name")
    }

    /// Returns the server of this name.
    pub fn guild(&self, name: &str) -> Option<Id> {
        self.shared
            .look(|discord_state| discord_state.guilds.values().find(|it| it.name == name).map(|it| it.id))
    }

    /// Returns the name of a channel or thread.
    pub fn channel_name(&self, channel: Id) -> Option<String> {
        self.shared.look(|discord_state| discord_state.channels.get(&channel).map(|it| it.name.clone()))
    }

    /// Returns the threads under a channel, oldest first.
    pub fn threads(&self, channel: Id) -> Vec<Id> {
        self.shared.look(|discord_state| {
            let under = discord_state.channels.values().filter(|it| it.parent_id == Some(channel));
            under.filter(|it| it.thread.is_some()).map(|it| it.id).collect()
        })
    }

    /// Whether a thread is archived.
    pub fn is_archived(&self, thread: Id) -> bool {
        let of = |discord_state: &DiscordState| {
            Some(discord_state.channels.get(&thread)?.thread.as_ref()?.archived)
        };
        self.shared.look(of).unwrap_or(false)
    }

    /// Returns the bot's own role in the home server.
    pub fn bot_role(&self) -> Option<Id> {
        let home = self.guild(HOME_GUILD)?;
        self.shared.look(|discord_state| {
            let own = |role: &&Role| role.bot_id == Some(discord_state.bot_id);
            discord_state.guilds.get(&home)?.roles.iter().find(own).map(|role| role.id)
        })
    }
}
