//! Penguin Soccer: families of three that slide, spin, tackle and kick a ball across the ice.
//!
//! In reading order: the field and its mechanics ([`field`]), positions and turns ([`rules`]), errors, notation, the
//! position as a line (`line`, with its grammar).
//!
//! Rules that the printed sources leave open are settled as follows:
//! - A family without a legal turn is skipped; if no family has one, all active families share a draw.
//! - Positions may repeat without limit, unless the table agreed on `repetition: draw`; then the third occurrence is a
//!   draw.
//! - In a game of four a family that resigns is skipped from then on. Its penguins stay and can be tackled and pushed;
//!   its goal counts for nobody, and its Home becomes an ordinary square, so that a ball there can still be fetched.

mod ball_reach;
mod draw;
mod edit;
mod eval;
pub mod field;
mod legality;
mod lesson;
mod line;
#[cfg(test)]
mod naive;
mod notation;
pub mod rules;
#[cfg(test)]
mod tests;
mod text;

use crate::art::penguin;
use field::Size;
use rookery_core::lesson::Task;
use rookery_core::player::{SearchRequest, SearchResult};
use rookery_core::position::LastMove;
use rookery_core::rules::{
    AllowedValues, GameInfo, OptionSpec, PositionParseError, Setup, SetupError, ThinkFn,
};
use rookery_core::scene::{DrawOptions, OffBoardPiece, Scene, Stamp, Theme};
use rookery_core::{
    Board, Cell, EditorPiece, EndgameCount, Fact, GameRules, IllegalMove, MoveParseError, Position,
    PositionEdit, Seat, Step,
};
use rookery_search::baselines;

pub use notation::ParsedMove;
pub use rules::{Act, Move, SoccerPosition};

/// The static description of the game.
static INFO: GameInfo = GameInfo {
    key: "penguin_soccer",
    name: "Penguin Soccer",
    designers: &["Avri Klemer"],
    seats: &[2, 4],
    sides: &["orange", "blue", "yellow", "claret"],
    options: &[OptionSpec {
        key: "repetition",
        allowed: AllowedValues::OneOf(&["off", "draw"]),
        default: "off",
    }],
    has_layout: false,
    has_draws: true,
    can_end_by_points: false,
    rules: legality::RULES,
    help: include_str!("../../../../locales/en/rules/penguin_soccer.md"),
};

/// The rules of Penguin Soccer.
#[derive(Debug)]
pub struct PenguinSoccer;

impl GameRules for PenguinSoccer {
    type Position = SoccerPosition;
    type ParsedMove = ParsedMove;

    const INFO: &'static GameInfo = &INFO;

    fn start(setup: &Setup) -> Result<SoccerPosition, SetupError> {
        setup.check(&INFO)?;
        let start = SoccerPosition::new(field::Field::new(setup.seats), Seat::FIRST);
        let draws = setup.option(&INFO, "repetition") == "draw";
        Ok(if draws { start.drawn_by_repetition(1) } else { start })
    }

    fn board(_: &SoccerPosition) -> &'static Board {
        field::board()
    }

    fn read(text: &str) -> Result<ParsedMove, MoveParseError> {
        notation::read(text)
    }

    fn resolve(position: &SoccerPosition, parsed: &ParsedMove) -> Result<Move, IllegalMove> {
        notation::resolve(position, parsed)
    }

    fn steps(position: &SoccerPosition, m: Move) -> Vec<Step> {
        notation::steps(position, m)
    }

    /// After the direction is chosen the penguin has slid, before it spins.
    fn after_steps(position: &SoccerPosition, m: Move, count: usize) -> SoccerPosition {
        let mut after = position.clone();
        match m.act {
            Act::Slide { dir, .. } if count == 2 => after.slide_without_spin(m.size, dir),
            _ if count >= 2 => after.play_unchecked(m),
            _ => {}
        }
        after
    }

    fn heading(position: &SoccerPosition, side: Seat, taken: &[String], step: &Step) -> Option<u8> {
        notation::facing(taken, step).map(|dir| draw::heading(position, side, dir))
    }

    fn turned(position: &SoccerPosition, taken: &[String], step: &Step) -> Option<Cell> {
        notation::facing(taken, step).and_then(|_| notation::turned(position, taken, step))
    }

    fn entry_cell(position: &SoccerPosition) -> Option<Cell> {
        Some(field::home(position.seats(), position.turn()))
    }

    fn off_board_piece(position: &SoccerPosition, step: &Step) -> Option<OffBoardPiece> {
        let size = Size::ALL.into_iter().find(|size| step.text == size.number().to_string())?;
        draw::off_ice(position, size)
    }

    fn piece_kind(position: &SoccerPosition, cell: Cell) -> Option<&'static str> {
        position.field().at(cell).map(|(_, size)| match size {
            Size::Baby => "baby",
            Size::Papa => "papa",
            Size::Mama => "mama",
        })
    }

    fn to_line(position: &SoccerPosition) -> String {
        line::write(position)
    }

    fn from_line(text: &str) -> Result<SoccerPosition, PositionParseError> {
        line::read(text)
    }

    fn editor_pieces(position: &SoccerPosition) -> Vec<EditorPiece> {
        edit::pieces(position.field().seats())
    }

    fn edited(position: &SoccerPosition, edit: &PositionEdit) -> Option<String> {
        edit::edited(position, edit)
    }

    fn themes() -> &'static [&'static Theme] {
        draw::THEMES
    }

    fn scene(
        position: &SoccerPosition,
        look: &DrawOptions,
        last: Option<LastMove<'_, SoccerPosition>>,
    ) -> Scene {
        draw::scene(position, look, last)
    }

    fn emblem(_: &SoccerPosition, seat: Seat) -> Stamp {
        penguin::figure(seat)
    }

    fn facts(position: &SoccerPosition) -> Vec<Fact> {
        text::facts(position)
    }

    fn text_board(position: &SoccerPosition) -> String {
        text::text_board(position)
    }

    /// Nothing can be counted early: there is one ball, and a goal for each family.
    fn count_endgame(_: &SoccerPosition, _: u64) -> EndgameCount {
        EndgameCount::None
    }

    fn think(position: &SoccerPosition, request: &SearchRequest) -> Option<SearchResult<Move>> {
        eval::think(position, request)
    }

    fn lesson() -> &'static [Task] {
        lesson::TASKS
    }

    fn baselines() -> &'static [(&'static str, ThinkFn<Self>)] {
        &[("greedy", eval::greedy), ("uct", baselines::uct)]
    }
}
