//! The event streams that update the pages of a table.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, KeepAliveStream, Sse};
use futures_util::stream::{self, Stream, StreamExt};
use rookery_table::registry::TableRegistry;
use rookery_table::share::ShareTarget;
use rookery_table::{Table, TableId};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use tokio::time::{Interval, MissedTickBehavior};

use super::response::PageError;
use super::shared::{shared, shared_table};
use super::state::Web;

/// The interval between checks of an open stream's viewer: another process may have withdrawn the link or session.
const LOOK_UP_INTERVAL: Duration = Duration::from_secs(30);

/// Why a stream ends: its viewer may no longer see the table.
pub(super) struct NoLonger;

/// The viewer of a table's event stream.
pub(super) trait StreamViewer: Send + Sync + 'static {
    /// Whether the viewer's link or session still works.
    fn is_admitted(&self) -> impl Future<Output = bool> + Send;
    /// Checks whether the viewer may still see the table; returns an event if it looks different to them now.
    fn look_again(&mut self) -> impl Future<Output = Result<Option<Event>, NoLonger>> + Send {
        async { if self.is_admitted().await { Ok(None) } else { Err(NoLonger) } }
    }
    /// Returns the event that describes a table.
    fn event(table: &Table) -> Event;
}

/// What may have changed.
pub(super) enum Change {
    /// A table has a new entry.
    Entry(TableId),
    /// Tables have new entries, and the reader was too slow to learn which ones.
    MissedEntries,
    /// A link or session may have stopped working.
    Access,
}

/// A subscription to the changes of all tables. It starts before the table is read, so that no change is missed in
/// between.
pub(super) struct Subscription {
    registry: Arc<TableRegistry>,
    entries: broadcast::Receiver<TableId>,
    changes: watch::Receiver<()>,
}

impl Subscription {
    pub(super) fn new(web: &Web) -> Subscription {
        let registry = web.registry.clone();
        let (entries, changes) = (registry.subscribe(), registry.share_changes());
        Subscription { registry, entries, changes }
    }

    /// Waits for the next change; `None` once the program stops.
    pub(super) async fn next(&mut self) -> Option<Change> {
        tokio::select! {
            written = self.entries.recv() => match written {
                Ok(table) => Some(Change::Entry(table)),
                Err(RecvError::Lagged(_)) => Some(Change::MissedEntries),
                Err(RecvError::Closed) => None,
            },
            changed = self.changes.changed() => changed.ok().map(|()| Change::Access),
        }
    }

    /// Streams one event at once and one after each change of a table, until its viewer may no longer see it or the program
    /// stops.
    pub(super) fn stream<V: StreamViewer>(
        self,
        table: &Table,
        viewer: V,
    ) -> Sse<KeepAliveStream<impl Stream<Item = Result<Event, Infallible>> + use<V>>> {
        let first = Ok(V::event(table));
        let watcher = Watcher { subscription: self, table: table.id(), viewer, interval: look_ups() };
        let later =
            stream::unfold(watcher, |mut watcher| async move { Some((Ok(watcher.next().await?), watcher)) });
        Sse::new(stream::once(std::future::ready(first)).chain(later)).keep_alive(KeepAlive::default())
    }
}

/// Returns the moments at which the viewer of an open stream is checked.
pub(super) fn look_ups() -> Interval {
    let mut interval = tokio::time::interval(LOOK_UP_INTERVAL);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    interval
}

/// One open event stream.
struct Watcher<V> {
    subscription: Subscription,
    table: TableId,
    viewer: V,
    interval: Interval,
}

impl<V: StreamViewer> Watcher<V> {
    /// Waits for the next event; `None` once the viewer may no longer see the table or the program stops.
    async fn next(&mut self) -> Option<Event> {
        loop {
            tokio::select! {
                change = self.subscription.next() => match change? {
                    Change::Entry(table) if table != self.table => {}
                    Change::Entry(_) | Change::MissedEntries => {
                        let table = self.subscription.registry.table(self.table).await.ok();
                        return table.map(|table| V::event(&table));
                    }
                    Change::Access => self.viewer.is_admitted().await.then_some(())?,
                },
                _ = self.interval.tick() => {
                    if let Some(event) = self.viewer.look_again().await.ok()? {
                        return Some(event);
                    }
                }
            }
        }
    }
}

/// The holder of a share link.
struct LinkHolder {
    web: Arc<Web>,
    token: String,
    table: TableId,
}

impl StreamViewer for LinkHolder {
    async fn is_admitted(&self) -> bool {
        match shared(&self.web, &self.token).await {
            Ok(link) => link.target == ShareTarget::Table(self.table),
            Err(PageError::NotFound) => false,
            // A failed look-up ends no page that is watched: the next one says more. The stream shows only that something
            // has changed; what it is, is asked for with the link.
            Err(PageError::TooManyPictures | PageError::Unavailable) => true,
        }
    }

    fn event(table: &Table) -> Event {
        Event::default().id(table.sequence().to_string()).data(table.ply().to_string())
    }
}

/// Streams the changes of a table to the holder of a link. The data is the number of plies, the id is the number of journal
/// entries. Missed events do not matter: the page fetches the present state after each event, and after a reconnect.
pub(super) async fn events(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, PageError> {
    let subscription = Subscription::new(&web);
    let table = shared_table(&web, &token).await?.table;
    let holder = LinkHolder { web, token, table: table.id() };
    Ok(subscription.stream(&table, holder))
}
