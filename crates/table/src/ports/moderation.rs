//! What the store keeps of blocks and bans.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use crate::{GuildId, UserId};

/// Blocks and bans in the store.
#[async_trait]
pub trait ModerationStore: Send + Sync {
    /// Lets a person block another; whether that is new.
    async fn block(&self, who: UserId, other: UserId, at: Timestamp) -> Result<bool, StoreError>;
    /// Lifts a block; whether there was one.
    async fn unblock(&self, who: UserId, other: UserId) -> Result<bool, StoreError>;
    /// Everybody whom a person blocks, by rising number.
    async fn blocked_by(&self, who: UserId) -> Result<Vec<UserId>, StoreError>;
    /// Bans a person from a server; whether that is new.
    async fn ban(&self, guild: GuildId, who: UserId, at: Timestamp) -> Result<bool, StoreError>;
    /// Lifts a ban; whether there was one.
    async fn unban(&self, guild: GuildId, who: UserId) -> Result<bool, StoreError>;
    /// Everybody who is banned from a server, by rising number.
    async fn banned_from(&self, guild: GuildId) -> Result<Vec<UserId>, StoreError>;
}
