//! Fox and Hounds, a traditional game for two on the dark squares of a chessboard.
//!
//! The worked example of "Adding a game" in ARCHITECTURE.md. It is not part of the program.

mod draw;
mod eval;
mod lesson;
mod line;
mod notation;
pub(crate) mod rules;
#[cfg(test)]
mod tests;
mod text;

use rookery_core::lesson::Task;
use rookery_core::player::{SearchRequest, SearchResult};
use rookery_core::position::LastMove;
use rookery_core::rules::{GameInfo, PositionParseError, Setup, SetupError};
use rookery_core::scene::{DrawOptions, Scene, Stamp, Theme};
use rookery_core::{
    Board, Coordinate, EndgameCount, Fact, GameRules, IllegalMove, MoveParseError, Seat, Step,
};
use rookery_games::art::square;
use rookery_i18n::testing::GameTexts;

use rules::{FoxPosition, Move};

pub(crate) static INFO: GameInfo = GameInfo {
    key: "fox_and_hounds",
    name: "Fox and Hounds",
    designers: &[],
    seats: &[2],
    sides: &["fox", "hounds"],
    options: &[],
    has_layout: false,
    has_draws: false,
    can_end_by_points: false,
    rules: rules::RULES,
    help: include_str!("rules.md"),
};

pub(crate) static TEXTS: GameTexts =
    GameTexts { key: INFO.key, sentences: include_str!("sentences.ftl"), rules_page: INFO.help };

#[derive(Debug)]
pub(crate) struct FoxAndHounds;

impl GameRules for FoxAndHounds {
    type Position = FoxPosition;
    type ParsedMove = Vec<Coordinate>;

    const INFO: &'static GameInfo = &INFO;

    fn start(setup: &Setup) -> Result<FoxPosition, SetupError> {
        setup.check(&INFO)?;
        line::read(line::START).map_err(SetupError::BadLayout)
    }

    fn board(_: &FoxPosition) -> &'static Board {
        rules::board()
    }

    fn read(text: &str) -> Result<Vec<Coordinate>, MoveParseError> {
        notation::read(text)
    }

    fn resolve(position: &FoxPosition, parsed: &Vec<Coordinate>) -> Result<Move, IllegalMove> {
        notation::resolve(position, parsed)
    }

    fn steps(_: &FoxPosition, m: Move) -> Vec<Step> {
        notation::steps(m)
    }

    fn to_line(position: &FoxPosition) -> String {
        line::write(position)
    }

    fn from_line(text: &str) -> Result<FoxPosition, PositionParseError> {
        line::read(text)
    }

    fn themes() -> &'static [&'static Theme] {
        square::THEMES
    }

    fn scene(position: &FoxPosition, look: &DrawOptions, last: Option<LastMove<'_, FoxPosition>>) -> Scene {
        draw::scene(position, look, last)
    }

    fn emblem(_: &FoxPosition, seat: Seat) -> Stamp {
        draw::emblem(seat)
    }

    fn facts(position: &FoxPosition) -> Vec<Fact> {
        text::facts(position)
    }

    fn text_board(position: &FoxPosition) -> String {
        text::text_board(position)
    }

    fn count_endgame(_: &FoxPosition, _: u64) -> EndgameCount {
        EndgameCount::None
    }

    fn think(position: &FoxPosition, ask: &SearchRequest) -> Option<SearchResult<Move>> {
        eval::think(position, ask)
    }

    fn lesson() -> &'static [Task] {
        lesson::TASKS
    }
}
