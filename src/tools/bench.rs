//! `rookery bench`: fixed positions searched to a fixed node count, per game.

use std::io::Write;

use crate::games;
use crate::kit::Game;
use crate::kit::rules::Setup;
use crate::search::signature::{Signature, positions, sign};

/// Nodes a position where nobody says otherwise; the signatures that CI compares belong to it.
const NODES: u64 = 2_000;
/// Positions are taken every so many plies from one game of random moves.
const STEP: usize = 12;

/// The signature of one game's player: equal wherever it is taken, until play changes.
fn signature(game: &dyn Game, nodes: u64) -> Signature {
    let setup = Setup::new(game.about().fewest()).seeded(1);
    let start = game.start(&setup).expect("every game starts plainly with its fewest seats");
    sign(&positions(start.as_ref(), 1, STEP), nodes)
}

/// Writes a line for each game (or the one asked for): signature, nodes, nodes a second.
///
/// # Errors
/// If there is no such game, or `out` cannot be written.
pub fn bench(game: Option<&str>, nodes: Option<u64>, out: &mut dyn Write) -> anyhow::Result<()> {
    let asked = match game {
        Some(name) => vec![super::named(name)?],
        None => games::ALL.to_vec(),
    };
    for game in asked {
        let signature = signature(game, nodes.unwrap_or(NODES));
        writeln!(
            out,
            "{:<16} signature {:016x}  nodes {:>9}  {:>9.0} nodes/s",
            game.about().key,
            signature.mark,
            signature.nodes,
            signature.nodes_per_second()
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same search twice: a signature that depended on time or memory would be worth nothing.
    #[test]
    fn a_signature_repeats() {
        let game = games::named("amazons").unwrap();
        assert_eq!(signature(game, 300).mark, signature(game, 300).mark);
    }

    #[test]
    fn an_unknown_game_is_answered_with_those_there_are() {
        let error = bench(Some("chess"), None, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("amazons"), "{error}");
    }
}
