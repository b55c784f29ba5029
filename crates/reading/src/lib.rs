//! From a picture of a board that Rookery drew to its position: a screenshot or a saved picture, smaller or larger, cropped,
//! packed as JPEG, with other things around it, slightly turned, or photographed from a screen.
//!
//! The main path is [`Reader::read`]: the colours of the themes say which boards it may be and where (`palette`); the
//! distance at which the picture repeats says how large the cells are (`lattice`); the mean of sample games, laid over the
//! picture at that size, says where the board is (`mean`, `search`, `align`); each cell is compared with how its contents are
//! drawn (`look`); and the whole board is drawn again with what was read, and with the alternatives, and compared (`decide`).
//! In Penguin Soccer and Amoeba, where pieces cover more than their cell, pieces are looked for one by one instead (`figures`).
//! What differs from every drawing is reported as unclear.
//!
//! If that finds no board, the picture may be a photograph (`reader/photograph`): then the tilt is taken at which it repeats best
//! (`reader/tilt`), all kinds of boards are looked for by their light and shade alone (`reader/views`), and the one that is found
//! is turned upright and gets its drawn colours back (`light`, `reader/photographed`). A picture that no board explains is refused.
//!
//! A photograph of a sheet of Paper Pen-guins that was printed and filled in by hand has a path of its own (`sheet`), which
//! begins with the four squares in the sheet's corners.

mod align;
mod content;
mod decide;
mod figures;
mod fourier;
mod geometry;
mod kind;
mod lattice;
mod light;
mod linear;
mod look;
mod mean;
mod palette;
mod plane;
mod projection;
mod reader;
mod search;
mod sheet;
mod verdict;

pub use content::{Content, Manner, Part, content_of, parts, with_content};
pub use reader::Reader;

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageReader, Limits, RgbImage};
use rookery_core::{Cell, Play};
use thiserror::Error;

/// The largest width and height of a picture in pixels.
pub const MAX_SIDE: u32 = 6_000;
/// The most memory for unpacking a picture, in bytes.
const MAX_UNPACKED: u64 = 128 << 20;

/// What a picture shows.
pub struct Reading {
    /// A game that starts with the position; the last move is played if the picture shows it.
    pub play: Box<dyn Play>,
    /// The name of the board's theme; `print` for a printed sheet.
    pub theme: &'static str,
    /// The cells that may hold something else.
    pub unclear: Vec<Cell>,
}

/// Why a picture was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// The file is no PNG, JPEG, WebP or GIF, or is damaged or too large.
    #[error("the file is no PNG, JPEG, WebP or GIF of at most {MAX_SIDE} pixels a side")]
    NotAPicture,
    /// No board that Rookery drew explains the picture, or a part of the board or of a printed sheet is missing.
    #[error("the picture shows no whole board that Rookery drew")]
    NoBoard,
}

/// Unpacks a picture, turned as its file says: phones save pictures as the camera was held.
///
/// # Errors
/// [`ReadError::NotAPicture`].
pub fn unpack(bytes: &[u8]) -> Result<RgbImage, ReadError> {
    let mut reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|_| ReadError::NotAPicture)?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_UNPACKED);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|_| ReadError::NotAPicture)?;
    // A damaged note about the orientation says nothing.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    if decoder.total_bytes() > MAX_UNPACKED {
        return Err(ReadError::NotAPicture);
    }
    let picture = DynamicImage::from_decoder(decoder).map_err(|_| ReadError::NotAPicture)?;
    let mut picture = DynamicImage::ImageRgb8(picture.into_rgb8());
    picture.apply_orientation(orientation);
    Ok(picture.into_rgb8())
}
