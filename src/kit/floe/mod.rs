//! A floe: cells with one to three fish on them, pieces standing on some, and what each seat has taken.
//!
//! The penguin games are played on it. Each room says what its moves do in the verbs of [`Floe`]
//! ([`Floe::lay`], [`Floe::put`], [`Floe::lift`], [`Floe::melt`], [`Floe::credit`],
//! [`Floe::pass_on`]), which keep the sets and the hash in step; layouts ([`layout`]), the position
//! in text ([`line`]), the reading of moves ([`notation`]), the reasons against them ([`refuse`]) and
//! the counting of what is left ([`claim`], [`harvest`]) are the same for all of them.

pub mod claim;
pub mod greedy;
pub mod harvest;
pub mod layout;
pub mod line;
pub mod notation;
pub mod reach;
pub mod refuse;
pub mod start;
pub mod telling;
#[cfg(test)]
pub(crate) mod trial;

use super::seed::mix;
use super::{Board, Cell, CellSet, MOST_SEATS, Score, Seat};

/// One turn of a penguin game: a chip laid or a piece placed on `to`, or a piece going `from` one
/// cell `to` another, and in Amazon Penguins spearing a third.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Where the piece stood; `None` while chips are laid and pieces placed.
    pub from: Option<Cell>,
    /// Where it goes.
    pub to: Cell,
    /// What is speared from there.
    pub spear: Option<Cell>,
}

impl Move {
    /// A chip laid, or a piece placed.
    pub fn set(to: Cell) -> Move {
        Move { from: None, to, spear: None }
    }

    /// A piece going from cell to cell.
    pub fn go(from: Cell, to: Cell) -> Move {
        Move { from: Some(from), to, spear: None }
    }
}

/// The most pieces that a seat can have.
pub const MOST_PIECES: usize = 8;

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The players lay the threes, then the twos.
    Lay,
    /// The players place their pieces.
    Place,
    /// Pieces move.
    Move,
    /// Nobody can move any more.
    Over,
}

/// What a seat has taken off the floe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Taken {
    /// Fish or points.
    pub points: u16,
    /// Tiles or chips, in games that count them.
    pub tiles: u16,
}

/// The state of a penguin game, with a hash kept up to date.
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
    pieces: [CellSet; MOST_SEATS],
    taken: [Taken; MOST_SEATS],
    retired: u8,
    phase: Phase,
    turn: Seat,
    hash: u64,
}

impl std::fmt::Debug for Floe {
    /// Its line of text, which is all there is to know.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&line::write(self))
    }
}

impl Floe {
    /// A floe without a tile, for `seats` players with `each` pieces.
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
            pieces: [CellSet::EMPTY; MOST_SEATS],
            taken: [Taken::default(); MOST_SEATS],
            retired: 0,
            phase: Phase::Lay,
            turn: Seat::FIRST,
            hash: 0,
        };
        floe.hash = floe.fresh_hash();
        floe
    }

    /// The board it lies on.
    pub fn board(&self) -> &'static Board {
        self.board
    }

    /// How many seats play.
    pub fn seats(&self) -> usize {
        self.seats.into()
    }

    /// How many pieces every seat has.
    pub fn each(&self) -> usize {
        self.each.into()
    }

    /// Whether pieces are placed on one-fish tiles only, while there is a free one.
    pub fn one_fish_only(&self) -> bool {
        self.one_fish_only
    }

    /// What is being done.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Seat {
        self.turn
    }

    /// The cells with a tile or chip on them, those under pieces included.
    pub fn tiles(&self) -> CellSet {
        self.tiles
    }

    /// The cells with a tile or chip and no piece on it.
    pub fn free(&self) -> CellSet {
        self.tiles & !self.standing
    }

    /// The cells with `fish` (1 to 3) fish, those under pieces included.
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

    /// The fish on all cells of a set.
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

    /// Whose piece stands on a cell.
    pub fn owner(&self, cell: Cell) -> Option<Seat> {
        if !self.standing.has(cell) {
            return None;
        }
        Seat::all(self.seats()).find(|seat| self.pieces(*seat).has(cell))
    }

    /// What a seat has taken, without the tiles that it stands on.
    pub fn taken(&self, seat: Seat) -> Taken {
        self.taken[seat.index()]
    }

    /// What a seat has taken and what it stands on.
    pub fn with_standing(&self, seat: Seat) -> Score {
        let under = self.pieces(seat);
        let taken = self.taken(seat);
        Score {
            points: u32::from(taken.points) + self.fish_on(under),
            tiles: Some(u32::from(taken.tiles) + under.len() as u32),
        }
    }

    /// Whether a seat has given up: it keeps what it has, its pieces stay, its turns are skipped.
    pub fn is_retired(&self, seat: Seat) -> bool {
        self.retired >> seat.index() & 1 == 1
    }

    /// What the next chip to be laid shows; `None` once only ones are left.
    pub fn next_chip(&self) -> Option<u8> {
        let [_, twos, threes] = layout::proportions(self.board.len());
        if self.threes.len() < threes { Some(3) } else { (self.twos.len() < twos).then_some(2) }
    }

    /// How many twos and threes are still to be laid.
    pub fn chips_to_lay(&self) -> usize {
        let [_, twos, threes] = layout::proportions(self.board.len());
        twos.saturating_sub(self.twos.len()) + threes.saturating_sub(self.threes.len())
    }

    /// Where a chip may be laid or a piece placed now; empty once pieces move.
    pub fn settings(&self) -> CellSet {
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

/// The verbs: what a move does.
impl Floe {
    /// Puts a tile with so many fish (1 to 3) on a bare cell.
    pub fn lay(&mut self, cell: Cell, fish: u8) {
        self.tiles.insert(cell);
        match fish {
            2 => self.twos.insert(cell),
            3 => self.threes.insert(cell),
            _ => {}
        }
        self.hash ^= tile_key(fish, cell);
    }

    /// Takes the tile off a cell.
    pub fn melt(&mut self, cell: Cell) {
        self.hash ^= tile_key(self.fish(cell), cell);
        self.tiles.remove(cell);
        self.twos.remove(cell);
        self.threes.remove(cell);
    }

    /// Puts a piece of a seat on a cell.
    pub fn put(&mut self, seat: Seat, cell: Cell) {
        self.pieces[seat.index()].insert(cell);
        self.standing.insert(cell);
        self.hash ^= piece_key(seat, cell);
    }

    /// Takes a piece of a seat off a cell.
    pub fn lift(&mut self, seat: Seat, cell: Cell) {
        self.pieces[seat.index()].remove(cell);
        self.standing.remove(cell);
        self.hash ^= piece_key(seat, cell);
    }

    /// Gives a seat more points and tiles.
    pub fn credit(&mut self, seat: Seat, points: u8, tiles: u8) {
        let Taken { points: p, tiles: t } = self.taken(seat);
        self.set_taken(seat, Taken { points: p + u16::from(points), tiles: t + u16::from(tiles) });
    }

    /// Sets what a seat has taken.
    pub fn set_taken(&mut self, seat: Seat, taken: Taken) {
        self.hash ^= taken_key(seat, self.taken(seat)) ^ taken_key(seat, taken);
        self.taken[seat.index()] = taken;
    }

    /// Gives a seat up. The room passes the turn on if it was that seat's.
    pub fn retire(&mut self, seat: Seat) {
        self.hash ^= retired_key(self.retired);
        self.retired |= 1 << seat.index();
        self.hash ^= retired_key(self.retired);
    }

    /// Sets phase and turn.
    pub fn begin(&mut self, phase: Phase, turn: Seat) {
        self.hash ^= turn_key(self.phase, self.turn) ^ turn_key(phase, turn);
        (self.phase, self.turn) = (phase, turn);
    }

    /// Plays a chip laid in turn: threes first, then twos; the rest of the board is filled with ones,
    /// since that leaves nothing to choose.
    pub fn lay_in_turn(&mut self, cell: Cell) {
        self.lay(cell, self.next_chip().unwrap_or(1));
        if self.next_chip().is_some() {
            self.begin(Phase::Lay, self.after(self.turn, |_, _| true));
        } else {
            self.fill_with_ones();
            self.begin(Phase::Place, self.after_or(Seat::FIRST, |_, _| true));
        }
    }

    /// Puts one-fish tiles on all bare cells.
    pub fn fill_with_ones(&mut self) {
        for cell in self.board.all() & !self.tiles {
            self.lay(cell, 1);
        }
    }

    /// Hands the turn to the next seat that can do something; `able` says who can move. After the
    /// last piece is placed the first seat is asked first. If nobody can, the game is over.
    pub fn pass_on(&mut self, able: impl Fn(&Floe, Seat) -> bool + Copy) {
        if self.phase == Phase::Place {
            let next = self.after(self.turn, Floe::has_to_place);
            if !self.is_retired(next) && self.has_to_place(next) {
                return self.begin(Phase::Place, next);
            }
            return self.settle(Seat::FIRST, able);
        }
        self.settle(self.turn.next(self.seats()), able);
    }

    /// Goes on in a phase with a seat, or with the next that can.
    pub fn resume(&mut self, phase: Phase, turn: Seat, able: impl Fn(&Floe, Seat) -> bool) {
        match phase {
            Phase::Lay => self.begin(phase, self.after_or(turn, |_, _| true)),
            Phase::Place => self.begin(phase, self.after_or(turn, Floe::has_to_place)),
            Phase::Move | Phase::Over => {
                self.begin(phase, turn);
                self.settle(turn, able);
            }
        }
    }

    /// Whether a seat has pieces left to place.
    pub fn has_to_place(&self, seat: Seat) -> bool {
        self.pieces(seat).len() < self.each()
    }

    /// Lets `first` move, or whoever can after it; the game is over if nobody can.
    pub fn settle(&mut self, first: Seat, able: impl Fn(&Floe, Seat) -> bool) {
        let turn = self.after_or(first, &able);
        let phase = if !self.is_retired(turn) && able(self, turn) { Phase::Move } else { Phase::Over };
        self.begin(phase, turn);
    }

    /// The next seat after one that is still in and can; the plain next one if there is none.
    fn after(&self, seat: Seat, able: impl Fn(&Floe, Seat) -> bool) -> Seat {
        self.after_or(seat.next(self.seats()), able)
    }

    /// This seat, or the next after it that is still in and can; this seat if there is none.
    fn after_or(&self, first: Seat, able: impl Fn(&Floe, Seat) -> bool) -> Seat {
        let mut seats =
            std::iter::successors(Some(first), |seat| Some(seat.next(self.seats()))).take(self.seats());
        seats.find(|seat| !self.is_retired(*seat) && able(self, *seat)).unwrap_or(first)
    }

    /// The hash of the whole state, as the verbs keep it.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The same hash, reckoned from nothing.
    pub fn fresh_hash(&self) -> u64 {
        let tiles = self.tiles.iter().map(|cell| tile_key(self.fish(cell), cell));
        let seats = Seat::all(MOST_SEATS);
        let pieces = seats.clone().flat_map(|s| self.pieces(s).iter().map(move |cell| piece_key(s, cell)));
        let taken = seats.map(|seat| taken_key(seat, self.taken(seat)));
        let rest = retired_key(self.retired) ^ turn_key(self.phase, self.turn);
        tiles.chain(pieces).chain(taken).fold(rest, |all, key| all ^ key)
    }
}

/// Numbers for hashes: eight bits of kind, then what it is about.
const fn key(kind: u64, about: u64) -> u64 {
    mix(kind << 56 | about)
}

fn tile_key(fish: u8, cell: Cell) -> u64 {
    key(1, u64::from(fish) << 8 | u64::from(cell.0))
}

fn piece_key(seat: Seat, cell: Cell) -> u64 {
    key(2, (seat.index() as u64) << 8 | u64::from(cell.0))
}

fn taken_key(seat: Seat, taken: Taken) -> u64 {
    key(3, (seat.index() as u64) << 32 | u64::from(taken.points) << 16 | u64::from(taken.tiles))
}

fn turn_key(phase: Phase, turn: Seat) -> u64 {
    key(4, (phase as u64) << 8 | turn.index() as u64)
}

fn retired_key(retired: u8) -> u64 {
    key(5, retired.into())
}
