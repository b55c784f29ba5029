//! The outbox: says what the journal holds due, in order for each table, all tables at once.
//!
//! A row is marked as said only after Discord has taken it, and carries a nonce, so that a crash in
//! between says nothing twice. What fails for the moment is tried again; what fails for good is
//! given up with its reason, and the table moves to where it can be seen.

mod lost;
mod news;
mod say;
mod tally;
mod watchers;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::ops::stop::Stop;
use crate::table::TableId;
use crate::table::ports::Due;

use super::desk::Desk;
use super::fault::Fault;
use lost::Lost;

/// Tables that are being spoken for at once.
const LANES_MOST: usize = 32;
/// Rows read at a time.
const PAGE: usize = 200;
/// The outbox looks by itself this often, besides when it is rung for.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// The wait after a first failure; it doubles with each further one.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait between two tries.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// For how long a channel that refused us is not tried again: Discord bans who keeps trying.
pub(super) const SHUN: Duration = Duration::from_secs(600);
/// How long rows in the making may take when the program stops.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Works through the outbox until the program stops.
pub async fn work(desk: Arc<Desk>, stop: Stop) {
    let outbox = Outbox { desk, shunned: Arc::default(), lost: Arc::default() };
    let bell = outbox.desk.hall.bell();
    let mut lanes = Lanes::default();
    loop {
        outbox.take_up_lost().await;
        if let Err(why) = outbox.fill(&mut lanes).await {
            tracing::error!(why, "the outbox cannot be read; trying again");
        }
        tokio::select! {
            () = bell.notified() => {}
            () = lanes.one_done() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = stop.finishing() => break,
        }
    }
    lanes.finish().await;
}

/// The tables being spoken for.
#[derive(Default)]
struct Lanes {
    busy: HashSet<TableId>,
    tasks: JoinSet<TableId>,
}

impl Lanes {
    /// Returns when a lane is done; never, if there is none.
    async fn one_done(&mut self) {
        match self.tasks.join_next().await {
            Some(Ok(table)) => drop(self.busy.remove(&table)),
            Some(Err(error)) => {
                // Which one it was is not told: all are looked at again, and those at work go on.
                tracing::error!(%error, "a fault in the outbox");
                self.busy.clear();
            }
            None => std::future::pending().await,
        }
    }

    async fn finish(mut self) {
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(LAST_WORDS, all).await.is_err() {
            tracing::info!("what is not yet said waits in the journal for the next start");
        }
    }
}

#[derive(Clone)]
struct Outbox {
    desk: Arc<Desk>,
    shunned: Arc<Mutex<HashMap<u64, Instant>>>,
    lost: Arc<Mutex<HashMap<TableId, Lost>>>,
}

impl Outbox {
    /// Gives every table with something due a lane, as long as there are lanes.
    async fn fill(&self, lanes: &mut Lanes) -> Result<(), String> {
        let mut after = 0;
        loop {
            let page = self.desk.hall.journal().due(after, PAGE).await.map_err(|e| e.to_string())?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.id;
            let full = page.len() == PAGE;
            let mut fresh: Vec<TableId> = page.iter().map(|due| due.table).collect();
            fresh.dedup();
            for table in fresh {
                if lanes.tasks.len() >= LANES_MOST {
                    return Ok(());
                }
                if lanes.busy.insert(table) {
                    let rows = page.iter().filter(|due| due.table == table).cloned().collect();
                    lanes.tasks.spawn(self.clone().lane(table, rows));
                }
            }
            if !full {
                return Ok(());
            }
        }
    }

    /// Says one table's rows in order.
    async fn lane(self, table: TableId, rows: Vec<Due>) -> TableId {
        for row in rows {
            self.until_settled(row).await;
        }
        table
    }

    /// Tries a row until it is said or given up.
    async fn until_settled(&self, mut row: Due) {
        let mut wait = FIRST_WAIT;
        loop {
            match self.settle(&row).await {
                Ok(()) => return,
                Err(why) => tracing::warn!(table = %row.table, say = row.say.key(), why, "not said yet"),
            }
            tokio::time::sleep(wait).await;
            row.tries += 1;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    /// Says a row, or gives it up. The error means: try again later.
    async fn settle(&self, row: &Due) -> Result<(), String> {
        let journal = self.desk.hall.journal();
        let kept = match self.say(row).await {
            Ok(posted) => journal.said(row.id, posted).await,
            Err(fault) if fault.passes() => {
                let why = fault.to_string();
                journal.unsaid(row.id, &why, false).await.map_err(|error| error.to_string())?;
                return Err(why);
            }
            Err(fault) => {
                tracing::warn!(table = %row.table, say = row.say.key(), %fault, "given up");
                let given_up = journal.unsaid(row.id, &fault.to_string(), true).await;
                self.note_lost(row, &fault).await;
                given_up
            }
        };
        kept.map_err(|error| error.to_string())
    }

    /// Whether a channel refused us lately.
    fn shuns(&self, channel: u64) -> bool {
        let mut shunned = self.shunned.lock().unwrap_or_else(PoisonError::into_inner);
        shunned.retain(|_, until| *until > Instant::now());
        shunned.contains_key(&channel)
    }

    /// Remembers a channel that refused us.
    fn note_refusal(&self, channel: u64, fault: &Fault) {
        if matches!(fault, Fault::NoAccess { .. }) {
            let mut shunned = self.shunned.lock().unwrap_or_else(PoisonError::into_inner);
            shunned.insert(channel, Instant::now() + SHUN);
        }
    }
}
