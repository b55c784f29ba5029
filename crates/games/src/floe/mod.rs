//! A floe: cells with one to three fish, pieces on some of them, and the result of each seat so far.
//!
//! The penguin games are played on it. Each game expresses its moves in the operations of [`Floe`] ([`Floe::lay`],
//! [`Floe::put`], [`Floe::remove_piece`], [`Floe::remove_tile`], [`Floe::credit`], [`Floe::pass_on`]), which keep the sets and the
//! hash consistent. All of them share layouts ([`layout`]), position lines (`mod@line`), notation (`notation`),
//! legality checks (`legality`) and the count of the remaining gains (`endgame_count`, `reachable_tiles`).

mod batch;
mod board_ops;
pub(crate) mod description;
pub(crate) mod edit;
pub(crate) mod endgame_count;
pub(crate) mod evaluation;
pub mod fit;
mod hashing;
pub mod layout;
pub(crate) mod lead_bounds;
pub(crate) mod legality;
pub(crate) mod line;
pub(crate) mod notation;
pub(crate) mod player;
pub(crate) mod reachable_tiles;
mod regions;
pub(crate) mod start;
pub(crate) mod state;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod variant;

use rookery_core::{Board, Cell, CellSet, MAX_SEATS, Score, Seat};

/// One turn of a penguin game: laying a chip or placing a piece on `to`, or moving a piece `from` one cell `to` another
/// and, in Amazon Penguins, spearing a third.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The origin of the piece; `None` while chips are laid and pieces placed.
    pub from: Option<Cell>,
    /// The cell of the chip or the placed piece, or the goal of the move.
    pub to: Cell,
    /// The speared cell, in games whose moves end with a shot.
    pub spear: Option<Cell>,
}

impl Move {
    /// Lays a chip or places a piece.
    pub fn set(to: Cell) -> Move {
        Move { from: None, to, spear: None }
    }

    /// Moves a piece from cell to cell.
    pub fn go(from: Cell, to: Cell) -> Move {
        Move { from: Some(from), to, spear: None }
    }
}

/// The maximum number of pieces of a seat.
pub const MAX_PIECES: usize = 8;

/// The phase of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The players lay the chips: threes first, then twos.
    Lay,
    /// The players place their pieces.
    Place,
    /// Pieces move and take tiles.
    Move,
    /// No piece can move any more.
    Over,
}

/// The tiles and points that a seat has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Taken {
    /// Points: fish, or points in Paper Pen-guins.
    pub points: u16,
    /// Tiles or chips, in games that count them.
    pub tiles: u16,
}

/// The state of a penguin game, with an incrementally updated hash.
#[derive(Clone, PartialEq, Eq)]
pub struct Floe {
    board: &'static Board,
    seats: u8,
    each: u8,
    one_fish_only: bool,
    tiles: CellSet,
    twos: CellSet,
    threes: CellSet,
    standing: CellSet,
    pieces: [CellSet; MAX_SEATS],
    taken: [Taken; MAX_SEATS],
    retired: u8,
    phase: Phase,
    turn: Seat,
    hash: u64,
}

impl std::fmt::Debug for Floe {
    /// The position line, which contains the whole state.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&line::write(self))
    }
}

impl Floe {
    /// A floe without tiles, for `seats` players with `each` pieces.
    pub fn bare(board: &'static Board, seats: usize, each: usize, one_fish_only: bool) -> Floe {
        let mut floe = Floe {
            board,
            seats: seats as u8,
            each: each as u8,
            one_fish_only,
            tiles: CellSet::EMPTY,
            twos: CellSet::EMPTY,
            threes: CellSet::EMPTY,
            standing: CellSet::EMPTY,
            pieces: [CellSet::EMPTY; MAX_SEATS],
            taken: [Taken::default(); MAX_SEATS],
            retired: 0,
            phase: Phase::Lay,
            turn: Seat::FIRST,
            hash: 0,
        };
        floe.hash = floe.fresh_hash();
        floe
    }

    /// The board of the floe.
    pub fn board(&self) -> &'static Board {
        self.board
    }

    /// The number of seats.
    pub fn seats(&self) -> usize {
        self.seats.into()
    }

    /// The number of pieces of every seat.
    pub fn each(&self) -> usize {
        self.each.into()
    }

    /// Whether pieces are placed on one-fish tiles only, while one is free.
    pub fn one_fish_only(&self) -> bool {
        self.one_fish_only
    }

    /// The current phase.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The seat to move.
    pub fn turn(&self) -> Seat {
        self.turn
    }

    /// The cells with a tile or chip, including those under pieces.
    pub fn tiles(&self) -> CellSet {
        self.tiles
    }

    /// The cells with a tile or chip and no piece.
    pub fn free(&self) -> CellSet {
        self.tiles & !self.standing
    }

    /// The cells with `fish` (1 to 3) fish, including those under pieces.
    pub fn with_fish(&self, fish: u8) -> CellSet {
        match fish {
            1 => self.tiles & !self.twos & !self.threes,
            2 => self.twos,
            _ => self.threes,
        }
    }

    /// The fish on a cell, 1 to 3; 0 if there is no tile.
    pub fn fish(&self, cell: Cell) -> u8 {
        u8::from(self.tiles.has(cell)) + u8::from(self.twos.has(cell)) + 2 * u8::from(self.threes.has(cell))
    }

    /// The total fish on a set of cells.
    pub fn fish_on(&self, set: CellSet) -> u32 {
        let count = |part: CellSet| (set & part).len() as u32;
        count(self.tiles) + count(self.twos) + 2 * count(self.threes)
    }

    /// The cells with a piece of any seat.
    pub fn standing(&self) -> CellSet {
        self.standing
    }

    /// The cells with a piece of this seat.
    pub fn pieces(&self, seat: Seat) -> CellSet {
        self.pieces[seat.index()]
    }

    /// The owner of the piece on a cell.
    pub fn owner(&self, cell: Cell) -> Option<Seat> {
        if !self.standing.has(cell) {
            return None;
        }
        Seat::all(self.seats()).find(|seat| self.pieces(*seat).has(cell))
    }

    /// The result of a seat without the tiles under its pieces.
    pub fn taken(&self, seat: Seat) -> Taken {
        self.taken[seat.index()]
    }

    /// The result of a seat including the tiles under its pieces.
    pub fn with_standing(&self, seat: Seat) -> Score {
        let under = self.pieces(seat);
        let taken = self.taken(seat);
        Score {
            points: u32::from(taken.points) + self.fish_on(under),
            tiles: Some(u32::from(taken.tiles) + under.len() as u32),
        }
    }

    /// Whether a seat has resigned: it keeps its result, its pieces stay, and its turns are skipped.
    pub fn is_retired(&self, seat: Seat) -> bool {
        self.retired >> seat.index() & 1 == 1
    }

    /// The value of the next chip to lay; `None` if only ones are left.
    pub fn next_chip(&self) -> Option<u8> {
        let [_, twos, threes] = layout::proportions(self.board.len());
        if self.threes.len() < threes { Some(3) } else { (self.twos.len() < twos).then_some(2) }
    }

    /// The number of twos and threes still to be laid.
    pub fn chips_to_lay(&self) -> usize {
        let [_, twos, threes] = layout::proportions(self.board.len());
        twos.saturating_sub(self.twos.len()) + threes.saturating_sub(self.threes.len())
    }

    /// The cells where a chip may be laid or a piece placed now; empty once pieces move.
    pub fn placement_cells(&self) -> CellSet {
        match self.phase {
            Phase::Lay => self.board.all() & !self.tiles,
            Phase::Place => {
                let free = self.free();
                let ones = free & self.with_fish(1);
                if self.one_fish_only && !ones.is_empty() { ones } else { free }
            }
            Phase::Move | Phase::Over => CellSet::EMPTY,
        }
    }
}
