//! The facts about the Amazons in `tests/data/rules.json`, which other programs generated and checked.
//!
//! The slow ones are `#[ignore]`: `cargo test --test it cases_amazons -- --ignored`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rookery_core::rules::{GameRules, Setup};
use rookery_core::rules::{legal, spell};
use rookery_core::{Board, Cell, CellSet, EndgameCount, Position, Seat};
use rookery_games::amazons::rules::{AmazonsPosition, Side};
use rookery_games::amazons::{Amazons, moves_alone};
use serde_json::Value;

use crate::cases::{self, assert_perft, list, text};

/// More nodes than any territory in the file needs.
const ENOUGH: u64 = 5_000_000;

#[test]
fn amazons_starts_have_the_counted_moves() {
    let cases = cases::of("amazons");
    for case in list(&cases, "starts") {
        let position = position(&case["state"]);
        assert_moves(case, &position);
        assert_perft(case, &position, 2);
    }
}

#[test]
#[ignore = "slow: ten thousand million positions"]
fn amazons_starts_have_the_counted_moves_three_plies_deep() {
    let cases = cases::of("amazons");
    for case in list(&cases, "starts") {
        assert_perft(case, &position(&case["state"]), 3);
    }
}

#[test]
fn amazons_our_named_starts_are_those_of_the_file() {
    let cases = cases::of("amazons");
    let ours = |size: &str, start: &str| {
        Amazons::start(&Setup::new(2).with("size", size).with("start", start)).expect("a named start")
    };
    let names = BTreeMap::from([
        ("standard10", ours("10x10", "standard")),
        ("cross10", ours("10x10", "cross")),
        ("scrambled10", ours("10x10", "scrambled")),
        ("os8", ours("8x8", "standard")),
        ("os6", ours("6x6", "standard")),
    ]);
    assert_eq!(list(&cases, "starts").len(), names.len());
    for case in list(&cases, "starts") {
        assert_eq!(names[text(&case["name"])], position(&case["state"]), "{}", case["name"]);
    }
    for case in list(&cases, "solved_small_boards") {
        if text(&case["setup"]).starts_with("4 each") {
            let size = format!("{}x{}", case["w"], case["h"]);
            assert_eq!(ours(&size, "standard"), position(case), "{size}");
        }
    }
}

#[test]
fn amazons_midgame_positions_have_the_listed_moves() {
    let cases = cases::of("amazons");
    for case in list(&cases, "midgame") {
        let position = position(&case["state"]);
        assert_moves(case, &position);
        assert_perft(case, &position, 3);
        let shared = matches!(Amazons::count_endgame(&position, ENOUGH), EndgameCount::Shared { .. });
        assert_eq!(!shared, case["separated"] == Value::Bool(true), "{}", Amazons::to_line(&position));
    }
}

#[test]
fn amazons_records_end_as_recorded() {
    let cases = cases::of("amazons");
    let starts: HashMap<&str, &Value> =
        list(&cases, "starts").iter().map(|case| (text(&case["name"]), &case["state"])).collect();
    for case in list(&cases, "records") {
        let mut now = position(starts[text(&case["setup"])]);
        for m in list(case, "moves") {
            assert!(now.outcome().is_none());
            let spoken = Amazons::read(text(m)).expect("a recorded move can be read");
            let found = Amazons::resolve(&now, &spoken).expect("a recorded move is legal");
            assert_eq!(spell::<Amazons>(&now, found), text(m));
            now.play_unchecked(found);
        }
        let last = position(&case["final"]);
        let number = 1 + u16::try_from(list(case, "moves").len() / 2).expect("a short game");
        assert_eq!(now, last.at_move(number));
        assert_eq!(list(case, "moves").len() as u64, case["plies"]);
        assert_eq!(now.outcome().expect("it is over").winners, [seat(&case["winner"])]);
    }
}

#[test]
fn amazons_separated_endings_are_scored_to_the_half_move() {
    let cases = cases::of("amazons");
    for case in list(&cases, "endgame_scores") {
        let position = position(&case["state"]);
        let claim = Amazons::count_endgame(&position, ENOUGH);
        let left = [Seat::FIRST, Seat::SECOND].map(|seat| claim.left(seat));
        let exact = |n: &Value| n.as_u64().map(|n| (n as u32, n as u32));
        assert_eq!(left, [exact(&case["white_moves"]), exact(&case["black_moves"])], "{case}");
        let EndgameCount::Separated { outcome, margin_halves, domains } = claim else {
            panic!("shared: {case}")
        };
        assert_eq!(outcome.expect("exact counts decide").winners, [seat(&case["winner"])]);
        let score = case["score_for_white"].as_f64().expect("a score");
        assert_eq!(margin_halves.map(f64::from), Some(2.0 * score.abs()), "{case}");
        for (owner, key) in [(Seat::FIRST, "empties_W"), (Seat::SECOND, "empties_B")] {
            let own = domains.iter().filter(|domain| domain.owner == owner);
            let free: usize = own.map(|domain| (domain.cells & position.free()).len()).sum();
            assert_eq!(free as u64, case[key], "{case}");
        }
    }
}

#[test]
fn amazons_territories_allow_the_counted_moves() {
    let cases = cases::of("amazons");
    let defective = list(&cases["territory_table"], "small_defective");
    for case in list(&cases, "territory_examples").iter().chain(defective) {
        let men = men(case);
        let wanted = case.get("max_moves").or(case.get("moves")).and_then(Value::as_u64).expect("a count");
        assert_eq!(men.free.len() as u64, case["empties"]);
        assert_eq!(alone(&men), wanted, "{case}");
    }
}

/// All connected shapes of up to six free cells and an amazon, counted up to symmetry.
#[test]
fn amazons_every_small_territory_is_counted() {
    let cases = cases::of("amazons");
    let mut shapes = BTreeSet::from([vec![(0_i8, 0_i8, true)]]);
    for row in list(&cases["territory_table"], "rows") {
        shapes = shapes.iter().flat_map(grown).collect();
        let mut by_moves: BTreeMap<String, u64> = BTreeMap::new();
        for shape in &shapes {
            *by_moves.entry(alone(&placed(shape)).to_string()).or_default() += 1;
        }
        assert_eq!(shapes.len() as u64, row["territories"], "{} free cells", row["empties"]);
        assert_eq!(serde_json::json!(by_moves), row["by_moves"], "{} free cells", row["empties"]);
        let most = row["empties"].to_string();
        let defective: u64 = by_moves.iter().filter(|(moves, _)| **moves != most).map(|(_, n)| n).sum();
        assert_eq!(defective, row["defective"]);
    }
}

#[test]
fn amazons_small_boards_are_won_by_whom_the_file_says() {
    solve_boards(|case| positions_needed(case) <= 250_000);
}

#[test]
#[ignore = "slow: up to sixteen million positions"]
fn amazons_larger_small_boards_are_won_by_whom_the_file_says() {
    solve_boards(|case| positions_needed(case) > 250_000);
}

fn solve_boards(chosen: impl Fn(&Value) -> bool) {
    let cases = cases::of("amazons");
    for case in list(&cases, "solved_small_boards").iter().filter(|case| chosen(case)) {
        let start = position(case);
        let mut memo = HashMap::new();
        let mover_wins = wins(&start, &mut memo);
        let white_moves = case["turn"] == "W";
        assert_eq!(mover_wins, white_moves == (case["winner"] == "W"), "{case}");
        for first in case.get("winning_first_moves_found").and_then(Value::as_array).into_iter().flatten() {
            let spoken = Amazons::read(text(first)).expect("a move");
            let mut next = start.clone();
            next.play_unchecked(Amazons::resolve(&start, &spoken).expect("a legal move"));
            assert!(!wins(&next, &mut memo), "{first} wins in {case}");
        }
    }
}

fn positions_needed(case: &Value) -> u64 {
    case["brute_force_positions"].as_u64().unwrap_or(10_000_000)
}

/// Whether the side to move wins. Positions without a shared region are decided by counting, which other
/// tests compare with plain search; in the others every move is tried.
fn wins(position: &AmazonsPosition, memo: &mut HashMap<[u128; 2], bool>) -> bool {
    let bits = |set: CellSet| set.iter().fold(0_u128, |all, cell| all | 1 << cell.0);
    let (own, other) = (position.to_move(), position.to_move().other());
    let colour = u128::from(own == Side::White) << 127;
    let key =
        [bits(position.amazons(own)) | bits(position.amazons(other)) << 32 | colour, bits(position.arrows())];
    if let Some(known) = memo.get(&key) {
        return *known;
    }
    let answer = match Amazons::count_endgame(position, ENOUGH) {
        EndgameCount::Separated { outcome: Some(outcome), .. } => outcome.winners == [position.turn()],
        _ => after_each_move(position).iter().any(|next| !wins(next, memo)),
    };
    memo.insert(key, answer);
    answer
}

/// Returns the positions after each move, those with the fewest replies first.
fn after_each_move(position: &AmazonsPosition) -> Vec<AmazonsPosition> {
    let after = |m| {
        let mut next = position.clone();
        next.play_unchecked(m);
        next
    };
    let mut all: Vec<AmazonsPosition> = legal::<Amazons>(position).into_iter().map(after).collect();
    all.sort_by_cached_key(Position::count);
    all
}

/// A board with amazons of only one side.
struct Men {
    board: &'static Board,
    amazons: CellSet,
    free: CellSet,
}

fn alone(men: &Men) -> u64 {
    let (least, most) = moves_alone(men.board, men.amazons, men.free, ENOUGH);
    assert_eq!(least, most, "not finished");
    u64::from(most)
}

fn men(case: &Value) -> Men {
    let (board, sets) = grid(case);
    let [free, amazons] = ['.', 'W'].map(|sign| sets.get(&sign).copied().unwrap_or_default());
    Men { board, amazons, free }
}

type Shape = Vec<(i8, i8, bool)>;

/// Returns the shapes with one more free cell, each in the first of its eight symmetric forms.
fn grown(shape: &Shape) -> Vec<Shape> {
    let beside = |(x, y, _): &(i8, i8, bool)| {
        let (x, y) = (*x, *y);
        (-1..=1).flat_map(move |dx| (-1..=1).map(move |dy| (x + dx, y + dy, false)))
    };
    let taken = |cell: &(i8, i8, bool)| shape.iter().any(|(x, y, _)| (*x, *y) == (cell.0, cell.1));
    let new = shape.iter().flat_map(beside).filter(|cell| !taken(cell));
    new.map(|cell| first_form([shape.clone(), vec![cell]].concat())).collect()
}

fn first_form(shape: Shape) -> Shape {
    let turned = |shape: &Shape| shape.iter().map(|(x, y, a)| (-*y, *x, *a)).collect::<Shape>();
    let flipped = |shape: &Shape| shape.iter().map(|(x, y, a)| (-*x, *y, *a)).collect::<Shape>();
    let mut forms = vec![shape];
    for i in 0..3 {
        forms.push(turned(&forms[i]));
    }
    let mirrored: Vec<Shape> = forms.iter().map(flipped).collect();
    forms.extend(mirrored);
    forms.into_iter().map(to_corner).min().expect("eight forms")
}

fn to_corner(shape: Shape) -> Shape {
    let (left, low) = shape.iter().fold((i8::MAX, i8::MAX), |(l, d), (x, y, _)| (l.min(*x), d.min(*y)));
    let mut moved: Shape = shape.into_iter().map(|(x, y, a)| (x - left, y - low, a)).collect();
    moved.sort_unstable();
    moved
}

fn placed(shape: &Shape) -> Men {
    let board = Board::square(8, 8);
    let cell = |(x, y, _): &(i8, i8, bool)| board.at(*x as u8, *y as u8).expect("seven cells fit");
    let of = |amazon: bool| shape.iter().filter(|(_, _, a)| *a == amazon).map(cell).collect();
    Men { board, amazons: of(true), free: of(false) }
}

/// Compares the moves of a position, whose case must contain their digest.
fn assert_moves(case: &Value, position: &AmazonsPosition) {
    assert!(case["moves_sha256"].is_string(), "{case}");
    cases::assert_moves::<Amazons>(case, position);
}

/// Returns the position of a state: `grid` with rows from the top, `turn`.
fn position(state: &Value) -> AmazonsPosition {
    let (board, sets) = grid(state);
    let [white, black, arrows] = ['W', 'B', 'x'].map(|sign| sets.get(&sign).copied().unwrap_or_default());
    let side = if state["turn"] == "W" { Side::White } else { Side::Black };
    AmazonsPosition::new(board, [white, black], arrows, side)
}

fn grid(state: &Value) -> (&'static Board, HashMap<char, CellSet>) {
    let mut rows: Vec<&str> = list(state, "grid").iter().map(text).collect();
    rows.reverse();
    let board = Board::square(rows[0].len() as u8, rows.len() as u8);
    let mut sets: HashMap<char, CellSet> = HashMap::new();
    for (i, sign) in rows.concat().chars().enumerate() {
        sets.entry(sign).or_default().insert(Cell(i as u8));
    }
    (board, sets)
}

fn seat(side: &Value) -> Seat {
    if side == "W" { Seat::FIRST } else { Seat::SECOND }
}
