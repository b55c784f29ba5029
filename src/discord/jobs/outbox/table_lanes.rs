//! The tables whose rows are being posted, each in a lane of its own. Servers take turns and have a limited
//! number of lanes each. A table that cannot be served now is skipped for a while, so that it does not hold
//! up others.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;

use rookery_table::{GuildId, TableId};

use super::round_robin::{RoundRobin, Tenant};

/// The most tables served concurrently.
const MAX_LANES: usize = 64;
/// The most lanes for tables whose last turn failed, so that the others always have lanes left.
const MAX_RETRIES: usize = MAX_LANES / 2;
/// The most lanes of one server, so that slow servers leave lanes for others.
const MAX_PER_SERVER: usize = 8;
/// How long a table is skipped after its lane panicked.
const PAUSE_AFTER_BUG: Duration = Duration::from_secs(30);
/// How long running lanes may take when the program stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// The result of a lane's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaneResult {
    /// All due rows are posted.
    Done,
    /// There are more rows for the table's next turn.
    More,
    /// A row must wait for this time.
    Later(Duration),
}

/// A lane that is running, and its table.
#[derive(Clone, Copy)]
struct ActiveTable {
    tenant: Tenant,
    table: TableId,
    is_retry: bool,
}

/// The lanes, and the tables that wait for one.
#[derive(Default)]
pub(super) struct TableLanes {
    busy: HashMap<Id, ActiveTable>,
    fresh: RoundRobin,
    /// Tables whose last turn failed and that may be retried now.
    retries: RoundRobin,
    /// Tables that are skipped, with the time until when.
    delayed: HashMap<TableId, (Tenant, Instant)>,
    /// Tables in a lane for which more rows have become due.
    again: HashSet<TableId>,
    tasks: JoinSet<LaneResult>,
}

impl TableLanes {
    /// Records that a row is due for a table.
    pub(super) fn wake(&mut self, tenant: Tenant, table: TableId) {
        if self.busy.values().any(|busy| busy.table == table) {
            self.again.insert(table);
        } else if !self.delayed.contains_key(&table) && !self.retries.has(table) {
            self.fresh.push(tenant, table);
        }
    }

    /// Starts a lane for the next table, if one is free.
    pub(super) fn begin_next<L>(&mut self, lane: impl Fn(TableId) -> L) -> bool
    where
        L: Future<Output = LaneResult> + Send + 'static,
    {
        let Some(next) = self.next() else { return false };
        let task = self.tasks.spawn(lane(next.table));
        self.busy.insert(task.id(), next);
        true
    }

    fn next(&mut self) -> Option<ActiveTable> {
        if self.busy.len() >= MAX_LANES {
            return None;
        }
        self.queue_expired_delays();
        let busy: Vec<ActiveTable> = self.busy.values().copied().collect();
        let count = |tenant, retries: bool| {
            busy.iter().filter(|busy| busy.tenant == tenant && (busy.is_retry || !retries)).count()
        };
        let has_room = |tenant| count(tenant, false) < MAX_PER_SERVER;
        let may_retry = |tenant| has_room(tenant) && count(tenant, true) < MAX_PER_SERVER / 2;
        let is_room = busy.iter().filter(|busy| busy.is_retry).count() < MAX_RETRIES;
        let retry = if is_room { self.retries.pop(may_retry) } else { None };
        let is_retry = retry.is_some();
        let (tenant, table) = retry.or_else(|| self.fresh.pop(has_room))?;
        Some(ActiveTable { tenant, table, is_retry })
    }

    /// Queues the tables whose delay is over for a retry.
    fn queue_expired_delays(&mut self) {
        let now = Instant::now();
        let mut over: Vec<_> = self.delayed.extract_if(|_, (_, until)| *until <= now).collect();
        over.sort_unstable_by_key(|(_, (_, until))| *until);
        over.into_iter().for_each(|(table, (tenant, _))| self.retries.push(tenant, table));
    }

    /// Completes when a lane is done or a table's delay is over; never, if there is neither.
    pub(super) async fn next_event(&mut self) {
        let next = self.delayed.values().map(|(_, until)| *until).min();
        let waited = async {
            match next {
                Some(until) => tokio::time::sleep_until(until).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            Some(done) = self.tasks.join_next_with_id() => self.end(done),
            () = waited => {}
        }
    }

    fn end(&mut self, done: Result<(Id, LaneResult), JoinError>) {
        let (task, outcome) = done.unwrap_or_else(|error| {
            tracing::error!(%error, "unexpected error in the outbox");
            (error.id(), LaneResult::Later(PAUSE_AFTER_BUG))
        });
        let Some(ActiveTable { tenant, table, .. }) = self.busy.remove(&task) else { return };
        let more = self.again.remove(&table);
        match outcome {
            LaneResult::Later(wait) => drop(self.delayed.insert(table, (tenant, Instant::now() + wait))),
            LaneResult::More => self.fresh.push(tenant, table),
            LaneResult::Done if more => self.fresh.push(tenant, table),
            LaneResult::Done => {}
        }
    }

    /// Returns how many more tables can be served or wait for a lane, so that every lane has its next table.
    pub(super) fn free_places(&self) -> usize {
        (2 * MAX_LANES).saturating_sub(self.busy.len() + self.fresh.len())
    }

    /// Returns the servers that can be served no faster.
    pub(super) fn full_servers(&self) -> Vec<GuildId> {
        let mut counts: HashMap<GuildId, usize> = HashMap::new();
        for tenant in self.busy.values().map(|busy| busy.tenant).chain(self.fresh.tenants()) {
            if let Tenant::Server(guild) = tenant {
                *counts.entry(guild).or_default() += 1;
            }
        }
        counts.into_iter().filter(|(_, count)| *count >= MAX_PER_SERVER).map(|(guild, _)| guild).collect()
    }

    /// Whether no lane runs and no table waits for one.
    pub(super) fn are_idle(&self) -> bool {
        self.busy.is_empty() && self.fresh.is_empty()
    }

    /// Waits for running lanes, up to [`SHUTDOWN_TIMEOUT`].
    pub(super) async fn finish(mut self) {
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(SHUTDOWN_TIMEOUT, all).await.is_err() {
            tracing::info!("unsent messages wait in the journal for the next start");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(number: usize) -> TableId {
        format!("K7Q2{}{}", char::from(b"ABCDEFGHJKMN"[number / 8]), number % 8 + 2).parse().unwrap()
    }

    /// Wakes a table that is a tenant of its own.
    fn wake(lanes: &mut TableLanes, number: usize) {
        lanes.wake(Tenant::Alone(table(number)), table(number));
    }

    /// Starts all lanes that may start; returns their tables.
    fn begin_all(lanes: &mut TableLanes, lane: impl Fn(TableId) -> LaneResult) -> Vec<TableId> {
        let attempts = std::cell::RefCell::new(Vec::new());
        while lanes.begin_next(|table| {
            attempts.borrow_mut().push(table);
            std::future::ready(lane(table))
        }) {}
        attempts.into_inner()
    }

    #[tokio::test(start_paused = true)]
    async fn panicking_lanes_pause_only_their_table() {
        let mut lanes = TableLanes::default();
        wake(&mut lanes, 0);
        wake(&mut lanes, 1);
        assert!(lanes.begin_next(|_| async {
            tokio::time::sleep(Duration::from_secs(100)).await;
            LaneResult::Done
        }));
        assert!(lanes.begin_next(|_| async { panic!("a fault that is meant") }));
        lanes.next_event().await;
        wake(&mut lanes, 0);
        wake(&mut lanes, 1);
        assert_eq!(begin_all(&mut lanes, |_| LaneResult::Done), [], "one is busy, the other a fault again");
        lanes.next_event().await;
        assert_eq!(begin_all(&mut lanes, |_| LaneResult::Done), [table(1)]);
        lanes.next_event().await;
        lanes.next_event().await;
        assert_eq!(begin_all(&mut lanes, |_| LaneResult::Done), [table(0)], "more was due for it meanwhile");
    }

    #[tokio::test(start_paused = true)]
    async fn failing_tables_leave_lanes_for_the_others() {
        let mut lanes = TableLanes::default();
        (0..MAX_LANES).for_each(|number| wake(&mut lanes, number));
        let wait = Duration::from_secs(2);
        assert_eq!(begin_all(&mut lanes, |_| LaneResult::Later(wait)).len(), MAX_LANES);
        wake(&mut lanes, 90);
        assert_eq!(begin_all(&mut lanes, |_| LaneResult::Done), [], "there is no room");
        for _ in 0..MAX_LANES {
            lanes.next_event().await;
        }
        tokio::time::advance(wait).await;
        let mut attempts = 0;
        while lanes.begin_next(|_| std::future::pending()) {
            attempts += 1;
        }
        assert_eq!(attempts, MAX_RETRIES + 1, "half of the lanes for those, and the new one");
    }

    #[tokio::test(start_paused = true)]
    async fn one_server_never_holds_all_lanes() {
        let mut lanes = TableLanes::default();
        (0..80).for_each(|number| lanes.wake(Tenant::Server(GuildId(1)), table(number)));
        let mut attempts = 0;
        while lanes.begin_next(|_| std::future::pending()) {
            attempts += 1;
        }
        assert_eq!(attempts, MAX_PER_SERVER);
        lanes.wake(Tenant::Server(GuildId(2)), table(90));
        assert_eq!(begin_all(&mut lanes, |_| LaneResult::Done), [table(90)]);
    }
}
