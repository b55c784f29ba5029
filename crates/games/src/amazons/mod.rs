//! The Game of the Amazons: queens that move and shoot, on a board that fills up.
//!
//! In reading order: positions and moves ([`rules`]), starts, notation, the position in a line, what
//! is left when the board has fallen apart (`territory`, and `filling` for the exact count). The player's
//! board is `fast`; `eval` says what looks good there, and `judge` finds that out for many positions at
//! once (`batch` on rows in `lanes`).

mod batch;
mod bits;
pub mod book;
mod draw;
mod eval;
mod fast;
mod filling;
pub mod fit;
mod head;
mod judge;
mod lanes;
mod lesson;
mod line;
mod notation;
mod patterns;
pub mod player;
#[cfg(test)]
mod player_tests;
mod queen;
pub mod rules;
mod starts;
mod style;
mod territory;
#[cfg(test)]
mod tests;
mod text;
mod weights;

use crate::art::square;
use rookery_core::lesson::Task;
use rookery_core::player::{Ask, Thought};
use rookery_core::rules::{About, Allowed, BadLine, Last, OptionSpec, Setup, SetupError, Thinker};
use rookery_core::scene::{Look, Scene, Stamp, Theme};
use rookery_core::{Board, Claim, Fact, Hold, Pie, Refusal, Room, Seat, Settlement, Step, Unreadable, hold};

pub use notation::Spoken;
pub use rules::{Amazons, Move, Side};
pub use territory::moves_alone;

/// What is known about the game.
static ABOUT: About = About {
    key: "amazons",
    name: "Game of the Amazons",
    designers: &["Walter Zamkauskas"],
    seats: &[2],
    sides: &["white", "black"],
    options: &[
        OptionSpec {
            key: "size",
            allowed: Allowed::Size { sides: 4..=12, offered: &["10x10", "8x8", "6x6"] },
            default: "10x10",
        },
        OptionSpec {
            key: "start",
            allowed: Allowed::OneOf(&["standard", "cross", "scrambled"]),
            default: "standard",
        },
        OptionSpec { key: "amazons", allowed: Allowed::Number(1..=4), default: "4" },
        OptionSpec { key: "white", allowed: Allowed::Text, default: "" },
        OptionSpec { key: "black", allowed: Allowed::Text, default: "" },
        Pie::OPTION,
    ],
    has_layout: false,
    has_draws: false,
    stops_by_points: false,
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
pub struct AmazonsRoom;

impl Room for AmazonsRoom {
    type Position = Amazons;
    type Spoken = Spoken;

    const ABOUT: &'static About = &ABOUT;

    fn start(setup: &Setup) -> Result<Amazons, SetupError> {
        starts::start(setup)
    }

    fn board(position: &Amazons) -> &'static Board {
        position.board()
    }

    fn read(text: &str) -> Result<Spoken, Unreadable> {
        notation::read(text)
    }

    fn resolve(position: &Amazons, spoken: &Spoken) -> Result<Move, Refusal> {
        notation::resolve(position, spoken)
    }

    fn steps(position: &Amazons, m: Move) -> Vec<Step> {
        notation::steps(position, m)
    }

    fn to_line(position: &Amazons) -> String {
        line::write(position)
    }

    fn from_line(text: &str) -> Result<Amazons, BadLine> {
        line::read(text)
    }

    fn themes() -> &'static [&'static Theme] {
        square::THEMES
    }

    fn scene(position: &Amazons, look: &Look, last: Option<Last<'_, Amazons>>) -> Scene {
        draw::scene(position, look, last)
    }

    fn emblem(position: &Amazons, seat: Seat) -> Stamp {
        draw::emblem(position.colour(seat))
    }

    fn facts(position: &Amazons) -> Vec<Fact> {
        text::facts(position)
    }

    fn text_board(position: &Amazons) -> String {
        text::board(position)
    }

    fn claim(position: &Amazons, budget_nodes: u64) -> Claim {
        territory::claim(position, budget_nodes)
    }

    fn settle(position: &Amazons, budget_nodes: u64) -> Option<Settlement<Move>> {
        territory::settle(position, budget_nodes)
    }

    fn think(position: &Amazons, ask: &Ask) -> Option<Thought<Move>> {
        player::think(position, ask)
    }

    fn told(position: &Amazons, hundredths: i32) -> i32 {
        eval::told(position.free().len() as i32, hundredths)
    }

    fn holds(position: &Amazons) -> Vec<Hold> {
        let amazons = [Seat::FIRST, Seat::SECOND].map(|seat| position.amazons(position.colour(seat)));
        hold::holds(position.board().lines(), position.free(), &amazons)
    }

    fn lesson() -> &'static [Task] {
        lesson::TASKS
    }

    fn measures() -> &'static [(&'static str, Thinker<Self>)] {
        &[("yardstick", player::yardstick)]
    }
}
