//! Every fact about Penguin Soccer in the shared `cases.json`, which is made and checked elsewhere.
//!
//! The slow ones are `#[ignore]`: `cargo test --test it cases_soccer -- --ignored`.

use std::collections::BTreeSet;
use std::path::Path;

use rookery::games::penguin_soccer::field::{Field, Penguin, Size, board};
use rookery::games::penguin_soccer::{PenguinSoccer, Soccer};
use rookery::kit::game::{legal, perft, spell};
use rookery::kit::rules::{Room, Setup};
use rookery::kit::square::COMPASS;
use rookery::kit::{Cell, Position, Reason, Seat};
use serde_json::Value;
use sha2::{Digest, Sha256};

#[test]
fn starts_have_the_counted_moves() {
    let Some(cases) = cases() else { return };
    for case in list(&cases, "starts") {
        let position = position(&case["state"]);
        let seats = case["state"]["players"].as_u64().expect("a number") as usize;
        assert_eq!(position, PenguinSoccer::start(&Setup::new(seats)).expect("a plain start"));
        assert_moves(case, &position);
        assert_perft(case, &position, 3);
        assert_eq!(distinct(&position) as u64, case["distinct_positions_after_1"]);
    }
}

#[test]
#[ignore = "slow: five million positions"]
fn starts_have_the_counted_moves_four_plies_deep() {
    let Some(cases) = cases() else { return };
    for case in list(&cases, "starts") {
        assert_perft(case, &position(&case["state"]), 4);
    }
}

#[test]
fn midgame_positions_have_the_listed_moves() {
    let Some(cases) = cases() else { return };
    for case in list(&cases, "midgame") {
        let position = position(&case["state"]);
        assert_moves(case, &position);
        assert_perft(case, &position, 4);
        assert_eq!(distinct(&position) as u64, case["distinct_positions"], "{case}");
        let goals: serde_json::Map<String, Value> = legal::<PenguinSoccer>(&position)
            .into_iter()
            .filter_map(|m| {
                let mut next = position.clone();
                next.play_unchecked(m);
                let winner = next.outcome()?.winners[0].number();
                Some((spell::<PenguinSoccer>(&position, m), winner.into()))
            })
            .collect();
        let own =
            |(text, winner): (&String, &Value)| (*winner == position.turn().number()).then(|| text.clone());
        let winning: Vec<String> = goals.iter().filter_map(own).collect();
        assert_eq!(serde_json::json!(winning), case["winning_moves"]);
        assert_eq!(Value::Object(goals), case["goal_for"], "{case}");
    }
}

#[test]
fn records_end_as_recorded() {
    let Some(cases) = cases() else { return };
    for case in list(&cases, "records") {
        let seats = case["players"].as_u64().expect("a number") as usize;
        let mut now = PenguinSoccer::start(&Setup::new(seats)).expect("a plain start");
        for m in list(case, "moves") {
            assert!(now.outcome().is_none());
            now = after(&now, text(m));
        }
        assert_eq!(list(case, "moves").len() as u64, case["plies"]);
        assert_same(&now, &case["final"]);
        let outcome = now.outcome().expect("it is over");
        assert_eq!(
            outcome.winners.iter().map(|s| s.number()).collect::<Vec<_>>(),
            [number(&case["result"]["winner"])]
        );
        assert_eq!((outcome.reason, text(&case["result"]["reason"])), (Reason::Goal, "goal"));
    }
}

#[test]
fn special_positions_are_as_described() {
    let Some(cases) = cases() else { return };
    for case in list(&cases, "special") {
        let start = position(&case["state"]);
        assert_moves(case, &start);
        for (m, state) in case["after"].as_object().expect("moves and states") {
            assert_same(&after(&start, m), state);
        }
        if case["name"] == "kick-own-goal" {
            let lost = after(&start, "b2SW").outcome().expect("a goal");
            assert_eq!((lost.winners, lost.reason), (vec![Seat::SECOND], Reason::Goal));
        }
    }
}

fn after(position: &Soccer, m: &str) -> Soccer {
    let spoken = PenguinSoccer::read(m).expect("a move of the file can be read");
    let found = PenguinSoccer::resolve(position, &spoken).unwrap_or_else(|e| panic!("{m}: {e}"));
    assert_eq!(spell::<PenguinSoccer>(position, found), m);
    let mut next = position.clone();
    next.play_unchecked(found);
    next
}

/// How many different positions one move leads to.
fn distinct(position: &Soccer) -> usize {
    let lines = legal::<PenguinSoccer>(position).into_iter().map(|m| {
        let mut next = position.clone();
        next.play_unchecked(m);
        PenguinSoccer::to_line(&next)
    });
    lines.collect::<BTreeSet<_>>().len()
}

/// The same penguins, ball and family to move.
fn assert_same(position: &Soccer, state: &Value) {
    assert_eq!(*position.field(), field(state), "{state}");
    assert_eq!(position.turn().number(), number(&state["turn"]), "{state}");
}

fn assert_moves(case: &Value, position: &Soccer) {
    let spelled = |m| spell::<PenguinSoccer>(position, m);
    let mut moves: Vec<String> = legal::<PenguinSoccer>(position).into_iter().map(spelled).collect();
    moves.sort_unstable();
    if let Some(count) = case.get("move_count") {
        assert_eq!(moves.len() as u64, *count);
    }
    if let Some(listed) = case.get("moves").and_then(Value::as_array) {
        assert!(moves.iter().eq(listed.iter().map(text)), "{moves:?} {case}");
    }
    if let Some(sum) = case.get("moves_sha256") {
        let digest: String = Sha256::digest(moves.join("\n")).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(digest, text(sum), "{case}");
    }
}

fn assert_perft(case: &Value, position: &Soccer, deepest: u32) {
    let counts = case.get("perft").and_then(Value::as_array).into_iter().flatten();
    for (depth, count) in (1..=deepest).zip(counts) {
        assert_eq!(perft(position, depth), *count, "depth {depth} in {case}");
    }
}

/// The position of a state: `players`, `turn`, `ball`, `penguins`.
fn position(state: &Value) -> Soccer {
    let position =
        Soccer::new(field(state), Seat::new(usize::from(number(&state["turn"])) - 1).expect("a seat"));
    assert_eq!(position.turn().number(), number(&state["turn"]), "whoever is to move can");
    position
}

fn field(state: &Value) -> Field {
    let mut field = Field::new(state["players"].as_u64().expect("a number") as usize);
    field.set_ball(state["ball"].as_str().map(cell));
    for (who, place) in state["penguins"].as_object().expect("penguins") {
        let seat = who[..1].parse::<usize>().ok().and_then(|n| Seat::new(n - 1)).expect("a seat");
        let size = match &who[1..] {
            "B" => Size::Baby,
            "P" => Size::Papa,
            _ => Size::Mama,
        };
        let facing = COMPASS.iter().position(|(name, ..)| place[1] == *name);
        assert!(facing.is_some() || place[1] == "U");
        field.set((seat, size), Some(Penguin { cell: cell(text(&place[0])), facing }));
    }
    field
}

fn cell(name: &str) -> Cell {
    board().named(name).expect("a square")
}

fn number(value: &Value) -> u8 {
    value.as_u64().expect("a number") as u8
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("a list `{key}`"))
}

/// The game's part of the file; none, with a word about it, where the file is not at hand.
fn cases() -> Option<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/rules/cases.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: there is no ../shared/rules/cases.json beside this checkout");
        return None;
    };
    let all: Value = serde_json::from_str(&text).expect("cases.json is JSON");
    Some(all["games"]["penguin_soccer"].clone())
}
