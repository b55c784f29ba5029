//! The limits, tested on real sockets with misbehaving clients.

use std::net::SocketAddr;

use axum::http::{HeaderMap, StatusCode};
use axum::routing::get;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;

/// Far longer than any test needs, so that a busy machine fails none.
const PATIENCE: Duration = Duration::from_secs(60);

struct Site {
    server: Server,
    address: SocketAddr,
    stop: watch::Sender<bool>,
}

impl Site {
    async fn with(limits: Limits) -> Site {
        let router = Router::new()
            .route("/", get(async || "here"))
            .route("/long", get(async || "x".repeat(32 << 20)))
            .route("/events", get(async || ([("content-type", "text/event-stream")], endless())))
            .route("/never", get(std::future::pending::<String>));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = Server::new("trial", listener, router, limits, Tasks::default());
        let (stop, mut stopped) = watch::channel(false);
        let serving = server.clone();
        tokio::spawn(async move { serving.serve(async { drop(stopped.wait_for(|it| *it).await) }).await });
        Site { server, address, stop }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// Sends a text and reads until the server closes the connection.
    async fn send_and_read(&self, text: &str) -> String {
        let mut stream = self.connect().await;
        stream.write_all(text.as_bytes()).await.unwrap();
        read_all(&mut stream).await
    }

    async fn get(&self, path: &str) -> (StatusCode, HeaderMap) {
        let answer = reqwest::get(format!("http://{}{path}", self.address)).await.unwrap();
        (answer.status(), answer.headers().clone())
    }
}

/// Returns a body that never ends.
fn endless() -> axum::body::Body {
    let first = futures_util::stream::once(std::future::ready(Ok::<_, std::io::Error>("data: 1\n\n")));
    axum::body::Body::from_stream(futures_util::StreamExt::chain(first, futures_util::stream::pending()))
}

async fn read_all(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    // A connection closed with unread data ends in an error; the bytes before it count.
    let reading = stream.read_to_end(&mut text);
    let _ = tokio::time::timeout(PATIENCE, reading).await.expect("the server closes the connection");
    String::from_utf8_lossy(&text).into_owned()
}

#[tokio::test]
async fn a_request_head_has_to_come_in_time() {
    let site = Site::with(Limits { head_timeout: Duration::from_millis(50), ..Limits::default() }).await;
    let mut idle = site.connect().await;
    assert_eq!(read_all(&mut idle).await, "", "a connection that says nothing is closed");
    let half = site.send_and_read("GET / HTTP/1.1\r\nHost: a\r\n").await;
    assert!(half.is_empty() || half.starts_with("HTTP/1.1 408"), "{half}");
    let kept_alive = site.send_and_read("GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert!(kept_alive.starts_with("HTTP/1.1 200") && kept_alive.ends_with("here"), "{kept_alive}");
}

#[tokio::test]
async fn a_request_head_has_a_largest_size() {
    let site = Site::with(Limits::default()).await;
    let long = format!("GET / HTTP/1.1\r\nHost: a\r\nX-Long: {}\r\n\r\n", "a".repeat(17 * 1024));
    assert!(site.send_and_read(&long).await.starts_with("HTTP/1.1 431"));
}

#[tokio::test]
async fn a_request_with_a_body_is_refused_before_it_is_read() {
    let site = Site::with(Limits::default()).await;
    let answer = site.send_and_read("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    let answer =
        site.send_and_read("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nff").await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
}

#[tokio::test]
async fn an_answer_that_takes_too_long_is_given_up() {
    let site = Site::with(Limits { answer_timeout: Duration::from_millis(50), ..Limits::default() }).await;
    let (status, headers) = site.get("/never").await;
    assert_eq!((status, headers["retry-after"].to_str().unwrap()), (StatusCode::SERVICE_UNAVAILABLE, "5"));
}

#[tokio::test]
async fn a_client_that_reads_nothing_does_not_keep_its_connection() {
    let site = Site::with(Limits { stall_timeout: Duration::from_millis(50), ..Limits::default() }).await;
    let mut stream = site.connect().await;
    stream.write_all(b"GET /long HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
    let gone = async {
        // Wait for the connection to be accepted first.
        while site.server.connections() == 0 {
            tokio::task::yield_now().await;
        }
        while site.server.connections() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.expect("the server gives the connection up");
}

#[tokio::test]
async fn half_open_requests_do_not_block_others() {
    let limits =
        Limits { connections: 20, connections_per_address: 20, head_timeout: PATIENCE, ..Limits::default() };
    let site = Site::with(limits).await;
    let mut half = Vec::new();
    for _ in 0..60 {
        let mut stream = site.connect().await;
        stream.write_all(b"GET / HTTP/1.1\r\n").await.unwrap_or_default();
        half.push(stream);
    }
    assert_eq!(site.get("/").await.0, StatusCode::OK);
    assert!(site.server.connections() <= 20);
    assert!(site.server.stats().evicted.load(Ordering::Relaxed) >= 40);
}

#[tokio::test]
async fn where_every_connection_has_a_request_a_new_one_is_refused_at_once() {
    let limits = Limits { connections: 2, connections_per_address: 2, ..Limits::default() };
    let site = Site::with(limits).await;
    let mut busy = Vec::new();
    for _ in 0..2 {
        let mut stream = site.connect().await;
        stream.write_all(b"GET /never HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        busy.push(stream);
    }
    let refused = async {
        loop {
            // Until both requests have arrived, one of their connections is evicted and must reconnect.
            let answer = read_all(&mut site.connect().await).await;
            if answer.starts_with("HTTP/1.1 503") {
                return answer;
            }
            let mut again = site.connect().await;
            again.write_all(b"GET /never HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap_or_default();
            busy.push(again);
        }
    };
    let answer = tokio::time::timeout(PATIENCE, refused).await.unwrap();
    assert!(answer.ends_with("Too many connections; try again in a moment\n"), "{answer}");
    assert!(site.server.stats().refused.load(Ordering::Relaxed) > 0);
}

#[tokio::test]
async fn requests_per_minute_are_limited_by_address() {
    let site = Site::with(Limits { requests_per_minute: 3, ..Limits::default() }).await;
    for _ in 0..3 {
        assert_eq!(site.get("/").await.0, StatusCode::OK);
    }
    let (status, headers) = site.get("/").await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    let wait: u64 = headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=21).contains(&wait), "{wait}");
    let forged = reqwest::Client::new().get(format!("http://{}/", site.address));
    let forged = forged.header("x-forwarded-for", "203.0.113.5").send().await.unwrap();
    assert_eq!(forged.status(), StatusCode::TOO_MANY_REQUESTS, "anybody can write that header");
}

#[tokio::test]
async fn trusted_proxy_names_the_client() {
    let trusted_proxies = vec![IpAddr::from([127, 0, 0, 1])];
    let site = Site::with(Limits { requests_per_minute: 1, trusted_proxies, ..Limits::default() }).await;
    for (client, status) in [("203.0.113.5", 200), ("203.0.113.6", 200), ("203.0.113.5", 429)] {
        let asked = reqwest::Client::new().get(format!("http://{}/", site.address));
        let answer = asked.header("x-forwarded-for", client).send().await.unwrap();
        assert_eq!(answer.status(), status, "{client}");
    }
}

#[tokio::test]
async fn proxy_that_is_not_trusted_is_warned_of() {
    for header in ["forwarded", "x-forwarded-for"] {
        let site = Site::with(Limits::default()).await;
        site.get("/").await;
        assert!(!site.server.0.has_warned_of_proxy.is_completed(), "no proxy has been met");
        let asked = reqwest::Client::new().get(format!("http://{}/", site.address));
        asked.header(header, "for=203.0.113.5").send().await.unwrap();
        assert!(site.server.0.has_warned_of_proxy.is_completed(), "{header}");
    }
}

#[tokio::test]
async fn every_answer_has_the_headers_that_browsers_heed() {
    let site = Site::with(Limits { requests_per_minute: 3, ..Limits::default() }).await;
    for path in ["/", "/nowhere", "/", "/"] {
        let (status, headers) = site.get(path).await;
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("x-frame-options", "DENY"),
            ("content-security-policy", "frame-ancestors 'none'"),
            ("permissions-policy", "camera=()"),
        ] {
            assert!(headers[name].to_str().unwrap().contains(value), "{status} {name}: {headers:?}");
        }
    }
}

#[tokio::test]
async fn a_server_that_stops_closes_what_waits() {
    let site = Site::with(Limits { head_timeout: PATIENCE, ..Limits::default() }).await;
    let mut waiting = site.connect().await;
    while site.server.connections() == 0 {
        tokio::task::yield_now().await;
    }
    site.stop.send_replace(true);
    assert_eq!(read_all(&mut waiting).await, "");
}

/// All clients connect through a proxy that names them.
#[tokio::test]
async fn streams_of_one_client_or_of_all_take_no_page_from_others() {
    let limits = Limits {
        connections: 8,
        streams_per_address: 4,
        trusted_proxies: vec![[127, 0, 0, 1].into()],
        ..Limits::default()
    };
    let site = Site::with(limits).await;
    let ask = |path: &str, client: &str| {
        let asked = reqwest::Client::new().get(format!("http://{}{path}", site.address));
        asked.header("x-forwarded-for", client).header("connection", "close").send()
    };
    let mut open = Vec::new();
    for _ in 0..4 {
        let stream = ask("/events", "203.0.113.5").await.unwrap();
        assert_eq!(stream.status(), StatusCode::OK);
        open.push(stream);
    }
    let refused = ask("/events", "203.0.113.5").await.unwrap();
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE, "one client has had its share");
    assert!(refused.headers().contains_key("retry-after"));
    for client in ["203.0.113.6", "203.0.113.7"] {
        open.push(ask("/events", client).await.unwrap());
    }
    let refused = ask("/events", "203.0.113.8").await.unwrap();
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE, "all of them leave a quarter");
    for client in ["203.0.113.5", "203.0.113.9"] {
        assert_eq!(ask("/", client).await.unwrap().status(), StatusCode::OK, "pages are answered");
    }
    drop(open);
    let again = async {
        while ask("/events", "203.0.113.5").await.unwrap().status() != StatusCode::OK {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, again).await.expect("places come back");
}
