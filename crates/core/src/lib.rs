//! The types that every game, player and picture uses.
//!
//! This crate depends on no game, clock, channel, pixel, file or socket. In reading order: cells and boards
//! ([`CellSet`], [`Lines`], [`Board`], [`bitboard`]); the traits of a [`position`] and a game ([`rules`]) and their
//! type-erased forms ([`game`]); how moves are parsed ([`Reader`]), split into steps ([`menu`]) and refused
//! ([`IllegalMove`]), and errors in the text of a position ([`Requirement`]); requests to computer players ([`player`])
//! and their helper threads ([`helper_threads`]); the remaining gains ([`EndgameCount`]) and the end that they prove
//! ([`Settlement`]); a rule that games share ([`Pie`]); analysis of a position ([`Analysis`]); drawings ([`scene`]) and where cells are
//! on them ([`cell_centres()`]).
//! `conformance` is the conformance suite (feature `testing`).

mod analysis;
pub mod bitboard;
pub mod board;
mod cell_centres;
mod cellset;
#[cfg(any(test, feature = "testing"))]
pub mod conformance;
mod endgame_count;
mod facts;
pub mod game;
mod geometry;
pub mod helper_threads;
mod hex;
pub mod lesson;
mod lines;
pub mod menu;
pub mod motion;
mod move_error;
mod outcome;
pub mod ownership;
#[cfg(feature = "testing")]
pub mod parse_counter;
mod pie;
pub mod player;
pub mod position;
mod position_edit;
pub mod printed_page;
mod reader;
mod repetitions;
mod requirement;
pub mod rules;
pub mod scene;
mod seat;
pub mod seed;
mod settlement;
mod short_form;
pub mod square;
pub mod svg;

pub use analysis::{Analysis, Line};
pub use board::{Board, Coordinate};
pub use cell_centres::cell_centres;
pub use cellset::{Cell, CellSet, Cells};
pub use endgame_count::{EndgameCount, OwnedRegion};
pub use facts::Fact;
pub use game::{Game, Play};
pub use lines::{Dir, Lines};
pub use menu::{Choice, Menu, Step, StepKind};
pub use move_error::{Blocker, IllegalMove, MoveError, MovePart};
pub use outcome::{Outcome, Reason, Score};
pub use ownership::{CellOwnership, Reach};
pub use pie::Pie;
pub use position::Position;
pub use position_edit::{EditError, EditorPiece, MAX_POINTS, PositionEdit};
pub use reader::{Expected, MoveParseError, Reader, placed_words};
pub use repetitions::Repetitions;
pub use requirement::Requirement;
pub use rules::GameRules;
pub use seat::{MAX_SEATS, Seat};
pub use settlement::Settlement;
