use super::rules::{Rules, State};
use super::{AmazonPenguins, INFO};
use crate::floe::Phase;
use crate::floe::state::FloeTerms;
use crate::floe::testing::{self, Ground};
use crate::testing::golden;
use rookery_core::board::Shape;
use rookery_core::conformance::{check_all, check_illegal_moves};
use rookery_core::rules::{Setup, SetupError};
use rookery_core::rules::{legal, spell};
use rookery_core::{Blocker, Board, GameRules, IllegalMove, MovePart, Position, Seat, StepKind};

fn setups() -> Vec<Setup> {
    let sizes = ["3x3", "4x4", "6x6", "7x5", "8x8", "12x12"];
    let plain = || Setup::new(2);
    let sized = sizes.map(|size| plain().with("size", size));
    let laid =
        [plain().with("size", "5x5"), plain().with("board", "hex60")].map(|s| s.with("layout", "in-turn"));
    let few = plain().with("size", "5x6").with("pieces", "2").with("placement", "one-fish");
    let hex = plain().with("board", "hex60").with("placement", "one-fish");
    sized.into_iter().chain(laid).chain([few, hex]).collect()
}

fn start(setup: &Setup) -> State {
    AmazonPenguins::start(setup).unwrap()
}

fn at(line: &str) -> State {
    AmazonPenguins::from_line(line).unwrap()
}

fn refusal(state: &State, text: &str) -> IllegalMove {
    AmazonPenguins::resolve(state, &AmazonPenguins::read(text).unwrap()).unwrap_err()
}

fn play(state: &mut State, text: &str) {
    let m = AmazonPenguins::resolve(state, &AmazonPenguins::read(text).unwrap()).unwrap();
    state.play_unchecked(m);
}

#[test]
fn conformance_suite_passes() {
    for setup in setups() {
        check_all::<AmazonPenguins>(&setup, 2, 400);
    }
}

#[test]
fn the_naive_rules_agree() {
    // The naive rules copy the board for every goal; the conformance suite covers the largest board.
    let small = setups().into_iter().filter(|setup| setup.option(&INFO, "size") != "12x12");
    let starts: Vec<_> =
        small.flat_map(|s| (0..20).map(move |seed| start(&s.clone().seeded(seed)))).collect();
    testing::compare::<AmazonPenguins>(&starts, State::floe, Rules::TERMS, 100_000);
}

#[test]
fn endgame_counts_agree_with_exhaustive_search() {
    let setup = |seed: u64| match seed % 3 {
        0 => Setup::new(2).with("board", "hex60").seeded(seed),
        1 => Setup::new(2).with("size", "6x6").seeded(seed),
        _ => Setup::new(2).with("size", "5x5").with("pieces", "2").seeded(seed),
    };
    testing::compare_claims::<AmazonPenguins>(|seed| start(&setup(seed)), State::floe, Rules::TERMS, 150);
}

const SMALL: &str = "1.32/1231/2113/.121 b1,d2|a3,c4 1 move 3:2,1:1 any:2";

#[test]
fn refusals_are_exact() {
    let state = at(SMALL);
    let blocked = |leg, from: &str, to: &str, at: &str, by| IllegalMove::Blocked {
        leg,
        from: from.into(),
        to: to.into(),
        by,
        at: at.into(),
    };
    let so_far = |text: &str, missing| IllegalMove::Incomplete { so_far: text.into(), missing };
    assert_eq!(refusal(&state, "b1"), so_far("b1", StepKind::Goal));
    assert_eq!(refusal(&state, "b1-b3"), so_far("b1-b3", StepKind::Spear));
    assert_eq!(refusal(&state, "b1 b3 b3"), IllegalMove::SameCell { at: "b3".into() });
    assert_eq!(refusal(&state, "b1-b4"), blocked(MovePart::Move, "b1", "b4", "b4", Blocker::Gone));
    assert_eq!(refusal(&state, "b1-a1/a2"), blocked(MovePart::Move, "b1", "a1", "a1", Blocker::Gone));
    let own = Blocker::Piece(Seat::FIRST);
    assert_eq!(refusal(&state, "b1-c2/d2"), blocked(MovePart::Shot, "c2", "d2", "d2", own));
    let not_a_line = IllegalMove::NotALine { leg: MovePart::Shot, from: "b3".into(), to: "c1".into() };
    assert_eq!(refusal(&state, "b1-b3/c1"), not_a_line);
    assert_eq!(refusal(&state, "a3-a2/a1"), IllegalMove::NotYours { at: "a3".into(), whose: Seat::SECOND });
    assert_eq!(refusal(&state, "a2-b2/b3"), IllegalMove::NoPiece { at: "a2".into() });
    let listed: Vec<_> = "abcd".chars().flat_map(|c| (1..5).map(move |r| format!("{c}{r}"))).collect();
    let three = |a: &String| {
        listed.iter().flat_map(move |b| [format!("b1-{a}/{b}"), format!("d2 {a} {b}")]).collect()
    };
    check_illegal_moves::<AmazonPenguins>(&state, listed.iter().flat_map(|a| -> Vec<String> { three(a) }));
}

/// The square that a penguin leaves stays: it can be speared, crossed, and entered later.
#[test]
fn the_square_left_is_free() {
    let mut state = at("1111/1111/1111/1111 a1|d4 1 move 0,0 any:1");
    play(&mut state, "a1-c1/a1");
    assert!(!state.floe().tiles().has(state.floe().board().named("a1").unwrap()));
    let mut state = at("1111/1111/1111/1111 b1|d4 1 move 0,0 any:1");
    play(&mut state, "b1-c1/a1");
    assert!(state.floe().free().has(state.floe().board().named("b1").unwrap()));
}

/// The player is skipped, not out: a neighbour that moves away leaves a free square.
#[test]
fn a_blocked_player_comes_back() {
    let mut state = at("..../..../..11/1111 a1|b1 2 move 0,0 any:1");
    assert_eq!(state.turn(), Seat::SECOND);
    play(&mut state, "b1-d1/d2");
    assert_eq!(state.turn(), Seat::FIRST, "b1 is free now");
    let mut state = at("..../..../..11/1111 a1|b1 1 move 0,0 any:1");
    assert_eq!(state.turn(), Seat::SECOND, "player 1 is skipped");
    play(&mut state, "b1-c1/b1");
    assert_eq!(state.turn(), Seat::SECOND, "and once more");
}

#[test]
fn terms_that_do_not_go_together_are_refused() {
    let hex = Setup::new(2).with("board", "hex60").with("size", "6x6");
    let refused = SetupError::Conflict { rule: "penguins-hex-size", about: vec!["6x6".into()] };
    assert_eq!(AmazonPenguins::start(&hex), Err(refused));
    let crowded = Setup::new(2).with("size", "3x3").with("pieces", "5");
    let refused = SetupError::Conflict { rule: "penguins-few-cells", about: vec!["9".into(), "10".into()] };
    assert_eq!(AmazonPenguins::start(&crowded), Err(refused));
}

#[test]
fn every_move_takes_one_chip() {
    let mut state = start(&Setup::new(2));
    for _ in 0..20 {
        let before = state.floe().tiles().len();
        let moves = legal::<AmazonPenguins>(&state);
        let taken = usize::from(state.floe().phase() == Phase::Move);
        assert!(!spell::<AmazonPenguins>(&state, moves[0]).is_empty());
        state.play_unchecked(moves[moves.len() / 2]);
        assert_eq!(state.floe().tiles().len(), before - taken);
    }
}

/// Boards for random endings.
fn grounds() -> Vec<Ground> {
    let ground = |board, each| Ground { board, seats: 2, each };
    let square = |side, each| ground(Board::square(side, side), each);
    vec![
        square(4, 1),
        square(5, 1),
        square(5, 2),
        square(7, 2),
        square(8, 3),
        ground(Board::of(Shape::Island), 2),
    ]
}

#[test]
fn endings_agree_with_brute_force() {
    let seen = testing::compare_endings::<AmazonPenguins>(&grounds(), Rules::TERMS, 1, 300);
    assert!(seen.separated > 30 && seen.shared > 30 && seen.settled > 30, "{seen:?}");
    assert!(seen.proven > 250 && seen.kept > 100 * seen.best_lost, "{seen:?}");
}

#[test]
#[ignore = "slow: ten thousand endings, thought about and tried out in full"]
fn ten_thousand_endings_agree_with_brute_force() {
    let seen = testing::compare_endings::<AmazonPenguins>(&grounds(), Rules::TERMS, 2, 10_000);
    assert!(seen.separated > 1500 && seen.shared > 1500 && seen.settled > 1500, "{seen:?}");
    assert!(seen.proven > 9_000 && seen.kept > 100 * seen.best_lost, "{seen:?}");
}

/// The seat ahead by the exact count wins when the program plays for both sides.
#[test]
fn program_wins_counted_endings() {
    testing::plays_out_claims::<AmazonPenguins>(|seed| {
        start(&Setup::new(2).with("size", "6x6").seeded(seed))
    });
}

#[test]
fn the_record_is_as_it_was() {
    golden::<AmazonPenguins>(start(&Setup::new(2).seeded(11)), 8, "amazon_penguins/record.txt");
}

#[test]
fn help_is_true() {
    testing::help_is_true::<AmazonPenguins>(INFO.help);
}
