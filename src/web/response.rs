//! Responses with a page, and the one for paths that lead to none.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rookery_i18n::Localizer;
use rookery_table::TableError;
use rookery_table::ports::StoreError;

use super::page;

/// The page does not exist, or is unavailable now.
pub(super) struct PageNotFound;

impl From<TableError> for PageNotFound {
    fn from(_: TableError) -> PageNotFound {
        PageNotFound
    }
}

impl From<StoreError> for PageNotFound {
    fn from(error: StoreError) -> PageNotFound {
        tracing::warn!(%error, "could not look up what a link shows");
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
pub(super) fn html(markup: maud::Markup) -> Response {
    let policy = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; script-src 'self' \
                  'unsafe-inline'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, policy)];
    (headers, markup.into_string()).into_response()
}
