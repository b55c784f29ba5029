//! What the processes of a simulation share besides the journal, in memory: who is alive, who has which lock, shard and
//! table of the outbox, and the queue of jobs. It follows the adapter of PostgreSQL: a process that ended or was silent for
//! too long loses what it had, whether it knows it or not.

mod jobs;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use rookery_core::seed::{SeededRng, mix};
use rookery_table::ports::{
    Batch, ClaimedTable, DueTable, Hint, LeaderTask, LiveProcesses, ShardState, TableChange,
};
use rookery_table::{GuildId, TableId};
use tokio::sync::Notify;

use crate::clock::TrueTime;
use crate::world::lock;

use jobs::Queue;

/// How long a process may be silent, in milliseconds of the server's clock.
const MAX_SILENCE_MS: i64 = 10_000;
/// How long one may whose connection is gone.
const MAX_SILENCE_UNCONNECTED_MS: i64 = 4_000;
/// One hint of this number is lost.
const LOST_HINTS: u64 = 8;
/// The most hints that wait for a process.
const MAX_HINTS: usize = 1_000;
/// The most tables of one server in one claim.
const MAX_PER_SERVER: usize = 4;
/// How long the sessions of a bucket wait for each other.
const IDENTIFY_INTERVAL_MS: i64 = 5_200;

/// The number of a start of a process.
pub(crate) type Member = u64;

/// What only one process has at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lock {
    /// A task that one does for all, by its place in [`LeaderTask::ALL`].
    Leader(usize),
    /// A shard of the gateway.
    Shard(u32),
}

impl From<LeaderTask> for Lock {
    fn from(task: LeaderTask) -> Lock {
        Lock::Leader(LeaderTask::ALL.iter().position(|known| *known == task).unwrap_or_default())
    }
}

/// A process that has told that it is alive.
#[derive(Debug, Default)]
struct Status {
    /// The number of its session; locks belong to it. 0 if it has ended.
    session: u64,
    is_connected: bool,
    seen_ms: Option<i64>,
    runs_gateway: bool,
    thinks: bool,
    hints: VecDeque<Hint>,
    last_server: Option<GuildId>,
}

/// A table with rows that may be due.
#[derive(Debug)]
struct Lane {
    guild: Option<GuildId>,
    version: i64,
    member: Option<Member>,
    was_abandoned: bool,
    since: u64,
}

#[derive(Debug, Default)]
struct State {
    members: BTreeMap<Member, Status>,
    sessions: u64,
    locks: BTreeMap<Lock, u64>,
    lanes: BTreeMap<TableId, Lane>,
    places: u64,
    shards: BTreeMap<u32, ShardState>,
    identify_slots: BTreeMap<u32, i64>,
    requests: BTreeMap<i64, (String, Option<String>)>,
    last_request: i64,
    queue: Queue,
}

/// What the processes share.
#[derive(Debug)]
pub(crate) struct Leases {
    time: TrueTime,
    state: Mutex<State>,
    rng: Mutex<SeededRng>,
    /// Wakes those that wait for a hint.
    pub(crate) hinted: Arc<Notify>,
    /// Wakes those that wait for a job.
    queued: Arc<Notify>,
}

impl Leases {
    pub(crate) fn new(seed: u64, time: TrueTime) -> Leases {
        Leases {
            time,
            state: Mutex::default(),
            rng: Mutex::new(SeededRng::new(mix(seed ^ 0x1ea5e))),
            hinted: Arc::default(),
            queued: Arc::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Connects a process that starts.
    pub(crate) fn join(&self) -> Member {
        let mut state = self.state();
        state.sessions += 1;
        let session = state.sessions;
        state.members.insert(session, Status { session, is_connected: true, ..Status::default() });
        session
    }

    /// Cuts the connection of a process that crashed: its locks are free at once, the rest when others notice.
    pub(crate) fn cut(&self, member: Member) {
        let mut state = self.state();
        if let Some(status) = state.members.get_mut(&member) {
            status.is_connected = false;
            let session = status.session;
            state.locks.retain(|_, owner| *owner != session);
        }
    }

    /// Gives up everything of a process that ends.
    pub(crate) fn leave(&self, member: Member) {
        self.cut(member);
        let mut state = self.state();
        state.members.remove(&member);
        state.free_lanes(member);
        state.queue.free_jobs_of(member);
    }

    pub(crate) fn set_parts(&self, member: Member, runs_gateway: Option<bool>, thinks: Option<bool>) {
        if let Some(status) = self.state().members.get_mut(&member) {
            status.runs_gateway = runs_gateway.unwrap_or(status.runs_gateway);
            status.thinks = thinks.unwrap_or(status.thinks);
        }
    }

    /// Begins a new session for a process whose session others have ended; every write does so first.
    pub(crate) fn reconnect(&self, member: Member) {
        let mut state = self.state();
        state.sessions += 1;
        let fresh = state.sessions;
        if let Some(status) = state.members.get_mut(&member).filter(|status| status.session == 0) {
            (status.session, status.is_connected) = (fresh, true);
        }
    }

    /// Notes that a process is alive, and ends those that have been silent for too long.
    pub(crate) fn keep_alive(&self, member: Member) -> LiveProcesses {
        self.reconnect(member);
        let now_ms = self.time.now_ms();
        let mut state = self.state();
        if let Some(status) = state.members.get_mut(&member) {
            status.seen_ms = Some(now_ms);
        }
        let ended: Vec<Member> = state
            .members
            .iter()
            .filter(|(other, status)| **other != member && status.has_ended(now_ms))
            .map(|(other, _)| *other)
            .collect();
        for other in ended {
            state.end(other);
        }
        let live = state.members.values().filter(|status| status.seen_ms.is_some());
        live.fold(LiveProcesses::default(), |live, status| LiveProcesses {
            gateways: live.gateways + usize::from(status.runs_gateway),
            thinkers: live.thinkers + usize::from(status.thinks),
        })
    }

    /// Takes a lock for the process's session, unless another one has it.
    pub(crate) fn take(&self, member: Member, wanted: Lock) -> bool {
        self.reconnect(member);
        let mut state = self.state();
        let Some(session) = state.session_of(member) else { return false };
        *state.locks.entry(wanted).or_insert(session) == session
    }

    pub(crate) fn has(&self, member: Member, wanted: Lock) -> bool {
        let state = self.state();
        state.session_of(member).is_some_and(|session| state.locks.get(&wanted) == Some(&session))
    }

    pub(crate) fn release(&self, member: Member, given_up: Lock) {
        let mut state = self.state();
        if let Some(session) = state.session_of(member) {
            state.locks.retain(|known, owner| *known != given_up || *owner != session);
        }
    }

    /// Notes what a batch makes due, and tells the others of it.
    pub(crate) fn appended(&self, member: Member, batch: &Batch) {
        let now_ms = self.time.now_ms();
        let mut state = self.state();
        if !batch.outbox_items.is_empty() {
            state.put_lane(batch.table, batch.card.guild, true);
        }
        state.queue.add_jobs_of(batch, now_ms);
        self.queued.notify_waiters();
        let Some(last) = batch.entries.last() else { return };
        let change = TableChange {
            table: batch.table,
            sequence: last.sequence,
            has_items: !batch.outbox_items.is_empty(),
        };
        drop(state);
        self.tell_others(member, Hint::Table(change));
    }

    /// Gives a hint to the other processes; some are lost.
    pub(crate) fn tell_others(&self, member: Member, hint: Hint) {
        for (_, status) in self.state().members.iter_mut().filter(|(other, _)| **other != member) {
            let is_lost = lock(&self.rng).below(LOST_HINTS) == 0 || status.hints.len() >= MAX_HINTS;
            status.hints.extend(Some(hint).filter(|_| !is_lost));
        }
        self.hinted.notify_waiters();
    }

    pub(crate) fn next_hint(&self, member: Member) -> Option<Hint> {
        self.state().members.get_mut(&member)?.hints.pop_front()
    }

    /// Claims tables of these that are due, a few of each server in turn.
    pub(crate) fn claim(
        &self,
        member: Member,
        due: &[DueTable],
        (most, busy): (usize, &[GuildId]),
    ) -> Vec<ClaimedTable> {
        self.reconnect(member);
        let mut state = self.state();
        state.note_seen(member, self.time.now_ms());
        for row in due {
            state.put_lane(row.table, row.guild, false);
        }
        let last = state.members.get(&member).and_then(|status| status.last_server);
        let mut free: Vec<(Option<GuildId>, u64, TableId)> = state
            .lanes
            .iter()
            .filter(|(table, lane)| lane.member.is_none() && due.iter().any(|row| row.table == **table))
            .filter(|(_, lane)| lane.guild.is_none_or(|guild| !busy.contains(&guild)))
            .map(|(table, lane)| (lane.guild, lane.since, *table))
            .collect();
        // The servers after the last one come first.
        free.sort_by_key(|(guild, since, _)| (*guild <= last, *guild, *since));
        let mut claimed: Vec<ClaimedTable> = Vec::new();
        for (guild, _, table) in free {
            let of_server = claimed.iter().filter(|claim| claim.guild == guild).count();
            if claimed.len() < most && of_server < MAX_PER_SERVER {
                claimed.extend(state.claim(member, table));
            }
        }
        if let Some(status) = state.members.get_mut(&member) {
            status.last_server = claimed.last().filter(|_| claimed.len() == most).and_then(|last| last.guild);
        }
        claimed
    }

    /// Releases a table; returns whether it has rows that were added since `version`.
    pub(crate) fn release_table(&self, member: Member, table: TableId, version: i64) -> bool {
        let mut state = self.state();
        let place = state.next_place();
        let Some(lane) = state.lanes.get_mut(&table).filter(|lane| lane.member == Some(member)) else {
            return false;
        };
        if lane.version == version {
            state.lanes.remove(&table);
            return false;
        }
        (lane.member, lane.was_abandoned, lane.since) = (None, false, place);
        true
    }

    /// Gives up the tables of a process besides these.
    pub(crate) fn drop_claims_except(&self, member: Member, known: &[TableId]) {
        let mut state = self.state();
        let unknown = state.lanes.iter_mut().filter(|(table, _)| !known.contains(table));
        for (_, lane) in unknown.filter(|(_, lane)| lane.member == Some(member)) {
            (lane.member, lane.was_abandoned) = (None, true);
        }
    }

    pub(crate) fn store_shard(&self, shard: u32, mut known: ShardState) {
        let mut state = self.state();
        let earlier = state.shards.get(&shard).and_then(|earlier| earlier.alive_at);
        known.alive_at = known.alive_at.or(earlier);
        state.shards.insert(shard, known);
    }

    pub(crate) fn shard(&self, shard: u32) -> ShardState {
        self.state().shards.get(&shard).cloned().unwrap_or_default()
    }

    pub(crate) fn shards(&self) -> Vec<(u32, ShardState)> {
        self.state().shards.iter().map(|(shard, known)| (*shard, known.clone())).collect()
    }

    /// Takes the moment to identify; otherwise returns how many milliseconds to wait.
    pub(crate) fn take_identify_slot(&self, bucket: u32) -> Option<i64> {
        let now_ms = self.time.now_ms();
        let mut state = self.state();
        let free_ms = state.identify_slots.entry(bucket).or_default();
        if *free_ms > now_ms {
            return Some(*free_ms - now_ms);
        }
        *free_ms = now_ms + IDENTIFY_INTERVAL_MS;
        None
    }

    /// Returns how many processes share the requests to Discord; at least 1.
    pub(crate) fn gateways(&self) -> u32 {
        let state = self.state();
        let count = state.members.values().filter(|status| status.runs_gateway).count();
        u32::try_from(count).unwrap_or(u32::MAX).max(1)
    }

    pub(crate) fn ask(&self, request: &str) -> i64 {
        let now_ms = self.time.now_ms();
        let mut state = self.state();
        state.last_request += 1;
        let id = state.last_request;
        state.requests.insert(id, (request.to_owned(), None));
        state.queue.add_analysis(id, now_ms);
        self.queued.notify_waiters();
        id
    }

    pub(crate) fn request(&self, id: i64) -> Option<String> {
        let state = self.state();
        state.requests.get(&id).filter(|(_, answer)| answer.is_none()).map(|(request, _)| request.clone())
    }

    pub(crate) fn answer(&self, id: i64, answer: &str) {
        if let Some((_, place)) = self.state().requests.get_mut(&id) {
            *place = Some(answer.to_owned());
        }
    }

    pub(crate) fn take_answer(&self, id: i64) -> Option<String> {
        let mut state = self.state();
        let answer = state.requests.get(&id)?.1.clone()?;
        state.requests.remove(&id);
        Some(answer)
    }

    pub(crate) fn withdraw(&self, id: i64) {
        self.state().requests.remove(&id);
    }
}

impl Status {
    fn has_ended(&self, now_ms: i64) -> bool {
        let Some(seen_ms) = self.seen_ms else { return false };
        let most = if self.is_connected { MAX_SILENCE_MS } else { MAX_SILENCE_UNCONNECTED_MS };
        now_ms - seen_ms > most
    }
}

impl State {
    fn session_of(&self, member: Member) -> Option<u64> {
        self.members.get(&member).map(|status| status.session).filter(|session| *session != 0)
    }

    /// Puts the row of a process that others have removed.
    pub(super) fn note_seen(&mut self, member: Member, now_ms: i64) {
        if let Some(status) = self.members.get_mut(&member) {
            status.seen_ms.get_or_insert(now_ms);
        }
    }

    fn next_place(&mut self) -> u64 {
        self.places += 1;
        self.places
    }

    fn put_lane(&mut self, table: TableId, guild: Option<GuildId>, is_new: bool) {
        let since = self.next_place();
        let fresh = Lane { guild, version: 0, member: None, was_abandoned: false, since };
        let lane = self.lanes.entry(table).or_insert(fresh);
        lane.version += i64::from(is_new);
    }

    fn claim(&mut self, member: Member, table: TableId) -> Option<ClaimedTable> {
        let lane = self.lanes.get_mut(&table)?;
        lane.member = Some(member);
        let Lane { guild, version, was_abandoned, .. } = *lane;
        // The caller adds what the journal has.
        let (head, is_followed, due) = (0, false, Vec::new());
        Some(ClaimedTable { table, guild, version, was_abandoned, head, is_followed, due })
    }

    fn free_lanes(&mut self, member: Member) {
        for lane in self.lanes.values_mut().filter(|lane| lane.member == Some(member)) {
            (lane.member, lane.was_abandoned) = (None, true);
        }
    }

    /// Ends the session of a process, and frees what it had. It may still run, and reconnect.
    fn end(&mut self, member: Member) {
        self.free_lanes(member);
        self.queue.free_jobs_of(member);
        let Some(status) = self.members.get_mut(&member) else { return };
        let (session, is_connected) = (status.session, status.is_connected);
        status.session = 0;
        status.seen_ms = None;
        self.locks.retain(|_, owner| *owner != session);
        if !is_connected {
            self.members.remove(&member);
        }
    }
}
