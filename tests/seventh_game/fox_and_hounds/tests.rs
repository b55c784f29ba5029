use rookery_core::conformance::{check_all, check_illegal_moves};
use rookery_core::player::{Level, SearchRequest, Value};
use rookery_core::rules::Setup;
use rookery_core::{GameRules, IllegalMove, Outcome, Position, Reason};

use super::rules::{FOX, HOUNDS, Move, board};
use super::{FoxAndHounds, FoxPosition};

fn at(line: &str) -> FoxPosition {
    FoxAndHounds::from_line(line).unwrap()
}

fn refusal(line: &str, text: &str) -> IllegalMove {
    FoxAndHounds::resolve(&at(line), &FoxAndHounds::read(text).unwrap()).unwrap_err()
}

fn moves(line: &str) -> Vec<String> {
    let mut moves = Vec::new();
    at(line).moves(&mut moves);
    let name = |m: &Move| FoxAndHounds::steps(&at(line), *m).into_iter().map(|step| step.text).collect();
    moves.iter().map(name).collect()
}

#[test]
fn conformance_suite_passes() {
    check_all::<FoxAndHounds>(&Setup::new(2), 20, 80);
    let squares = || board().cells().map(|cell| board().name(cell));
    let texts = squares().flat_map(|from| squares().map(move |to| format!("{from}-{to}")));
    check_illegal_moves::<FoxAndHounds>(&at("e5 d6,f6,b8,h8 hounds"), texts);
}

#[test]
fn fox_goes_four_ways_and_hounds_only_down() {
    assert_eq!(moves("e5 b8,d8,f8,h8 fox"), ["e5-d4", "e5-f4", "e5-d6", "e5-f6"]);
    assert_eq!(moves("e1 d2,a7,c7,h8 hounds"), ["d2-c1", "a7-b6", "c7-b6", "c7-d6", "h8-g7"]);
}

#[test]
fn refusals_name_the_rule() {
    let start = "e1 b8,d8,f8,h8 fox";
    assert_eq!(refusal(start, "e1-e2"), IllegalMove::rule("fox-one-step", ["e1", "e2"]));
    assert_eq!(refusal(start, "b8-a7"), IllegalMove::NotYours { at: "b8".into(), whose: HOUNDS });
    let hounds = "a1 b2,d4,f8,h8 hounds";
    assert_eq!(refusal(hounds, "d4-c5"), IllegalMove::rule("fox-hounds-forward", ["d4", "c5"]));
    assert_eq!(refusal("a1 b2,c1,f8,h8 hounds", "c1"), IllegalMove::rule("fox-stuck", ["c1"]));
}

#[test]
fn a_side_without_a_move_has_lost() {
    let trapped = at("e1 d2,f2,b8,h8 fox");
    assert_eq!(trapped.outcome(), Some(Outcome::win(HOUNDS, Reason::NoMoves)));
    let passed = at("e5 a1,c1,e1,g1 hounds");
    assert_eq!(passed.outcome(), Some(Outcome::win(FOX, Reason::NoMoves)));
}

#[test]
fn player_finds_the_trap() {
    let found =
        FoxAndHounds::think(&at("e1 d2,e3,b8,h8 hounds"), &SearchRequest::new(Level::Medium, 1)).unwrap();
    assert_eq!([found.best.from, found.best.to].map(|cell| board().name(cell)), ["e3", "f2"]);
    assert_eq!(found.value, Value::Won(1));
}
