//! What every game, player and picture is made of.
//!
//! It depends on no game, clock, channel, pixel, file or socket. In reading order: cells and boards
//! ([`CellSet`], [`Lines`], [`Board`], [`plane`]); what a game is ([`rules`]) and how its types are erased
//! ([`game`]); how moves are parsed ([`Reader`]), split into steps ([`menu`]) and refused ([`Refusal`]), and errors
//! in the text of a position ([`Need`]); requests to computer players ([`player`]) and their helper threads
//! ([`company`]); counts of what is left ([`Claim`]) and the end by them ([`Settlement`]); a rule that games share
//! ([`Pie`]); analysis of a position ([`Analysis`]); drawings ([`scene`]). `promises` is the conformance suite
//! (feature `testing`).

mod analysis;
pub mod board;
mod cellset;
mod claim;
pub mod company;
mod facts;
pub mod game;
mod hex;
pub mod hold;
pub mod lesson;
mod lines;
pub mod menu;
mod need;
mod outcome;
mod pie;
pub mod plane;
pub mod player;
#[cfg(any(test, feature = "testing"))]
pub mod promises;
mod reader;
mod refusal;
mod repeats;
pub mod rules;
pub mod scene;
mod seat;
pub mod seed;
mod settlement;
mod short;
pub mod square;
pub mod svg;

pub use analysis::{Analysis, Line};
pub use board::{Board, Spot};
pub use cellset::{Cell, CellSet, Cells};
pub use claim::{Claim, Domain};
pub use facts::Fact;
pub use game::{Game, Play};
pub use hold::Hold;
pub use lines::{Dir, Lines};
pub use menu::{Choice, Menu, Part, Step};
pub use need::Need;
pub use outcome::{Outcome, Reason, Score};
pub use pie::Pie;
pub use reader::{Reader, Unreadable, Wanted, placed_words};
pub use refusal::{Blocker, Leg, Refusal, Wrong};
pub use repeats::Repeats;
pub use rules::{Position, Room};
pub use seat::{MOST_SEATS, Seat};
pub use settlement::Settlement;
