//! Notation of moves on a floe: `d5` places or lays, `d5-f7` moves, `d4-d7/g7` moves and spears.
//!
//! Other separators (`/ > , x :` or none) are read as well, and a single goal that only one piece can reach.

use super::{Floe, Move, Phase, legality};
use rookery_core::{Board, Cell, Coordinate, IllegalMove, MoveParseError, Reader, Step, StepKind};

/// A parsed move: one to three coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedMove(Vec<Coordinate>);

/// Reads a move of one or two coordinates, or up to three in games whose moves end with a shot.
///
/// # Errors
/// If there is anything but a coordinate; the error says where.
pub(crate) fn read(text: &str, spears: bool) -> Result<ParsedMove, MoveParseError> {
    let most = if spears { 3 } else { 2 };
    let mut reader = Reader::new(text);
    let mut spots = vec![reader.coordinate()?];
    while spots.len() < most {
        reader.eat_all(&['-', '/', '>', ',', 'x', ':']);
        if reader.is_done() {
            break;
        }
        spots.push(reader.coordinate()?);
    }
    reader.end()?;
    Ok(ParsedMove(spots))
}

/// Finds the move that was meant. `spears` as in [`legality::check`].
///
/// # Errors
/// If no move matches, or several do.
pub(crate) fn resolve(floe: &Floe, parsed: &ParsedMove, spears: bool) -> Result<Move, IllegalMove> {
    let cells = cells(floe.board(), &parsed.0)?;
    let m = match (floe.phase(), cells[..].first(), &cells[1..]) {
        (Phase::Over, ..) | (_, None, _) => return Err(IllegalMove::Over),
        (Phase::Lay | Phase::Place, Some(at), []) => Move::set(*at),
        (Phase::Move, Some(at), []) => return lone(floe, *at, spears),
        (_, Some(from), [to, rest @ ..]) => Move { spear: rest.first().copied(), ..Move::go(*from, *to) },
    };
    legality::check(floe, m, spears).map(|()| m)
}

fn cells(board: &Board, spots: &[Coordinate]) -> Result<Vec<Cell>, IllegalMove> {
    let cell = |spot: &Coordinate| {
        board.locate(*spot).ok_or_else(|| IllegalMove::NoSuchCell { cell: spot.to_string() })
    };
    spots.iter().map(cell).collect()
}

/// Resolves a single coordinate during movement: a piece to move, or a goal.
fn lone(floe: &Floe, at: Cell, spears: bool) -> Result<Move, IllegalMove> {
    if floe.standing().has(at) {
        legality::own(floe, at)?;
        return Err(legality::incomplete(floe, &[at], StepKind::Goal));
    }
    if !floe.tiles().has(at) {
        return Err(legality::rule(floe, "penguins-no-tile", at));
    }
    let own = floe.pieces(floe.turn());
    let moves: Vec<_> = own
        .iter()
        .filter(|from| legality::walk(floe, *from, at).is_ok())
        .map(|from| Move::go(from, at))
        .collect();
    match moves[..] {
        [] => Err(legality::rule(floe, "penguins-out-of-reach", at)),
        [Move { from: Some(from), .. }] if spears => {
            Err(legality::incomplete(floe, &[from, at], StepKind::Spear))
        }
        [m] => Ok(m),
        _ => {
            let spell = |m: &Move| steps(floe.board(), *m).iter().map(|step| step.text.as_str()).collect();
            Err(IllegalMove::Ambiguous { readings: moves.iter().map(spell).collect() })
        }
    }
}

/// Splits a move into steps.
pub(crate) fn steps(board: &Board, m: Move) -> Vec<Step> {
    let step = |part, before, cell| Step::cell(part, before, cell, board.name(cell));
    let Some(from) = m.from else { return vec![step(StepKind::Place, "", m.to)] };
    let mut steps = vec![step(StepKind::Piece, "", from), step(StepKind::Goal, "-", m.to)];
    steps.extend(m.spear.map(|spear| step(StepKind::Spear, "/", spear)));
    steps
}
