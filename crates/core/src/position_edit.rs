//! Setting up a position: the pieces that a game offers for it, and one change at a time.

use super::rules::PositionParseError;
use super::{Board, Cell, Seat};

/// A piece, tile or the like that can be put on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditorPiece {
    /// Its sign in an edit, unique within the game: letters and digits.
    pub sign: &'static str,
    /// The key of its name.
    pub name: &'static str,
    /// The seat that owns it, if any.
    pub seat: Option<Seat>,
}

impl EditorPiece {
    /// A piece that belongs to a seat.
    pub const fn of(seat: Seat, sign: &'static str, name: &'static str) -> EditorPiece {
        EditorPiece { sign, name, seat: Some(seat) }
    }

    /// A piece that belongs to nobody.
    pub const fn neutral(sign: &'static str, name: &'static str) -> EditorPiece {
        EditorPiece { sign, name, seat: None }
    }
}

/// A change to a position that is being set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionEdit {
    /// Put a piece on a cell. If there is only one such piece, it leaves its old cell.
    Put {
        /// Its sign ([`EditorPiece::sign`]).
        piece: String,
        /// Where it is put.
        cell: Cell,
    },
    /// Take the topmost piece off a cell.
    Clear(Cell),
    /// Move the piece or stack on a cell to another cell, where it replaces what is there.
    Carry {
        /// The cell that it leaves.
        from: Cell,
        /// The cell where it is put.
        to: Cell,
    },
    /// Let a seat move next.
    Turn(Seat),
    /// Set the points that a seat has so far, in games with points.
    Points {
        /// The seat.
        seat: Seat,
        /// 0 to 9,999.
        points: u16,
    },
    /// Set how many tiles a seat has taken, in games that count them. Pages don't send this.
    Tiles {
        /// The seat.
        seat: Seat,
        /// At most the number of the board's cells.
        tiles: u16,
    },
}

/// The most points that an edit gives to a seat.
pub const MAX_POINTS: u16 = 9_999;

impl PositionEdit {
    /// Reads an edit as a page sends it: `put:Q:d4`, `clear:d4`, `carry:d4:e5`, `turn:2` or `points:1:12`. `None` if it is
    /// none, or names a cell or seat that the position lacks.
    pub fn read(text: &str, board: &Board, seats: usize) -> Option<PositionEdit> {
        let cell = |name: &str| board.named(name);
        let seat = |number: &str| Seat::all(seats).find(|seat| seat.to_string() == number);
        let words: Vec<&str> = text.split(':').collect();
        Some(match words[..] {
            ["put", piece, at] => PositionEdit::Put { piece: piece.to_owned(), cell: cell(at)? },
            ["clear", at] => PositionEdit::Clear(cell(at)?),
            ["carry", from, to] => PositionEdit::Carry { from: cell(from)?, to: cell(to)? },
            ["turn", number] => PositionEdit::Turn(seat(number)?),
            ["points", number, points] => PositionEdit::Points {
                seat: seat(number)?,
                points: points.parse().ok().filter(|points| *points <= MAX_POINTS)?,
            },
            _ => return None,
        })
    }
}

/// Why an edit is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The edit changes nothing here: there is no such piece, or nothing on the cell.
    #[error("the edit changes nothing here")]
    Nothing,
    /// The position after it breaks a requirement of the game.
    #[error("the position after it is not valid: {0}")]
    Invalid(PositionParseError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_read_for_the_cells_and_seats_of_a_position() {
        let board = Board::square(6, 6);
        let read = |text: &str| PositionEdit::read(text, board, 2);
        let [a1, f6] = ["a1", "f6"].map(|name| board.named(name).unwrap());
        assert_eq!(read("put:Q:a1"), Some(PositionEdit::Put { piece: "Q".to_owned(), cell: a1 }));
        assert_eq!(read("clear:f6"), Some(PositionEdit::Clear(f6)));
        assert_eq!(read("carry:a1:f6"), Some(PositionEdit::Carry { from: a1, to: f6 }));
        assert_eq!(read("turn:2"), Some(PositionEdit::Turn(Seat::SECOND)));
        assert_eq!(read("points:1:9999"), Some(PositionEdit::Points { seat: Seat::FIRST, points: 9_999 }));
        for refused in
            ["", "put", "put:Q:g1", "turn:3", "turn:0", "points:1:10000", "points:1:-1", "clear:a1:b1"]
        {
            assert_eq!(read(refused), None, "{refused}");
        }
    }
}
