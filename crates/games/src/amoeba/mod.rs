//! Amoeba: stacks move exactly as far as they are high, as a whole or dropping piece by piece; capturing the Kernel
//! wins.
//!
//! In reading order: stacks, positions and moves ([`rules`]), errors, notation, the position as a line (`line`, with
//! its grammar).
//!
//! Rules that the printed sources leave open are settled as follows:
//! - After every move the mover's success counts first; then, if the mover has given its own Kernel away, the other
//!   side wins at once.
//! - A position that occurs for the third time ends the game: more controlled stacks win, equal numbers are a draw.
//! - The offer to end and count stacks belongs to the table. It is not an exact count: nothing proves how a game would
//!   continue, so an offered count needs the other side's agreement, and
//!   [`Position::scores`](rookery_core::Position::scores) has the numbers.

mod draw;
mod edit;
mod eval;
mod fast;
mod legality;
mod lesson;
mod line;
#[cfg(test)]
mod naive;
mod notation;
pub mod rules;
mod search_game;
mod stack;
#[cfg(test)]
mod tests;
mod text;

use rookery_core::lesson::Task;
use rookery_core::player::{SearchRequest, SearchResult};
use rookery_core::position::LastMove;
use rookery_core::rules::{GameInfo, PositionParseError, Setup, SetupError, ThinkFn};
use rookery_core::scene::{DrawOptions, Scene, Stamp, Theme};
use rookery_core::{
    Board, EditorPiece, EndgameCount, Fact, GameRules, IllegalMove, MoveParseError, Pie, PositionEdit, Seat,
    Step, StepKind,
};
use rookery_search::baselines;

pub use notation::ParsedMove;
pub use rules::{AmoebaPosition, Move};

/// The static description of the game.
static INFO: GameInfo = GameInfo {
    key: "amoeba",
    name: "Amoeba",
    designers: &["Masahiro Nakajima"],
    seats: &[2],
    sides: &["dark", "light"],
    options: &[Pie::OPTION],
    has_layout: false,
    has_draws: true,
    can_end_by_points: true,
    rules: legality::RULES,
    help: include_str!("../../../../locales/en/rules/amoeba.md"),
};

/// The rules of Amoeba.
#[derive(Debug)]
pub struct Amoeba;

impl GameRules for Amoeba {
    type Position = AmoebaPosition;
    type ParsedMove = ParsedMove;

    const INFO: &'static GameInfo = &INFO;

    fn start(setup: &Setup) -> Result<AmoebaPosition, SetupError> {
        setup.check(&INFO)?;
        let start = line::read(line::START).map_err(SetupError::BadLayout)?;
        Ok(start.with_pie(Pie::at_start(setup, &INFO)))
    }

    fn board(_: &AmoebaPosition) -> &'static Board {
        rules::board()
    }

    fn read(text: &str) -> Result<ParsedMove, MoveParseError> {
        notation::read(text)
    }

    fn resolve(position: &AmoebaPosition, parsed: &ParsedMove) -> Result<Move, IllegalMove> {
        notation::resolve(position, parsed)
    }

    fn steps(position: &AmoebaPosition, m: Move) -> Vec<Step> {
        notation::steps(position, m)
    }

    fn heading(position: &AmoebaPosition, side: Seat, taken: &[String], step: &Step) -> Option<u8> {
        let from = taken.first().and_then(|stack| rules::board().named(stack));
        let (from, to) = from.zip(step.cell.filter(|_| step.part == StepKind::Goal))?;
        Some(draw::heading(position, side, from, to))
    }

    fn to_line(position: &AmoebaPosition) -> String {
        line::write(position)
    }

    fn from_line(text: &str) -> Result<AmoebaPosition, PositionParseError> {
        line::read(text)
    }

    fn editor_pieces(_position: &AmoebaPosition) -> Vec<EditorPiece> {
        edit::PIECES.to_vec()
    }

    fn edited(position: &AmoebaPosition, edit: &PositionEdit) -> Option<String> {
        edit::edited(position, edit)
    }

    fn themes() -> &'static [&'static Theme] {
        draw::THEMES
    }

    fn scene(
        position: &AmoebaPosition,
        look: &DrawOptions,
        last: Option<LastMove<'_, AmoebaPosition>>,
    ) -> Scene {
        draw::scene(position, look, last)
    }

    fn emblem(position: &AmoebaPosition, seat: Seat) -> Stamp {
        draw::emblem(position, seat)
    }

    fn facts(position: &AmoebaPosition) -> Vec<Fact> {
        text::facts(position)
    }

    fn text_board(position: &AmoebaPosition) -> String {
        text::text_board(position)
    }

    fn count_endgame(_: &AmoebaPosition, _: u64) -> EndgameCount {
        EndgameCount::None
    }

    fn think(position: &AmoebaPosition, request: &SearchRequest) -> Option<SearchResult<Move>> {
        eval::think(position, request)
    }

    fn lesson() -> &'static [Task] {
        lesson::TASKS
    }

    fn baselines() -> &'static [(&'static str, ThinkFn<Self>)] {
        &[("greedy", eval::greedy), ("uct", baselines::uct)]
    }
}
