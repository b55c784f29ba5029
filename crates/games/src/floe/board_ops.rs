//! Operations on a floe that keep its sets and its hash consistent.

use super::hashing::{piece_key, retired_key, taken_key, tile_key, turn_key};
use super::{Floe, Phase, Taken};
use rookery_core::{Cell, Seat};

impl Floe {
    /// Puts a tile with `fish` fish (1 to 3) on an empty cell.
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
    pub fn remove_tile(&mut self, cell: Cell) {
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
    pub fn remove_piece(&mut self, seat: Seat, cell: Cell) {
        self.pieces[seat.index()].remove(cell);
        self.standing.remove(cell);
        self.hash ^= piece_key(seat, cell);
    }

    /// Adds points and tiles to a seat's result.
    pub fn credit(&mut self, seat: Seat, points: u8, tiles: u8) {
        let Taken { points: p, tiles: t } = self.taken(seat);
        self.set_taken(seat, Taken { points: p + u16::from(points), tiles: t + u16::from(tiles) });
    }

    /// Sets the result of a seat.
    pub fn set_taken(&mut self, seat: Seat, taken: Taken) {
        self.hash ^= taken_key(seat, self.taken(seat)) ^ taken_key(seat, taken);
        self.taken[seat.index()] = taken;
    }

    /// Marks a seat as resigned. The game passes the turn on if the seat was to move.
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

    /// Lays a chip in the phase of laying: threes first, then twos. The rest of the board is then filled with ones,
    /// since no choice remains.
    pub fn lay_in_turn(&mut self, cell: Cell) {
        self.lay(cell, self.next_chip().unwrap_or(1));
        if self.next_chip().is_some() {
            self.begin(Phase::Lay, self.after_or(self.turn.next(self.seats()), |_, _| true));
        } else {
            self.fill_with_ones();
            self.begin(Phase::Place, self.after_or(Seat::FIRST, |_, _| true));
        }
    }

    /// Puts one-fish tiles on all empty cells.
    pub fn fill_with_ones(&mut self) {
        for cell in self.board.all() & !self.tiles {
            self.lay(cell, 1);
        }
    }

    /// Passes the turn to the next seat that can move; `can_move` says which seats can. If none can, the game is over.
    pub fn pass_on(&mut self, can_move: impl Fn(&Floe, Seat) -> bool) {
        self.resume(self.phase, self.turn.next(self.seats()), can_move);
    }

    /// Continues in a phase with a seat, or with the next seat that can move. Once all pieces are placed, the moving
    /// phase begins with the first seat.
    pub fn resume(&mut self, phase: Phase, turn: Seat, can_move: impl Fn(&Floe, Seat) -> bool) {
        match phase {
            Phase::Lay => self.begin(phase, self.after_or(turn, |_, _| true)),
            Phase::Place => {
                let next = self.after_or(turn, Floe::has_to_place);
                if !self.is_retired(next) && self.has_to_place(next) {
                    return self.begin(phase, next);
                }
                self.settle(Seat::FIRST, can_move);
            }
            Phase::Move | Phase::Over => self.settle(turn, can_move),
        }
    }

    /// Whether a seat has pieces left to place.
    pub fn has_to_place(&self, seat: Seat) -> bool {
        self.pieces(seat).len() < self.each()
    }

    /// Gives the turn to `first` or the next seat that can move; the game ends if none can.
    pub fn settle(&mut self, first: Seat, can_move: impl Fn(&Floe, Seat) -> bool) {
        let turn = self.after_or(first, &can_move);
        let phase = if !self.is_retired(turn) && can_move(self, turn) { Phase::Move } else { Phase::Over };
        self.begin(phase, turn);
    }

    /// Returns this seat or the next one that still plays and can move; this seat if there is none.
    fn after_or(&self, first: Seat, can_move: impl Fn(&Floe, Seat) -> bool) -> Seat {
        let mut seats =
            std::iter::successors(Some(first), |seat| Some(seat.next(self.seats()))).take(self.seats());
        seats.find(|seat| !self.is_retired(*seat) && can_move(self, *seat)).unwrap_or(first)
    }
}
