//! The HTTP server: the routes of all parts, and the rules for every request.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, WebSocketUpgrade};
use axum::routing::get;
use axum::{Router, middleware};
use tokio::net::TcpListener;

use super::activity::proxy;
use super::check::message::REQUEST_BYTES_MAX;
use super::shared_state::SharedState;
use super::{gateway, oauth2, page, page_security, rest};

/// Serves requests until the playground stops.
pub(crate) async fn serve(shared: Arc<SharedState>, listener: Arc<std::net::TcpListener>) {
    let listener = listener.try_clone().and_then(TcpListener::from_std);
    let ended = match listener {
        Ok(listener) => axum::serve(listener, router(&shared)).with_graceful_shutdown(shared.closing()).await,
        Err(error) => Err(error),
    };
    if let Err(error) = ended {
        tracing::error!(%error, "the playground's server has failed");
    }
}

/// Returns the routes of all parts.
pub(crate) fn router(shared: &Arc<SharedState>) -> Router {
    let gateway = {
        let shared = shared.clone();
        move |upgrade: WebSocketUpgrade| async move { gateway::enter(shared, upgrade) }
    };
    Router::new()
        .merge(rest::router(shared))
        .merge(oauth2::router(shared))
        .merge(page::router(shared))
        .route("/gateway", get(gateway.clone()))
        .route("/gateway/", get(gateway))
        // The limit is above Discord's, so that the check answers 40005 instead of the transport.
        .layer(DefaultBodyLimit::max(REQUEST_BYTES_MAX + 1024 * 1024))
        .layer(middleware::from_fn_with_state(shared.clone(), page_security::own_requests_only))
        .layer(middleware::from_fn_with_state(shared.clone(), proxy::by_host))
}
