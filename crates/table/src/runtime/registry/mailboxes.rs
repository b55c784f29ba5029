//! Access to the actors: their mailboxes, and the current tables.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};

use tokio::sync::{RwLock, mpsc, oneshot};

use crate::actor::TableActor;
use crate::model::TableError;
use crate::requests::{ActorHandle, CurrentTable, Request};
use crate::{Table, TableId};

use super::TableRegistry;

/// The capacity of a table's mailbox; when it is full, senders wait.
const MAILBOX_CAPACITY: usize = 64;

impl TableRegistry {
    /// Sends a request to a table's actor and waits for the answer; starts the actor if it does not run.
    pub(super) async fn send<T>(
        &self,
        id: TableId,
        request: impl Fn(oneshot::Sender<Result<T, TableError>>) -> Request,
    ) -> Result<T, TableError> {
        // An actor that stops between look-up and sending is started again.
        for _ in 0..3 {
            let mailbox = self.mailbox(id);
            let (reply, answer) = oneshot::channel();
            if mailbox.send(request(reply)).await.is_err() {
                continue;
            }
            if let Ok(answer) = answer.await {
                return answer;
            }
        }
        Err(TableError::Internal)
    }

    /// Returns the current table of an actor; `None` if the actor does not run or has not loaded it. Waits while the
    /// actor changes the table.
    pub(super) async fn current_table(&self, id: TableId) -> Option<Arc<Table>> {
        let actor = self.actors().get(&id).filter(|actor| !actor.mailbox.is_closed()).cloned()?;
        actor.current.read().await.clone()
    }

    fn mailbox(&self, id: TableId) -> mpsc::Sender<Request> {
        let mut actors = self.actors();
        match actors.get(&id).filter(|actor| !actor.mailbox.is_closed()) {
            Some(actor) => actor.mailbox.clone(),
            None => self.spawn(&mut actors, id, None),
        }
    }

    pub(super) fn spawn(
        &self,
        actors: &mut HashMap<TableId, ActorHandle>,
        id: TableId,
        table: Option<Arc<Table>>,
    ) -> mpsc::Sender<Request> {
        let (mailbox, inbox) = mpsc::channel(MAILBOX_CAPACITY);
        let registry = self.me.upgrade().expect("the registry outlives the calls on it");
        let current = CurrentTable::new(RwLock::new(table));
        let actor = TableActor::new(registry, id, current.clone(), (inbox, mailbox.downgrade()));
        drop(self.tasks.spawn("table", actor.run()));
        actors.insert(id, ActorHandle { mailbox: mailbox.clone(), current });
        mailbox
    }

    /// Unloads an idle table, unless a request came meanwhile. Returns whether it is gone. A new table of this name
    /// stays.
    pub(crate) fn stop_actor(
        &self,
        id: TableId,
        own: &mpsc::WeakSender<Request>,
        inbox: &mpsc::Receiver<Request>,
    ) -> bool {
        let mut actors = self.actors();
        let idle = inbox.is_empty();
        let is_own = |known: &ActorHandle| own.upgrade().is_some_and(|own| own.same_channel(&known.mailbox));
        if idle && actors.get(&id).is_some_and(is_own) {
            actors.remove(&id);
        }
        idle
    }

    pub(super) fn actors(&self) -> MutexGuard<'_, HashMap<TableId, ActorHandle>> {
        self.actors.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
