//! The outbox: says what the journal holds due, in order for each table, all tables at once.
//!
//! A row is marked as said only after Discord has taken it, and carries a nonce, so that a crash in
//! between says nothing twice. What fails for the moment is tried again; what fails for good is
//! given up with its reason, and the table moves to where it can be seen.

mod begun;
mod lanes;
mod lost;
mod news;
mod say;
mod tally;
mod unseen;
mod watchers;

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt;

use crate::ops::stop::Stop;
use crate::table::ports::{Due, Fate};
use crate::table::{Part, TableId};

use super::desk::Desk;
use super::fault::Fault;
use begun::Begun;
use lanes::Lanes;
use lost::AllLost;

/// Rows read at a time.
const PAGE: usize = 200;
/// The outbox looks by itself this often, besides when it is rung for.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// The longest wait for a next try that keeps a lane. Whoever has to wait longer gives it to others.
const PATIENCE: Duration = Duration::from_secs(1);
/// Faults of ours after which a row is given up.
const FAULTS_MOST: u32 = 3;

/// Works through the outbox until the program stops.
pub async fn work(desk: Arc<Desk>, stop: Stop) {
    let outbox = Outbox { desk, lost: Arc::default(), begun: Begun::default() };
    let bell = outbox.desk.hall.bell();
    let mut lanes = Lanes::default();
    let mut recalled = false;
    loop {
        recalled = recalled || outbox.recall_lost().await;
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

#[derive(Clone)]
struct Outbox {
    desk: Arc<Desk>,
    lost: Arc<Mutex<AllLost>>,
    begun: Begun,
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
                if !lanes.have_room() {
                    return Ok(());
                }
                if lanes.take(table) {
                    let rows = page.iter().filter(|due| due.table == table).cloned().collect();
                    lanes.begin(table, self.clone().lane(rows));
                }
            }
            if !full {
                return Ok(());
            }
        }
    }

    /// Says one table's rows in order; for how long to leave it alone where one cannot be said now.
    async fn lane(self, rows: Vec<Due>) -> Option<Duration> {
        for row in rows {
            if let Some(wait) = self.until_settled(row).await {
                return Some(wait);
            }
        }
        None
    }

    /// Tries a row until it is said or given up; how long to wait where that takes long.
    async fn until_settled(&self, mut row: Due) -> Option<Duration> {
        // What was tried is counted where the journal could not be told.
        row.tries = row.tries.max(self.begun.of(&row, |deeds| deeds.tries));
        loop {
            match self.settle_or_fault(&row).await {
                Ok(()) => {
                    self.begun.settled(&row);
                    return None;
                }
                Err(why) => tracing::warn!(table = %row.table, say = row.say.key(), why, "not said yet"),
            }
            let wait = self.begun.failed(&row);
            if wait > PATIENCE {
                return Some(wait);
            }
            tokio::time::sleep(wait).await;
            row.tries += 1;
        }
    }

    /// The same as [`Outbox::settle`]; a fault of ours in it is tried again as well, but not for ever.
    async fn settle_or_fault(&self, row: &Due) -> Result<(), String> {
        if let Ok(settled) = AssertUnwindSafe(self.settle(row)).catch_unwind().await {
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
        self.give_up(row, &Fault::ours(why)).await.map_err(|error| error.to_string())
    }

    /// Says a row, or gives it up. The error means: try again later. What was said is not said again because the
    /// journal did not take that.
    async fn settle(&self, row: &Due) -> Result<(), String> {
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
                journal.unsaid(row.id, &why, Fate::Later).await.map_err(|error| error.to_string())?;
                return Err(why);
            }
            Err(Fault::Unreadable(why)) => {
                self.desk.hall.regain(Part::Table(row.table)).await;
                journal.unsaid(row.id, &why, Fate::Unreadable).await
            }
            Err(fault) => self.give_up(row, &fault).await,
        };
        kept.map_err(|error| error.to_string())
    }
}
