//! The pages inside Discord, as an Activity: Discord's client shows them in a frame on a host of its own, through its proxy.
//!
//! The frame begins with a shell (`frame.js`), which speaks with Discord (`embedded.js`) and holds another frame with the
//! ordinary pages, so that they can be left for each other without losing that connection. Discord says who the person is:
//! the shell gets a code, and the server exchanges it for a session with a cookie that works only in the frame.

mod enter;
mod page;

use std::sync::Arc;

use axum::extract::{RawQuery, Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use super::page::front as front_page;
use super::play::response::html_response_with;
use super::response::html;
use super::session::frame_cookie;
use super::state::Web;

pub(super) use enter::enter;

/// What the pages' policies say about frames.
const NO_FRAME: &str = "frame-ancestors 'none'";

/// Serves the front page, or in a frame of Discord the shell.
pub(super) async fn front(State(web): State<Arc<Web>>, RawQuery(query): RawQuery) -> Response {
    match web.frame_place().filter(|_| begins_frame(query.as_deref())) {
        Some(place) => page::shell(&web, &place),
        None => html(front_page(web.words)),
    }
}

/// Lets Discord show the responses to requests of the frame in a frame; all others stay as they are.
pub(super) async fn allow(State(web): State<Arc<Web>>, request: Request, next: Next) -> Response {
    let place = web.frame_place().filter(|_| is_of_frame(&request));
    let mut response = next.run(request).await;
    let Some(place) = place else { return response };
    let Some(policy) = response.headers_mut().get_mut(header::CONTENT_SECURITY_POLICY) else {
        return response;
    };
    let allowed = format!("frame-ancestors 'self' {}", place.parents.join(" "));
    let changed = policy.to_str().unwrap_or_default().replace(NO_FRAME, &allowed);
    if let Ok(changed) = HeaderValue::from_str(&changed) {
        *policy = changed;
    }
    response
}

/// Whether a request begins a frame or comes from one.
fn is_of_frame(request: &Request) -> bool {
    let is_shell = request.uri().path() == "/" && begins_frame(request.uri().query());
    is_shell || frame_cookie(request.headers()).is_some()
}

/// Whether a query has what Discord adds to the address of a frame; the rest is for the shell's script.
fn begins_frame(query: Option<&str>) -> bool {
    query.is_some_and(|query| query.split('&').any(|part| part.starts_with("frame_id=")))
}

/// Whether a request comes from a frame in which somebody was signed in.
pub(super) fn is_in_frame(web: &Web, headers: &HeaderMap) -> bool {
    frame_cookie(headers).is_some() && web.frame_place().is_some()
}

/// Responds to a request of the frame whose session has ended. The shell knows the page by its mark, and signs in again.
pub(super) fn signed_out(web: &Web, response: &Response) -> Response {
    html_response_with(response.status(), page::signed_out(web.words))
}
