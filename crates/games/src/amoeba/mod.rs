//! Amoeba: stacks that go as far as they are high, whole or dropping piece by piece, after a Kernel.
//!
//! In reading order: stacks, positions and moves ([`rules`]), refusals, notation, the position in a
//! line (`line`, with its grammar).
//!
//! Points that the printed sources leave open, as they are settled here:
//! - After every move the mover's success counts first; then, if the mover has given its own Kernel
//!   away, the other side wins at once.
//! - A position that comes up for the third time ends the game: more controlled stacks win, equal
//!   numbers are a draw.
//! - The offer to end and count stacks is the table's. It is no count of [`Room::claim`]: nothing can
//!   prove here how a game would go on, so an offered count needs the other side's yes, and
//!   [`Position::scores`](rookery_core::Position::scores) has the numbers.

mod draw;
mod eval;
mod fast;
mod head;
mod lesson;
mod line;
#[cfg(test)]
mod naive;
mod notation;
mod refuse;
pub mod rules;
mod stack;
#[cfg(test)]
mod tests;
mod text;

use rookery_core::lesson::Task;
use rookery_core::player::{Ask, Thought};
use rookery_core::rules::{About, BadLine, Last, Setup, SetupError, Thinker};
use rookery_core::scene::{Look, Scene, Stamp, Theme};
use rookery_core::{Board, Claim, Fact, Part, Pie, Refusal, Room, Seat, Step, Unreadable};
use rookery_search::yardstick;

pub use notation::Spoken;
pub use rules::{Amoeba, Move};

/// What is known about the game.
static ABOUT: About = About {
    key: "amoeba",
    name: "Amoeba",
    designers: &["Masahiro Nakajima"],
    seats: &[2],
    sides: &["dark", "light"],
    options: &[Pie::OPTION],
    has_layout: false,
    has_draws: true,
    stops_by_points: true,
    rules: refuse::RULES,
    help: include_str!("../../../../locales/en/rules/amoeba.md"),
};

/// The rules of Amoeba.
#[derive(Debug)]
pub struct AmoebaRoom;

impl Room for AmoebaRoom {
    type Position = Amoeba;
    type Spoken = Spoken;

    const ABOUT: &'static About = &ABOUT;

    fn start(setup: &Setup) -> Result<Amoeba, SetupError> {
        setup.check(&ABOUT)?;
        let start = line::read(line::START).map_err(SetupError::BadLayout)?;
        Ok(start.with_pie(Pie::at_start(setup, &ABOUT)))
    }

    fn board(_: &Amoeba) -> &'static Board {
        rules::board()
    }

    fn read(text: &str) -> Result<Spoken, Unreadable> {
        notation::read(text)
    }

    fn resolve(position: &Amoeba, spoken: &Spoken) -> Result<Move, Refusal> {
        notation::resolve(position, spoken)
    }

    fn steps(position: &Amoeba, m: Move) -> Vec<Step> {
        notation::steps(position, m)
    }

    fn heading(position: &Amoeba, side: Seat, taken: &[String], step: &Step) -> Option<u8> {
        let from = taken.first().and_then(|stack| rules::board().named(stack));
        let (from, to) = from.zip(step.cell.filter(|_| step.part == Part::Goal))?;
        Some(draw::heading(position, side, from, to))
    }

    fn to_line(position: &Amoeba) -> String {
        line::write(position)
    }

    fn from_line(text: &str) -> Result<Amoeba, BadLine> {
        line::read(text)
    }

    fn themes() -> &'static [&'static Theme] {
        draw::THEMES
    }

    fn scene(position: &Amoeba, look: &Look, last: Option<Last<'_, Amoeba>>) -> Scene {
        draw::scene(position, look, last)
    }

    fn emblem(position: &Amoeba, seat: Seat) -> Stamp {
        draw::emblem(position, seat)
    }

    fn facts(position: &Amoeba) -> Vec<Fact> {
        text::facts(position)
    }

    fn text_board(position: &Amoeba) -> String {
        text::text_board(position)
    }

    fn claim(_: &Amoeba, _: u64) -> Claim {
        Claim::None
    }

    fn think(position: &Amoeba, ask: &Ask) -> Option<Thought<Move>> {
        eval::think(position, ask)
    }

    fn lesson() -> &'static [Task] {
        lesson::TASKS
    }

    fn measures() -> &'static [(&'static str, Thinker<Self>)] {
        &[("greedy", eval::greedy), ("uct", yardstick::uct)]
    }
}
