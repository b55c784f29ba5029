//! Paper Pen-guins: Penguins for paper and pencils. Squares and circles score the cells that they enter, and cross out
//! those that they leave.
//!
//! Positions are written in the format of `crate::floe::line`.

mod draw;
mod eval;
mod lesson;
mod rules;
#[cfg(test)]
mod tests;

pub use draw::sheet;
pub use eval::WEIGHTS;
pub use rules::{Rules, State};

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

/// The rules of Paper Pen-guins.
pub type PaperPenguins = FloeRules<Variant>;

/// The particulars of Paper Pen-guins for `FloeRules`.
pub struct Variant;

const INFO: GameInfo = GameInfo {
    key: "paper_penguins",
    name: "Paper Pen-guins",
    designers: &["Todd W. Neller"],
    seats: &[2],
    sides: &["square", "circle"],
    options: OPTIONS,
    has_layout: true,
    has_draws: true,
    can_end_by_points: false,
    rules: RULES,
    help: include_str!("../../../../locales/en/rules/paper_penguins.md"),
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "size",
        allowed: AllowedValues::Size { sides: 3..=12, offered: &["8x8", "6x6", "7x7", "10x10"] },
        default: "8x8",
    },
    OptionSpec { key: "pieces", allowed: AllowedValues::Number(1..=8), default: "4" },
    OptionSpec {
        key: "layout",
        allowed: AllowedValues::OneOf(&["random", "in-turn", "classic"]),
        default: "random",
    },
];

/// The board printed in Neller's slides, rows 8 to 1.
pub const CLASSIC: &str = "23232231/11321312/21111222/11111213/11111211/12323132/22212111/32211113";

const RULES: &[&str] = &legality::rules::<10>(&["penguins-few-cells", "penguins-classic-size"]);

impl FloeVariant for Variant {
    type Terms = Rules;

    const INFO: &'static GameInfo = &INFO;
    const WEIGHTS: &'static Weights = &WEIGHTS;
    const BOARD_NEEDED: Requirement = Requirement::of("paper_penguins-rows");

    fn suits(shape: Shape) -> bool {
        matches!(shape, Shape::Square { w: 3.., h: 3.. })
    }

    fn ground(setup: &Setup) -> Result<Ground, SetupError> {
        let size = setup.option(&INFO, "size");
        let board = start::square(setup, &INFO)?;
        let classic = setup.option(&INFO, "layout") == "classic";
        if classic && board != Board::square(8, 8) {
            return Err(SetupError::Conflict { rule: "penguins-classic-size", about: vec![size.to_owned()] });
        }
        let each = start::pieces(setup, &INFO)?;
        Ok(Ground { board, each, one_fish_only: false, printed: classic.then_some(CLASSIC) })
    }

    fn themes() -> &'static [&'static Theme] {
        draw::THEMES
    }

    fn scene(state: &State, look: &DrawOptions, last: Option<LastMove<'_, State>>) -> Scene {
        draw::scene(state, look, last)
    }

    fn emblem(seat: Seat) -> Stamp {
        draw::emblem(seat)
    }

    fn lesson() -> &'static [Task] {
        lesson::TASKS
    }
}
