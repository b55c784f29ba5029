//! Functions that take any bytes as input from outside and check what always holds: no panic, an answer to everything,
//! and what can be read is written as something that reads the same. The property tests of this folder and the fuzzers
//! in `fuzz/` share them.

mod configuration;
mod custom_ids;
mod journal_entries;
mod moves;
mod phrases;
mod pictures;
mod playground_gateway;
mod playground_rest;
mod positions;
mod records;
mod sockets;
mod web_requests;

use std::borrow::Cow;

use rookery_core::{Game, Play};

/// A kind of input from outside.
pub(crate) struct Target {
    /// The name of the fuzzer, and of its folder of seeds.
    pub(crate) name: &'static str,
    /// Checks one input.
    ///
    /// # Panics
    /// If the input is not handled as it should be.
    pub(crate) check: fn(&[u8]),
    /// Valid and nearly valid inputs to begin with.
    pub(crate) seeds: fn() -> Vec<Vec<u8>>,
    /// Words of the format, for mutations.
    pub(crate) words: fn() -> Vec<String>,
}

/// All targets.
pub(crate) const ALL: [Target; 11] = [
    moves::TARGET,
    positions::TARGET,
    records::TARGET,
    phrases::TARGET,
    pictures::TARGET,
    custom_ids::TARGET,
    configuration::TARGET,
    journal_entries::TARGET,
    playground_rest::TARGET,
    playground_gateway::TARGET,
    web_requests::TARGET,
];

/// Returns the target of this name.
///
/// # Panics
/// If there is none.
pub(crate) fn target(name: &str) -> &'static Target {
    ALL.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("there is no target {name}"))
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Checks that a sentence says something, and not much more than the input was long.
fn assert_answer(sentence: &str, input: &str) {
    assert!(!sentence.trim().is_empty(), "no answer to {input:?}");
    assert!(sentence.len() <= 4_096 + 4 * input.len(), "{} bytes in answer to {input:?}", sentence.len());
}

/// A game with its start for each number of seats and, if it has sizes, a small board.
fn starts(game: &'static dyn Game) -> Vec<Box<dyn Play>> {
    use rookery_core::rules::Setup;
    let setups = game.info().seats.iter().flat_map(|seats| {
        let plain = Setup::new(*seats).seeded(1);
        [plain.clone().with("size", "6x6"), plain]
    });
    setups.filter_map(|setup| game.start(&setup).ok()).collect()
}

/// Positions of all games: starts, and some after moves drawn from a fixed seed.
fn positions_in_games() -> Vec<Box<dyn Play>> {
    use rookery_core::seed::SeededRng;
    let mut positions = Vec::new();
    for (number, start) in rookery_games::all().iter().flat_map(|game| starts(*game)).enumerate() {
        let mut play = start.clone_play();
        let mut rng = SeededRng::new(number as u64);
        positions.push(start);
        for ply in 1..200 {
            if ply == 9 && play.seats() > 2 {
                play.retire(play.turn());
            }
            let moves = play.moves();
            let Some(text) = rng.pick(&moves) else { break };
            play.play(text).expect("a legal move");
            if [4, 12, 30, 60].contains(&ply) {
                positions.push(play.clone_play());
            }
        }
        positions.push(play);
    }
    positions
}
