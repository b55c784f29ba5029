//! The gateway: HELLO, IDENTIFY or RESUME, then events out and heartbeats in.

pub(crate) mod sessions;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::discord_state::gateway_events::intent;
use super::shared_state::{SharedState, State};
use sessions::{Joined, SessionCommand};

/// The close codes that the playground sends, by Discord's numbers.
mod close_code {
    pub(super) const UNKNOWN_OPCODE: u16 = 4001;
    pub(super) const DECODE_ERROR: u16 = 4002;
    pub(super) const NOT_AUTHENTICATED: u16 = 4003;
    pub(super) const AUTHENTICATION_FAILED: u16 = 4004;
    pub(super) const ALREADY_AUTHENTICATED: u16 = 4005;
    pub(super) const SESSION_TIMED_OUT: u16 = 4009;
    pub(super) const INVALID_SHARD: u16 = 4010;
    pub(super) const INVALID_INTENTS: u16 = 4013;
    pub(super) const DISALLOWED_INTENTS: u16 = 4014;
}

/// The most bytes of a client's payload, as Discord documents it. A longer one ends the connection with 4002.
const PAYLOAD_BYTES_MAX: usize = 4_096;

/// The most bytes of a message that the transport keeps in memory: above the documented limit, so that a payload a
/// little too long gets its close code.
const MESSAGE_BYTES_MAX: usize = 64 * 1024;

const UNDECODABLE: End = Some((close_code::DECODE_ERROR, "Error while decoding payload."));

/// The opcodes of clients, by Discord's numbers.
mod op {
    pub(super) const HEARTBEAT: u64 = 1;
    pub(super) const IDENTIFY: u64 = 2;
    pub(super) const PRESENCE: u64 = 3;
    pub(super) const VOICE: u64 = 4;
    pub(super) const RESUME: u64 = 6;
    pub(super) const MEMBERS: u64 = 8;
    pub(super) const SOUNDBOARD: u64 = 31;
}

/// The end of a connection: a close code with its reason, or none.
type End = Option<(u16, &'static str)>;

/// `GET /gateway`
pub(crate) fn enter(shared: Arc<SharedState>, upgrade: WebSocketUpgrade) -> Response {
    let upgrade = upgrade.max_message_size(MESSAGE_BYTES_MAX).max_frame_size(MESSAGE_BYTES_MAX);
    upgrade.on_upgrade(move |socket| serve(shared, socket))
}

async fn serve(shared: Arc<SharedState>, mut socket: WebSocket) {
    let interval = shared.options.heartbeat_interval;
    let hello = json!({"op": 10, "s": null, "t": null, "d":
        {"heartbeat_interval": u64::try_from(interval.as_millis()).unwrap_or(41_250), "_trace": []}});
    if socket.send(Message::text(hello.to_string())).await.is_err() {
        return;
    }
    let mut line = Client {
        shared: shared.clone(),
        socket,
        joined: None,
        alive_until: Instant::now() + silence_timeout(interval),
    };
    let end = line.run().await;
    if let Some(joined) = &line.joined {
        shared.with(|state| state.sessions.disconnected(joined));
        shared.send_bot_status();
    }
    if let Some((code, reason)) = end {
        let frame = CloseFrame { code, reason: reason.into() };
        let _gone = line.socket.send(Message::Close(Some(frame))).await;
    }
}

/// Returns how long a client may be silent: one heartbeat may be lost.
fn silence_timeout(interval: Duration) -> Duration {
    interval * 2
}

/// A gateway connection and its session, once it has one.
struct Client {
    shared: Arc<SharedState>,
    socket: WebSocket,
    joined: Option<Joined>,
    alive_until: Instant,
}

/// The next event on a connection.
enum Next {
    In(Option<Result<Message, axum::Error>>),
    SessionCommand(Option<SessionCommand>),
    Silence,
    Closing,
}

impl Client {
    async fn run(&mut self) -> End {
        let mut closing = std::pin::pin!(self.shared.closing());
        loop {
            let out = async {
                match &mut self.joined {
                    Some(joined) => joined.out.recv().await,
                    None => std::future::pending().await,
                }
            };
            let next = tokio::select! {
                biased;
                () = &mut closing => Next::Closing,
                out = out => Next::SessionCommand(out),
                message = self.socket.recv() => Next::In(message),
                () = tokio::time::sleep_until(self.alive_until) => Next::Silence,
            };
            if let Err(end) = self.handle(next).await {
                return end;
            }
        }
    }

    async fn handle(&mut self, next: Next) -> Result<(), End> {
        match next {
            Next::SessionCommand(Some(SessionCommand::Text(frame))) => self.send(frame).await,
            Next::SessionCommand(Some(SessionCommand::Cut)) | Next::Closing => Err(None),
            Next::SessionCommand(Some(SessionCommand::Close(code))) => {
                Err(Some((code, "Closed on request.")))
            }
            Next::SessionCommand(None) => {
                // The session was deleted; the client must identify again on this connection.
                self.joined = None;
                Ok(())
            }
            Next::Silence => Err(Some((close_code::SESSION_TIMED_OUT, "Session timed out."))),
            Next::In(Some(Ok(Message::Text(text)))) => self.receive(text.as_str()).await,
            Next::In(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => Ok(()),
            // An error is a message that is too long or no text, or a lost connection, which gets no close frame.
            Next::In(Some(Ok(Message::Binary(_)) | Err(_))) => Err(UNDECODABLE),
            Next::In(Some(Ok(Message::Close(_))) | None) => Err(None),
        }
    }

    async fn send(&mut self, frame: String) -> Result<(), End> {
        self.socket.send(Message::text(frame)).await.map_err(|_| None)
    }

    async fn receive(&mut self, text: &str) -> Result<(), End> {
        if text.len() > PAYLOAD_BYTES_MAX {
            return Err(UNDECODABLE);
        }
        let Ok(frame) = serde_json::from_str::<Value>(text) else { return Err(UNDECODABLE) };
        let data = &frame["d"];
        match frame["op"].as_u64() {
            Some(op::HEARTBEAT) => self.heartbeat().await,
            Some(op::IDENTIFY) => self.identify(data).await,
            Some(op::RESUME) => self.resume(data).await,
            Some(op::PRESENCE | op::VOICE | op::MEMBERS | op::SOUNDBOARD) if self.joined.is_some() => Ok(()),
            Some(op::PRESENCE | op::VOICE | op::MEMBERS | op::SOUNDBOARD) => {
                Err(Some((close_code::NOT_AUTHENTICATED, "Not authenticated.")))
            }
            _ => Err(Some((close_code::UNKNOWN_OPCODE, "Unknown opcode."))),
        }
    }

    async fn heartbeat(&mut self) -> Result<(), End> {
        self.alive_until = Instant::now() + silence_timeout(self.shared.options.heartbeat_interval);
        if self.shared.with(|state| state.faults.ignores_heartbeats) {
            return Ok(());
        }
        self.send(json!({"op": 11, "s": null, "t": null, "d": null}).to_string()).await
    }

    async fn identify(&mut self, data: &Value) -> Result<(), End> {
        self.authenticate(data)?;
        let shard = read_shard(data)?;
        let intents = self.shared.with(|state| read_intents(data, state))?;
        let salt = self.shared.clock.now_ms();
        let joined = self.shared.with(|state| open_session(state, intents, shard, salt));
        let Some(joined) = joined else { return self.invalid_session().await };
        self.joined = Some(joined);
        self.shared.send_bot_status();
        Ok(())
    }

    async fn resume(&mut self, data: &Value) -> Result<(), End> {
        self.authenticate(data)?;
        let id = data["session_id"].as_str().unwrap_or_default();
        let seq = data["seq"].as_u64().unwrap_or(0);
        let joined = self.shared.with(|state| {
            if state.faults.forget_sessions {
                state.sessions.forget();
            }
            state.sessions.resume(id, seq)
        });
        let Some(joined) = joined else { return self.invalid_session().await };
        self.joined = Some(joined);
        self.shared.send_bot_status();
        Ok(())
    }

    /// Sends INVALID_SESSION: the client may identify later, and has nothing to resume.
    async fn invalid_session(&mut self) -> Result<(), End> {
        self.send(json!({"op": 9, "s": null, "t": null, "d": false}).to_string()).await
    }

    /// Checks the token of an IDENTIFY or RESUME. A connection has one session at most.
    fn authenticate(&self, data: &Value) -> Result<(), End> {
        if self.joined.is_some() {
            return Err(Some((close_code::ALREADY_AUTHENTICATED, "Already authenticated.")));
        }
        let token = data["token"].as_str().map(|token| token.trim_start_matches("Bot "));
        if self.shared.is_bot(token) {
            return Ok(());
        }
        Err(Some((close_code::AUTHENTICATION_FAILED, "Authentication failed.")))
    }
}

fn read_shard(data: &Value) -> Result<(u64, u64), End> {
    let Some(shard) = data["shard"].as_array() else { return Ok((0, 1)) };
    match (shard.first().and_then(Value::as_u64), shard.get(1).and_then(Value::as_u64)) {
        (Some(mine), Some(of)) if mine < of => Ok((mine, of)),
        _ => Err(Some((close_code::INVALID_SHARD, "Invalid shard."))),
    }
}

fn read_intents(data: &Value, state: &State) -> Result<u64, End> {
    let intents = data["intents"].as_u64().filter(|intents| intents & !intent::KNOWN == 0);
    let intents = intents.ok_or(Some((close_code::INVALID_INTENTS, "Invalid intent(s).")))?;
    let rules = &state.discord_state.rules;
    let refused = [
        (intent::MESSAGE_CONTENT, rules.message_content),
        (intent::GUILD_MEMBERS, rules.guild_members),
        (intent::GUILD_PRESENCES, false),
    ];
    if refused.iter().any(|(one, allowed)| intents & one != 0 && !allowed) {
        return Err(Some((close_code::DISALLOWED_INTENTS, "Disallowed intent(s).")));
    }
    Ok(intents)
}

/// Opens a session and sends READY, then GUILD_CREATE for each of its servers. `None` if too many are open.
fn open_session(state: &mut State, intents: u64, shard: (u64, u64), salt: u64) -> Option<Joined> {
    let joined = state.sessions.open(intents, shard, salt)?;
    let discord_state = &state.discord_state;
    let mine = discord_state.guilds.values().filter(|guild| {
        guild.members.contains_key(&discord_state.bot_id) && (guild.id.0 >> 22) % shard.1 == shard.0
    });
    let guilds: Vec<_> = mine.collect();
    let unavailable: Vec<Value> =
        guilds.iter().map(|guild| json!({"id": guild.id, "unavailable": true})).collect();
    let ready = json!({"v": 10, "user": discord_state.show_me(), "guilds": unavailable,
        "session_id": joined.session, "session_type": "normal", "resume_gateway_url": discord_state.gateway_url(),
        "shard": [shard.0, shard.1], "private_channels": [], "relationships": [], "presences": [],
        "user_settings": {}, "guild_join_requests": [], "geo_ordered_rtc_regions": [], "_trace": [],
        "application": {"id": discord_state.bot_id, "flags": discord_state.application_flags()}});
    state.sessions.send_to(&joined.session, "READY", &ready);
    if intents & intent::GUILDS != 0 {
        for guild in guilds {
            let created = discord_state.show_guild_created(guild, intents & intent::GUILD_MEMBERS != 0);
            state.sessions.send_to(&joined.session, "GUILD_CREATE", &created);
        }
    }
    Some(joined)
}
