//! Positions and moves of Fox and Hounds.

use rookery_core::seed::mix;
use rookery_core::{Blocker, Board, Cell, CellSet, IllegalMove, MovePart, Outcome, Position, Reason, Seat};

/// The keys of the game's own refusals.
pub(crate) static RULES: &[&str] = &["fox-one-step", "fox-hounds-forward", "fox-stuck"];

pub(crate) const FOX: Seat = Seat::FIRST;
pub(crate) const HOUNDS: Seat = Seat::SECOND;

pub(crate) const SIDE: u8 = 8;

pub(crate) fn board() -> &'static Board {
    Board::square(SIDE, SIDE)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    pub(crate) from: Cell,
    pub(crate) to: Cell,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoxPosition {
    pub(crate) fox: Cell,
    pub(crate) hounds: CellSet,
    pub(crate) turn: Seat,
}

/// The diagonal steps in columns and rows; up the board is positive.
const DIAGONALS: [(i8, i8); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

impl FoxPosition {
    pub(crate) fn pieces(&self, seat: Seat) -> CellSet {
        if seat == FOX { CellSet::of(self.fox) } else { self.hounds }
    }

    pub(crate) fn is_taken(&self, cell: Cell) -> bool {
        cell == self.fox || self.hounds.has(cell)
    }

    /// Returns the free squares that a piece of a seat can go to. Hounds only go down the board.
    pub(crate) fn goals(&self, seat: Seat, from: Cell) -> impl Iterator<Item = Cell> + '_ {
        let (col, row) = board().place(from);
        let ways = DIAGONALS.iter().filter(move |(_, up)| seat == FOX || *up < 0);
        let cells = ways.filter_map(move |(right, up)| {
            board().at(col.checked_add_signed(*right)?, row.checked_add_signed(*up)?)
        });
        cells.filter(|cell| !self.is_taken(*cell))
    }

    fn can_move(&self) -> bool {
        self.pieces(self.turn).iter().any(|from| self.goals(self.turn, from).next().is_some())
    }

    /// Whether the side to move may pick up a piece on this square.
    pub(crate) fn check_piece(&self, from: Cell) -> Result<(), IllegalMove> {
        let at = board().name(from).to_owned();
        if self.pieces(self.turn.other()).has(from) {
            return Err(IllegalMove::NotYours { at, whose: self.turn.other() });
        }
        if !self.pieces(self.turn).has(from) {
            return Err(IllegalMove::NoPiece { at });
        }
        match self.goals(self.turn, from).next() {
            Some(_) => Ok(()),
            None => Err(IllegalMove::rule("fox-stuck", [at.as_str()])),
        }
    }

    fn check_goal(&self, from: Cell, to: Cell) -> Result<(), IllegalMove> {
        let [from_name, to_name] = [from, to].map(|cell| board().name(cell).to_owned());
        let ((col, row), (to_col, to_row)) = (board().place(from), board().place(to));
        if from == to {
            return Err(IllegalMove::SameCell { at: from_name });
        }
        if (col.abs_diff(to_col), row.abs_diff(to_row)) != (1, 1) {
            return Err(IllegalMove::rule("fox-one-step", [from_name.as_str(), to_name.as_str()]));
        }
        if self.turn == HOUNDS && to_row > row {
            return Err(IllegalMove::rule("fox-hounds-forward", [from_name.as_str(), to_name.as_str()]));
        }
        if self.is_taken(to) {
            let by = Blocker::Piece(if to == self.fox { FOX } else { HOUNDS });
            let at = to_name.clone();
            return Err(IllegalMove::Blocked { leg: MovePart::Move, from: from_name, to: to_name, by, at });
        }
        Ok(())
    }
}

impl Position for FoxPosition {
    type Move = Move;

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Seat {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        (!self.can_move()).then(|| Outcome::win(self.turn.other(), Reason::NoMoves))
    }

    fn moves(&self, out: &mut Vec<Move>) {
        for from in self.pieces(self.turn) {
            out.extend(self.goals(self.turn, from).map(|to| Move { from, to }));
        }
    }

    fn check(&self, m: Move) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove::Over);
        }
        self.check_piece(m.from)?;
        self.check_goal(m.from, m.to)
    }

    fn play_unchecked(&mut self, m: Move) {
        if self.turn == FOX {
            self.fox = m.to;
        } else {
            self.hounds.remove(m.from);
            self.hounds.insert(m.to);
        }
        self.turn = self.turn.other();
    }

    fn hash(&self) -> u64 {
        self.fresh_hash()
    }

    fn fresh_hash(&self) -> u64 {
        let hounds = self.hounds.iter().map(|cell| mix(64 + u64::from(cell.0)));
        let turn = mix(128 + self.turn.index() as u64);
        hounds.fold(mix(u64::from(self.fox.0)) ^ turn, |sum, key| sum ^ key)
    }
}
