//! The last move: where from, which way, where to, and what was speared.

use super::Canvas;
use crate::kit::Cell;
use crate::kit::art::plan::Plan;
use crate::kit::floe::{Floe, Move};
use crate::kit::scene::{Point, Shape, Weight, ink, pt};

impl Canvas<'_> {
    /// Draws a move that led to this floe.
    pub(super) fn trace(&mut self, last: Move, floe: &Floe) {
        let plan = self.plan;
        if let Some(from) = last.from {
            self.put("from", from, start);
            self.path(from, last.to);
        }
        self.put("goal-of-move", last.to, goal);
        if let Some(spear) = last.spear {
            let (from, to) = (plan.centre(last.to), plan.centre(spear));
            let name = if plan.is_island() { floe.board().name(spear) } else { "" };
            self.put(&format!("speared-{name}"), spear, move |plan| speared(plan, name));
            self.scene.items.extend(flight(plan, from, to).into_iter().map(crate::kit::scene::Item::Shape));
        }
    }

    /// A line that leaves the ends free.
    fn path(&mut self, from: Cell, to: Cell) {
        let (from, to) = (self.plan.centre(from), self.plan.centre(to));
        let u = self.plan.unit;
        let (from, to) = (from.towards(to, 30.0 * u), to.towards(from, 58.0 * u));
        self.scene.shape(Shape::line(from, to).stroke(ink("lit-line"), 13.0 * u));
        self.scene.shape(Shape::line(from, to).stroke(ink("lit"), 7.0 * u));
    }
}

/// Where the piece stood: dashes over a dark line, so that one of the two shows on ice and on any sea.
fn start(plan: Plan) -> Vec<Shape> {
    let u = plan.unit;
    let ring = || plan.plate(pt(0.0, 0.0), -5.0 * u);
    vec![ring().stroke(ink("lit-line"), 9.0 * u), ring().dashed(ink("lit"), 6.0 * u, 14.0 * u, 12.0 * u)]
}

/// Where it stands now: an outline within the tile.
fn goal(plan: Plan) -> Vec<Shape> {
    let u = plan.unit;
    vec![plan.plate(pt(0.0, 0.0), -4.0 * u).stroke(ink("lit"), 9.0 * u)]
}

/// The cell whose fish was speared: an outline and a cross, in two tones as the way is. A name goes to
/// where tiles have theirs, clear of the cross.
fn speared(plan: Plan, name: &str) -> Vec<Shape> {
    let u = plan.unit;
    let middle = if name.is_empty() { 0.0 } else { 8.0 };
    let arm = |x: f32| Shape::line(pt(-x * u, (middle - 17.0) * u), pt(x * u, (middle + 17.0) * u));
    let cell = || plan.plate(pt(0.0, 0.0), -5.0 * u);
    let mut art = vec![cell().fill(ink("sea"))];
    for (token, wider) in [("lit-line", 5.0), ("lit", 0.0)] {
        art.push(cell().stroke(ink(token), (5.0 + wider) * u));
        art.extend([17.0, -17.0].map(|x| arm(x).stroke(ink(token), (8.0 + wider) * u)));
    }
    let at = pt(0.0, -38.0 * u);
    art.push(Shape::text(name, at, 25.0 * u, Weight::SemiBold).fill(ink("row")));
    art
}

/// The way of the spear, in dots.
fn flight(plan: Plan, from: Point, to: Point) -> Vec<Shape> {
    let u = plan.unit;
    let length = (to.x - from.x).hypot(to.y - from.y) - 36.0 * u;
    let places = (0..).map(|i| (56.0 + 20.0 * f32::from(i as u16)) * u).take_while(|at| *at <= length);
    let dot =
        |at| Shape::circle(from.towards(to, at), 5.5 * u).fill(ink("lit")).stroke(ink("lit-line"), 3.0 * u);
    places.map(dot).collect()
}
