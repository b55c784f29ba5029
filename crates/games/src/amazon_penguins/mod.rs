//! Amazon Penguins: penguins move like queens and spear a fish from the cell where they arrive.
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
use crate::floe::start::{self, Ground};
use crate::floe::variant::{FloeRules, FloeVariant};
use rookery_core::board::Shape;
use rookery_core::lesson::Task;
use rookery_core::position::LastMove;
use rookery_core::rules::{AllowedValues, GameInfo, OptionSpec, Setup, SetupError};
use rookery_core::scene::{DrawOptions, Scene, Stamp, Theme};
use rookery_core::{Board, Requirement, Seat};

/// The rules of Amazon Penguins.
pub type AmazonPenguins = FloeRules<Variant>;

/// The particulars of Amazon Penguins for `FloeRules`.
pub struct Variant;

const INFO: GameInfo = GameInfo {
    key: "amazon_penguins",
    name: "Amazon Penguins",
    designers: &["Todd W. Neller"],
    seats: &[2],
    sides: &["orange", "blue"],
    options: OPTIONS,
    has_layout: true,
    has_draws: true,
    can_end_by_points: false,
    rules: RULES,
    help: include_str!("../../../../locales/en/rules/amazon_penguins.md"),
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec { key: "board", allowed: AllowedValues::OneOf(&["square", "hex60"]), default: "square" },
    OptionSpec {
        key: "size",
        allowed: AllowedValues::Size { sides: 3..=12, offered: &["8x8", "6x6", "7x7", "10x10"] },
        default: "8x8",
    },
    OptionSpec { key: "pieces", allowed: AllowedValues::Number(1..=8), default: "4" },
    OptionSpec { key: "layout", allowed: AllowedValues::OneOf(&["random", "in-turn"]), default: "random" },
    OptionSpec { key: "placement", allowed: AllowedValues::OneOf(&["any", "one-fish"]), default: "any" },
];

const RULES: &[&str] =
    &legality::rules::<11>(&["penguins-one-fish-only", "penguins-few-cells", "penguins-hex-size"]);

/// The board according to the options `board` and `size`.
fn board_for(setup: &Setup) -> Result<&'static Board, SetupError> {
    let size = setup.option(&INFO, "size");
    if setup.option(&INFO, "board") == "hex60" {
        if setup.options.contains_key("size") {
            return Err(SetupError::Conflict { rule: "penguins-hex-size", about: vec![size.to_owned()] });
        }
        return Ok(Board::of(Shape::Island));
    }
    start::square(setup, &INFO)
}

impl FloeVariant for Variant {
    type Terms = Rules;

    const INFO: &'static GameInfo = &INFO;
    const WEIGHTS: &'static Weights = &WEIGHTS;
    const BOARD_NEEDED: Requirement = Requirement::of("amazon_penguins-rows");

    fn suits(shape: Shape) -> bool {
        matches!(shape, Shape::Island | Shape::Square { w: 3.., h: 3.. })
    }

    fn ground(setup: &Setup) -> Result<Ground, SetupError> {
        let board = board_for(setup)?;
        let each = start::pieces(setup, &INFO)?;
        let one_fish_only = setup.option(&INFO, "placement") == "one-fish";
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
