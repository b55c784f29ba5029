//! A floe as facts and in plain characters.

use super::{Floe, Phase};
use rookery_core::board::Shape;
use rookery_core::{Cell, CellOwnership, CellSet, Fact, Reach, Seat, ownership};

/// The content of a floe's picture: pieces, tiles with their fish, and cells without a tile.
pub(crate) fn facts(floe: &Floe) -> Vec<Fact> {
    let pieces = Seat::all(floe.seats()).map(|seat| Fact::pieces(seat, floe.pieces(seat)));
    let fish = [(3, "fish-3"), (2, "fish-2"), (1, "fish-1")];
    let fish = fish.map(|(fish, key)| Fact::cells(key, floe.with_fish(fish)));
    let gone = Fact::gone(floe.board().all() & !floe.tiles());
    pieces.chain(fish).chain([gone]).filter(|fact| !fact.cells.is_empty()).collect()
}

/// The board in plain characters: the fish on each tile, `.` for no tile; a letter from `A` on for a seat's piece,
/// before the fish under it.
pub(crate) fn text_board(floe: &Floe) -> String {
    let board = floe.board();
    let (gap, shift) = if board.shape() == Shape::Island { (4, 2) } else { (3, 0) };
    let (width, height) = extent(floe);
    let row = |row: u8| {
        let cells = (0..width).map_while(|col| board.at(col, row));
        let cells: String = cells.map(|cell| format!("{:>gap$}", sign(floe, cell))).collect();
        let indent = usize::from(row % 2) * shift;
        format!("{:>2}{:indent$}{cells}", row + 1, "")
    };
    let letters: String = (0..width).map(|col| format!("{:>gap$}", char::from(b'a' + col))).collect();
    let rows = (0..height).rev().map(row);
    rows.chain([format!("  {letters}")]).collect::<Vec<_>>().join("\n")
}

fn extent(floe: &Floe) -> (u8, u8) {
    let places = || floe.board().cells().map(|cell| floe.board().place(cell));
    let most = |last: Option<u8>| last.map_or(0, |last| last + 1);
    (most(places().map(|(col, _)| col).max()), most(places().map(|(_, row)| row).max()))
}

fn sign(floe: &Floe, cell: Cell) -> String {
    match (floe.owner(cell), floe.fish(cell)) {
        (Some(seat), fish) => format!("{}{fish}", char::from(b'A' + seat.index() as u8)),
        (None, 0) => ".".to_owned(),
        (None, fish) => fish.to_string(),
    }
}

/// Who can still reach which free cells. While pieces are placed, all of them are open to everybody.
pub(crate) fn reach(floe: &Floe) -> Reach {
    let moving = |seat| if floe.is_retired(seat) { CellSet::EMPTY } else { floe.pieces(seat) };
    let pieces: Vec<CellSet> = Seat::all(floe.seats()).map(moving).collect();
    if matches!(floe.phase(), Phase::Lay | Phase::Place) {
        return Reach { alone: vec![CellSet::EMPTY; pieces.len()], shared: floe.free() };
    }
    Reach::of(&floe.board().lines().regions(floe.tiles()), floe.free(), &pieces)
}

/// The estimated owner of each free cell; the pieces of resigned seats don't move.
pub(crate) fn ownership(floe: &Floe) -> Vec<CellOwnership> {
    let moving = |seat| if floe.is_retired(seat) { CellSet::EMPTY } else { floe.pieces(seat) };
    let pieces: Vec<CellSet> = Seat::all(floe.seats()).map(moving).collect();
    ownership::estimate_ownership(floe.board().lines(), floe.free(), &pieces)
}
