//! A table's own task: takes orders one at a time, decides, records, becomes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::clock::Span;
use super::hall::Hall;
use super::ports::{Batch, Entry, JournalError};
use super::say::{self, Note, Say};
use super::words::{By, Denied, Event, Order, Person, Refused, Status};
use super::{Table, TableId, state};

/// How long a table that nobody asks for stays in memory.
const IDLE: Duration = Duration::from_secs(600);

/// What an order led to.
#[derive(Clone)]
pub struct Seen {
    /// The table after it.
    pub table: Arc<Table>,
    /// What happened; empty if the table was only looked at.
    pub events: Vec<Event>,
}

/// What a table's mailbox takes.
pub(super) enum Letter {
    /// Carry this out.
    Order { by: By, order: Order, source: Option<u64>, reply: oneshot::Sender<Result<Seen, Denied>> },
    /// Show yourself.
    See { reply: oneshot::Sender<Result<Seen, Denied>> },
    /// Take a person out of what is kept. `over`: it is known from elsewhere that nobody needs to leave the game first,
    /// should it not be readable.
    Forget { who: Person, over: bool, reply: oneshot::Sender<Result<(), Denied>> },
}

/// The task of one table.
pub(super) struct Host {
    hall: Arc<Hall>,
    id: TableId,
    /// `None` until loaded, and after a fault.
    table: Option<Arc<Table>>,
    /// Whether the journal knew no such table when it was last asked.
    nobody: bool,
    mail: mpsc::Receiver<Letter>,
    /// The mailbox by which this task is known, should another have taken its place.
    own: mpsc::WeakSender<Letter>,
}

impl Host {
    pub(super) fn new(
        hall: Arc<Hall>,
        id: TableId,
        table: Option<Table>,
        (mail, own): (mpsc::Receiver<Letter>, mpsc::WeakSender<Letter>),
    ) -> Host {
        Host { hall, id, table: table.map(Arc::new), nobody: false, mail, own }
    }

    /// Answers letters until nobody writes any more.
    pub(super) async fn run(mut self) {
        loop {
            match tokio::time::timeout(IDLE, self.mail.recv()).await {
                Ok(Some(letter)) => self.answer(letter).await,
                Ok(None) => return,
                Err(_) if self.leaves() => return,
                Err(_) => {}
            }
            // Anybody can ask for names of tables that are not there.
            if self.nobody && self.leaves() {
                return;
            }
        }
    }

    fn leaves(&self) -> bool {
        self.hall.forget(self.id, &self.own, &self.mail)
    }

    async fn answer(&mut self, letter: Letter) {
        // Whoever asked may have gone away meanwhile: then nobody needs the answer.
        match letter {
            Letter::See { reply } => {
                let seen = self.table().await.map(|table| Seen { table, events: Vec::new() });
                let _ = reply.send(seen);
            }
            Letter::Forget { who, over, reply } => {
                let _ = reply.send(self.forget(who, over).await);
            }
            Letter::Order { by, order, source, reply } => {
                let answer = self.carry_out(by, order, source).await;
                self.hall.count(&answer);
                let _ = reply.send(answer);
            }
        }
    }

    async fn table(&mut self) -> Result<Arc<Table>, Denied> {
        if let Some(table) = &self.table {
            return Ok(table.clone());
        }
        let loaded = self.hall.load(self.id).await;
        self.nobody = matches!(loaded, Err(Denied::NoTable(_)));
        let table = Arc::new(loaded?);
        self.hall.note_current(&table);
        self.table = Some(table.clone());
        Ok(table)
    }

    /// Takes a person out of the table's record; the whole record, where nobody else has a part in it. A game that
    /// goes on and cannot be read stays as it is: their seat could not be left.
    async fn forget(&mut self, who: Person, over: bool) -> Result<(), Denied> {
        let table = self.table().await;
        let hall = self.hall.clone();
        if table.as_ref().is_ok_and(|table| table.is_only_of(who)) {
            let erased = hall.journal().privacy().erase(self.id).await;
            erased.map_err(|error| hall.failed_at(self.id, &error))?;
            hall.let_go_of(self.id);
        } else if matches!(table, Err(Denied::Unreadable(_))) && !over {
            return Err(Denied::Unreadable(self.id));
        } else {
            let taken = hall.journal().privacy().take_out(who, self.id, hall.now_ms()).await;
            taken.map_err(|error| hall.failed_at(self.id, &error))?;
        }
        self.table = None;
        // What is kept in memory for look-ups must not name the person any more.
        if table.is_ok_and(|table| *table.status() == Status::Running) {
            drop(self.table().await);
        }
        Ok(())
    }

    /// Another process may have moved the table on: then the decision is made again, once, on what
    /// is true now.
    async fn carry_out(&mut self, by: By, order: Order, source: Option<u64>) -> Result<Seen, Denied> {
        match self.try_once(by, &order, source).await {
            Err(Trouble::Conflict) => self.try_once(by, &order, source).await.map_err(Trouble::denied),
            result => result.map_err(Trouble::denied),
        }
    }

    async fn try_once(&mut self, by: By, order: &Order, source: Option<u64>) -> Result<Seen, Trouble> {
        let table = self.table().await.map_err(Trouble::Denied)?;
        let now_ms = self.hall.now_ms();
        let moment = Moment { now_ms, lost: self.hall.losses(&table, now_ms) };
        let work = {
            let (table, order) = (table.clone(), order.clone());
            move || guarded(&table, by, &order, source, &moment)
        };
        // The rules read a move among all legal ones, count and search: that may take long on a large board.
        let decided = self.hall.tasks().compute("decision", work).await.unwrap_or(Err(Denied::Fault));
        if matches!(decided, Err(Denied::Fault)) {
            self.table = None;
        }
        let (after, batch) = decided.map_err(Trouble::Denied)?;
        if batch.entries.is_empty() {
            return Ok(Seen { table, events: Vec::new() });
        }
        self.hall.journal().append(&batch).await.map_err(|error| self.not_taken(error))?;
        let after = Arc::new(after);
        self.table = Some(after.clone());
        self.hall.note_current(&after);
        self.hall.answered(&table, by, order).await;
        self.hall.written(&after, &batch);
        Ok(Seen { table: after, events: batch.entries.into_iter().map(|entry| entry.event).collect() })
    }

    fn not_taken(&mut self, error: JournalError) -> Trouble {
        // What is in memory may no longer be what is written: it is read again before the next use.
        self.table = None;
        match error {
            JournalError::Conflict(_) => Trouble::Conflict,
            error => Trouble::Denied(self.hall.failed_at(self.id, &error)),
        }
    }
}

enum Trouble {
    Conflict,
    Denied(Denied),
}

impl Trouble {
    fn denied(self) -> Denied {
        match self {
            Trouble::Conflict => Denied::Journal("the table is being moved on by somebody else".into()),
            Trouble::Denied(denied) => denied,
        }
    }
}

/// What an order meets outside its table.
struct Moment {
    now_ms: i64,
    /// Times in which nobody could move, of which the table has not been told.
    lost: Vec<Span>,
}

/// A fault in the rules must not take the process along, nor leave half a table behind.
fn guarded(
    table: &Table,
    by: By,
    order: &Order,
    source: Option<u64>,
    moment: &Moment,
) -> Result<(Table, Batch), Denied> {
    let decided = catch_unwind(AssertUnwindSafe(|| {
        // A clock that was set back must not make a table's time run backwards.
        let now_ms = moment.now_ms.max(table.at_ms());
        let lost: Vec<_> = table.given_back(&moment.lost, now_ms).into_iter().collect();
        let mut entries = number(lost, table.sequence(), now_ms, None);
        let told = advance(table, &entries)?;
        let events = state::decide(&told, by, order, source, now_ms)?;
        entries.extend(number(events, told.sequence(), now_ms, source));
        let (after, batch) = become_next(table, entries)?;
        Ok((after, if matches!(order, Order::Part { .. }) { for_good(batch) } else { batch }))
    }));
    decided.unwrap_or_else(|_| {
        tracing::error!(table = %table.id(), ?order, "a fault while deciding; the table is loaded afresh");
        Err(Denied::Fault)
    })
}

/// Gives events their numbers.
pub(super) fn number(events: Vec<Event>, after: u64, at_ms: i64, source: Option<u64>) -> Vec<Entry> {
    let numbers = after + 1..;
    numbers.zip(events).map(|(sequence, event)| Entry { sequence, at_ms, source, event }).collect()
}

fn become_next(table: &Table, entries: Vec<Entry>) -> Result<(Table, Batch), Denied> {
    let after = advance(table, &entries)?;
    let batch = batch(Some(table), &after, entries);
    Ok((after, batch))
}

/// Whoever leaves with all that is known of them is not said to leave for a while.
fn for_good(mut batch: Batch) -> Batch {
    for say in &mut batch.says {
        if let Say::Note { note: note @ Note::StandsIn, .. } = say {
            *note = Note::StandsInForGood;
        }
    }
    batch
}

/// The table after some entries.
fn advance(table: &Table, entries: &[Entry]) -> Result<Table, Denied> {
    let mut after = table.clone();
    for entry in entries {
        after.apply(entry).map_err(|why| {
            tracing::error!(table = %table.id(), ?entry, why, "a decision that cannot be carried out");
            Denied::Fault
        })?;
    }
    Ok(after)
}

/// Everything that a decision leaves behind.
pub(super) fn batch(before: Option<&Table>, after: &Table, entries: Vec<Entry>) -> Batch {
    let events: Vec<Event> = entries.iter().map(|entry| entry.event.clone()).collect();
    Batch {
        table: after.id(),
        says: say::after(before, after, &events),
        job: after.job(),
        card: after.card(),
        entries,
    }
}

impl From<Refused> for Trouble {
    fn from(refused: Refused) -> Trouble {
        Trouble::Denied(refused.into())
    }
}
