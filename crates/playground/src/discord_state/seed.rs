//! The initial state: two small servers, four people, and the bot.

use serde_json::json;

use super::super::clock::iso;
use super::super::id::Id;
use super::super::permissions::{EVERYONE, MINIMAL_INVITE};
use super::gateway_events::intent;
use super::model::{Channel, Guild, Member, Role, User, kind};
use super::{DiscordState, Key};

/// The server that new people join.
pub(crate) const HOME_GUILD: &str = "Rookery";
const PEOPLE: [&str; 4] = ["Ada", "Ben", "Cleo", "Dan"];
const SERVERS: [(&str, &[&str]); 2] =
    [(HOME_GUILD, &["games", "lobby", "general"]), ("Reading Room", &["table"])];

impl DiscordState {
    /// Fills an empty state; `bot_name` is the bot's display name.
    pub(crate) fn seed(&mut self, bot_name: &str) {
        self.ids.mark_used(self.bot_id);
        self.add_user(self.bot_id, bot_name, true);
        let people: Vec<Id> = PEOPLE.iter().map(|name| self.add_person(name)).collect();
        for (name, channels) in SERVERS {
            let guild = self.add_guild(name, people[0]);
            for person in &people {
                self.join(guild, *person);
            }
            self.invite_bot(guild, MINIMAL_INVITE);
            for channel in channels {
                self.add_channel(guild, channel);
            }
        }
    }

    /// Adds a person to the home server.
    pub(crate) fn new_member(&mut self, name: &str) -> Id {
        let id = self.add_person(name);
        if let Some(home) = self.guilds.values().find(|guild| guild.name == HOME_GUILD).map(|guild| guild.id)
        {
            self.join(home, id);
        }
        id
    }

    /// Adds a person who is in no server.
    pub(crate) fn add_person(&mut self, name: &str) -> Id {
        let id = self.new_id();
        self.add_user(id, name, false);
        id
    }

    pub(crate) fn add_user(&mut self, id: Id, name: &str, bot: bool) {
        let mut username: String =
            name.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        if self.users.values().any(|user| user.username == username) {
            username = format!("{username}_{id}");
        }
        let user =
            User { id, username, name: name.to_owned(), bot, dms_open: true, locale: "en-US".to_owned() };
        self.users.insert(id, user);
        self.touch(Key::User(id));
    }

    /// Adds a server whose only member is its owner.
    pub(crate) fn add_guild(&mut self, name: &str, owner: Id) -> Id {
        let id = self.new_id();
        let everyone = Role {
            id,
            name: "@everyone".to_owned(),
            permissions: EVERYONE,
            position: 0,
            bot_id: None,
            mentionable: false,
        };
        let guild = Guild {
            id,
            name: name.to_owned(),
            owner_id: owner,
            roles: vec![everyone],
            members: Default::default(),
            banned: Default::default(),
        };
        self.guilds.insert(id, guild);
        self.join(id, owner);
        id
    }

    /// Makes `user` a member and sends the events; does nothing for a member or a banned person.
    pub(crate) fn join(&mut self, guild_id: Id, user: Id) {
        let joined_ms = self.now_ms;
        let Some(guild) = self.guilds.get_mut(&guild_id) else { return };
        if guild.members.contains_key(&user) || guild.banned.contains(&user) {
            return;
        }
        let member = Member { user_id: user, roles: Vec::new(), nick: None, joined_ms };
        guild.members.insert(user, member.clone());
        self.touch(Key::Guild(guild_id));
        let mut shown = self.show_member(&member);
        shown["guild_id"] = json!(guild_id);
        self.send_to_bot("GUILD_MEMBER_ADD", intent::GUILD_MEMBERS, Some(guild_id), shown.clone());
        self.send_to_people(None, "GUILD_MEMBER_ADD", shown);
    }

    /// Adds the bot as a member with a role of its own that has `permissions`.
    pub(crate) fn invite_bot(&mut self, guild_id: Id, permissions: u64) {
        let (role_id, bot_id) = (self.new_id(), self.bot_id);
        self.join(guild_id, bot_id);
        let name = self.users.get(&bot_id).map_or_else(String::new, |bot| bot.name.clone());
        let Some(guild) = self.guilds.get_mut(&guild_id) else { return };
        guild.roles.retain(|role| role.bot_id != Some(bot_id));
        guild.roles.push(Role {
            id: role_id,
            name,
            permissions,
            position: 1,
            bot_id: Some(bot_id),
            mentionable: false,
        });
        if let Some(member) = guild.members.get_mut(&bot_id) {
            member.roles = vec![role_id];
        }
        let guild = guild.clone();
        self.touch(Key::Guild(guild_id));
        self.send_to_bot(
            "GUILD_CREATE",
            intent::GUILDS,
            Some(guild_id),
            self.show_guild_created(&guild, false),
        );
    }

    /// Adds a text channel at the end of the server's list.
    pub(crate) fn add_channel(&mut self, guild_id: Id, name: &str) -> Id {
        let id = self.new_id();
        let position = self.channels.values().filter(|it| it.guild_id == Some(guild_id)).count();
        let channel = Channel {
            id,
            kind: kind::TEXT,
            guild_id: Some(guild_id),
            parent_id: None,
            name: name.to_owned(),
            topic: None,
            position: u16::try_from(position).unwrap_or(u16::MAX),
            overwrites: Vec::new(),
            recipients: Vec::new(),
            last_message_id: None,
            thread: None,
        };
        self.channels.insert(id, channel.clone());
        self.touch(Key::Channel(id));
        self.send_channel_event("CHANNEL_CREATE", &channel);
        id
    }

    /// Returns the DM between two users, and creates it if needed.
    pub(crate) fn open_dm(&mut self, one: Id, other: Id) -> Id {
        let both = |it: &&Channel| {
            it.kind == kind::DM && it.recipients.contains(&one) && it.recipients.contains(&other)
        };
        if let Some(open) = self.channels.values().find(both) {
            return open.id;
        }
        let id = self.new_id();
        let channel = Channel {
            id,
            kind: kind::DM,
            guild_id: None,
            parent_id: None,
            name: String::new(),
            topic: None,
            position: 0,
            overwrites: Vec::new(),
            recipients: vec![one, other],
            last_message_id: None,
            thread: None,
        };
        self.channels.insert(id, channel.clone());
        self.touch(Key::Channel(id));
        self.send_to_people(Some(self.audience(&channel)), "CHANNEL_CREATE", self.show_channel(&channel));
        id
    }

    /// Returns the body of `TYPING_START` for the bot.
    pub(crate) fn show_typing(&self, channel: &Channel, user: Id) -> serde_json::Value {
        let mut shown = json!({"channel_id": channel.id, "user_id": user, "timestamp": self.now_ms / 1000});
        if let Some(guild) = channel.guild_id.and_then(|id| self.guilds.get(&id)) {
            shown["guild_id"] = json!(guild.id);
            shown["member"] = guild
                .members
                .get(&user)
                .map_or_else(|| json!({"joined_at": iso(0)}), |it| self.show_member(it));
        }
        shown
    }
}
