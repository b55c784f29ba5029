//! What tables need from outside, as traits: a journal, a clock, somebody to think.

use async_trait::async_trait;
use jiff::Timestamp;
use tokio::sync::oneshot;

use rookery_core::Play;
use rookery_core::player::{SearchRequest, SearchResult};

use crate::hash_chain::HashChain;
use crate::model::{Account, RatingRecord};
use crate::preferences::{PersonalPreferences, ServerPreferences};
use crate::rating::Pool;
use crate::share::{ShareLink, ShareTarget};
use crate::thinking_limits::{BudgetOwner, ThinkingLimits, ThinkingWait};
use crate::{ChannelId, GuildId, MessageId, OutboxItem, RoleId, TableId, UserId};

mod moderation;
mod privacy;

pub use crate::model::records::{
    AfterFailure, Batch, Card, DueItem, DueTable, Entry, Filter, Job, Member, OpenTables, Posted, Program,
    Stage, StoreError,
};
pub use moderation::ModerationStore;
pub use privacy::{CHALLENGE_NOTES, Deletion, Privacy, challenge_note, digest_note, is_challenge_note_of};

/// A source for who has which role and who reads which channel.
#[async_trait]
pub trait MembershipSource: Send + Sync {
    /// Whether it is known that a person has a role on a server no more.
    async fn has_lost_role(&self, guild: GuildId, role: RoleId, who: UserId) -> bool;
    /// Whether it is known that everybody on its server reads a channel.
    async fn is_public(&self, channel: ChannelId) -> bool;
}

/// The time of day.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970 (UTC).
    fn now(&self) -> Timestamp;
}

/// What people and servers chose. What cannot be read is an [`StoreError::UnreadableRow`], until it is kept anew.
#[async_trait]
pub trait Preferences: Send + Sync {
    /// What a person chose, if they ever did.
    async fn personal(&self, who: UserId) -> Result<Option<PersonalPreferences>, StoreError>;
    /// Keeps what a person chose.
    async fn keep_personal(&self, who: UserId, personal: &PersonalPreferences) -> Result<(), StoreError>;
    /// Forgets what a person chose.
    async fn forget_personal(&self, who: UserId) -> Result<(), StoreError>;
    /// What a server's managers chose, if they ever did.
    async fn server(&self, guild: GuildId) -> Result<Option<ServerPreferences>, StoreError>;
    /// Keeps what a server's managers chose.
    async fn keep_server(&self, guild: GuildId, server: &ServerPreferences) -> Result<(), StoreError>;
    /// The people who may rest: who took days off, or have a free part of each week; by rising number.
    async fn resting(&self) -> Result<Vec<UserId>, StoreError>;
    /// The servers whose managers chose a channel for the lobby, by rising number.
    async fn servers_with_lobby(&self) -> Result<Vec<GuildId>, StoreError>;
}

/// Ratings as they were after each rated game. They are written with [`crate::Event::Rated`], and never otherwise.
#[async_trait]
pub trait Ratings: Send + Sync {
    /// The latest rating in a game and pool; `None` for a newcomer.
    async fn rating(&self, who: Account, game: &str, pool: Pool) -> Result<Option<RatingRecord>, StoreError>;
    /// All ratings somebody ever had, the oldest first.
    async fn history(&self, who: Account) -> Result<Vec<RatingRecord>, StoreError>;
    /// The latest rating of everybody in a game and pool, with the number of their rated games there, the
    /// highest first; of those who have played such a game on a server, if one is given.
    async fn leaders(
        &self,
        game: &str,
        pool: Pool,
        guild: Option<GuildId>,
    ) -> Result<Vec<(RatingRecord, u64)>, StoreError>;
}

/// How somebody hears of a table that they watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WatchMode {
    /// In its thread, silently.
    Thread,
    /// In a direct message, once a day with all tables that they watch so.
    Digest,
    /// In its thread, silently, of every move.
    Moves,
}

/// Who watches which table without playing there.
#[async_trait]
pub trait Follows: Send + Sync {
    /// Lets somebody watch a table from now on, in place of how they did before.
    async fn follow(&self, who: UserId, table: TableId, how: WatchMode) -> Result<(), StoreError>;
    /// Lets somebody watch no more; whether they did.
    async fn unfollow(&self, who: UserId, table: TableId) -> Result<bool, StoreError>;
    /// Who watches a table, and how, by rising number of the person.
    async fn followers(&self, table: TableId) -> Result<Vec<(UserId, WatchMode)>, StoreError>;
    /// The tables that somebody watches, by name.
    async fn watched_by(&self, who: UserId) -> Result<Vec<TableId>, StoreError>;
    /// Everybody who gets a daily message, each with the tables that are in it, by name.
    async fn digests(&self) -> Result<Vec<(UserId, Vec<TableId>)>, StoreError>;
}

/// The links with which games are watched in a browser.
#[async_trait]
pub trait ShareLinks: Send + Sync {
    /// Keeps new links, all or none. Left out are those whose target has a link of the same kind of origin already,
    /// and those that a server's setting makes for a game whose links were withdrawn.
    async fn keep_links(&self, links: &[ShareLink]) -> Result<(), StoreError>;
    /// The link whose token has this SHA-256, in hexadecimal.
    async fn link(&self, digest: &str) -> Result<Option<ShareLink>, StoreError>;
    /// The links to a target: at most one of a player and one of the server's setting, in this order.
    async fn links_to(&self, target: ShareTarget) -> Result<Vec<ShareLink>, StoreError>;
    /// Withdraws all links to a game, and lets the server's setting make none for it from now on. Returns whether
    /// there were any.
    async fn withdraw_links(&self, table: TableId, now: Timestamp) -> Result<bool, StoreError>;
    /// Withdraws the link whose token has this SHA-256, if there is one.
    async fn withdraw_link(&self, digest: &str) -> Result<(), StoreError>;
    /// Withdraws all links that a server's setting made, that to the list of its games among them.
    async fn withdraw_links_of_setting(&self, guild: GuildId) -> Result<(), StoreError>;
    /// The links that a person made, the oldest first.
    async fn links_by(&self, who: UserId) -> Result<Vec<ShareLink>, StoreError>;
}

/// The append-only truth, with the outbox and the jobs that belong to it.
#[async_trait]
pub trait Journal: Send + Sync {
    /// Writes a batch whole or not at all, each entry sealed with [pseudonyms](crate::pseudonym)
    /// in people's places. The pair (table, sequence) is the concurrency control.
    async fn append(&self, batch: &Batch) -> Result<(), StoreError>;
    /// All entries of a table in order; none if there is no such table.
    async fn load(&self, table: TableId) -> Result<Vec<Entry>, StoreError>;
    /// All entries of a table as the medium keeps them, with their seals and pseudonyms.
    async fn chain(&self, table: TableId) -> Result<HashChain, StoreError>;
    /// Tables that fit, those with the latest event first.
    async fn list(&self, filter: &Filter) -> Result<Vec<Card>, StoreError>;
    /// How many tables there are that are not over, counted up to `most`; those from before a host was kept are
    /// nobody's.
    async fn count_open(&self, which: OpenTables, most: usize) -> Result<usize, StoreError>;
    /// The servers in which games go on that do not stand still because we are not there, by rising number.
    async fn servers_playing(&self) -> Result<Vec<GuildId>, StoreError>;
    /// The running tables at which time alone brings something up to a moment, with when it does; in no
    /// order.
    async fn timers(&self, until: Timestamp) -> Result<Vec<(TableId, Timestamp)>, StoreError>;
    /// The running tables that owe a proof, with the turns taken there; in no order.
    async fn owing_proof(&self) -> Result<Vec<(TableId, usize)>, StoreError>;
    /// What must still be said, by rising row number, at most `most` rows, rows after `after` only.
    async fn due(&self, after: i64, most: usize) -> Result<Vec<DueItem>, StoreError>;
    /// Since when the oldest item that is due has been due: when its batch was decided,
    /// or when it was taken back into the outbox. `None` if nothing is due whose time is known.
    async fn oldest_due(&self) -> Result<Option<Timestamp>, StoreError>;
    /// For each of the same rows its table, with the server: by rising row number, at most `most` rows, rows after
    /// `after` only. A table comes as often as it has rows.
    async fn due_tables(&self, after: i64, most: usize) -> Result<Vec<DueTable>, StoreError>;
    /// What must still be said at one table, by rising row number, at most `most` rows.
    async fn due_at(&self, table: TableId, most: usize) -> Result<Vec<DueItem>, StoreError>;
    /// The number of the last row there ever was; 0 if there was none.
    async fn last_row(&self) -> Result<i64, StoreError>;
    /// Marks a row as said, with the message it became, if it became one.
    async fn mark_posted(&self, id: i64, posted: Option<Posted>) -> Result<(), StoreError>;
    /// Counts a failed try and keeps the reason and what becomes of the row.
    async fn mark_failed(&self, id: i64, why: &str, after_failure: AfterFailure) -> Result<(), StoreError>;
    /// Takes a row back into the outbox that waits for leave; any other stays as it is. It counts as due since
    /// `now`.
    async fn requeue(&self, id: i64, now: Timestamp) -> Result<(), StoreError>;
    /// What waits for leave to be said, by rising row number.
    async fn blocked_items(&self) -> Result<Vec<DueItem>, StoreError>;
    /// The message that a table's `item` became, the latest if there are several.
    async fn posted(&self, table: TableId, item: &OutboxItem) -> Result<Option<Posted>, StoreError>;
    /// The latest message that was posted for a table by rows before this one.
    async fn message_before(&self, table: TableId, row: i64) -> Result<Option<MessageId>, StoreError>;
    /// The latest row of a table's `item`, and whether it became a message. A turn that was taken back leaves earlier
    /// rows of the same.
    async fn latest(&self, table: TableId, item: &OutboxItem) -> Result<Option<(i64, bool)>, StoreError>;
    /// The table that a message was posted for.
    async fn table_of(&self, message: MessageId) -> Result<Option<TableId>, StoreError>;
    /// For which table a message was posted, and as what: of games that ended long ago, only that of a board is
    /// known, and none that this version cannot read.
    async fn posted_item(
        &self,
        message: MessageId,
    ) -> Result<Option<(TableId, Option<OutboxItem>)>, StoreError>;
    /// Prunes the outbox for at most `most` tables that are over and where nothing has happened since `before`:
    /// what is settled goes, but for what lists link to; which table a message is of
    /// is still known. Returns for how many tables; none once all are done.
    async fn prune_outbox(&self, before: Timestamp, most: usize) -> Result<usize, StoreError>;
    /// How many rows this version could not read since the start.
    fn unreadable(&self) -> usize {
        0
    }
    /// Turns that the program still owes.
    async fn jobs(&self) -> Result<Vec<Job>, StoreError>;
    /// A small note kept under a name (what commands were registered, and the like).
    async fn note(&self, key: &str) -> Result<Option<String>, StoreError>;
    /// Keeps a small note; an empty one is removed.
    async fn keep_note(&self, key: &str, value: &str) -> Result<(), StoreError>;
    /// Commits a small write transaction that needs room on the medium and changes nothing that is read, to find
    /// out whether anything can be written now.
    async fn probe(&self) -> Result<(), StoreError>;
    /// Where what people chose is kept: the same medium.
    fn preferences(&self) -> &dyn Preferences;
    /// Who watches, in the same medium.
    fn follows(&self) -> &dyn Follows;
    /// The links for outsiders.
    fn share_links(&self) -> &dyn ShareLinks;
    /// The ratings.
    fn ratings(&self) -> &dyn Ratings;
    /// What is kept of people.
    fn privacy(&self) -> &dyn Privacy;
    /// Blocks and bans.
    fn moderation(&self) -> &dyn ModerationStore;
}

/// An answer that comes later, from any thread; `None`, or no answer at all, if there is none to be had.
pub type Answer<T> = oneshot::Receiver<Option<T>>;

/// An answer that is there at once.
pub fn answered<T>(answer: Option<T>) -> Answer<T> {
    let (tell, told) = oneshot::channel();
    // The receiver is here.
    let _ = tell.send(answer);
    told
}

/// No answer at all.
pub fn unanswered<T>() -> Answer<T> {
    oneshot::channel().1
}

/// Thinks for the program's seats, off the async threads.
pub trait Thinker: Send + Sync {
    /// Takes a job on; the answer is the move's text, `None` if the job was called off. A job for a (table,
    /// ply) that is being thought about already is not begun again, and has no answer here.
    fn think(&self, job: Job, owner: BudgetOwner, play: Box<dyn Play>) -> Answer<String>;
    /// Thinks about a position for which no turn is owed, behind every turn that is. There is no answer if
    /// the game is over there, the question was called off, or there is no room for it, at all or for this
    /// owner. Give the question limits.
    fn analyse(
        &self,
        owner: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
    ) -> Answer<SearchResult<String>>;
    /// Calls off what is being thought about for a table.
    fn drop_table(&self, table: TableId);
    /// How it stands with a table that waits.
    fn wait(&self, _table: TableId, _patron: BudgetOwner) -> ThinkingWait {
        ThinkingWait::default()
    }
    /// What every owner gets at most.
    fn bounds(&self) -> ThinkingLimits {
        ThinkingLimits::NONE
    }
}
