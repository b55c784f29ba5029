//! A journal with hooks that make its writes fail or wait in tests.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::hash_chain::HashChain;
use crate::moderation::ModerationStore;
use crate::ports::{
    AfterFailure, AnalysisStore, Annotations, Batch, Card, Cluster, DueItem, DueTable, Entry, Filter,
    Follows, Job, Journal, OpenTables, Page, PageRequest, Posted, Preferences, Privacy, Ratings, ShareLinks,
    StoreError, WebSessions,
};
use crate::preferences::{PersonalPreferences, ServerPreferences};
use crate::{GuildId, MessageId, OutboxItem, TableId, UserId};

/// The hooks between the tables and a journal.
#[async_trait]
pub trait JournalHooks: Send + Sync {
    /// Writes a batch to the inner journal, or fails.
    ///
    /// # Errors
    /// Those of the inner journal or of the test.
    async fn append(&self, journal: &dyn Journal, batch: &Batch) -> Result<(), StoreError> {
        journal.append(batch).await
    }

    /// Called before an outbox row is marked as posted.
    ///
    /// # Errors
    /// Those of the test.
    fn mark_posted(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Called before a note is stored under a key.
    ///
    /// # Errors
    /// Those of the test.
    fn before_store_note(&self, _key: &str) -> Result<(), StoreError> {
        Ok(())
    }

    /// Called before a look-up of the tables with due items.
    ///
    /// # Errors
    /// Those of the test.
    fn scans(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Called before a table is loaded.
    ///
    /// # Errors
    /// Those of the test.
    fn loads(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Called before the hash chain of a table is read.
    ///
    /// # Errors
    /// Those of the test.
    fn before_read_chain(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Called before a health check writes.
    ///
    /// # Errors
    /// Those of the test.
    fn probes(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Called with the filter of every list query.
    fn lists(&self, _filter: &Filter) {}

    /// Called before the servers with running games are listed, which may wait for it.
    async fn before_servers_playing(&self) {}

    /// Called before a person's preferences are read.
    ///
    /// # Errors
    /// Those of the test.
    fn before_read_person(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A journal that calls hooks before some operations and passes all others through.
#[derive(Default)]
pub struct HookedJournal<J, G> {
    /// The journal that stores everything.
    pub inner: J,
    /// The hooks to call.
    pub hooks: G,
}

#[async_trait]
impl<J: Journal, G: JournalHooks> Journal for HookedJournal<J, G> {
    async fn append(&self, batch: &Batch) -> Result<(), StoreError> {
        self.hooks.append(&self.inner, batch).await
    }
    async fn load(&self, table: TableId) -> Result<Vec<Entry>, StoreError> {
        self.hooks.loads()?;
        self.inner.load(table).await
    }
    async fn chain(&self, table: TableId) -> Result<HashChain, StoreError> {
        self.hooks.before_read_chain()?;
        self.inner.chain(table).await
    }
    async fn list(
        &self,
        filter: &Filter,
        page: PageRequest<(Timestamp, TableId)>,
    ) -> Result<Page<Card, (Timestamp, TableId)>, StoreError> {
        self.hooks.lists(filter);
        self.inner.list(filter, page).await
    }
    async fn scan(
        &self,
        filter: &Filter,
        page: PageRequest<TableId>,
    ) -> Result<Page<Card, TableId>, StoreError> {
        self.hooks.lists(filter);
        self.inner.scan(filter, page).await
    }
    async fn count_open(&self, which: OpenTables, most: usize) -> Result<usize, StoreError> {
        self.inner.count_open(which, most).await
    }
    async fn servers_playing(
        &self,
        page: PageRequest<GuildId>,
    ) -> Result<Page<GuildId, GuildId>, StoreError> {
        self.hooks.before_servers_playing().await;
        self.inner.servers_playing(page).await
    }
    fn cluster(&self) -> Option<&dyn Cluster> {
        self.inner.cluster()
    }
    async fn timers(
        &self,
        until: Timestamp,
        page: PageRequest<(Timestamp, TableId)>,
    ) -> Result<Page<(TableId, Timestamp), (Timestamp, TableId)>, StoreError> {
        self.inner.timers(until, page).await
    }
    async fn owing_proof(
        &self,
        page: PageRequest<TableId>,
    ) -> Result<Page<(TableId, usize), TableId>, StoreError> {
        self.inner.owing_proof(page).await
    }
    async fn due(&self, after: i64, most: usize) -> Result<Vec<DueItem>, StoreError> {
        self.inner.due(after, most).await
    }
    async fn oldest_due(&self) -> Result<Option<Timestamp>, StoreError> {
        self.inner.oldest_due().await
    }
    async fn due_tables(&self, after: i64, most: usize) -> Result<Vec<DueTable>, StoreError> {
        self.hooks.scans()?;
        self.inner.due_tables(after, most).await
    }
    async fn last_row(&self) -> Result<i64, StoreError> {
        self.inner.last_row().await
    }
    async fn due_at(&self, table: TableId, most: usize) -> Result<Vec<DueItem>, StoreError> {
        self.inner.due_at(table, most).await
    }
    async fn mark_posted(&self, id: i64, posted: Option<Posted>) -> Result<(), StoreError> {
        self.hooks.mark_posted()?;
        self.inner.mark_posted(id, posted).await
    }
    async fn mark_failed(&self, id: i64, why: &str, after_failure: AfterFailure) -> Result<(), StoreError> {
        self.inner.mark_failed(id, why, after_failure).await
    }
    async fn requeue(&self, id: i64, now: Timestamp) -> Result<(), StoreError> {
        self.inner.requeue(id, now).await
    }
    async fn blocked_items(&self, page: PageRequest<i64>) -> Result<Page<DueItem, i64>, StoreError> {
        self.inner.blocked_items(page).await
    }
    async fn count_blocked(&self) -> Result<usize, StoreError> {
        self.inner.count_blocked().await
    }
    async fn posted(&self, table: TableId, item: &OutboxItem) -> Result<Option<Posted>, StoreError> {
        self.inner.posted(table, item).await
    }
    async fn message_before(&self, table: TableId, row: i64) -> Result<Option<MessageId>, StoreError> {
        self.inner.message_before(table, row).await
    }
    async fn latest(&self, table: TableId, item: &OutboxItem) -> Result<Option<(i64, bool)>, StoreError> {
        self.inner.latest(table, item).await
    }
    async fn table_of(&self, message: MessageId) -> Result<Option<TableId>, StoreError> {
        self.inner.table_of(message).await
    }
    async fn posted_item(
        &self,
        message: MessageId,
    ) -> Result<Option<(TableId, Option<OutboxItem>)>, StoreError> {
        self.inner.posted_item(message).await
    }
    async fn prune_outbox(&self, before: Timestamp, most: usize) -> Result<usize, StoreError> {
        self.inner.prune_outbox(before, most).await
    }
    fn unreadable(&self) -> usize {
        self.inner.unreadable()
    }
    async fn jobs(&self, page: PageRequest<TableId>) -> Result<Page<Job, TableId>, StoreError> {
        self.inner.jobs(page).await
    }
    async fn note(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.inner.note(key).await
    }
    async fn store_note(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.hooks.before_store_note(key)?;
        self.inner.store_note(key, value).await
    }
    async fn probe(&self) -> Result<(), StoreError> {
        self.hooks.probes()?;
        self.inner.probe().await
    }
    fn follows(&self) -> &dyn Follows {
        self.inner.follows()
    }
    fn preferences(&self) -> &dyn Preferences {
        self
    }
    fn share_links(&self) -> &dyn ShareLinks {
        self.inner.share_links()
    }
    fn annotations(&self) -> &dyn Annotations {
        self.inner.annotations()
    }
    fn web_sessions(&self) -> &dyn WebSessions {
        self.inner.web_sessions()
    }
    fn ratings(&self) -> &dyn Ratings {
        self.inner.ratings()
    }
    fn privacy(&self) -> &dyn Privacy {
        self.inner.privacy()
    }
    fn moderation(&self) -> &dyn ModerationStore {
        self.inner.moderation()
    }
    fn analyses(&self) -> &dyn AnalysisStore {
        self.inner.analyses()
    }
}

#[async_trait]
impl<J: Journal, G: JournalHooks> Preferences for HookedJournal<J, G> {
    async fn personal(&self, who: UserId) -> Result<Option<PersonalPreferences>, StoreError> {
        self.hooks.before_read_person()?;
        self.inner.preferences().personal(who).await
    }
    async fn store_personal(&self, who: UserId, personal: &PersonalPreferences) -> Result<(), StoreError> {
        self.inner.preferences().store_personal(who, personal).await
    }
    async fn delete_preferences(&self, who: UserId) -> Result<(), StoreError> {
        self.inner.preferences().delete_preferences(who).await
    }
    async fn server(&self, guild: GuildId) -> Result<Option<ServerPreferences>, StoreError> {
        self.inner.preferences().server(guild).await
    }
    async fn store_server(&self, guild: GuildId, server: &ServerPreferences) -> Result<(), StoreError> {
        self.inner.preferences().store_server(guild, server).await
    }
    async fn resting(&self, page: PageRequest<UserId>) -> Result<Page<UserId, UserId>, StoreError> {
        self.inner.preferences().resting(page).await
    }
    async fn servers_with_lobby(
        &self,
        page: PageRequest<GuildId>,
    ) -> Result<Page<GuildId, GuildId>, StoreError> {
        self.inner.preferences().servers_with_lobby(page).await
    }
}
