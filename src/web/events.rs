//! A table's page hears that something has happened there.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream, StreamExt};
use tokio::sync::broadcast::error::RecvError;

use super::{Missing, Web};
use crate::table::{Table, TableId};

/// How the table stands, and one event for each thing that happens there: the turns taken so far, and as its
/// id how many entries the journal has. What was missed in between does not matter: the page asks for what is
/// there now, also when it comes back after the line was lost.
pub(super) async fn events(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Missing> {
    let id: TableId = id.parse().map_err(|_| Missing)?;
    // Listening begins before looking, so that nothing falls between the two.
    let heard = web.hall.listen();
    let first = now(web.hall.see(id).await?.as_ref());
    let changes = stream::unfold((heard, web), move |(mut heard, web)| async move {
        loop {
            match heard.recv().await {
                Ok(table) if table != id => {}
                Ok(_) | Err(RecvError::Lagged(_)) => {
                    let table = web.hall.see(id).await.ok()?;
                    return Some((now(&table), (heard, web)));
                }
                Err(RecvError::Closed) => return None,
            }
        }
    });
    Ok(Sse::new(stream::once(std::future::ready(first)).chain(changes)).keep_alive(KeepAlive::default()))
}

fn now(table: &Table) -> Result<Event, Infallible> {
    Ok(Event::default().id(table.sequence().to_string()).data(table.ply().to_string()))
}
