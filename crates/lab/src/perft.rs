//! `rookery perft`: counts move sequences, the usual check that two programs implement the same rules.

use std::io::{self, Write};

use rookery_core::Play;

/// Writes a line for each first move with the number of sequences that begin with it, then the sum. Sequences have
/// `depth` plies; a skipped turn is not a ply.
///
/// # Errors
/// If `out` cannot be written.
pub fn perft(play: &dyn Play, depth: u32, out: &mut dyn Write) -> io::Result<()> {
    let counts = if depth == 0 { Vec::new() } else { play.perft(depth) };
    for (text, count) in &counts {
        writeln!(out, "{text} {count}")?;
    }
    let total: u64 = if depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
    writeln!(out, "total {total}")
}

#[cfg(test)]
mod tests {
    use crate::PositionQuery;

    fn counted(game: &str, options: &[(String, String)], depth: u32) -> String {
        let play = PositionQuery { game, position: None, options }.find().unwrap();
        let mut out = Vec::new();
        super::perft(play.as_ref(), depth, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// 544 and 238,532 are published for the 6x6 board.
    #[test]
    fn the_sum_is_the_published_count() {
        let options = [("size".to_owned(), "6x6".to_owned())];
        assert!(counted("amazons", &options, 2).ends_with("\ntotal 238532\n"));
        assert_eq!(counted("amazons", &options, 1).lines().count(), 545);
        assert_eq!(counted("amazons", &options, 0), "total 1\n");
    }
}
