//! Web pages for watching games, served only if `web.listen` is set. The random token of a link
//! ([`rookery_table::share`]) is the only way to a page: no address contains a table's name or a server's id.
//!
//! A page is complete without JavaScript: it contains the board, steps through plies with links, and offers
//! the position and record as text. With JavaScript, arrow keys step in place, and a running game updates
//! itself (server-sent events). Visitors are not tracked, and people appear only as their sides, because a
//! page may be public.

mod events;
mod page;
mod shared;
mod table;
mod view;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rookery_i18n::Localizer;
use rookery_render::Names;
use rookery_table::TableError;
use rookery_table::ports::StoreError;
use rookery_table::registry::TableRegistry;
use tokio::net::TcpListener;

use crate::drawing::Drawing;
use crate::http_server::{Limits, Server};

/// The state behind the pages.
pub struct Web {
    /// The registry in which tables and links are looked up.
    pub registry: Arc<TableRegistry>,
    /// The service that draws boards and share cards.
    pub drawing: Drawing,
    /// The fonts for names on share cards.
    pub names: Names,
    /// The sentences of the pages' language.
    pub words: &'static Localizer,
    /// The name of the boards' theme.
    pub theme: String,
    /// The public address of the pages, without a slash at the end: link previews need a picture's absolute
    /// address.
    pub address: Option<String>,
}

/// Creates the server of the pages, within limits.
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
        // Addresses of older versions contain a table's name; they get the same response as unknown ones, without a
        // lookup.
        .fallback(|| async { PageNotFound })
        .layer(middleware::map_response(with_privacy_headers))
        .with_state(web)
}

/// Adds headers to a response: no cache may keep it, no search engine may list it, and no referrer may reveal
/// its address, which grants the access.
async fn with_privacy_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex, nofollow, noarchive"));
    response
}

/// The page does not exist, or is unavailable now.
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

/// Responds with a page that loads only its own resources and cannot be framed.
fn html(markup: maud::Markup) -> Response {
    let policy = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; script-src 'self' \
                  'unsafe-inline'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, policy)];
    (headers, markup.into_string()).into_response()
}
