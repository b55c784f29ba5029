//! Pictures of partial moves, and that the conformance suite refuses wrong ones.

use rookery_core::lesson::Task;
use rookery_core::player::{SearchRequest, SearchResult};
use rookery_core::position::LastMove;
use rookery_core::rules::{GameInfo, PositionParseError, Setup, SetupError};
use rookery_core::scene::{DrawOptions, Scene, Stamp, Theme};
use rookery_core::{
    Board, CellSet, EndgameCount, Fact, GameRules, IllegalMove, MoveParseError, Play, Seat, Step, conformance,
};

use crate::amazons::{Amazons, AmazonsPosition, Move, ParsedMove, Side};

/// The Amazons with wrong pictures of partial moves, one kind of mistake each.
struct Mistaken<const KIND: u8>;

const STAYS: u8 = 0;
const STANDS_TWICE: u8 = 1;
const VANISHES: u8 = 2;
const HAS_SHOT: u8 = 3;
const FROM_THE_START: u8 = 4;

impl<const KIND: u8> GameRules for Mistaken<KIND> {
    type Position = AmazonsPosition;
    type ParsedMove = ParsedMove;

    const INFO: &'static GameInfo = Amazons::INFO;

    fn after_steps(position: &AmazonsPosition, m: Move, count: usize) -> AmazonsPosition {
        let right = Amazons::after_steps(position, m, count);
        let side = position.to_move();
        let with = |own: CellSet| {
            let mut amazons = [Side::White, Side::Black].map(|side| position.amazons(side));
            amazons[side.index()] = own;
            AmazonsPosition::new(position.board(), amazons, position.arrows(), side)
        };
        let (before, after) = (position.amazons(side), right.amazons(side));
        match (KIND, count) {
            (STAYS, 2) => position.clone(),
            (STANDS_TWICE, 2) => with(before | after),
            (VANISHES, 2) => with(before & after),
            (HAS_SHOT, 2) | (FROM_THE_START, 1) => Amazons::after_steps(position, m, 3),
            _ => right,
        }
    }

    fn start(setup: &Setup) -> Result<AmazonsPosition, SetupError> {
        Amazons::start(setup)
    }
    fn board(position: &AmazonsPosition) -> &'static Board {
        Amazons::board(position)
    }
    fn read(text: &str) -> Result<ParsedMove, MoveParseError> {
        Amazons::read(text)
    }
    fn resolve(position: &AmazonsPosition, parsed: &ParsedMove) -> Result<Move, IllegalMove> {
        Amazons::resolve(position, parsed)
    }
    fn steps(position: &AmazonsPosition, m: Move) -> Vec<Step> {
        Amazons::steps(position, m)
    }
    fn to_line(position: &AmazonsPosition) -> String {
        Amazons::to_line(position)
    }
    fn from_line(line: &str) -> Result<AmazonsPosition, PositionParseError> {
        Amazons::from_line(line)
    }
    fn themes() -> &'static [&'static Theme] {
        Amazons::themes()
    }
    fn scene(
        position: &AmazonsPosition,
        look: &DrawOptions,
        last: Option<LastMove<'_, AmazonsPosition>>,
    ) -> Scene {
        Amazons::scene(position, look, last)
    }
    fn emblem(position: &AmazonsPosition, seat: Seat) -> Stamp {
        Amazons::emblem(position, seat)
    }
    fn facts(position: &AmazonsPosition) -> Vec<Fact> {
        Amazons::facts(position)
    }
    fn text_board(position: &AmazonsPosition) -> String {
        Amazons::text_board(position)
    }
    fn count_endgame(position: &AmazonsPosition, budget_nodes: u64) -> EndgameCount {
        Amazons::count_endgame(position, budget_nodes)
    }
    fn think(position: &AmazonsPosition, request: &SearchRequest) -> Option<SearchResult<Move>> {
        Amazons::think(position, request)
    }
    fn lesson() -> &'static [Task] {
        Amazons::lesson()
    }
}

fn check<const KIND: u8>() {
    conformance::check_all::<Mistaken<KIND>>(&Setup::new(2).with("size", "6x6"), 1, 1);
}

#[test]
#[should_panic(expected = "the piece still stands there")]
fn conformance_refuses_an_amazon_that_stays_while_her_arrow_is_chosen() {
    check::<STAYS>();
}

#[test]
#[should_panic(expected = "the piece still stands there")]
fn conformance_refuses_an_amazon_that_stands_on_both_squares() {
    check::<STANDS_TWICE>();
}

#[test]
#[should_panic(expected = "the piece does not stand there")]
fn conformance_refuses_an_amazon_that_vanishes() {
    check::<VANISHES>();
}

#[test]
#[should_panic(expected = "drawn otherwise")]
fn conformance_refuses_an_arrow_before_it_is_shot() {
    check::<HAS_SHOT>();
}

#[test]
#[should_panic(expected = "nothing has moved yet")]
fn conformance_refuses_a_move_that_is_made_before_it_is_chosen() {
    check::<FROM_THE_START>();
}

/// The picture that the law is about: her new square has her, her old one is empty, and the arrow may fly back.
#[test]
fn amazon_stands_on_her_new_square_while_her_arrow_is_chosen() {
    let play = crate::named("amazons").unwrap().start(&Setup::new(2)).unwrap();
    let taken = ["d1", "-d7"].map(str::to_owned);
    let drawn = play.after_steps(&taken).unwrap();
    let white =
        |play: &dyn Play| play.facts()[0].cells.iter().map(|c| play.board().name(*c)).collect::<Vec<_>>();
    assert_eq!(white(play.as_ref()), ["d1", "g1", "a4", "j4"]);
    assert_eq!(white(drawn.as_ref()), ["g1", "a4", "j4", "d7"]);
    assert_eq!(drawn.turn(), Seat::FIRST, "the turn is not over");
    assert!(play.after_steps(&["d1".into(), "-d8".into(), "/a1".into()]).is_none());
}
