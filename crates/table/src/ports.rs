//! What tables need from outside, as traits: a journal, a clock, a thinker.

use async_trait::async_trait;
use jiff::Timestamp;
use tokio::sync::oneshot;

use rookery_core::player::{SearchRequest, SearchResult};
use rookery_core::{Analysis, Play};

use crate::hash_chain::HashChain;
use crate::model::{Account, RatingRecord};
use crate::preferences::{PersonalPreferences, ServerPreferences};
use crate::rating::RatingPool;
use crate::share::{ShareLink, ShareTarget};
use crate::thinking_limits::{BudgetOwner, ThinkingLimits, ThinkingWait};
use crate::{ChannelId, GuildId, MessageId, OutboxItem, RoleId, TableId, UserId};

mod analysis;
mod annotations;
mod cluster;
mod moderation;
mod pages;
mod privacy;
mod web_sessions;

pub use crate::model::records::{
    AfterFailure, Batch, Card, DueItem, DueTable, Entry, Filter, Job, Member, OpenTables, PersonalResult,
    Posted, Program, Stage, StoreError,
};
pub use analysis::{AnalysisStore, analysis_note};
pub use annotations::Annotations;
pub use cluster::{
    AccessChange, CLAIMED_ROWS, ClaimedTable, Cluster, GatewaySession, Hint, JobRunner, LeaderTask,
    LiveProcesses, ProcessInfo, QueuedJob, RequestShare, ShardState, TableChange,
};
pub use moderation::ModerationStore;
pub use pages::{PAGE_ROWS, Page, PageRequest, walk_pages, walk_pages_of};
pub use privacy::{CHALLENGE_NOTES, Deletion, Privacy, challenge_note, digest_note};
pub use web_sessions::WebSessions;

/// How often a process tells the others that it is alive.
pub const KEEP_ALIVE_INTERVAL: std::time::Duration = std::time::Duration::from_secs(2);

/// Looks up who has which role and who reads which channel.
#[async_trait]
pub trait MembershipSource: Send + Sync {
    /// Whether a person is known to have lost a role on a server.
    async fn has_lost_role(&self, guild: GuildId, role: RoleId, who: UserId) -> bool;
    /// Whether everybody on its server is known to read a channel.
    async fn is_public(&self, channel: ChannelId) -> bool;
}

/// The current time; tests set their own.
pub trait Clock: Send + Sync {
    /// Returns the current moment.
    fn now(&self) -> Timestamp;
}

/// Preferences of people and servers. Unreadable ones give a [`StoreError::UnreadableRow`] until they are stored again.
#[async_trait]
pub trait Preferences: Send + Sync {
    /// Returns a person's preferences; `None` if they never set any.
    async fn personal(&self, who: UserId) -> Result<Option<PersonalPreferences>, StoreError>;
    /// Stores a person's preferences.
    async fn store_personal(&self, who: UserId, personal: &PersonalPreferences) -> Result<(), StoreError>;
    /// Deletes a person's preferences.
    async fn delete_preferences(&self, who: UserId) -> Result<(), StoreError>;
    /// Returns a server's preferences; `None` if its managers never set any.
    async fn server(&self, guild: GuildId) -> Result<Option<ServerPreferences>, StoreError>;
    /// Stores a server's preferences.
    async fn store_server(&self, guild: GuildId, server: &ServerPreferences) -> Result<(), StoreError>;
    /// Returns the people with days off or a weekly rest period.
    async fn resting(&self, page: PageRequest<UserId>) -> Result<Page<UserId, UserId>, StoreError>;
    /// Returns the servers with a lobby channel.
    async fn servers_with_lobby(
        &self,
        page: PageRequest<GuildId>,
    ) -> Result<Page<GuildId, GuildId>, StoreError>;
}

/// Ratings after each rated game. They are written with [`crate::Event::Rated`] only.
#[async_trait]
pub trait Ratings: Send + Sync {
    /// Returns the latest rating in a game and pool; `None` for a newcomer.
    async fn rating(
        &self,
        who: Account,
        game: &str,
        pool: RatingPool,
    ) -> Result<Option<RatingRecord>, StoreError>;
    /// Returns the ratings that an account ever had, the oldest first. The key is the number of the row.
    async fn history(
        &self,
        who: Account,
        page: PageRequest<i64>,
    ) -> Result<Page<RatingRecord, i64>, StoreError>;
    /// Returns the latest ratings of at most `most` accounts in a game and pool, each with the number of its rated games
    /// there: those that are not [provisional](crate::rating::Rating::is_provisional) first, each group with the highest
    /// first. With a server, only accounts that have played such a game there are listed.
    async fn leaders(
        &self,
        game: &str,
        pool: RatingPool,
        guild: Option<GuildId>,
        most: usize,
    ) -> Result<Vec<(RatingRecord, u64)>, StoreError>;
}

/// How a watcher is notified about a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WatchMode {
    /// In its thread, without a ping.
    Thread,
    /// In a direct message, once a day with all tables watched in this mode.
    Digest,
    /// In its thread, without a ping, at every move.
    Moves,
}

/// The people who watch a table without playing there.
#[async_trait]
pub trait Follows: Send + Sync {
    /// Lets a person watch a table; replaces the mode of an earlier call.
    async fn follow(&self, who: UserId, table: TableId, how: WatchMode) -> Result<(), StoreError>;
    /// Ends the watching; returns whether the person watched the table.
    async fn unfollow(&self, who: UserId, table: TableId) -> Result<bool, StoreError>;
    /// Returns how a person watches a table; `None` if they don't.
    async fn watch_mode(&self, who: UserId, table: TableId) -> Result<Option<WatchMode>, StoreError>;
    /// Returns the watchers of a table with their modes.
    async fn followers(
        &self,
        table: TableId,
        page: PageRequest<UserId>,
    ) -> Result<Page<(UserId, WatchMode), UserId>, StoreError>;
    /// Returns the tables that a person watches, by name.
    async fn watched_by(
        &self,
        who: UserId,
        page: PageRequest<TableId>,
    ) -> Result<Page<TableId, TableId>, StoreError>;
    /// Returns the people who get a daily digest, once for each table in it.
    async fn digests(
        &self,
        page: PageRequest<(UserId, TableId)>,
    ) -> Result<Page<(UserId, TableId), (UserId, TableId)>, StoreError>;
}

/// The links to web pages that show games.
#[async_trait]
pub trait ShareLinks: Send + Sync {
    /// Stores new links, all or none. Skips links whose target already has one of the same kind of origin, and links by
    /// a server's setting to a game whose links were withdrawn.
    async fn store_links(&self, links: &[ShareLink]) -> Result<(), StoreError>;
    /// Returns the link whose token has this SHA-256, in hexadecimal.
    async fn link(&self, digest: &str) -> Result<Option<ShareLink>, StoreError>;
    /// Returns the links to a target: at most one by a player and one by the server's setting, in this order.
    async fn links_to(&self, target: ShareTarget) -> Result<Vec<ShareLink>, StoreError>;
    /// Withdraws all links to a game, those to people's annotations of it as well, and prevents new ones by the server's
    /// setting. Returns whether there were any.
    async fn withdraw_links(&self, table: TableId, now: Timestamp) -> Result<bool, StoreError>;
    /// Withdraws the link whose token has this SHA-256, if there is one.
    async fn withdraw_link(&self, digest: &str) -> Result<(), StoreError>;
    /// Withdraws all links made by a server's setting, including the one to the list of its games.
    async fn withdraw_links_of_setting(&self, guild: GuildId) -> Result<(), StoreError>;
    /// Returns the links that a person made, by the SHA-256 of their tokens.
    async fn links_by(
        &self,
        who: UserId,
        page: PageRequest<String>,
    ) -> Result<Page<ShareLink, String>, StoreError>;
}

/// The append-only source of truth, with its outbox and jobs. Lists come in [pages](PageRequest), unless something else
/// bounds their length. Where a list is in no order that its method promises, it is by the key, in the order in which the
/// store compares keys: PostgreSQL and SQLite compare ids as signed numbers.
#[async_trait]
pub trait Journal: Send + Sync {
    /// Writes a batch in one transaction, each entry hashed and with [pseudonyms](crate::pseudonym) in place of people.
    /// The pair (table, sequence) is the concurrency control.
    async fn append(&self, batch: &Batch) -> Result<(), StoreError>;
    /// Returns all entries of a table in order; none if there is no such table. They are one game, and are replayed
    /// together.
    async fn load(&self, table: TableId) -> Result<Vec<Entry>, StoreError>;
    /// Returns all entries of a table as stored, with their hashes and pseudonyms.
    async fn chain(&self, table: TableId) -> Result<HashChain, StoreError>;
    /// Returns the tables that match a filter, those with the latest event first, and of equals by name. An event during
    /// a walk moves its table to the front, where the walk has been; [`Journal::scan`] meets such a table too.
    async fn list(
        &self,
        filter: &Filter,
        page: PageRequest<(Timestamp, TableId)>,
    ) -> Result<Page<Card, (Timestamp, TableId)>, StoreError>;
    /// Returns the tables that match a filter, by name.
    async fn scan(
        &self,
        filter: &Filter,
        page: PageRequest<TableId>,
    ) -> Result<Page<Card, TableId>, StoreError>;
    /// Counts the unfinished tables of a kind, up to `most`. Tables from before hosts were stored belong to nobody.
    async fn count_open(&self, which: OpenTables, most: usize) -> Result<usize, StoreError>;
    /// Returns the servers with running games that are not frozen.
    async fn servers_playing(&self, page: PageRequest<GuildId>)
    -> Result<Page<GuildId, GuildId>, StoreError>;
    /// Returns the running tables with a timer up to `until`, each with its moment, by ascending moment and table.
    async fn timers(
        &self,
        until: Timestamp,
        page: PageRequest<(Timestamp, TableId)>,
    ) -> Result<Page<(TableId, Timestamp), (Timestamp, TableId)>, StoreError>;
    /// Returns the running tables that owe a proof, with the turns taken there, by name.
    async fn owing_proof(
        &self,
        page: PageRequest<TableId>,
    ) -> Result<Page<(TableId, usize), TableId>, StoreError>;
    /// Returns at most `most` due rows of the outbox after the row `after`, by ascending row number.
    async fn due(&self, after: i64, most: usize) -> Result<Vec<DueItem>, StoreError>;
    /// Returns since when the oldest due item has been due: when its batch was decided, or when it was queued again.
    /// `None` if no due item has a known time.
    async fn oldest_due(&self) -> Result<Option<Timestamp>, StoreError>;
    /// Returns the table and server of each of the rows that [`Journal::due`] returns. A table is listed once for each
    /// of its rows.
    async fn due_tables(&self, after: i64, most: usize) -> Result<Vec<DueTable>, StoreError>;
    /// Returns at most `most` due rows of one table, by ascending row number.
    async fn due_at(&self, table: TableId, most: usize) -> Result<Vec<DueItem>, StoreError>;
    /// Returns the number of the last row ever written; 0 if there was none.
    async fn last_row(&self) -> Result<i64, StoreError>;
    /// Marks a row as done, with the message that was posted for it, if any.
    async fn mark_posted(&self, id: i64, posted: Option<Posted>) -> Result<(), StoreError>;
    /// Counts a failed attempt, and stores the reason and what happens to the row. A row that is done stays so: another
    /// process may have posted it meanwhile.
    async fn mark_failed(&self, id: i64, why: &str, after_failure: AfterFailure) -> Result<(), StoreError>;
    /// Queues a row again that waits for a permission; leaves other rows as they are. The row is due since `now`.
    async fn requeue(&self, id: i64, now: Timestamp) -> Result<(), StoreError>;
    /// Returns the rows that wait for a permission, by ascending row number.
    async fn blocked_items(&self, page: PageRequest<i64>) -> Result<Page<DueItem, i64>, StoreError>;
    /// Counts the rows that wait for a permission.
    async fn count_blocked(&self) -> Result<usize, StoreError>;
    /// Returns the message posted for a table's `item`, the latest if there are several.
    async fn posted(&self, table: TableId, item: &OutboxItem) -> Result<Option<Posted>, StoreError>;
    /// Returns the latest message posted for a table by rows before this one.
    async fn message_before(&self, table: TableId, row: i64) -> Result<Option<MessageId>, StoreError>;
    /// Returns the latest row of a table's `item`, and whether a message was posted for it. After an undo there may be
    /// earlier rows of the same item.
    async fn latest(&self, table: TableId, item: &OutboxItem) -> Result<Option<(i64, bool)>, StoreError>;
    /// Returns the table that a message was posted for.
    async fn table_of(&self, message: MessageId) -> Result<Option<TableId>, StoreError>;
    /// Returns the table and the item that a message was posted for. Of games that ended long ago only boards are
    /// known, and unreadable items never are.
    async fn posted_item(
        &self,
        message: MessageId,
    ) -> Result<Option<(TableId, Option<OutboxItem>)>, StoreError>;
    /// Deletes settled outbox rows of at most `most` finished tables without an event since `before`, except those that
    /// lists link to. The table of a message stays known. Returns the number of tables; 0 when all are pruned.
    async fn prune_outbox(&self, before: Timestamp, most: usize) -> Result<usize, StoreError>;
    /// Returns the number of rows since the start that this version could not read.
    fn unreadable(&self) -> usize {
        0
    }
    /// Returns the turns that the bot owes, by table.
    async fn jobs(&self, page: PageRequest<TableId>) -> Result<Page<Job, TableId>, StoreError>;
    /// Returns a small text stored under a key, for example a digest of the registered commands.
    async fn note(&self, key: &str) -> Result<Option<String>, StoreError>;
    /// Stores a small text under a key; an empty one deletes it.
    async fn store_note(&self, key: &str, value: &str) -> Result<(), StoreError>;
    /// Commits a small write transaction that needs disk space and changes no visible data, to find out whether the
    /// store can be written.
    async fn probe(&self) -> Result<(), StoreError>;
    /// Returns what the processes share that use this store; `None` if one process has it alone.
    fn cluster(&self) -> Option<&dyn Cluster> {
        None
    }
    /// Returns the preferences in the same store.
    fn preferences(&self) -> &dyn Preferences;
    /// Returns the watchers in the same store.
    fn follows(&self) -> &dyn Follows;
    /// Returns the share links in the same store.
    fn share_links(&self) -> &dyn ShareLinks;
    /// Returns the signed-in browsers in the same store.
    fn web_sessions(&self) -> &dyn WebSessions;
    /// Returns the annotations in the same store.
    fn annotations(&self) -> &dyn Annotations;
    /// Returns the ratings in the same store.
    fn ratings(&self) -> &dyn Ratings;
    /// Returns the personal data in the same store.
    fn privacy(&self) -> &dyn Privacy;
    /// Returns the analyses in the same store.
    fn analyses(&self) -> &dyn AnalysisStore;
    /// Returns the blocks and bans in the same store.
    fn moderation(&self) -> &dyn ModerationStore;
}

/// An answer that is sent later, from any thread; `None` or a closed channel means that there is none.
pub type Answer<T> = oneshot::Receiver<Option<T>>;

/// Returns an answer that is already available.
pub fn answered<T>(answer: Option<T>) -> Answer<T> {
    let (tell, told) = oneshot::channel();
    let _ = tell.send(answer);
    told
}

/// Returns a channel that never gets an answer.
pub fn unanswered<T>() -> Answer<T> {
    oneshot::channel().1
}

/// Chooses moves for the bot's seats, off the async threads.
pub trait Thinker: Send + Sync {
    /// Starts a job; the answer is the move's text, `None` if the job was cancelled. A job for a (table, ply) that is
    /// already running is not started again, and its answer never arrives.
    fn think(&self, job: Job, owner: BudgetOwner, play: Box<dyn Play>) -> Answer<String>;
    /// Analyses a position for which no turn is owed, after all turns that are. There is no answer if the game is over
    /// there, the request was cancelled, or the queue is full, in total or for this owner. The request must have
    /// limits.
    fn analyse(
        &self,
        owner: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
    ) -> Answer<SearchResult<String>>;
    /// Finds the best few lines at a position, at most `most`, under the conditions of [`Thinker::analyse`].
    fn best_lines(
        &self,
        owner: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
        most: usize,
    ) -> Answer<Analysis>;
    /// Cancels the jobs of a table.
    fn drop_table(&self, table: TableId);
    /// Returns the waiting state of a table's job.
    fn wait(&self, _table: TableId, _owner: BudgetOwner) -> ThinkingWait {
        ThinkingWait::default()
    }
    /// Divides each owner's budget by the number of processes that think, since each counts alone and gets an equal part
    /// of the work.
    fn share_budgets(&self, _processes: usize) {}
    /// Returns the limits of each owner.
    fn bounds(&self) -> ThinkingLimits {
        ThinkingLimits::NONE
    }
}
