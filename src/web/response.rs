//! Responses with a page, and those that say why a page isn't shown.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rookery_table::TableError;
use rookery_table::ports::StoreError;

use super::page;
use super::state::Web;
use crate::drawing::DrawError;

/// After how many seconds a page that is unavailable may be asked for again.
const RETRY_AFTER_S: HeaderValue = HeaderValue::from_static("2");

/// Why a page isn't shown. Open pages take a 404 for the end of their link, and try again after a 503.
#[derive(Clone, Copy)]
pub(super) enum PageError {
    /// There is no such page, or the link gives no access to it.
    NotFound,
    /// Too many pictures are being drawn.
    TooManyPictures,
    /// It failed on our side; the same request may be sent again.
    Unavailable,
}

impl From<TableError> for PageError {
    fn from(error: TableError) -> PageError {
        if matches!(error, TableError::NoTable(_)) {
            return PageError::NotFound;
        }
        tracing::warn!(%error, "could not read the table behind a link");
        PageError::Unavailable
    }
}

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> PageError {
        tracing::warn!(%error, "could not look up what a link shows");
        PageError::Unavailable
    }
}

impl From<DrawError> for PageError {
    fn from(error: DrawError) -> PageError {
        if error == DrawError::TooMany {
            return PageError::TooManyPictures;
        }
        tracing::error!(%error, "a page could not be made");
        PageError::Unavailable
    }
}

impl IntoResponse for PageError {
    /// Responds without a text: [`with_error_page`] adds it in the language of the pages.
    fn into_response(self) -> Response {
        let status = match self {
            PageError::NotFound => StatusCode::NOT_FOUND,
            PageError::TooManyPictures | PageError::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        };
        let mut response = status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Adds the page that says why a page isn't shown.
pub(super) async fn with_error_page(State(web): State<Arc<Web>>, response: Response) -> Response {
    let unavailable = |key| page::unavailable(web.words, &web.words.word(key));
    let page = match response.extensions().get() {
        None => return response,
        Some(PageError::NotFound) => page::missing(web.words),
        Some(PageError::TooManyPictures) => unavailable("too-many-pictures"),
        Some(PageError::Unavailable) => unavailable("page-unavailable"),
    };
    let mut page = html(page);
    *page.status_mut() = response.status();
    if page.status() == StatusCode::SERVICE_UNAVAILABLE {
        page.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER_S);
    }
    page
}

/// Responds with a page that loads only its own resources and cannot be framed.
pub(super) fn html(markup: maud::Markup) -> Response {
    let policy = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; script-src 'self' \
                  'unsafe-inline'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, policy)];
    (headers, markup.into_string()).into_response()
}
