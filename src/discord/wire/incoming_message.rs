//! A message that a person wrote, as the handlers use it. `payload` reads it from a gateway event.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rookery_table::{ChannelId, GuildId, MessageId, RoleId, TableId, UserId};

/// A message that a person wrote.
#[derive(Clone, Debug, Default)]
pub struct IncomingMessage {
    /// The id of the message, or of the edit if it is one.
    pub id: MessageId,
    /// The channel, thread or DM.
    pub channel: ChannelId,
    /// The server, unless in a DM.
    pub guild: Option<GuildId>,
    /// The author's user id.
    pub who: UserId,
    /// The text; empty if Discord withholds it from the bot.
    pub text: String,
    /// The author's roles; `None` where Discord doesn't send them.
    pub roles: Option<Vec<RoleId>>,
    /// Whether it mentions the bot.
    pub mentions_bot: bool,
    /// The bot's own role, if the message mentions it.
    pub mentions_role: Option<RoleId>,
    /// The message that it replies to.
    pub answers: Option<MessageId>,
    /// The table whose buttons are under the bot's message that it replies to. People see a message, and may reply
    /// to it, before the journal knows which table it belongs to.
    pub answers_table: Option<TableId>,
    /// Whether it replies to a message of the bot.
    pub replies_to_bot: bool,
    /// The other bots that it mentions.
    pub bots: Vec<UserId>,
    /// The edited message if this is an edit; `id` is then derived from both.
    pub edits: Option<MessageId>,
    /// Set once an order from this message is carried out.
    pub carried_out: CarriedOut,
}

/// A flag for whether a message had an effect. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct CarriedOut(Arc<AtomicBool>);

impl CarriedOut {
    /// Sets the flag, also for all clones.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the flag is set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl IncomingMessage {
    /// Returns whether the message addresses the bot: in a DM, by a mention or by a reply.
    pub fn is_addressed(&self) -> bool {
        self.guild.is_none() || self.mentions_bot || self.mentions_role.is_some() || self.replies_to_bot
    }

    /// Returns the message that a reply refers to: for an edit, the edited message.
    pub fn message(&self) -> MessageId {
        self.edits.unwrap_or(self.id)
    }
}
