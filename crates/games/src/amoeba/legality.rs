//! Why a move is not possible, exactly.

use rookery_core::{Cell, Dir, IllegalMove, MovePart};

use super::rules::{AmoebaPosition, board};

/// The keys of the rules that a refusal can name. In brackets: what its sentence speaks of.
pub(super) const RULES: &[&str] = &[
    // [the stack]: the other side's piece is on top.
    "amoeba-not-controlled",
    // [the stack, its height]: no direction has that many points.
    "amoeba-stuck",
    // [the stack, where it was to go, its height]: the board ends before.
    "amoeba-too-few-points",
    // [the stack, where it would go, its height]
    "amoeba-full-height",
    // [the piece]: one alone.
    "amoeba-nothing-to-split",
    // []: only right after the first move, and only where that is agreed.
    "amoeba-no-swap",
];

/// Whether the side to move may move the stack on a point, and it can go anywhere at all.
pub(super) fn check_stack(position: &AmoebaPosition, from: Cell) -> Result<(), IllegalMove> {
    let at = board().name(from);
    let stack = position.stack(from);
    match stack.owner() {
        None => Err(IllegalMove::NoPiece { at: at.to_owned() }),
        Some(side) if side != position.to_move() => Err(IllegalMove::rule("amoeba-not-controlled", [at])),
        Some(_) if !position.can_go(from) => {
            Err(IllegalMove::rule("amoeba-stuck", [at, &stack.height().to_string()]))
        }
        Some(_) => Ok(()),
    }
}

/// Whether the stack on a point goes exactly as far as another.
pub(super) fn check_goal(position: &AmoebaPosition, from: Cell, to: Cell) -> Result<(), IllegalMove> {
    let (at, goal) = (board().name(from), board().name(to));
    if from == to {
        return Err(IllegalMove::SameCell { at: at.to_owned() });
    }
    let Some(dir) = board().lines().direction(from, to) else {
        return Err(IllegalMove::NotALine { leg: MovePart::Move, from: at.to_owned(), to: goal.to_owned() });
    };
    check_distance(position, from, dir, to)
}

fn check_distance(position: &AmoebaPosition, from: Cell, dir: Dir, to: Cell) -> Result<(), IllegalMove> {
    let (at, height) = (board().name(from), position.stack(from).height().to_string());
    match position.goal(from, dir) {
        Some(end) if end == to => Ok(()),
        Some(end) => Err(IllegalMove::rule("amoeba-full-height", [at, board().name(end), &height])),
        None => Err(IllegalMove::rule("amoeba-too-few-points", [at, board().name(to), &height])),
    }
}
