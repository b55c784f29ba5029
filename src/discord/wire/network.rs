//! What the bot reaches Discord through. The program uses the internet; the simulation has a network of its own.

use std::io;
use std::time::Duration;

use async_trait::async_trait;
use hyper::body::Bytes;
use reqwest::header::HeaderMap;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use crate::discord::wire::error::DiscordError;

/// A response, read to its end.
#[derive(Clone, Debug)]
pub struct HttpResponse {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

/// A connection to a server.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Sends requests and opens connections.
#[async_trait]
pub trait Network: Send + Sync {
    /// Sends a request, and reads the response within the request's timeout.
    ///
    /// # Errors
    /// [`DiscordError::Outage`] if there is no whole response; what the server made of the request is unknown then.
    async fn send(&self, request: reqwest::Request) -> Result<HttpResponse, DiscordError>;

    /// Opens a TCP connection.
    ///
    /// # Errors
    /// If the server does not accept one.
    async fn connect(&self, host: &str, port: u16) -> io::Result<Box<dyn Stream>>;
}

/// The network of the computer.
#[derive(Clone, Debug, Default)]
pub struct Internet(reqwest::Client);

#[async_trait]
impl Network for Internet {
    async fn send(&self, request: reqwest::Request) -> Result<HttpResponse, DiscordError> {
        let timeout = request.timeout().copied();
        let answer = self.0.execute(request).await.map_err(|error| outage(error, timeout))?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        let body = answer.bytes().await.map_err(|error| outage(error, timeout))?;
        Ok(HttpResponse { status, headers, body })
    }

    async fn connect(&self, host: &str, port: u16) -> io::Result<Box<dyn Stream>> {
        let stream = TcpStream::connect((host, port)).await?;
        stream.set_nodelay(true)?;
        Ok(Box::new(stream))
    }
}

/// Converts a failed request. Its URL is removed, because it may contain a token.
fn outage(error: reqwest::Error, timeout: Option<Duration>) -> DiscordError {
    match timeout.filter(|_| error.is_timeout()) {
        Some(timeout) => DiscordError::Outage(format!("no answer within {} s", timeout.as_secs())),
        None => DiscordError::Outage(error.without_url().to_string()),
    }
}
