//! Rules, notation, lines, territories and drawings.

mod counting;
mod drawing;
pub(super) mod naive;
mod partial_moves;

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::testing::golden;
use rookery_core::game::{Game, Play, TypeErased};
use rookery_core::rules::legal;
use rookery_core::rules::{GameRules, PositionParseError, Setup, SetupError};
use rookery_core::scene::{DrawOptions, Item, Mark, MarkKind, Style};
use rookery_core::seed::SeededRng;
use rookery_core::{
    Blocker, Board, Cell, CellSet, IllegalMove, MoveError, MovePart, Position, Seat, StepKind, conformance,
};

use super::Amazons;
use super::rules::{AmazonsPosition, Move, Side};

const STANDARD: &str = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1";

fn standard() -> Setup {
    Setup::new(2)
}

fn at(line: &str) -> AmazonsPosition {
    Amazons::from_line(line).unwrap()
}

fn play(line: &str) -> Box<dyn Play> {
    TypeErased::<Amazons>::GAME.resume(line).unwrap()
}

fn refusal(line: &str, text: &str) -> IllegalMove {
    match play(line).read(text) {
        Err(MoveError::Illegal(refusal)) => refusal,
        other => panic!("{text:?} is {other:?}"),
    }
}

fn text(cell: &str) -> String {
    cell.to_owned()
}

#[test]
fn conformance_suite_passes_on_every_kind_of_board() {
    let kinds =
        [("10x10", "off", 2), ("8x8", "on", 3), ("6x6", "off", 4), ("5x7", "on", 4), ("12x12", "on", 1)];
    for (size, pie, games) in kinds {
        conformance::check_all::<Amazons>(&standard().with("size", size).with("pie", pie), games, 150);
    }
    for (start, amazons) in [("cross", "1"), ("scrambled", "3"), ("standard", "2")] {
        let setup = standard().with("size", "4x12").with("start", start).with("amazons", amazons);
        conformance::check_all::<Amazons>(&setup, 2, 50);
    }
}

#[test]
fn refusals_name_a_cell_or_a_rule() {
    let position = at("3q2/2p3/1Q1p2/4pq/p1Q3/5p b - - 0 4");
    let cells: Vec<&str> = position.board().cells().map(|c| position.board().name(c)).collect();
    let mut texts = Vec::new();
    for from in &cells {
        for to in &cells {
            texts.extend([format!("{from}-{to}"), format!("{from}{to}{from}"), format!("{from}-{to}/c3")]);
        }
    }
    texts.extend([text("a9"), text("swap")]);
    conformance::check_illegal_moves::<Amazons>(&position, texts);
}

#[test]
fn move_errors_name_the_offending_cell() {
    let blocked = |leg, from, to, by, at| IllegalMove::Blocked {
        leg,
        from: text(from),
        to: text(to),
        by,
        at: text(at),
    };
    let told = |line, text| refusal(line, text);
    let crowd = "3q2q3/10/3p6/q8q/10/1Q8/Q9/10/10/3Q2Q3 w - - 0 5";
    assert_eq!(told(STANDARD, "d1-d11/d5"), IllegalMove::NoSuchCell { cell: text("d11") });
    assert_eq!(told(STANDARD, "d2-d3/d4"), IllegalMove::NoPiece { at: text("d2") });
    assert_eq!(told(STANDARD, "d10-d9/d8"), IllegalMove::NotYours { at: text("d10"), whose: Seat::SECOND });
    assert_eq!(told(STANDARD, "d1-d1/d2"), IllegalMove::SameCell { at: text("d1") });
    let line = |leg, from, to| IllegalMove::NotALine { leg, from: text(from), to: text(to) };
    assert_eq!(told(STANDARD, "d1-e3/e4"), line(MovePart::Move, "d1", "e3"));
    assert_eq!(told(STANDARD, "d1-d3/e5"), line(MovePart::Shot, "d3", "e5"));
    assert_eq!(told(crowd, "d1-d9/a1"), blocked(MovePart::Move, "d1", "d9", Blocker::Gone, "d8"));
    assert_eq!(told(crowd, "d1-d8/a1"), blocked(MovePart::Move, "d1", "d8", Blocker::Gone, "d8"));
    assert_eq!(told(crowd, "a4-d7"), blocked(MovePart::Move, "a4", "d7", Blocker::Piece(Seat::FIRST), "b5"));
    let by_black = blocked(MovePart::Shot, "a6", "a8", Blocker::Piece(Seat::SECOND), "a7");
    assert_eq!(told(crowd, "a4-a6/a8"), by_black);
    let herself = blocked(MovePart::Shot, "d3", "d3", Blocker::Piece(Seat::FIRST), "d3");
    assert_eq!(told(STANDARD, "d1-d3/d3"), herself);
    assert_eq!(told(STANDARD, "swap"), IllegalMove::rule("amazons-no-swap", []));
    let shut_in = "Qp1q/pp2/4/4 w - - 0 3";
    assert_eq!(told(shut_in, "a4"), IllegalMove::Over);
    let shut_in = "Qp1q/pp2/4/3Q w - - 0 3";
    assert_eq!(told(shut_in, "a4"), IllegalMove::rule("amazons-shut-in", ["a4"]));
}

#[test]
fn an_arrow_may_land_on_and_beyond_the_square_just_left() {
    let game = play(STANDARD);
    assert_eq!(game.read("d1-d7/d1").unwrap(), "d1-d7/d1");
    assert_eq!(game.read("a4-c6/a4").unwrap(), "a4-c6/a4");
    assert_eq!(game.read("g1-h1/e1").unwrap(), "g1-h1/e1");
}

#[test]
fn partial_moves_say_what_is_missing() {
    let incomplete = |so_far, missing| IllegalMove::Incomplete { so_far: text(so_far), missing };
    assert_eq!(refusal(STANDARD, "D1"), incomplete("d1", StepKind::Goal));
    assert_eq!(refusal(STANDARD, "d1 d7 -"), incomplete("d1-d7", StepKind::Arrow));
}

#[test]
fn moves_are_read_leniently() {
    let game = play(STANDARD);
    let spellings =
        ["g1-e3/g1", "g1 e3 g1", "G1E3G1", "g1-e3xg1", "G1-E3 x G1", "g1-e3,g1", "g1>e3>g1", "g1:e3:g1"];
    for written in spellings.into_iter().chain(["g1-e3(g1)", "(g1 - e3) / g1", "g1—e3/g1", " g 1 e 3 g 1 "])
    {
        assert_eq!(game.read(written).as_deref(), Ok("g1-e3/g1"), "{written:?}");
    }
    assert_eq!(game.read("d1d9d10").unwrap_err(), MoveError::Illegal(refusal(STANDARD, "d1-d9/d10")));
    for unreadable in ["", "-", "hello", "d1-", "d1-d7/g7/g8", "d1-d7/g", "d1-d7/g7!", "swap d1", "d0-d7/g7"]
    {
        let read = Amazons::read(unreadable);
        // A separator at the end is valid; text after a complete move is not.
        assert_eq!(read.is_err(), unreadable != "d1-", "{unreadable:?} is {read:?}");
    }
}

#[test]
fn a_position_line_survives_the_round_trip() {
    let lines = [
        STANDARD,
        "Q*1q/**2/4/3Q b - - 0 3",
        "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1 pie:ahead",
        "3q2q3/10/10/q2Q5q/10/10/Q2*5Q/10/10/6Q3 b - - 0 1 pie:open",
        "3q2q3/10/10/q2Q5q/10/10/Q2*5Q/10/10/6Q3 b - - 0 1 pie:swapped",
        "12/q10q/12/12/12/12/12/12/12/12/Q10Q/12 w - - 0 77",
    ];
    for line in lines {
        assert_eq!(Amazons::to_line(&at(line)), line);
    }
    let other_signs = at("3q2q3/Px*X6/10/q8q/10/10/Q8Q/10/10/3Q2Q3");
    assert_eq!(Amazons::to_line(&other_signs), "3q2q3/****6/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1");
}

#[test]
fn the_move_counter_counts() {
    let mut game = play("3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 30");
    let number = |game: &dyn Play| game.line().rsplit(' ').next().unwrap().to_owned();
    game.play("d1-d7/g7").unwrap();
    assert_eq!(number(&*game), "30");
    game.play("d10-d9/d10").unwrap();
    assert_eq!(number(&*game), "31");
}

#[test]
fn position_parse_errors_have_a_position() {
    let faults = [
        ("", 0),
        ("4/4/5/Q2q", 4),
        ("4/4/4/Q2k", 8),
        ("4/4/4/Q02q", 7),
        ("4/4/4/13", 7),
        ("3/3/Qq1", 0),
        ("13/13/13/13", 1),
        ("4/4/4/Q3 w", 0),
        ("QQQQ/Q3/4/3q w", 0),
        ("4/4/4/Q2q x", 10),
        ("4/4/4/Q2q w - - 0 0", 18),
        ("4/4/4/Q2q w - - 0 one", 18),
        ("4/4/4/Q2q w - - 0 1 pie", 20),
        ("4/4/4/Q2q w - - 0 1 pie:open", 20),
        ("4/4/4/Q2q w - - 0 1 pie:ahead x", 30),
    ];
    for (line, place) in faults {
        let PositionParseError { at, wanted } = Amazons::from_line(line).expect_err(line);
        assert_eq!(at, place, "{line:?} wants {wanted}");
    }
}

#[test]
fn free_starts_are_read_and_checked() {
    let free = |white: &str, black: &str| {
        Amazons::start(&standard().with("size", "5x4").with("white", white).with("black", black))
    };
    let line = Amazons::to_line(&free("a1, B1", "e4d4 c4").unwrap());
    assert_eq!(line, "2qqq/5/5/QQ3 w - - 0 1");
    let rule = |setup| match setup {
        Err(SetupError::Conflict { rule, about }) => (rule, about.join(" ")),
        other => panic!("{other:?}"),
    };
    assert_eq!(rule(free("a1 f1", "e4")), ("amazons-off-board", text("f1")));
    assert_eq!(rule(free("a1 a1", "e4")), ("amazons-two-on-one", text("a1")));
    assert_eq!(rule(free("a1 e4", "e4")), ("amazons-two-on-one", text("e4")));
    assert_eq!(rule(free("a1", "")), ("amazons-how-many", text("black")));
    assert_eq!(rule(free("a1a2a3a4b1", "e4")), ("amazons-how-many", text("white")));
    assert!(matches!(free("a1 ?", "e4"), Err(SetupError::BadValue { key, .. }) if key == "white"));
}

/// The first one, two or three amazons of both sides are symmetric as well, up to a rotation or a reflection.
#[test]
fn smaller_armies_are_fair() {
    for start in ["standard", "cross", "scrambled"] {
        for amazons in ["1", "2", "3", "4"] {
            let setup = standard().with("start", start).with("amazons", amazons);
            let position = Amazons::start(&setup).unwrap();
            let as_black = AmazonsPosition::new(
                position.board(),
                [Side::White, Side::Black].map(|side| position.amazons(side)),
                CellSet::EMPTY,
                Side::Black,
            );
            assert_eq!(position.count(), as_black.count(), "{start} {amazons}");
        }
    }
}

#[test]
fn after_a_swap_the_seats_have_changed_colours() {
    let mut game = TypeErased::<Amazons>::GAME.start(&standard().with("pie", "on")).unwrap();
    assert!(game.read("swap").is_err());
    game.play("d1-d7/g7").unwrap();
    assert!(game.moves().contains(&text("swap")));
    assert_eq!(game.play("Swap").unwrap(), "swap");
    assert_eq!((game.turn(), game.side(Seat::FIRST), game.side(Seat::SECOND)), (Seat::FIRST, 1, 0));
    assert_eq!(
        refusal(&game.line(), "d7-d8/d9"),
        IllegalMove::NotYours { at: text("d7"), whose: Seat::SECOND }
    );
    game.play("d10-d9/d10").unwrap();
    assert_eq!((game.turn(), game.side(Seat::SECOND)), (Seat::SECOND, 0));
    assert!(game.read("swap").is_err());
}

#[test]
fn swap_is_only_possible_right_after_first_move() {
    let mut game = TypeErased::<Amazons>::GAME.start(&standard().with("pie", "on")).unwrap();
    for m in ["d1-d7/g7", "d10-d9/d10", "a4-a5/a4"] {
        game.play(m).unwrap();
    }
    assert_eq!(game.side(Seat::SECOND), 1);
    assert!(!game.moves().contains(&text("swap")));
}

#[test]
fn side_without_moves_has_lost() {
    let over = at("Qpqp/pppp/4/3Q b - - 0 9");
    assert_eq!(over.outcome().unwrap().winners, [Seat::FIRST]);
    assert!(legal::<Amazons>(&over).is_empty());
    let m = Move::Go {
        from: over.board().named("c4").unwrap(),
        to: over.board().named("c3").unwrap(),
        arrow: over.board().named("c4").unwrap(),
    };
    assert_eq!(over.check(m), Err(IllegalMove::Over));
}

/// 100,000 positions of random games on random boards, compared with a second implementation of the rules.
#[test]
fn moves_are_those_of_a_second_implementation() {
    let mut rng = SeededRng::new(20);
    let mut left: u32 = 100_000;
    while left > 0 {
        let mut position = random_start(&mut rng);
        loop {
            let moves = legal::<Amazons>(&position);
            assert_eq!(moves, naive::moves(&position), "{}", Amazons::to_line(&position));
            left = left.saturating_sub(1);
            let Some(m) = rng.pick(&moves) else { break };
            position.play_unchecked(*m);
        }
    }
}

fn random_start(rng: &mut SeededRng) -> AmazonsPosition {
    let mut side = || 4 + rng.below(9).min(rng.below(9)) as u8;
    let board = Board::square(side(), side());
    let mut cells: Vec<_> = board.cells().collect();
    rng.shuffle(&mut cells);
    let white = cells.split_off(cells.len() - 1 - rng.below(4) as usize);
    let black = cells.split_off(cells.len() - 1 - rng.below(4) as usize);
    let arrows = cells.split_off(cells.len() - rng.below(cells.len() as u64 / 2) as usize);
    let set = |cells: Vec<_>| cells.into_iter().collect();
    AmazonsPosition::new(board, [set(white), set(black)], set(arrows), Side::White)
}

#[test]
fn a_mirrored_position_has_the_mirrored_moves() {
    let mut rng = SeededRng::new(4);
    for _ in 0..200 {
        let position = random_start(&mut rng);
        let mirrored: BTreeSet<Move> = legal(&naive::mirrored(&position)).into_iter().collect();
        let moves = legal(&position).into_iter();
        assert_eq!(moves.map(|m| naive::mirrored_move(&position, m)).collect::<BTreeSet<_>>(), mirrored);
    }

    fn legal(position: &AmazonsPosition) -> Vec<Move> {
        super::tests::legal::<Amazons>(position)
    }
}

#[test]
fn the_text_board_shows_every_square() {
    let board = Amazons::text_board(&at("3q/1p2/4/Q3 w - - 0 1"));
    let rows = ["   a b c d", " 4 . . . B 4", " 3 . x . . 3", " 2 . . . . 2", " 1 W . . . 1", "   a b c d"];
    assert_eq!(board.lines().collect::<Vec<_>>(), rows);
}

#[test]
fn every_look_can_be_drawn_in_every_theme() {
    let game = TypeErased::<Amazons>::GAME;
    let mut playing = game.start(&standard().with("size", "4x7")).unwrap();
    playing.play("b1-b4/b1").unwrap();
    let cells: Vec<_> = playing.board().cells().collect();
    let kinds = [
        MarkKind::Chosen,
        MarkKind::Goal,
        MarkKind::Label(text("35")),
        MarkKind::Direction { label: text("8"), heading: 3 },
    ];
    let marks =
        cells.iter().zip(kinds.iter().cycle()).map(|(cell, kind)| Mark { cell: *cell, kind: kind.clone() });
    for theme in game.themes() {
        for style in [Style::Full, Style::Plain, Style::Large] {
            let owners = cells.iter().map(|cell| (*cell, Seat::FIRST, 0.5)).collect();
            let look = DrawOptions {
                theme: theme.name.into(),
                style,
                patterns: true,
                marks: marks.clone().collect(),
                owners,
                ..DrawOptions::from_seat(Seat::SECOND)
            };
            let scene = playing.scene(&look);
            assert_eq!((scene.theme.name, scene.width), (theme.name, 1050.0));
            conformance::check_inks(&scene);
        }
    }
}

/// Stamps with equal names must have equal art.
#[test]
fn stamps_of_different_art_have_different_names() {
    let mut seen = std::collections::HashMap::new();
    let setups = [("10x10", "standard"), ("12x12", "cross"), ("5x10", "standard"), ("10x5", "standard")];
    for (size, start) in setups {
        let position = Amazons::start(&standard().with("size", size).with("start", start)).unwrap();
        for (style, side) in
            [(Style::Full, Seat::FIRST), (Style::Large, Seat::FIRST), (Style::Full, Seat::SECOND)]
        {
            for theme in ["walnut", "contrast"] {
                let look = DrawOptions { theme: theme.into(), style, ..DrawOptions::from_seat(side) };
                for item in Amazons::scene(&position, &look, None).items {
                    let Item::Stamp(stamp, _) = item else { continue };
                    let art = (stamp.art)();
                    assert_eq!(
                        *seen.entry(stamp.name.clone()).or_insert_with(|| art.clone()),
                        art,
                        "{}",
                        stamp.name
                    );
                }
            }
        }
    }
}

#[test]
fn the_record_is_as_it_was() {
    golden::<Amazons>(Amazons::start(&standard()).unwrap(), 1, "amazons/record.txt");
}

/// Every code span of the help is a cell, a symbol, a position, or a legal move in the last position before it.
#[test]
fn the_examples_of_the_help_can_be_played() {
    let mut position = at(STANDARD);
    let mut moves = 0;
    for span in Amazons::INFO.help.split('`').skip(1).step_by(2) {
        if let Ok(named) = Amazons::from_line(span) {
            position = named;
        } else if span.len() > 1 && span != "swap" && position.board().named(span).is_none() {
            let parsed = Amazons::read(span).unwrap_or_else(|e| panic!("{span}: {e}"));
            if let Err(refusal) = Amazons::resolve(&position, &parsed) {
                assert!(matches!(refusal, IllegalMove::Incomplete { .. }), "{span}: {refusal:?}");
            }
            moves += 1;
        }
    }
    assert!(moves > 4, "the help has examples");
    let claim = Amazons::count_endgame(&position, 1000);
    assert_eq!((position.free().len(), claim.left(Seat::FIRST)), (3, Some((1, 1))));
}

proptest! {
    /// Any text is read or refused without a panic.
    #[test]
    fn any_text_can_be_typed(text in "\\PC{0,20}") {
        let _ = play(STANDARD).read(&text);
        let _ = Amazons::from_line(&text);
    }

    #[test]
    fn any_text_in_our_own_letters_can_be_typed(text in "[a-l0-9xQqp/ wb-]{0,40}") {
        let _ = play(STANDARD).read(&text);
        let _ = Amazons::from_line(&text);
    }
}
