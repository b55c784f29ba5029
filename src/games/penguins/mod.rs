//! Penguins, known as Hey! That's My Fish!: penguins slide over an ice floe of sixty tiles, and each
//! takes the tile that it leaves.
//!
//! Positions are written as [`crate::kit::floe::line`] says.

mod draw;
mod eval;
mod lesson;
mod rules;
#[cfg(test)]
mod tests;

pub use eval::WEIGHTS;
pub use rules::{Rules, State};

use super::floe_room::FloeRoom;
use crate::kit::art::penguin;
use crate::kit::board::Shape;
use crate::kit::floe::outlook::Weights;
use crate::kit::floe::refuse;
use crate::kit::floe::start::Ground;
use crate::kit::lesson::Task;
use crate::kit::rules::{About, Allowed, Last, OptionSpec, Setup, SetupError};
use crate::kit::scene::{Look, Scene, Stamp, Theme};
use crate::kit::{Board, Need, Seat};

/// The room of Penguins (Hey! That's My Fish!).
pub struct Penguins;

const ABOUT: About = About {
    key: "penguins",
    name: "Penguins (Hey! That's My Fish!)",
    designers: &["Günter Cornett", "Alvydas Jakeliunas"],
    seats: &[2, 3, 4],
    sides: &["orange", "blue", "yellow", "claret"],
    options: OPTIONS,
    has_layout: true,
    has_draws: true,
    stops_by_points: false,
    rules: &refuse::rules::<9>(&["penguins-one-fish-only"]),
    help: include_str!("../../../locales/en/rules/penguins.md"),
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec { key: "layout", allowed: Allowed::OneOf(&["random", "in-turn"]), default: "random" },
    OptionSpec { key: "placement", allowed: Allowed::OneOf(&["one-fish", "any"]), default: "one-fish" },
];

impl FloeRoom for Penguins {
    type Rules = Rules;

    const ABOUT: &'static About = &ABOUT;
    const WEIGHTS: &'static Weights = &WEIGHTS;
    const BOARD_NEEDED: Need = Need::of("penguins-island");

    fn suits(shape: Shape) -> bool {
        matches!(shape, Shape::Island)
    }

    fn ground(setup: &Setup) -> Result<Ground, SetupError> {
        let one_fish_only = setup.option(&ABOUT, "placement") == "one-fish";
        let (board, each) = (Board::of(Shape::Island), each(setup.seats));
        Ok(Ground { board, each, one_fish_only, printed: None })
    }

    fn themes() -> &'static [&'static Theme] {
        draw::THEMES
    }

    fn scene(state: &State, look: &Look, last: Option<Last<'_, State>>) -> Scene {
        draw::scene(state, look, last)
    }

    fn emblem(seat: Seat) -> Stamp {
        penguin::figure(seat)
    }

    fn lesson() -> &'static [Task] {
        lesson::TASKS
    }
}

/// Penguins of each player: four for two, three for three, two for four players.
fn each(seats: usize) -> usize {
    match seats {
        2 => 4,
        3 => 3,
        _ => 2,
    }
}
