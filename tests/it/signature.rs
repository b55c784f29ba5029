//! Signatures of every game's searches and the moves of the player `yardstick`, kept in a file, so that an
//! unintended change of play is noticed. An intended change rewrites the file with `ROOKERY_BLESS=1 cargo
//! test --test it signature`, and says so in its commit message.

use rookery_core::player::{Level, Limits, SearchRequest};
use rookery_core::rules::Setup;
use rookery_lab::signature;
use rookery_search::ENGINE_VERSION;
use rookery_table::digest::sha256_hex;
use std::path::Path;

/// Fewer nodes than `rookery bench` uses, so that the test is fast.
const NODES: u64 = 1_000;
/// The distance between positions, in plies.
const STEP: usize = 12;
/// The plies that `yardstick` plays against itself, and its nodes for each.
const PLIES: usize = 8;
const YARDSTICK_NODES: u64 = 10_000;

#[test]
fn signature_of_every_player_is_unchanged() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/signatures.txt");
    let now = [bench(), more_seats("penguins"), more_seats("penguin_soccer"), yardstick("amazons")].concat();
    if std::env::var_os("ROOKERY_BLESS").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(now, kept, "play has changed; if that was meant, write {} anew", path.display());
}

/// Stored analyses are made anew when this version changes.
#[test]
fn signature_file_names_the_version_of_the_engine() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/signatures.txt");
    let digest = sha256_hex(&std::fs::read_to_string(&path).unwrap());
    assert!(digest.starts_with(ENGINE_VERSION), "rookery_search::ENGINE_VERSION must be {:?}", &digest[..8]);
    assert_eq!(ENGINE_VERSION.len(), 8);
}

/// Returns every game with its signature and node count, as `rookery bench` prints them before the speed.
fn bench() -> String {
    let mut out = Vec::new();
    rookery_lab::bench(None, Some(NODES), &mut out).unwrap();
    let line = |line: &str| line.split_whitespace().take(5).collect::<Vec<_>>().join(" ") + "\n";
    String::from_utf8(out).unwrap().lines().map(line).collect()
}

/// More than two players use another search, which `rookery bench` does not cover.
fn more_seats(game: &str) -> String {
    let start = rookery_games::named(game).unwrap().start(&Setup::new(4).seeded(1)).unwrap();
    let signed = signature::compute_signature(&signature::positions(&*start, 1, STEP), NODES);
    format!("{game} for 4 signature {:016x} nodes {}\n", signed.hash, signed.nodes)
}

fn yardstick(game: &str) -> String {
    let mut play = rookery_games::named(game).unwrap().start(&Setup::new(2)).unwrap();
    for _ in 0..PLIES {
        let limits = Limits { nodes: Some(YARDSTICK_NODES), ..Limits::default() };
        let ask = SearchRequest { limits, ..SearchRequest::new(Level::Expert, 1) };
        let best = play.think_as_baseline("yardstick", &ask).unwrap().best;
        play.play(&best).unwrap();
    }
    format!("{game} yardstick {}\n", play.record().join(" "))
}
