//! Checks moves on a floe and gives the reason why one is illegal.

use super::{Floe, Move, Phase};
use rookery_core::{Blocker, Cell, CellSet, IllegalMove, MovePart};

/// The keys of the rules that errors of every penguin game name.
const RULES: [&str; 8] = [
    "penguins-lay-first",
    "penguins-place-first",
    "penguins-all-placed",
    "penguins-laid",
    "penguins-occupied",
    "penguins-no-tile",
    "penguins-out-of-reach",
    "penguins-layout-twice",
];

/// The rule keys of a penguin game: the shared ones, then its own. `ALL` is their total number.
///
/// # Panics
/// At compile time, if `ALL` does not match.
pub(crate) const fn rules<const ALL: usize>(own: &[&'static str]) -> [&'static str; ALL] {
    assert!(RULES.len() + own.len() == ALL, "ALL counts the common rules and the game's own");
    let (mut all, mut at) = ([""; ALL], 0);
    while at < ALL {
        all[at] = if at < RULES.len() { RULES[at] } else { own[at - RULES.len()] };
        at += 1;
    }
    all
}

/// Checks a move. `spears` says whether moves end with a shot.
///
/// # Errors
/// Why the move is not legal.
pub(crate) fn check(floe: &Floe, m: Move, spears: bool) -> Result<(), IllegalMove> {
    match (floe.phase(), m.from) {
        (Phase::Over, _) => Err(IllegalMove::Over),
        (Phase::Lay, Some(_)) => Err(rule(floe, "penguins-lay-first", m.to)),
        (Phase::Place, Some(_)) => Err(rule(floe, "penguins-place-first", m.to)),
        (Phase::Lay, None) if floe.tiles().has(m.to) => Err(rule(floe, "penguins-laid", m.to)),
        (Phase::Lay, None) => Ok(()),
        (Phase::Place, None) => place(floe, m.to),
        (Phase::Move, None) => Err(rule(floe, "penguins-all-placed", m.to)),
        (Phase::Move, Some(from)) => {
            walk(floe, from, m.to)?;
            match (spears, m.spear) {
                (true, Some(spear)) => shot(floe, from, m.to, spear),
                (true, None) => Err(incomplete(floe, &[from, m.to], rookery_core::StepKind::Spear)),
                (false, _) => Ok(()),
            }
        }
    }
}

/// Checks that a piece may be placed on a cell.
fn place(floe: &Floe, cell: Cell) -> Result<(), IllegalMove> {
    if floe.placement_cells().has(cell) {
        Ok(())
    } else if floe.standing().has(cell) {
        Err(rule(floe, "penguins-occupied", cell))
    } else if !floe.tiles().has(cell) {
        Err(rule(floe, "penguins-no-tile", cell))
    } else {
        Err(rule(floe, "penguins-one-fish-only", cell))
    }
}

/// Checks that a cell has a piece of the seat to move.
///
/// # Errors
/// If the cell is empty, or the piece belongs to another seat.
pub(crate) fn own(floe: &Floe, at: Cell) -> Result<(), IllegalMove> {
    match floe.owner(at) {
        None => Err(IllegalMove::NoPiece { at: name(floe, at) }),
        Some(whose) if whose != floe.turn() => Err(IllegalMove::NotYours { at: name(floe, at), whose }),
        Some(_) => Ok(()),
    }
}

/// Checks that the seat to move can move a piece from cell to cell, without the shot.
///
/// # Errors
/// If the piece belongs to another seat, or something is in its way.
pub(crate) fn walk(floe: &Floe, from: Cell, to: Cell) -> Result<(), IllegalMove> {
    own(floe, from)?;
    line(floe, MovePart::Move, from, to, floe.free())
}

/// Checks that a piece that went `from` one cell to `at` can spear `goal` from there: the cell that it left is free for
/// the spear.
fn shot(floe: &Floe, from: Cell, at: Cell, goal: Cell) -> Result<(), IllegalMove> {
    line(floe, MovePart::Shot, at, goal, floe.free().with(from).without(at))
}

fn line(floe: &Floe, leg: MovePart, from: Cell, to: Cell, free: CellSet) -> Result<(), IllegalMove> {
    if from == to {
        return Err(IllegalMove::SameCell { at: name(floe, from) });
    }
    let lines = floe.board().lines();
    let names = || (name(floe, from), name(floe, to));
    if lines.direction(from, to).is_none() {
        let (from, to) = names();
        return Err(IllegalMove::NotALine { leg, from, to });
    }
    let Some(at) = lines.obstacle(from, to, !free) else { return Ok(()) };
    let by = floe.owner(at).map_or(Blocker::Gone, Blocker::Piece);
    let ((from, to), at) = (names(), name(floe, at));
    Err(IllegalMove::Blocked { leg, from, to, by, at })
}

/// The error for a move that is valid so far.
pub(crate) fn incomplete(floe: &Floe, so_far: &[Cell], missing: rookery_core::StepKind) -> IllegalMove {
    let names: Vec<_> = so_far.iter().map(|cell| floe.board().name(*cell)).collect();
    IllegalMove::Incomplete { so_far: names.join("-"), missing }
}

/// An error by a rule about one cell.
pub(crate) fn rule(floe: &Floe, key: &'static str, cell: Cell) -> IllegalMove {
    IllegalMove::rule(key, [floe.board().name(cell)])
}

fn name(floe: &Floe, cell: Cell) -> String {
    floe.board().name(cell).to_owned()
}
