//! Events about changes: for the bot through its gateway, for people through their pages.

use serde_json::Value;

use super::super::id::Id;

/// Gateway intents, by Discord's numbers.
pub(crate) mod intent {
    pub(crate) const GUILDS: u64 = 1 << 0;
    pub(crate) const GUILD_MEMBERS: u64 = 1 << 1;
    #[cfg(any(test, feature = "testing"))]
    pub(crate) const GUILD_MODERATION: u64 = 1 << 2;
    pub(crate) const GUILD_PRESENCES: u64 = 1 << 8;
    pub(crate) const GUILD_MESSAGES: u64 = 1 << 9;
    pub(crate) const GUILD_MESSAGE_REACTIONS: u64 = 1 << 10;
    pub(crate) const GUILD_MESSAGE_TYPING: u64 = 1 << 11;
    pub(crate) const DIRECT_MESSAGES: u64 = 1 << 12;
    pub(crate) const DIRECT_MESSAGE_REACTIONS: u64 = 1 << 13;
    pub(crate) const DIRECT_MESSAGE_TYPING: u64 = 1 << 14;
    pub(crate) const MESSAGE_CONTENT: u64 = 1 << 15;
    /// All intents that exist (documentation, "Gateway Intents").
    pub(crate) const KNOWN: u64 = 0x33_1FFFF | POLLS;
    const POLLS: u64 = 1 << 24 | 1 << 25;
}

/// An event for the bot's sessions.
#[derive(Clone, Debug)]
pub(crate) struct GatewayEvent {
    pub(crate) name: &'static str,
    /// The intent that a session must have; 0 if none is needed.
    pub(crate) intent: u64,
    pub(crate) guild: Option<Id>,
    pub(crate) data: Value,
    /// The data for a session without the Message Content intent.
    pub(crate) without_content: Option<Value>,
}

/// An event for the pages of people.
#[derive(Clone, Debug)]
pub(crate) struct PageEvent {
    /// The recipients; `None` means everybody.
    pub(crate) to: Option<Vec<Id>>,
    pub(crate) name: &'static str,
    pub(crate) data: Value,
}
