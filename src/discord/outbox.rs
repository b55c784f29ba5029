//! The outbox: says what the journal holds due, in order for each table, many tables at once, server by server in
//! turn.
//!
//! A row is marked as said only after Discord has taken it, and carries a nonce, so that a crash in
//! between says nothing twice. What fails for the moment is tried again; what fails for good is
//! given up with its reason, and the table moves to where it can be seen.

mod begun;
mod lanes;
mod lost;
mod news;
mod say;
mod sent;
mod tally;
mod turns;
mod unseen;
mod watchers;

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::ops::stop::Stop;
use rookery_table::ports::{Due, DueTable, Fate, JournalError};
use rookery_table::{Part, TableId};
use rookery_tasks::{Task, beat};

use super::desk::Desk;
use super::fault::Fault;
use begun::Begun;
use lanes::{Lanes, Outcome};
use lost::AllLost;
use turns::Tenant;

/// Rows looked through at a time for tables with something due.
const PAGE: usize = 500;
/// Rows of one table said in a turn.
const MAX_PER_TURN: usize = 8;
/// The outbox looks by itself this often, besides when it is rung for.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// The longest wait for a next try that keeps a lane. Whoever has to wait longer gives it to others.
const PATIENCE: Duration = Duration::from_secs(1);
/// For how long a table is left alone whose lane panicked.
const AFTER_PANIC: Duration = Duration::from_secs(30);
/// The longest wait for a journal that could not be read or written: it is at hand, and works again at any moment.
const JOURNAL_WAIT: Duration = Duration::from_secs(1);
/// Faults of ours after which a row is given up.
const FAULTS_MOST: u32 = 3;

/// What its supervisor knows of it.
pub(super) const TASK: Task = Task { name: "outbox", interval: Some(LOOK_EVERY) };

/// Works through the outbox until the program stops.
pub async fn work(desk: Arc<Desk>, stop: Stop) {
    // Whoever has to wait for a rate limit gives the lane to others.
    let desk = Arc::new(desk.yielding(PATIENCE));
    let outbox = Outbox { desk, lost: Arc::default(), begun: Begun::default(), looked_back: Arc::default() };
    let bell = outbox.desk.hall.bell();
    let (mut lanes, mut scanned) = (Lanes::default(), 0);
    let mut recalled = false;
    loop {
        beat();
        recalled = recalled || outbox.recall_lost().await;
        for table in outbox.take_up_lost().await {
            lanes.wake(Tenant::of(table.table, table.guild), table.table);
        }
        let found = outbox.scan(&mut lanes, &mut scanned).await;
        let more = found.clone().unwrap_or_else(|why| {
            tracing::error!(why, "the outbox cannot be read; trying again");
            false
        });
        let wait = if recalled && found.is_ok() { LOOK_EVERY } else { JOURNAL_WAIT };
        while lanes.begin_next(|table| outbox.measured_lane(table)) {}
        tokio::select! {
            () = bell.notified() => {}
            () = lanes.one_done() => {}
            () = std::future::ready(()), if more => {}
            () = tokio::time::sleep(wait) => {
                // Whatever was missed is found once there is time for it.
                if lanes.are_idle() {
                    scanned = 0;
                }
            }
            () = stop.finishing() => break,
        }
    }
    lanes.finish().await;
}

#[derive(Clone)]
struct Outbox {
    desk: Arc<Desk>,
    lost: Arc<Mutex<AllLost>>,
    begun: Begun,
    looked_back: Arc<Mutex<LookedBack>>,
}

/// Tables for which it was looked whether their thread takes messages again.
#[derive(Default)]
struct LookedBack {
    /// The session in which they were looked at, by its number.
    session: u64,
    tables: HashSet<TableId>,
}

/// Something was not said, and will be tried again.
struct NotYet {
    why: String,
    /// For how long Discord asks to wait, where it was not asked yet or said so.
    wait: Option<Duration>,
    /// Whether it is the journal that failed.
    by_journal: bool,
}

impl From<JournalError> for NotYet {
    fn from(error: JournalError) -> NotYet {
        NotYet { why: error.to_string(), wait: None, by_journal: true }
    }
}

impl From<String> for NotYet {
    fn from(why: String) -> NotYet {
        NotYet { why, wait: None, by_journal: false }
    }
}

impl From<&str> for NotYet {
    fn from(why: &str) -> NotYet {
        why.to_owned().into()
    }
}

impl Outbox {
    /// Finds tables with something due that came after what was looked through before; whether there may be more.
    async fn scan(&self, lanes: &mut Lanes, scanned: &mut i64) -> Result<bool, String> {
        let page = self.desk.hall.journal().due_tables(*scanned, PAGE).await;
        let page = page.map_err(|error| error.to_string())?;
        for DueTable { id, table, guild } in &page {
            lanes.wake(Tenant::of(*table, *guild), *table);
            *scanned = *id;
        }
        Ok(page.len() == PAGE)
    }

    /// Whether a row was there before this process: the one before may have posted what it says.
    fn is_inherited(&self, row: &Due) -> bool {
        row.id <= self.desk.inherited()
    }

    /// The same as [`Outbox::lane`], measured; after a panic the table is left alone for a while.
    fn measured_lane(&self, table: TableId) -> impl Future<Output = Outcome> + Send + use<> {
        let lane = self.desk.hall.tasks().measure("outbox lane", self.clone().lane(table));
        async { lane.await.unwrap_or(Outcome::Later(AFTER_PANIC)) }
    }

    /// Says what is due for a table, in order, as much as comes in one turn.
    async fn lane(self, table: TableId) -> Outcome {
        let rows = match self.desk.hall.journal().due_at(table, MAX_PER_TURN).await {
            Ok(rows) => rows,
            Err(error) => {
                tracing::error!(%table, %error, "the outbox cannot be read; trying again");
                return Outcome::Later(PATIENCE);
            }
        };
        let outcome = if rows.len() == MAX_PER_TURN { Outcome::More } else { Outcome::Done };
        for row in rows {
            if let Some(wait) = self.until_settled(row).await {
                return Outcome::Later(wait);
            }
        }
        outcome
    }

    /// Tries a row until it is said or given up; how long to wait where that takes long.
    async fn until_settled(&self, mut row: Due) -> Option<Duration> {
        // What was tried is counted where the journal could not be told.
        row.tries = row.tries.max(self.begun.of(&row, |deeds| deeds.tries));
        loop {
            let NotYet { why, wait, by_journal } = match self.settle_or_fault(&row).await {
                Ok(()) => {
                    self.begun.settled(&row);
                    return None;
                }
                Err(not_yet) => not_yet,
            };
            tracing::warn!(table = %row.table, say = row.say.key(), why, "not said yet");
            let is_limited = wait.is_some();
            let wait = wait.unwrap_or_else(|| self.begun.failed(&row));
            let wait = if by_journal { wait.min(JOURNAL_WAIT) } else { wait };
            if wait > PATIENCE || (by_journal && wait == JOURNAL_WAIT) {
                return Some(wait);
            }
            tokio::time::sleep(wait).await;
            row.tries += u32::from(!is_limited);
        }
    }

    /// The same as [`Outbox::settle`]; a fault of ours in it is tried again as well, but not for ever.
    async fn settle_or_fault(&self, row: &Due) -> Result<(), NotYet> {
        if let Some(settled) = self.desk.hall.tasks().measure("outbox item", self.settle(row)).await {
            return settled;
        }
        let why = "a fault of ours while saying it";
        let faults = self.begun.of(row, |deeds| {
            deeds.faults += 1;
            deeds.faults
        });
        if faults < FAULTS_MOST {
            return Err(why.into());
        }
        Ok(self.give_up(row, &Fault::ours(why)).await?)
    }

    /// Says a row, or gives it up. The error means: try again later. What was said is not said again because the
    /// journal did not take that.
    async fn settle(&self, row: &Due) -> Result<(), NotYet> {
        let journal = self.desk.hall.journal();
        let said = match self.begun.of(row, |deeds| deeds.said) {
            Some(posted) => Ok(posted),
            None => self.say(row).await,
        };
        let kept = match said {
            Ok(posted) => {
                self.begun.of(row, |deeds| deeds.said = Some(posted));
                self.note_settled(row, None).await;
                journal.said(row.id, posted).await
            }
            Err(fault) if fault.passes() => {
                self.note_waiting(row);
                let why = fault.to_string();
                if let Fault::Busy { wait } = fault {
                    return Err(NotYet { wait: Some(wait), ..why.into() });
                }
                journal.unsaid(row.id, &why, Fate::Later).await?;
                return Err(why.into());
            }
            Err(Fault::Unreadable(why)) => {
                self.desk.hall.regain(Part::Table(row.table)).await;
                journal.unsaid(row.id, &why, Fate::Unreadable).await
            }
            Err(fault) => self.give_up(row, &fault).await,
        };
        Ok(kept?)
    }
}
