//! A message that a person wrote, as the handlers see it. `payload` reads it from a gateway event.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rookery_table::{ChannelId, GuildId, MessageId, RoleId, UserId};

/// A message that somebody wrote.
#[derive(Clone, Debug, Default)]
pub struct IncomingMessage {
    /// The message.
    pub id: MessageId,
    /// Where it was written.
    pub channel: ChannelId,
    /// The server, unless in a DM.
    pub guild: Option<GuildId>,
    /// Who wrote it.
    pub who: UserId,
    /// What; empty where Discord keeps it from us.
    pub text: String,
    /// The author's roles; `None` where Discord doesn't send them.
    pub roles: Option<Vec<RoleId>>,
    /// Whether it mentions us.
    pub mentions_us: bool,
    /// The role that bears our name, if it mentions that.
    pub mentions_role: Option<RoleId>,
    /// The message it answers.
    pub answers: Option<MessageId>,
    /// Whether that one is ours.
    pub answers_us: bool,
    /// The bots that it mentions, ourselves left out.
    pub bots: Vec<UserId>,
    /// The message that this is an edit of; its own id is made from both then.
    pub edits: Option<MessageId>,
    /// Whether something was carried out for it, once it has been dealt with.
    pub carried_out: CarriedOut,
}

/// Whether something was carried out for a message. Clones are the same flag.
#[derive(Clone, Debug, Default)]
pub struct CarriedOut(Arc<AtomicBool>);

impl CarriedOut {
    /// Something was.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether something was.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl IncomingMessage {
    /// Whether it speaks to us, and not to others.
    pub fn is_addressed(&self) -> bool {
        self.guild.is_none() || self.mentions_us || self.mentions_role.is_some() || self.answers_us
    }

    /// The message that an answer refers to.
    pub fn message(&self) -> MessageId {
        self.edits.unwrap_or(self.id)
    }
}
