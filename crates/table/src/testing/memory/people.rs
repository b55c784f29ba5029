//! Watchers, blocks, bans and preferences in memory.

use async_trait::async_trait;
use jiff::Timestamp;

use super::MemoryJournal;
use super::pages::page_of;
use crate::moderation::ModerationStore;
use crate::ports::{Follows, Page, PageRequest, Preferences, StoreError, WatchMode};
use crate::preferences::{PersonalPreferences, ServerPreferences};
use crate::{GuildId, TableId, UserId};

#[async_trait]
impl Follows for MemoryJournal {
    async fn follow(&self, who: UserId, table: TableId, how: WatchMode) -> Result<(), StoreError> {
        self.kept().follows.insert((table, who), how);
        Ok(())
    }

    async fn unfollow(&self, who: UserId, table: TableId) -> Result<bool, StoreError> {
        Ok(self.kept().follows.remove(&(table, who)).is_some())
    }

    async fn watch_mode(&self, who: UserId, table: TableId) -> Result<Option<WatchMode>, StoreError> {
        Ok(self.kept().follows.get(&(table, who)).copied())
    }

    async fn followers(
        &self,
        table: TableId,
        page: PageRequest<UserId>,
    ) -> Result<Page<(UserId, WatchMode), UserId>, StoreError> {
        let kept = self.kept();
        let of_table = kept.follows.iter().filter(|((at, _), _)| *at == table);
        Ok(page_of(of_table.map(|((_, who), how)| (*who, (*who, *how))), page))
    }

    async fn watched_by(
        &self,
        who: UserId,
        page: PageRequest<TableId>,
    ) -> Result<Page<TableId, TableId>, StoreError> {
        let kept = self.kept();
        let watched = kept.follows.keys().filter(|(_, by)| *by == who);
        Ok(page_of(watched.map(|(table, _)| (*table, *table)), page))
    }

    async fn digests(
        &self,
        page: PageRequest<(UserId, TableId)>,
    ) -> Result<Page<(UserId, TableId), (UserId, TableId)>, StoreError> {
        let kept = self.kept();
        let digests = kept.follows.iter().filter(|(_, how)| **how == WatchMode::Digest);
        Ok(page_of(digests.map(|((table, who), _)| ((*who, *table), (*who, *table))), page))
    }
}

#[async_trait]
impl ModerationStore for MemoryJournal {
    async fn block(&self, who: UserId, other: UserId, _at: Timestamp) -> Result<bool, StoreError> {
        Ok(self.kept().blocks.insert((who, other)))
    }

    async fn unblock(&self, who: UserId, other: UserId) -> Result<bool, StoreError> {
        Ok(self.kept().blocks.remove(&(who, other)))
    }

    async fn blocked_by(&self, who: UserId) -> Result<Vec<UserId>, StoreError> {
        let kept = self.kept();
        Ok(kept.blocks.iter().filter(|(by, _)| *by == who).map(|(_, other)| *other).collect())
    }

    async fn ban(&self, guild: GuildId, who: UserId, _at: Timestamp) -> Result<bool, StoreError> {
        Ok(self.kept().bans.insert((guild, who)))
    }

    async fn unban(&self, guild: GuildId, who: UserId) -> Result<bool, StoreError> {
        Ok(self.kept().bans.remove(&(guild, who)))
    }

    async fn banned_from(&self, guild: GuildId) -> Result<Vec<UserId>, StoreError> {
        let kept = self.kept();
        Ok(kept.bans.iter().filter(|(from, _)| *from == guild).map(|(_, who)| *who).collect())
    }
}

#[async_trait]
impl Preferences for MemoryJournal {
    async fn personal(&self, who: UserId) -> Result<Option<PersonalPreferences>, StoreError> {
        Ok(self.kept().people.get(&who).cloned())
    }

    async fn store_personal(&self, who: UserId, personal: &PersonalPreferences) -> Result<(), StoreError> {
        self.kept().people.insert(who, personal.clone());
        Ok(())
    }

    async fn delete_preferences(&self, who: UserId) -> Result<(), StoreError> {
        self.kept().people.remove(&who);
        Ok(())
    }

    async fn server(&self, guild: GuildId) -> Result<Option<ServerPreferences>, StoreError> {
        Ok(self.kept().servers.get(&guild).cloned())
    }

    async fn store_server(&self, guild: GuildId, server: &ServerPreferences) -> Result<(), StoreError> {
        self.kept().servers.insert(guild, server.clone());
        Ok(())
    }

    async fn resting(&self, page: PageRequest<UserId>) -> Result<Page<UserId, UserId>, StoreError> {
        let kept = self.kept();
        let may_rest = |it: &PersonalPreferences| {
            it.vacation.is_some() || it.weekly.is_some() || it.clock_week.is_some()
        };
        let resting = kept.people.iter().filter(|(_, it)| may_rest(it));
        Ok(page_of(resting.map(|(who, _)| (*who, *who)), page))
    }

    async fn servers_with_lobby(
        &self,
        page: PageRequest<GuildId>,
    ) -> Result<Page<GuildId, GuildId>, StoreError> {
        let kept = self.kept();
        let with_lobby = kept.servers.iter().filter(|(_, server)| server.lobby.is_some());
        Ok(page_of(with_lobby.map(|(guild, _)| (*guild, *guild)), page))
    }
}
