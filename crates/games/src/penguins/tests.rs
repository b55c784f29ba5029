use super::rules::{Rules, State};
use super::{INFO, Penguins};
use crate::floe::Phase;
use crate::floe::state::FloeTerms;
use crate::floe::testing::{self, Ground};
use crate::testing::golden;
use rookery_core::board::Shape;
use rookery_core::conformance::{check_all, check_illegal_moves};
use rookery_core::rules::{Setup, SetupError};
use rookery_core::rules::{legal, spell};
use rookery_core::{
    Blocker, Board, EndgameCount, GameRules, IllegalMove, MovePart, Outcome, Position, Reason, Requirement,
    Seat, StepKind,
};

fn setups() -> Vec<Setup> {
    let mut setups = Vec::new();
    for seats in INFO.seats.iter().copied() {
        for layout in ["random", "in-turn"] {
            for placement in ["one-fish", "any"] {
                setups.push(Setup::new(seats).with("layout", layout).with("placement", placement));
            }
        }
    }
    setups
}

fn start(setup: &Setup) -> State {
    Penguins::start(setup).unwrap()
}

fn at(line: &str) -> State {
    Penguins::from_line(line).unwrap()
}

fn refusal(state: &State, text: &str) -> IllegalMove {
    Penguins::resolve(state, &Penguins::read(text).unwrap()).unwrap_err()
}

#[test]
fn conformance_suite_passes() {
    for setup in setups() {
        check_all::<Penguins>(&setup, 3, 200);
    }
}

#[test]
fn the_naive_rules_agree() {
    let starts: Vec<_> =
        (0..40).flat_map(|seed| setups().into_iter().map(move |s| start(&s.seeded(seed)))).collect();
    testing::compare::<Penguins>(&starts, State::floe, Rules::TERMS, 100_000);
}

#[test]
fn endgame_counts_agree_with_exhaustive_search() {
    let setup = |seed: u64| Setup::new(2 + (seed % 3) as usize).with("placement", "any").seeded(seed);
    testing::compare_claims::<Penguins>(|seed| start(&setup(seed)), State::floe, Rules::TERMS, 300);
}

/// The first seat resigned with most of the fish; the second has two tiles to itself, the third none.
const GONE: &str = "......./......../......./......../......./......../......./1.11...1 a1|c1|h1 2 move \
     40:9,34:9,20:9 any:1 out:1";

#[test]
fn lead_ignores_resigned_seats() {
    let EndgameCount::Separated { outcome, margin_halves, .. } = Penguins::count_endgame(&at(GONE), 1_000)
    else {
        panic!("nothing is shared")
    };
    assert_eq!(outcome, Some(Outcome::win(Seat::SECOND, Reason::Points)));
    assert_eq!(margin_halves, Some(2 * (36 - 21)), "34, its own tile and the next, against 20 and one");
}

#[test]
fn resigned_seat_is_never_proven_to_win() {
    let open = "1....../......../......./......../......./......../......./.11111.1 h1|d1|a8 2 move \
         90:9,34:9,20:9 any:1 out:1";
    let claim = Penguins::count_endgame(&at(open), 0);
    let (least, most) = claim.left(Seat::SECOND).unwrap();
    assert!(least < most, "the better arm of the two was not looked for");
    let EndgameCount::Separated { outcome, .. } = claim else { panic!("nothing is shared") };
    assert_eq!(outcome, Some(Outcome::win(Seat::SECOND, Reason::Points)), "37 at least, against 21");
}

#[test]
fn position_with_all_seats_resigned_is_rejected() {
    let line = |out: &str| format!("{} {out}", GONE.split_once(" out:").unwrap().0);
    for out in ["out:1,2,3", "out:3,1 out:2"] {
        let bad = Penguins::from_line(&line(out)).unwrap_err();
        assert_eq!(bad.wanted, Requirement::of("floe-one-left"), "{out}");
    }
    assert!(Penguins::from_line(&line("out:3,1")).is_ok());
}

#[test]
fn nobody_has_more_tiles_than_the_board_has_cells() {
    let line = |tiles: usize| GONE.replace("34:9", &format!("34:{tiles}"));
    assert!(Penguins::from_line(&line(60)).is_ok());
    let bad = Penguins::from_line(&line(61)).unwrap_err();
    assert_eq!(bad.wanted, Requirement::of("floe-scores").with(3));
}

#[test]
fn resigned_seat_owns_no_cells() {
    let near = "......./......../......./......../......./......../......./1111...1 a1|d1|h1 2 move \
         0,0,0 any:1 out:1";
    let ownership = Penguins::ownership(&at(near));
    assert_eq!(ownership.len(), 2);
    assert!(
        ownership.iter().all(|hold| hold.seat == Seat::SECOND && hold.confidence == 100),
        "{ownership:?}"
    );
}

/// Only row 1 and a few tiles above it are left.
const ROW: &str =
    "......./......../......./......../......./......../1....../12312311 a1,b1|g1,h1 1 move 9:5,8:5 any:2";

#[test]
fn refusals_are_exact() {
    let state = at(ROW);
    assert_eq!(refusal(&state, "a1-f1"), blocked("a1", "f1", "b1", Blocker::Piece(Seat::FIRST)));
    assert_eq!(refusal(&state, "b1-h1"), blocked("b1", "h1", "g1", Blocker::Piece(Seat::SECOND)));
    // b1, b2, c3 is a straight line: the seven tiles of row 2 are shifted half a tile to the right.
    assert_eq!(refusal(&state, "b1-c3"), blocked("b1", "c3", "b2", Blocker::Gone));
    assert_eq!(refusal(&state, "b1-b3"), not_a_line("b1", "b3"));
    assert_eq!(refusal(&state, "h1-f1"), IllegalMove::NotYours { at: "h1".into(), whose: Seat::SECOND });
    assert_eq!(refusal(&state, "h1"), IllegalMove::NotYours { at: "h1".into(), whose: Seat::SECOND });
    assert_eq!(refusal(&state, "c1-d1"), IllegalMove::NoPiece { at: "c1".into() });
    assert_eq!(refusal(&state, "b1-b1"), IllegalMove::SameCell { at: "b1".into() });
    assert_eq!(refusal(&state, "b1-i1"), IllegalMove::NoSuchCell { cell: "i1".into() });
    assert_eq!(refusal(&state, "h2"), IllegalMove::NoSuchCell { cell: "h2".into() });
    assert_eq!(
        refusal(&state, "b1"),
        IllegalMove::Incomplete { so_far: "b1".into(), missing: StepKind::Goal }
    );
    assert_eq!(refusal(&state, "d4"), IllegalMove::rule("penguins-no-tile", ["d4"]));
    assert_eq!(
        refusal(&state, "a2"),
        IllegalMove::Ambiguous { readings: vec!["a1-a2".into(), "b1-a2".into()] }
    );
}

#[test]
fn a_lone_goal_is_a_move_where_only_one_penguin_gets_there() {
    let state = at(ROW);
    let m = Penguins::resolve(&state, &Penguins::read("C1").unwrap()).unwrap();
    assert_eq!(spell::<Penguins>(&state, m), "b1-c1");
    let far = at(
        "1....../......../......./......../......./......../......./12312311 a1,b1|g1,h1 1 move 0,0 any:2",
    );
    assert_eq!(refusal(&far, "a8"), IllegalMove::rule("penguins-out-of-reach", ["a8"]));
}

#[test]
fn placing_has_its_own_refusals() {
    let state =
        at("......./......../......./......../......./......../......./123.1111 a1|- 2 place 0,0 one:2");
    assert_eq!(refusal(&state, "a1"), IllegalMove::rule("penguins-occupied", ["a1"]));
    assert_eq!(refusal(&state, "b1"), IllegalMove::rule("penguins-one-fish-only", ["b1"]));
    assert_eq!(refusal(&state, "d1"), IllegalMove::rule("penguins-no-tile", ["d1"]));
    assert_eq!(refusal(&state, "e1-f1"), IllegalMove::rule("penguins-place-first", ["f1"]));
    let any =
        at("......./......../......./......../......./......../......./1232.... a1|- 2 place 0,0 one:2");
    let free: Vec<_> = legal::<Penguins>(&any).iter().map(|m| spell::<Penguins>(&any, *m)).collect();
    assert_eq!(free, ["b1", "c1", "d1"], "no one-fish tile is free, so any free tile will do");
}

/// Any two coordinates are a listed move, or refused with a reason.
#[test]
fn all_pairs_of_cells_are_moves_or_refused() {
    let board = Board::of(rookery_core::board::Shape::Island);
    let mut state = start(&Setup::new(2));
    while state.floe().phase() == Phase::Place {
        state.play_unchecked(legal::<Penguins>(&state)[0]);
    }
    let cells = || board.cells().map(|cell| board.name(cell));
    let pairs = cells().flat_map(|from| cells().map(move |to| format!("{from}-{to}")));
    check_illegal_moves::<Penguins>(&state, pairs.chain(cells().map(str::to_owned)));
}

/// Threes first, then twos; the ones fill the rest of the board automatically, and player 1 places first.
#[test]
fn tiles_are_laid_in_turn() {
    let mut state = start(&Setup::new(3).with("layout", "in-turn"));
    let board = state.floe().board();
    for (ply, cell) in board.cells().take(30).enumerate() {
        assert_eq!(state.floe().phase(), Phase::Lay);
        assert_eq!(state.turn().index(), ply % 3);
        let laid = Penguins::resolve(&state, &Penguins::read(board.name(cell)).unwrap()).unwrap();
        state.play_unchecked(laid);
        assert_eq!(state.floe().fish(cell), if ply < 10 { 3 } else { 2 });
    }
    assert_eq!((state.floe().phase(), state.turn()), (Phase::Place, Seat::FIRST));
    assert_eq!(state.floe().with_fish(1).len(), 30);
}

#[test]
fn the_same_seed_gives_the_same_floe() {
    let line = |seed| Penguins::to_line(&start(&Setup::new(2).seeded(seed)));
    assert_eq!(line(1), line(1));
    assert_ne!(line(1), line(2));
}

#[test]
fn a_layout_in_text_is_taken_or_refused() {
    let rows = "1111111/22222222/1111111/33333333/1111111/........./1111111/11111111";
    let layout = |text: &str| Penguins::start(&Setup { layout: Some(text.to_owned()), ..Setup::new(2) });
    assert!(matches!(layout(rows), Err(SetupError::BadLayout(bad)) if bad.at == 42));
    let state = layout(&rows.replace(".........", "........")).unwrap();
    assert_eq!(state.floe().tiles().len(), 52);
    let few = "......./......../......./......../......./......../......./1111111.";
    assert!(matches!(layout(few), Err(SetupError::BadLayout(_))));
    let twice = Setup { layout: Some(rows.to_owned()), ..Setup::new(2).with("layout", "in-turn") };
    let refused = SetupError::Conflict { rule: "penguins-layout-twice", about: vec![] };
    assert_eq!(Penguins::start(&twice), Err(refused));
}

/// Ties: by tiles, then shared. Three players, one penguin each on one fish.
#[test]
fn equal_fish_are_decided_by_tiles_then_shared() {
    let end = |taken: &str| {
        let rows = "......./......../......./......../......./......../......./1.1.1...";
        at(&format!("{rows} a1|c1|e1 1 move {taken} any:1")).outcome().unwrap()
    };
    let seat = |n: usize| Seat::new(n - 1).unwrap();
    assert_eq!(end("9:4,9:5,8:6"), Outcome::win(seat(2), Reason::Tiles));
    assert_eq!(end("9:5,9:5,9:4"), Outcome { winners: vec![seat(1), seat(2)], reason: Reason::Tiles });
    assert_eq!(end("9:5,9:5,8:9"), Outcome { winners: vec![seat(1), seat(2)], reason: Reason::Points });
    assert_eq!(end("9:5,10:1,8:9"), Outcome::win(seat(2), Reason::Points));
}

/// A resigned player is skipped, keeps the score, and its pieces block the way.
#[test]
fn resigned_seat_is_skipped() {
    let line = "......./......../......./......../......./......../......./11111111 a1|d1|h1 1 move 0,0,0 any:1 out:2";
    let mut state = at(line);
    assert_eq!(Penguins::to_line(&state), line);
    state.play_unchecked(Penguins::resolve(&state, &Penguins::read("a1-b1").unwrap()).unwrap());
    assert_eq!(state.turn(), Seat::new(2).unwrap());
    assert_eq!(refusal(&state, "h1-c1"), blocked("h1", "c1", "d1", Blocker::Piece(Seat::SECOND)));
    let both = at(&format!("{line} out:1"));
    assert_eq!(both.turn(), Seat::new(2).unwrap(), "the turn passes on");
    assert!(Penguins::to_line(&both).ends_with("out:1,2"));
}

/// Resigning while pieces are placed: the others finish placing, then start to move.
#[test]
fn resigned_seat_places_no_more_pieces() {
    let line = "......./......../......./......../......./......../......./11111111 a1,b1|d1|g1,h1 2 place 0,0,0 any:2";
    assert_eq!(at(line).turn(), Seat::SECOND);
    let state = at(&format!("{line} out:2"));
    assert_eq!((state.floe().phase(), state.turn()), (Phase::Move, Seat::FIRST));
    let moves: Vec<_> = legal::<Penguins>(&state).iter().map(|m| spell::<Penguins>(&state, *m)).collect();
    assert_eq!(moves, ["b1-c1"]);
}

#[test]
fn faulty_lines_are_refused_where_they_are_wrong() {
    let bad = |line: &str| Penguins::from_line(line).unwrap_err();
    let good = "......./......../......./......../......./......../......./11111111 a1|h1 1 move 0,0 any:1";
    assert_eq!(Penguins::to_line(&at(good)), good);
    assert_eq!(bad(&good.replace("|h1", "|a1")).wanted, Requirement::of("floe-free-cell"));
    assert_eq!(bad(&good.replace("|h1", "")).wanted, Requirement::of("floe-seats").with("2/3/4").with(1));
    assert_eq!(bad(&good.replace("1 move", "3 move")).at, 74);
    assert_eq!(bad(&good.replace("move", "place")).wanted, Requirement::of("floe-piece-left"));
    assert_eq!(bad(&good.replace("0,0", "0")).wanted, Requirement::of("floe-scores").with(2));
    assert_eq!(bad(&good.replace("any:1", "any:9")).wanted, Requirement::of("floe-placing"));
    assert_eq!(bad(&good.replace("any:1", "any:2")).wanted, Requirement::of("floe-all-placed"));
    assert_eq!(bad("111/111/111 a1|a2 1 move 0,0 any:1").wanted, Requirement::of("penguins-island"));
}

/// Boards for random endings.
fn grounds() -> Vec<Ground> {
    let board = Board::of(Shape::Island);
    let grounds = [(2, 1), (2, 2), (3, 1), (3, 2), (4, 1), (4, 2)];
    grounds.map(|(seats, each)| Ground { board, seats, each }).into()
}

#[test]
fn endings_agree_with_brute_force() {
    let seen = testing::compare_endings::<Penguins>(&grounds(), Rules::TERMS, 1, 300);
    assert!(seen.separated > 30 && seen.shared > 30 && seen.settled > 30, "{seen:?}");
    assert!(seen.proven > 30, "{seen:?}");
}

#[test]
#[ignore = "slow: ten thousand endings, thought about and tried out in full"]
fn ten_thousand_endings_agree_with_brute_force() {
    let seen = testing::compare_endings::<Penguins>(&grounds(), Rules::TERMS, 2, 10_000);
    assert!(seen.separated > 1500 && seen.shared > 1500 && seen.settled > 1500, "{seen:?}");
    assert!(seen.proven > 1500, "{seen:?}");
}

/// The seat ahead by the exact count wins when the program plays for both sides.
#[test]
fn program_wins_counted_endings() {
    testing::plays_out_claims::<Penguins>(|seed| start(&Setup::new(2).seeded(seed)));
}

#[test]
fn the_record_is_as_it_was() {
    golden::<Penguins>(start(&Setup::new(3).seeded(11)), 8, "penguins/record.txt");
}

#[test]
fn help_is_true() {
    testing::help_is_true::<Penguins>(INFO.help);
}

fn blocked(from: &str, to: &str, at: &str, by: Blocker) -> IllegalMove {
    IllegalMove::Blocked { leg: MovePart::Move, from: from.into(), to: to.into(), by, at: at.into() }
}

fn not_a_line(from: &str, to: &str) -> IllegalMove {
    IllegalMove::NotALine { leg: MovePart::Move, from: from.into(), to: to.into() }
}
