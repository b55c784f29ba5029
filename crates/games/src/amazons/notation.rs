//! How moves are written: `f1-e2/f1`, from, to, arrow.

use rookery_core::{Cell, Coordinate, IllegalMove, MoveParseError, Position, Reader, Step, StepKind};

use super::rules::{AmazonsPosition, Move};

/// The separators that people use between two coordinates, here and elsewhere; blanks and no separator are accepted
/// too.
const SEPARATORS: [char; 12] = ['-', '/', 'x', ',', '>', ':', '(', ')', '–', '—', '→', ';'];

/// A parsed move, not yet resolved in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsedMove {
    /// One to three coordinates: from, to, arrow.
    Cells(Vec<Coordinate>),
    /// The word `swap` (pie rule).
    Swap,
}

/// Reads one to three coordinates, or `swap`.
///
/// # Errors
/// If there is anything else; the error says where, and what is expected.
pub(super) fn read(text: &str) -> Result<ParsedMove, MoveParseError> {
    let mut reader = Reader::new(text);
    if reader.word("swap") {
        return reader.end().map(|()| ParsedMove::Swap);
    }
    let mut spots = Vec::new();
    loop {
        reader.eat_all(&SEPARATORS);
        spots.push(reader.coordinate()?);
        reader.eat_all(&SEPARATORS);
        if reader.is_done() || spots.len() == 3 {
            return reader.end().map(|()| ParsedMove::Cells(spots));
        }
    }
}

/// Finds the legal move that was meant.
///
/// # Errors
/// Why there is none; [`IllegalMove::Incomplete`] for a valid beginning.
pub(super) fn resolve(position: &AmazonsPosition, parsed: &ParsedMove) -> Result<Move, IllegalMove> {
    let ParsedMove::Cells(spots) = parsed else {
        return position.check(Move::Swap).map(|()| Move::Swap);
    };
    let cell = |spot: &Coordinate| {
        position.board().locate(*spot).ok_or_else(|| IllegalMove::NoSuchCell { cell: spot.to_string() })
    };
    let cells = spots.iter().map(cell).collect::<Result<Vec<_>, _>>()?;
    match cells[..] {
        [from, to, arrow] => {
            let m = Move::Go { from, to, arrow };
            position.check(m).map(|()| m)
        }
        _ => Err(incomplete(position, &cells)),
    }
}

/// The error of a text of one or two cells: an illegal cell, or a missing part.
fn incomplete(position: &AmazonsPosition, cells: &[Cell]) -> IllegalMove {
    let board = position.board();
    let (Some(from), to) = (cells.first().copied(), cells.get(1).copied()) else {
        return IllegalMove::Incomplete { so_far: String::new(), missing: StepKind::Piece };
    };
    if position.outcome().is_some() {
        return IllegalMove::Over;
    }
    if let Err(refusal) = position.check_piece(from) {
        return refusal;
    }
    if position.goals(from).is_empty() {
        return IllegalMove::rule("amazons-shut-in", [board.name(from)]);
    }
    let Some(to) = to else {
        return IllegalMove::Incomplete { so_far: board.name(from).to_owned(), missing: StepKind::Goal };
    };
    let so_far = format!("{}-{}", board.name(from), board.name(to));
    position
        .check_goal(from, to)
        .err()
        .unwrap_or(IllegalMove::Incomplete { so_far, missing: StepKind::Arrow })
}

/// Splits a legal move into steps: `d1`, `-d7`, `/g7`; or `swap`.
pub(super) fn steps(position: &AmazonsPosition, m: Move) -> Vec<Step> {
    let board = position.board();
    let step = |part, before, cell| Step::cell(part, before, cell, board.name(cell));
    match m {
        Move::Swap => vec![Step::sign(StepKind::Mode, "swap")],
        Move::Go { from, to, arrow } => {
            vec![
                step(StepKind::Piece, "", from),
                step(StepKind::Goal, "-", to),
                step(StepKind::Arrow, "/", arrow),
            ]
        }
    }
}
