//! Signing a browser in with a Discord account (OAuth2, authorization code). A cookie ties the way back to the browser
//! that began: nobody can sign another person's browser in with a code of their own.
//!
//! Discord doesn't document PKCE for this flow, so it isn't used. The code is exchanged with the client secret, and only
//! for the browser with the cookie.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use rookery_table::UserId;
use rookery_table::web_session::WebToken;
use serde::Deserialize;

use super::discord_sign_in::{DiscordSignInError, MAX_CODE_BYTES};
use super::frame;
use super::play::response::{SignedOutPage, html_response_with};
use super::redirect_target::{encoded, is_local_path};
use super::session::{self, set_cookie};
use super::sign_in_pages::{not_signed_in, reason, whole_seconds};
use super::state::Web;

/// The path that begins.
const BEGIN: &str = "/discord";
/// The path to which Discord leads back. With the address of the pages before it, it must be registered as a redirect.
pub const REDIRECT: &str = "/discord/return";
/// The name of the cookie of a sign-in that has begun. With https no other host can set it (`__Host-`).
const COOKIE: &str = "rookery-discord";
/// How long a person may take to answer Discord's question, in seconds.
const COOKIE_SECONDS: u32 = 600;
/// Where a person goes who comes from nowhere.
const HOME: &str = "/play";

/// Where the person was.
#[derive(Deserialize)]
pub(super) struct Start {
    to: Option<String>,
}

/// What Discord leads back with.
#[derive(Deserialize)]
pub(super) struct Returned {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
}

/// A sign-in that has begun in this browser.
struct Begun {
    state: WebToken,
    to: String,
}

/// Leads to Discord's page, which asks the person.
pub(super) async fn begin(
    State(web): State<Arc<Web>>,
    query: Result<Query<Start>, QueryRejection>,
) -> Response {
    let to = query
        .ok()
        .and_then(|Query(start)| start.to)
        .filter(|to| is_local_path(to))
        .unwrap_or(HOME.to_owned());
    let (Some(discord), Some(redirect)) = (web.discord_side.get(), redirect(&web)) else {
        return not_offered(&web);
    };
    let Some(sign_in) = discord.sign_in() else { return not_offered(&web) };
    let Ok(state) = WebToken::draw() else { return failed(&web, &to, DiscordSignInError::Unreachable) };
    let Some(there) = sign_in.authorization(state.as_str(), &redirect) else {
        return failed(&web, &to, DiscordSignInError::Unreachable);
    };
    let cookie = cookie(&web, &format!("{}:{to}", state.as_str()), COOKIE_SECONDS);
    ([(header::SET_COOKIE, cookie)], Redirect::to(&there)).into_response()
}

/// Signs the browser in that comes back from Discord's page, and leads to where it was.
pub(super) async fn finish(
    State(web): State<Arc<Web>>,
    headers: HeaderMap,
    query: Result<Query<Returned>, QueryRejection>,
) -> Response {
    let begun = begun(&web, &headers);
    let to = begun.as_ref().map_or(HOME, |begun| begun.to.as_str()).to_owned();
    let response = match (begun, query) {
        (Some(begun), Ok(Query(returned))) => finish_begun(&web, &headers, &begun, returned).await,
        _ => refused(&web, StatusCode::BAD_REQUEST, "page-sign-in-elsewhere", &to),
    };
    // Whatever came of it, the state is used up.
    (AppendHeaders([(header::SET_COOKIE, cookie(&web, "", 0))]), response).into_response()
}

async fn finish_begun(web: &Web, headers: &HeaderMap, begun: &Begun, returned: Returned) -> Response {
    let state = returned.state.as_deref().and_then(WebToken::read);
    if state.is_none_or(|state| state.digest() != begun.state.digest()) {
        return refused(web, StatusCode::BAD_REQUEST, "page-sign-in-elsewhere", &begun.to);
    }
    let code = match (returned.error.as_deref(), returned.code) {
        (Some("access_denied"), _) => {
            return refused(web, StatusCode::FORBIDDEN, "page-sign-in-cancelled", &begun.to);
        }
        (None, Some(code)) if (1..=MAX_CODE_BYTES).contains(&code.len()) => code,
        _ => return refused(web, StatusCode::BAD_REQUEST, "page-sign-in-refused", &begun.to),
    };
    let (Some(discord), Some(redirect)) = (web.discord_side.get(), redirect(web)) else {
        return not_offered(web);
    };
    let Some(sign_in) = discord.sign_in() else { return not_offered(web) };
    match sign_in.identify(&code, &redirect).await {
        Ok(who) => signed_in(web, headers, who, &begun.to).await,
        Err(error) => failed(web, &begun.to, error),
    }
}

/// Begins a session, ends the one that this browser had, and leads to where the person was.
async fn signed_in(web: &Web, headers: &HeaderMap, who: UserId, to: &str) -> Response {
    let begun = session::replace(web, headers, who).await;
    match begun {
        Ok(session) => {
            let cookie = AppendHeaders([(header::SET_COOKIE, set_cookie(web, &session))]);
            (cookie, Redirect::to(to)).into_response()
        }
        Err(error) => {
            tracing::warn!(%error, "could not begin a session");
            refused(web, StatusCode::SERVICE_UNAVAILABLE, "denied-journal", to)
        }
    }
}

/// Offers to sign in with Discord on every page that needs it.
pub(super) async fn offer(State(web): State<Arc<Web>>, request: Request, next: Next) -> Response {
    let at = request.uri().path_and_query().map_or(HOME, |path| path.as_str()).to_owned();
    let in_frame = frame::is_in_frame(&web, request.headers());
    let response = next.run(request).await;
    if response.extensions().get::<SignedOutPage>().is_none() || !is_offered(&web) {
        return response;
    }
    if in_frame {
        return frame::signed_out(&web, &response);
    }
    refused(&web, response.status(), "page-signed-out-discord", &at)
}

/// Whether people can sign in with Discord.
fn is_offered(web: &Web) -> bool {
    web.address.is_some() && web.discord_side.get().is_some_and(|discord| discord.sign_in().is_some())
}

fn redirect(web: &Web) -> Option<String> {
    web.address.as_ref().map(|address| format!("{address}{REDIRECT}"))
}

fn not_offered(web: &Web) -> Response {
    let why = if web.discord_side.get().is_none() { "page-starting" } else { "page-signed-out" };
    html_response_with(StatusCode::NOT_FOUND, not_signed_in(web.words, &web.words.word(why), None))
}

fn failed(web: &Web, to: &str, error: DiscordSignInError) -> Response {
    let (status, why) = reason(web.words, error);
    let mut response = page(web, status, &why, to);
    if let DiscordSignInError::Limited(wait) = error {
        response.headers_mut().insert(header::RETRY_AFTER, whole_seconds(wait).into());
    }
    response
}

fn refused(web: &Web, status: StatusCode, why: &str, to: &str) -> Response {
    page(web, status, &web.words.word(why), to)
}

/// Responds with a page whose link begins again, and leads back to where the person was.
fn page(web: &Web, status: StatusCode, why: &str, to: &str) -> Response {
    let to = if is_local_path(to) { to } else { HOME };
    let again = format!("{BEGIN}?to={}", encoded(to));
    html_response_with(status, not_signed_in(web.words, why, Some(&again)))
}

fn cookie_name(web: &Web) -> String {
    let prefix = if session::is_https(web) { "__Host-" } else { "" };
    format!("{prefix}{COOKIE}")
}

fn cookie(web: &Web, value: &str, seconds: u32) -> String {
    let secure = if session::is_https(web) { "; Secure" } else { "" };
    format!("{}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}", cookie_name(web))
}

/// Returns the sign-in that has begun in the browser of a request.
fn begun(web: &Web, headers: &HeaderMap) -> Option<Begun> {
    let name = cookie_name(web);
    let value = session::cookies(headers).find_map(|(known, value)| (known == name).then_some(value))?;
    let (state, to) = value.split_once(':')?;
    Some(Begun { state: WebToken::read(state)?, to: to.to_owned() }).filter(|begun| is_local_path(&begun.to))
}
