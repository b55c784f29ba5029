//! Amazon Penguins: penguins move like queens and spear a fish from where they arrive.
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
use crate::floe::start::{self, Ground};
use rookery_core::board::Shape;
use rookery_core::lesson::Task;
use rookery_core::rules::{About, Allowed, Last, OptionSpec, Setup, SetupError};
use rookery_core::scene::{Look, Scene, Stamp, Theme};
use rookery_core::{Board, Need, Seat};

/// The rules of Amazon Penguins.
pub type AmazonPenguins = FloeGame<Variant>;

/// The terms of AmazonPenguins, for [`FloeGame`].
pub struct Variant;

const ABOUT: About = About {
    key: "amazon_penguins",
    name: "Amazon Penguins",
    designers: &["Todd W. Neller"],
    seats: &[2],
    sides: &["orange", "blue"],
    options: OPTIONS,
    has_layout: true,
    has_draws: true,
    stops_by_points: false,
    rules: RULES,
    help: include_str!("../../../../locales/en/rules/amazon_penguins.md"),
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec { key: "board", allowed: Allowed::OneOf(&["square", "hex60"]), default: "square" },
    OptionSpec {
        key: "size",
        allowed: Allowed::Size { sides: 3..=12, offered: &["8x8", "6x6", "7x7", "10x10"] },
        default: "8x8",
    },
    OptionSpec { key: "pieces", allowed: Allowed::Number(1..=8), default: "4" },
    OptionSpec { key: "layout", allowed: Allowed::OneOf(&["random", "in-turn"]), default: "random" },
    OptionSpec { key: "placement", allowed: Allowed::OneOf(&["any", "one-fish"]), default: "any" },
];

const RULES: &[&str] =
    &refuse::rules::<11>(&["penguins-one-fish-only", "penguins-few-cells", "penguins-hex-size"]);

/// The board of the options `board` and `size`.
fn board_for(setup: &Setup) -> Result<&'static Board, SetupError> {
    let size = setup.option(&ABOUT, "size");
    if setup.option(&ABOUT, "board") == "hex60" {
        if setup.options.contains_key("size") {
            return Err(SetupError::Conflict { rule: "penguins-hex-size", about: vec![size.to_owned()] });
        }
        return Ok(Board::of(Shape::Island));
    }
    start::square(setup, &ABOUT)
}

impl FloeVariant for Variant {
    type Rules = Rules;

    const ABOUT: &'static About = &ABOUT;
    const WEIGHTS: &'static Weights = &WEIGHTS;
    const BOARD_NEEDED: Need = Need::of("amazon_penguins-rows");

    fn suits(shape: Shape) -> bool {
        matches!(shape, Shape::Island | Shape::Square { w: 3.., h: 3.. })
    }

    fn ground(setup: &Setup) -> Result<Ground, SetupError> {
        let board = board_for(setup)?;
        let each = start::pieces(setup, &ABOUT)?;
        let one_fish_only = setup.option(&ABOUT, "placement") == "one-fish";
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
