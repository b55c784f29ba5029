//! Sends bytes to a server on the loopback interface and reads what it answers.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Far longer than an answer takes, so that a busy machine fails no test.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// The most bytes of an answer.
const MAX_ANSWER_BYTES: u64 = 64 << 20;

/// Returns a runtime on which servers make progress while an input is checked.
pub(super) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// When the writing side of a connection ends.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum EndOfRequest {
    /// With the last byte that is sent.
    AtOnce,
    /// When the answer begins.
    WithTheAnswer,
}

/// Sends bytes on a new connection and returns everything until the server closes it.
///
/// # Panics
/// If the server doesn't close it in time, or answers with too much.
pub(super) async fn exchange(address: SocketAddr, bytes: &[u8], end: EndOfRequest) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let talking = async {
        let (mut reader, mut writer) = stream.split();
        let mut answer = Vec::new();
        // A server may answer and close before it has read everything.
        let sending = async {
            let sent = writer.write_all(bytes).await;
            if end == EndOfRequest::AtOnce {
                drop(writer.shutdown().await);
            }
            drop(sent);
        };
        let mut first = [0; 4_096];
        let (_, read) = tokio::join!(sending, reader.read(&mut first));
        answer.extend_from_slice(&first[..read.unwrap_or(0)]);
        drop(writer.shutdown().await);
        // A connection closed with unread data ends in an error; the bytes before it count.
        drop(reader.take(MAX_ANSWER_BYTES).read_to_end(&mut answer).await);
        answer
    };
    let answer = tokio::time::timeout(PATIENCE, talking).await;
    let answer =
        answer.unwrap_or_else(|_| panic!("no end of the answer to {:?}", String::from_utf8_lossy(bytes)));
    assert!((answer.len() as u64) < MAX_ANSWER_BYTES, "{} bytes in answer", answer.len());
    answer
}

/// Returns the status of an answer.
///
/// # Panics
/// If it's no answer in HTTP.
pub(super) fn status(answer: &[u8], request: &[u8]) -> u16 {
    let line = answer.split(|byte| *byte == b'\r').next().unwrap_or_default();
    let status =
        std::str::from_utf8(line).ok().and_then(|line| line.strip_prefix("HTTP/1.")?.get(2..5)?.parse().ok());
    status.unwrap_or_else(|| {
        let [answer, request] = [answer, request].map(String::from_utf8_lossy);
        panic!("{answer:?} in answer to {request:?}")
    })
}
