//! Signed-in browsers: the cookie of a session, and protection against CSRF (requests that another site makes a signed-in
//! browser send).

use axum::http::{HeaderMap, header};
use rookery_table::UserId;
use rookery_table::digest::sha256_hex;
use rookery_table::ports::StoreError;
use rookery_table::web_session::{SESSION_TIME, WebToken};

use super::discord_sign_in::FramePlace;
use super::state::Web;

/// The name of the cookie.
const COOKIE: &str = "rookery";
/// The name of the cookie in a frame inside Discord.
const FRAME_COOKIE: &str = "rookery-frame";
/// The header with the token against CSRF, without which no order is taken.
pub(super) const CSRF_HEADER: &str = "x-rookery-page";
/// The header in which a browser says which site a request comes from.
const FETCH_SITE: &str = "sec-fetch-site";

/// A person who is signed in.
#[derive(Clone)]
pub(super) struct SignedIn {
    /// The person.
    pub(super) who: UserId,
    token: WebToken,
    /// Whether they are in a frame inside Discord.
    in_frame: bool,
}

impl SignedIn {
    /// Returns the token against CSRF, which the pages send with each order; other sites can't read it.
    pub(super) fn csrf_token(&self) -> String {
        sha256_hex(&format!("page {}", self.token.as_str()))
    }

    /// Whether the session still exists.
    pub(super) async fn is_valid(&self, web: &Web) -> bool {
        matches!(web.registry.signed_in(&self.token).await, Ok(Some(who)) if who == self.who)
    }
}

/// Returns who is signed in with the cookie of a request.
///
/// # Errors
/// If the journal fails.
pub(super) async fn signed_in(web: &Web, headers: &HeaderMap) -> Result<Option<SignedIn>, StoreError> {
    let in_frame = token_in_frame(web, headers);
    let is_framed = in_frame.is_some();
    let Some(token) = in_frame.or_else(|| cookie(headers)) else { return Ok(None) };
    let who = web.registry.signed_in(&token).await?;
    Ok(who.map(|who| SignedIn { who, token, in_frame: is_framed }))
}

/// Begins a session of a person, and ends the one that the browser of a request had; returns its token.
///
/// # Errors
/// If the journal fails.
pub(super) async fn replace(web: &Web, headers: &HeaderMap, who: UserId) -> Result<WebToken, StoreError> {
    let session = web.registry.begin_session(who).await?;
    end(web, headers).await?;
    Ok(session)
}

/// Begins a session of a person in a frame, and ends the one that the frame of a request had; returns its token.
///
/// # Errors
/// If the journal fails.
pub(super) async fn replace_in_frame(
    web: &Web,
    headers: &HeaderMap,
    who: UserId,
) -> Result<WebToken, StoreError> {
    let session = web.registry.begin_frame_session(who).await?;
    if let Some(old) = frame_cookie(headers) {
        web.registry.end_session(&old).await?;
    }
    Ok(session)
}

/// Ends the session that the browser of a request has.
///
/// # Errors
/// If the journal fails.
pub(super) async fn end(web: &Web, headers: &HeaderMap) -> Result<(), StoreError> {
    match cookie(headers) {
        Some(old) => web.registry.end_session(&old).await,
        None => Ok(()),
    }
}

/// Returns the names and values of a request's cookies.
pub(super) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let texts = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

/// Whether browsers reach the pages by https.
pub(super) fn is_https(web: &Web) -> bool {
    web.address.as_ref().is_some_and(|address| address.starts_with("https:"))
}

/// Returns the token in the cookie of a request.
fn cookie(headers: &HeaderMap) -> Option<WebToken> {
    cookies(headers).find_map(|(name, value)| (name == COOKIE).then(|| WebToken::read(value)).flatten())
}

/// Returns the token of a frame in the cookie of a request.
pub(super) fn frame_cookie(headers: &HeaderMap) -> Option<WebToken> {
    let found = |(name, value)| (name == FRAME_COOKIE).then(|| WebToken::read(value)).flatten();
    cookies(headers).find_map(found).map(WebToken::in_frame)
}

/// Returns the token of a frame, if there is an Activity and no page of another origin sends the request.
fn token_in_frame(web: &Web, headers: &HeaderMap) -> Option<WebToken> {
    let token = frame_cookie(headers)?;
    let place = web.frame_place()?;
    let origin = headers.get(header::ORIGIN);
    origin.is_none_or(|origin| origin.as_bytes() == place.origin.as_bytes()).then_some(token)
}

/// Returns the header that stores the cookie of a session in a frame. Browsers take it only on the host of the frame, and
/// keep it apart from what is stored for that host on other pages.
pub(super) fn set_frame_cookie(place: &FramePlace, token: &WebToken) -> String {
    let host = place.origin.split("://").nth(1).and_then(|host| host.split(':').next()).unwrap_or_default();
    let age = SESSION_TIME.as_secs();
    format!(
        "{FRAME_COOKIE}={}; Domain={host}; Path=/; HttpOnly; SameSite=None; Secure; Partitioned; Max-Age={age}",
        token.as_str()
    )
}

/// Whether a request that changes something comes from a page in the frame. Browsers name the origin in every request that
/// isn't a GET.
pub(super) fn is_frame_request(place: &FramePlace, headers: &HeaderMap) -> bool {
    let is_from_frame =
        headers.get(header::ORIGIN).is_some_and(|origin| origin.as_bytes() == place.origin.as_bytes());
    is_from_frame && headers.get(FETCH_SITE).is_none_or(|site| site.as_bytes() == b"same-origin")
}

/// Whether a request that changes something comes from a page on which its person was signed in.
pub(super) fn is_same_origin_request(web: &Web, headers: &HeaderMap, person: &SignedIn) -> bool {
    match person.in_frame {
        true => web.frame_place().is_some_and(|place| is_frame_request(&place, headers)),
        false => is_same_site(web, headers),
    }
}

/// Returns the header that stores a session's cookie.
pub(super) fn set_cookie(web: &Web, token: &WebToken) -> String {
    let secure = if is_https(web) { "; Secure" } else { "" };
    let age = SESSION_TIME.as_secs();
    format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age={age}{secure}", token.as_str())
}

/// Whether a request that changes something comes from a page of this site, or from no page at all.
pub(super) fn is_same_site(web: &Web, headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    // Browsers that send it can't be made to lie; `Origin` may be hidden by a page's referrer policy.
    if let Some(site) = text(FETCH_SITE) {
        return site == "same-origin";
    }
    let Some(origin) = text("origin") else { return true };
    let own = web.address.as_deref().is_some_and(|address| address == origin);
    let host = text("host").is_some_and(|host| origin.split_once("://").is_some_and(|(_, at)| at == host));
    own || host
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn session_cookie_is_found_among_others() {
        let token = WebToken::draw().unwrap();
        for (text, is_found) in [
            (format!("rookery={}", token.as_str()), true),
            (format!("a=b; rookery={}; c", token.as_str()), true),
            (format!("xrookery={}", token.as_str()), false),
            ("rookery=".to_owned(), false),
            (format!("rookery={}x", token.as_str()), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, HeaderValue::from_str(&text).unwrap());
            assert_eq!(cookie(&headers).is_some_and(|found| found == token), is_found, "{text}");
        }
        assert!(cookie(&HeaderMap::new()).is_none());
    }
}
