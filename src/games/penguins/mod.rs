//! Penguins, known as Hey! That's My Fish!: penguins slide over an ice floe of sixty tiles, and each
//! takes the tile that it leaves.
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

impl Room for Penguins {
    type Position = State;
    type Spoken = notation::Spoken;

    const ABOUT: &'static About = &ABOUT;

    fn start(setup: &Setup) -> Result<State, SetupError> {
        setup.check(&ABOUT)?;
        let one_fish_only = setup.option(&ABOUT, "placement") == "one-fish";
        let (board, each) = (Board::of(Shape::Island), each(setup.seats));
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
        if matches!(board.shape(), Shape::Island) {
            Ok(State::new(floe))
        } else {
            Err(BadLine::new(0, Need::of("penguins-island")))
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

/// Penguins of each player: four for two, three for three, two for four players.
fn each(seats: usize) -> usize {
    match seats {
        2 => 4,
        3 => 3,
        _ => 2,
    }
}
