//! Restricts access to programs on this machine and the playground's own page. A page of another site in a
//! browser on this machine has no access: not by a cross-origin request (`Origin` differs), not through a DNS
//! name that resolves to this machine (`Host` is that name), and not by a form or link (`Sec-Fetch-Site`
//! names its site).

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::api_error::ApiError;
use super::shared_state::SharedState;

/// The header with which the page proves that this run of the playground served it.
const TOKEN_HEADER: HeaderName = HeaderName::from_static("x-playground-token");

/// The paths that a link or the address bar may open.
const NAVIGABLE_PATHS: [&str; 4] = ["/", "/page", "/page/", "/oauth2/authorize"];

/// The content security policy: the page loads only its own files, and shows the Activity's pages in a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    frame-src http://1200000000000000000.localhost:*; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Accepts requests of programs on this machine and of the playground's own page.
pub(crate) async fn own_requests_only(
    State(shared): State<Arc<SharedState>>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let mut response = match error(shared.options.listen.ip(), &parts) {
        Some(error) => error.into_response(),
        None => next.run(Request::from_parts(parts, body)).await,
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Accepts requests that carry the page's token.
pub(crate) async fn with_page_token(
    State(shared): State<Arc<SharedState>>,
    request: Request,
    next: Next,
) -> Response {
    let query = request.uri().query().unwrap_or_default().split('&');
    // A browser's WebSocket cannot send custom headers.
    let by_query = query.filter_map(|pair| pair.strip_prefix("token=")).next();
    let given = text(request.headers(), &TOKEN_HEADER).or(by_query);
    if given == Some(shared.secrets.page.as_str()) {
        return next.run(request).await;
    }
    let why = "This page belongs to an earlier start of the playground. Load it again.";
    ApiError::new(403, 0, why).into_response()
}

fn error(listen: IpAddr, parts: &Parts) -> Option<ApiError> {
    let host = text(&parts.headers, &header::HOST).unwrap_or_default();
    if !is_local_host(host, listen) {
        let why = "The playground can't be reached under this name. \
                   Open the address that Rookery printed when it started.";
        return Some(ApiError::new(403, 0, why));
    }
    let origin = text(&parts.headers, &header::ORIGIN);
    let own_origin = origin.is_none_or(|origin| origin.eq_ignore_ascii_case(&format!("http://{host}")));
    if own_origin && (is_same_origin(&parts.headers) || is_navigation(parts)) {
        return None;
    }
    Some(ApiError::new(
        403,
        0,
        "Only the playground's own page and programs on this machine can use it, not other web pages.",
    ))
}

/// Whether a `Host` header names this machine: by a name or address that always means it, or by the address
/// listened on. If every address is listened on, any IP address is valid but no other name, because a DNS
/// name of another site can resolve to this machine.
fn is_local_host(host: &str, listen: IpAddr) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    if let Ok(address) = name.parse::<IpAddr>() {
        return address.is_loopback() || address == listen || listen.is_unspecified();
    }
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

/// Whether the browser, if there is one, reports its own page or its user as the origin.
fn is_same_origin(headers: &HeaderMap) -> bool {
    let site = text(headers, &HeaderName::from_static("sec-fetch-site"));
    site.is_none_or(|site| ["same-origin", "none"].contains(&site))
}

/// Whether the request is a navigation to the page, whose response only the user sees.
fn is_navigation(parts: &Parts) -> bool {
    let mode = text(&parts.headers, &HeaderName::from_static("sec-fetch-mode"));
    let dest = text(&parts.headers, &HeaderName::from_static("sec-fetch-dest"));
    let entrance = NAVIGABLE_PATHS.contains(&parts.uri.path());
    parts.method == Method::GET && mode == Some("navigate") && dest == Some("document") && entrance
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    // A value that is not text matches no expected one.
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_header_must_name_this_machine() {
        let ours = |host: &str| is_local_host(host, "127.0.0.1".parse().unwrap());
        for host in
            ["127.0.0.1:8080", "localhost:8080", "LOCALHOST", "a.localhost:1", "[::1]:8080", "127.9.9.9"]
        {
            assert!(ours(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example",
            "evil.example:8080",
            "10.0.0.1:8080",
            "[2001:db8::1]",
            "0.0.0.0",
        ] {
            assert!(!ours(host), "{host}");
        }
        assert!(is_local_host("10.0.0.1:8080", "10.0.0.1".parse().unwrap()));
        let everywhere = "0.0.0.0".parse().unwrap();
        assert!(is_local_host("10.0.0.1", everywhere) && !is_local_host("evil.example", everywhere));
    }
}
