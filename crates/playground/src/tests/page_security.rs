//! Requests that a page of another site, open in a browser on the same machine, cannot make.

use axum::http::HeaderValue;
use reqwest::Method;
use reqwest::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use super::raw_client::{Raw, manual_clock_options};

/// Paths of each kind: the page, its own requests, the bot's.
const PATHS: [&str; 5] = ["/", "/page/", "/page/static/app.js", "/page/users", "/api/v10/users/@me"];

struct Site(Raw);

impl Site {
    async fn open() -> Site {
        Site(Raw::start(manual_clock_options()).await)
    }

    /// Sends a request with both tokens and these headers; returns the status.
    async fn get(&self, path: &str, headers: &[(&'static str, &str)]) -> u16 {
        let request = reqwest::Client::new().get(format!("{}{path}", self.0.playground.api_base()));
        let request = request.header("authorization", format!("Bot {}", self.0.playground.token()));
        let request = request.header("x-playground-token", self.0.playground.page_token());
        let headers = headers.iter().map(|(name, value)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).expect("a header"))
        });
        request.headers(HeaderMap::from_iter(headers)).send().await.expect("an answer").status().as_u16()
    }

    /// Opens a WebSocket as a page would; returns the refusal's status, or `None` if it is accepted.
    async fn socket(&self, path: &str, name: HeaderName, value: &str) -> Option<u16> {
        let url = format!("{}{path}", self.0.playground.api_base().replace("http", "ws"));
        let mut request = url.into_client_request().expect("a request");
        request.headers_mut().insert(name, HeaderValue::from_str(value).expect("a header"));
        match tokio_tungstenite::connect_async(request).await {
            Ok(_) => None,
            Err(Error::Http(answer)) => Some(answer.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    fn page_socket(&self) -> String {
        let ada = self.0.playground.user("Ada").id;
        format!("/page/ws?as={ada}&token={}", self.0.playground.page_token())
    }
}

#[tokio::test]
async fn foreign_host_names_are_refused_on_all_paths() {
    let site = Site::open().await;
    let port = site.0.playground.addr().port();
    for path in PATHS {
        for host in ["evil.example", "localhost.evil.example", "192.0.2.1"] {
            assert_eq!(site.get(path, &[("host", &format!("{host}:{port}"))]).await, 403, "{host} {path}");
        }
        assert_eq!(site.get(path, &[("host", &format!("localhost:{port}"))]).await, 200, "{path}");
    }
    for path in ["/gateway", &site.page_socket()] {
        assert_eq!(site.socket(path, HOST, "evil.example").await, Some(403), "{path}");
    }
}

#[tokio::test]
async fn a_page_from_elsewhere_is_refused_everywhere() {
    let site = Site::open().await;
    let own = site.0.playground.api_base();
    let near = "http://127.0.0.1:1";
    for path in PATHS {
        for origin in ["https://evil.example", "null", near] {
            assert_eq!(site.get(path, &[("origin", origin)]).await, 403, "{origin} {path}");
        }
        assert_eq!(site.get(path, &[("origin", &own)]).await, 200, "{path}");
        for from in ["cross-site", "same-site"] {
            assert_eq!(site.get(path, &[("sec-fetch-site", from)]).await, 403, "{from} {path}");
        }
        assert_eq!(site.get(path, &[("sec-fetch-site", "same-origin")]).await, 200, "{path}");
    }
    for path in ["/gateway", &site.page_socket()] {
        assert_eq!(site.socket(path, ORIGIN, "https://evil.example").await, Some(403), "{path}");
        assert_eq!(site.socket(path, ORIGIN, near).await, Some(403), "{path}");
        assert_eq!(site.socket(path, ORIGIN, &own).await, None, "{path}");
    }
}

#[tokio::test]
async fn a_link_leads_to_the_page_and_to_nothing_else() {
    let site = Site::open().await;
    let link =
        |dest| [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", dest)];
    assert_eq!(site.get("/", &link("document")).await, 200);
    assert_eq!(site.get("/page/", &link("document")).await, 200);
    assert_eq!(site.get("/page/", &link("iframe")).await, 403);
    assert_eq!(site.get("/page/users", &link("document")).await, 403);
}

#[tokio::test]
async fn the_pages_own_requests_carry_the_token_of_this_start() {
    let site = Site::open().await;
    let (url, token) = (site.0.playground.api_base(), site.0.playground.page_token());
    let page = reqwest::get(format!("{url}/page/")).await.expect("an answer");
    assert!(
        page.headers()["content-security-policy"].to_str().expect("text").contains("frame-ancestors 'none'")
    );
    let page = page.text().await.expect("text");
    assert!(page.contains(&format!("name=\"playground-token\" content=\"{token}\"")), "the page is given it");

    let games = site.0.playground.channel("games");
    for given in [None, Some(""), Some("0123456789abcdef0123456789abcdef")] {
        for (method, path) in [
            (Method::GET, "/users".to_owned()),
            (Method::POST, "/users".to_owned()),
            (Method::GET, "/state".to_owned()),
            (Method::POST, format!("/channels/{games}/messages")),
            (Method::POST, "/interactions".to_owned()),
        ] {
            let request = reqwest::Client::new().request(method.clone(), format!("{url}/page{path}"));
            let request = request.header("x-playground-user", site.0.playground.user("Ada").id.to_string());
            let request = given.iter().fold(request, |it, given| it.header("x-playground-token", *given));
            let answer =
                request.json(&json!({"name": "Eve", "content": "hi"})).send().await.expect("an answer");
            assert_eq!(answer.status().as_u16(), 403, "{given:?} {method} {path}");
            let refused: Value = answer.json().await.expect("JSON");
            assert!(refused["message"].as_str().expect("a sentence").contains("Load it again"), "{refused}");
        }
    }
    let ada = site.0.playground.user("Ada").id;
    let own = HeaderValue::from_str(&url).expect("a header");
    let socket =
        site.socket(&format!("/page/ws?as={ada}&token=1"), ORIGIN, own.to_str().expect("text")).await;
    assert_eq!(socket, Some(403));
}

#[tokio::test]
async fn each_start_has_tokens_of_its_own() {
    let (one, other) = (Site::open().await, Site::open().await);
    let tokens =
        |site: &Site| (site.0.playground.token().to_owned(), site.0.playground.page_token().to_owned());
    let (bot, page) = tokens(&one);
    assert!(bot.len() >= 32 && page.len() >= 32 && bot != page);
    assert!(tokens(&other).0 != bot && tokens(&other).1 != page);
    let request = reqwest::Client::new().get(format!("{}/api/v10/users/@me", other.0.playground.api_base()));
    let answer = request.header("authorization", format!("Bot {bot}")).send().await.expect("an answer");
    assert_eq!(answer.status().as_u16(), 401);
}
