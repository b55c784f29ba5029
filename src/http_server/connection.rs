//! One connection: its requests and responses, within the limits.

use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, Response, StatusCode, header};
use axum::response::IntoResponse;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::watch;

use super::slots::InFlight;
use super::stall::StallTimeout;
use super::streams::{Stream, is_stream};
use super::{SHUTDOWN_GRACE, Shared, Slot, address, headers};

/// An accepted connection and its slot.
pub(super) struct Connection {
    pub(super) server: Arc<Shared>,
    pub(super) peer: IpAddr,
    pub(super) slot: Slot,
}

impl Connection {
    /// Serves requests until either side closes the connection.
    pub(super) async fn run(self, stream: TcpStream, mut is_stopping: watch::Receiver<bool>) {
        let Connection { server, peer, slot } = self;
        let (slot, limits) = (Arc::new(slot), server.limits.clone());
        let service = service_fn({
            let slot = slot.clone();
            move |request| answer(server.clone(), peer, slot.begin(), request)
        });
        let io = TokioIo::new(StallTimeout::new(stream, limits.stall_timeout));
        let serving = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head_timeout)
            .max_buf_size(limits.head_bytes)
            .serve_connection(io, service);
        let mut serving = std::pin::pin!(serving);
        tokio::select! {
            // Protocol errors of a client are not logged.
            _ = &mut serving => return,
            () = slot.evicted() => return,
            () = tokio::time::sleep(limits.lifetime) => {}
            _ = is_stopping.wait_for(|stopping| *stopping) => {}
        }
        serving.as_mut().graceful_shutdown();
        let _ = tokio::time::timeout(SHUTDOWN_GRACE, serving).await;
    }
}

async fn answer(
    server: Arc<Shared>,
    peer: IpAddr,
    in_flight: InFlight,
    request: Request<Incoming>,
) -> Result<Response<InFlightBody>, Infallible> {
    let trusted = &server.limits.trusted_proxies;
    if address::is_unknown_proxy(peer, request.headers(), trusted) {
        server.warn_of_proxy(peer);
    }
    let client = address::client(peer, request.headers(), trusted);
    let response = match refusal(&server, client, &request) {
        Some(refusal) => refusal,
        None => {
            let service = TowerToHyperService::new(server.router.clone());
            let answering = service.call(request.map(Body::new));
            let answered = tokio::time::timeout(server.limits.answer_timeout, answering).await;
            answered.map_or_else(|_| too_slow(), |Ok(response)| response)
        }
    };
    let (mut response, stream) = with_stream_slot(&server, client, response);
    headers::add(response.headers_mut());
    Ok(response.map(|body| InFlightBody { body, _in_flight: in_flight, _stream: stream }))
}

/// Adds a stream slot to a response that is an event stream; without a free slot, returns the refusal
/// instead.
fn with_stream_slot(
    server: &Shared,
    client: IpAddr,
    response: Response<Body>,
) -> (Response<Body>, Option<Stream>) {
    if !is_stream(response.headers()) {
        return (response, None);
    }
    match server.streams.take(client) {
        Some(stream) => (response, Some(stream)),
        None => {
            server.stats.refused.fetch_add(1, Ordering::Relaxed);
            (too_many_streams(), None)
        }
    }
}

/// Returns the refusal of a request that is not passed on.
fn refusal(server: &Shared, client: IpAddr, request: &Request<Incoming>) -> Option<Response<Body>> {
    if !request.body().is_end_stream() {
        let close = [(header::CONNECTION, "close")];
        return Some((StatusCode::PAYLOAD_TOO_LARGE, close, "Requests have no body here.\n").into_response());
    }
    let wait = server.rate.as_ref()?.count(client).err()?;
    server.stats.rate_limited.fetch_add(1, Ordering::Relaxed);
    Some(slow_down(wait))
}

fn slow_down(wait: Duration) -> Response<Body> {
    let seconds = wait.as_secs() + 1;
    let text = format!("Too many requests from your address; try again in {seconds} s.\n");
    (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, seconds.to_string())], text).into_response()
}

fn too_slow() -> Response<Body> {
    let text = "This takes too long just now; try again in a moment.\n";
    (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "5")], text).into_response()
}

fn too_many_streams() -> Response<Body> {
    let text = "Too many pages follow a game from here just now; reload the page to see the latest move.\n";
    (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "30")], text).into_response()
}

/// The body of a response. The request counts as in flight until the whole body is sent.
struct InFlightBody {
    body: Body,
    _in_flight: InFlight,
    _stream: Option<Stream>,
}

impl HttpBody for InFlightBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
