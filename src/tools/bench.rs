//! `rookery bench`: fixed positions searched to a fixed node count, per game; or how long each level takes.

use std::io::Write;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::games;
use crate::kit::player::{Ask, Level};
use crate::kit::rules::Setup;
use crate::kit::{Game, Play};
use crate::search::pool::{Order, Pool, Turn};
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

/// Positions that each level thinks about when it is timed.
const TIMED: usize = 10;

/// Writes how long each level takes for a move of a game: the half and the 99th of a hundred, through a
/// pool of one thread as tables have it.
///
/// # Errors
/// If there is no such game, a thread is refused, or `out` cannot be written.
pub fn bench_levels(game: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let game = super::named(game)?;
    let start = game.start(&Setup::new(game.about().fewest()).seeded(1))?;
    let pool = Pool::new(1, TIMED)?;
    for level in Level::ALL {
        let mut took = Vec::new();
        for play in positions(start.as_ref(), 1, STEP / 2).into_iter().take(TIMED) {
            took.push(timed(&pool, level, play)?);
        }
        took.sort_unstable();
        let part = |percent: usize| took[(took.len() - 1) * percent / 100].as_millis();
        writeln!(
            out,
            "{:<16} {:<9} p50 {:>6} ms  p99 {:>6} ms",
            game.about().key,
            level.key(),
            part(50),
            part(99)
        )?;
    }
    Ok(())
}

/// From the order to the answer.
fn timed(pool: &Pool, level: Level, play: Box<dyn Play>) -> anyhow::Result<Duration> {
    let (tell, told) = mpsc::channel();
    let since = Instant::now();
    let job = move |turn: &Turn| play.think(&Ask { halt: turn.halt.clone(), ..Ask::new(level, 1) });
    pool.submit(Order::new(0, level, WITHIN), job, move |_| {
        // Whoever asked may have gone.
        let _ = tell.send(());
    })?;
    told.recv()?;
    Ok(since.elapsed())
}

/// More than any level takes.
const WITHIN: Duration = Duration::from_secs(60);

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
