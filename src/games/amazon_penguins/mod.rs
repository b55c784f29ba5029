//! Amazon Penguins: penguins move like queens and spear a fish from where they arrive.
//!
//! Positions are written as [`crate::kit::floe::line`] says.

mod draw;
mod eval;
mod lesson;
mod notation;
mod rules;
#[cfg(test)]
mod tests;

pub use eval::WEIGHTS;
pub use rules::{Rules, State};

use crate::kit::art::penguin;
use crate::kit::board::Shape;
use crate::kit::floe::start::{self, Ground};
use crate::kit::floe::state::{Kind, able};
use crate::kit::floe::{Move, claim, line, refuse, telling};
use crate::kit::lesson::Task;
use crate::kit::player::{Ask, Thought};
use crate::kit::rules::{About, Allowed, BadLine, Last, OptionSpec, Setup, SetupError, Thinker};
use crate::kit::scene::{Look, Scene, Stamp, Theme};
use crate::kit::{Board, Claim, Fact, Hold, Need, Refusal, Room, Seat, Settlement, Step, Unreadable};
use crate::search::floes;

/// The room of Amazon Penguins.
pub struct AmazonPenguins;

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
    help: include_str!("../../../locales/en/rules/amazon_penguins.md"),
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

impl Room for AmazonPenguins {
    type Position = State;
    type Spoken = notation::Spoken;

    const ABOUT: &'static About = &ABOUT;

    fn start(setup: &Setup) -> Result<State, SetupError> {
        setup.check(&ABOUT)?;
        let board = board_for(setup)?;
        let each = start::pieces(setup, &ABOUT)?;
        let one_fish_only = setup.option(&ABOUT, "placement") == "one-fish";
        start::start(setup, &ABOUT, Ground { board, each, one_fish_only, printed: None }).map(State::new)
    }

    fn board(state: &State) -> &'static Board {
        state.floe().board()
    }

    fn read(text: &str) -> Result<notation::Spoken, Unreadable> {
        notation::read(text)
    }

    fn resolve(state: &State, spoken: &notation::Spoken) -> Result<Move, Refusal> {
        notation::resolve(state, spoken)
    }

    fn steps(state: &State, m: Move) -> Vec<Step> {
        notation::steps(state, m)
    }

    fn to_line(state: &State) -> String {
        line::write(state.floe())
    }

    fn from_line(text: &str) -> Result<State, BadLine> {
        let floe = line::read(text, ABOUT.seats, able)?;
        let board = floe.board();
        if matches!(board.shape(), Shape::Island | Shape::Square { w: 3.., h: 3.. }) {
            Ok(State::new(floe))
        } else {
            Err(BadLine::new(0, Need::of("amazon_penguins-rows")))
        }
    }

    fn themes() -> &'static [&'static Theme] {
        draw::THEMES
    }

    fn scene(state: &State, look: &Look, last: Option<Last<'_, State>>) -> Scene {
        draw::scene(state, look, last)
    }

    fn emblem(_: &State, seat: Seat) -> Stamp {
        penguin::figure(seat)
    }

    fn facts(state: &State) -> Vec<Fact> {
        telling::facts(state.floe())
    }

    fn text_board(state: &State) -> String {
        telling::text_board(state.floe())
    }

    fn claim(state: &State, budget_nodes: u64) -> Claim {
        claim::claim(state.floe(), rules::Rules::TERMS, budget_nodes)
    }

    fn settle(state: &State, budget_nodes: u64) -> Option<Settlement<Move>> {
        let (claim, ways) = claim::ways(state.floe(), rules::Rules::TERMS, budget_nodes);
        Settlement::of(state, claim, ways)
    }

    fn holds(state: &State) -> Vec<Hold> {
        telling::holds(state.floe())
    }

    fn think(state: &State, ask: &Ask) -> Option<Thought<Move>> {
        floes::think(state, ask, &eval::WEIGHTS)
    }

    fn lesson() -> &'static [Task] {
        lesson::TASKS
    }

    fn measures() -> &'static [(&'static str, Thinker<Self>)] {
        floes::measures()
    }
}
