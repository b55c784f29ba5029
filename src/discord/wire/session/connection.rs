//! One connection to the gateway, from HELLO to its end.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::time::{Instant, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::error::UrlError;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, client_async_tls_with_config};

use crate::shutdown::Stop;

use super::Session;
use super::backoff::{ReconnectBackoff, random};
use super::frame::{self, Frame, MAX_FRAME_BYTES};
use super::protocol::{Dispatch, Forget, Resumable, SessionRefused};
use crate::discord::wire::json_fields::Fields;
use crate::discord::wire::network::{Network, Stream};

/// The timeout for connecting, and for HELLO after it.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// The timeout for sending a frame, and for the answer to a close frame.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// How long to wait for Discord's answer to the bot's own close frame.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// The close code that ends the session.
const CLOSE_SESSION: u16 = 1000;
/// The close code that keeps the session for a resume.
const CLOSE_TO_RESUME: u16 = 4000;

type Socket = WebSocketStream<MaybeTlsStream<Box<dyn Stream>>>;

/// Why a connection ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ConnectionEnd {
    /// The program is stopping.
    Stopped,
    /// Discord refuses the session, so that reconnecting cannot succeed.
    SessionRefused(SessionRefused),
    /// The connection was lost; reconnect.
    Lost { why: String, forget: Forget },
}

/// A connection of a session.
pub(super) struct Connection<'a, F> {
    pub(super) session: &'a Session,
    pub(super) on: &'a F,
    pub(super) backoff: &'a mut ReconnectBackoff,
}

/// The heartbeat state of one connection.
struct Heartbeat {
    interval: Duration,
    next: Instant,
    /// Whether the last heartbeat was acknowledged.
    acknowledged: bool,
}

impl<F: Fn(Dispatch) + Sync> Connection<'_, F> {
    /// Connects and passes events on until the connection ends.
    pub(super) async fn run(&mut self, stop: &Stop) -> ConnectionEnd {
        let mut socket = tokio::select! {
            biased;
            opened = self.open() => match opened {
                Ok(socket) => socket,
                Err(ended) => return ended,
            },
            () = stop.finishing() => return ConnectionEnd::Stopped,
        };
        let mut heart = None;
        let ended = loop {
            let beat_at = heart.as_ref().map(|heart: &Heartbeat| heart.next);
            let next = tokio::select! {
                biased;
                () = stop.finishing() => Err(ConnectionEnd::Stopped),
                () = heartbeat_due(beat_at) => self.heartbeat(&mut socket, heart.as_mut()).await,
                message = socket.next() => self.receive(&mut socket, &mut heart, message).await,
            };
            if let Err(ended) = next {
                break ended;
            }
        };
        let ends = ended == ConnectionEnd::Stopped && !self.session.outlives_process;
        let code = if ends { CLOSE_SESSION } else { CLOSE_TO_RESUME };
        close(&mut socket, code).await;
        ended
    }

    async fn open(&self) -> Result<Socket, ConnectionEnd> {
        let resumed_at = self.session.state().resumable.as_ref().and_then(|session| session.url.clone());
        // If the resume address does not answer, it is not tried again.
        let forget = if resumed_at.is_some() { Forget::Address } else { Forget::Nothing };
        let address = frame::address(resumed_at.as_deref().unwrap_or(&self.session.url));
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_FRAME_BYTES))
            .max_frame_size(Some(MAX_FRAME_BYTES));
        let lost = |why: String| ConnectionEnd::Lost { why, forget };
        let opening = timeout(CONNECT_TIMEOUT, connect(&*self.session.network, &address, config)).await;
        let opened = opening.map_err(|_| lost("no connection in time".into()))?;
        opened.map_err(|error| lost(error.to_string()))
    }

    async fn receive(
        &mut self,
        socket: &mut Socket,
        heart: &mut Option<Heartbeat>,
        message: Option<Result<Message, tungstenite::Error>>,
    ) -> Result<(), ConnectionEnd> {
        let message = match message {
            Some(Ok(Message::Close(why))) => return Err(ended_by(why)),
            Some(Ok(message)) => message,
            Some(Err(error)) => return Err(lost(error)),
            None => return Err(lost("the connection was cut")),
        };
        if *self.session.connected.borrow() {
            self.session.state().last_frame = Some(Instant::now());
        }
        match frame::read(&self.session.tasks, message).await {
            Ok(Some(frame)) => self.act(socket, heart, frame).await,
            Ok(None) => Ok(()),
            // The frame's sequence number is unknown, so a resume replays the lost event.
            Err(why) => Err(lost(format!("a frame that cannot be read: {why}"))),
        }
    }

    async fn act(
        &mut self,
        socket: &mut Socket,
        heart: &mut Option<Heartbeat>,
        frame: Frame,
    ) -> Result<(), ConnectionEnd> {
        match frame {
            Frame::Hello(interval) if heart.is_none() => {
                *heart = Some(Heartbeat::begin(interval));
                self.identify_or_resume(socket).await
            }
            Frame::Heartbeat => self.send_heartbeat(socket).await,
            Frame::Ack => {
                if let Some(heart) = heart {
                    heart.acknowledged = true;
                }
                Ok(())
            }
            Frame::Reconnect => Err(lost("Discord asks to connect again")),
            Frame::InvalidSession(resumable) => {
                self.backoff.refused();
                let forget = if resumable { Forget::Nothing } else { Forget::Session };
                Err(ConnectionEnd::Lost { why: "Discord does not know the session".into(), forget })
            }
            Frame::Dispatch(seq, event) => {
                self.forward_event(seq, event);
                Ok(())
            }
            Frame::Hello(_) | Frame::Unknown => Ok(()),
        }
    }

    /// Resumes the session, or requests a new one.
    async fn identify_or_resume(&mut self, socket: &mut Socket) -> Result<(), ConnectionEnd> {
        if !self.session.queue.has(self.session.shard) {
            let why = "another process may have the shard".to_owned();
            return Err(ConnectionEnd::Lost { why, forget: Forget::Nothing });
        }
        let (resumable, seq) = {
            let mut state = self.session.state();
            state.is_replaying = state.resumable.is_some();
            (state.resumable.clone(), state.seq)
        };
        let token = &self.session.token;
        match resumable {
            Some(session) => send(socket, &frame::resume(token, &session, seq)).await,
            None => {
                self.backoff.record_identify();
                send(socket, &frame::identify(token, self.session.intents, self.session.shard)).await
            }
        }
    }

    fn forward_event(&self, seq: u64, mut event: Dispatch) {
        let connects = matches!(event.name.as_str(), "READY" | "RESUMED");
        {
            let mut state = self.session.state();
            state.seq = Some(seq);
            state.is_replaying &= !connects;
            event.is_replayed = state.is_replaying;
            if event.name == "READY" {
                let ready = Fields(&event.data);
                let url = ready.string("resume_gateway_url");
                let url = url.filter(|url| is_same_site(url, &self.session.url));
                state.resumable = ready.string("session_id").map(|id| Resumable { id, url });
            }
        }
        (self.on)(event);
        if connects {
            self.session.connected.send_replace(true);
        }
    }

    async fn heartbeat(
        &self,
        socket: &mut Socket,
        heart: Option<&mut Heartbeat>,
    ) -> Result<(), ConnectionEnd> {
        let Some(heart) = heart else { return Err(lost("no HELLO in time")) };
        if !heart.acknowledged {
            return Err(lost("a heartbeat was not acknowledged"));
        }
        heart.acknowledged = false;
        heart.next = Instant::now() + heart.interval;
        self.send_heartbeat(socket).await
    }

    async fn send_heartbeat(&self, socket: &mut Socket) -> Result<(), ConnectionEnd> {
        let seq = self.session.state().seq;
        send(socket, &frame::heartbeat(seq)).await
    }
}

impl Heartbeat {
    /// The first heartbeat has a random delay, so that bots do not all send one at once after an outage.
    fn begin(interval: Duration) -> Heartbeat {
        let interval_ms = u64::try_from(interval.as_millis()).unwrap_or(u64::MAX).max(1);
        let next = Instant::now() + Duration::from_millis(random(interval_ms));
        Heartbeat { interval, next, acknowledged: true }
    }
}

/// Opens a WebSocket, over TLS if the address says so.
async fn connect(
    network: &dyn Network,
    address: &str,
    config: WebSocketConfig,
) -> Result<Socket, tungstenite::Error> {
    let request = address.into_client_request()?;
    let host = request.uri().host().ok_or(UrlError::NoHostName)?.trim_matches(['[', ']']);
    let default_port = if request.uri().scheme_str() == Some("wss") { 443 } else { 80 };
    let stream = network.connect(host, request.uri().port_u16().unwrap_or(default_port)).await?;
    let (socket, _) = client_async_tls_with_config(request, stream, Some(config), None).await?;
    Ok(socket)
}

/// Completes when the next heartbeat is due, or before HELLO, at the timeout for it.
async fn heartbeat_due(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => tokio::time::sleep(CONNECT_TIMEOUT).await,
    }
}

async fn send(socket: &mut Socket, frame: &Value) -> Result<(), ConnectionEnd> {
    match timeout(SEND_TIMEOUT, socket.send(Message::text(frame.to_string()))).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(lost(error)),
        Err(_) => Err(lost("a frame was not taken in time")),
    }
}

/// Sends a close frame, and gives Discord a moment to answer.
async fn close(socket: &mut Socket, code: u16) {
    let frame = CloseFrame { code: code.into(), reason: "".into() };
    let closing = async {
        if socket.close(Some(frame)).await.is_ok() {
            while let Some(Ok(_)) = socket.next().await {}
        }
    };
    let _gone = timeout(CLOSE_TIMEOUT, closing).await;
}

fn lost(why: impl ToString) -> ConnectionEnd {
    ConnectionEnd::Lost { why: why.to_string(), forget: Forget::Nothing }
}

fn ended_by(why: Option<CloseFrame>) -> ConnectionEnd {
    let code = why.as_ref().map(|why| u16::from(why.code));
    match frame::closed(code) {
        Err(refused) => ConnectionEnd::SessionRefused(refused),
        Ok(forget) => {
            let why = why.map_or_else(|| "closed without a reason".to_owned(), |why| why.to_string());
            ConnectionEnd::Lost { why, forget }
        }
    }
}

/// Whether a resume address belongs to the same server, because the token is sent there.
pub(super) fn is_same_site(url: &str, usual: &str) -> bool {
    match (site(url), site(usual)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// Returns the scheme and the last two labels of the host, with the port:
/// `wss://gateway-us-east1-b.discord.gg` belongs to `wss://discord.gg`.
fn site(url: &str) -> Option<(&str, String)> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?']).next()?;
    if host.starts_with(|first: char| first.is_ascii_digit() || first == '[') {
        return Some((scheme, host.to_owned()));
    }
    let mut parts: Vec<&str> = host.rsplit('.').take(2).collect();
    parts.reverse();
    Some((scheme, parts.join(".")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_goes_to_the_same_site_alone() {
        let usual = "wss://gateway.discord.gg";
        assert!(is_same_site("wss://gateway-us-east1-b.discord.gg", usual));
        assert!(is_same_site("wss://gateway-us-east1-b.discord.gg/", usual));
        assert!(!is_same_site("wss://gateway.discord.gg.example.org", usual));
        assert!(!is_same_site("ws://gateway.discord.gg", usual));
        assert!(!is_same_site("gateway.discord.gg", usual));
        let local = "ws://127.0.0.1:4000/gateway";
        assert!(is_same_site("ws://127.0.0.1:4000/gateway", local));
        assert!(!is_same_site("ws://127.0.0.1:4001/gateway", local) && !is_same_site(usual, local));
    }
}
