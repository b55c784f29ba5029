//! A cache of the preferences of people and servers.

use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync;
use tokio::time::Instant;

use crate::ports::{Journal, StoreError};
use crate::preferences::{PersonalPreferences, ServerPreferences};
use crate::{GuildId, UserId};

/// How long a cached value is used without reading it again: another process may have changed it.
const MAX_AGE: Duration = Duration::from_secs(60);
/// The most people, and the most servers, in the cache.
const MAX_ENTRIES: usize = 4_096;

/// Cached preferences. Unreadable ones count as unset, so that a storage error does not prevent showing a board.
pub struct PreferencesCache {
    journal: Arc<dyn Journal>,
    people: Cache<UserId, PersonalPreferences>,
    servers: Cache<GuildId, ServerPreferences>,
    /// Held during a change, so that concurrent changes don't lose one another.
    changing: tokio::sync::Mutex<()>,
}

/// Cached values with the time when they were read.
pub(crate) type Cache<K, V> = sync::Cache<K, (Instant, Arc<V>)>;

impl PreferencesCache {
    /// Creates an empty cache over a store.
    pub fn new(journal: Arc<dyn Journal>) -> PreferencesCache {
        PreferencesCache { journal, people: new_cache(), servers: new_cache(), changing: Default::default() }
    }

    /// Returns a person's preferences.
    pub async fn person(&self, who: UserId) -> Arc<PersonalPreferences> {
        self.read_person(who).await.unwrap_or_else(|error| defaults(&error, "a person"))
    }

    /// Returns a person's preferences, for callers that must tell unset ones from unreadable ones.
    ///
    /// # Errors
    /// If they are not cached and cannot be read.
    pub async fn read_person(&self, who: UserId) -> Result<Arc<PersonalPreferences>, StoreError> {
        if let Some(known) = cached(&self.people, &who) {
            return Ok(known);
        }
        let found = self.journal.preferences().personal(who).await?;
        Ok(cache(&self.people, who, found.unwrap_or_default()))
    }

    /// Returns a server's preferences; the defaults in direct messages.
    pub async fn server(&self, guild: Option<GuildId>) -> Arc<ServerPreferences> {
        let Some(guild) = guild else { return Arc::default() };
        if let Some(known) = cached(&self.servers, &guild) {
            return known;
        }
        match self.journal.preferences().server(guild).await {
            Ok(found) => cache(&self.servers, guild, found.unwrap_or_default()),
            Err(error) => defaults(&error, "a server"),
        }
    }

    /// Changes a person's preferences; returns the new ones.
    ///
    /// # Errors
    /// If the store fails; nothing has changed then. Preferences that this version cannot read are replaced.
    pub async fn change_person(
        &self,
        who: UserId,
        change: impl FnOnce(&mut PersonalPreferences),
    ) -> Result<Arc<PersonalPreferences>, StoreError> {
        let _alone = self.changing.lock().await;
        let mut personal = replaceable(self.journal.preferences().personal(who).await)?;
        change(&mut personal);
        self.journal.preferences().store_personal(who, &personal).await?;
        Ok(cache(&self.people, who, personal))
    }

    /// Changes a server's preferences; returns the new ones.
    ///
    /// # Errors
    /// If the store fails; nothing has changed then. Preferences that this version cannot read are replaced.
    pub async fn change_server(
        &self,
        guild: GuildId,
        change: impl FnOnce(&mut ServerPreferences),
    ) -> Result<Arc<ServerPreferences>, StoreError> {
        let _alone = self.changing.lock().await;
        let mut server = replaceable(self.journal.preferences().server(guild).await)?;
        change(&mut server);
        self.journal.preferences().store_server(guild, &server).await?;
        Ok(cache(&self.servers, guild, server))
    }

    /// Deletes a person's preferences from the cache and the store.
    ///
    /// # Errors
    /// If the store fails; nothing is deleted then.
    pub async fn delete_person(&self, who: UserId) -> Result<(), StoreError> {
        let _alone = self.changing.lock().await;
        self.journal.preferences().delete_preferences(who).await?;
        self.people.remove(&who);
        Ok(())
    }
}

/// Returns the defaults after a read error, and logs the error unless the store has reported it.
fn defaults<T: Default>(error: &StoreError, whose: &str) -> Arc<T> {
    if !error.is_unreadable() || matches!(error, StoreError::Damaged(_)) {
        tracing::warn!(%error, "what {whose} chose cannot be read");
    }
    Arc::default()
}

/// Returns the preferences that a change starts from: the defaults if they are unset or unreadable.
fn replaceable<T: Default>(read: Result<Option<T>, StoreError>) -> Result<T, StoreError> {
    match read {
        Err(error) if error.is_unreadable() => Ok(T::default()),
        read => Ok(read?.unwrap_or_default()),
    }
}

pub(crate) fn new_cache<K: Hash + Eq, V>() -> Cache<K, V> {
    sync::Cache::new(MAX_ENTRIES)
}

pub(crate) fn cached<K: Hash + Eq, V>(all: &Cache<K, V>, key: &K) -> Option<Arc<V>> {
    all.get(key).filter(|(at, _)| at.elapsed() < MAX_AGE).map(|(_, value)| value)
}

pub(crate) fn cache<K: Hash + Eq, V>(all: &Cache<K, V>, key: K, value: V) -> Arc<V> {
    let value = Arc::new(value);
    all.insert(key, (Instant::now(), value.clone()));
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preferences::Pings;
    use crate::testing::MemoryJournal;

    const ADA: UserId = UserId(1);

    #[tokio::test]
    async fn changes_are_kept_and_seen_at_once() {
        let journal: Arc<dyn Journal> = Arc::new(MemoryJournal::default());
        let preferences_cache = PreferencesCache::new(journal.clone());
        assert_eq!(*preferences_cache.person(ADA).await, PersonalPreferences::default());
        preferences_cache.change_person(ADA, |it| it.pings = Pings::Off).await.unwrap();
        let changed = preferences_cache.change_person(ADA, |it| it.large_print = true).await.unwrap();
        assert!(changed.large_print && changed.pings == Pings::Off, "one change keeps the other");
        assert_eq!(preferences_cache.person(ADA).await, changed);
        assert_eq!(PreferencesCache::new(journal).person(ADA).await, changed, "after a restart as well");
        preferences_cache.delete_person(ADA).await.unwrap();
        assert_eq!(*preferences_cache.person(ADA).await, PersonalPreferences::default());
    }

    #[tokio::test(start_paused = true)]
    async fn what_another_process_changed_is_seen_after_a_minute() {
        let journal: Arc<dyn Journal> = Arc::new(MemoryJournal::default());
        let (one, other) = (PreferencesCache::new(journal.clone()), PreferencesCache::new(journal));
        assert!(one.server(Some(GuildId(5))).await.threads);
        other.change_server(GuildId(5), |it| it.threads = false).await.unwrap();
        assert!(one.server(Some(GuildId(5))).await.threads, "remembered");
        tokio::time::advance(MAX_AGE).await;
        assert!(!one.server(Some(GuildId(5))).await.threads);
        assert_eq!(*one.server(None).await, ServerPreferences::default());
    }
}
