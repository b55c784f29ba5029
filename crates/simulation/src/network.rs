//! The network of a process: HTTP and WebSockets over turmoil's connections, with faults of single requests.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use http_body_util::BodyExt;
use hyper::body::Bytes;
use hyper::header::{HOST, HeaderMap, HeaderValue};
use hyper_util::rt::TokioIo;
use rookery::discord::wire::error::DiscordError;
use rookery::discord::wire::network::{HttpResponse, Network, Stream};
use turmoil::net::TcpStream;

use crate::discord_host;
use crate::faults::RequestFault;
use crate::options::Defect;
use crate::world::World;

/// The timeout of a request that sets none.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(20);

/// The network as one process sees it.
pub(crate) struct SimulatedNetwork {
    pub(crate) world: Arc<World>,
    pub(crate) process: usize,
}

#[async_trait]
impl Network for SimulatedNetwork {
    async fn send(&self, request: reqwest::Request) -> Result<HttpResponse, DiscordError> {
        let name = format!("{} {}", request.method(), request.url().path());
        let timeout = request.timeout().copied().unwrap_or(DEFAULT_TIMEOUT);
        let fault = self.world.faults.of_request();
        self.world.counts.requests.add();
        if fault != RequestFault::None {
            self.world.note_fault(|| format!("{fault:?} for {name} of process {}", self.process));
        }
        let answer = tokio::time::timeout(timeout, self.send_with(fault, request)).await;
        let answer = answer.unwrap_or_else(|_| Err(DiscordError::Outage("no answer in time".into())));
        self.world.note(|| {
            let status = answer.as_ref().map(|answer| answer.status);
            format!("process {}: {name} gets {}", self.process, status.unwrap_or(0))
        });
        answer
    }

    async fn connect(&self, _: &str, port: u16) -> io::Result<Box<dyn Stream>> {
        Ok(Box::new(TcpStream::connect((discord_host::NAME, port)).await?))
    }
}

impl SimulatedNetwork {
    async fn send_with(
        &self,
        fault: RequestFault,
        request: reqwest::Request,
    ) -> Result<HttpResponse, DiscordError> {
        match fault {
            RequestFault::Refused(status) => return Ok(made_up(status, "{}".into())),
            RequestFault::TooMany(seconds) => {
                let body =
                    format!(r#"{{"message": "slow down", "retry_after": {seconds}, "global": false}}"#);
                return Ok(made_up(429, body));
            }
            RequestFault::Unreachable => return Err(DiscordError::Outage("no connection".into())),
            RequestFault::Slow(by) => tokio::time::sleep(by).await,
            RequestFault::CrashBefore => self.world.crash_here(self.process).await,
            _ => {}
        }
        let searches =
            request.method() == reqwest::Method::GET && request.url().path().ends_with("/messages");
        if searches && self.world.defect == Some(Defect::BlindSearch) {
            return Ok(made_up(200, "[]".into()));
        }
        let answer = exchange(request).await;
        match fault {
            RequestFault::SlowAnswer(by) => tokio::time::sleep(by).await,
            RequestFault::LostAnswer => return Ok(made_up(502, "{}".into())),
            RequestFault::NoAnswer => std::future::pending().await,
            RequestFault::CrashAfter => self.world.crash_here(self.process).await,
            _ => {}
        }
        answer
    }
}

fn made_up(status: u16, body: String) -> HttpResponse {
    HttpResponse { status, headers: HeaderMap::new(), body: Bytes::from(body) }
}

/// Sends a request over a connection of its own.
async fn exchange(request: reqwest::Request) -> Result<HttpResponse, DiscordError> {
    let outage = |error: &dyn std::fmt::Display| DiscordError::Outage(error.to_string());
    let url = request.url().clone();
    let (host, port) = (url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or(80));
    let mut request = hyper::Request::<reqwest::Body>::try_from(request).map_err(|error| outage(&error))?;
    let query = url.query().map_or(String::new(), |query| format!("?{query}"));
    let path = format!("{}{query}", url.path());
    *request.uri_mut() = path.parse().map_err(|error| outage(&error))?;
    let host_header = HeaderValue::from_str(&format!("{host}:{port}")).map_err(|error| outage(&error))?;
    request.headers_mut().insert(HOST, host_header);
    let stream = TcpStream::connect((discord_host::NAME, port)).await.map_err(|error| outage(&error))?;
    let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = handshake.map_err(|error| outage(&error))?;
    let answer = async {
        let answer = sender.send_request(request).await?;
        let (parts, body) = answer.into_parts();
        Ok::<_, hyper::Error>((parts, body.collect().await?.to_bytes()))
    };
    // The connection does the work of the exchange, and lives as long.
    let answered = tokio::select! {
        biased;
        answered = answer => answered,
        ended = connection => return Err(outage(&ended.err().map_or("closed".into(), |it| it.to_string()))),
    };
    let (parts, body) = answered.map_err(|error| outage(&error))?;
    Ok(HttpResponse { status: parts.status.as_u16(), headers: parts.headers, body })
}
