//! The notation of moves: `e1-d2`.

use rookery_core::{Cell, Coordinate, IllegalMove, MoveParseError, Position, Reader, Step, StepKind};

use super::rules::{FoxPosition, Move, board};

const SEPARATORS: [char; 6] = ['-', '/', 'x', ',', '>', ':'];

pub(super) fn read(text: &str) -> Result<Vec<Coordinate>, MoveParseError> {
    let mut reader = Reader::new(text);
    let mut squares = vec![reader.coordinate()?];
    reader.eat_all(&SEPARATORS);
    if !reader.is_done() {
        squares.push(reader.coordinate()?);
    }
    reader.end().map(|()| squares)
}

pub(super) fn resolve(position: &FoxPosition, squares: &[Coordinate]) -> Result<Move, IllegalMove> {
    let cell = |square: &Coordinate| {
        board().locate(*square).ok_or_else(|| IllegalMove::NoSuchCell { cell: square.to_string() })
    };
    let cells = squares.iter().map(cell).collect::<Result<Vec<Cell>, _>>()?;
    match cells[..] {
        [from, to] => position.check(Move { from, to }).map(|()| Move { from, to }),
        _ => Err(incomplete(position, cells[0])),
    }
}

fn incomplete(position: &FoxPosition, from: Cell) -> IllegalMove {
    let so_far = board().name(from).to_owned();
    let missing = IllegalMove::Incomplete { so_far, missing: StepKind::Goal };
    if position.outcome().is_some() {
        IllegalMove::Over
    } else {
        position.check_piece(from).err().unwrap_or(missing)
    }
}

pub(super) fn steps(m: Move) -> Vec<Step> {
    vec![
        Step::cell(StepKind::Piece, "", m.from, board().name(m.from)),
        Step::cell(StepKind::Goal, "-", m.to, board().name(m.to)),
    ]
}
