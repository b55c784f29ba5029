//! Signing a browser in with a link from Discord. Looking at the link uses nothing up, because programs look at links as
//! well; the page's form does. The form says who will be signed in, so that nobody goes on as another person unknowingly.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use rookery_i18n::Localizer;
use rookery_table::UserId;
use rookery_table::web_session::{SignIn, WebToken};
use serde::Deserialize;

use super::account_pages::{SignInForm, sign_in as sign_in_page};
use super::play::page::used_link;
use super::play::response::{own_page, own_page_with};
use super::response::PageNotFound;
use super::session::{self, is_same_site, set_cookie, signed_in};
use super::state::Web;

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
) -> Result<Response, PageNotFound> {
    let token = WebToken::read(&token).ok_or(PageNotFound)?;
    let Some(sign_in) = web.registry.pending_sign_in(&token).await? else { return Ok(no_longer()) };
    let now = signed_in(&web, &headers).await?.map(|person| person.who);
    if now == Some(sign_in.person) {
        // The link is used up all the same, so that nobody else finds one that works. Other programs have no session.
        web.registry.journal().web_sessions().take_sign_in(&token, web.registry.now()).await?;
        return Ok(there(&sign_in));
    }
    Ok(question(&web, &token, &sign_in, now).await)
}

/// Uses the link up: signs the browser in and opens the table.
pub(super) async fn sign_in(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
    headers: HeaderMap,
    agreed: Result<Query<Agreed>, QueryRejection>,
) -> Result<Response, PageNotFound> {
    let token = WebToken::read(&token).ok_or(PageNotFound)?;
    if !is_same_site(&web, &headers) {
        return Ok(StatusCode::FORBIDDEN.into_response());
    }
    let now = signed_in(&web, &headers).await?.map(|person| person.who);
    let instead_of = agreed.ok().and_then(|Query(agreed)| agreed.instead_of).map(UserId);
    if now.is_some() && now != instead_of {
        let Some(sign_in) = web.registry.pending_sign_in(&token).await? else { return Ok(no_longer()) };
        if now != Some(sign_in.person) {
            return Ok(question(&web, &token, &sign_in, now).await);
        }
    }
    match web.registry.sign_in(&token).await? {
        Some((sign_in, session)) => {
            session::end(&web, &headers).await?;
            Ok(([(header::SET_COOKIE, set_cookie(&web, &session))], there(&sign_in)).into_response())
        }
        None => Ok(no_longer()),
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
    let mut response = own_page(sign_in_page(Localizer::english(), &form));
    // Other sites learn nothing, and the form's request says which site it comes from.
    response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

/// Returns a person's name, or something that stands for it.
pub(super) async fn name(web: &Web, who: UserId) -> String {
    let found = match web.players.get() {
        Some(players) => players.name(who).await,
        None => None,
    };
    found.unwrap_or_else(|| web.words.say("page-unnamed", &[("id", who.0.to_string().into())]))
}

fn there(sign_in: &SignIn) -> Response {
    Redirect::to(&format!("/play/{}", sign_in.table)).into_response()
}

fn no_longer() -> Response {
    own_page_with(StatusCode::GONE, used_link(Localizer::english()))
}
