//! Frames to the playground's gateway, one a line. `TOKEN` stands for the bot's token, and `SESSION` for a session that
//! can be resumed. A line that begins with `!` is sent as binary.

use std::sync::{Mutex, PoisonError};

use futures_util::{SinkExt, StreamExt};
use rookery_playground::Playground;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use super::playground_rest::start;
use super::sockets::{PATIENCE, runtime};
use super::{Target, text};

pub(super) const TARGET: Target = Target { name: "playground_gateway", check, seeds, words };

/// Every RESUME is an event of its session and replayed by the next one, so after this many inputs a fresh playground
/// starts.
const INPUTS_OF_A_PLAYGROUND: usize = 200;

/// The most frames in answer to one input.
const MAX_FRAMES: usize = 10_000;

static PLAYGROUND: Mutex<Option<Running>> = Mutex::new(None);

struct Running {
    runtime: Runtime,
    playground: Playground,
    inputs_left: usize,
    /// A session without a connection.
    session: String,
}

type Socket = WebSocketStream<TcpStream>;

fn check(bytes: &[u8]) {
    let mut playground = PLAYGROUND.lock().unwrap_or_else(PoisonError::into_inner);
    let running = match playground.take().filter(|running| running.inputs_left > 0) {
        Some(running) => playground.insert(running),
        None => playground.insert(Running::start()),
    };
    running.inputs_left -= 1;
    let frames =
        text(bytes).replace("TOKEN", running.playground.token()).replace("SESSION", &running.session);
    let talking = talk(&running.playground, &frames);
    let outcome = running.runtime.block_on(async { tokio::time::timeout(PATIENCE, talking).await });
    outcome.unwrap_or_else(|_| panic!("no answer to {frames:?}"));
}

impl Running {
    fn start() -> Running {
        let runtime = runtime();
        let (playground, session) = runtime.block_on(async {
            let playground = start().await;
            let mut socket = connect(&playground).await;
            let identify =
                json!({"op": 2, "d": {"token": playground.token(), "intents": 513, "shard": [0, 1]}});
            socket.send(Message::text(identify.to_string())).await.expect("sent");
            let session = loop {
                let frame = next(&mut socket).await.expect("a frame");
                if frame["t"] == "READY" {
                    break frame["d"]["session_id"].as_str().expect("a session").to_owned();
                }
            };
            drop(socket.close(None).await);
            (playground, session)
        });
        Running { runtime, playground, inputs_left: INPUTS_OF_A_PLAYGROUND, session }
    }
}

/// Sends the frames, then a heartbeat. The server must close the connection with a code, or answer the heartbeat.
async fn talk(playground: &Playground, frames: &str) {
    let mut socket = connect(playground).await;
    let heartbeat = json!({"op": 1, "d": null}).to_string();
    for line in frames.lines().chain([heartbeat.as_str()]) {
        let message = match line.strip_prefix('!') {
            Some(rest) => Message::binary(rest.as_bytes().to_vec()),
            None => Message::text(line),
        };
        // The server may have closed the connection already; its last frame says why.
        if socket.send(message).await.is_err() {
            break;
        }
    }
    for _ in 0..MAX_FRAMES {
        match next(&mut socket).await {
            Some(frame) if frame["op"] == 11 => return drop(socket.close(None).await),
            Some(frame) => assert!(frame["op"].is_u64(), "{frame}"),
            None => return,
        }
    }
    panic!("no end of the answer to {frames:?}");
}

/// Returns the next frame of the server; `None` after it has closed the connection with a code.
async fn next(socket: &mut Socket) -> Option<Value> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => {
                return Some(serde_json::from_str(&text).expect("the server sends JSON"));
            }
            Some(Ok(Message::Close(Some(frame)))) => {
                let code = u16::from(frame.code);
                assert!((4_000..=4_014).contains(&code), "closed with {code}");
                return None;
            }
            // Frames that arrive after the close reset the connection, and its last frame may be lost with them.
            Some(Err(_)) => return None,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            other => panic!("the connection ends without a code: {other:?}"),
        }
    }
}

async fn connect(playground: &Playground) -> Socket {
    let stream = TcpStream::connect(playground.addr()).await.expect("a connection");
    let url = format!("ws://{}/gateway", playground.addr());
    let (mut socket, _) = tokio_tungstenite::client_async(url, stream).await.expect("a gateway");
    let hello = next(&mut socket).await.expect("HELLO comes first");
    assert_eq!(hello["op"], 10);
    socket
}

fn seeds() -> Vec<Vec<u8>> {
    let conversations = [
        "{\"op\":2,\"d\":{\"token\":\"TOKEN\",\"intents\":513,\"shard\":[0,1],\"properties\":{\"os\":\"linux\"}}}\n{\"op\":1,\"d\":2}",
        "{\"op\":2,\"d\":{\"token\":\"Bot TOKEN\",\"intents\":0}}\n{\"op\":2,\"d\":{\"token\":\"TOKEN\",\"intents\":0}}",
        "{\"op\":6,\"d\":{\"token\":\"TOKEN\",\"session_id\":\"SESSION\",\"seq\":1}}\n{\"op\":3,\"d\":{}}",
        "{\"op\":6,\"d\":{\"token\":\"TOKEN\",\"session_id\":\"SESSION\",\"seq\":18446744073709551615}}",
        "{\"op\":6,\"d\":{\"token\":\"TOKEN\",\"session_id\":\"none\",\"seq\":-1}}\n{\"op\":2,\"d\":{\"token\":\"TOKEN\",\"intents\":1}}",
        "{\"op\":1,\"d\":null}\n{\"op\":3}\n{\"op\":99}",
        "{\"op\":2,\"d\":{\"token\":\"TOKEN\",\"intents\":1,\"shard\":[18446744073709551614,18446744073709551615]}}",
        "!\u{1}\u{2}",
        "[",
        "[[[[[[[[[[[[[[[[",
        "\"\\ud800\"",
        "",
    ];
    conversations.map(|frames| frames.as_bytes().to_vec()).to_vec()
}

fn words() -> Vec<String> {
    let words = "{\"op\": \"d\":{ \"token\":\"TOKEN\" \"intents\": \"shard\":[ \"session_id\":\"SESSION\" \"seq\": 0 1 2 3 4 6 8 31 \
        18446744073709551615 18446744073709551614 9223372036854775807 -1 1.5 1e308 null true [] {} } ] ! 513 4194304";
    words.split_whitespace().map(str::to_owned).collect()
}
