//! Games to look at in a browser, answered only where `web.listen` says so. A page is found by the token of a link
//! ([`rookery_table::share`]) and by nothing else: no address is made of a table's name or a server's number.
//!
//! A page is whole without JavaScript: the board is in it, stepping is links, position and record can be
//! copied. With it the arrow keys step in place, and a running game goes on by itself (server-sent
//! events). Nobody is tracked, and people are called by their sides: a page can be open to everybody.

mod events;
mod page;
mod shared;
mod table;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;

use crate::drawing::Drawing;
use crate::http_server::{Limits, Server};
use rookery_i18n::Localizer;
use rookery_render::Names;
use rookery_table::TableError;
use rookery_table::ports::StoreError;
use rookery_table::registry::TableRegistry;

/// Everything that pages are made from.
pub struct Web {
    /// The tables.
    pub registry: Arc<TableRegistry>,
    /// What draws.
    pub drawing: Drawing,
    /// Fonts for share cards.
    pub names: Names,
    /// The sentences.
    pub words: &'static Localizer,
    /// The theme of boards.
    pub theme: String,
    /// Where the pages are found, without a slash at the end: who follows a link wants its picture's whole address.
    pub address: Option<String>,
}

/// The server that answers with pages, within limits.
pub fn page_server(listener: TcpListener, web: Web, limits: Limits) -> Server {
    let tasks = web.registry.tasks().clone();
    Server::new("web", listener, router(Arc::new(web)), limits, tasks)
}

fn router(web: Arc<Web>) -> Router {
    Router::new()
        .route("/", get(|| async { html(page::front(Localizer::english())) }))
        .route("/g/{token}", get(table::page))
        .route("/g/{token}/step", get(table::step))
        .route("/g/{token}/board.png", get(table::board))
        .route("/g/{token}/card.png", get(table::card))
        .route("/g/{token}/record.txt", get(table::record))
        .route("/g/{token}/events", get(events::events))
        .route("/s/{token}", get(shared::server))
        // Addresses of older versions, with the name of a table in them, are among these: nothing is looked up.
        .fallback(|| async { PageNotFound })
        .layer(middleware::map_response(unlisted))
        .with_state(web)
}

/// An answer that is kept by nobody on the way, listed by no search engine, and whose address goes to nobody else:
/// the address is the key.
async fn unlisted(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex, nofollow, noarchive"));
    response
}

/// There is nothing here, or it cannot be had now.
struct PageNotFound;

impl From<TableError> for PageNotFound {
    fn from(_: TableError) -> PageNotFound {
        PageNotFound
    }
}

impl From<StoreError> for PageNotFound {
    fn from(error: StoreError) -> PageNotFound {
        tracing::warn!(%error, "what a link shows cannot be looked up");
        PageNotFound
    }
}

impl IntoResponse for PageNotFound {
    fn into_response(self) -> Response {
        let mut response = html(page::missing(Localizer::english()));
        *response.status_mut() = StatusCode::NOT_FOUND;
        response
    }
}

/// A page that loads nothing from anywhere else and is framed by nobody.
fn html(markup: maud::Markup) -> Response {
    let policy = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; script-src 'self' \
                  'unsafe-inline'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, policy)];
    (headers, markup.into_string()).into_response()
}
