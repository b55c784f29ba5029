//! Checks moves and gives the exact reason why one is not possible.

use rookery_core::{Cell, Dir, IllegalMove, MovePart};

use super::rules::{AmoebaPosition, board};

/// The keys of the rules that an error can name. In brackets: the arguments of its sentence.
pub(super) const RULES: &[&str] = &[
    // [the stack]: the other side's piece is on top.
    "amoeba-not-controlled",
    // [the stack, its height]: no direction has that many points.
    "amoeba-stuck",
    // [the stack, its intended goal, its height]: the board ends before.
    "amoeba-too-few-points",
    // [the stack, its goal at full height, its height]
    "amoeba-full-height",
    // [the piece]: it is a single piece.
    "amoeba-nothing-to-split",
    // []: only right after the first move, and only if the option is set.
    "amoeba-no-swap",
];

/// Checks that the side to move may move the stack on a point, and that it can go anywhere at all.
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

/// Checks that the stack on a point can go exactly to another point.
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
