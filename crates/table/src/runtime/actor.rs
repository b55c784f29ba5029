//! A table's own task: takes orders one at a time, decides, records, becomes.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rookery_tasks::OrderPart;
use tokio::sync::{RwLock, mpsc, oneshot};

use crate::model::{Actor, Event, Order, Status, TableError, UserId};
use crate::next_table::NextTable;
use crate::ports::StoreError;
use crate::registry::TableRegistry;
use crate::{SourceId, Table, TableId, decide};

pub(crate) use crate::next_table::{batch, number};

/// How long a table that gets no request stays in memory.
const IDLE_TIMEOUT: Duration = Duration::from_secs(600);

/// What an order led to.
#[derive(Clone)]
pub struct OrderOutcome {
    /// The table after it.
    pub table: Arc<Table>,
    /// What happened; empty if nothing did.
    pub events: Vec<Event>,
}

/// What a table's mailbox takes.
pub(crate) enum Request {
    /// Carry this out.
    Order {
        by: Actor,
        order: Order,
        source: Option<SourceId>,
        reply: oneshot::Sender<Result<OrderOutcome, TableError>>,
    },
    /// Return the table, loaded if it is not.
    Get { reply: oneshot::Sender<Result<Arc<Table>, TableError>> },
    /// Take a person out of what is kept. `over`: it is known from elsewhere that nobody needs to leave the game first,
    /// should it not be readable.
    DeletePerson { who: UserId, over: bool, reply: oneshot::Sender<Result<(), TableError>> },
}

/// A table as its actor knows it, for everybody to look at; `None` until loaded, and after a fault. The actor
/// holds the lock while it writes to the journal.
pub(crate) type CurrentTable = Arc<RwLock<Option<Arc<Table>>>>;

/// The task of one table.
pub(crate) struct TableActor {
    registry: Arc<TableRegistry>,
    id: TableId,
    current: CurrentTable,
    /// Whether the journal knew no such table when it was last asked.
    is_missing: bool,
    inbox: mpsc::Receiver<Request>,
    /// The mailbox by which this task is known, should another have taken its place.
    address: mpsc::WeakSender<Request>,
}

impl TableActor {
    pub(crate) fn new(
        registry: Arc<TableRegistry>,
        id: TableId,
        current: CurrentTable,
        (inbox, address): (mpsc::Receiver<Request>, mpsc::WeakSender<Request>),
    ) -> TableActor {
        TableActor { registry, id, current, is_missing: false, inbox, address }
    }

    /// Answers requests until nobody writes any more.
    pub(crate) async fn run(mut self) {
        loop {
            match tokio::time::timeout(IDLE_TIMEOUT, self.inbox.recv()).await {
                Ok(Some(request)) => self.answer(request).await,
                Ok(None) => return,
                Err(_) if self.try_stop() => return,
                Err(_) => {}
            }
            // Anybody can ask for names of tables that are not there.
            if self.is_missing && self.try_stop() {
                return;
            }
        }
    }

    fn try_stop(&self) -> bool {
        self.registry.stop_actor(self.id, &self.address, &self.inbox)
    }

    async fn answer(&mut self, request: Request) {
        self.registry.order_counts().requests.fetch_add(1, Ordering::Relaxed);
        // The asker may be gone by now: then nobody needs the answer.
        match request {
            Request::Get { reply } => {
                let _ = reply.send(self.table().await);
            }
            Request::DeletePerson { who, over, reply } => {
                let _ = reply.send(self.delete_person(who, over).await);
            }
            Request::Order { by, order, source, reply } => {
                let mut outcome = self.carry_out(by, &order, source).await;
                if matches!(outcome, Err(ActorError::Conflict)) {
                    // Another process has moved the table on: the decision is made again, once, on what is
                    // true now.
                    outcome = self.carry_out(by, &order, source).await;
                }
                let answer = outcome.map_err(ActorError::into_table_error);
                self.registry.count_order(&answer);
                let _ = reply.send(answer);
            }
        }
    }

    async fn table(&mut self) -> Result<Arc<Table>, TableError> {
        if let Some(table) = self.current.read().await.clone() {
            return Ok(table);
        }
        let loaded = self.registry.load(self.id).await;
        self.is_missing = matches!(loaded, Err(TableError::NoTable(_)));
        let loaded = Arc::new(loaded?);
        self.registry.index_table(&loaded);
        *self.current.write().await = Some(loaded.clone());
        Ok(loaded)
    }

    async fn forget_current(&self) {
        *self.current.write().await = None;
    }

    /// Takes a person out of the table's record; the whole record, where nobody else has a part in it. A game that
    /// goes on and cannot be read stays as it is: their seat could not be left.
    async fn delete_person(&mut self, who: UserId, over: bool) -> Result<(), TableError> {
        let table = self.table().await;
        let registry = self.registry.clone();
        // Looks wait until the record is changed.
        self.forget_current().await;
        if table.as_ref().is_ok_and(|table| table.concerns_only(who)) {
            let erased = registry.journal().privacy().erase(self.id).await;
            erased.map_err(|error| registry.failed_at(self.id, &error))?;
            registry.forget_table(self.id);
        } else if matches!(table, Err(TableError::Unreadable(_))) && !over {
            return Err(TableError::Unreadable(self.id));
        } else {
            let taken = registry.journal().privacy().take_out(who, self.id, registry.now()).await;
            taken.map_err(|error| registry.failed_at(self.id, &error))?;
        }
        // What is kept in memory for look-ups must not name the person any more.
        if table.is_ok_and(|table| *table.status() == Status::Running) {
            drop(self.table().await);
        }
        Ok(())
    }

    async fn carry_out(
        &mut self,
        by: Actor,
        order: &Order,
        source: Option<SourceId>,
    ) -> Result<OrderOutcome, ActorError> {
        let before = self.table().await?;
        let now = self.registry.now();
        let lost = self.registry.outages(&before, now);
        let (table, asked) = (before.clone(), order.clone());
        let work = move || {
            let mut next = NextTable::after_outages(&table, &lost, now)?;
            let decision = decide::decide(&next.after, by, &asked, source, next.now)?;
            next.take_in(decision, source)?;
            Ok(next.written(&asked))
        };
        // The rules read a move among all legal ones, count and search: that may take long on a large board.
        let (begun, tasks) = (Instant::now(), self.registry.tasks().clone());
        let decided = tasks.compute("decision", work).await;
        tasks.timings().order_part(OrderPart::Decide, begun.elapsed());
        let (after, batch) = match decided.unwrap_or(Err(TableError::Internal)) {
            Err(TableError::Internal) => return Err(self.decision_failed(order).await),
            decided => decided?,
        };
        if batch.entries.is_empty() {
            return Ok(OrderOutcome { table: before, events: Vec::new() });
        }
        // Looks wait while this is written: nobody sees the table as it was beside an outbox that is ahead of
        // it.
        let mut current = self.current.write().await;
        *current = None;
        let begun = Instant::now();
        self.registry.journal().append(&batch).await.map_err(|error| self.append_failed(error))?;
        tasks.timings().order_part(OrderPart::Journal, begun.elapsed());
        let after = Arc::new(after);
        *current = Some(after.clone());
        self.registry.index_table(&after);
        drop(current);
        self.registry.note_answer(&before, by, order).await;
        self.registry.after_append(&after, &batch);
        let events = batch.entries.into_iter().map(|entry| entry.event).collect();
        Ok(OrderOutcome { table: after, events })
    }

    /// A fault in the rules leaves no half a table behind: it is read again before the next use.
    async fn decision_failed(&self, order: &Order) -> ActorError {
        tracing::error!(table = %self.id, ?order, "a fault while deciding; the table is loaded afresh");
        self.forget_current().await;
        ActorError::Table(TableError::Internal)
    }

    fn append_failed(&self, error: StoreError) -> ActorError {
        match error {
            StoreError::Conflict(_) => ActorError::Conflict,
            error => ActorError::Table(self.registry.failed_at(self.id, &error)),
        }
    }
}

enum ActorError {
    Conflict,
    Table(TableError),
}

impl ActorError {
    fn into_table_error(self) -> TableError {
        match self {
            ActorError::Conflict => TableError::Store("the table is being moved on by somebody else".into()),
            ActorError::Table(denied) => denied,
        }
    }
}

impl From<TableError> for ActorError {
    fn from(denied: TableError) -> ActorError {
        ActorError::Table(denied)
    }
}
