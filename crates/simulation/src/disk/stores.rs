//! Every call of the journal goes through [`Disk::call`].

use rookery_table::annotation::{AnnotatedPosition, Annotation, AnnotationLink};
use rookery_table::hash_chain::HashChain;
use rookery_table::model::{Account, RatingRecord};
use rookery_table::moderation::ModerationStore;
use rookery_table::ports::{
    AfterFailure, AnalysisStore, Annotations, Batch, Card, Cluster, Deletion, DueItem, DueTable, Entry,
    Filter, Follows, Job, OpenTables, Page, PageRequest, Posted, Preferences, Privacy, Ratings, ShareLinks,
    WatchMode, WebSessions,
};
use rookery_table::preferences::{PersonalPreferences, ServerPreferences};
use rookery_table::rating::RatingPool;
use rookery_table::share::{ShareLink, ShareTarget};
use rookery_table::web_session::{SignIn, WebSession, WebToken};
use rookery_table::{GuildId, MessageId, OutboxItem, TableId, UserId};

use crate::options::Defect;

use super::{Disk, Journal, StoreError, Timestamp, async_trait};

/// Implements a trait by calling the same function of the adapter.
macro_rules! pass_on {
    ($trait:ident {
        $(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*
    } $($more:tt)*) => {
        #[async_trait]
        impl $trait for Disk {
            $(
                async fn $name(&self, $($argument: $type),*) -> Result<$result, StoreError> {
                    self.call(stringify!($name), $trait::$name(&*self.journal$(, $argument)*)).await
                }
            )*
            $($more)*
        }
    };
}

pass_on! {
    Journal {
        fn load(table: TableId) -> Vec<Entry>;
        fn chain(table: TableId) -> HashChain;
        fn list(filter: &Filter, page: PageRequest<(Timestamp, TableId)>) -> Page<Card, (Timestamp, TableId)>;
        fn scan(filter: &Filter, page: PageRequest<TableId>) -> Page<Card, TableId>;
        fn count_open(which: OpenTables, most: usize) -> usize;
        fn servers_playing(page: PageRequest<GuildId>) -> Page<GuildId, GuildId>;
        fn timers(until: Timestamp, page: PageRequest<(Timestamp, TableId)>)
            -> Page<(TableId, Timestamp), (Timestamp, TableId)>;
        fn owing_proof(page: PageRequest<TableId>) -> Page<(TableId, usize), TableId>;
        fn due(after: i64, most: usize) -> Vec<DueItem>;
        fn oldest_due() -> Option<Timestamp>;
        fn due_tables(after: i64, most: usize) -> Vec<DueTable>;
        fn due_at(table: TableId, most: usize) -> Vec<DueItem>;
        fn last_row() -> i64;
        fn mark_posted(id: i64, posted: Option<Posted>) -> ();
        fn mark_failed(id: i64, why: &str, after_failure: AfterFailure) -> ();
        fn requeue(id: i64, now: Timestamp) -> ();
        fn blocked_items(page: PageRequest<i64>) -> Page<DueItem, i64>;
        fn count_blocked() -> usize;
        fn posted(table: TableId, item: &OutboxItem) -> Option<Posted>;
        fn message_before(table: TableId, row: i64) -> Option<MessageId>;
        fn latest(table: TableId, item: &OutboxItem) -> Option<(i64, bool)>;
        fn table_of(message: MessageId) -> Option<TableId>;
        fn posted_item(message: MessageId) -> Option<(TableId, Option<OutboxItem>)>;
        fn prune_outbox(before: Timestamp, most: usize) -> usize;
        fn jobs(page: PageRequest<TableId>) -> Page<Job, TableId>;
        fn note(key: &str) -> Option<String>;
        fn store_note(key: &str, value: &str) -> ();
        fn probe() -> ();
    }
    async fn append(&self, batch: &Batch) -> Result<(), StoreError> {
        match self.world.defect {
            Some(Defect::LostWrites) if self.world.counts.journal_calls.get().is_multiple_of(8) => Ok(()),
            _ => self.call("append", self.append_and_tell(batch)).await,
        }
    }
    fn cluster(&self) -> Option<&dyn Cluster> { self.is_shared().then_some(self as &dyn Cluster) }
    fn unreadable(&self) -> usize { self.journal.unreadable() }
    fn preferences(&self) -> &dyn Preferences { self }
    fn follows(&self) -> &dyn Follows { self }
    fn share_links(&self) -> &dyn ShareLinks { self }
    fn annotations(&self) -> &dyn Annotations { self }
    fn web_sessions(&self) -> &dyn WebSessions { self }
    fn ratings(&self) -> &dyn Ratings { self }
    fn privacy(&self) -> &dyn Privacy { self }
    fn analyses(&self) -> &dyn AnalysisStore { self }
    fn moderation(&self) -> &dyn ModerationStore { self }
}

impl Disk {
    /// Writes a batch, with the jobs and outbox rows that it makes necessary.
    async fn append_and_tell(&self, batch: &Batch) -> Result<(), StoreError> {
        self.journal.append(batch).await?;
        if self.is_shared() {
            self.world.leases.appended(self.member, batch);
        }
        Ok(())
    }
}

pass_on! {
    Preferences {
        fn personal(who: UserId) -> Option<PersonalPreferences>;
        fn store_personal(who: UserId, personal: &PersonalPreferences) -> ();
        fn delete_preferences(who: UserId) -> ();
        fn server(guild: GuildId) -> Option<ServerPreferences>;
        fn store_server(guild: GuildId, server: &ServerPreferences) -> ();
        fn resting(page: PageRequest<UserId>) -> Page<UserId, UserId>;
        fn servers_with_lobby(page: PageRequest<GuildId>) -> Page<GuildId, GuildId>;
    }
}

pass_on! {
    Follows {
        fn follow(who: UserId, table: TableId, how: WatchMode) -> ();
        fn unfollow(who: UserId, table: TableId) -> bool;
        fn watch_mode(who: UserId, table: TableId) -> Option<WatchMode>;
        fn followers(table: TableId, page: PageRequest<UserId>) -> Page<(UserId, WatchMode), UserId>;
        fn watched_by(who: UserId, page: PageRequest<TableId>) -> Page<TableId, TableId>;
        fn digests(page: PageRequest<(UserId, TableId)>) -> Page<(UserId, TableId), (UserId, TableId)>;
    }
}

pass_on! {
    ShareLinks {
        fn store_links(links: &[ShareLink]) -> ();
        fn link(digest: &str) -> Option<ShareLink>;
        fn links_to(target: ShareTarget) -> Vec<ShareLink>;
        fn withdraw_links(table: TableId, now: Timestamp) -> bool;
        fn withdraw_link(digest: &str) -> ();
        fn withdraw_links_of_setting(guild: GuildId) -> ();
        fn links_by(who: UserId, page: PageRequest<String>) -> Page<ShareLink, String>;
    }
}

pass_on! {
    Annotations {
        fn store_annotation(who: UserId, table: TableId, annotation: &Annotation) -> bool;
        fn delete_annotation(who: UserId, table: TableId, position: &AnnotatedPosition) -> ();
        fn annotations_of(who: UserId, table: TableId) -> Vec<Annotation>;
        fn annotated_by(who: UserId, page: PageRequest<TableId>) -> Page<TableId, TableId>;
        fn store_annotation_link(link: &AnnotationLink) -> ();
        fn annotation_link(digest: &str) -> Option<AnnotationLink>;
        fn annotation_link_of(who: UserId, table: TableId) -> Option<AnnotationLink>;
        fn withdraw_annotation_link(who: UserId, table: TableId) -> bool;
    }
}

pass_on! {
    WebSessions {
        fn store_sign_in(token: &WebToken, sign_in: &SignIn) -> ();
        fn sign_in(token: &WebToken, now: Timestamp) -> Option<SignIn>;
        fn take_sign_in(token: &WebToken, now: Timestamp) -> Option<SignIn>;
        fn take_newest_sign_in(person: UserId, after: Timestamp) -> Option<SignIn>;
        fn store_session(token: &WebToken, session: &WebSession) -> ();
        fn session(token: &WebToken) -> Option<WebSession>;
        fn touch_session(token: &WebToken, now: Timestamp) -> ();
        fn delete_session(token: &WebToken) -> ();
        fn sessions_of(who: UserId) -> Vec<WebSession>;
        fn revoke_sessions(who: UserId) -> u64;
        fn prune_sessions(now: Timestamp, unused_since: Timestamp, most: usize) -> u64;
    }
}

pass_on! {
    Ratings {
        fn rating(who: Account, game: &str, pool: RatingPool) -> Option<RatingRecord>;
        fn history(who: Account, page: PageRequest<i64>) -> Page<RatingRecord, i64>;
        fn leaders(game: &str, pool: RatingPool, guild: Option<GuildId>, most: usize)
            -> Vec<(RatingRecord, u64)>;
    }
}

pass_on! {
    Privacy {
        fn tables_naming(who: UserId, page: PageRequest<TableId>) -> Page<TableId, TableId>;
        fn replace_with_pseudonym(who: UserId, table: TableId, now: Timestamp) -> ();
        fn delete_table(table: TableId) -> ();
        fn delete_personal_rows(who: UserId) -> ();
        fn note_deletion(deletion: &Deletion) -> ();
        fn unfinished_deletions(page: PageRequest<UserId>) -> Page<Deletion, UserId>;
        fn scrub() -> ();
    }
}

pass_on! {
    AnalysisStore {
        fn analysis(table: TableId) -> Option<String>;
        fn store_analysis(table: TableId, analysis: &str) -> ();
    }
}

pass_on! {
    ModerationStore {
        fn block(who: UserId, other: UserId, at: Timestamp) -> bool;
        fn unblock(who: UserId, other: UserId) -> bool;
        fn blocked_by(who: UserId) -> Vec<UserId>;
        fn ban(guild: GuildId, who: UserId, at: Timestamp) -> bool;
        fn unban(guild: GuildId, who: UserId) -> bool;
        fn banned_from(guild: GuildId) -> Vec<UserId>;
    }
}
