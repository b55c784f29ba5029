//! The outbox: posts due items of the journal, in order for each table, for many tables concurrently, and for
//! servers in turn.
//!
//! A row is marked as posted only after Discord has accepted it, and its message carries a nonce, so that a
//! crash in between does not post it twice. Temporary failures are retried. After a permanent failure the row
//! is given up with its reason, and the table moves to a place where it can be seen.

mod attempts;
mod blocked_items;
mod boards;
mod claims;
mod delivery;
mod notifications;
mod round_robin;
mod sent_lookup;
mod table_lanes;
mod timing;
mod undelivered;
mod vote_message;
mod watchers;

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use attempts::Attempts;
use blocked_items::BlockedItems;
use claims::Claims;
use rookery_table::ports::{AfterFailure, CLAIMED_ROWS, DueItem, DueTable, Posted, StoreError};
use rookery_table::{OutageScope, TableId};
use rookery_tasks::{TaskSpec, heartbeat};
use round_robin::Tenant;
use table_lanes::{LaneResult, TableLanes};

use crate::discord::state::context::Context;
use crate::discord::wire::error::DiscordError;
use crate::shutdown::Stop;

/// The number of rows examined at a time for tables with due rows.
const PAGE: usize = 500;
/// The most rows of one table that are posted in a turn.
const MAX_PER_TURN: usize = CLAIMED_ROWS;
/// The interval between scans without a wake-up.
const POLL_INTERVAL: Duration = Duration::from_secs(30);
/// The same if other processes post as well: they may have ended, or a message about a change was lost.
const SHARED_POLL_INTERVAL: Duration = Duration::from_secs(2);
/// The longest retry delay that keeps a lane. With a longer one the lane serves other tables.
const MAX_RETRY_WAIT: Duration = Duration::from_secs(1);
/// How long a table is skipped after its lane panicked.
const PAUSE_AFTER_PANIC: Duration = Duration::from_secs(30);
/// The longest delay after an error of the journal: it is local, and may work again at any moment.
const JOURNAL_WAIT: Duration = Duration::from_secs(1);
/// The number of panics after which a row is given up.
const MAX_BUGS: u32 = 3;

/// The specification of the task for its supervisor.
pub(in crate::discord) const TASK: TaskSpec = TaskSpec { name: "outbox", interval: Some(POLL_INTERVAL) };

/// Processes the outbox until the program stops.
pub async fn work(ctx: Arc<Context>, stop: Stop) {
    // A row that must wait for a rate limit gives its lane to other tables.
    let ctx = Arc::new(ctx.yielding(MAX_RETRY_WAIT));
    let outbox = Outbox {
        ctx,
        blocked: Arc::default(),
        attempts: Attempts::default(),
        claims: Claims::default(),
        rechecked_threads: Arc::default(),
    };
    let outbox_wakeup = outbox.ctx.registry.outbox_wakeup();
    // Others may have blocked an item, or may have ended and left their tables.
    let is_shared = outbox.ctx.registry.cluster().is_some();
    let poll_interval = if is_shared { SHARED_POLL_INTERVAL } else { POLL_INTERVAL };
    let mut recalled_at = tokio::time::Instant::now();
    let (mut lanes, mut scanned) = (TableLanes::default(), 0);
    let (mut recalled, mut scanned_at, mut scans) = (false, tokio::time::Instant::now(), true);
    loop {
        heartbeat();
        let is_old = is_shared && recalled_at.elapsed() >= POLL_INTERVAL;
        if !recalled || is_old {
            recalled = outbox.load_blocked().await;
            recalled_at = tokio::time::Instant::now();
        }
        let requeued = outbox.requeue_granted().await;
        // A shared outbox is claimed before it is posted.
        for table in requeued.into_iter().filter(|_| !is_shared) {
            lanes.wake(Tenant::of(table.table, table.guild), table.table);
        }
        let found = match scans || scanned_at.elapsed() >= poll_interval {
            true => {
                scanned_at = tokio::time::Instant::now();
                outbox.scan(&mut lanes, &mut scanned).await
            }
            false => Ok(false),
        };
        let more = found.clone().unwrap_or_else(|why| {
            tracing::error!(why, "could not read the outbox; trying again");
            false
        });
        let wait = if recalled && found.is_ok() { poll_interval } else { JOURNAL_WAIT };
        // After a panic the table is skipped for a while.
        while lanes.begin_next(|table| {
            let lane =
                outbox.ctx.registry.tasks().measure("outbox lane", outbox.clone().post_table_rows(table));
            async { lane.await.unwrap_or(LaneResult::Later(PAUSE_AFTER_PANIC)) }
        }) {}
        scans = true;
        tokio::select! {
            biased;
            () = stop.finishing() => break,
            // The end of a lane makes no row due.
            () = lanes.next_event() => scans = !is_shared || outbox.claims.left_some(),
            () = outbox_wakeup.notified() => {}
            () = std::future::ready(()), if more => {}
            () = tokio::time::sleep(wait) => {
                // When there is time, a full scan finds any row that was missed.
                if lanes.are_idle() {
                    scanned = 0;
                }
            }
        }
    }
    lanes.finish().await;
}

#[derive(Clone)]
struct Outbox {
    ctx: Arc<Context>,
    blocked: Arc<Mutex<BlockedItems>>,
    attempts: Attempts,
    claims: Claims,
    rechecked_threads: Arc<Mutex<RecheckedThreads>>,
}

/// The tables whose thread was checked for being open again.
#[derive(Default)]
struct RecheckedThreads {
    /// The number of the session in which they were checked.
    session: u64,
    tables: HashSet<TableId>,
}

/// When a row is marked as posted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marking {
    AtOnce,
    /// Together with others. A row without a message waits for the next one with a message: after a crash in between it is
    /// done twice, which an edit may be. The last row is marked with the release of its table.
    Later,
}

/// How a row was settled.
enum Settled {
    /// The journal has stored it.
    Stored,
    /// It was posted, with this message, but is not marked.
    Unmarked(Option<Posted>),
}

/// A row that was posted and is not marked.
struct UnmarkedRow {
    row: DueItem,
    posted: Option<Posted>,
}

impl UnmarkedRow {
    /// The marks of rows.
    fn marks(rows: &[UnmarkedRow]) -> Vec<(i64, Option<Posted>)> {
        rows.iter().map(|unmarked| (unmarked.row.id, unmarked.posted)).collect()
    }
}

/// A row was not posted and will be retried.
struct RetryLater {
    why: String,
    /// The wait that Discord's rate limit requires; `None` for other errors.
    wait: Option<Duration>,
    /// Whether the journal failed, and not Discord.
    by_journal: bool,
}

impl From<StoreError> for RetryLater {
    fn from(error: StoreError) -> RetryLater {
        RetryLater { why: error.to_string(), wait: None, by_journal: true }
    }
}

impl From<String> for RetryLater {
    fn from(why: String) -> RetryLater {
        RetryLater { why, wait: None, by_journal: false }
    }
}

impl From<&str> for RetryLater {
    fn from(why: &str) -> RetryLater {
        why.to_owned().into()
    }
}

impl Outbox {
    /// Wakes the tables with due rows after those scanned before; returns whether there may be more.
    async fn scan(&self, lanes: &mut TableLanes, scanned: &mut i64) -> Result<bool, String> {
        if let Some(cluster) = self.ctx.registry.cluster() {
            return self.claim(cluster, lanes).await;
        }
        let page = self.ctx.registry.journal().due_tables(*scanned, PAGE).await;
        let page = page.map_err(|error| error.to_string())?;
        for DueTable { id, table, guild } in &page {
            lanes.wake(Tenant::of(*table, *guild), *table);
            *scanned = *id;
        }
        Ok(page.len() == PAGE)
    }

    /// Whether another process may have posted a row: one before this one, or one that had claimed its table.
    fn is_inherited(&self, row: &DueItem) -> bool {
        match self.ctx.registry.cluster() {
            None => row.id <= self.ctx.inherited(),
            Some(_) => self.claims.was_abandoned(row.table),
        }
    }

    /// Posts the due rows of a table in order, up to the limit of one turn.
    async fn post_table_rows(self, table: TableId) -> LaneResult {
        let rows = match self.claims.take_rows(table) {
            Some(rows) => Ok(rows),
            None => self.ctx.registry.journal().due_at(table, MAX_PER_TURN).await,
        };
        let rows = match rows {
            Ok(rows) => rows,
            Err(error) => {
                tracing::error!(%table, %error, "could not read the outbox; trying again");
                return LaneResult::Later(MAX_RETRY_WAIT);
            }
        };
        let count = rows.len();
        let marking = if self.ctx.registry.cluster().is_some() { Marking::Later } else { Marking::AtOnce };
        let mut unmarked = Vec::new();
        for (place, row) in rows.into_iter().enumerate() {
            // Another process may have posted the row by now.
            if !self.has(table) {
                self.mark(&mut unmarked).await;
                return self.forget(table);
            }
            let is_last = place + 1 == count && count < MAX_PER_TURN;
            match self.until_settled(row, marking).await {
                Ok(row) => {
                    let has_message = row.as_ref().is_some_and(|row| row.posted.is_some());
                    unmarked.extend(row);
                    if has_message && !is_last {
                        // Those before it are marked with it.
                        self.mark(&mut unmarked).await;
                    }
                }
                Err(wait) => {
                    self.mark(&mut unmarked).await;
                    return LaneResult::Later(wait);
                }
            }
        }
        if count == MAX_PER_TURN {
            self.mark(&mut unmarked).await;
            return LaneResult::More;
        }
        self.release(table, unmarked).await
    }

    /// Marks rows that were posted. Those that cannot be marked stay in the list; they are due again in the table's next
    /// turn, and this process doesn't post them again.
    async fn mark(&self, unmarked: &mut Vec<UnmarkedRow>) {
        let Some(cluster) = self.ctx.registry.cluster().filter(|_| !unmarked.is_empty()) else { return };
        match cluster.mark_all_posted(&UnmarkedRow::marks(unmarked)).await {
            Ok(()) => unmarked.drain(..).for_each(|unmarked| self.attempts.settled(&unmarked.row)),
            Err(error) => tracing::warn!(%error, "rows that were posted are marked later"),
        }
    }

    /// Retries a row until it is posted or given up; returns it if it is not marked yet.
    ///
    /// # Errors
    /// The delay until the next attempt, if it is too long for the lane.
    async fn until_settled(
        &self,
        mut row: DueItem,
        marking: Marking,
    ) -> Result<Option<UnmarkedRow>, Duration> {
        // Attempts are also counted in memory, because the journal may have failed to store them.
        row.tries = row.tries.max(self.attempts.of(&row, |attempts_of_row| attempts_of_row.tries));
        loop {
            let attempt = async { self.settle(&row, self.deliver(&row).await, marking).await };
            let settled = match self.ctx.registry.tasks().measure("outbox item", attempt).await {
                Some(settled) => settled,
                None => self.settle_panicked(&row).await,
            };
            let RetryLater { why, wait, by_journal } = match settled {
                Ok(Settled::Stored) => {
                    self.attempts.settled(&row);
                    return Ok(None);
                }
                Ok(Settled::Unmarked(posted)) => return Ok(Some(UnmarkedRow { row, posted })),
                Err(later) => later,
            };
            tracing::warn!(table = %row.table, say = row.item.key(), why, "not said yet");
            let is_limited = wait.is_some();
            let wait = wait.unwrap_or_else(|| self.attempts.failed(&row));
            let wait = if by_journal { wait.min(JOURNAL_WAIT) } else { wait };
            if !self.has(row.table) || wait > MAX_RETRY_WAIT || (by_journal && wait == JOURNAL_WAIT) {
                return Err(wait);
            }
            tokio::time::sleep(wait).await;
            row.tries += u32::from(!is_limited);
        }
    }

    /// After a panic a row is retried too, but at most [`MAX_BUGS`] times.
    async fn settle_panicked(&self, row: &DueItem) -> Result<Settled, RetryLater> {
        let why = "a fault of ours while saying it";
        let panics = self.attempts.of(row, |attempts_of_row| {
            attempts_of_row.panics += 1;
            attempts_of_row.panics
        });
        if panics < MAX_BUGS {
            return Err(why.into());
        }
        self.give_up(row, &DiscordError::internal(why)).await?;
        Ok(Settled::Stored)
    }

    /// Stores that a row was posted, or gives it up. An error means that it must be retried.
    async fn settle(
        &self,
        row: &DueItem,
        said: Result<Option<Posted>, DiscordError>,
        marking: Marking,
    ) -> Result<Settled, RetryLater> {
        let journal = self.ctx.registry.journal();
        let kept = match said {
            Ok(posted) => {
                self.attempts.of(row, |attempts_of_row| attempts_of_row.delivered = Some(posted));
                self.note_settled(row, None).await;
                if let Some(posted) = posted {
                    self.claims.note_posted(row, posted);
                }
                if marking == Marking::Later {
                    return Ok(Settled::Unmarked(posted));
                }
                journal.mark_posted(row.id, posted).await
            }
            Err(fault) if fault.is_temporary() => {
                self.note_waiting(row);
                let why = fault.to_string();
                if let DiscordError::RateLimited { wait } = fault {
                    return Err(RetryLater { wait: Some(wait), ..why.into() });
                }
                journal.mark_failed(row.id, &why, AfterFailure::Retry).await?;
                return Err(why.into());
            }
            Err(DiscordError::Unreadable(why)) => {
                self.ctx.registry.end_outage(OutageScope::Table(row.table)).await;
                journal.mark_failed(row.id, &why, AfterFailure::Unreadable).await
            }
            Err(fault) => self.give_up(row, &fault).await,
        };
        kept?;
        Ok(Settled::Stored)
    }
}
