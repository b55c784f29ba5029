//! Blocks of people and bans of servers: a bounded cache over the store.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;

pub use crate::ports::ModerationStore;
use crate::ports::{Journal, StoreError};
use crate::preferences_cache::{Cache, cache, cached, new_cache};
use crate::{GuildId, UserId};

/// The most people that one person can block.
pub const MAX_BLOCKS: usize = 500;
/// The most people that one server can ban.
pub const MAX_BANS: usize = 2_000;

/// A shared set of people.
type People = Arc<BTreeSet<UserId>>;

/// Cached blocks and bans; a change updates the store and the cache.
pub struct Moderation {
    journal: Arc<dyn Journal>,
    blocks: Cache<UserId, BTreeSet<UserId>>,
    bans: Cache<GuildId, BTreeSet<UserId>>,
    /// Held during a change, so that a concurrent read does not cache the old list.
    changing: tokio::sync::Mutex<()>,
}

/// The outcome of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListChange {
    /// The list was changed.
    Done,
    /// The list was so already.
    Already,
    /// The list has reached its maximum length.
    Full,
}

impl Moderation {
    /// Creates an empty cache over a store.
    pub fn new(journal: Arc<dyn Journal>) -> Moderation {
        Moderation { journal, blocks: new_cache(), bans: new_cache(), changing: Default::default() }
    }

    /// Returns everybody whom a person blocks.
    ///
    /// # Errors
    /// If it is not cached and the store fails.
    pub async fn blocked_by(&self, who: UserId) -> Result<People, StoreError> {
        if let Some(known) = cached(&self.blocks, &who) {
            return Ok(known);
        }
        let _alone = self.changing.lock().await;
        let found = self.journal.moderation().blocked_by(who).await?;
        Ok(cache(&self.blocks, who, found.into_iter().collect()))
    }

    /// Whether one person blocks another.
    ///
    /// # Errors
    /// Those of [`Self::blocked_by`].
    pub async fn blocks(&self, who: UserId, other: UserId) -> Result<bool, StoreError> {
        Ok(self.blocked_by(who).await?.contains(&other))
    }

    /// Returns everybody who is banned from a server.
    ///
    /// # Errors
    /// If it is not cached and the store fails.
    pub async fn banned_from(&self, guild: GuildId) -> Result<People, StoreError> {
        if let Some(known) = cached(&self.bans, &guild) {
            return Ok(known);
        }
        let _alone = self.changing.lock().await;
        let found = self.journal.moderation().banned_from(guild).await?;
        Ok(cache(&self.bans, guild, found.into_iter().collect()))
    }

    /// Whether a person is banned from a server; `false` in direct messages, and while the store cannot be read,
    /// because then nothing new can be written either.
    pub async fn is_banned(&self, guild: Option<GuildId>, who: UserId) -> bool {
        let Some(guild) = guild else { return false };
        match self.banned_from(guild).await {
            Ok(banned) => banned.contains(&who),
            Err(error) => {
                tracing::warn!(%guild, %error, "the bans of a server cannot be read");
                false
            }
        }
    }

    /// Blocks a person for another.
    ///
    /// # Errors
    /// If the store fails; nothing has changed then.
    pub async fn block(&self, who: UserId, other: UserId, at: Timestamp) -> Result<ListChange, StoreError> {
        if self.blocked_by(who).await?.len() >= MAX_BLOCKS && !self.blocks(who, other).await? {
            return Ok(ListChange::Full);
        }
        let _alone = self.changing.lock().await;
        let is_new = self.journal.moderation().block(who, other, at).await?;
        self.blocks.remove(&who);
        Ok(if is_new { ListChange::Done } else { ListChange::Already })
    }

    /// Removes a block; returns whether there was one.
    ///
    /// # Errors
    /// If the store fails; nothing has changed then.
    pub async fn unblock(&self, who: UserId, other: UserId) -> Result<bool, StoreError> {
        let _alone = self.changing.lock().await;
        let was = self.journal.moderation().unblock(who, other).await?;
        self.blocks.remove(&who);
        Ok(was)
    }

    /// Bans a person from a server.
    ///
    /// # Errors
    /// If the store fails; nothing has changed then.
    pub async fn ban(&self, guild: GuildId, who: UserId, at: Timestamp) -> Result<ListChange, StoreError> {
        let known = self.banned_from(guild).await?;
        if known.len() >= MAX_BANS && !known.contains(&who) {
            return Ok(ListChange::Full);
        }
        let _alone = self.changing.lock().await;
        let is_new = self.journal.moderation().ban(guild, who, at).await?;
        self.bans.remove(&guild);
        Ok(if is_new { ListChange::Done } else { ListChange::Already })
    }

    /// Removes a ban; returns whether there was one.
    ///
    /// # Errors
    /// If the store fails; nothing has changed then.
    pub async fn unban(&self, guild: GuildId, who: UserId) -> Result<bool, StoreError> {
        let _alone = self.changing.lock().await;
        let was = self.journal.moderation().unban(guild, who).await?;
        self.bans.remove(&guild);
        Ok(was)
    }

    /// Drops a person's cached blocks after they were deleted from the store.
    pub fn forget(&self, who: UserId) {
        self.blocks.remove(&who);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::millis;
    use crate::testing::MemoryJournal;

    const ADA: UserId = UserId(1);
    const BEN: UserId = UserId(2);

    #[tokio::test]
    async fn blocks_and_bans_hold_at_once_and_after_a_restart() {
        let journal: Arc<dyn Journal> = Arc::new(MemoryJournal::default());
        let moderation = Moderation::new(journal.clone());
        assert!(!moderation.blocks(ADA, BEN).await.unwrap());
        assert_eq!(moderation.block(ADA, BEN, millis::timestamp(1)).await.unwrap(), ListChange::Done);
        assert_eq!(moderation.block(ADA, BEN, millis::timestamp(2)).await.unwrap(), ListChange::Already);
        assert!(moderation.blocks(ADA, BEN).await.unwrap() && !moderation.blocks(BEN, ADA).await.unwrap());
        assert!(!moderation.is_banned(Some(GuildId(7)), BEN).await);
        assert_eq!(moderation.ban(GuildId(7), BEN, millis::timestamp(1)).await.unwrap(), ListChange::Done);
        assert!(moderation.is_banned(Some(GuildId(7)), BEN).await);
        assert!(!moderation.is_banned(Some(GuildId(8)), BEN).await && !moderation.is_banned(None, BEN).await);
        let again = Moderation::new(journal);
        assert!(again.is_banned(Some(GuildId(7)), BEN).await && again.blocks(ADA, BEN).await.unwrap());
        assert!(again.unban(GuildId(7), BEN).await.unwrap() && again.unblock(ADA, BEN).await.unwrap());
        assert!(!again.is_banned(Some(GuildId(7)), BEN).await && !again.blocks(ADA, BEN).await.unwrap());
        assert!(!again.unban(GuildId(7), BEN).await.unwrap() && !again.unblock(ADA, BEN).await.unwrap());
    }

    #[tokio::test]
    async fn lists_do_not_grow_without_bound() {
        let moderation = Moderation::new(Arc::new(MemoryJournal::default()));
        for other in 0..MAX_BLOCKS as u64 {
            assert_eq!(
                moderation.block(ADA, UserId(10 + other), millis::timestamp(1)).await.unwrap(),
                ListChange::Done
            );
        }
        assert_eq!(moderation.block(ADA, BEN, millis::timestamp(1)).await.unwrap(), ListChange::Full);
        assert_eq!(
            moderation.block(ADA, UserId(10), millis::timestamp(1)).await.unwrap(),
            ListChange::Already
        );
    }
}
