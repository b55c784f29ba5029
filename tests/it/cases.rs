//! The facts of `tests/data/rules.json`, and the checks that all games share.

use rookery_core::Position;
use rookery_core::position::perft;
use rookery_core::rules::GameRules;
use rookery_core::rules::{legal, spell};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Returns a game's section of the file.
pub(crate) fn of(game: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("../data/rules.json")).expect("rules.json is JSON");
    let facts = all["games"][game].clone();
    assert!(facts.is_object(), "rules.json has nothing about {game}");
    facts
}

/// Returns the text of a JSON string.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Returns the items of a list; fails if it is empty or missing.
pub(crate) fn list<'a>(facts: &'a Value, key: &str) -> &'a [Value] {
    let items = facts[key].as_array().map(Vec::as_slice).unwrap_or_default();
    assert!(!items.is_empty(), "no {key}");
    items
}

/// Compares the sorted legal moves of a position with the count, list and digest of the case.
pub(crate) fn assert_listed(case: &Value, moves: &[String]) {
    if let Some(count) = case.get("move_count") {
        assert_eq!(moves.len() as u64, *count, "{case}");
    }
    if let Some(listed) = case.get("moves").and_then(Value::as_array) {
        assert!(moves.iter().eq(listed.iter().map(text)), "{moves:?} {case}");
    }
    if let Some(sum) = case.get("moves_sha256") {
        let digest: String = Sha256::digest(moves.join("\n")).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(digest, text(sum), "{case}");
    }
}

/// Compares the legal moves of a game's own position with the case.
pub(crate) fn assert_moves<R: GameRules>(case: &Value, position: &R::Position) {
    let spelled = |m| spell::<R>(position, m);
    let mut moves: Vec<String> = legal::<R>(position).into_iter().map(spelled).collect();
    moves.sort_unstable();
    assert_listed(case, &moves);
}

/// Compares the perft counts of a case, up to depth `deepest`.
pub(crate) fn assert_perft<P: Position>(case: &Value, position: &P, deepest: u32) {
    let counts = case.get("perft").and_then(Value::as_array).into_iter().flatten();
    for (depth, count) in (1..=deepest).zip(counts) {
        assert_eq!(perft(position, depth), *count, "depth {depth} in {case}");
    }
}

/// Plays a move of the file, which must be in canonical notation; returns the position afterwards.
pub(crate) fn after<R: GameRules>(position: &R::Position, m: &str) -> R::Position {
    let spoken = R::read(m).expect("a move of the file can be read");
    let found = R::resolve(position, &spoken).unwrap_or_else(|e| panic!("{m}: {e}"));
    assert_eq!(spell::<R>(position, found), m);
    let mut next = position.clone();
    next.play_unchecked(found);
    next
}
