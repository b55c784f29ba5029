//! `rookery ugi`: the line protocol between standard input and standard output.

use std::io::{BufRead, Write};
use std::sync::Arc;

use crate::games::ugi::Session;

/// Hears lines until `quit` or the end of input.
///
/// # Errors
/// If there is no such game, or the input cannot be read.
pub fn ugi(game: &str, input: impl BufRead) -> anyhow::Result<()> {
    // Whoever reads may be gone; then the end of input comes next.
    let say = Arc::new(|line: &str| drop(writeln!(std::io::stdout(), "{line}")));
    let mut session = Session::new(super::named(game)?, say);
    for line in input.lines() {
        if !session.hear(&line?) {
            return Ok(());
        }
    }
    // The end of input takes nothing back: what was asked is still answered.
    session.wait();
    Ok(())
}
