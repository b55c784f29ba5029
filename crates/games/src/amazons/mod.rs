//! The Game of the Amazons: queens that move and shoot, on a board that fills up.
//!
//! In reading order: positions and moves ([`rules`]), starts, notation, the position as a line, the remaining moves
//! once the board is separated (`territory`, with the exact count in `fill_count`). The player's board is `fast`;
//! `eval` evaluates a position on it, and `batch_eval` many positions at once (`batch` on rows in `row_lanes`).

mod batch;
mod batch_eval;
mod bits;
pub mod book;
mod draw;
mod edit;
mod eval;
mod fast;
mod fill_count;
pub mod fit;
mod lesson;
mod line;
mod notation;
mod patterns;
mod player;
#[cfg(test)]
mod player_tests;
mod queen;
mod row_lanes;
pub mod rules;
mod search_game;
mod starts;
mod style;
mod territory;
#[cfg(test)]
mod tests;
mod text;
mod weights;

use crate::art::square;
use rookery_core::lesson::Task;
use rookery_core::player::{SearchRequest, SearchResult};
use rookery_core::position::LastMove;
use rookery_core::rules::{
    AllowedValues, GameInfo, OptionSpec, PositionParseError, Setup, SetupError, ThinkFn,
};
use rookery_core::scene::{DrawOptions, Scene, Stamp, Theme};
use rookery_core::{
    Board, Cell, CellOwnership, EditorPiece, EndgameCount, Fact, GameRules, IllegalMove, MoveParseError, Pie,
    Position, PositionEdit, Reach, Seat, Settlement, Step, ownership,
};

pub use notation::ParsedMove;
pub use rules::{AmazonsPosition, Move, Side};
#[cfg(any(test, feature = "testing"))]
pub use territory::moves_alone;

/// The static description of the game.
static INFO: GameInfo = GameInfo {
    key: "amazons",
    name: "Game of the Amazons",
    designers: &["Walter Zamkauskas"],
    seats: &[2],
    sides: &["white", "black"],
    options: &[
        OptionSpec {
            key: "size",
            allowed: AllowedValues::Size { sides: 4..=12, offered: &["10x10", "8x8", "6x6"] },
            default: "10x10",
        },
        OptionSpec {
            key: "start",
            allowed: AllowedValues::OneOf(&["standard", "cross", "scrambled"]),
            default: "standard",
        },
        OptionSpec { key: "amazons", allowed: AllowedValues::Number(1..=4), default: "4" },
        OptionSpec { key: "white", allowed: AllowedValues::Text, default: "" },
        OptionSpec { key: "black", allowed: AllowedValues::Text, default: "" },
        Pie::OPTION,
    ],
    has_layout: false,
    has_draws: false,
    can_end_by_points: false,
    rules: &[
        "amazons-shut-in",
        "amazons-no-swap",
        "amazons-off-board",
        "amazons-two-on-one",
        "amazons-how-many",
    ],
    help: include_str!("../../../../locales/en/rules/amazons.md"),
};

/// The rules of the Game of the Amazons.
#[derive(Debug)]
pub struct Amazons;

impl GameRules for Amazons {
    type Position = AmazonsPosition;
    type ParsedMove = ParsedMove;

    const INFO: &'static GameInfo = &INFO;

    fn start(setup: &Setup) -> Result<AmazonsPosition, SetupError> {
        starts::start(setup)
    }

    fn board(position: &AmazonsPosition) -> &'static Board {
        position.board()
    }

    fn read(text: &str) -> Result<ParsedMove, MoveParseError> {
        notation::read(text)
    }

    fn resolve(position: &AmazonsPosition, parsed: &ParsedMove) -> Result<Move, IllegalMove> {
        notation::resolve(position, parsed)
    }

    fn steps(position: &AmazonsPosition, m: Move) -> Vec<Step> {
        notation::steps(position, m)
    }

    /// After the goal is chosen the amazon stands there; only the arrow is missing.
    fn after_steps(position: &AmazonsPosition, m: Move, count: usize) -> AmazonsPosition {
        let mut after = position.clone();
        match m {
            Move::Go { from, to, .. } if count == 2 => after.step(from, to),
            _ if count >= notation::steps(position, m).len() => after.play_unchecked(m),
            _ => {}
        }
        after
    }

    fn heading(position: &AmazonsPosition, side: Seat, taken: &[String], step: &Step) -> Option<u8> {
        let from = position.board().last_named(taken)?;
        draw::heading(position, side, from, step.cell?)
    }

    fn to_line(position: &AmazonsPosition) -> String {
        line::write(position)
    }

    fn from_line(text: &str) -> Result<AmazonsPosition, PositionParseError> {
        line::read(text)
    }

    fn editor_pieces(_position: &AmazonsPosition) -> Vec<EditorPiece> {
        edit::PIECES.to_vec()
    }

    fn signs_on(position: &AmazonsPosition, cell: Cell) -> Vec<&'static str> {
        edit::signs_on(position, cell)
    }

    fn edited(position: &AmazonsPosition, edit: &PositionEdit) -> Option<String> {
        edit::edited(position, edit)
    }

    fn themes() -> &'static [&'static Theme] {
        square::THEMES
    }

    fn scene(
        position: &AmazonsPosition,
        look: &DrawOptions,
        last: Option<LastMove<'_, AmazonsPosition>>,
    ) -> Scene {
        draw::scene(position, look, last)
    }

    fn emblem(position: &AmazonsPosition, seat: Seat) -> Stamp {
        draw::emblem(position.colour(seat))
    }

    fn facts(position: &AmazonsPosition) -> Vec<Fact> {
        text::facts(position)
    }

    fn text_board(position: &AmazonsPosition) -> String {
        text::board(position)
    }

    fn count_endgame(position: &AmazonsPosition, budget_nodes: u64) -> EndgameCount {
        territory::count_endgame(position, budget_nodes)
    }

    fn settle(position: &AmazonsPosition, budget_nodes: u64) -> Option<Settlement<Move>> {
        territory::settle(position, budget_nodes)
    }

    fn moves_left(position: &AmazonsPosition, budget_nodes: u64) -> Option<u32> {
        territory::moves_left(position, budget_nodes)
    }

    fn think(position: &AmazonsPosition, request: &SearchRequest) -> Option<SearchResult<Move>> {
        player::think(position, request)
    }

    fn to_display_units(position: &AmazonsPosition, hundredths: i32) -> i32 {
        eval::to_display_units(position.free().len() as i32, hundredths)
    }

    fn ownership(position: &AmazonsPosition) -> Vec<CellOwnership> {
        let amazons = [Seat::FIRST, Seat::SECOND].map(|seat| position.amazons(position.colour(seat)));
        ownership::estimate_ownership(position.board().lines(), position.free(), &amazons)
    }

    fn reach(position: &AmazonsPosition) -> Option<Reach> {
        Some(territory::reach(position))
    }

    fn lesson() -> &'static [Task] {
        lesson::TASKS
    }

    fn baselines() -> &'static [(&'static str, ThinkFn<Self>)] {
        &[("yardstick", player::baseline)]
    }
}
