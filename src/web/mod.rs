//! Games to look at in a browser: a page for each table and each server, answered only where
//! `web.listen` says so.
//!
//! A page is whole without JavaScript: the board is in it, stepping is links, position and record can be
//! copied. With it the arrow keys step in place, and a running game goes on by itself (server-sent
//! events). Nobody is tracked, and people are called by their sides: a page can be open to everybody.

mod events;
mod page;
mod table;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;

use crate::render::{Names, Painter};
use crate::table::Denied;
use crate::table::hall::Hall;
use crate::table::ports::{Filter, Stage};
use crate::words::Words;

/// Running and finished games that a server's page lists at most.
const LISTED: usize = 100;

/// Everything that pages are made from.
pub struct Web {
    /// The tables.
    pub hall: Arc<Hall>,
    /// Who draws.
    pub painter: Painter,
    /// Fonts for share cards.
    pub names: Names,
    /// The sentences.
    pub words: &'static Words,
    /// The theme of boards.
    pub theme: String,
    /// Where the pages are found, without a slash at the end: who follows a link wants its picture's whole address.
    pub address: Option<String>,
}

/// Answers until `stopped` comes true.
///
/// # Errors
/// The system's, where the listener breaks.
pub async fn serve(
    listener: TcpListener,
    web: Web,
    stopped: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    axum::serve(listener, router(Arc::new(web))).with_graceful_shutdown(stopped).await
}

fn router(web: Arc<Web>) -> Router {
    Router::new()
        .route("/", get(|| async { html(page::front(Words::english())) }))
        .route("/table/{id}", get(table::page))
        .route("/table/{id}/step", get(table::step))
        .route("/table/{id}/board.png", get(table::board))
        .route("/table/{id}/card.png", get(table::card))
        .route("/table/{id}/record.txt", get(table::record))
        .route("/table/{id}/events", get(events::events))
        .route("/server/{guild}", get(server))
        .fallback(|| async { Missing })
        .with_state(web)
}

/// What a server plays and played where everybody on it reads along.
async fn server(State(web): State<Arc<Web>>, Path(guild): Path<u64>) -> Result<Response, Missing> {
    let list = async |stage| {
        let filter = Filter { guild: Some(guild), stage: Some(stage), most: LISTED, ..Filter::default() };
        let all = web.hall.list(&filter).await.map_err(|_| Missing)?;
        Ok::<_, Missing>(web.hall.open_to_all(all).await)
    };
    let (running, over) = (list(Stage::Running).await?, list(Stage::Over).await?);
    Ok(html(page::server(&web, &running, &over)))
}

/// There is nothing here, or it cannot be had now.
struct Missing;

impl From<Denied> for Missing {
    fn from(_: Denied) -> Missing {
        Missing
    }
}

impl IntoResponse for Missing {
    fn into_response(self) -> Response {
        let mut response = html(page::missing(Words::english()));
        *response.status_mut() = StatusCode::NOT_FOUND;
        response
    }
}

/// A page that loads nothing from anywhere else, is framed by nobody and tells nobody who was here.
fn html(markup: maud::Markup) -> Response {
    let policy = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; script-src 'self' \
                  'unsafe-inline'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, markup.into_string()).into_response()
}
