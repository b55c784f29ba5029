//! The last move: origin, path, target, and the speared tile.

use super::canvas::Canvas;
use crate::art::plan::Plan;
use crate::floe::{Floe, Move};
use rookery_core::Cell;
use rookery_core::scene::{Point, Shape, Weight, ink, pt};

/// The distance between the edge of the goal's tile and the outline of the last move.
pub(super) const GOAL: f32 = 9.0;
/// The distance of the path from the centre of a tile whose fish are drawn as a numeral.
const CLEAR: f32 = 48.0;
/// The sideways offset of the paths of a piece and its spear if one would cover the other.
const ASIDE: f32 = 10.0;

impl Canvas<'_> {
    /// Draws a move that led to this floe.
    pub(super) fn trace(&mut self, last: Move, floe: &Floe) {
        let plan = self.plan;
        let lines = floe.board().lines();
        let is_doubled = last
            .from
            .zip(last.spear)
            .is_some_and(|(from, spear)| lines.direction(last.to, from) == lines.direction(last.to, spear));
        let aside = if is_doubled { ASIDE * plan.unit } else { 0.0 };
        if let Some(from) = last.from {
            self.put("from", from, start);
            self.path(from, last.to, aside, floe);
        }
        self.put("goal-of-move", last.to, goal);
        if let Some(spear) = last.spear {
            let name = if plan.is_island() { floe.board().name(spear) } else { "" };
            self.put(&format!("speared-{name}"), spear, move |plan| speared(plan, name));
            self.flight(last.to, spear, aside);
        }
    }

    /// A line that stops short of both ends and skips numerals on its way.
    fn path(&mut self, from: Cell, to: Cell, aside: f32, floe: &Floe) {
        let (plan, numerals) = (self.plan, self.has_numerals());
        let (u, thick) = (plan.unit, plan.thick());
        let [start, end] = [from, to].map(|cell| plan.centre(cell));
        let first = if numerals && floe.tiles().has(from) { CLEAR } else { 30.0 };
        let last = if plan.is_slanted(start, end) { 58.0 * 1.35 } else { 58.0 };
        let clear = if numerals { CLEAR * u } else { 0.0 };
        let parts = plan.parts((from, to), (first * u, last * u), clear);
        for (token, width) in [("lit-line", 13.0), ("lit", 7.0)] {
            for [a, b] in &parts {
                let [a, b] = [*a, *b].map(|point| beside(point, (start, end), aside));
                self.scene.shape(Shape::line(a, b).stroke(ink(token), width * thick));
            }
        }
    }

    /// The path of the spear, in dots.
    fn flight(&mut self, from: Cell, to: Cell, aside: f32) {
        let plan = self.plan;
        let (u, thick) = (plan.unit, plan.thick());
        let ends = [from, to].map(|cell| plan.centre(cell));
        let length = (ends[1].x - ends[0].x).hypot(ends[1].y - ends[0].y) - 36.0 * u;
        let between = plan.board.lines().between(from, to);
        let is_clear = |at: Point| {
            let far = |cell| {
                let middle: Point = plan.centre(cell);
                (middle.x - at.x).hypot(middle.y - at.y) >= CLEAR * u
            };
            !self.has_numerals() || between.iter().all(far)
        };
        let places = (0..).map(|i| 56.0 * u + 20.0 * thick * f32::from(i as u16));
        let along = places.take_while(|off| *off <= length).map(|off| ends[0].towards(ends[1], off));
        let dot = |at| Shape::circle(at, 5.5 * thick).fill(ink("lit")).stroke(ink("lit-line"), 3.0 * thick);
        let dots: Vec<_> = along.filter(|at| is_clear(*at)).collect();
        for at in dots {
            self.scene.shape(dot(beside(at, (ends[0], ends[1]), aside)));
        }
    }
}

/// A point moved to the left of the path's direction: two opposite paths are moved to opposite sides.
fn beside(point: Point, (from, to): (Point, Point), aside: f32) -> Point {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let part = aside / dx.hypot(dy).max(1.0);
    pt(point.x + dy * part, point.y - dx * part)
}

/// The origin of the piece: dashes over a dark line, so that one of the two is visible on ice and on any sea.
fn start(plan: Plan) -> Vec<Shape> {
    let u = plan.unit;
    let ring = || plan.plate(pt(0.0, 0.0), -5.0 * u);
    vec![ring().stroke(ink("lit-line"), 9.0 * u), ring().dashed(ink("lit"), 6.0 * u, 14.0 * u, 12.0 * u)]
}

/// The goal of the piece: an outline within the tile.
fn goal(plan: Plan) -> Vec<Shape> {
    let u = plan.unit;
    vec![plan.plate(pt(0.0, 0.0), -4.0 * u).stroke(ink("lit"), 9.0 * u)]
}

/// The cell whose fish was speared: an outline and a cross, in two tones like the path. A name is drawn where tiles
/// have theirs, clear of the cross.
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
