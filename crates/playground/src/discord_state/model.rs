//! The entities of the playground's Discord: people, servers, channels, messages, interactions.
//!
//! These shapes are kept in the file; `payloads` makes the shapes that clients see.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::id::Id;

/// A person or a bot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct User {
    pub(crate) id: Id,
    /// The login name: lower case, unique.
    pub(crate) username: String,
    /// The display name in clients.
    pub(crate) name: String,
    pub(crate) bot: bool,
    /// Whether others may send direct messages.
    pub(crate) dms_open: bool,
    pub(crate) locale: String,
}

/// A role; the one whose id is the server's own is @everyone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Role {
    pub(crate) id: Id,
    pub(crate) name: String,
    pub(crate) permissions: u64,
    pub(crate) position: u16,
    /// The bot whose invitation made this role.
    pub(crate) bot_id: Option<Id>,
    /// Whether everybody may mention the role, and not only members who may mention everyone.
    #[serde(default)]
    pub(crate) mentionable: bool,
}

/// A person's membership in a server.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Member {
    pub(crate) user_id: Id,
    pub(crate) roles: Vec<Id>,
    pub(crate) nick: Option<String>,
    pub(crate) joined_ms: u64,
}

/// A server with its roles, members and bans.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Guild {
    pub(crate) id: Id,
    pub(crate) name: String,
    pub(crate) owner_id: Id,
    pub(crate) roles: Vec<Role>,
    pub(crate) members: BTreeMap<Id, Member>,
    /// The ids of banned people.
    #[serde(default)]
    pub(crate) banned: BTreeSet<Id>,
}

/// A channel's change to the permissions of a role or a person.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Overwrite {
    pub(crate) id: Id,
    /// 0 for a role, 1 for a person.
    #[serde(rename = "type")]
    pub(crate) kind: u8,
    pub(crate) allow: u64,
    pub(crate) deny: u64,
}

/// The additional data of a thread.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Thread {
    pub(crate) owner_id: Id,
    pub(crate) archived: bool,
    pub(crate) locked: bool,
    pub(crate) auto_archive_minutes: u64,
    pub(crate) archive_changed_ms: u64,
    pub(crate) created_ms: u64,
    pub(crate) members: BTreeSet<Id>,
    pub(crate) messages: u64,
}

/// Channel types, by Discord's numbers.
pub(crate) mod kind {
    pub(crate) const TEXT: u8 = 0;
    pub(crate) const DM: u8 = 1;
    pub(crate) const CATEGORY: u8 = 4;
    pub(crate) const PUBLIC_THREAD: u8 = 11;
    pub(crate) const PRIVATE_THREAD: u8 = 12;
}

/// A text channel, a thread or a DM.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Channel {
    pub(crate) id: Id,
    pub(crate) kind: u8,
    pub(crate) guild_id: Option<Id>,
    pub(crate) parent_id: Option<Id>,
    pub(crate) name: String,
    pub(crate) topic: Option<String>,
    pub(crate) position: u16,
    pub(crate) overwrites: Vec<Overwrite>,
    /// Both sides of a DM; empty for other channels.
    pub(crate) recipients: Vec<Id>,
    pub(crate) last_message_id: Option<Id>,
    pub(crate) thread: Option<Thread>,
}

/// A file attached to a message; its bytes are stored separately.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Attachment {
    pub(crate) id: Id,
    pub(crate) filename: String,
    pub(crate) description: Option<String>,
    pub(crate) content_type: String,
    pub(crate) size: u64,
    /// Width and height in pixels, for a PNG.
    pub(crate) dimensions: Option<(u32, u32)>,
}

/// An emoji under a message and the people who reacted with it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Reaction {
    pub(crate) emoji: String,
    pub(crate) users: BTreeSet<Id>,
}

/// Message flags, by Discord's numbers.
pub(crate) mod flag {
    pub(crate) const SUPPRESS_EMBEDS: u64 = 1 << 2;
    pub(crate) const HAS_THREAD: u64 = 1 << 5;
    pub(crate) const EPHEMERAL: u64 = 1 << 6;
    pub(crate) const LOADING: u64 = 1 << 7;
    pub(crate) const SUPPRESS_NOTIFICATIONS: u64 = 1 << 12;
    pub(crate) const COMPONENTS_V2: u64 = 1 << 15;
}

/// Message types, by Discord's numbers.
pub(crate) mod message_kind {
    pub(crate) const DEFAULT: u8 = 0;
    pub(crate) const THREAD_CREATED: u8 = 18;
    pub(crate) const REPLY: u8 = 19;
    pub(crate) const CHAT_INPUT_COMMAND: u8 = 20;
    pub(crate) const THREAD_STARTER: u8 = 21;
    pub(crate) const CONTEXT_MENU_COMMAND: u8 = 23;
}

/// A message in a channel.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Message {
    pub(crate) id: Id,
    pub(crate) channel_id: Id,
    pub(crate) author_id: Id,
    pub(crate) kind: u8,
    pub(crate) content: String,
    pub(crate) created_ms: u64,
    pub(crate) edited_ms: Option<u64>,
    pub(crate) embeds: Vec<Value>,
    pub(crate) attachments: Vec<Attachment>,
    pub(crate) components: Vec<Value>,
    pub(crate) flags: u64,
    /// The people pinged: those in the text that `allowed_mentions` permits.
    pub(crate) mentions: Vec<Id>,
    pub(crate) mention_roles: Vec<Id>,
    pub(crate) mention_everyone: bool,
    /// The channel and message replied to; for a thread's first message, the message it was started from.
    pub(crate) reference: Option<(Id, Id)>,
    pub(crate) nonce: Option<Value>,
    pub(crate) pinned: bool,
    pub(crate) reactions: Vec<Reaction>,
    /// The interaction that this message answers or follows.
    pub(crate) interaction_id: Option<Id>,
    /// The one person who sees an ephemeral message.
    pub(crate) only_for: Option<Id>,
}

/// Interaction types, by Discord's numbers.
pub(crate) mod ask {
    pub(crate) const COMMAND: u8 = 2;
    pub(crate) const COMPONENT: u8 = 3;
    pub(crate) const AUTOCOMPLETE: u8 = 4;
    pub(crate) const MODAL: u8 = 5;
}

/// The state of the bot's answer to an interaction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// There is no answer yet.
    None,
    /// "Thinking…": a message will follow.
    Deferred,
    /// The press is acknowledged; its message may change later.
    DeferredUpdate,
    /// The answer is a new message.
    Message,
    /// The component's message was changed.
    Update,
    /// The autocomplete choices, as the bot sent them.
    Choices(Vec<Value>),
    /// A modal, as the bot sent it.
    Modal(Value),
    /// The Activity was opened.
    Launched,
    /// There was no answer within 3 seconds.
    Failed,
}

/// An interaction of a person with the bot: a command, a press, a choice, or a modal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Interaction {
    pub(crate) id: Id,
    pub(crate) token: String,
    pub(crate) kind: u8,
    /// For a command: 1 slash, 2 on a person, 3 on a message.
    pub(crate) command_kind: u8,
    /// The command's name, or the custom id.
    pub(crate) name: String,
    pub(crate) user_id: Id,
    pub(crate) channel_id: Id,
    pub(crate) guild_id: Option<Id>,
    /// The message of the component (also for a modal opened from it).
    pub(crate) message_id: Option<Id>,
    /// The interaction whose modal this one submits.
    pub(crate) opened_by: Option<Id>,
    pub(crate) created_ms: u64,
    pub(crate) answer: Answer,
    /// The message that `@original` refers to.
    pub(crate) original: Option<Id>,
    pub(crate) follow_ups: Vec<Id>,
}
