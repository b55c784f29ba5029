//! A proxy for Discord's REST API that keeps the limit of all requests: it holds them back, and refuses some.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// Every ninth request is refused with the wait of [`RETRY_AFTER`], as by a proxy whose queue is full.
const REFUSED: usize = 9;
const RETRY_AFTER: &str = "0.3";

pub(super) struct RestProxy {
    address: String,
    shared: Arc<Shared>,
    serving: JoinHandle<()>,
}

struct Shared {
    client: reqwest::Client,
    target: watch::Sender<Option<String>>,
    interval: Duration,
    /// When the next request may be sent.
    next: Mutex<Instant>,
    received: AtomicUsize,
    forwarded: AtomicUsize,
    refused: AtomicUsize,
}

impl RestProxy {
    /// Starts a proxy that forwards nothing until it knows where to.
    pub(super) async fn start(per_second: u32) -> RestProxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Shared {
            client: reqwest::Client::new(),
            target: watch::Sender::new(None),
            interval: Duration::from_secs(1).mul_f64(1.1) / per_second,
            next: Mutex::new(Instant::now()),
            received: AtomicUsize::new(0),
            forwarded: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
        });
        let app = Router::new().fallback(forward).with_state(shared.clone());
        let serving = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        RestProxy { address, shared, serving }
    }

    pub(super) fn address(&self) -> String {
        self.address.clone()
    }

    pub(super) fn forward_to(&self, base: &str) {
        self.shared.target.send_replace(Some(base.to_owned()));
    }

    /// Returns how many requests were forwarded, and how many refused.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.shared.forwarded.load(Ordering::SeqCst), self.shared.refused.load(Ordering::SeqCst))
    }
}

impl Drop for RestProxy {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn forward(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let path = request.uri().path_and_query().map_or("", |path| path.as_str()).to_owned();
    let is_answer = path.contains("/interactions/") || path.contains("/webhooks/");
    if !is_answer {
        let number = shared.received.fetch_add(1, Ordering::SeqCst);
        // The first requests are those of processes that start.
        if number > REFUSED && number.is_multiple_of(REFUSED) {
            shared.refused.fetch_add(1, Ordering::SeqCst);
            return (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, RETRY_AFTER)], "{}")
                .into_response();
        }
        let turn = {
            let mut next = shared.next.lock().unwrap();
            let turn = (*next).max(Instant::now());
            *next = turn + shared.interval;
            turn
        };
        tokio::time::sleep_until(turn).await;
    }
    let mut target = shared.target.subscribe();
    let target = target.wait_for(Option::is_some).await.unwrap().clone().unwrap();
    let (parts, body) = request.into_parts();
    let mut headers = parts.headers;
    headers.remove(header::HOST);
    let body = to_bytes(body, usize::MAX).await.unwrap();
    shared.forwarded.fetch_add(1, Ordering::SeqCst);
    let sent = shared.client.request(parts.method, format!("{target}{path}")).headers(headers).body(body);
    match sent.send().await {
        Ok(answer) => {
            let status = answer.status();
            let kept = [header::CONTENT_TYPE]
                .into_iter()
                .filter_map(|name| answer.headers().get(&name).cloned().map(|value| (name, value)));
            let kept: HeaderMap = kept.collect();
            (status, kept, Body::from(answer.bytes().await.unwrap_or_default())).into_response()
        }
        Err(_) => StatusCode::BAD_GATEWAY.into_response(),
    }
}
