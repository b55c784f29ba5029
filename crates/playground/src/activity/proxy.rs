//! Discord's proxy: it shows the application's pages on a host of their own, `APPLICATION.localhost`. Nothing else of the
//! playground is on this host, so that the pages are strangers to it, as they are to Discord's client.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::uri::{Authority, PathAndQuery, Scheme};
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

use super::super::options::BOT_ID;
use super::super::shared_state::SharedState;

/// The client with which the proxy gets the pages.
pub(crate) type ProxyClient = Client<HttpConnector, Body>;

/// A prefix that Discord's proxy removes.
const OLD_PREFIX: &str = "/.proxy/";
/// What Discord's proxy lets pages load and connect to, as far as it is documented: their own host only.
const POLICY: &str = "default-src 'self' data: blob: 'unsafe-inline'; connect-src 'self'; frame-src 'self'; \
    object-src 'none'; base-uri 'self'";
/// Headers that belong to one connection (RFC 9110, 7.6.1).
const CONNECTION_HEADERS: [HeaderName; 4] =
    [header::CONNECTION, header::TRANSFER_ENCODING, header::UPGRADE, HeaderName::from_static("keep-alive")];
/// Headers about caching, which Discord's proxy removes from pages.
const CACHE_HEADERS: [HeaderName; 4] =
    [header::CACHE_CONTROL, header::ETAG, header::EXPIRES, header::LAST_MODIFIED];

/// Creates the client. Each request has a connection of its own, so that none is sent on one that has just ended.
pub(crate) fn client() -> ProxyClient {
    Client::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build_http()
}

/// Answers requests for the host of the application's pages; all others are for the playground itself.
pub(crate) async fn by_host(
    State(shared): State<Arc<SharedState>>,
    request: Request,
    next: Next,
) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !is_pages_host(host) {
        return next.run(request).await;
    }
    let Some(pages) = shared.look(|discord_state| discord_state.activities.pages) else {
        return (StatusCode::NOT_FOUND, "Activities are not enabled for this application.").into_response();
    };
    match passed_on(&shared, request, pages).await {
        Some(response) => response,
        None => (StatusCode::BAD_GATEWAY, "The application's pages don't answer.").into_response(),
    }
}

fn is_pages_host(host: &str) -> bool {
    let name = host.split(':').next().unwrap_or_default().to_ascii_lowercase();
    name.strip_suffix(".localhost").is_some_and(|name| name.parse() == Ok(BOT_ID))
}

/// Sends a request to the pages; `None` if they don't answer.
async fn passed_on(shared: &SharedState, mut request: Request, pages: SocketAddr) -> Option<Response> {
    let pages = match pages.ip().is_unspecified() {
        true => SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), pages.port()),
        false => pages,
    };
    *request.uri_mut() = uri(request.uri(), pages)?;
    let headers = request.headers_mut();
    CONNECTION_HEADERS.iter().for_each(|name| drop(headers.remove(name)));
    headers.insert(header::HOST, HeaderValue::from_str(&pages.to_string()).ok()?);
    let answered = shared.proxy.request(request).await;
    let mut response = answered
        .inspect_err(|error| tracing::info!(%error, "the application's pages did not answer"))
        .ok()?
        .map(Body::new);
    let headers = response.headers_mut();
    CONNECTION_HEADERS.iter().for_each(|name| drop(headers.remove(name)));
    let kind = headers.get(header::CONTENT_TYPE).map(|kind| kind.as_bytes().to_vec()).unwrap_or_default();
    if kind.starts_with(b"text/html") {
        CACHE_HEADERS.iter().for_each(|name| drop(headers.remove(name)));
    }
    // Of several policies all hold.
    headers.append(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    Some(response)
}

/// Returns the address of a request at the pages.
fn uri(asked: &Uri, pages: SocketAddr) -> Option<Uri> {
    let path = asked.path_and_query().map_or("/", PathAndQuery::as_str);
    let path = path.strip_prefix(OLD_PREFIX).map_or_else(|| path.to_owned(), |rest| format!("/{rest}"));
    let authority: Authority = pages.to_string().parse().ok()?;
    Uri::builder().scheme(Scheme::HTTP).authority(authority).path_and_query(path).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxy_serves_the_host_of_the_application_alone() {
        for host in ["1200000000000000000.localhost", "1200000000000000000.LOCALHOST:8080"] {
            assert!(is_pages_host(host), "{host}");
        }
        for host in
            ["localhost", "127.0.0.1:8080", "1.localhost", "1200000000000000000.localhost.example", ""]
        {
            assert!(!is_pages_host(host), "{host}");
        }
    }

    #[test]
    fn proxy_maps_both_forms_of_a_path() {
        let pages = "127.0.0.1:9".parse().expect("an address");
        for (asked, there) in [
            ("/", "http://127.0.0.1:9/"),
            ("/play?a=b", "http://127.0.0.1:9/play?a=b"),
            ("/.proxy/play/K7Q2?a=b", "http://127.0.0.1:9/play/K7Q2?a=b"),
            ("/.proxy/", "http://127.0.0.1:9/"),
        ] {
            let mapped = uri(&asked.parse().expect("a path"), pages).expect("an address");
            assert_eq!(mapped.to_string(), there);
        }
    }
}
