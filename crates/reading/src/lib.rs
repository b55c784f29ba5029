//! From a picture of a board that Rookery drew to its position: a screenshot or a saved picture, smaller or larger, cropped,
//! packed as JPEG, with other things around it, slightly turned, or photographed from a screen.
//!
//! The main path is [`Reader::read`]: the colours of the themes say which boards it may be and where (`palette`); the straight
//! edges of the whole drawing say where its cells are (`quadrilateral`, `reader/outlines`), and an alignment with the mean of
//! sample games makes that exact (`mean`, `align`); each cell is compared with how its contents are drawn (`look`, `compare`); and the whole
//! board is drawn again with what was read, and with the alternatives, and compared (`decide`). In Penguin Soccer and Amoeba, where
//! pieces cover more than their cell, pieces are looked for one by one instead (`figures`). What differs from every drawing is
//! reported as unclear.
//!
//! If the edges are cut off or can't be seen, the distance at which the picture repeats says how large the cells are (`lattice`),
//! and the mean, laid over the picture at that size, says where the board is (`search`).
//!
//! If that finds no board, the picture may be a photograph (`reader/photograph`); one of many shades is taken for a photograph
//! before the search by repetition, which takes longest. Boards whose drawings seem to be there by their edges are tried first, in
//! other light; then the edges of the drawing on the screen, or of all its square cells, are looked for. Without them, the tilt is
//! taken at which the photograph repeats best (`reader/tilt`), and all kinds of boards are looked for by their light and shade alone
//! (`reader/views`). The board that is found is turned upright and gets its drawn colours back (`light`, `small_cells`,
//! `reader/photograph_candidate`). A picture that no board explains is refused.
//!
//! A photograph of a sheet of Paper Pen-guins that was printed and filled in by hand has a path of its own (`sheet`), which
//! begins with the four squares in the sheet's corners.

mod align;
mod compare;
mod content;
mod decide;
mod figures;
mod geometry;
mod kind;
mod lattice;
mod light;
mod linear;
mod look;
mod mean;
mod palette;
mod plane;
mod points;
mod projection;
mod quadrilateral;
mod reader;
mod search;
mod sheet;
mod small_cells;
mod turn;
mod unpack;
mod verdict;

pub use content::{Content, Manner, Part, content_of, parts, with_content};
pub use reader::Reader;
pub use turn::with_turn;
pub use unpack::{Unpacked, unpack};

use rookery_core::{Cell, Play};
use thiserror::Error;

/// The least width and height of a picture that is read, in pixels.
pub const MIN_SIDE: u32 = 150;
/// The largest width and height of a picture in pixels.
pub const MAX_SIDE: u32 = 6_000;

/// What a picture shows.
pub struct Reading {
    /// A game that starts with the position; the last move is played if the picture shows it.
    pub play: Box<dyn Play>,
    /// Whether the picture shows whose turn it is, by the last move or by the mark of the player to move.
    pub is_turn_shown: bool,
    /// Whether the points of all players, and the tiles that they took where these count, were read from the numbers beside the board.
    /// Otherwise the position has only those of the last move. Never in games without such numbers.
    pub are_points_shown: bool,
    /// The name of the board's theme; `print` for a printed sheet.
    pub theme: &'static str,
    /// The cells that may hold something else.
    pub unclear: Vec<Cell>,
    /// The cells that don't look as they were read, but can only hold something else if one of the unclear ones does.
    pub dependent: Vec<Cell>,
    /// The same board seen from the other end, if nothing in the picture tells from which end it is seen: its letters and numbers
    /// are cut off.
    pub turned: Option<Box<Reading>>,
}

/// What the picture in a file shows.
pub struct FileReading {
    /// What the picture shows.
    pub reading: Reading,
    /// The number of frames of an animated GIF, whose last one was read, otherwise 1.
    pub frames: usize,
}

/// Why a picture was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// The file is no PNG, JPEG, WebP or GIF.
    #[error("the file is no PNG, JPEG, WebP or GIF")]
    NotAPicture,
    /// The picture has more pixels than are unpacked, or an animation has with all its frames.
    #[error("the picture has more than {MAX_SIDE} pixels in one direction, or takes too much memory")]
    TooLarge,
    /// The file is a picture that was cut off or damaged.
    #[error("the file is damaged or incomplete")]
    Broken,
    /// The picture is smaller than the smallest that are read.
    #[error("the picture has fewer than {MIN_SIDE} pixels in one direction")]
    TooSmall,
    /// No board that Rookery drew explains the picture, or a part of the board or of a printed sheet is missing.
    #[error("the picture shows no whole board that Rookery drew")]
    NoBoard,
    /// A place in the picture looks like a board that Rookery drew, but its cells don't.
    #[error("the picture seems to show a board, but its cells aren't clear")]
    Unclear,
}

impl ReadError {
    /// Why a picture was not read in two ways, one after the other: a board that seems to be there is mentioned.
    pub(crate) fn or(self, other: ReadError) -> ReadError {
        if self == ReadError::NoBoard { other } else { self }
    }
}
