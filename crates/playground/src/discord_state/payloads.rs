//! The JSON that clients see (API v10) of every entity in the model.

use serde_json::{Value, json};

use super::super::clock::iso;
use super::super::id::Id;
use super::DiscordState;
use super::model::{
    Attachment, Channel, Guild, Interaction, Member, Message, Reaction, Role, Thread, User, ask, flag, kind,
    message_kind,
};

impl DiscordState {
    /// Returns a user as anyone sees it.
    pub(crate) fn show_user(&self, id: Id) -> Value {
        let Some(user) = self.users.get(&id) else {
            return json!({"id": id, "username": "deleted", "discriminator": "0", "global_name": null,
                "avatar": null, "bot": false, "public_flags": 0});
        };
        show_user(user)
    }

    /// Returns a member with the user inside.
    pub(crate) fn show_member(&self, member: &Member) -> Value {
        let mut shown = self.show_bare_member(member);
        shown["user"] = self.show_user(member.user_id);
        shown
    }

    /// Returns a member without the user, as messages contain it.
    pub(crate) fn show_bare_member(&self, member: &Member) -> Value {
        json!({"roles": member.roles, "nick": member.nick, "joined_at": iso(member.joined_ms),
            "premium_since": null, "deaf": false, "mute": false, "flags": 0, "pending": false,
            "avatar": null, "banner": null, "communication_disabled_until": null})
    }

    /// Returns a server as `GET /guilds/{id}` does.
    pub(crate) fn show_guild(&self, guild: &Guild) -> Value {
        json!({"id": guild.id, "name": guild.name, "icon": null, "icon_hash": null, "splash": null,
            "discovery_splash": null, "owner_id": guild.owner_id, "afk_channel_id": null, "afk_timeout": 300,
            "widget_enabled": false, "widget_channel_id": null, "verification_level": 0,
            "default_message_notifications": 1, "explicit_content_filter": 0,
            "roles": guild.roles.iter().map(show_role).collect::<Vec<_>>(), "emojis": [], "features": [],
            "mfa_level": 0, "application_id": null, "system_channel_id": null, "system_channel_flags": 0,
            "rules_channel_id": null, "max_presences": null, "max_members": 500_000, "vanity_url_code": null,
            "description": null, "banner": null, "premium_tier": 0, "premium_subscription_count": 0,
            "preferred_locale": "en-US", "public_updates_channel_id": null, "max_video_channel_users": 25,
            "max_stage_video_channel_users": 50, "nsfw_level": 0, "nsfw": false, "stickers": [],
            "premium_progress_bar_enabled": false, "safety_alerts_channel_id": null, "incidents_data": null})
    }

    /// Returns a server as `GUILD_CREATE` does; without the Guild Members intent it lists only the bot.
    pub(crate) fn show_guild_created(&self, guild: &Guild, all_members: bool) -> Value {
        let mut shown = self.show_guild(guild);
        let members = guild.members.values().filter(|one| all_members || one.user_id == self.bot_id);
        let seen = self.channels.values().filter(|one| one.guild_id == Some(guild.id) && self.bot_sees(one));
        let (threads, channels): (Vec<_>, Vec<_>) = seen.partition(|one| one.thread.is_some());
        let open = threads.iter().filter(|one| one.thread.as_ref().is_some_and(|thread| !thread.archived));
        shown["members"] = members.map(|one| self.show_member(one)).collect();
        shown["channels"] = channels.iter().map(|one| self.show_channel(one)).collect();
        shown["threads"] = open.map(|one| self.show_channel(one)).collect();
        shown["member_count"] = json!(guild.members.len());
        shown["joined_at"] = json!(guild.members.get(&self.bot_id).map(|bot| iso(bot.joined_ms)));
        shown["large"] = json!(false);
        shown["unavailable"] = json!(false);
        for empty in
            ["voice_states", "presences", "stage_instances", "guild_scheduled_events", "soundboard_sounds"]
        {
            shown[empty] = json!([]);
        }
        shown
    }

    /// Returns a channel, thread or DM.
    pub(crate) fn show_channel(&self, channel: &Channel) -> Value {
        let mut shown = json!({"id": channel.id, "type": channel.kind, "flags": 0,
            "last_message_id": channel.last_message_id});
        if channel.kind == kind::DM {
            shown["recipients"] = channel
                .recipients
                .iter()
                .filter(|id| **id != self.bot_id)
                .map(|id| self.show_user(*id))
                .collect();
            return shown;
        }
        shown["guild_id"] = json!(channel.guild_id);
        shown["parent_id"] = json!(channel.parent_id);
        shown["name"] = json!(channel.name);
        shown["rate_limit_per_user"] = json!(0);
        match &channel.thread {
            Some(thread) => self.add_thread(&mut shown, thread),
            None => {
                shown["topic"] = json!(channel.topic);
                shown["position"] = json!(channel.position);
                shown["nsfw"] = json!(false);
                shown["permission_overwrites"] = channel.overwrites.iter().map(show_overwrite).collect();
            }
        }
        shown
    }

    fn add_thread(&self, shown: &mut Value, thread: &Thread) {
        shown["owner_id"] = json!(thread.owner_id);
        shown["member_count"] = json!(thread.members.len().min(50));
        shown["message_count"] = json!(thread.messages);
        shown["total_message_sent"] = json!(thread.messages);
        shown["thread_metadata"] = json!({"archived": thread.archived, "locked": thread.locked,
            "auto_archive_duration": thread.auto_archive_minutes,
            "archive_timestamp": iso(thread.archive_changed_ms), "create_timestamp": iso(thread.created_ms)});
        if thread.members.contains(&self.bot_id) {
            shown["member"] = json!({"join_timestamp": iso(thread.created_ms), "flags": 1});
        }
    }

    /// Returns a message; with `full` false, without the fields that the Message Content intent guards.
    pub(crate) fn show_message(&self, message: &Message, full: bool) -> Value {
        let mut shown = self.show_message_alone(message, full);
        if message.kind == message_kind::REPLY || message.kind == message_kind::THREAD_STARTER {
            let target = message.reference.and_then(|key| self.messages.get(&key));
            shown["referenced_message"] = match target {
                Some(target) => {
                    // The quoted message is guarded by its own author and mentions.
                    self.show_message_alone(target, full || self.may_read(target))
                }
                None => Value::Null,
            };
        }
        shown
    }

    fn show_message_alone(&self, message: &Message, full: bool) -> Value {
        let mut shown = json!({"id": message.id, "channel_id": message.channel_id, "type": message.kind,
            "author": self.show_user(message.author_id), "timestamp": iso(message.created_ms),
            "edited_timestamp": message.edited_ms.map(iso), "tts": false, "pinned": message.pinned,
            "mention_everyone": message.mention_everyone,
            "mentions": message.mentions.iter().map(|id| self.show_user(*id)).collect::<Vec<_>>(),
            "mention_roles": message.mention_roles, "flags": message.flags,
            "content": "", "embeds": [], "attachments": [], "components": []});
        if full {
            let files = message.attachments.iter();
            shown["content"] = json!(message.content);
            shown["embeds"] = json!(self.resolve_embeds(message));
            shown["attachments"] = files.map(|file| self.show_attachment(message, file)).collect();
            shown["components"] = json!(message.components);
        }
        self.add_links(&mut shown, message);
        shown
    }

    fn add_links(&self, shown: &mut Value, message: &Message) {
        if let Some(nonce) = &message.nonce {
            shown["nonce"] = nonce.clone();
        }
        if !message.reactions.is_empty() {
            shown["reactions"] = message.reactions.iter().map(|one| self.show_reaction(one)).collect();
        }
        if let Some((channel, target)) = message.reference {
            let guild = self.channels.get(&channel).and_then(|channel| channel.guild_id);
            let target = (message.kind != message_kind::THREAD_CREATED).then_some(target);
            shown["message_reference"] = without_nulls(
                json!({"type": 0, "channel_id": channel, "message_id": target, "guild_id": guild}),
            );
        }
        if let Some(interaction) = message.interaction_id.and_then(|id| self.interactions.get(&id)) {
            shown["application_id"] = json!(self.bot_id);
            shown["webhook_id"] = json!(self.bot_id);
            shown["interaction_metadata"] = self.show_origin(interaction);
        }
        let thread = self.channels.get(&message.id).filter(|_| message.flags & flag::HAS_THREAD != 0);
        if let Some(thread) = thread {
            shown["thread"] = self.show_channel(thread);
        }
    }

    /// Returns the interaction metadata of a message that answers one.
    fn show_origin(&self, interaction: &Interaction) -> Value {
        let mut shown = json!({"id": interaction.id, "type": interaction.kind,
            "user": self.show_user(interaction.user_id),
            "authorizing_integration_owners": self.show_owners(interaction.guild_id, interaction.channel_id, interaction.user_id)});
        match interaction.kind {
            ask::COMPONENT => shown["interacted_message_id"] = json!(interaction.message_id),
            ask::MODAL => {
                let opener = interaction.opened_by.and_then(|id| self.interactions.get(&id));
                shown["triggering_interaction_metadata"] =
                    opener.map_or(Value::Null, |it| self.show_origin(it));
            }
            // Discord sends the name although its documentation does not mention it, and clients show it.
            _ => shown["name"] = json!(interaction.name),
        }
        shown
    }

    /// Returns the owners of the installation: the server ("0"), or only the person ("1").
    pub(crate) fn show_owners(&self, guild: Option<Id>, channel: Id, user: Id) -> Value {
        let installed = |id: &Id| self.guilds.get(id).is_some_and(|it| it.members.contains_key(&self.bot_id));
        match guild {
            Some(id) if installed(&id) => json!({"0": id}),
            Some(_) => json!({"1": user}),
            None if self.channels.get(&channel).is_some_and(|it| !self.bot_is_in(it)) => json!({"1": user}),
            None => json!({"0": "0"}),
        }
    }

    fn show_reaction(&self, reaction: &Reaction) -> Value {
        json!({"emoji": {"id": null, "name": reaction.emoji}, "count": reaction.users.len(),
            "count_details": {"burst": 0, "normal": reaction.users.len()}, "me_burst": false,
            "me": reaction.users.contains(&self.bot_id), "burst_colors": []})
    }

    fn show_attachment(&self, message: &Message, file: &Attachment) -> Value {
        self.show_file(message.channel_id, file, message.only_for.is_some())
    }

    /// Returns a file of a message or a command option in a channel.
    pub(crate) fn show_file(&self, channel: Id, file: &Attachment, ephemeral: bool) -> Value {
        let url = self.file_url(channel, file);
        let mut shown = json!({"id": file.id, "filename": file.filename, "size": file.size,
            "content_type": file.content_type, "url": url, "proxy_url": url});
        if let Some(description) = &file.description {
            shown["description"] = json!(description);
        }
        if let Some((width, height)) = file.dimensions {
            shown["width"] = json!(width);
            shown["height"] = json!(height);
        }
        if ephemeral {
            shown["ephemeral"] = json!(true);
        }
        shown
    }

    fn file_url(&self, channel: Id, file: &Attachment) -> String {
        format!("{}/page/files/{channel}/{}/{}", self.base_url, file.id, file.filename)
    }

    /// Returns the embeds, with `attachment://name` replaced by the file's address.
    fn resolve_embeds(&self, message: &Message) -> Vec<Value> {
        let mut embeds = message.embeds.clone();
        for embed in &mut embeds {
            for picture in ["image", "thumbnail"] {
                let Some(name) =
                    embed[picture]["url"].as_str().and_then(|it| it.strip_prefix("attachment://"))
                else {
                    continue;
                };
                if let Some(file) = message.attachments.iter().find(|file| file.filename == name) {
                    embed[picture]["url"] = json!(self.file_url(message.channel_id, file));
                }
            }
        }
        embeds
    }
}

/// Returns a user as anyone sees it.
pub(crate) fn show_user(user: &User) -> Value {
    json!({"id": user.id, "username": user.username, "discriminator": "0", "global_name": user.name,
        "avatar": null, "banner": null, "accent_color": null, "bot": user.bot, "public_flags": 0})
}

/// Returns a role as the API lists it.
pub(crate) fn show_role(role: &Role) -> Value {
    let mut shown = json!({"id": role.id, "name": role.name, "permissions": role.permissions.to_string(),
        "position": role.position, "color": 0, "hoist": false, "managed": role.bot_id.is_some(),
        "colors": {"primary_color": 0, "secondary_color": null, "tertiary_color": null},
        "mentionable": role.mentionable, "icon": null, "unicode_emoji": null, "flags": 0});
    if let Some(bot) = role.bot_id {
        shown["tags"] = json!({"bot_id": bot});
    }
    shown
}

fn show_overwrite(overwrite: &super::model::Overwrite) -> Value {
    json!({"id": overwrite.id, "type": overwrite.kind, "allow": overwrite.allow.to_string(),
        "deny": overwrite.deny.to_string()})
}

/// Removes null fields from an object: Discord leaves them out.
pub(crate) fn without_nulls(mut object: Value) -> Value {
    if let Some(fields) = object.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    object
}
