//! The event stream of a page on which a person plays.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use rookery_table::{Table, TableId};

use super::super::events::{Subscription, Viewer};
use super::super::session::SignedIn;
use super::super::state::Web;
use super::access::opened;
use super::response::Denied;

/// A person who is signed in, at a table.
struct Player {
    web: Arc<Web>,
    person: SignedIn,
    table: TableId,
}

impl Viewer for Player {
    async fn is_admitted(&self) -> bool {
        self.person.is_valid(&self.web).await
    }

    async fn may_still_see(&self) -> bool {
        let Some(players) = self.web.players.get() else { return false };
        self.is_admitted().await && players.open(self.person.who, self.table).await.is_ok()
    }

    fn event(table: &Table) -> Event {
        Event::default().data(table.sequence().to_string())
    }
}

/// Streams one event at once and one after each change of the table, with the number of journal entries. The page
/// fetches the state after each. The stream ends when the session is revoked or the person may no longer see the table.
pub(in crate::web) async fn events(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Response {
    let subscription = Subscription::new(&web);
    let (person, opened) = match opened(&web, &table, &headers).await {
        Ok(opened) => opened,
        Err(denied) => return Denied::into_json(denied),
    };
    let player = Player { web, person, table: opened.table.id() };
    subscription.stream(&opened.table, player).into_response()
}
