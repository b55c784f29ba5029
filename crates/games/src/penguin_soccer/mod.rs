//! Penguin Soccer: families of three that slide, spin, tackle and kick a ball across the ice.
//!
//! In reading order: the field and what happens on it ([`field`]), positions and turns ([`rules`]),
//! refusals, notation, the position in a line (`line`, with its grammar).
//!
//! Points that the printed sources leave open, as they are settled here:
//! - A family without a legal turn is skipped; if nobody has one, all who still play share a draw.
//! - Nothing stops the same position from coming up again and again, unless the table agreed on
//!   `repetition: draw`; then the third time is a draw.
//! - In a game of four a family that gives up is skipped from then on. Its penguins stay and can be
//!   tackled and pushed; its goal counts for nobody, and its Home is a square like any other, so that
//!   a ball lying there can still be fetched.

mod draw;
mod eval;
pub mod field;
mod lesson;
mod line;
mod look;
#[cfg(test)]
mod naive;
mod notation;
mod refuse;
pub mod rules;
#[cfg(test)]
mod tests;
mod text;

use crate::art::penguin;
use rookery_core::lesson::Task;
use rookery_core::player::{Ask, Thought};
use rookery_core::rules::{About, Allowed, BadLine, Last, OptionSpec, Setup, SetupError, Thinker};
use rookery_core::scene::{Look, Scene, Stamp, Theme};
use rookery_core::square::COMPASS;
use rookery_core::{Board, Claim, Fact, Part, Refusal, Room, Seat, Step, Unreadable};
use rookery_search::yardstick;

pub use notation::Spoken;
pub use rules::{Act, Move, Soccer};

/// What is known about the game.
static ABOUT: About = About {
    key: "penguin_soccer",
    name: "Penguin Soccer",
    designers: &["Avri Klemer"],
    seats: &[2, 4],
    sides: &["orange", "blue", "yellow", "claret"],
    options: &[OptionSpec { key: "repetition", allowed: Allowed::OneOf(&["off", "draw"]), default: "off" }],
    has_layout: false,
    has_draws: true,
    stops_by_points: false,
    rules: refuse::RULES,
    help: include_str!("../../../../locales/en/rules/penguin_soccer.md"),
};

/// The rules of Penguin Soccer.
#[derive(Debug)]
pub struct PenguinSoccer;

impl Room for PenguinSoccer {
    type Position = Soccer;
    type Spoken = Spoken;

    const ABOUT: &'static About = &ABOUT;

    fn start(setup: &Setup) -> Result<Soccer, SetupError> {
        setup.check(&ABOUT)?;
        let start = Soccer::new(field::Field::new(setup.seats), Seat::FIRST);
        let draws = setup.option(&ABOUT, "repetition") == "draw";
        Ok(if draws { start.drawn_by_repetition(1) } else { start })
    }

    fn board(_: &Soccer) -> &'static Board {
        field::board()
    }

    fn read(text: &str) -> Result<Spoken, Unreadable> {
        notation::read(text)
    }

    fn resolve(position: &Soccer, spoken: &Spoken) -> Result<Move, Refusal> {
        notation::resolve(position, spoken)
    }

    fn steps(position: &Soccer, m: Move) -> Vec<Step> {
        notation::steps(position, m)
    }

    fn heading(position: &Soccer, side: Seat, _taken: &[String], step: &Step) -> Option<u8> {
        let dir = COMPASS.iter().position(|(name, ..)| *name == step.text);
        dir.filter(|_| step.part == Part::Direction).map(|dir| draw::heading(position, side, dir))
    }

    fn to_line(position: &Soccer) -> String {
        line::write(position)
    }

    fn from_line(text: &str) -> Result<Soccer, BadLine> {
        line::read(text)
    }

    fn themes() -> &'static [&'static Theme] {
        draw::THEMES
    }

    fn scene(position: &Soccer, look: &Look, last: Option<Last<'_, Soccer>>) -> Scene {
        draw::scene(position, look, last)
    }

    fn emblem(_: &Soccer, seat: Seat) -> Stamp {
        penguin::figure(seat)
    }

    fn facts(position: &Soccer) -> Vec<Fact> {
        text::facts(position)
    }

    fn text_board(position: &Soccer) -> String {
        text::text_board(position)
    }

    /// Nothing is ever left to count: one ball, and a goal for each.
    fn claim(_: &Soccer, _: u64) -> Claim {
        Claim::None
    }

    fn think(position: &Soccer, ask: &Ask) -> Option<Thought<Move>> {
        eval::think(position, ask)
    }

    fn lesson() -> &'static [Task] {
        lesson::TASKS
    }

    fn measures() -> &'static [(&'static str, Thinker<Self>)] {
        &[("greedy", eval::greedy), ("uct", yardstick::uct)]
    }
}
