//! Whether the process is well, for whoever keeps it running: `/health` (200 or 503) and `/metrics`.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use thiserror::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::metrics::Metrics;
use super::stop::{Stage, Stop};

/// How long [`ask`] waits for an answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// What each part last said of itself; shared behind an `Arc`.
#[derive(Debug, Default)]
pub struct Health(Mutex<BTreeMap<&'static str, Option<String>>>);

impl Health {
    /// A part is well: `"gateway"` while Discord is in reach, `"store"` while it can be read, `"writing"` while
    /// it can be written.
    pub fn well(&self, part: &'static str) {
        self.say(part, None);
    }

    /// A part is not well, and why.
    pub fn ill(&self, part: &'static str, why: impl Into<String>) {
        self.say(part, Some(why.into()));
    }

    /// A line for each part that is ill, by name; empty when all are well.
    pub fn complaints(&self) -> Vec<String> {
        let parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        parts.iter().filter_map(|(part, why)| Some(format!("{part}: {}", why.as_ref()?))).collect()
    }

    fn say(&self, part: &'static str, why: Option<String>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(part, why);
    }
}

/// Everything that is answered from.
#[derive(Clone, Debug)]
pub struct Desk {
    /// What the parts say.
    pub health: Arc<Health>,
    /// What was counted.
    pub metrics: Arc<Metrics>,
    /// A process that is stopping is not well: nothing new should be sent to it.
    pub stop: Stop,
}

/// Answers until the process leaves.
///
/// # Errors
/// The system's, where the listener breaks.
pub async fn serve(listener: TcpListener, desk: Desk) -> std::io::Result<()> {
    let stop = desk.stop.clone();
    axum::serve(listener, router(desk)).with_graceful_shutdown(async move { stop.leaving().await }).await
}

fn router(desk: Desk) -> Router {
    Router::new().route("/health", get(health)).route("/metrics", get(metrics)).with_state(desk)
}

async fn health(State(desk): State<Desk>) -> impl IntoResponse {
    let mut complaints = desk.health.complaints();
    if desk.stop.stage() > Stage::Running {
        complaints.push("stopping".into());
    }
    match complaints[..] {
        [] => (StatusCode::OK, "well\n".into()),
        _ => (StatusCode::SERVICE_UNAVAILABLE, complaints.join("\n") + "\n"),
    }
}

async fn metrics(State(desk): State<Desk>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], desk.metrics.text())
}

/// Why a running Rookery is not known to be well.
#[derive(Debug, Error)]
pub enum Unwell {
    /// There is nobody to ask.
    #[error(
        "health.listen is not set, so a running Rookery cannot be asked. Set it, such as 127.0.0.1:9090, \
         and start Rookery again."
    )]
    NoAddress,
    /// Nobody answered.
    #[error("Nobody answers at {address}: {why}.")]
    Silent {
        /// Where the question went.
        address: SocketAddr,
        /// What the system said.
        why: std::io::Error,
    },
    /// The answer was not "well".
    #[error("{0}")]
    Ill(String),
}

/// Asks the Rookery that runs on this machine whether it is well; `rookery health` for containers.
///
/// # Errors
/// [`Unwell`], where it is not, or cannot be asked.
pub async fn ask(listen: Option<SocketAddr>) -> Result<(), Unwell> {
    let address = reachable(listen.ok_or(Unwell::NoAddress)?);
    let answer = tokio::time::timeout(PATIENCE, answer(address)).await;
    let answer =
        answer.unwrap_or_else(|late| Err(late.into())).map_err(|why| Unwell::Silent { address, why })?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    match head.split_whitespace().nth(1) {
        Some("200") => Ok(()),
        _ => Err(Unwell::Ill(body.trim_end().to_owned())),
    }
}

async fn answer(address: SocketAddr) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    // HTTP/1.0: the answer ends with the connection and comes in one piece.
    stream.write_all(format!("GET /health HTTP/1.0\r\nHost: {address}\r\n\r\n").as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

/// "Every address of this machine" can be listened on but not connected to everywhere.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::metrics::Metric;
    use crate::ops::stop::{Switch, stop};

    async fn served() -> (Desk, Switch, SocketAddr) {
        let (switch, stop) = stop();
        let desk = Desk { health: Arc::default(), metrics: Arc::default(), stop };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(serve(listener, desk.clone()));
        (desk, switch, address)
    }

    #[tokio::test]
    async fn well_then_ill_then_well() {
        let (desk, _switch, address) = served().await;
        desk.health.well("store");
        ask(Some(address)).await.unwrap();
        desk.health.ill("gateway", "connecting again");
        let ill = ask(Some(address)).await.unwrap_err();
        assert_eq!(ill.to_string(), "gateway: connecting again");
        desk.health.well("gateway");
        ask(Some(address)).await.unwrap();
    }

    #[tokio::test]
    async fn a_stopping_process_is_not_well_and_a_gone_one_is_silent() {
        let (_desk, switch, address) = served().await;
        switch.press();
        assert_eq!(ask(Some(address)).await.unwrap_err().to_string(), "stopping");
        let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        assert!(matches!(ask(Some(free)).await, Err(Unwell::Silent { .. })));
        assert!(matches!(ask(None).await, Err(Unwell::NoAddress)));
    }

    #[tokio::test]
    async fn the_counters_can_be_read() {
        let (desk, _switch, address) = served().await;
        desk.metrics.add(Metric::Orders, 5);
        let text = reqwest::get(format!("http://{address}/metrics")).await.unwrap().text().await.unwrap();
        assert!(text.contains("\nrookery_orders_total 5\n"), "{text}");
    }

    #[test]
    fn an_open_address_is_asked_on_loopback() {
        assert_eq!(reachable("0.0.0.0:9".parse().unwrap()), "127.0.0.1:9".parse().unwrap());
        assert_eq!(reachable("[::]:9".parse().unwrap()), "[::1]:9".parse().unwrap());
        assert_eq!(reachable("10.1.2.3:9".parse().unwrap()), "10.1.2.3:9".parse().unwrap());
    }
}
