//! Why a move is not possible, as data; `i18n` makes the sentence.

use super::Seat;

/// The obstacle on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blocker {
    /// A piece of this seat.
    Piece(Seat),
    /// A square blocked by an arrow, a hole, or a crossed-out cell.
    Gone,
}

/// The part of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MovePart {
    /// The path of a piece.
    Move,
    /// An arrow or spear thrown from the cell where the piece arrived.
    Shot,
}

/// Why a parsed move is not possible in this position. Cells are given by name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum IllegalMove {
    /// The game has ended.
    Over,
    /// The board has no such cell.
    NoSuchCell {
        /// The cell as written.
        cell: String,
    },
    /// The cell has no piece.
    NoPiece {
        /// Name of the empty cell.
        at: String,
    },
    /// The piece there belongs to another seat.
    NotYours {
        /// Name of the cell of the piece.
        at: String,
        /// The seat that owns the piece.
        whose: Seat,
    },
    /// The piece would stay where it is.
    SameCell {
        /// The cell that was given twice.
        at: String,
    },
    /// The two cells share no straight line.
    NotALine {
        /// Which part of the move.
        leg: MovePart,
        /// Name of the first cell.
        from: String,
        /// Name of the intended last cell.
        to: String,
    },
    /// An obstacle is on the path or on the goal.
    Blocked {
        /// Which part of the move.
        leg: MovePart,
        /// Name of the first cell.
        from: String,
        /// Name of the intended last cell.
        to: String,
        /// What occupies the cell.
        by: Blocker,
        /// The first blocked cell; equal to `to` if the goal is taken.
        at: String,
    },
    /// Valid so far, but incomplete.
    Incomplete {
        /// The steps read so far, in canonical notation.
        so_far: String,
        /// The kind of the next step.
        missing: super::StepKind,
    },
    /// The text fits more than one legal move.
    Ambiguous {
        /// The moves that fit, in canonical spelling, two or more.
        readings: Vec<String>,
    },
    /// A rule of this game only. `rule` is the key of its sentence; every game lists its keys.
    Rule {
        /// Key of the sentence, such as `soccer-full-distance`.
        rule: &'static str,
        /// The cells that the sentence names, in order; at least one unless the rule needs none.
        cells: Vec<String>,
    },
}

impl IllegalMove {
    /// An error by a rule of one game.
    pub fn rule<'a>(rule: &'static str, cells: impl IntoIterator<Item = &'a str>) -> IllegalMove {
        IllegalMove::Rule { rule, cells: cells.into_iter().map(str::to_owned).collect() }
    }
}

/// Why a typed move was not played: it could not be parsed, or it is not legal in the position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move in any position.
    #[error(transparent)]
    Unreadable(#[from] super::MoveParseError),
    /// The move is not legal in this position.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}
