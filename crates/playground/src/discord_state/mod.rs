//! The model: all state in memory, changed by plain functions under one lock.
//!
//! A change marks entities ([`DiscordState::touch`]), which are then written to the file, and adds events
//! ([`super::discord_state::gateway_events`]), which are then sent to the gateway and the page.

mod access;
mod dispatch;
pub(crate) mod gateway_events;
pub(crate) mod interactions;
pub(crate) mod mentions;
pub(crate) mod messages;
pub(crate) mod model;
pub(crate) mod payloads;
pub(crate) mod seed;
pub(crate) mod threads;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::activity::instances::Activities;
use super::api_error::ApiError;
use super::id::{Id, Ids};
use gateway_events::{GatewayEvent, PageEvent};
use model::{Attachment, Channel, Guild, Interaction, Message, User};

/// Rules that a test may change.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// The most open threads of a server; one more is refused with 160006.
    pub(crate) active_threads_max: usize,
    /// Whether the developer portal's switch for the Message Content intent is on.
    pub(crate) message_content: bool,
    /// The shard count that `GET /gateway/bot` recommends.
    pub(crate) shards: u32,
    /// Whether the developer portal's switch for the Guild Members intent is on.
    pub(crate) guild_members: bool,
    /// The redirects that are registered in the developer portal.
    pub(crate) redirects: Vec<String>,
    /// Words that the automatic moderation of servers blocks.
    pub(crate) blocked: Vec<String>,
    /// Commands that the settings of every server show to everybody, regardless of required permissions.
    pub(crate) shown_to_all: Vec<String>,
    /// Whether a message is posted again that has the nonce of an earlier one.
    pub(crate) forgets_nonces: bool,
}

/// An entity that is kept in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    User(Id),
    Guild(Id),
    Channel(Id),
    /// The channel id, then the message id.
    Message(Id, Id),
    Interaction(Id),
    Command(Id),
    File(Id),
}

/// The state of the simulated Discord.
pub(crate) struct DiscordState {
    pub(crate) ids: Ids,
    /// The time of the current change, in milliseconds since 1970.
    pub(crate) now_ms: u64,
    pub(crate) rules: Rules,
    /// The address of the page and its files: `http://127.0.0.1:PORT`.
    pub(crate) base_url: String,
    /// The bot's user id, which is also its application id.
    pub(crate) bot_id: Id,
    pub(crate) users: BTreeMap<Id, User>,
    pub(crate) guilds: BTreeMap<Id, Guild>,
    pub(crate) channels: BTreeMap<Id, Channel>,
    /// Keyed by channel, then message, so that a channel's messages are adjacent and in order.
    pub(crate) messages: BTreeMap<(Id, Id), Message>,
    pub(crate) interactions: BTreeMap<Id, Interaction>,
    /// Global commands, in Discord's own shape.
    pub(crate) commands: BTreeMap<Id, Value>,
    /// Files not yet written to disk (all files if there is no database).
    pub(crate) files: BTreeMap<Id, Arc<[u8]>>,
    /// Files uploaded for a command, which belong to no message.
    pub(crate) command_uploads: BTreeMap<Id, Attachment>,
    /// The times of edits of messages older than an hour, by channel.
    pub(crate) old_edits: BTreeMap<Id, Vec<u64>>,
    /// Until then no thread is archived for inactivity; not kept in the file.
    pub(crate) next_archive_ms: u64,
    /// The Activity of the application; not kept in the file.
    pub(crate) activities: Activities,
    pub(crate) touched: BTreeSet<Key>,
    pub(crate) for_bot: Vec<GatewayEvent>,
    pub(crate) for_people: Vec<PageEvent>,
}

impl DiscordState {
    /// Creates a state with only the bot's id.
    pub(crate) fn empty(base_url: String, bot_id: Id, rules: Rules) -> Self {
        Self {
            ids: Ids::default(),
            now_ms: 0,
            rules,
            base_url,
            bot_id,
            users: BTreeMap::new(),
            guilds: BTreeMap::new(),
            channels: BTreeMap::new(),
            messages: BTreeMap::new(),
            interactions: BTreeMap::new(),
            commands: BTreeMap::new(),
            files: BTreeMap::new(),
            command_uploads: BTreeMap::new(),
            old_edits: BTreeMap::new(),
            next_archive_ms: 0,
            activities: Activities::default(),
            touched: BTreeSet::new(),
            for_bot: Vec::new(),
            for_people: Vec::new(),
        }
    }

    /// Returns a new id for the present time.
    pub(crate) fn new_id(&mut self) -> Id {
        self.ids.make(self.now_ms)
    }

    /// Marks an entity as changed or deleted, so that the file is updated.
    pub(crate) fn touch(&mut self, key: Key) {
        self.touched.insert(key);
    }

    /// Returns the channel, or 10003.
    pub(crate) fn channel(&self, id: Id) -> Result<&Channel, ApiError> {
        self.channels.get(&id).ok_or_else(ApiError::unknown_channel)
    }

    /// Returns the server if the bot is in it, or 10004.
    pub(crate) fn guild_of_bot(&self, id: Id) -> Result<&Guild, ApiError> {
        let guild = self.guilds.get(&id).filter(|guild| guild.members.contains_key(&self.bot_id));
        guild.ok_or_else(ApiError::unknown_guild)
    }

    /// Returns the message, or 10008.
    pub(crate) fn message(&self, channel: Id, id: Id) -> Result<&Message, ApiError> {
        self.messages.get(&(channel, id)).ok_or_else(ApiError::unknown_message)
    }

    /// Returns a channel's messages, oldest first.
    pub(crate) fn messages_in(&self, channel: Id) -> impl DoubleEndedIterator<Item = &Message> {
        self.messages.range((channel, Id(0))..=(channel, Id(u64::MAX))).map(|(_, message)| message)
    }

    /// Whether the bot is a member of the channel's server, or a recipient of the DM.
    pub(crate) fn bot_is_in(&self, channel: &Channel) -> bool {
        match channel.guild_id.and_then(|id| self.guilds.get(&id)) {
            Some(guild) => guild.members.contains_key(&self.bot_id),
            None => channel.recipients.contains(&self.bot_id),
        }
    }
}
