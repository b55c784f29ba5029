//! The initial floe of a setup.

use super::layout::{self, Layout};
use super::{Floe, Phase};
use rookery_core::rules::{GameInfo, PositionParseError, Setup, SetupError, parse_size};
use rookery_core::{Board, Requirement, Seat};

/// A floe before its tiles are laid.
#[derive(Clone, Copy, Debug)]
pub struct Ground {
    /// The board to lay tiles on.
    pub board: &'static Board,
    /// Number of pieces of each seat.
    pub each: usize,
    /// Whether pieces are placed on one-fish tiles only.
    pub one_fish_only: bool,
    /// A layout defined by the game, in the format of [`layout::read`].
    pub printed: Option<&'static str>,
}

/// The first position: with the given layout, a random one, or none yet if the players lay the tiles in turn (option
/// `layout`, value `in-turn`).
///
/// # Errors
/// If the text is not a layout of that board, has too few tiles, or conflicts with another choice of layout, or if the
/// board has fewer cells than there are pieces.
pub(crate) fn start(setup: &Setup, info: &GameInfo, ground: Ground) -> Result<Floe, SetupError> {
    let in_turn = setup.option(info, "layout") == "in-turn";
    let text = setup.layout.as_deref().filter(|text| !text.trim().is_empty());
    if text.is_some() && (in_turn || ground.printed.is_some()) {
        return Err(SetupError::Conflict { rule: "penguins-layout-twice", about: Vec::new() });
    }
    let pieces = setup.seats * ground.each;
    if ground.board.len() < pieces {
        let about = vec![ground.board.len().to_string(), pieces.to_string()];
        return Err(SetupError::Conflict { rule: "penguins-few-cells", about });
    }
    let mut floe = Floe::bare(ground.board, setup.seats, ground.each, ground.one_fish_only);
    if in_turn && floe.next_chip().is_some() {
        return Ok(floe);
    }
    let tiles = match text.or(ground.printed) {
        Some(text) => read(text, ground.board, pieces)?.tiles,
        None => layout::random(ground.board, setup.seed),
    };
    tiles.into_iter().for_each(|(cell, fish)| floe.lay(cell, fish));
    floe.begin(Phase::Place, Seat::FIRST);
    Ok(floe)
}

/// The number of pieces of each seat, from the option `pieces`.
///
/// # Errors
/// If the option is not a number.
pub(crate) fn pieces(setup: &Setup, info: &GameInfo) -> Result<usize, SetupError> {
    let value = setup.option(info, "pieces");
    let bad = || SetupError::bad_value(info, "pieces", value);
    value.parse().map_err(|_| bad())
}

/// The square board of the option `size`.
///
/// # Errors
/// If the option is not a size.
pub(crate) fn square(setup: &Setup, info: &GameInfo) -> Result<&'static Board, SetupError> {
    let value = setup.option(info, "size");
    let bad = || SetupError::bad_value(info, "size", value);
    parse_size(value).map(|(w, h)| Board::square(w, h)).ok_or_else(bad)
}

fn read(text: &str, board: &'static Board, pieces: usize) -> Result<Layout, SetupError> {
    let layout = layout::read(text, Some(board)).map_err(SetupError::BadLayout)?;
    if layout.tiles.len() < pieces {
        let wanted = Requirement::of("floe-few-tiles").with(pieces).with(layout.tiles.len());
        return Err(SetupError::BadLayout(PositionParseError::new(0, wanted)));
    }
    Ok(layout)
}
