//! Property tests of everything that comes from outside: generated inputs from valid ones, words of the format, random
//! bytes and text, and inputs that are very long or deeply nested. `fuzz/` checks the same with coverage-guided fuzzers.

mod targets;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Once;
use std::time::{Duration, Instant};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use targets::Target;

use crate::source_code;

/// The time for one input; a busy machine may take a thousand times as long as an idle one.
const PATIENCE: Duration = Duration::from_secs(30);

/// The most bytes of an input that is not meant to be long.
const MAX_BYTES: usize = 4_096;

thread_local! {
    /// The panics on this thread, also those of tasks, whose runtime turns them into errors.
    static PANICS: Cell<usize> = const { Cell::new(0) };
}

fn count_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            PANICS.set(PANICS.get() + 1);
            before(info);
        }));
    });
}

/// A change of an input.
#[derive(Clone, Debug)]
enum Mutation {
    Insert(Index, Vec<u8>),
    Word(Index, Index),
    Remove(Index, usize),
    Flip(Index, u8),
    Repeat(Index, usize, usize),
    Splice(Index, Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        (any::<Index>(), vec(any::<u8>(), 1..8)).prop_map(|(at, bytes)| Mutation::Insert(at, bytes)),
        (any::<Index>(), any::<char>())
            .prop_map(|(at, sign)| Mutation::Insert(at, sign.to_string().into_bytes())),
        (any::<Index>(), any::<Index>()).prop_map(|(at, word)| Mutation::Word(at, word)),
        (any::<Index>(), any::<Index>()).prop_map(|(at, word)| Mutation::Word(at, word)),
        (any::<Index>(), 1..20_usize).prop_map(|(at, length)| Mutation::Remove(at, length)),
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Mutation::Flip(at, byte)),
        (any::<Index>(), 1..16_usize, 2..40_usize)
            .prop_map(|(at, length, times)| Mutation::Repeat(at, length, times)),
        (any::<Index>(), any::<Index>()).prop_map(|(at, seed)| Mutation::Splice(at, seed)),
    ]
}

impl Mutation {
    fn apply(&self, input: &mut Vec<u8>, seeds: &[Vec<u8>], words: &[String]) {
        let place = |at: &Index, most: usize| at.index(most + 1);
        match self {
            Mutation::Insert(at, bytes) => {
                let at = place(at, input.len());
                input.splice(at..at, bytes.iter().copied());
            }
            Mutation::Word(at, word) => {
                let at = place(at, input.len());
                input.splice(at..at, words[word.index(words.len())].bytes());
            }
            Mutation::Remove(at, length) => {
                let at = place(at, input.len());
                input.drain(at..(at + length).min(input.len()));
            }
            Mutation::Flip(at, byte) if !input.is_empty() => {
                let at = at.index(input.len());
                input[at] ^= byte;
            }
            Mutation::Flip(..) => {}
            Mutation::Repeat(at, length, times) => {
                let at = place(at, input.len());
                let part = input[at..(at + length).min(input.len())].repeat(*times);
                input.splice(at..at, part);
            }
            Mutation::Splice(at, seed) => {
                input.truncate(place(at, input.len()));
                let other = &seeds[seed.index(seeds.len())];
                input.extend_from_slice(&other[at.index(other.len() + 1)..]);
            }
        }
        input.truncate(MAX_BYTES);
    }
}

/// Generates inputs of a target: mostly changed seeds, and some that have nothing to do with the format.
fn inputs(target: &'static Target) -> impl Strategy<Value = Vec<u8>> {
    let (seeds, words) = ((target.seeds)(), (target.words)());
    assert!(!seeds.is_empty() && !words.is_empty());
    let of_words = words.clone();
    prop_oneof![
        12 => (any::<Index>(), vec(mutation(), 0..6)).prop_map(move |(seed, mutations)| {
            let mut input = seeds[seed.index(seeds.len())].clone();
            mutations.iter().for_each(|mutation| mutation.apply(&mut input, &seeds, &words));
            input
        }),
        4 => vec((any::<Index>(), prop_oneof!["", " ", "\n", "\"", ":"]), 1..40).prop_map(move |parts| {
            let parts = parts.iter().map(|(word, sign)| format!("{}{sign}", of_words[word.index(of_words.len())]));
            parts.collect::<String>().into_bytes()
        }),
        2 => vec(any::<u8>(), 0..200),
        2 => any::<String>().prop_map(String::into_bytes),
    ]
}

/// Inputs that are very long or deeply nested, or have only one character many times.
fn extremes(target: &'static Target) -> Vec<Vec<u8>> {
    let signs = [
        "[",
        "{\"a\":",
        "(",
        "\"",
        "\\",
        " ",
        "\n",
        "0",
        "9",
        "a",
        "-",
        ".",
        "\u{0}",
        "\u{202e}",
        "\u{10ffff}",
    ];
    let mut extremes: Vec<Vec<u8>> = signs.iter().map(|sign| sign.repeat(20_000).into_bytes()).collect();
    for seed in (target.seeds)().iter().take(12).filter(|seed| !seed.is_empty()) {
        extremes.push(seed.repeat(60_000_usize.div_ceil(seed.len()).min(2_000)));
        let lines: Vec<&[u8]> = vec![seed; 100];
        extremes.push(lines.join(&b'\n'));
    }
    extremes
}

/// Checks a target with its seeds, extremes and this many generated inputs, the same in every run. `ROOKERY_HOSTILE_CASES`
/// is another number of generated inputs, for long runs.
fn check(name: &str, cases: u32) {
    count_panics();
    let given = std::env::var("ROOKERY_HOSTILE_CASES").ok();
    let cases = given.map_or(cases, |given| given.parse().expect("ROOKERY_HOSTILE_CASES is a number"));
    let target = targets::target(name);
    let one = |input: &[u8]| {
        let (panics, began) = (PANICS.get(), Instant::now());
        (target.check)(input);
        assert_eq!(PANICS.get(), panics, "a task panicked");
        assert!(began.elapsed() < PATIENCE, "{:?} for one input", began.elapsed());
    };
    (target.seeds)().iter().for_each(|seed| one(seed));
    extremes(target).iter().for_each(|input| one(input));
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 500, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let outcome = runner.run(&inputs(target), |input| {
        let checked = std::panic::catch_unwind(|| one(&input));
        checked.map_err(|_| TestCaseError::fail(format!("{:?}", String::from_utf8_lossy(&input))))
    });
    outcome.unwrap_or_else(|failure| panic!("{name}: {failure}"));
}

#[test]
fn hostile_move_text_is_answered() {
    check("move_text", 4_000);
}

#[test]
fn hostile_positions_are_answered() {
    check("positions", 3_000);
}

#[test]
fn hostile_records_are_answered() {
    check("records", 3_000);
}

#[test]
fn hostile_phrases_are_answered() {
    check("phrases", 1_500);
}

#[test]
fn hostile_pictures_are_answered() {
    check("pictures", 500);
}

#[test]
fn hostile_custom_ids_are_answered() {
    check("custom_ids", 5_000);
}

#[test]
fn hostile_configuration_is_answered() {
    check("configuration", 1_000);
}

#[test]
fn hostile_journal_entries_are_answered() {
    check("journal_entries", 3_000);
}

#[test]
fn hostile_requests_to_the_playground_are_answered() {
    check("playground_rest", 3_000);
}

#[test]
fn hostile_gateway_frames_are_answered() {
    check("playground_gateway", 2_000);
}

#[test]
fn hostile_web_requests_are_answered() {
    check("web_requests", 2_000);
}

/// Writes the seeds and words of every target for the fuzzers, if `ROOKERY_FUZZ_SEEDS` names the folder. Without it the
/// test checks that every target has its fuzzer.
#[test]
fn fuzzers_have_the_seeds_and_words_of_their_targets() {
    let fuzzers = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/fuzz_targets");
    for target in &targets::ALL {
        let fuzzer = std::fs::read_to_string(format!("{fuzzers}/{}.rs", target.name));
        let fuzzer = fuzzer.unwrap_or_else(|error| panic!("the fuzzer {}: {error}", target.name));
        assert!(fuzzer.contains(&format!("\"{}\"", target.name)), "{fuzzer}");
    }
    let Some(folder) = std::env::var_os("ROOKERY_FUZZ_SEEDS").map(std::path::PathBuf::from) else { return };
    for target in &targets::ALL {
        let corpus = folder.join("corpus").join(target.name);
        std::fs::create_dir_all(&corpus).unwrap();
        for (number, seed) in (target.seeds)().iter().enumerate() {
            std::fs::write(corpus.join(format!("seed-{number:03}")), seed).unwrap();
        }
        let escaped = |byte: u8| match byte {
            b' '..=b'~' if byte != b'"' && byte != b'\\' => char::from(byte).to_string(),
            _ => format!("\\x{byte:02X}"),
        };
        let line = |word: &String| format!("\"{}\"\n", word.bytes().map(escaped).collect::<String>());
        let dictionary: String = (target.words)().iter().map(line).collect();
        std::fs::write(folder.join(format!("{}.dict", target.name)), dictionary).unwrap();
    }
}

/// The fuzzers compile the targets in a workspace of their own, which nothing else builds.
#[test]
fn fuzzers_name_the_crates_of_their_targets() {
    let root = source_code::root();
    let manifest = std::fs::read_to_string(root.join("fuzz/Cargo.toml")).unwrap();
    let mut crates = BTreeSet::new();
    for file in source_code::rust_files(&root.join("tests/it/hostile_input")) {
        let code = source_code::code(&file);
        let imports = code.lines().filter_map(|line| line.trim().strip_prefix("use "));
        crates.extend(imports.map(source_code::first_word));
    }
    crates.retain(|name| !["std", "super", "crate", "self"].contains(&name.as_str()));
    assert!(crates.contains("rookery_table") && crates.len() >= 10, "{crates:?}");
    for name in crates {
        // Names of packages have either sign.
        let is_named = |name: &str| manifest.contains(&format!("\n{name} = "));
        assert!(is_named(&name) || is_named(&name.replace('_', "-")), "fuzz/Cargo.toml doesn't name {name}");
    }
}
