//! How moves are written: `f1-e2/f1`, from, to, arrow.

use rookery_core::{Cell, Part, Position, Reader, Refusal, Spot, Step, Unreadable};

use super::rules::{Amazons, Move};

/// What people write between two coordinates, here and elsewhere; blanks and nothing at all do too.
const SEPARATORS: [char; 12] = ['-', '/', 'x', ',', '>', ':', '(', ')', '–', '—', '→', ';'];

/// A move as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spoken {
    /// One to three coordinates: from, to, arrow.
    Cells(Vec<Spot>),
    /// The word `swap` (pie rule).
    Swap,
}

/// Reads one to three coordinates, or `swap`.
///
/// # Errors
/// If something else stands there: where, and what was wanted.
pub(super) fn read(text: &str) -> Result<Spoken, Unreadable> {
    let mut reader = Reader::new(text);
    if reader.word("swap") {
        return reader.end().map(|()| Spoken::Swap);
    }
    let mut spots = Vec::new();
    loop {
        reader.eat_all(&SEPARATORS);
        spots.push(reader.spot()?);
        reader.eat_all(&SEPARATORS);
        if reader.is_done() || spots.len() == 3 {
            return reader.end().map(|()| Spoken::Cells(spots));
        }
    }
}

/// Finds the legal move that was meant.
///
/// # Errors
/// Why there is none; [`Refusal::Incomplete`] for a beginning that is right so far.
pub(super) fn resolve(position: &Amazons, spoken: &Spoken) -> Result<Move, Refusal> {
    let Spoken::Cells(spots) = spoken else {
        return position.check(Move::Swap).map(|()| Move::Swap);
    };
    let cell = |spot: &Spot| {
        position.board().spot(*spot).ok_or_else(|| Refusal::NoSuchCell { cell: spot.to_string() })
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

/// What is wrong with one or two cells: a fault, or else only that the rest is missing.
fn incomplete(position: &Amazons, cells: &[Cell]) -> Refusal {
    let board = position.board();
    let (Some(from), to) = (cells.first().copied(), cells.get(1).copied()) else {
        return Refusal::Incomplete { so_far: String::new(), missing: Part::Piece };
    };
    if position.outcome().is_some() {
        return Refusal::Over;
    }
    if let Err(refusal) = position.check_piece(from) {
        return refusal;
    }
    if position.goals(from).is_empty() {
        return Refusal::rule("amazons-shut-in", [board.name(from)]);
    }
    let Some(to) = to else {
        return Refusal::Incomplete { so_far: board.name(from).to_owned(), missing: Part::Goal };
    };
    let so_far = format!("{}-{}", board.name(from), board.name(to));
    position.check_goal(from, to).err().unwrap_or(Refusal::Incomplete { so_far, missing: Part::Arrow })
}

/// A legal move taken apart: `d1`, `-d7`, `/g7`; or `swap`.
pub(super) fn steps(position: &Amazons, m: Move) -> Vec<Step> {
    let board = position.board();
    let step = |part, before, cell| Step::cell(part, before, cell, board.name(cell));
    match m {
        Move::Swap => vec![Step::sign(Part::Manner, "swap")],
        Move::Go { from, to, arrow } => {
            vec![step(Part::Piece, "", from), step(Part::Goal, "-", to), step(Part::Arrow, "/", arrow)]
        }
    }
}
