//! A bot without a library: plain REST requests, and a gateway connection whose every frame the test sees.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use super::super::clock::Clock;
use super::super::id::Id;
use super::super::limits::RateLimits;
use super::super::{BOT_ID, Options, Playground};

/// A playground and the bot's HTTP client.
pub(super) struct Raw {
    pub(super) playground: Playground,
    client: reqwest::Client,
}

/// Options for tests of rules: no rate limits, and a clock that only the test moves.
pub(super) fn manual_clock_options() -> Options {
    Options { clock: Clock::manual(), rate_limits: RateLimits::none(), ..Options::default() }
}

impl Raw {
    pub(super) async fn start(options: Options) -> Self {
        let playground = Playground::start(options).await.expect("starts");
        Self { playground, client: reqwest::Client::new() }
    }

    /// Sends a request; returns the status and the body (null if there is none).
    pub(super) async fn call(&self, method: Method, path: &str, body: Value) -> (u16, Value) {
        let response = self.request(method, path).json(&body).send().await.expect("an answer");
        let status = response.status().as_u16();
        (status, response.json().await.unwrap_or(Value::Null))
    }

    pub(super) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let url = format!("{}/api/v10{path}", self.playground.api_base());
        let token = format!("Bot {}", self.playground.token());
        self.client.request(method, url).header("authorization", token)
    }

    pub(super) async fn get(&self, path: &str) -> (u16, Value) {
        self.call(Method::GET, path, Value::Null).await
    }

    pub(super) async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        self.call(Method::POST, path, body).await
    }

    /// Posts a message with one file called `board.png`.
    pub(super) async fn post_file(
        &self,
        method: Method,
        path: &str,
        body: &Value,
        bytes: Vec<u8>,
    ) -> (u16, Value) {
        let part = Part::bytes(bytes).file_name("board.png");
        let form = Form::new().text("payload_json", body.to_string()).part("files[0]", part);
        let response = self.request(method, path).multipart(form).send().await.expect("an answer");
        let status = response.status().as_u16();
        (status, response.json().await.unwrap_or(Value::Null))
    }

    /// Posts a message of the bot; returns its id.
    pub(super) async fn say(&self, channel: Id, text: &str) -> String {
        let (status, message) =
            self.post(&format!("/channels/{channel}/messages"), json!({"content": text})).await;
        assert_eq!(status, 200, "{message}");
        message["id"].as_str().expect("an id").to_owned()
    }

    /// Registers commands by a bulk overwrite.
    pub(super) async fn register(&self, commands: Value) -> (u16, Value) {
        self.call(Method::PUT, &format!("/applications/{BOT_ID}/commands"), commands).await
    }

    /// Opens a gateway connection and sends nothing yet.
    pub(super) async fn line(&self) -> GatewayConnection {
        let (_, address) = self.get("/gateway").await;
        let url = address["url"].as_str().expect("an address").to_owned();
        let (socket, _) = tokio_tungstenite::connect_async(url).await.expect("a line");
        let mut line = GatewayConnection { socket };
        assert_eq!(line.next().await["op"], 10, "HELLO comes first");
        line
    }

    /// Opens a gateway connection, identifies, and returns it with the session id of READY.
    pub(super) async fn identified(&self, intents: u64) -> (GatewayConnection, String) {
        let mut line = self.line().await;
        line.identify(self.playground.token(), intents).await;
        let ready = line.event("READY").await;
        (line, ready["session_id"].as_str().expect("a session").to_owned())
    }
}

/// The client side of a gateway connection.
pub(super) struct GatewayConnection {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl GatewayConnection {
    pub(super) async fn send(&mut self, frame: Value) {
        self.send_text(frame.to_string()).await;
    }

    pub(super) async fn send_text(&mut self, text: String) {
        self.socket.send(Message::text(text)).await.expect("sent");
    }

    pub(super) async fn identify(&mut self, token: &str, intents: u64) {
        let properties = json!({"os": "linux", "browser": "test", "device": "test"});
        self.send(json!({"op": 2, "d": {"token": token, "intents": intents, "properties": properties}}))
            .await;
    }

    pub(super) async fn resume(&mut self, token: &str, session: &str, seq: Value) {
        let resume = json!({"token": token, "session_id": session, "seq": seq});
        self.send(json!({"op": 6, "d": resume})).await;
    }

    /// Returns the next frame; a close is `{"closed": code}`, a cut is `{"closed": null}`.
    pub(super) async fn next(&mut self) -> Value {
        let next = tokio::time::timeout(Duration::from_secs(20), self.socket.next()).await;
        match next.expect("a frame in time") {
            Some(Ok(Message::Text(text))) => serde_json::from_str(&text).expect("JSON"),
            Some(Ok(Message::Close(Some(frame)))) => json!({"closed": u16::from(frame.code)}),
            _ => json!({"closed": null}),
        }
    }

    /// Returns the data of the next event of this name; skips others.
    pub(super) async fn event(&mut self, name: &str) -> Value {
        self.frame(name).await["d"].clone()
    }

    /// Returns the whole frame of the next event of this name.
    pub(super) async fn frame(&mut self, name: &str) -> Value {
        loop {
            let frame = self.next().await;
            assert!(frame.get("closed").is_none(), "closed while waiting for {name}: {frame}");
            if frame["t"] == name {
                return frame;
            }
        }
    }
}
