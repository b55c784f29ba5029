//! Notation of moves, as on AbstractPlay: `c3-f3` moves a stack, `c3>f3` splits it; both name the last point.

use rookery_core::{Cell, Coordinate, IllegalMove, MoveParseError, Position, Reader, Step, StepKind};

use super::legality::{check_goal, check_stack};
use super::rules::{AmoebaPosition, Move, board};

/// Separators of a simple move.
const MOVES: [char; 4] = ['-', '–', '—', '→'];
/// Separators of a splitting move.
const SPLITS: [char; 2] = ['>', '»'];
/// Separators that do not say which.
const EITHER: [char; 5] = ['/', ',', ':', ';', 'x'];

/// A parsed move, not yet resolved in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsedMove {
    /// A stack, its target, and whether it splits; a missing part was not written.
    Go {
        /// The point of the stack.
        from: Coordinate,
        /// The last point of the path.
        to: Option<Coordinate>,
        /// Whether the text asks for a split.
        split: Option<bool>,
    },
    /// The word `swap` (pie rule).
    Swap,
}

/// Reads a move.
///
/// # Errors
/// If there is anything else; the error says where, and what is expected.
pub(super) fn read(text: &str) -> Result<ParsedMove, MoveParseError> {
    let mut reader = Reader::new(text);
    if reader.word("swap") {
        return reader.end().map(|()| ParsedMove::Swap);
    }
    let said = if reader.word("split") { Some(true) } else { None };
    let from = reader.coordinate()?;
    let split = said.or(read_split_sign(&mut reader));
    reader.eat_all(&EITHER);
    let to = if reader.is_done() { None } else { Some(reader.coordinate()?) };
    reader.end().map(|()| ParsedMove::Go { from, to, split })
}

/// `-` moves, `>` splits, an arrow of both moves.
fn read_split_sign(reader: &mut Reader) -> Option<bool> {
    if reader.eat_all(&MOVES) > 0 {
        reader.eat_all(&SPLITS);
        return Some(false);
    }
    (reader.eat_all(&SPLITS) > 0).then_some(true)
}

/// Finds the legal move that was meant.
///
/// # Errors
/// Why there is none; [`IllegalMove::Incomplete`] for a valid beginning.
pub(super) fn resolve(position: &AmoebaPosition, parsed: &ParsedMove) -> Result<Move, IllegalMove> {
    let ParsedMove::Go { from, to, split } = parsed else {
        return position.check(Move::Swap).map(|()| Move::Swap);
    };
    if position.outcome().is_some() {
        return Err(IllegalMove::Over);
    }
    let from = find(*from)?;
    let to = to.map(find).transpose()?;
    check_stack(position, from)?;
    let Some(to) = to else { return Err(incomplete(position, from, *split)) };
    check_goal(position, from, to)?;
    // A single piece has nothing to drop on the way: both notations are the same move.
    let single = position.stack(from).height() == 1;
    match split.filter(|_| !single) {
        Some(split) => Ok(Move::Go { from, to, split }),
        None if single => Ok(Move::Go { from, to, split: false }),
        None => Err(ambiguous(from, to)),
    }
}

fn find(spot: Coordinate) -> Result<Cell, IllegalMove> {
    board().locate(spot).ok_or_else(|| IllegalMove::NoSuchCell { cell: spot.to_string() })
}

fn incomplete(position: &AmoebaPosition, from: Cell, split: Option<bool>) -> IllegalMove {
    let name = board().name(from);
    let tall = position.stack(from).height() > 1;
    match split.filter(|_| tall) {
        Some(split) => {
            IllegalMove::Incomplete { so_far: format!("{name}{}", sign(split)), missing: StepKind::Goal }
        }
        None if tall => IllegalMove::Incomplete { so_far: name.to_owned(), missing: StepKind::Mode },
        None => IllegalMove::Incomplete { so_far: name.to_owned(), missing: StepKind::Goal },
    }
}

fn ambiguous(from: Cell, to: Cell) -> IllegalMove {
    let reading = |split| format!("{}{}{}", board().name(from), sign(split), board().name(to));
    IllegalMove::Ambiguous { readings: [false, true].map(reading).to_vec() }
}

fn sign(split: bool) -> &'static str {
    if split { ">" } else { "-" }
}

/// Splits a legal move into steps: `c3`, `>`, `f3`; a single piece has no choice between moving and splitting: `c3`,
/// `-c4`.
pub(super) fn steps(position: &AmoebaPosition, m: Move) -> Vec<Step> {
    let Move::Go { from, to, split } = m else { return vec![Step::sign(StepKind::Mode, "swap")] };
    let step = |part, before, cell| Step::cell(part, before, cell, board().name(cell));
    let piece = step(StepKind::Piece, "", from);
    if position.stack(from).height() == 1 {
        return vec![piece, step(StepKind::Goal, "-", to)];
    }
    vec![piece, Step::sign(StepKind::Mode, sign(split)), step(StepKind::Goal, "", to)]
}
