//! `rookery ugi`: the line protocol between standard input and standard output.

mod session;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::time::Duration;

use session::Session;

/// The maximum duration of a search after the input has ended.
const FINISH_TIMEOUT: Duration = Duration::from_secs(10);

/// Processes lines until `quit` or the end of input.
///
/// # Errors
/// If there is no such game, or the input cannot be read.
pub fn ugi(game: &str, input: impl BufRead) -> anyhow::Result<()> {
    // The reader may be gone; then the end of input follows.
    let send_line = Arc::new(|line: &str| drop(writeln!(io::stdout(), "{line}")));
    let mut session = Session::new(super::named(game)?, send_line);
    for line in lines(input) {
        if !session.handle_line(&line?) {
            return Ok(());
        }
    }
    // After the end of input a running search is still answered, although `stop` can't arrive any more.
    session.finish(FINISH_TIMEOUT);
    Ok(())
}

/// Lines of text; invalid bytes are replaced, so that one of them does not end the session.
fn lines(input: impl BufRead) -> impl Iterator<Item = io::Result<String>> {
    input.split(b'\n').map(|line| line.map(|line| String::from_utf8_lossy(&line).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_utf8_affects_only_its_line() {
        let heard: Vec<String> = lines(&b"go \xff\nisready\r\nquit"[..]).map(Result::unwrap).collect();
        assert_eq!(heard, ["go \u{fffd}", "isready\r", "quit"]);
    }
}
