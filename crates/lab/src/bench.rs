//! `rookery bench`: searches fixed positions to a fixed node count, per game; or measures the time that each level
//! takes; or the depth and memory of a one-second search.

use std::io::Write;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::memory::PeakMemory;
use crate::signature::{Signature, compute_signature, positions};
use rookery_core::player::{Level, Limits, SearchRequest};
use rookery_core::rules::Setup;
use rookery_core::{Game, Play};
use rookery_search::pool::{JobContext, JobSpec, PoolSize, SearchPool};

/// The default number of nodes for each position; the signatures that CI compares depend on it.
const NODES: u64 = 2_000;
/// The interval in plies between the positions, which come from one random game.
const STEP: usize = 12;

/// The signature of one game's player: the same on every machine until play changes.
fn signature(game: &dyn Game, nodes: u64) -> Signature {
    let setup = Setup::new(game.info().fewest()).seeded(1);
    let start = game.start(&setup).expect("every game starts plainly with its fewest seats");
    compute_signature(&positions(start.as_ref(), 1, STEP), nodes)
}

/// Writes a line for each game (or the given one): signature, nodes, nodes per second.
///
/// # Errors
/// If there is no such game, or `out` cannot be written.
pub fn bench(game: Option<&str>, nodes: Option<u64>, out: &mut dyn Write) -> anyhow::Result<()> {
    for game in asked(game)? {
        let signature = signature(game, nodes.unwrap_or(NODES));
        writeln!(
            out,
            "{:<16} signature {:016x}  nodes {:>9}  {:>9.0} nodes/s",
            game.info().key,
            signature.hash,
            signature.nodes,
            signature.nodes_per_second()
        )?;
    }
    Ok(())
}

/// The game with this name, or all games.
fn asked(game: Option<&str>) -> anyhow::Result<Vec<&'static dyn Game>> {
    Ok(match game {
        Some(name) => vec![super::named(name)?],
        None => rookery_games::all().to_vec(),
    })
}

/// The positions whose search depth is printed.
const DEEP: usize = 3;
/// CPU time of each search.
const DEEP_TIME: Duration = Duration::from_secs(1);

/// Writes the depth that the expert reaches in a second of CPU time, and the memory that takes, in three positions of
/// each game (or of the given one): its start, and after one and two thirds of a random game.
///
/// # Errors
/// If there is no such game, or `out` cannot be written.
pub fn bench_depth(game: Option<&str>, out: &mut dyn Write) -> anyhow::Result<()> {
    for game in asked(game)? {
        let start = game.start(&Setup::new(game.info().fewest()).seeded(1))?;
        let all = positions(start.as_ref(), 1, 1);
        for play in (0..DEEP).filter_map(|part| all.get(part * all.len() / DEEP)) {
            let limits = Limits { time: Some(DEEP_TIME), cpu_time: true, ..Limits::default() };
            let (since, mark) = (Instant::now(), PeakMemory::now());
            let Some(seen) = play.think(&SearchRequest { limits, ..SearchRequest::new(Level::Expert, 1) })
            else {
                continue;
            };
            let (key, took) = (game.info().key, since.elapsed().as_secs_f64());
            writeln!(
                out,
                "{key:<16} after {:>3} plies  depth {:>2}  {:>9} nodes in {took:.2} s  memory {}",
                play.ply(),
                seen.depth,
                seen.nodes,
                megabytes(mark.and_then(PeakMemory::peak_growth))
            )?;
        }
    }
    Ok(())
}

fn megabytes(bytes: Option<u64>) -> String {
    bytes.map_or("unknown".to_owned(), |bytes| format!("{:.1} MB", bytes as f64 / 1e6))
}

/// Positions that each level searches when it is timed.
const TIMED: usize = 10;

/// Writes how long each level takes for a move of each game (or of the given one): the median and the 99th percentile,
/// through a pool of one thread as for tables.
///
/// # Errors
/// If there is no such game, a thread is refused, or `out` cannot be written.
pub fn bench_levels(game: Option<&str>, out: &mut dyn Write) -> anyhow::Result<()> {
    let pool = SearchPool::new(PoolSize::new(1))?;
    for game in asked(game)? {
        let start = game.start(&Setup::new(game.info().fewest()).seeded(1))?;
        let positions: Vec<_> = positions(start.as_ref(), 1, STEP / 2).into_iter().take(TIMED).collect();
        for level in Level::ALL {
            let took: anyhow::Result<Vec<_>> =
                positions.iter().map(|play| timed(&pool, level, play.clone_play())).collect();
            let mut took = took?;
            took.sort_unstable();
            let part = |percent: usize| took[((took.len() - 1) * percent).div_ceil(100)].as_millis();
            let (key, name) = (game.info().key, level.key());
            writeln!(out, "{key:<16} {name:<9} p50 {:>6} ms  p99 {:>6} ms", part(50), part(99))?;
        }
    }
    Ok(())
}

/// The time from the request to the answer.
fn timed(pool: &SearchPool, level: Level, play: Box<dyn Play>) -> anyhow::Result<Duration> {
    let (tell, told) = mpsc::channel();
    let since = Instant::now();
    let job = move |turn: &JobContext| {
        play.think(&SearchRequest { halt: turn.halt.clone(), ..SearchRequest::new(level, 1) })
    };
    pool.submit(JobSpec::new(0, 0, level, true, WITHIN), job, move |_| {
        // The receiver may have been dropped.
        let _ = tell.send(());
    })?;
    told.recv()?;
    Ok(since.elapsed())
}

/// More time than any level takes.
const WITHIN: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the same search twice: a signature that depended on time or memory would be useless.
    #[test]
    fn a_signature_repeats() {
        let game = rookery_games::named("amazons").unwrap();
        assert_eq!(signature(game, 300).hash, signature(game, 300).hash);
    }

    #[test]
    fn an_unknown_game_is_answered_with_those_there_are() {
        let error = bench(Some("chess"), None, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("amazons"), "{error}");
    }
}
