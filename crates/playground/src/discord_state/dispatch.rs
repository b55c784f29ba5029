//! Which events a change causes, and who receives them.

use serde_json::{Value, json};

use super::super::id::Id;
use super::super::permissions::VIEW_CHANNEL;
use super::DiscordState;
use super::gateway_events::{GatewayEvent, PageEvent, intent};
use super::model::{Channel, Message, flag};
use super::payloads::without_nulls;

impl DiscordState {
    /// Sends an event to the pages of these people, or of everybody.
    pub(crate) fn send_to_people(&mut self, to: Option<Vec<Id>>, name: &'static str, data: Value) {
        self.for_people.push(PageEvent { to, name, data });
    }

    /// Sends the bot an event that depends on no channel.
    pub(crate) fn send_to_bot(&mut self, name: &'static str, intent: u64, guild: Option<Id>, data: Value) {
        self.for_bot.push(GatewayEvent { name, intent, guild, data, without_content: None });
    }

    /// Sends an event about a channel to everybody who sees it, including the bot.
    pub(crate) fn send_channel_event(&mut self, name: &'static str, channel: &Channel) {
        let (data, audience) = (self.show_channel(channel), self.audience(channel));
        if self.bot_sees(channel) {
            self.send_to_bot(name, intent::GUILDS, channel.guild_id, data.clone());
        }
        self.send_to_people(Some(audience), name, data);
    }

    /// Sends an event about a new or changed message to everybody who sees it.
    pub(crate) fn send_message_event(&mut self, name: &'static str, message: &Message) {
        let Some(channel) = self.channels.get(&message.channel_id).cloned() else { return };
        self.send_to_people(Some(self.readers(&channel, message)), name, self.show_message(message, true));
        if message.only_for.is_some() || !self.bot_sees(&channel) {
            return;
        }
        let intent =
            if channel.guild_id.is_some() { intent::GUILD_MESSAGES } else { intent::DIRECT_MESSAGES };
        let data = self.as_event(&channel, message, true);
        let without_content = (!self.may_read(message)).then(|| self.as_event(&channel, message, false));
        self.for_bot.push(GatewayEvent { name, intent, guild: channel.guild_id, data, without_content });
    }

    /// Sends the deletion of a message to everybody who saw it.
    pub(crate) fn send_message_deleted(&mut self, message: &Message) {
        let Some(channel) = self.channels.get(&message.channel_id).cloned() else { return };
        let data = json!({"id": message.id, "channel_id": channel.id, "guild_id": channel.guild_id});
        self.send_to_people(Some(self.readers(&channel, message)), "MESSAGE_DELETE", data.clone());
        if message.only_for.is_none() && self.bot_sees(&channel) {
            let by_place =
                if channel.guild_id.is_some() { intent::GUILD_MESSAGES } else { intent::DIRECT_MESSAGES };
            self.send_to_bot("MESSAGE_DELETE", by_place, channel.guild_id, without_nulls(data));
        }
    }

    /// Returns the people who see a message: one if ephemeral, none while the answer is deferred.
    fn readers(&self, channel: &Channel, message: &Message) -> Vec<Id> {
        if message.flags & flag::LOADING != 0 {
            return Vec::new();
        }
        match message.only_for {
            Some(one) => vec![one],
            None => self.audience(channel),
        }
    }

    /// Whether the gateway sends the bot events of `channel`.
    pub(crate) fn bot_sees(&self, channel: &Channel) -> bool {
        self.bot_is_in(channel) && self.permissions_in(self.bot_id, channel) & VIEW_CHANNEL != 0
    }

    /// Whether a bot without the Message Content intent receives the message's content: its own messages,
    /// those in a DM with it, and those that mention it.
    pub(crate) fn may_read(&self, message: &Message) -> bool {
        let in_dm = self.channels.get(&message.channel_id).is_some_and(|channel| channel.guild_id.is_none());
        message.author_id == self.bot_id || in_dm || message.mentions.contains(&self.bot_id)
    }

    /// Returns the message as the gateway sends it, with the server and the author's membership.
    fn as_event(&self, channel: &Channel, message: &Message, full: bool) -> Value {
        let mut data = self.show_message(message, full);
        let Some(guild) = channel.guild_id.and_then(|id| self.guilds.get(&id)) else { return data };
        data["guild_id"] = json!(guild.id);
        if let Some(member) = guild.members.get(&message.author_id) {
            data["member"] = self.show_bare_member(member);
        }
        data
    }
}
