//! The health of the process for its operator: `/health` (200 or 503) and `/metrics`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use probe::Prober;
use report::Report;
use rookery_tasks::Tasks;
use serde::Deserialize;
use thiserror::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::http_server::{Limits, Server};
use crate::observability::metrics::{self, Metrics};
use crate::shutdown::{Stage, Stop};

mod probe;
mod report;

pub use probe::{Backlog, Checks, PROBE_TIMEOUT};

/// How long [`ask`] waits for a response.
const PATIENCE: Duration = Duration::from_secs(5);

/// Health clients send one small request and disconnect, so slow connections can be closed early.
const LIMITS: Limits = Limits {
    connections: 64,
    streams_per_address: 0,
    connections_per_address: 64,
    head_timeout: Duration::from_secs(3),
    head_bytes: 8 * 1024,
    answer_timeout: Duration::from_secs(4),
    stall_timeout: Duration::from_secs(3),
    lifetime: Duration::from_secs(60),
    requests_per_minute: 0,
    trusted_proxies: Vec::new(),
};

/// The state of the health server; clones share it.
#[derive(Clone)]
pub struct HealthState {
    metrics: Arc<Metrics>,
    tasks: Tasks,
    /// A stopping process reports itself unhealthy, so that no new work is sent to it.
    stop: Stop,
    prober: Arc<Prober>,
    /// The servers whose connections are counted.
    servers: Vec<Server>,
}

impl HealthState {
    /// Creates the state from the metrics and the checks. The connections of `servers` are counted.
    pub fn new(
        metrics: Arc<Metrics>,
        tasks: Tasks,
        stop: Stop,
        checks: Arc<dyn Checks>,
        servers: Vec<Server>,
    ) -> HealthState {
        HealthState { metrics, prober: Prober::new(checks, tasks.clone()), tasks, stop, servers }
    }

    async fn report(&self) -> Report {
        let found = self.prober.latest_result().await;
        let stopping = self.stop.stage() > Stage::Running;
        Report::new(stopping, &found, self.prober.checks().gateway_lost(), &self.tasks.status())
    }
}

/// Creates the server of `/health` and `/metrics`.
pub fn server(listener: TcpListener, state: HealthState) -> Server {
    let tasks = state.tasks.clone();
    let router = Router::new().route("/health", get(health)).route("/metrics", get(metrics));
    Server::new("health server", listener, router.with_state(state), LIMITS, tasks)
}

/// The query parameters of `/health`.
#[derive(Default, Deserialize)]
struct MetricsQuery {
    format: Option<String>,
}

async fn health(
    State(state): State<HealthState>,
    Query(wanted): Query<MetricsQuery>,
    headers: HeaderMap,
) -> Response {
    let report = state.report().await;
    let status = if report.well { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let accepts = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    let json = match wanted.format.as_deref() {
        Some(format) => format == "json",
        None => accepts.contains("application/json"),
    };
    let cache = [(header::CACHE_CONTROL, "no-store")];
    match json {
        true => (status, cache, Json(report)).into_response(),
        false => (status, cache, report.text()).into_response(),
    }
}

async fn metrics(State(state): State<HealthState>) -> impl IntoResponse {
    let text = state.metrics.text(&state.tasks, &state.servers);
    ([(header::CONTENT_TYPE, metrics::CONTENT_TYPE)], text)
}

/// Why `rookery health` cannot report a healthy process.
#[derive(Debug, Error)]
pub enum HealthCheckError {
    /// No address is configured.
    #[error(
        "health.listen is not set, so this command can't ask the running Rookery. Set it, such as 127.0.0.1:9090, \
         and restart Rookery."
    )]
    NoAddress,
    /// There was no response.
    #[error("No answer from {address}: {why}.")]
    NoResponse {
        /// The address of the request.
        address: SocketAddr,
        /// The error of the operating system.
        why: std::io::Error,
    },
    /// The process reports itself unhealthy; the text lists the problems.
    #[error("{0}")]
    Unhealthy(String),
}

/// Asks the Rookery on this machine for its health; `rookery health` for containers uses it.
///
/// # Errors
/// [`HealthCheckError`] if the process is unhealthy or cannot be asked.
pub async fn ask(listen: Option<SocketAddr>) -> Result<(), HealthCheckError> {
    let address = reachable(listen.ok_or(HealthCheckError::NoAddress)?);
    let answer = tokio::time::timeout(PATIENCE, answer(address)).await;
    let answer = answer
        .unwrap_or_else(|late| Err(late.into()))
        .map_err(|why| HealthCheckError::NoResponse { address, why })?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    match head.split_whitespace().nth(1) {
        Some("200") => Ok(()),
        _ => Err(HealthCheckError::Unhealthy(problems(body))),
    }
}

async fn answer(address: SocketAddr) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    // With HTTP/1.0 the response ends with the connection and is not chunked.
    stream.write_all(format!("GET /health HTTP/1.0\r\nHost: {address}\r\n\r\n").as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

/// Returns the lines of a response that name problems.
fn problems(body: &str) -> String {
    let lines = body.lines().filter(|line| !line.starts_with("ok ") && *line != "not well");
    lines.collect::<Vec<_>>().join("\n")
}

/// Replaces an unspecified address with loopback: not every system can connect to an unspecified address.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    address
}

#[cfg(test)]
mod tests;
