//! What connections and frames of the gateway share.

use async_trait::async_trait;
use serde_json::Value;

/// A shard of the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discord) struct ShardId {
    /// Its number, from 0.
    pub(in crate::discord) number: u32,
    /// How many shards there are.
    pub(in crate::discord) total: u32,
}

/// Decides when sessions may identify: Discord limits how many do so within five seconds. Also knows whether they may begin
/// at all.
#[async_trait]
pub(in crate::discord) trait IdentifyQueue: Send + Sync {
    /// Waits until the session of a shard may identify.
    async fn wait(&self, shard: ShardId);
    /// Whether this process certainly has a shard. If it slept, another process may have resumed the shard's session; to
    /// resume it here would leave that one with a connection on which nothing comes.
    fn has(&self, shard: ShardId) -> bool;
}

/// An event of Discord before parsing.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::discord) struct Dispatch {
    /// The event's name, such as `MESSAGE_CREATE`.
    pub(in crate::discord) name: String,
    /// The `d` field of the event's frame.
    pub(in crate::discord) data: Value,
    /// Whether Discord repeats it after a resume: it may have been handled before, and it is late.
    pub(in crate::discord) is_replayed: bool,
}

/// Why reconnecting cannot succeed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::discord) enum SessionRefused {
    /// The token is rejected (4004).
    #[error("the token is not accepted")]
    BadToken,
    /// An intent is not enabled in the developer portal (4014).
    #[error("an intent is not switched on in Discord's developer portal")]
    DisallowedIntents,
    /// A mistake of the bot, or a bot too large for one connection.
    #[error("Discord closed the connection for good ({code}): {why}")]
    Other {
        /// Discord's close code of the WebSocket.
        code: u16,
        /// The meaning of the code.
        why: &'static str,
    },
}

/// The session as Discord knows it, to resume on another connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Resumable {
    pub(super) id: String,
    /// The address for resuming; `None` for the default address.
    pub(super) url: Option<String>,
}

/// The state to forget after a lost connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forget {
    Nothing,
    /// The address for resuming, which did not answer.
    Address,
    Session,
}
