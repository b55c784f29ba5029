//! The art of single cells, relative to their centre. Measures are for a hexagon 120 wide.

use crate::art::penguin::{self, colour, emblem, standing};
use crate::art::plan::{Plan, STRIP, WIDTH};
use crate::art::pointer::{degrees, pointer};
use rookery_core::Seat;
use rookery_core::scene::{Point, Shape, Weight, ink, pt, tint};

const MIDDLE: Point = pt(0.0, 0.0);
/// Opacity of a player's tint for a quarter of full strength.
pub const OWNED: f32 = 0.25;

/// The static parts: strip, outlines of all cells with their names, coordinates.
pub(super) fn ground(plan: Plan) -> Vec<Shape> {
    let mut art = Vec::new();
    if plan.strip {
        art.push(Shape::rect(pt(0.0, 0.0), WIDTH, STRIP, 0.0).fill(ink("strip")));
    }
    for cell in plan.board.cells() {
        let at = plan.centre(cell);
        art.push(plan.plate(at, -2.6 * plan.unit).stroke(ink("gone"), 3.0));
        if plan.is_island() {
            let size = 26.0 * plan.unit;
            art.push(Shape::text(plan.board.name(cell), at, size, Weight::SemiBold).fill(ink("gone-name")));
        }
    }
    let coordinates = plan.coordinates().into_iter();
    art.extend(
        coordinates.map(|(text, at, size)| Shape::text(text, at, size, Weight::SemiBold).fill(ink("row"))),
    );
    art
}

/// A tile with its foot, which is six units lower.
pub(super) fn tile(plan: Plan, fish: u8) -> Vec<Shape> {
    let slab = |at, token| plan.plate(at, 0.0).fill(ink(token)).stroke(ink(token), 4.0 * plan.unit);
    let mut art = vec![slab(pt(0.0, 6.0 * plan.unit), "foot"), slab(MIDDLE, face(fish))];
    if plan.large {
        art.push(plan.plate(MIDDLE, 0.0).stroke(ink("name"), 4.0 * plan.unit));
    }
    art
}

/// The owner of a cell, in quarters of full strength: a frame that grows and, if there is a tile, a tint that keeps the
/// contrast of names and fish; with the emblem if there is room for it.
pub(super) fn owner(plan: Plan, seat: Seat, quarters: u8, (tile, emblem_too): (bool, bool)) -> Vec<Shape> {
    let u = plan.unit;
    let strength = f32::from(quarters);
    // A hexagon has its name in the corner.
    let frame = if plan.is_island() { 1.6 } else { 3.0 } * strength * u;
    let owned = ["owned-1", "owned-2", "owned-3", "owned-4"][seat.index()];
    let (at, radius) =
        if plan.is_island() { (pt(0.0, 50.0 * u), 9.0 * u) } else { (pt(-42.0 * u, -42.0 * u), 10.0 * u) };
    let rim = emblem(seat, at, radius + 2.5 * u, ink("belly"));
    let tint = tile.then(|| plan.plate(MIDDLE, 0.0).fill(tint(owned, OWNED * strength)));
    let mut art: Vec<Shape> = tint.into_iter().collect();
    art.push(plan.plate(MIDDLE, -frame / 2.0).stroke(ink(colour(seat)), frame));
    if emblem_too {
        art.extend([rim, emblem(seat, at, radius, ink(colour(seat)))]);
    }
    art
}

/// The mark of a chosen cell.
pub(super) fn chosen(plan: Plan) -> Vec<Shape> {
    vec![ring(plan, 0.22, 10.0)]
}

/// The mark of a selectable cell: an outline and a dot.
pub(super) fn goal(plan: Plan) -> Vec<Shape> {
    let u = plan.unit;
    let at = if plan.is_island() { pt(0.0, 48.0 * u) } else { pt(40.0 * u, -40.0 * u) };
    vec![ring(plan, 0.12, 6.0), Shape::circle(at, 9.0 * u).fill(ink("mark"))]
}

/// The mark of a cell that can be selected by a label.
pub(super) fn labelled(plan: Plan) -> Vec<Shape> {
    vec![ring(plan, 0.12, 6.0)]
}

fn ring(plan: Plan, share: f32, width: f32) -> Shape {
    let width = width * plan.unit;
    plan.plate(MIDDLE, -width / 2.0).fill(tint("mark", share)).stroke(ink("mark"), width)
}

/// The name of a hexagon, in its upper corner.
pub(super) fn name(plan: Plan, name: &str) -> Vec<Shape> {
    let (y, size) = if plan.large { (-43.0, 30.0) } else { (-44.0, 25.0) };
    let at = pt(0.0, y * plan.unit);
    vec![Shape::text(name, at, size * plan.unit, Weight::SemiBold).fill(ink("name"))]
}

/// One to three fish.
pub(super) fn fish(plan: Plan, count: u8) -> Vec<Shape> {
    let places: &[(f32, f32, f32)] = match count {
        1 => &[(-2.0, 10.0, 1.6)],
        2 => &[(-4.0, -7.0, 1.45), (0.0, 27.0, 1.45)],
        _ => &[(-2.0, -12.0, 1.12), (-26.0, 17.0, 1.12), (21.5, 17.0, 1.12)],
    };
    places.iter().flat_map(|place| one_fish(plan, *place, count)).collect()
}

/// The number of fish as a numeral, with one fish beside it.
pub(super) fn numeral(plan: Plan, count: u8) -> Vec<Shape> {
    let u = plan.unit;
    let at = pt(-27.0 * u, if plan.is_island() { 12.0 } else { 5.0 } * u);
    let mut art = vec![Shape::text(count.to_string(), at, 64.0 * u, Weight::Bold).fill(ink("body"))];
    art.extend(one_fish(plan, (22.0, 12.0, if plan.is_island() { 1.1 } else { 1.0 }), 1));
    art
}

/// The token of a tile with this many fish.
pub(super) fn face(fish: u8) -> &'static str {
    ["tile-1", "tile-2", "tile-3"][usize::from(fish.clamp(1, 3)) - 1]
}

/// A fish at a place and a scale, on a tile with this many. Squares have no name above their fish, so their fish are
/// higher and, if there is room, larger.
fn one_fish(plan: Plan, (x, y, scale): (f32, f32, f32), count: u8) -> [Shape; 2] {
    let u = plan.unit;
    let (down, size) = match (plan.is_island(), count) {
        (true, _) => (0.0, 1.0),
        (false, 3) => (-7.0, 1.0),
        (false, _) => (-7.0, 1.12),
    };
    let at = pt(x * size * u, (y * size + down) * u);
    penguin::fish(at, scale * size * u, ink("fish"), ink("eye"))
}

/// A penguin, and the fish under it as dots.
pub(super) fn piece(plan: Plan, seat: Seat, count: u8) -> Vec<Shape> {
    let u = plan.unit;
    let (scale, y) = match (plan.is_island(), plan.large) {
        (true, false) => (0.77, 5.5),
        (true, true) => (0.82, 8.0),
        (false, false) => (0.88, -8.0),
        (false, true) => (0.94, -7.0),
    };
    let penguin = standing(seat, scale * u).into_iter().map(|shape| moved(shape, y * u));
    penguin.chain(dots(plan, count)).collect()
}

/// The fish of a covered tile.
fn dots(plan: Plan, count: u8) -> Vec<Shape> {
    let (u, thick) = (plan.unit, plan.thick());
    let y = if plan.is_island() { 54.0 } else { 46.0 };
    let x = |i: u8| 15.0 * (f32::from(i) - (f32::from(count) - 1.0) / 2.0) * thick;
    let dot = |i: u8| Shape::circle(pt(x(i), y * u), 5.5 * thick).fill(ink("fish"));
    (0..count).map(dot).collect()
}

/// A label in the centre of a tile whose fish are drawn as dots; its disc points where the heading leads.
pub(super) fn pointer_label(plan: Plan, (text, heading): (&str, u8), count: u8) -> Vec<Shape> {
    let u = plan.unit;
    let at = pt(0.0, if plan.is_island() { 6.0 } else { -6.0 } * u);
    let pointed = pointer(at, (30.0 * u, 47.0 * u), degrees(heading, plan.is_island()), ink("mark"));
    let label = disc(at, 30.0 * u, text, 42.0 * u);
    [pointed.stroke(ink("sign"), 3.0)].into_iter().chain(label).chain(dots(plan, count)).collect()
}

/// A small label beside the fish or the piece of a tile, or on a bare cell.
pub(super) fn badge(plan: Plan, text: &str) -> Vec<Shape> {
    let (u, thick) = (plan.unit, plan.thick());
    // A square has more room for it than a hexagon.
    let size = if plan.is_island() { 1.0 } else { 1.2 } * thick;
    let (radius, letters) = (18.0 * size, if text.len() > 1 { 24.0 } else { 28.0 });
    // Clear of the penguin; a hexagon has room beside its upper corner only.
    let at = if plan.is_island() {
        pt(43.0 * u, -33.0 * u)
    } else {
        let aside = (42.0 * u).min(plan.cell() / 2.0 - radius);
        pt(aside, -aside)
    };
    disc(at, radius, text, letters * size).to_vec()
}

/// A shape of a penguin, moved down.
fn moved(mut shape: Shape, down: f32) -> Shape {
    use rookery_core::scene::Outline;
    match &mut shape.outline {
        Outline::Circle { centre, .. } => centre.y += down,
        Outline::Path { at, .. } | Outline::Text { at, .. } => at.y += down,
        Outline::Rect { corner, .. } => corner.y += down,
        Outline::Lines { points, .. } => points.iter_mut().for_each(|point| point.y += down),
    }
    shape
}

/// A disc with a label on it.
fn disc(at: Point, radius: f32, text: &str, size: f32) -> [Shape; 2] {
    let text = Shape::text(text, at, size, Weight::Bold).fill(ink("sign"));
    [Shape::circle(at, radius).fill(ink("mark")).stroke(ink("sign"), 3.0), text]
}
