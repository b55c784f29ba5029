//! Penguins, known as Hey! That's My Fish!: penguins slide over an ice floe of sixty tiles, and each takes the tile
//! that it leaves.
//!
//! Positions are written in the format of `crate::floe::line`.

mod draw;
mod eval;
mod lesson;
mod rules;
#[cfg(test)]
mod tests;

pub use eval::WEIGHTS;
pub use rules::{Rules, State};

use crate::art::penguin;
use crate::floe::evaluation::Weights;
use crate::floe::legality;
use crate::floe::start::Ground;
use crate::floe::variant::{FloeRules, FloeVariant};
use rookery_core::board::Shape;
use rookery_core::lesson::Task;
use rookery_core::position::LastMove;
use rookery_core::rules::{AllowedValues, GameInfo, OptionSpec, Setup, SetupError};
use rookery_core::scene::{DrawOptions, Scene, Stamp, Theme};
use rookery_core::{Board, Requirement, Seat};

/// The rules of Penguins (Hey! That's My Fish!).
pub type Penguins = FloeRules<Variant>;

/// The particulars of Penguins for `FloeRules`.
pub struct Variant;

const INFO: GameInfo = GameInfo {
    key: "penguins",
    name: "Penguins (Hey! That's My Fish!)",
    designers: &["Günter Cornett", "Alvydas Jakeliunas"],
    seats: &[2, 3, 4],
    sides: &["orange", "blue", "yellow", "claret"],
    options: OPTIONS,
    has_layout: true,
    has_draws: true,
    can_end_by_points: false,
    rules: &legality::rules::<9>(&["penguins-one-fish-only"]),
    help: include_str!("../../../../locales/en/rules/penguins.md"),
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec { key: "layout", allowed: AllowedValues::OneOf(&["random", "in-turn"]), default: "random" },
    OptionSpec { key: "placement", allowed: AllowedValues::OneOf(&["one-fish", "any"]), default: "one-fish" },
];

impl FloeVariant for Variant {
    type Terms = Rules;

    const INFO: &'static GameInfo = &INFO;
    const WEIGHTS: &'static Weights = &WEIGHTS;
    const BOARD_NEEDED: Requirement = Requirement::of("penguins-island");

    fn suits(shape: Shape) -> bool {
        matches!(shape, Shape::Island)
    }

    fn ground(setup: &Setup) -> Result<Ground, SetupError> {
        let one_fish_only = setup.option(&INFO, "placement") == "one-fish";
        let (board, each) = (Board::of(Shape::Island), each(setup.seats));
        Ok(Ground { board, each, one_fish_only, printed: None })
    }

    fn themes() -> &'static [&'static Theme] {
        draw::THEMES
    }

    fn scene(state: &State, look: &DrawOptions, last: Option<LastMove<'_, State>>) -> Scene {
        draw::scene(state, look, last)
    }

    fn emblem(seat: Seat) -> Stamp {
        penguin::figure(seat)
    }

    fn lesson() -> &'static [Task] {
        lesson::TASKS
    }
}

/// The number of penguins of each player: four for two players, three for three, two for four.
fn each(seats: usize) -> usize {
    match seats {
        2 => 4,
        3 => 3,
        _ => 2,
    }
}
