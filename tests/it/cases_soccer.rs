//! The facts about Penguin Soccer in `tests/data/rules.json`, which other programs generated and checked.
//!
//! The slow ones are `#[ignore]`: `cargo test --test it cases_soccer -- --ignored`.

use std::collections::BTreeSet;

use rookery_core::rules::{GameRules, Setup};
use rookery_core::rules::{legal, spell};
use rookery_core::square::COMPASS;
use rookery_core::{Cell, Position, Reason, Seat};
use rookery_games::penguin_soccer::field::{Field, Penguin, Size, board};
use rookery_games::penguin_soccer::{PenguinSoccer, SoccerPosition};
use serde_json::Value;

use crate::cases::{self, after, assert_moves, assert_perft, list, text};

#[test]
fn soccer_starts_have_the_counted_moves() {
    let cases = cases::of("penguin_soccer");
    for case in list(&cases, "starts") {
        let position = position(&case["state"]);
        let seats = case["state"]["players"].as_u64().expect("a number") as usize;
        assert_eq!(position, PenguinSoccer::start(&Setup::new(seats)).expect("a plain start"));
        assert_moves::<PenguinSoccer>(case, &position);
        assert_perft(case, &position, 3);
        assert_eq!(distinct(&position) as u64, case["distinct_positions_after_1"]);
    }
}

#[test]
#[ignore = "slow: five million positions"]
fn soccer_starts_have_the_counted_moves_four_plies_deep() {
    let cases = cases::of("penguin_soccer");
    for case in list(&cases, "starts") {
        assert_perft(case, &position(&case["state"]), 4);
    }
}

#[test]
fn soccer_midgame_positions_have_the_listed_moves() {
    let cases = cases::of("penguin_soccer");
    for case in list(&cases, "midgame") {
        let position = position(&case["state"]);
        assert_moves::<PenguinSoccer>(case, &position);
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
fn soccer_records_end_as_recorded() {
    let cases = cases::of("penguin_soccer");
    for case in list(&cases, "records") {
        let seats = case["players"].as_u64().expect("a number") as usize;
        let mut now = PenguinSoccer::start(&Setup::new(seats)).expect("a plain start");
        for m in list(case, "moves") {
            assert!(now.outcome().is_none());
            now = after::<PenguinSoccer>(&now, text(m));
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
fn soccer_special_positions_are_as_described() {
    let cases = cases::of("penguin_soccer");
    for case in list(&cases, "special") {
        let start = position(&case["state"]);
        assert_moves::<PenguinSoccer>(case, &start);
        for (m, state) in case["after"].as_object().expect("moves and states") {
            assert_same(&after::<PenguinSoccer>(&start, m), state);
        }
        if case["name"] == "kick-own-goal" {
            let lost = after::<PenguinSoccer>(&start, "b2SW").outcome().expect("a goal");
            assert_eq!((lost.winners, lost.reason), (vec![Seat::SECOND], Reason::Goal));
        }
    }
}

/// Counts the different positions after one move.
fn distinct(position: &SoccerPosition) -> usize {
    let lines = legal::<PenguinSoccer>(position).into_iter().map(|m| {
        let mut next = position.clone();
        next.play_unchecked(m);
        PenguinSoccer::to_line(&next)
    });
    lines.collect::<BTreeSet<_>>().len()
}

/// Compares the penguins, the ball and the player to move.
fn assert_same(position: &SoccerPosition, state: &Value) {
    assert_eq!(*position.field(), field(state), "{state}");
    assert_eq!(position.turn().number(), number(&state["turn"]), "{state}");
}

/// Returns the position of a state: `players`, `turn`, `ball`, `penguins`.
fn position(state: &Value) -> SoccerPosition {
    let position = SoccerPosition::new(
        field(state),
        Seat::new(usize::from(number(&state["turn"])) - 1).expect("a seat"),
    );
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
