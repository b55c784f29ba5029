//! A table's page hears that something has happened there.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use tokio::sync::broadcast::error::RecvError;

use super::{Missing, Web};
use crate::table::TableId;

/// One event for each thing that happens at the table, with the turns taken so far. What was missed in
/// between does not matter: the page asks for what is there now.
pub(super) async fn events(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Missing> {
    let id: TableId = id.parse().map_err(|_| Missing)?;
    // Listening begins before looking, so that nothing falls between the two.
    let heard = web.hall.listen();
    web.hall.see(id).await?;
    let changes = stream::unfold((heard, web), move |(mut heard, web)| async move {
        loop {
            match heard.recv().await {
                Ok(table) if table != id => {}
                Ok(_) | Err(RecvError::Lagged(_)) => {
                    let table = web.hall.see(id).await.ok()?;
                    return Some((Ok(Event::default().data(table.ply().to_string())), (heard, web)));
                }
                Err(RecvError::Closed) => return None,
            }
        }
    });
    Ok(Sse::new(changes).keep_alive(KeepAlive::default()))
}
