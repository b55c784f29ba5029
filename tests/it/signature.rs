//! A change that should not alter play is seen not to, and the yardstick stays what it is: signatures of
//! every game's searches and the yardstick's own moves are kept in a file. A change that is meant
//! to alter play writes it anew: `ROOKERY_BLESS=1 cargo test --test it signature`, and says so in its message.

use rookery_core::player::{Level, Limits, SearchRequest};
use rookery_core::rules::Setup;
use rookery_lab::signature;
use std::path::Path;

/// Fewer than `rookery bench` looks at, so that it takes a moment only.
const NODES: u64 = 1_000;
/// Positions are so many plies apart.
const STEP: usize = 12;
/// Plies that the yardstick plays against itself, and positions that it looks at for each.
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

/// Every game, its signature and its nodes, as `rookery bench` prints them before the speed.
fn bench() -> String {
    let mut out = Vec::new();
    rookery_lab::bench(None, Some(NODES), &mut out).unwrap();
    let line = |line: &str| line.split_whitespace().take(5).collect::<Vec<_>>().join(" ") + "\n";
    String::from_utf8(out).unwrap().lines().map(line).collect()
}

/// More than two are played by another search, which `rookery bench` does not ask.
fn more_seats(game: &str) -> String {
    let start = rookery_games::named(game).unwrap().start(&Setup::new(4).seeded(1)).unwrap();
    let signed = signature::sign(&signature::positions(&*start, 1, STEP), NODES);
    format!("{game} for 4 signature {:016x} nodes {}\n", signed.mark, signed.nodes)
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
