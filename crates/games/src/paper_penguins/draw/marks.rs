//! The symbols in cells, relative to their centre. Measures are for a cell 120 wide.

use crate::art::pattern::{Area, Edge, Pattern};
use crate::art::plan::{Plan, turn};
use crate::art::pointer::{degrees, pointer};
use rookery_core::scene::{Anchor, Outline, Paint, Point, Shape, Weight, ink, pt, tint};
use rookery_core::{Cell, Seat};

const MIDDLE: Point = pt(0.0, 0.0);

/// The tokens of a side: line, inside, number.
fn side(seat: Seat) -> [&'static str; 3] {
    match seat.number() {
        1 => ["square-line", "square-fill", "square-number"],
        _ => ["circle-line", "circle-fill", "circle-number"],
    }
}

/// The whole cell around a point.
pub(super) fn square(plan: Plan, at: Point) -> Shape {
    let half = plan.cell() / 2.0;
    Shape::rect(pt(at.x - half, at.y - half), 2.0 * half, 2.0 * half, 0.0)
}

/// The cell inside its grid lines, inset by a further `inset`.
fn inside(plan: Plan, inset: f32) -> Shape {
    let half = plan.cell() / 2.0 - 2.0 - inset;
    Shape::rect(pt(-half, -half), 2.0 * half, 2.0 * half, 0.0)
}

/// The ground of a cell by its points.
pub(super) fn shade(plan: Plan, points: u8) -> Vec<Shape> {
    vec![inside(plan, 0.0).fill(ink(shade_token(points)))]
}

fn shade_token(points: u8) -> &'static str {
    ["cell-1", "cell-2", "cell-3"][usize::from(points.clamp(1, 3)) - 1]
}

/// A crossed-out cell.
pub(super) fn crossed(plan: Plan) -> Vec<Shape> {
    let mut art = vec![inside(plan, 0.0).fill(ink("gone"))];
    art.extend(cross(plan, 34.0, "cross", 7.0));
    art
}

fn cross(plan: Plan, reach: f32, token: &'static str, width: f32) -> [Shape; 2] {
    let (r, width) = (reach * plan.unit, width * plan.unit);
    [r, -r].map(|x| Shape::line(pt(-x, -r), pt(x, r)).stroke(ink(token), width))
}

/// The goal of the last move, under the piece.
pub(super) fn lit(plan: Plan) -> Vec<Shape> {
    let u = plan.unit;
    vec![inside(plan, 0.0).fill(ink("lit")), inside(plan, 4.0 * u).stroke(ink("lit-line"), 6.0 * u)]
}

/// The cell that the last move crossed out.
pub(super) fn left(plan: Plan) -> Vec<Shape> {
    let u = plan.unit;
    let edge = inside(plan, 5.0 * u).dashed(ink("lit-line"), 6.0 * u, 14.0 * u, 12.0 * u);
    let mut art = vec![inside(plan, 0.0).fill(ink("lit")), edge];
    art.extend(cross(plan, 34.0, "lit-line", 9.0));
    art
}

/// The path of the last move, clear of both ends and of the numbers on it.
pub(super) fn way(plan: Plan, from: Cell, to: Cell) -> Vec<Shape> {
    let u = plan.unit;
    let parts = plan.parts((from, to), (52.0 * u, 56.0 * u), 38.0 * u).into_iter();
    parts.map(|[a, b]| Shape::line(a, b).stroke(ink("lit-line"), 9.0 * plan.thick())).collect()
}

/// The owner of a cell, in quarters of full strength: a frame that grows, a tint that keeps the number's contrast and,
/// unless there is a piece, the side's shape in a corner.
pub(super) fn owner(plan: Plan, seat: Seat, quarters: u8, is_free: bool) -> Vec<Shape> {
    let u = plan.unit;
    let [line, ..] = side(seat);
    let strength = f32::from(quarters);
    let mut art = vec![inside(plan, 0.0).fill(tint(line, 0.06 * strength))];
    if plan.patterns {
        art.extend(framed(plan, seat, (10.0 + 2.0 * strength) * u));
        return art;
    }
    let frame = 3.0 * strength * u;
    art.push(inside(plan, frame / 2.0).stroke(ink(line), frame));
    art.extend(is_free.then(|| shape(seat, pt(-33.0 * u, -33.0 * u), 9.0 * u).stroke(ink(line), 6.0 * u)));
    art
}

/// The hatch of a cell that both sides reach.
pub(super) fn shared(plan: Plan) -> Vec<Shape> {
    let half = plan.cell() / 2.0 - 2.0;
    Pattern::Hatch.marks(&Area::within(Edge::rect(MIDDLE, half, half)), tint("number", 0.25))
}

/// A frame within a cell in a side's colours and pattern.
fn framed(plan: Plan, seat: Seat, width: f32) -> Vec<Shape> {
    let [line, fill, number] = side(seat);
    let half = plan.cell() / 2.0 - 2.0;
    let area = Area::along(Edge::rect(MIDDLE, half, half), width);
    let mut art = vec![inside(plan, width / 2.0).stroke(ink(fill), width)];
    art.extend(pattern(seat).marks(&area, ink(number)));
    art.push(inside(plan, width).stroke(ink(line), 3.0 * plan.unit));
    art
}

/// The marks between a piece's line and its number.
fn lining(seat: Seat, radius: f32) -> Vec<Shape> {
    let [_, _, number] = side(seat);
    let area = match seat.number() {
        1 => {
            let (edge, hole) = (radius * 0.9, Edge::rect(MIDDLE, radius * 0.5, radius * 0.62));
            Area::within(Edge::rect(MIDDLE, edge, edge)).without(hole)
        }
        _ => Area::along(Edge::circle(MIDDLE, radius * 0.94), radius * 0.3),
    };
    pattern(seat).marks(&area, ink(number))
}

/// Stripes in squares, dots in circles.
fn pattern(seat: Seat) -> Pattern {
    if seat.number() == 1 { Pattern::Stripes } else { Pattern::Dots }
}

/// The side's shape: a square or a circle.
fn shape(seat: Seat, at: Point, radius: f32) -> Shape {
    match seat.number() {
        1 => Shape::rect(pt(at.x - radius, at.y - radius), 2.0 * radius, 2.0 * radius, radius * 0.12),
        _ => Shape::circle(at, radius * 1.08),
    }
}

/// The points of a free cell.
pub(super) fn number(plan: Plan, points: u8) -> Vec<Shape> {
    vec![numeral(plan, points, ink("number"))]
}

fn numeral(plan: Plan, points: u8, paint: Paint) -> Shape {
    let size = if plan.large { 74.0 } else { 58.0 };
    Shape::text(points.to_string(), MIDDLE, size * plan.unit, Weight::Bold).fill(paint)
}

/// A piece around the points that it has scored.
pub(super) fn piece(plan: Plan, seat: Seat, points: u8) -> Vec<Shape> {
    let u = plan.unit;
    let [line, fill, number] = side(seat);
    let radius = if plan.large { 46.0 } else { 41.0 };
    let outline = shape(seat, MIDDLE, radius * u).fill(ink(fill)).stroke(ink(line), 9.0 * u);
    let lining = plan.patterns.then(|| lining(seat, radius * u));
    let inside = lining.into_iter().flatten().chain([numeral(plan, points, ink(number))]);
    std::iter::once(outline).chain(inside).collect()
}

/// The mark of a chosen cell.
pub(super) fn chosen(plan: Plan) -> Vec<Shape> {
    let u = plan.unit;
    vec![inside(plan, 5.0 * u).fill(tint("mark", 0.14)).stroke(ink("mark"), 10.0 * u)]
}

/// The mark of a selectable cell: an outline and a dot.
pub(super) fn goal(plan: Plan) -> Vec<Shape> {
    let u = plan.unit;
    let ring = inside(plan, 3.0 * u).fill(tint("mark", 0.10)).stroke(ink("mark"), 6.0 * u);
    vec![ring, Shape::circle(pt(38.0 * u, -38.0 * u), 10.0 * u).fill(ink("mark"))]
}

/// The mark of a cell that can be selected by a label. The points of the cell stay the larger number: they are what the
/// player compares, and a label in their place would be taken for them.
pub(super) fn label(plan: Plan, text: &str, points: u8) -> Vec<Shape> {
    let u = plan.unit;
    let at = pt(29.0 * u, -29.0 * u);
    let disc = Shape::circle(at, 27.0 * u).fill(ink("mark"));
    let label = Shape::text(text, at, 36.0 * u, Weight::Bold).fill(ink("sign"));
    let points = Shape::text(points.to_string(), pt(-15.0 * u, 14.0 * u), 56.0 * u, Weight::Bold);
    vec![inside(plan, 3.0 * u).stroke(ink("mark"), 6.0 * u), points.fill(ink("number")), disc, label]
}

/// The mark of a direction that can be selected by a label, on its first cell: a disc that points there, with the points
/// of the cell small beside it.
pub(super) fn direction(plan: Plan, text: &str, heading: u8, points: u8) -> Vec<Shape> {
    let u = plan.unit;
    let reach = (29.0 * u, 48.0 * u);
    let arrow = pointer(pt(0.0, -6.0 * u), reach, degrees(heading, false), ink("mark"));
    let disc = Shape::circle(pt(0.0, -6.0 * u), 34.0 * u).fill(ink("mark"));
    let label = Shape::text(text, pt(0.0, -6.0 * u), 44.0 * u, Weight::Bold).fill(ink("sign"));
    let points = Shape::text(points.to_string(), pt(42.0 * u, 40.0 * u), 30.0 * u, Weight::Bold);
    let frame = inside(plan, 3.0 * u).stroke(ink("mark"), 6.0 * u);
    vec![frame, arrow, disc, label, points.fill(ink("number"))]
}

/// The mark of a piece that can be selected by a label: a badge in a corner, clear of its points.
pub(super) fn badge(plan: Plan, text: &str) -> Vec<Shape> {
    let u = plan.unit;
    let radius = 18.0 * plan.thick();
    let aside = (40.0 * u).min(plan.cell() / 2.0 - radius);
    let at = pt(aside, -aside);
    let disc = Shape::circle(at, radius).fill(ink("mark")).stroke(ink("sign"), 3.0 * u);
    let label = Shape::text(text, at, 28.0 * plan.thick(), Weight::Bold).fill(ink("sign"));
    vec![inside(plan, 3.0 * u).stroke(ink("mark"), 6.0 * u), disc, label]
}

/// The chip of a side, 460 wide; an outline and an arrow mark the side to move.
pub(super) fn chip(seat: Seat, to_move: bool) -> Vec<Shape> {
    let [line, fill, _] = side(seat);
    let mut plate = Shape::rect(pt(-230.0, -29.0), 460.0, 58.0, 29.0).fill(ink("chip"));
    if to_move {
        plate = plate.stroke(ink("turn"), 4.0);
    }
    let mut art = vec![plate, shape(seat, pt(-180.0, 0.0), 19.0).fill(ink(fill)).stroke(ink(line), 6.0)];
    art.extend(to_move.then(|| turn(pt(190.0, 0.0))));
    art
}

/// The points of a side.
pub(super) fn score(points: u16) -> Shape {
    let (at, size, weight, anchor) = (MIDDLE, 40.0, Weight::Bold, Anchor::Left);
    Shape::new(Outline::Text { text: points.to_string(), at, size, weight, anchor }).fill(ink("chip-text"))
}

/// The symbol of a side.
pub(super) fn sign(seat: Seat, at: Point) -> [Shape; 1] {
    let [line, fill, _] = side(seat);
    [shape(seat, at, 22.0).fill(ink(fill)).stroke(ink(line), 6.0)]
}
