//! The last move: origin and goal; for a split a ring around each stack that received a piece.

use rookery_core::Cell;
use rookery_core::scene::{Scene, Shape, Stamp, ink, pt};

use super::super::rules::{AmoebaPosition, Move, board};
use super::plan::Plan;
use super::stacks::{DISC, top};

/// The layer under the stacks: the origin and the path.
pub(super) fn under(scene: &mut Scene, plan: Plan, now: &AmoebaPosition, m: Move) {
    let Move::Go { from, to, split } = m else { return };
    scene.stamp(start(), plan.centre(from));
    // From stack to stack for a split, in one line for a jump.
    let stops = if split { way(from, to) } else { vec![from, to] };
    for (a, b) in stops.iter().zip(&stops[1..]) {
        let near = if *a == from { 40.0 } else { 0.0 };
        let (a, b) = (plan.centre(*a), plan.centre(*b));
        let goal = top(now.stack(to));
        let end = if split { b } else { pt(b.x, b.y + goal.y) };
        let (a, b) = (a.towards(end, near), end.towards(a, if split { 0.0 } else { 46.0 }));
        scene.shape(Shape::line(a, b).stroke(ink("line"), 13.0));
        scene.shape(Shape::line(a, b).stroke(ink("lit"), 8.0));
    }
}

/// The layer on the stacks: a ring around the top disc where the stack, or each piece of it, landed.
pub(super) fn over(scene: &mut Scene, plan: Plan, now: &AmoebaPosition, m: Move) {
    let Move::Go { from, to, split } = m else { return };
    let stops = if split { way(from, to).split_off(1) } else { vec![to] };
    for cell in stops {
        let (at, top) = (plan.centre(cell), top(now.stack(cell)));
        scene.stamp(ring(split && cell != to), pt(at.x + top.x, at.y + top.y));
    }
}

/// The points of a move from its start to its end.
fn way(from: Cell, to: Cell) -> Vec<Cell> {
    let Some(dir) = board().lines().direction(from, to) else { return vec![from, to] };
    let mut way = vec![from];
    for cell in board().lines().walk(from, dir) {
        way.push(cell);
        if cell == to {
            break;
        }
    }
    way
}

fn start() -> Stamp {
    Stamp::new("amoeba/start", (42.0, 42.0), || {
        vec![Shape::circle(pt(0.0, 0.0), 36.0).dashed(ink("line"), 6.0, 13.0, 10.0)]
    })
}

/// A ring around a disc; thinner if a piece was dropped on the way.
fn ring(passing: bool) -> Stamp {
    let (name, wide, narrow) = if passing { ("passing", 10.0, 6.0) } else { ("goal", 13.0, 9.0) };
    Stamp::new(format!("amoeba/ring-{name}"), (54.0, 54.0), move || {
        let ring = |token, width| Shape::circle(pt(0.0, 0.0), DISC + 1.0).stroke(ink(token), width);
        vec![ring("line", wide), ring("lit", narrow)]
    })
}
