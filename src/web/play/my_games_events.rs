//! The event stream of the list of a person's games: one connection for all of them.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use rookery_table::TableId;
use tokio::time::{Instant, Interval, sleep_until};

use super::super::events::{Change, Subscription, look_ups};
use super::super::session::{SignedIn, signed_in};
use super::super::state::Web;
use super::my_games::{digest, running};
use super::response::Denied;

/// How long after an entry of a table that isn't in the list the list is read again: the person may have joined there.
/// Entries of all other tables are within that time, so that a busy bot doesn't read the list after each.
const OTHER_TABLES_DELAY: Duration = Duration::from_secs(2);

/// Streams one event at once and one after each change of the person's running games, with a digest of their list. The page
/// fetches the list after each that it doesn't show yet. The stream ends when the session is revoked.
pub(in crate::web) async fn events(State(web): State<Arc<Web>>, headers: HeaderMap) -> Response {
    let subscription = Subscription::new(&web);
    let person = match signed_in(&web, &headers).await {
        Ok(Some(person)) => person,
        Ok(None) => return Denied::SignedOut.into_json(web.words),
        Err(error) => return Denied::from(error).into_json(web.words),
    };
    let (due, interval) = (Some(Instant::now()), look_ups());
    let watcher =
        Watcher { web, person, subscription, interval, listed: Vec::new(), sent: String::new(), due };
    let events = stream::unfold(watcher, |mut watcher| async move {
        Some((Ok::<_, Infallible>(watcher.next().await?), watcher))
    });
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}

/// One open event stream.
struct Watcher {
    web: Arc<Web>,
    person: SignedIn,
    subscription: Subscription,
    interval: Interval,
    /// The tables of the list.
    listed: Vec<TableId>,
    /// The digest of the latest event.
    sent: String,
    /// When the list is read next, if it may have changed.
    due: Option<Instant>,
}

impl Watcher {
    /// Waits for the next event; `None` once the person is signed out or the program stops.
    async fn next(&mut self) -> Option<Event> {
        loop {
            // Without a time the branch is off.
            let due = self.due.unwrap_or_else(Instant::now);
            tokio::select! {
                change = self.subscription.next() => match change? {
                    Change::Entry(table) => self.read_after(table),
                    Change::MissedEntries => self.due = Some(Instant::now()),
                    Change::Access => self.person.is_valid(&self.web).await.then_some(())?,
                },
                () = sleep_until(due), if self.due.is_some() => {
                    if let Some(event) = self.read().await {
                        return Some(event);
                    }
                }
                _ = self.interval.tick() => self.person.is_valid(&self.web).await.then_some(())?,
            }
        }
    }

    /// Reads the list again after an entry of a table: at once if the table is in it.
    fn read_after(&mut self, table: TableId) {
        let now = Instant::now();
        let due = if self.listed.contains(&table) { now } else { now + OTHER_TABLES_DELAY };
        self.due = Some(self.due.map_or(due, |before| before.min(due)));
    }

    /// Reads the list; returns an event if it has changed.
    async fn read(&mut self) -> Option<Event> {
        let Ok(cards) = running(&self.web, self.person.who).await else {
            self.due = Some(Instant::now() + OTHER_TABLES_DELAY);
            return None;
        };
        self.due = None;
        self.listed = cards.iter().map(|card| card.id).collect();
        let now = digest(&cards, self.person.who);
        if now == self.sent {
            return None;
        }
        self.sent.clone_from(&now);
        Some(Event::default().data(now))
    }
}
