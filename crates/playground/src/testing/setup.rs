//! Changes to the model that no client can make, for tests.

use super::person::Person;
use crate::discord_state::Key;
use crate::discord_state::gateway_events::intent;
use crate::discord_state::model::{Overwrite, Thread};
use crate::discord_state::seed::HOME_GUILD;
use crate::discord_state::threads::NewThread;
use crate::id::Id;
use crate::permissions::{self, VIEW_CHANNEL};
use crate::playground::Playground;

impl Playground {
    /// Adds a person to the home server.
    pub fn new_user(&self, name: &str) -> Person {
        let id = self.shared.change(|discord_state| discord_state.new_member(name));
        Person { shared: self.shared.clone(), id, name: name.to_owned() }
    }

    /// Adds a person who is in no server.
    pub fn new_stranger(&self, name: &str) -> Person {
        let id = self.shared.change(|discord_state| discord_state.add_person(name));
        Person { shared: self.shared.clone(), id, name: name.to_owned() }
    }

    /// Adds another bot to the home server: it writes messages; Discord lets bots use no commands or buttons.
    pub fn new_bot(&self, name: &str) -> Option<Person> {
        let home = self.guild(HOME_GUILD)?;
        let id = self.shared.change(|discord_state| {
            let id = discord_state.add_bot(name);
            discord_state.join(home, id);
            id
        });
        Some(Person { shared: self.shared.clone(), id, name: name.to_owned() })
    }

    /// Adds a person to a server; does nothing if they are banned.
    pub fn join(&self, guild: Id, person: &Person) {
        self.shared.change(|discord_state| discord_state.join(guild, person.id));
    }

    /// Bans a person from a server: they leave and cannot join again. A bot without the moderation or members
    /// intent gets no event.
    pub fn ban(&self, guild: Id, person: &Person) {
        self.shared.change(|discord_state| {
            discord_state.leave(guild, person.id);
            if let Some(guild) = discord_state.guilds.get_mut(&guild) {
                guild.banned.insert(person.id);
            }
            discord_state.touch(Key::Guild(guild));
            let news = serde_json::json!({"guild_id": guild, "user": discord_state.show_user(person.id)});
            discord_state.send_to_bot("GUILD_BAN_ADD", intent::GUILD_MODERATION, Some(guild), news);
        });
    }

    /// Opens a private thread under a channel, owned by the first of these people, with the others and the
    /// bot in it.
    pub fn new_private_thread(&self, channel: Id, name: &str, people: &[&Person]) -> Option<Id> {
        let owner = people.first()?.id;
        let others: Vec<Id> = people.iter().map(|person| person.id).collect();
        self.shared.change(|discord_state| {
            let new = NewThread {
                parent: channel,
                message: None,
                owner,
                name: name.to_owned(),
                auto_archive_minutes: 10_080,
                private: true,
            };
            let thread = discord_state.open_thread(new).ok()?;
            for user in others.into_iter().chain([discord_state.bot_id]) {
                discord_state.join_thread(thread, user);
            }
            Some(thread)
        })
    }

    /// Adds a text channel to the home server.
    pub fn new_channel(&self, name: &str) -> Option<Id> {
        let home = self.guild(HOME_GUILD)?;
        Some(self.shared.change(|discord_state| discord_state.add_channel(home, name)))
    }

    /// Sets whether everybody may mention a role of the home server.
    pub fn set_role_mentionable(&self, role: Id, anybody: bool) {
        let Some(home) = self.guild(HOME_GUILD) else { return };
        self.shared.change(|discord_state| {
            let guild = discord_state.guilds.get_mut(&home);
            let found = guild.and_then(|guild| guild.roles.iter_mut().find(|one| one.id == role));
            if let Some(found) = found {
                found.mentionable = anybody;
            }
            discord_state.touch(Key::Guild(home));
        });
    }

    /// Grants permissions (Discord's bits) to everybody on a server, including the bot.
    pub fn grant_everyone(&self, guild: Id, bits: u64) {
        self.shared.change(|discord_state| {
            let roles = discord_state.guilds.get_mut(&guild).map(|it| &mut it.roles);
            if let Some(everybody) = roles.and_then(|roles| roles.iter_mut().find(|role| role.id == guild)) {
                everybody.permissions |= bits;
            }
            discord_state.touch(Key::Guild(guild));
        });
    }

    /// Adds a mentionable role with these members to the home server.
    pub fn new_role(&self, name: &str, people: &[&Person]) -> Option<Id> {
        let home = self.guild(HOME_GUILD)?;
        let people: Vec<Id> = people.iter().map(|person| person.id).collect();
        self.shared.change(|discord_state| discord_state.add_role(home, name, &people))
    }

    /// Gives a role to a person in the home server. A bot without the members intent gets no event.
    pub fn give_role(&self, person: &Person, role: Id) {
        let Some(home) = self.guild(HOME_GUILD) else { return };
        self.shared.change(|discord_state| {
            let member =
                discord_state.guilds.get_mut(&home).and_then(|guild| guild.members.get_mut(&person.id));
            if let Some(member) = member.filter(|member| !member.roles.contains(&role)) {
                member.roles.push(role);
            }
            discord_state.touch(Key::Guild(home));
        });
    }

    /// Removes a role from a person in the home server. A bot without the members intent gets no event.
    pub fn take_role(&self, person: &Person, role: Id) {
        let Some(home) = self.guild(HOME_GUILD) else { return };
        self.shared.change(|discord_state| {
            let Some(guild) = discord_state.guilds.get_mut(&home) else { return };
            if let Some(member) = guild.members.get_mut(&person.id) {
                member.roles.retain(|its| *its != role);
            }
            discord_state.touch(Key::Guild(home));
        });
    }

    /// Denies the bot these permissions (Discord's bits) in a channel, and no others.
    pub fn deny_bot(&self, channel: Id, bits: u64) {
        self.deny_member(channel, self.shared.look(|discord_state| discord_state.bot_id), bits);
    }

    /// Sets what a role, or everybody (the server's own id), may and may not do in a channel (Discord's
    /// bits).
    pub fn set_role_overwrite(&self, channel: Id, role: Id, allow: u64, deny: u64) {
        self.rule(channel, Overwrite { id: role, kind: 0, allow, deny });
    }

    /// Gives the bot a role of the home server. Discord sends a bot events about its own roles without the
    /// members intent.
    pub fn give_bot_role(&self, role: Id) {
        let Some(home) = self.guild(HOME_GUILD) else { return };
        self.shared.change(|discord_state| {
            let bot = discord_state.bot_id;
            let Some(member) =
                discord_state.guilds.get_mut(&home).and_then(|guild| guild.members.get_mut(&bot))
            else {
                return;
            };
            member.roles.push(role);
            let member = member.clone();
            let mut news = discord_state.show_member(&member);
            news["guild_id"] = serde_json::json!(home);
            discord_state.touch(Key::Guild(home));
            discord_state.send_to_bot("GUILD_MEMBER_UPDATE", intent::GUILDS, Some(home), news);
        });
    }

    /// Denies a person these permissions (Discord's bits) in a channel, and no others.
    pub fn deny(&self, channel: Id, person: &Person, bits: u64) {
        self.deny_member(channel, person.id, bits);
    }

    /// Makes a channel visible only to these people, the bot and the server's owner; to everybody, if the
    /// list is empty.
    pub fn restrict_channel_to(&self, channel: Id, people: &[&Person]) {
        self.shared.change(|discord_state| {
            let bot = discord_state.bot_id;
            let Some(place) = discord_state.channels.get_mut(&channel) else { return };
            let Some(everybody) = place.guild_id else { return };
            let rule = |id, kind, allow, deny| Overwrite { id, kind, allow, deny };
            place.overwrites = people.iter().map(|who| rule(who.id, 1, VIEW_CHANNEL, 0)).collect();
            if !people.is_empty() {
                place.overwrites.push(rule(bot, 1, VIEW_CHANNEL, 0));
                place.overwrites.push(rule(everybody, 0, 0, VIEW_CHANNEL));
            }
            let place = place.clone();
            discord_state.touch(Key::Channel(channel));
            discord_state.send_channel_event("CHANNEL_UPDATE", &place);
        });
    }

    fn deny_member(&self, channel: Id, member: Id, bits: u64) {
        self.rule(channel, Overwrite { id: member, kind: 1, allow: 0, deny: bits });
    }

    fn rule(&self, channel: Id, rule: Overwrite) {
        self.shared.change(|discord_state| {
            let Some(place) = discord_state.channels.get_mut(&channel) else { return };
            place.overwrites.retain(|it| it.id != rule.id);
            place.overwrites.push(rule);
            let place = place.clone();
            discord_state.touch(Key::Channel(channel));
            discord_state.send_channel_event("CHANNEL_UPDATE", &place);
        });
    }

    /// Makes the automatic moderation of every server block messages with this word.
    pub fn block_word(&self, word: &str) {
        self.shared.change(|discord_state| discord_state.rules.blocked.push(word.to_owned()));
    }

    /// Makes Discord post a message again that has the nonce of an earlier one.
    pub fn forget_nonces(&self) {
        self.shared.change(|discord_state| discord_state.rules.forgets_nonces = true);
    }

    /// Makes the settings of every server show a command to everybody, as server managers can configure.
    pub fn show_to_all(&self, command: &str) {
        self.shared.change(|discord_state| discord_state.rules.shown_to_all.push(command.to_owned()));
    }

    /// Makes a server unavailable to the bot, or available again; the bot gets Discord's events for both.
    pub fn set_guild_unavailable(&self, guild: Id, is_out: bool) {
        self.shared.change(|discord_state| {
            let Some(place) = discord_state.guilds.get(&guild).cloned() else { return };
            if is_out {
                let gone = serde_json::json!({"id": guild, "unavailable": true});
                discord_state.send_to_bot("GUILD_DELETE", intent::GUILDS, Some(guild), gone);
            } else {
                let shown = discord_state.show_guild_created(&place, false);
                discord_state.send_to_bot("GUILD_CREATE", intent::GUILDS, Some(guild), shown);
            }
        });
    }

    /// Adds a server with a channel, the bot and some people; returns both ids.
    pub fn new_guild(&self, name: &str, channel: &str, people: &[&Person]) -> (Id, Id) {
        self.shared.change(|discord_state| {
            let guild =
                discord_state.add_guild(name, people.first().map_or(discord_state.bot_id, |it| it.id));
            people.iter().for_each(|person| discord_state.join(guild, person.id));
            discord_state.invite_bot(guild, permissions::MINIMAL_INVITE);
            (guild, discord_state.add_channel(guild, channel))
        })
    }

    /// Removes the bot from a server, where it is then only user-installed.
    pub fn remove_bot(&self, guild: Id) {
        self.shared.change(|discord_state| discord_state.leave(guild, discord_state.bot_id));
    }

    /// Invites the bot (again) with the minimal permissions.
    pub fn invite_bot(&self, guild: Id) {
        self.shared.change(|discord_state| discord_state.invite_bot(guild, permissions::MINIMAL_INVITE));
    }

    /// Removes a person from a server.
    pub fn leave(&self, guild: Id, person: &Person) {
        self.shared.change(|discord_state| discord_state.leave(guild, person.id));
    }

    /// Archives or unarchives, and locks or unlocks a thread, as a moderator would.
    pub fn set_thread(&self, thread: Id, archived: bool, locked: bool) {
        let set = |it: &mut Thread| (it.archived, it.locked) = (archived, locked);
        self.shared.change(|discord_state| discord_state.change_thread(thread, set));
    }

    /// Deletes a channel or thread, as a moderator would.
    pub fn delete_channel(&self, channel: Id) {
        self.shared.change(|discord_state| discord_state.delete_channel(channel));
    }

    /// Deletes a message, as a moderator would.
    pub fn delete_message(&self, channel: Id, message: Id) {
        self.shared.change(|discord_state| discord_state.remove(channel, message));
    }
}
