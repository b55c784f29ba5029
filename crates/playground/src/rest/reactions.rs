//! Reactions of the bot: added to a message and removed.

use serde_json::json;

use super::super::api_error::ApiError;
use super::super::discord_state::DiscordState;
use super::super::discord_state::gateway_events::intent;
use super::super::discord_state::model::{Message, Reaction};
use super::super::permissions::{ADD_REACTIONS, READ_MESSAGE_HISTORY};
use super::call::{Call, Reply};

/// `PUT /channels/{channel}/messages/{message}/reactions/{emoji}/@me`
pub(super) fn add(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    react(discord_state, call, true)
}

/// `DELETE /channels/{channel}/messages/{message}/reactions/{emoji}/@me`
pub(super) fn remove(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    react(discord_state, call, false)
}

fn react(discord_state: &mut DiscordState, call: &Call, adds: bool) -> Result<Reply, ApiError> {
    let bot = discord_state.bot_id;
    let channel = discord_state.channel_for(bot, call.id("channel")?)?.clone();
    let wanted = if adds { ADD_REACTIONS | READ_MESSAGE_HISTORY } else { READ_MESSAGE_HISTORY };
    discord_state.require_permissions(bot, &channel, wanted)?;
    discord_state.refuse_archived(&channel)?;
    let message = super::messages::public_message(discord_state, &channel, call.id("message")?)?;
    discord_state.set_reaction(message, bot, call.word("emoji"), adds);
    Ok(Reply::Nothing)
}

impl DiscordState {
    /// Adds or removes a reaction of `user`, and sends the events.
    pub(crate) fn set_reaction(
        &mut self,
        mut message: Message,
        user: super::super::id::Id,
        emoji: &str,
        adds: bool,
    ) {
        match message.reactions.iter_mut().find(|it| it.emoji == emoji) {
            Some(there) if adds => _ = there.users.insert(user),
            Some(there) => _ = there.users.remove(&user),
            None if adds => {
                message.reactions.push(Reaction { emoji: emoji.to_owned(), users: [user].into() });
            }
            None => {}
        }
        message.reactions.retain(|it| !it.users.is_empty());
        let guild = self.channels.get(&message.channel_id).and_then(|it| it.guild_id);
        let mut data = json!({"user_id": user, "channel_id": message.channel_id, "message_id": message.id,
            "emoji": {"id": null, "name": emoji}, "burst": false, "type": 0});
        if let Some(guild) = guild {
            data["guild_id"] = json!(guild);
        }
        if adds {
            data["burst_colors"] = json!([]);
            data["message_author_id"] = json!(message.author_id);
        }
        let name = if adds { "MESSAGE_REACTION_ADD" } else { "MESSAGE_REACTION_REMOVE" };
        let wanted =
            if guild.is_some() { intent::GUILD_MESSAGE_REACTIONS } else { intent::DIRECT_MESSAGE_REACTIONS };
        self.send_to_bot(name, wanted, guild, data);
        self.replace_for_people(message);
    }

    /// Replaces a message and sends the event only to people: the bot gets a reaction event instead.
    fn replace_for_people(&mut self, message: Message) {
        self.touch(super::super::discord_state::Key::Message(message.channel_id, message.id));
        let shown = self.show_message(&message, true);
        let audience = self.channels.get(&message.channel_id).map(|channel| self.audience(channel));
        self.messages.insert((message.channel_id, message.id), message);
        self.send_to_people(audience, "MESSAGE_UPDATE", shown);
    }
}
