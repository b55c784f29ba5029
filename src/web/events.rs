//! A table's page hears that something has happened there.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream, StreamExt};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use tokio::time::MissedTickBehavior;

use super::shared::{shared, shared_table};
use super::{PageNotFound, Web};
use rookery_table::share::ShareTarget;
use rookery_table::{Table, TableId};

/// How often the link of an open stream is looked up without a reason: another process may have withdrawn it.
const LOOK_UP_INTERVAL: Duration = Duration::from_secs(30);

/// How the table stands, and one event for each thing that happens there: the turns taken so far, and as its
/// id how many entries the journal has. What was missed in between does not matter: the page asks for what is
/// there now, also when it comes back after the line was lost. The stream ends when its link is withdrawn.
pub(super) async fn events(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, PageNotFound> {
    // Listening begins before looking, so that nothing falls between the two.
    let (entries, changes) = (web.registry.subscribe(), web.registry.share_changes());
    let table = shared_table(&web, &token).await?.table;
    let first = now(&table);
    let mut interval = tokio::time::interval(LOOK_UP_INTERVAL);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let watcher = Watcher { web, token, table: table.id(), entries, changes, interval };
    let later = stream::unfold(watcher, |mut watcher| async move { Some((watcher.next().await?, watcher)) });
    Ok(Sse::new(stream::once(std::future::ready(first)).chain(later)).keep_alive(KeepAlive::default()))
}

/// One open stream.
struct Watcher {
    web: Arc<Web>,
    token: String,
    table: TableId,
    entries: broadcast::Receiver<TableId>,
    changes: watch::Receiver<()>,
    interval: tokio::time::Interval,
}

impl Watcher {
    /// The next event; `None` once the link works no more, or the program stops.
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

    /// `None` once the token does not show this table any more.
    async fn still_shared(&self) -> Option<()> {
        let link = shared(&self.web, &self.token).await.ok()?;
        (link.target == ShareTarget::Table(self.table)).then_some(())
    }
}

fn now(table: &Table) -> Result<Event, Infallible> {
    Ok(Event::default().id(table.sequence().to_string()).data(table.ply().to_string()))
}
