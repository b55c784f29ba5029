//! A table's own task: takes orders one at a time, decides, records, becomes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use crate::clock::TimeSpan;
use crate::model::{Actor, Event, Order, OrderError, Status, TableError, UserId};
use crate::outbox::{self, Note, OutboxItem};
use crate::ports::{Batch, Entry, StoreError};
use crate::registry::TableRegistry;
use crate::{SourceId, Table, TableId, state};

/// How long a table that nobody asks for stays in memory.
const IDLE_TIMEOUT: Duration = Duration::from_secs(600);

/// What an order led to.
#[derive(Clone)]
pub struct OrderOutcome {
    /// The table after it.
    pub table: Arc<Table>,
    /// What happened; empty if the table was only looked at.
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
    /// Show yourself.
    Get { reply: oneshot::Sender<Result<OrderOutcome, TableError>> },
    /// Take a person out of what is kept. `over`: it is known from elsewhere that nobody needs to leave the game first,
    /// should it not be readable.
    DeletePerson { who: UserId, over: bool, reply: oneshot::Sender<Result<(), TableError>> },
}

/// The task of one table.
pub(crate) struct TableActor {
    registry: Arc<TableRegistry>,
    id: TableId,
    /// `None` until loaded, and after a fault.
    table: Option<Arc<Table>>,
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
        table: Option<Table>,
        (inbox, address): (mpsc::Receiver<Request>, mpsc::WeakSender<Request>),
    ) -> TableActor {
        TableActor { registry, id, table: table.map(Arc::new), is_missing: false, inbox, address }
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
        // The asker may be gone by now: then nobody needs the answer.
        match request {
            Request::Get { reply } => {
                let seen = self.table().await.map(|table| OrderOutcome { table, events: Vec::new() });
                let _ = reply.send(seen);
            }
            Request::DeletePerson { who, over, reply } => {
                let _ = reply.send(self.delete_person(who, over).await);
            }
            Request::Order { by, order, source, reply } => {
                let answer = self.carry_out(by, order, source).await;
                self.registry.count_order(&answer);
                let _ = reply.send(answer);
            }
        }
    }

    async fn table(&mut self) -> Result<Arc<Table>, TableError> {
        if let Some(table) = &self.table {
            return Ok(table.clone());
        }
        let loaded = self.registry.load(self.id).await;
        self.is_missing = matches!(loaded, Err(TableError::NoTable(_)));
        let table = Arc::new(loaded?);
        self.registry.index_table(&table);
        self.table = Some(table.clone());
        Ok(table)
    }

    /// Takes a person out of the table's record; the whole record, where nobody else has a part in it. A game that
    /// goes on and cannot be read stays as it is: their seat could not be left.
    async fn delete_person(&mut self, who: UserId, over: bool) -> Result<(), TableError> {
        let table = self.table().await;
        let registry = self.registry.clone();
        if table.as_ref().is_ok_and(|table| table.concerns_only(who)) {
            let erased = registry.journal().privacy().erase(self.id).await;
            erased.map_err(|error| registry.failed_at(self.id, &error))?;
            registry.forget_table(self.id);
        } else if matches!(table, Err(TableError::Unreadable(_))) && !over {
            return Err(TableError::Unreadable(self.id));
        } else {
            let taken = registry.journal().privacy().take_out(who, self.id, registry.now_ms()).await;
            taken.map_err(|error| registry.failed_at(self.id, &error))?;
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
    async fn carry_out(
        &mut self,
        by: Actor,
        order: Order,
        source: Option<SourceId>,
    ) -> Result<OrderOutcome, TableError> {
        match self.try_order(by, &order, source).await {
            Err(ActorError::Conflict) => {
                self.try_order(by, &order, source).await.map_err(ActorError::into_table_error)
            }
            result => result.map_err(ActorError::into_table_error),
        }
    }

    async fn try_order(
        &mut self,
        by: Actor,
        order: &Order,
        source: Option<SourceId>,
    ) -> Result<OrderOutcome, ActorError> {
        let table = self.table().await.map_err(ActorError::Table)?;
        let now_ms = self.registry.now_ms();
        let context = OrderContext { now_ms, lost: self.registry.outages(&table, now_ms) };
        let work = {
            let (table, order) = (table.clone(), order.clone());
            move || decide_guarded(&table, by, &order, source, &context)
        };
        // The rules read a move among all legal ones, count and search: that may take long on a large board.
        let decided =
            self.registry.tasks().compute("decision", work).await.unwrap_or(Err(TableError::Internal));
        if matches!(decided, Err(TableError::Internal)) {
            self.table = None;
        }
        let (after, batch) = decided.map_err(ActorError::Table)?;
        if batch.entries.is_empty() {
            return Ok(OrderOutcome { table, events: Vec::new() });
        }
        self.registry.journal().append(&batch).await.map_err(|error| self.append_failed(error))?;
        let after = Arc::new(after);
        self.table = Some(after.clone());
        self.registry.index_table(&after);
        self.registry.note_answer(&table, by, order).await;
        self.registry.after_append(&after, &batch);
        Ok(OrderOutcome {
            table: after,
            events: batch.entries.into_iter().map(|entry| entry.event).collect(),
        })
    }

    fn append_failed(&mut self, error: StoreError) -> ActorError {
        // What is in memory may no longer be what is written: it is read again before the next use.
        self.table = None;
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

/// What an order meets outside its table.
struct OrderContext {
    now_ms: i64,
    /// Outages that the table doesn't know of yet.
    lost: Vec<TimeSpan>,
}

/// A fault in the rules must not take the process along, nor leave half a table behind.
fn decide_guarded(
    table: &Table,
    by: Actor,
    order: &Order,
    source: Option<SourceId>,
    context: &OrderContext,
) -> Result<(Table, Batch), TableError> {
    let decided = catch_unwind(AssertUnwindSafe(|| {
        // A clock that was set back must not make a table's time run backwards.
        let now_ms = context.now_ms.max(table.at_ms());
        let lost: Vec<_> = table.given_back(&context.lost, now_ms).into_iter().collect();
        let mut entries = number(lost, table.sequence(), now_ms, None);
        let told = advance(table, &entries)?;
        let events = state::decide(&told, by, order, source, now_ms)?;
        entries.extend(number(events, told.sequence(), now_ms, source));
        let (after, batch) = become_next(table, entries)?;
        Ok((after, if matches!(order, Order::RemovePerson { .. }) { without_return(batch) } else { batch }))
    }));
    decided.unwrap_or_else(|_| {
        tracing::error!(table = %table.id(), ?order, "a fault while deciding; the table is loaded afresh");
        Err(TableError::Internal)
    })
}

/// Gives events their numbers.
pub(crate) fn number(events: Vec<Event>, after: u64, at_ms: i64, source: Option<SourceId>) -> Vec<Entry> {
    let numbers = after + 1..;
    numbers.zip(events).map(|(sequence, event)| Entry { sequence, at_ms, source, event }).collect()
}

fn become_next(table: &Table, entries: Vec<Entry>) -> Result<(Table, Batch), TableError> {
    let after = advance(table, &entries)?;
    let batch = batch(Some(table), &after, entries);
    Ok((after, batch))
}

/// A person whose data is deleted doesn't leave for a while only.
fn without_return(mut batch: Batch) -> Batch {
    for item in &mut batch.outbox_items {
        if let OutboxItem::Note { note: note @ Note::Substituted, .. } = item {
            *note = Note::SubstitutedForGood;
        }
    }
    batch
}

/// The table after some entries.
fn advance(table: &Table, entries: &[Entry]) -> Result<Table, TableError> {
    let mut after = table.clone();
    for entry in entries {
        after.apply(entry).map_err(|why| {
            tracing::error!(table = %table.id(), ?entry, why, "a decision that cannot be carried out");
            TableError::Internal
        })?;
    }
    Ok(after)
}

/// Everything that a decision leaves behind.
pub(crate) fn batch(before: Option<&Table>, after: &Table, entries: Vec<Entry>) -> Batch {
    let events: Vec<Event> = entries.iter().map(|entry| entry.event.clone()).collect();
    Batch {
        table: after.id(),
        outbox_items: outbox::items_after(before, after, &events),
        job: after.job(),
        card: after.card(),
        entries,
    }
}

impl From<OrderError> for ActorError {
    fn from(refused: OrderError) -> ActorError {
        ActorError::Table(refused.into())
    }
}
