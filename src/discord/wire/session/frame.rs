//! Gateway frames: received and sent ones, and the meaning of close codes.

use std::io::Read;
use std::time::Duration;

use flate2::read::ZlibDecoder;
use rookery_tasks::Tasks;
use serde_json::{Value, json};
use serenity::all::GatewayIntents;
use tokio_tungstenite::tungstenite::Message;

use super::protocol::{Dispatch, Forget, Resumable, SessionRefused, ShardId};
use crate::discord::wire::json_fields::Fields;

/// The version of the gateway protocol.
const VERSION: u8 = 10;
/// The largest frame after decompression: a server with hundreds of thousands of members stays far below.
pub(super) const MAX_FRAME_BYTES: usize = 256 << 20;
/// Frames larger than this are parsed off the async threads.
const LARGE_FRAME_BYTES: usize = 64 << 10;
/// The member count above which a server's offline members are not sent.
const LARGE_THRESHOLD: u8 = 50;

/// A frame received from Discord.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Frame {
    /// An event, with its sequence number.
    Dispatch(u64, Dispatch),
    /// A request for a heartbeat now.
    Heartbeat,
    /// A request to reconnect and resume.
    Reconnect,
    /// The session is refused; the flag tells whether it can be resumed on another connection.
    InvalidSession(bool),
    /// The first frame, with the heartbeat interval.
    Hello(Duration),
    /// The acknowledgement of a heartbeat.
    Ack,
    /// An opcode unknown to this version of the protocol.
    Unknown,
}

/// Reads a message of the WebSocket; `None` if it carries no frame.
///
/// # Errors
/// A description of the invalid content.
pub(super) async fn read(tasks: &Tasks, message: Message) -> Result<Option<Frame>, String> {
    let text = match message {
        Message::Text(text) => text.as_bytes().to_vec(),
        Message::Binary(packed) => {
            let unpacked = tasks.blocking("gateway frame", move || decompress(&packed)).await;
            unpacked.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?
        }
        _ => return Ok(None),
    };
    let value = if text.len() > LARGE_FRAME_BYTES {
        let read = tasks.blocking("gateway frame", move || serde_json::from_slice(&text)).await;
        read.map_err(|error| error.to_string())?
    } else {
        serde_json::from_slice(&text)
    };
    value.map(|value| Some(frame(value))).map_err(|error| error.to_string())
}

fn decompress(packed: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    ZlibDecoder::new(packed).take(MAX_FRAME_BYTES as u64).read_to_end(&mut text)?;
    Ok(text)
}

fn frame(mut value: Value) -> Frame {
    let fields = Fields(&value);
    match fields.number("op") {
        Some(0) => {
            let (seq, name) = (fields.number("s").unwrap_or(0), fields.string("t").unwrap_or_default());
            Frame::Dispatch(seq, Dispatch { name, data: value["d"].take(), is_replayed: false })
        }
        Some(1) => Frame::Heartbeat,
        Some(7) => Frame::Reconnect,
        Some(9) => Frame::InvalidSession(fields.flag("d")),
        Some(10) => {
            // Discord's interval has always been 41.25 s.
            let interval = fields.object("d").number("heartbeat_interval").unwrap_or(41_250);
            Frame::Hello(Duration::from_millis(interval.max(1)))
        }
        Some(11) => Frame::Ack,
        _ => Frame::Unknown,
    }
}

/// Returns the full address to connect to.
pub(super) fn address(url: &str) -> String {
    let slash = if url.splitn(4, '/').count() > 3 { "" } else { "/" };
    format!("{url}{slash}?v={VERSION}&encoding=json")
}

pub(super) fn heartbeat(seq: Option<u64>) -> Value {
    json!({"op": 1, "d": seq})
}

pub(super) fn identify(token: &str, intents: GatewayIntents, shard: ShardId) -> Value {
    let properties = json!({"os": std::env::consts::OS, "browser": "rookery", "device": "rookery"});
    json!({"op": 2, "d": {"token": token, "properties": properties, "compress": true,
        "large_threshold": LARGE_THRESHOLD, "shard": [shard.number, shard.total], "intents": intents.bits()}})
}

pub(super) fn resume(token: &str, session: &Resumable, seq: Option<u64>) -> Value {
    json!({"op": 6, "d": {"token": token, "session_id": session.id, "seq": seq}})
}

/// Returns what a close code requires: not to reconnect, or what to forget before.
pub(super) fn closed(code: Option<u16>) -> Result<Forget, SessionRefused> {
    let other = |code, why| Err(SessionRefused::Other { code, why });
    match code {
        Some(4004) => Err(SessionRefused::BadToken),
        Some(4014) => Err(SessionRefused::DisallowedIntents),
        Some(code @ 4010) => other(code, "it is sent to the wrong shard"),
        Some(code @ 4011) => other(code, "the bot is on more servers than one connection may look after"),
        Some(code @ 4012) => other(code, "this version of the gateway is gone; a newer Rookery is needed"),
        Some(code @ 4013) => other(code, "an intent is unknown; a newer Rookery is needed"),
        // Not authenticated, session no longer valid, invalid sequence number, session timed out.
        Some(4003 | 4006 | 4007 | 4009) => Ok(Forget::Session),
        _ => Ok(Forget::Nothing),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    async fn text(text: &str) -> Result<Option<Frame>, String> {
        read(&Tasks::default(), Message::text(text.to_owned())).await
    }

    #[tokio::test]
    async fn frames_are_read_by_their_opcode_and_nothing_else_is_needed() {
        let event = Dispatch { name: "READY".into(), data: json!({"a": 1}), is_replayed: false };
        let read = text(r#"{"op":0,"s":5,"t":"READY","d":{"a":1},"new":[]}"#).await;
        assert_eq!(read, Ok(Some(Frame::Dispatch(5, event))));
        assert_eq!(text(r#"{"op":1}"#).await, Ok(Some(Frame::Heartbeat)));
        assert_eq!(text(r#"{"op":7}"#).await, Ok(Some(Frame::Reconnect)));
        assert_eq!(text(r#"{"op":9}"#).await, Ok(Some(Frame::InvalidSession(false))));
        assert_eq!(text(r#"{"op":9,"d":true}"#).await, Ok(Some(Frame::InvalidSession(true))));
        assert_eq!(text(r#"{"op":11}"#).await, Ok(Some(Frame::Ack)));
        assert_eq!(text(r#"{"op":99}"#).await, Ok(Some(Frame::Unknown)));
        let hello = Frame::Hello(Duration::from_millis(41_250));
        assert_eq!(text(r#"{"op":10,"d":{"heartbeat_interval":41250}}"#).await, Ok(Some(hello.clone())));
        assert_eq!(text(r#"{"op":10}"#).await, Ok(Some(hello)));
        assert!(text("{").await.is_err());
        assert_eq!(read_ping().await, Ok(None));
    }

    async fn read_ping() -> Result<Option<Frame>, String> {
        read(&Tasks::default(), Message::Ping(Vec::new().into())).await
    }

    #[tokio::test]
    async fn packed_and_long_frames_are_read_too() {
        let long = json!({"op": 0, "s": 1, "t": "X", "d": "x".repeat(2 * LARGE_FRAME_BYTES)}).to_string();
        let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(long.as_bytes()).unwrap();
        let read =
            read(&Tasks::default(), Message::Binary(packed.finish().unwrap().into())).await.unwrap().unwrap();
        assert_eq!(text(&long).await.unwrap().unwrap(), read);
        assert!(super::read(&Tasks::default(), Message::Binary(vec![1, 2, 3].into())).await.is_err());
    }

    #[test]
    fn the_address_names_version_and_encoding() {
        assert_eq!(address("wss://gateway.discord.gg"), "wss://gateway.discord.gg/?v=10&encoding=json");
        assert_eq!(address("ws://127.0.0.1:5/gateway"), "ws://127.0.0.1:5/gateway?v=10&encoding=json");
    }

    #[test]
    fn a_close_code_ends_it_or_says_what_to_forget() {
        assert_eq!(closed(Some(4004)), Err(SessionRefused::BadToken));
        assert_eq!(closed(Some(4014)), Err(SessionRefused::DisallowedIntents));
        for code in 4010..=4013 {
            assert!(
                matches!(closed(Some(code)), Err(SessionRefused::Other { code: told, .. }) if told == code)
            );
        }
        for code in [4003, 4006, 4007, 4009] {
            assert_eq!(closed(Some(code)), Ok(Forget::Session), "{code}");
        }
        for code in [None, Some(1000), Some(1001), Some(1006), Some(4000), Some(4008)] {
            assert_eq!(closed(code), Ok(Forget::Nothing), "{code:?}");
        }
    }
}
