//! The event stream that updates a table's page.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream, StreamExt};
use rookery_table::share::ShareTarget;
use rookery_table::{Table, TableId};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use tokio::time::MissedTickBehavior;

use super::response::PageNotFound;
use super::shared::{shared, shared_table};
use super::state::Web;

/// The interval between checks of an open stream's link: another process may have withdrawn it.
const LOOK_UP_INTERVAL: Duration = Duration::from_secs(30);

/// Streams one event at once and one after each change of the table. The data is the number of plies, the id
/// is the number of journal entries. Missed events do not matter: the page fetches the present state after
/// each event, and after a reconnect. The stream ends when its link is withdrawn.
pub(super) async fn events(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, PageNotFound> {
    // The subscriptions start before the first read, so that no change is missed in between.
    let (entries, changes) = (web.registry.subscribe(), web.registry.share_changes());
    let table = shared_table(&web, &token).await?.table;
    let first = now(&table);
    let mut interval = tokio::time::interval(LOOK_UP_INTERVAL);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let watcher = Watcher { web, token, table: table.id(), entries, changes, interval };
    let later = stream::unfold(watcher, |mut watcher| async move { Some((watcher.next().await?, watcher)) });
    Ok(Sse::new(stream::once(std::future::ready(first)).chain(later)).keep_alive(KeepAlive::default()))
}

/// One open event stream.
struct Watcher {
    web: Arc<Web>,
    token: String,
    table: TableId,
    entries: broadcast::Receiver<TableId>,
    changes: watch::Receiver<()>,
    interval: tokio::time::Interval,
}

impl Watcher {
    /// Waits for the next event; `None` once the link no longer works or the program stops.
    async fn next(&mut self) -> Option<Result<Event, Infallible>> {
        loop {
            tokio::select! {
                written = self.entries.recv() => match written {
                    Ok(table) if table != self.table => {}
                    Ok(_) | Err(RecvError::Lagged(_)) => {
                        return self.web.registry.table(self.table).await.ok().map(|table| now(&table));
                    }
                    Err(RecvError::Closed) => return None,
                },
                changed = self.changes.changed() => {
                    changed.ok()?;
                    self.still_shared().await?;
                }
                _ = self.interval.tick() => self.still_shared().await?,
            }
        }
    }

    /// Returns `None` once the token no longer gives access to this table.
    async fn still_shared(&self) -> Option<()> {
        let link = shared(&self.web, &self.token).await.ok()?;
        (link.target == ShareTarget::Table(self.table)).then_some(())
    }
}

fn now(table: &Table) -> Result<Event, Infallible> {
    Ok(Event::default().id(table.sequence().to_string()).data(table.ply().to_string()))
}
