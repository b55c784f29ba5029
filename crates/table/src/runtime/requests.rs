//! Requests to the actor of a table, their outcomes, and the handle of the actor.

use std::sync::Arc;

use tokio::sync::{RwLock, mpsc, oneshot};

use crate::model::{Actor, Event, Order, TableError, UserId};
use crate::{SourceId, Table};

/// The result of an order.
#[derive(Clone)]
pub struct OrderOutcome {
    /// The table after the order.
    pub table: Arc<Table>,
    /// The events in order; empty if the order changed nothing.
    pub events: Vec<Event>,
}

/// A message to a table's actor.
pub(crate) enum Request {
    Order {
        by: Actor,
        order: Order,
        source: Option<SourceId>,
        reply: oneshot::Sender<Result<OrderOutcome, TableError>>,
    },
    /// Return the table; load it if necessary.
    Get { reply: oneshot::Sender<Result<Arc<Table>, TableError>> },
    /// Remove a person's data from the table. `over` says that the game is known to be over, in case the table cannot
    /// be read.
    DeletePerson { who: UserId, over: bool, reply: oneshot::Sender<Result<(), TableError>> },
}

/// The current table, for all readers; `None` until loaded, and after a fault. The actor holds the lock while it writes
/// to the journal.
pub(crate) type CurrentTable = Arc<RwLock<Option<Arc<Table>>>>;

/// Access to a running actor.
#[derive(Clone)]
pub(crate) struct ActorHandle {
    pub(crate) mailbox: mpsc::Sender<Request>,
    pub(crate) current: CurrentTable,
}
