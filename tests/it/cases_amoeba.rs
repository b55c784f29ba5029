//! The facts about Amoeba in `tests/data/rules.json`, which other programs generated and checked.
//!
//! The slow ones are `#[ignore]`: `cargo test --test it cases_amoeba -- --ignored`.

use rookery_core::rules::{GameRules, Setup};
use rookery_core::rules::{legal, spell};
use rookery_core::{Position, Reason, Seat};
use rookery_games::amoeba::rules::{POINTS, Piece, Side, Stack, board};
use rookery_games::amoeba::{Amoeba, AmoebaPosition};
use serde_json::Value;

use crate::cases::{self, after, assert_moves, assert_perft, list, text};

#[test]
fn amoeba_starts_have_the_counted_moves() {
    let cases = cases::of("amoeba");
    for case in list(&cases, "starts") {
        let position = position(&case["state"]);
        assert_eq!(position, Amoeba::start(&Setup::new(2)).expect("the plain start"));
        assert_moves::<Amoeba>(case, &position);
        assert_perft(case, &position, 3);
    }
}

#[test]
#[ignore = "slow: three hundred million positions"]
fn amoeba_starts_have_the_counted_moves_five_plies_deep() {
    let cases = cases::of("amoeba");
    for case in list(&cases, "starts") {
        assert_perft(case, &position(&case["state"]), 5);
    }
}

#[test]
fn amoeba_midgame_positions_have_the_listed_moves() {
    let cases = cases::of("amoeba");
    for case in list(&cases, "midgame") {
        let position = position(&case["state"]);
        assert_moves::<Amoeba>(case, &position);
        assert_perft(case, &position, 4);
        let controlled = Side::BOTH.map(|side| position.controlled(side));
        assert_eq!(serde_json::json!(controlled), case["controlled"]);
        assert_eq!(serde_json::json!(won_by(&position, position.turn())), case["winning_moves"], "{case}");
        assert_eq!(serde_json::json!(won_by(&position, position.turn().other())), case["self_losing_moves"]);
    }
}

/// Returns the moves with which a seat wins, sorted.
fn won_by(position: &AmoebaPosition, seat: Seat) -> Vec<String> {
    let wins = |m| {
        let mut next = position.clone();
        next.play_unchecked(m);
        next.outcome().is_some_and(|outcome| outcome.winners == [seat])
    };
    let moves = legal::<Amoeba>(position).into_iter().filter(|m| wins(*m));
    let mut moves: Vec<String> = moves.map(|m| spell::<Amoeba>(position, m)).collect();
    moves.sort_unstable();
    moves
}

#[test]
fn amoeba_records_end_as_recorded() {
    let cases = cases::of("amoeba");
    for case in list(&cases, "records") {
        let mut now = Amoeba::start(&Setup::new(2)).expect("the plain start");
        for m in list(case, "moves") {
            assert!(now.outcome().is_none());
            now = after::<Amoeba>(&now, text(m));
        }
        assert_eq!(list(case, "moves").len() as u64, case["plies"]);
        assert_same(&now, &case["final"]);
        assert_result(&now, &case["result"]);
    }
}

#[test]
fn amoeba_special_positions_are_as_described() {
    let cases = cases::of("amoeba");
    for case in list(&cases, "special") {
        let start = position(&case["state"]);
        assert_moves::<Amoeba>(case, &start);
        assert_result(&start, &case["result"]);
        for (m, outcome) in case["outcomes"].as_object().expect("moves and outcomes") {
            let next = after::<Amoeba>(&start, m);
            assert_same(&next, outcome);
            assert_result(&next, &outcome["result"]);
        }
        if case["name"] == "suicide-by-split" {
            let lost = after::<Amoeba>(&start, "c1>c3").outcome().expect("the Kernel is given away");
            assert_eq!((lost.winners, lost.reason), (vec![Seat::SECOND], Reason::Kernel));
        }
    }
}

/// Compares the result of a state: null, or `winner` (0 for a draw) and `reason`.
fn assert_result(position: &AmoebaPosition, result: &Value) {
    let Some(wanted) = result.as_object() else {
        assert_eq!(position.outcome(), None);
        return;
    };
    let outcome = position.outcome().expect("it is over");
    let winner = if outcome.winners.len() == 2 { 0 } else { outcome.winners[0].number() };
    assert_eq!((winner.into(), outcome.reason.key()), (wanted["winner"].clone(), text(&wanted["reason"])));
    if let Some(stacks) = wanted.get("stacks") {
        assert_eq!(serde_json::json!(Side::BOTH.map(|side| position.controlled(side))), *stacks);
    }
}

/// Compares the stacks, and the side to move if the state has one.
fn assert_same(position: &AmoebaPosition, state: &Value) {
    let wanted = stacks(state);
    assert!(board().cells().all(|cell| position.stack(cell) == wanted[cell.index()]), "{state}");
    if let Some(turn) = state.get("turn") {
        assert_eq!(position.turn().number(), *turn);
    }
}

/// Returns the position of a state: `stacks`, `turn`.
fn position(state: &Value) -> AmoebaPosition {
    AmoebaPosition::new(stacks(state), if state["turn"] == 1 { Side::Bottom } else { Side::Top })
}

fn stacks(state: &Value) -> [Stack; POINTS] {
    let mut stacks = [Stack::EMPTY; POINTS];
    for (point, pieces) in state["stacks"].as_object().expect("stacks") {
        let cell = board().named(point).expect("a point");
        stacks[cell.index()] = text(pieces).chars().map(|c| Piece::of(c).expect("a piece")).collect();
    }
    stacks
}
