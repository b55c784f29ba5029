//! Penguins, known as Hey! That's My Fish!: penguins slide over an ice floe of sixty tiles, and each
//! takes the tile that it leaves.
//!
//! Positions are written as [`crate::floe::line`] says.

mod draw;
mod eval;
mod lesson;
mod rules;
#[cfg(test)]
mod tests;

pub use eval::WEIGHTS;
pub use rules::{Rules, State};

use crate::art::penguin;
use crate::floe::outlook::Weights;
use crate::floe::refuse;
use crate::floe::room::{FloeGame, FloeVariant};
use crate::floe::start::Ground;
use rookery_core::board::Shape;
use rookery_core::lesson::Task;
use rookery_core::rules::{About, Allowed, Last, OptionSpec, Setup, SetupError};
use rookery_core::scene::{Look, Scene, Stamp, Theme};
use rookery_core::{Board, Need, Seat};

/// The rules of Penguins (Hey! That's My Fish!).
pub type Penguins = FloeGame<Variant>;

/// The terms of Penguins, for [`FloeGame`].
pub struct Variant;

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
    help: include_str!("../../../../locales/en/rules/penguins.md"),
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec { key: "layout", allowed: Allowed::OneOf(&["random", "in-turn"]), default: "random" },
    OptionSpec { key: "placement", allowed: Allowed::OneOf(&["one-fish", "any"]), default: "one-fish" },
];

impl FloeVariant for Variant {
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
