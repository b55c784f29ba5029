//! Signing a browser in with a link from Discord. Looking at the link uses nothing up, because programs look at links as
//! well; the page's form does.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use rookery_i18n::Localizer;
use rookery_table::web_session::WebToken;

use super::play::page::{sign_in as sign_in_page, used_link};
use super::play::response::{own_page, own_page_with};
use super::response::PageNotFound;
use super::session::{is_same_site, set_cookie};
use super::state::Web;

/// Serves the page with the form that signs the browser in.
pub(super) async fn page(Path(token): Path<String>) -> Result<Response, PageNotFound> {
    let token = WebToken::read(&token).ok_or(PageNotFound)?;
    let mut response = own_page(sign_in_page(Localizer::english(), &format!("/in/{}", token.as_str())));
    // Other sites learn nothing, and the form's request says which site it comes from.
    response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    Ok(response)
}

/// Uses the link up: signs the browser in and opens the table.
pub(super) async fn sign_in(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result<Response, PageNotFound> {
    let token = WebToken::read(&token).ok_or(PageNotFound)?;
    if !is_same_site(&web, &headers) {
        return Ok(StatusCode::FORBIDDEN.into_response());
    }
    match web.registry.sign_in(&token).await? {
        Some((sign_in, session)) => {
            let there = Redirect::to(&format!("/play/{}", sign_in.table));
            Ok(([(header::SET_COOKIE, set_cookie(&web, &session))], there).into_response())
        }
        None => Ok(own_page_with(StatusCode::GONE, used_link(Localizer::english()))),
    }
}
