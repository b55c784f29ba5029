//! The event stream of a page on which a person plays.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, StreamExt};
use rookery_table::TableId;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use tokio::time::MissedTickBehavior;

use super::super::session::SignedIn;
use super::super::state::Web;
use super::access::opened;
use super::response::Denied;

/// The interval between checks of an open stream's session and access: another process may have revoked it.
const LOOK_UP_INTERVAL: Duration = Duration::from_secs(30);

/// Streams one event at once and one after each change of the table, with the number of journal entries. The page
/// fetches the state after each. The stream ends when the session is revoked or the person may no longer see the table.
pub(in crate::web) async fn events(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Response {
    // The subscriptions start before the first read, so that no change is missed in between.
    let (entries, changes) = (web.registry.subscribe(), web.registry.share_changes());
    let (person, opened) = match opened(&web, &table, &headers).await {
        Ok(opened) => opened,
        Err(denied) => return Denied::into_json(denied),
    };
    let first = event(opened.table.sequence());
    let mut interval = tokio::time::interval(LOOK_UP_INTERVAL);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let watcher = Watcher { web, person, table: opened.table.id(), entries, changes, interval };
    let later = stream::unfold(watcher, |mut watcher| async move { Some((watcher.next().await?, watcher)) });
    Sse::new(stream::once(std::future::ready(first)).chain(later))
        .keep_alive(KeepAlive::default())
        .into_response()
}

/// One open event stream.
struct Watcher {
    web: Arc<Web>,
    person: SignedIn,
    table: TableId,
    entries: broadcast::Receiver<TableId>,
    changes: watch::Receiver<()>,
    interval: tokio::time::Interval,
}

impl Watcher {
    /// Waits for the next event; `None` once the session is revoked or the program stops.
    async fn next(&mut self) -> Option<Result<Event, Infallible>> {
        loop {
            tokio::select! {
                written = self.entries.recv() => match written {
                    Ok(table) if table != self.table => {}
                    Ok(_) | Err(RecvError::Lagged(_)) => {
                        return self.web.registry.table(self.table).await.ok().map(|table| event(table.sequence()));
                    }
                    Err(RecvError::Closed) => return None,
                },
                changed = self.changes.changed() => {
                    changed.ok()?;
                    self.person.is_valid(&self.web).await.then_some(())?;
                }
                _ = self.interval.tick() => self.may_still_see().await?,
            }
        }
    }

    /// Returns `None` once the person is signed out or may no longer see the table.
    async fn may_still_see(&self) -> Option<()> {
        self.person.is_valid(&self.web).await.then_some(())?;
        self.web.players.get()?.open(self.person.who, self.table).await.ok().map(drop)
    }
}

fn event(entry: u64) -> Result<Event, Infallible> {
    Ok(Event::default().data(entry.to_string()))
}
