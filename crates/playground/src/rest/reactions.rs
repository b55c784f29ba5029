//! Reactions: the bot's own, put under a message and taken back.

use serde_json::json;

use super::super::permissions::{self, ADD_REACTIONS, READ_MESSAGE_HISTORY};
use super::super::refusal::Refusal;
use super::super::world::World;
use super::super::world::model::{Message, Reaction};
use super::super::world::news::intent;
use super::call::{Call, Reply};

/// `PUT /channels/{channel}/messages/{message}/reactions/{emoji}/@me`
pub(super) fn add(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    react(world, call, true)
}

/// `DELETE /channels/{channel}/messages/{message}/reactions/{emoji}/@me`
pub(super) fn remove(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    react(world, call, false)
}

fn react(world: &mut World, call: &Call, adds: bool) -> Result<Reply, Refusal> {
    let bot = world.bot_id;
    let channel = world.channel_for(bot, call.id("channel")?)?.clone();
    let wanted = if adds { ADD_REACTIONS | READ_MESSAGE_HISTORY } else { READ_MESSAGE_HISTORY };
    permissions::require(world, bot, &channel, wanted)?;
    world.refuse_archived(&channel)?;
    let message = super::messages::public_message(world, &channel, call.id("message")?)?;
    world.set_reaction(message, bot, call.word("emoji"), adds);
    Ok(Reply::Nothing)
}

impl World {
    /// Puts an emoji under a message in somebody's name, or takes it away, and tells of it.
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
        self.tell_bot(name, wanted, guild, data);
        self.keep_quietly(message);
    }

    /// Puts a message in place of the old, telling only people: the bot hears of this another way.
    fn keep_quietly(&mut self, message: Message) {
        self.touch(super::super::world::Key::Message(message.channel_id, message.id));
        let shown = self.show_message(&message, true);
        let audience = self.channels.get(&message.channel_id).map(|channel| self.audience(channel));
        self.messages.insert((message.channel_id, message.id), message);
        self.tell_people(audience, "MESSAGE_UPDATE", shown);
    }
}
