//! How moves on a floe are written: `d5` places or lays, `d5-f7` moves, `d4-d7/g7` moves and spears.
//!
//! Read are also other separators (`/ > , x :` or none), and a lone goal that only one piece can get to.

use super::{Floe, Move, Phase, refuse};
use rookery_core::{Board, Cell, Part, Reader, Refusal, Spot, Step, Unreadable};

/// A move as written: one coordinate to three.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken(Vec<Spot>);

/// Reads a move of one or two coordinates; of up to three where moves end with a shot.
///
/// # Errors
/// Where something else stands than a coordinate.
pub fn read(text: &str, spears: bool) -> Result<Spoken, Unreadable> {
    let most = if spears { 3 } else { 2 };
    let mut reader = Reader::new(text);
    let mut spots = vec![reader.spot()?];
    while spots.len() < most {
        reader.eat_all(&['-', '/', '>', ',', 'x', ':']);
        if reader.is_done() {
            break;
        }
        spots.push(reader.spot()?);
    }
    reader.end()?;
    Ok(Spoken(spots))
}

/// Finds the move that was meant. `spears` as in [`refuse::check`].
///
/// # Errors
/// Why there is none, or which moves it may be.
pub fn resolve(floe: &Floe, spoken: &Spoken, spears: bool) -> Result<Move, Refusal> {
    let cells = cells(floe.board(), &spoken.0)?;
    let m = match (floe.phase(), cells[..].first(), &cells[1..]) {
        (Phase::Over, ..) | (_, None, _) => return Err(Refusal::Over),
        (Phase::Lay | Phase::Place, Some(at), []) => Move::set(*at),
        (Phase::Move, Some(at), []) => return lone(floe, *at, spears),
        (_, Some(from), [to, rest @ ..]) => Move { spear: rest.first().copied(), ..Move::go(*from, *to) },
    };
    refuse::check(floe, m, spears).map(|()| m)
}

fn cells(board: &Board, spots: &[Spot]) -> Result<Vec<Cell>, Refusal> {
    let cell = |spot: &Spot| board.spot(*spot).ok_or_else(|| Refusal::NoSuchCell { cell: spot.to_string() });
    spots.iter().map(cell).collect()
}

/// What one coordinate alone means while pieces move: a piece to be moved, or a goal.
fn lone(floe: &Floe, at: Cell, spears: bool) -> Result<Move, Refusal> {
    if floe.standing().has(at) {
        refuse::own(floe, at)?;
        return Err(refuse::incomplete(floe, &[at], Part::Goal));
    }
    if !floe.tiles().has(at) {
        return Err(refuse::rule(floe, "penguins-no-tile", at));
    }
    let own = floe.pieces(floe.turn());
    let moves: Vec<_> = own
        .iter()
        .filter(|from| refuse::walk(floe, *from, at).is_ok())
        .map(|from| Move::go(from, at))
        .collect();
    match moves[..] {
        [] => Err(refuse::rule(floe, "penguins-out-of-reach", at)),
        [Move { from: Some(from), .. }] if spears => Err(refuse::incomplete(floe, &[from, at], Part::Spear)),
        [m] => Ok(m),
        _ => {
            let spell = |m: &Move| steps(floe.board(), *m).iter().map(|step| step.text.as_str()).collect();
            Err(Refusal::Ambiguous { readings: moves.iter().map(spell).collect() })
        }
    }
}

/// A move taken apart.
pub fn steps(board: &Board, m: Move) -> Vec<Step> {
    let step = |part, before, cell| Step::cell(part, before, cell, board.name(cell));
    let Some(from) = m.from else { return vec![step(Part::Place, "", m.to)] };
    let mut steps = vec![step(Part::Piece, "", from), step(Part::Goal, "-", m.to)];
    steps.extend(m.spear.map(|spear| step(Part::Spear, "/", spear)));
    steps
}
