//! Signed-in browsers: the cookie of a session, and requests that come from the pages themselves.

use axum::http::{HeaderMap, header};
use rookery_table::UserId;
use rookery_table::digest::sha256_hex;
use rookery_table::ports::StoreError;
use rookery_table::web_session::{SESSION_TIME, WebToken};

use super::state::Web;

/// The name of the cookie.
const COOKIE: &str = "rookery";
/// The header with the page's token, without which no order is taken.
pub(super) const PAGE_TOKEN: &str = "x-rookery-page";
/// The header in which a browser says which site a request comes from.
const FETCH_SITE: &str = "sec-fetch-site";

/// A person who is signed in.
#[derive(Clone)]
pub(super) struct SignedIn {
    /// The person.
    pub(super) who: UserId,
    token: WebToken,
}

impl SignedIn {
    /// Returns the secret that the pages send with each order; other sites can't read it.
    pub(super) fn page_token(&self) -> String {
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
    let Some(token) = cookie(headers) else { return Ok(None) };
    let who = web.registry.signed_in(&token).await?;
    Ok(who.map(|who| SignedIn { who, token }))
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
