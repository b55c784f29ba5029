//! The event stream of a page on which a person plays.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use rookery_table::{Table, TableId};
use serde::Deserialize;

use super::super::events::{NoLonger, StreamViewer, Subscription};
use super::super::session::SignedIn;
use super::super::state::Web;
use super::access::open_for_signed_in;
use super::board::settings_digest;

/// The name of the event that says that the settings have changed.
const SETTINGS: &str = "settings";

/// A person who is signed in, at a table.
struct Player {
    web: Arc<Web>,
    person: SignedIn,
    table: TableId,
    /// The settings with which the page shows the table; `None` on a page that doesn't show it.
    settings: Option<String>,
}

/// What a page shows already.
#[derive(Deserialize)]
pub(in crate::web) struct ShownQuery {
    settings: Option<String>,
}

impl StreamViewer for Player {
    async fn is_admitted(&self) -> bool {
        self.person.is_valid(&self.web).await
    }

    async fn look_again(&mut self) -> Result<Option<Event>, NoLonger> {
        let discord = self.web.discord_side.get().ok_or(NoLonger)?;
        if !self.is_admitted().await {
            return Err(NoLonger);
        }
        let opened = discord.open(self.person.who, self.table).await.map_err(|_| NoLonger)?;
        let now = settings_digest(&opened);
        let other = self.settings.as_mut().filter(|shown| **shown != now);
        Ok(other.map(|shown| {
            shown.clone_from(&now);
            Event::default().event(SETTINGS).data(now)
        }))
    }

    fn event(table: &Table) -> Event {
        Event::default().data(table.sequence().to_string())
    }
}

/// Streams one event at once and one after each change of the table, with the number of journal entries, and one after
/// the person's settings have changed. The page fetches the state after each. The stream ends when the session is revoked
/// or the person may no longer see the table.
pub(in crate::web) async fn events(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    Query(shown): Query<ShownQuery>,
    headers: HeaderMap,
) -> Response {
    let subscription = Subscription::new(&web);
    let (person, opened) = match open_for_signed_in(&web, &table, &headers).await {
        Ok(opened) => opened,
        Err(denied) => return denied.into_json(web.words),
    };
    let player = Player { web, person, table: opened.table.id(), settings: shown.settings };
    subscription.stream(&opened.table, player).into_response()
}
