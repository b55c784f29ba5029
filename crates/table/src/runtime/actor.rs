//! The task of one table: it takes one order after another, decides, writes the events, and becomes the decided table.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rookery_tasks::OrderPart;
use tokio::sync::mpsc;

use crate::model::{Actor, Order, Status, TableError, UserId};
use crate::next_table::NextTable;
use crate::ports::StoreError;
use crate::registry::TableRegistry;
use crate::requests::{CurrentTable, OrderOutcome, Request};
use crate::{SourceId, Table, TableId, decide};

pub(crate) use crate::next_table::{batch, number};

/// How long a table without requests stays in memory.
const IDLE_TIMEOUT: Duration = Duration::from_secs(600);

/// How often an order is decided again because another process was faster.
const MAX_REPEATS: usize = 3;

pub(crate) struct TableActor {
    registry: Arc<TableRegistry>,
    id: TableId,
    current: CurrentTable,
    /// Whether the journal had no such table at the last request.
    is_missing: bool,
    inbox: mpsc::Receiver<Request>,
    /// The mailbox of this task; another task may have replaced it.
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

    /// Answers requests until all senders are gone.
    pub(crate) async fn run(mut self) {
        loop {
            match tokio::time::timeout(IDLE_TIMEOUT, self.inbox.recv()).await {
                Ok(Some(request)) => self.answer(request).await,
                Ok(None) => return,
                Err(_) if self.try_stop() => return,
                Err(_) => {}
            }
            // Anybody can ask for names of tables that do not exist.
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
        // If the requester is gone, nobody needs the answer.
        match request {
            Request::Get { reply } => {
                let _ = reply.send(self.fresh_table().await);
            }
            Request::DeletePerson { who, over, reply } => {
                let _ = reply.send(self.delete_person(who, over).await);
            }
            Request::Order { by, order, source, reply } => {
                let mut outcome = self.carry_out(by, &order, source).await;
                for _ in 0..MAX_REPEATS {
                    if !matches!(outcome, Err(ActorError::Conflict)) {
                        break;
                    }
                    // Another process has changed the table: decide again on the current state.
                    self.forget_current().await;
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

    /// Returns the table as it is now, also if another process has changed it.
    async fn fresh_table(&mut self) -> Result<Arc<Table>, TableError> {
        let table = self.table().await?;
        if self.registry.is_fresh(&table).await? {
            return Ok(table);
        }
        self.forget_current().await;
        self.table().await
    }

    async fn forget_current(&self) {
        *self.current.write().await = None;
    }

    /// Removes a person from the table's record, or deletes the whole record if nobody else had a part in it. A running
    /// game that cannot be read stays as it is, because the person's seat cannot be vacated.
    async fn delete_person(&mut self, who: UserId, over: bool) -> Result<(), TableError> {
        let table = self.fresh_table().await;
        let registry = self.registry.clone();
        // Readers wait until the record is changed.
        self.forget_current().await;
        if table.as_ref().is_ok_and(|table| table.has_only_participant(who)) {
            let erased = registry.journal().privacy().delete_table(self.id).await;
            erased.map_err(|error| registry.failed_at(self.id, &error))?;
            registry.forget_table(self.id);
        } else if matches!(table, Err(TableError::Unreadable(_))) && !over {
            return Err(TableError::Unreadable(self.id));
        } else {
            let taken =
                registry.journal().privacy().replace_with_pseudonym(who, self.id, registry.now()).await;
            taken.map_err(|error| registry.failed_at(self.id, &error))?;
        }
        // The in-memory indexes must not name the person any more.
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
            next.apply_decision(decision, source)?;
            Ok(next.into_batch(&asked))
        };
        // The rules generate all legal moves, count and search: that may take long on a large board.
        let (begun, tasks) = (Instant::now(), self.registry.tasks().clone());
        let decided = tasks.compute("decision", work).await;
        tasks.timings().order_part(OrderPart::Decide, begun.elapsed());
        let decided = decided.unwrap_or(Err(TableError::Internal));
        // An entry would be a conflict on an old state; without one that must be asked for.
        let is_written = decided.as_ref().is_ok_and(|(_, batch)| !batch.entries.is_empty());
        if !is_written && !self.registry.is_fresh(&before).await? {
            return Err(ActorError::Conflict);
        }
        let (after, batch) = match decided {
            Err(TableError::Internal) => return Err(self.decision_failed(order).await),
            decided => decided?,
        };
        if batch.entries.is_empty() {
            return Ok(OrderOutcome { table: before, events: Vec::new() });
        }
        // Readers wait while this is written: nobody sees the old table while the outbox is already ahead of it.
        let mut current = self.current.write().await;
        *current = None;
        self.registry.append(&batch).await.map_err(|error| self.append_failed(error))?;
        let after = Arc::new(after);
        *current = Some(after.clone());
        self.registry.index_table(&after);
        drop(current);
        self.registry.note_answer(&before, by, order).await;
        self.registry.after_append(&after, &batch);
        let events = batch.entries.into_iter().map(|entry| entry.event).collect();
        Ok(OrderOutcome { table: after, events })
    }

    /// After a fault in the rules the table is loaded again before the next use.
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
