//! Signing a browser in with a link from Discord. Looking at the link uses nothing up, because programs look at links as
//! well; the page's form does. The form says who will be signed in, so that nobody goes on as another person unknowingly.
//!
//! The browser that used a link up keeps in a cookie where it led. So the same link, opened there again by the same person,
//! leads to the table. The store has forgotten it, and it gives nothing anywhere else.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use rookery_table::web_session::{SignIn, WebToken};
use rookery_table::{TableId, UserId};
use serde::Deserialize;

use super::play::page::used_link;
use super::play::response::{html_response, html_response_with};
use super::response::PageError;
use super::session::{self, is_same_site, set_cookie, signed_in};
use super::sign_in_pages::{SignInForm, sign_in as sign_in_page};
use super::state::Web;

/// The name of the cookie that says where a used link led. A browser sends it with that link alone.
const USED: &str = "rookery-used";
/// How long a browser keeps it: answers on Discord that only one person sees soon disappear.
const USED_TIME_S: u32 = 24 * 60 * 60;

/// What the person has agreed to.
#[derive(Deserialize)]
pub(super) struct Agreed {
    /// The person who is signed out of this browser by it.
    instead_of: Option<u64>,
}

/// Serves the page with the form that signs the browser in. A person who is signed in already goes to the table at once.
pub(super) async fn page(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    let token = WebToken::read(&token).ok_or(PageError::NotFound)?;
    let now = signed_in(&web, &headers).await?.map(|person| person.who);
    let Some(sign_in) = web.registry.pending_sign_in(&token).await? else {
        return Ok(used(&web, &headers, now));
    };
    if now == Some(sign_in.person) {
        // The link is used up all the same, so that nobody else finds one that works. Other programs have no session.
        web.registry.journal().web_sessions().take_sign_in(&token, web.registry.now()).await?;
        return Ok(with_used(&web, &token, &sign_in, to_table(sign_in.table)));
    }
    Ok(question(&web, &token, &sign_in, now).await)
}

/// Uses the link up: signs the browser in and opens the table.
pub(super) async fn sign_in(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
    headers: HeaderMap,
    agreed: Result<Query<Agreed>, QueryRejection>,
) -> Result<Response, PageError> {
    let token = WebToken::read(&token).ok_or(PageError::NotFound)?;
    if !is_same_site(&web, &headers) {
        return Ok(StatusCode::FORBIDDEN.into_response());
    }
    let now = signed_in(&web, &headers).await?.map(|person| person.who);
    let instead_of = agreed.ok().and_then(|Query(agreed)| agreed.instead_of).map(UserId);
    if now.is_some() && now != instead_of {
        let Some(sign_in) = web.registry.pending_sign_in(&token).await? else {
            return Ok(used(&web, &headers, now));
        };
        if now != Some(sign_in.person) {
            return Ok(question(&web, &token, &sign_in, now).await);
        }
    }
    match web.registry.sign_in(&token).await? {
        Some((sign_in, session)) => {
            session::end(&web, &headers).await?;
            let begins = [(header::SET_COOKIE, set_cookie(&web, &session))];
            let response = (begins, to_table(sign_in.table)).into_response();
            Ok(with_used(&web, &token, &sign_in, response))
        }
        None => Ok(used(&web, &headers, now)),
    }
}

/// Asks whether to sign in as the person of the link, instead of the one who is signed in now.
async fn question(web: &Web, token: &WebToken, sign_in: &SignIn, now: Option<UserId>) -> Response {
    let name = name(web, sign_in.person).await;
    let other = match now {
        Some(other) => Some(self::name(web, other).await),
        None => None,
    };
    let instead = now.map(|UserId(id)| format!("?instead_of={id}")).unwrap_or_default();
    let address = format!("/in/{}{instead}", token.as_str());
    let form = SignInForm { address: &address, name: &name, other: other.as_deref() };
    let mut response = html_response(sign_in_page(web.words, &form));
    // Other sites learn nothing, and the form's request says which site it comes from.
    response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

/// Returns a person's name, or something that stands for it.
pub(super) async fn name(web: &Web, who: UserId) -> String {
    let found = match web.discord_side.get() {
        Some(discord) => discord.name(who).await,
        None => None,
    };
    found.unwrap_or_else(|| web.words.say("page-unnamed", &[("id", who.0.to_string().into())]))
}

/// Adds the cookie that says where a link led that is used up now.
fn with_used(web: &Web, token: &WebToken, sign_in: &SignIn, response: Response) -> Response {
    let UserId(person) = sign_in.person;
    let secure = if session::is_https(web) { "; Secure" } else { "" };
    let cookie = format!(
        "{USED}={person}.{}; Path=/in/{}; HttpOnly; SameSite=Lax; Max-Age={USED_TIME_S}{secure}",
        sign_in.table,
        token.as_str()
    );
    (AppendHeaders([(header::SET_COOKIE, cookie)]), response).into_response()
}

/// Responds to a link that doesn't work any more. In the browser that used it up it leads to its table, while its person is
/// signed in there.
fn used(web: &Web, headers: &HeaderMap, now: Option<UserId>) -> Response {
    let kept = session::cookies(headers).find_map(|(name, value)| (name == USED).then(|| used_by(value))?);
    match kept {
        Some((person, table)) if now == Some(person) => to_table(table),
        _ => html_response_with(StatusCode::GONE, used_link(web.words)),
    }
}

/// Parses the person and the table of a used link.
fn used_by(cookie: &str) -> Option<(UserId, TableId)> {
    let (person, table) = cookie.split_once('.')?;
    Some((UserId(person.parse().ok()?), table.parse().ok()?))
}

fn to_table(table: TableId) -> Response {
    Redirect::to(&format!("/play/{table}")).into_response()
}
