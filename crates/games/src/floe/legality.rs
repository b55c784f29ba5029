//! Why a move on a floe is not to be had.

use super::{Floe, Move, Phase};
use rookery_core::{Blocker, Cell, CellSet, IllegalMove, MovePart};

/// The keys of the rules that refusals of every penguin game name.
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

/// The keys of the rules of a penguin game: those of all of them, then its own. `ALL` of them there are.
///
/// # Panics
/// Where this is computed, which is when the program is built, if they are few.
pub const fn rules<const ALL: usize>(own: &[&'static str]) -> [&'static str; ALL] {
    assert!(RULES.len() + own.len() == ALL, "ALL counts the common rules and the game's own");
    let (mut all, mut at) = ([""; ALL], 0);
    while at < ALL {
        all[at] = if at < RULES.len() { RULES[at] } else { own[at - RULES.len()] };
        at += 1;
    }
    all
}

/// Lets legal moves pass. `spears` tells the game in which moves end with a shot.
///
/// # Errors
/// Why the move is not legal.
pub fn check(floe: &Floe, m: Move, spears: bool) -> Result<(), IllegalMove> {
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

/// Whether a piece may be placed on a cell.
fn place(floe: &Floe, cell: Cell) -> Result<(), IllegalMove> {
    if floe.settings().has(cell) {
        Ok(())
    } else if floe.standing().has(cell) {
        Err(rule(floe, "penguins-occupied", cell))
    } else if !floe.tiles().has(cell) {
        Err(rule(floe, "penguins-no-tile", cell))
    } else {
        Err(rule(floe, "penguins-one-fish-only", cell))
    }
}

/// Lets the pieces of the seat pass that is to move.
///
/// # Errors
/// That nothing stands on the cell, or whose it is.
pub fn own(floe: &Floe, at: Cell) -> Result<(), IllegalMove> {
    match floe.owner(at) {
        None => Err(IllegalMove::NoPiece { at: name(floe, at) }),
        Some(whose) if whose != floe.turn() => Err(IllegalMove::NotYours { at: name(floe, at), whose }),
        Some(_) => Ok(()),
    }
}

/// Lets the seat to move take a piece of its own from cell to cell, shots aside.
///
/// # Errors
/// Whose piece that is, or what is in its way.
pub fn walk(floe: &Floe, from: Cell, to: Cell) -> Result<(), IllegalMove> {
    own(floe, from)?;
    line(floe, MovePart::Move, from, to, floe.free())
}

/// Whether a piece that went `from` one cell to `at` can spear `goal` from there: the cell that it
/// left is free for that.
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

/// The refusal of a move that is right so far.
pub fn incomplete(floe: &Floe, so_far: &[Cell], missing: rookery_core::StepKind) -> IllegalMove {
    let names: Vec<_> = so_far.iter().map(|cell| floe.board().name(*cell)).collect();
    IllegalMove::Incomplete { so_far: names.join("-"), missing }
}

/// A refusal by a rule about one cell.
pub fn rule(floe: &Floe, key: &'static str, cell: Cell) -> IllegalMove {
    IllegalMove::rule(key, [floe.board().name(cell)])
}

fn name(floe: &Floe, cell: Cell) -> String {
    floe.board().name(cell).to_owned()
}
