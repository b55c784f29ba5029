//! What the processes share that use one store, besides the journal: who is alive, and who does which work.
//!
//! A process that ends, loses its connection to the store or is silent for too long loses what it has claimed, and
//! others take over. Nothing here decides about a table: for that there is (table, sequence).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use jiff::Timestamp;

use super::{DueItem, Posted, StoreError};
use crate::{ChannelId, GuildId, TableId};

/// Work that one process at a time, its leader, does for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeaderTask {
    /// Applying what time brings at tables.
    Clocks,
    /// Ending and deleting what is old.
    Cleaner,
    /// Making backups.
    Backups,
    /// Keeping lobbies up to date.
    Lobbies,
    /// Keeping TV channels up to date.
    Televisions,
    /// Sending digests, and what waited for the end of quiet hours.
    Digests,
}

impl LeaderTask {
    /// All of them.
    pub const ALL: [LeaderTask; 6] = [
        LeaderTask::Clocks,
        LeaderTask::Cleaner,
        LeaderTask::Backups,
        LeaderTask::Lobbies,
        LeaderTask::Televisions,
        LeaderTask::Digests,
    ];
}

/// The most due rows that come with a claim.
pub const CLAIMED_ROWS: usize = 8;

/// A table whose outbox rows this process posts until it releases the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedTable {
    /// The table.
    pub table: TableId,
    /// Its server.
    pub guild: Option<GuildId>,
    /// Increases with each batch that adds rows.
    pub version: i64,
    /// Whether a process claimed it before and did not release it: its rows may have been posted.
    pub was_abandoned: bool,
    /// The sequence number of its latest entry; 0 if there is none.
    pub head: u64,
    /// Whether people follow it.
    pub is_followed: bool,
    /// Its first due rows, at most [`CLAIMED_ROWS`], without those that cannot be read. Each with the latest message that
    /// was posted for an item like its [`OutboxItem::edited`](crate::OutboxItem::edited).
    pub due: Vec<(DueItem, Option<Posted>)>,
}

/// A change at a table, made by any process. It is only a hint: it may be missing, late or repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableChange {
    /// The table.
    pub table: TableId,
    /// The sequence number of its latest entry.
    pub sequence: u64,
    /// Whether rows were added to the outbox.
    pub has_items: bool,
}

/// A change in who may read a channel, or anything on a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessChange {
    /// The server.
    pub guild: GuildId,
    /// The channel or thread; `None` if the change concerns the whole server.
    pub channel: Option<ChannelId>,
}

/// What a process tells the others. It is only a hint: it may be missing, late or repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A table has changed.
    Table(TableChange),
    /// Another process was told by Discord to send no requests for this long.
    RequestsPaused(Duration),
    /// Another process heard from Discord that access has changed.
    AccessChanged(AccessChange),
}

/// How many requests a process may send to Discord.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestShare {
    /// Requests in a second, at least 1. The shares of all processes together are within the limit of the whole bot,
    /// except that one that joins may send one request before the others have made room.
    pub per_second: u32,
    /// The part of it that no other process takes, whatever it wants.
    pub guaranteed: u32,
}

/// Work in the queue that all processes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueuedJob {
    /// The bot's turn at a table.
    Turn {
        /// The table.
        table: TableId,
        /// The number of turns before it.
        ply: usize,
    },
    /// A search for a proof that the game at a table is decided.
    Proof {
        /// The table.
        table: TableId,
        /// The number of turns taken there.
        ply: usize,
    },
    /// An analysis that somebody waits for.
    Analysis {
        /// The number of the request.
        request: i64,
    },
}

/// Does the jobs of the queue.
#[async_trait]
pub trait JobRunner: fmt::Debug + Send + Sync {
    /// Does a job. One that is done already, or needless by now, is no error.
    ///
    /// # Errors
    /// Why it must be tried again, by this process or another one.
    async fn run(&self, job: QueuedJob) -> Result<(), String>;
}

/// A session of the gateway, which another process can resume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatewaySession {
    /// Its id, given by Discord.
    pub id: String,
    /// The address for resuming; `None` for the usual one.
    pub url: Option<String>,
    /// The number of an event up to which all were handled; Discord repeats those after it.
    pub sequence: u64,
}

/// What is known of a shard of the gateway.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShardState {
    /// How many shards there were.
    pub total: u32,
    /// When it was connected last; `None` if it never was.
    pub alive_at: Option<Timestamp>,
    /// Its latest session.
    pub session: Option<GatewaySession>,
}

/// A process that uses the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessInfo {
    /// The program, the number of the process, its machine and its roles, for people to read.
    pub name: String,
    /// Whether it runs shards of the gateway.
    pub runs_gateway: bool,
    /// When it was alive last, by the clock of the store.
    pub seen_at: Timestamp,
}

/// How many processes are alive, by what they do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LiveProcesses {
    /// Those that run shards of the gateway.
    pub gateways: usize,
    /// Those that do jobs of the queue.
    pub thinkers: usize,
}

/// The processes that use one store.
#[async_trait]
pub trait Cluster: Send + Sync {
    /// Sets whether this process runs shards of the gateway; [`Cluster::keep_alive`] tells the others.
    fn set_runs_gateway(&self, runs_gateway: bool);
    /// Sets whether this process does jobs of the queue; [`Cluster::keep_alive`] tells the others.
    fn set_thinks(&self, thinks: bool);
    /// Sets the roles of this process, as text for people; the first [`Cluster::keep_alive`] tells the others.
    fn set_roles(&self, roles: &str);
    /// Returns the processes that have not ended, as far as the others know, by name.
    async fn processes(&self) -> Result<Vec<ProcessInfo>, StoreError>;
    /// Tells the others that this process is alive, and takes their claims from processes that are not. Returns what the
    /// live ones do. Call it every [`KEEP_ALIVE_INTERVAL`](crate::ports::KEEP_ALIVE_INTERVAL).
    async fn keep_alive(&self) -> Result<LiveProcesses, StoreError>;
    /// Returns the next hint of a process. After an error some may be missed.
    async fn next_hint(&self) -> Result<Hint, StoreError>;
    /// Returns the sequence number of a table's latest entry; 0 if there is none.
    async fn head(&self, table: TableId) -> Result<u64, StoreError>;

    /// Takes this process's share of the `limit` requests that the whole bot may send to Discord in a second, in place of
    /// its share until now. `wanted` is the most that it sent or had to send in a second lately. A process that wants
    /// little leaves the rest to the others. Call it every
    /// [`KEEP_ALIVE_INTERVAL`](crate::ports::KEEP_ALIVE_INTERVAL), after [`Cluster::keep_alive`]; use a smaller share
    /// at once, and a larger one when the others' requests of the last second are over.
    async fn take_request_share(&self, limit: u32, wanted: u32) -> Result<RequestShare, StoreError>;
    /// Tells the others that Discord wants no requests for this long.
    async fn announce_pause(&self, pause: Duration) -> Result<(), StoreError>;
    /// Tells the other processes that access has changed.
    async fn announce_access_change(&self, change: AccessChange) -> Result<(), StoreError>;

    /// Claims at most `most` tables with due outbox rows that nobody has claimed, a few of each server. Servers take
    /// turns: a call goes on after the last server of the call before. Tables of the servers in `busy` are left alone.
    async fn claim_due(&self, most: usize, busy: &[GuildId]) -> Result<Vec<ClaimedTable>, StoreError>;
    /// Marks rows as posted, each with its message if it has one, all or none.
    async fn mark_all_posted(&self, posted: &[(i64, Option<Posted>)]) -> Result<(), StoreError>;
    /// Marks rows of a table as posted, each with its message if it has one, and releases the table. If rows were added
    /// since `version`, or others are due, it can be claimed again, after the other due tables of its server; returns
    /// whether this is so.
    async fn release_due(
        &self,
        table: TableId,
        version: i64,
        posted: &[(i64, Option<Posted>)],
    ) -> Result<bool, StoreError>;

    /// Gives up this process's claims on other tables than these: after an error of [`Cluster::claim_due`] or
    /// [`Cluster::release_due`] it may have claims that it does not know, and it forgets claims that it may have lost
    /// while a row was posted. The next process that claims these tables searches for what was posted.
    async fn drop_claims_except(&self, known: &[TableId]) -> Result<(), StoreError>;

    /// Sets the time between moves where the bot plays alone.
    fn set_exhibition_pace(&self, pace: Duration);
    /// Does jobs of the queue, at most `most` at a time, until `stop` completes.
    async fn work(
        &self,
        most: usize,
        runner: Arc<dyn JobRunner>,
        stop: BoxFuture<'static, ()>,
    ) -> Result<(), StoreError>;

    /// Puts a request for an analysis into the queue, and returns its number. Owners take turns.
    async fn ask(&self, owner: u64, request: &str) -> Result<i64, StoreError>;
    /// Returns a request; `None` if it was answered or withdrawn.
    async fn request(&self, id: i64) -> Result<Option<String>, StoreError>;
    /// Stores the answer to a request, unless it was withdrawn.
    async fn answer(&self, id: i64, answer: &str) -> Result<(), StoreError>;
    /// Takes the answer to a request; `None` if there is none yet. One that nobody takes is deleted after some minutes.
    async fn take_answer(&self, id: i64) -> Result<Option<String>, StoreError>;
    /// Withdraws a request for whose answer nobody waits.
    async fn withdraw(&self, id: i64) -> Result<(), StoreError>;

    /// Whether this process does a task for all: it has it already, or takes it because nobody does.
    async fn leads(&self, task: LeaderTask) -> Result<bool, StoreError>;

    /// Takes a shard that nobody has, with what is known of it. `None` if another process has it.
    async fn take_shard(&self, shard: u32) -> Result<Option<ShardState>, StoreError>;
    /// Whether this process still has a shard that it took.
    fn has_shard(&self, shard: u32) -> bool;
    /// Stores what is known of a shard.
    async fn store_shard(&self, shard: u32, state: ShardState) -> Result<(), StoreError>;
    /// Returns what is known of all shards, by ascending number: one for each that the gateway ever had.
    async fn shards(&self) -> Result<Vec<(u32, ShardState)>, StoreError>;
    /// Releases a shard.
    async fn release_shard(&self, shard: u32) -> Result<(), StoreError>;
    /// Asks whether a session of this bucket may identify now, and takes the moment: `None`. Otherwise returns after how
    /// long to ask again. Shards whose numbers have the same remainder by the gateway's `max_concurrency` share a
    /// bucket, with one session every five seconds.
    async fn take_identify_slot(&self, bucket: u32) -> Result<Option<Duration>, StoreError>;
}
