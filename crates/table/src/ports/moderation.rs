//! Storage of blocks and bans.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use crate::{GuildId, UserId};

/// Blocks between people, and bans from servers.
#[async_trait]
pub trait ModerationStore: Send + Sync {
    /// Blocks `other` for `who`; returns whether the block is new.
    async fn block(&self, who: UserId, other: UserId, at: Timestamp) -> Result<bool, StoreError>;
    /// Removes a block; returns whether there was one.
    async fn unblock(&self, who: UserId, other: UserId) -> Result<bool, StoreError>;
    /// Returns the people whom a person blocks, by ascending id: at most [`MAX_BLOCKS`](crate::moderation::MAX_BLOCKS),
    /// and a few more if several processes added the last ones.
    async fn blocked_by(&self, who: UserId) -> Result<Vec<UserId>, StoreError>;
    /// Bans a person from a server; returns whether the ban is new.
    async fn ban(&self, guild: GuildId, who: UserId, at: Timestamp) -> Result<bool, StoreError>;
    /// Removes a ban; returns whether there was one.
    async fn unban(&self, guild: GuildId, who: UserId) -> Result<bool, StoreError>;
    /// Returns the people who are banned from a server, by ascending id: at most
    /// [`MAX_BANS`](crate::moderation::MAX_BANS), and a few more if several processes added the last ones.
    async fn banned_from(&self, guild: GuildId) -> Result<Vec<UserId>, StoreError>;
}
