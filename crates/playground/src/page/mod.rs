//! The web page: its files, the state it shows, the actions of its people, and the events it receives.

pub(crate) mod acting_person;
mod actions;
mod files;
mod socket;
pub(crate) mod tabs;
mod views;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{delete, get, post};

use super::activity;
use super::page_security;
use super::shared_state::SharedState;

/// The placeholder of the page's token in `index.html`.
const TOKEN_PLACEHOLDER: &str = "TOKEN-OF-THIS-START";

/// The routes under `/page`.
pub(crate) fn router(shared: &Arc<SharedState>) -> Router {
    let most = super::check::message::REQUEST_BYTES_MAX;
    let acts = Router::new()
        .route("/page/users", get(views::users).post(actions::new_person))
        .route("/page/state", get(views::state))
        .route("/page/channels/{channel}/messages", get(views::messages).post(actions::say))
        .route("/page/channels/{channel}/messages/{message}", delete(actions::delete).patch(actions::edit))
        .route("/page/channels/{channel}/typing", post(actions::typing))
        .route("/page/files", post(actions::upload))
        .route("/page/dms", post(actions::open_dm))
        .route("/page/interactions", post(actions::interact))
        .route("/page/ws", get(socket::enter))
        .merge(activity::page::router())
        .layer(middleware::from_fn_with_state(shared.clone(), page_security::with_page_token));
    Router::new()
        .route("/", get(|| async { Redirect::temporary("/page/") }))
        .route("/page", get(|| async { Redirect::temporary("/page/") }))
        .route("/page/", get(index))
        .route("/page/static/{file}", get(|path: axum::extract::Path<String>| async move { own_file(&path) }))
        .route("/page/files/{channel}/{file}/{name}", get(views::file))
        .merge(acts)
        .layer(DefaultBodyLimit::max(most))
        .with_state(shared.clone())
}

/// Serves the page with the token of this start. Another site's page cannot learn the token, because browsers
/// do not let it read this one.
async fn index(State(shared): State<Arc<SharedState>>) -> Response {
    let Some((kind, text)) = files::find("index.html") else { return StatusCode::NOT_FOUND.into_response() };
    let text = text.replacen(TOKEN_PLACEHOLDER, &shared.secrets.page, 1);
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")], text).into_response()
}

fn own_file(name: &str) -> Response {
    let found =
        files::find(name).map(|(kind, text)| (kind, text.as_bytes())).or_else(|| files::find_font(name));
    match found {
        Some((kind, bytes)) => {
            ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], bytes).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
