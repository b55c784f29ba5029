//! Patterns that distinguish players without colour: frames around owned tiles.

use super::tiles;
use super::trace::GOAL;
use crate::art::pattern::{Area, Edge, Pattern};
use crate::art::penguin::{colour, on_colour};
use crate::art::plan::Plan;
use rookery_core::Seat;
use rookery_core::scene::{Point, Shape, ink, pt, tint};

const MIDDLE: Point = pt(0.0, 0.0);
/// The width of the frame around a piece.
const FRAME: f32 = 18.0;

/// The frame of the piece on a tile with `fish` fish, clear of the tile's name, of the fish, and of the outline of the
/// last move if it ended there.
pub(super) fn stands(plan: Plan, seat: Seat, fish: u8, is_goal: bool) -> Vec<Shape> {
    let below = if plan.is_island() { 54.0 } else { 46.0 };
    let outer = if is_goal { GOAL * plan.unit } else { 0.0 };
    let mut art = frame(plan, seat, outer, FRAME * plan.unit);
    art.push(plate(plan, fish, (below, (15.0 * f32::from(fish) + 8.0) * plan.thick() / plan.unit, 18.0)));
    art.extend(name_plate(plan, fish));
    art
}

/// The owner's pattern on a free tile with `fish` fish, in quarters of full strength.
pub(super) fn owns(plan: Plan, seat: Seat, quarters: u8, fish: u8) -> Vec<Shape> {
    let mut art = frame(plan, seat, 0.0, (10.0 + 2.0 * f32::from(quarters)) * plan.unit);
    art.extend(name_plate(plan, fish));
    art
}

/// The hatch of a tile that several players reach.
pub(super) fn shared(plan: Plan) -> Vec<Shape> {
    let edge = Edge::of(&plan.plate(MIDDLE, -2.0));
    edge.map(|edge| Pattern::Hatch.marks(&Area::within(edge), tint("mark", 0.3))).unwrap_or_default()
}

/// A frame at this distance from the edge, in a player's colour with their pattern.
fn frame(plan: Plan, seat: Seat, outer: f32, width: f32) -> Vec<Shape> {
    let band = plan.plate(MIDDLE, -outer - width / 2.0).stroke(ink(colour(seat)), width);
    let area = Edge::of(&plan.plate(MIDDLE, -outer)).map(|edge| Area::along(edge, width));
    let marks = area.map(|area| Pattern::of(seat).marks(&area, on_colour(seat)));
    std::iter::once(band).chain(marks.into_iter().flatten()).collect()
}

/// A part of the tile without the frame, for the name of a hexagon.
fn name_plate(plan: Plan, fish: u8) -> Option<Shape> {
    plan.is_island().then(|| plate(plan, fish, (-44.0, 44.0, 24.0)))
}

/// A plate in a tile's own colour: offset below the middle, width and height.
fn plate(plan: Plan, fish: u8, (y, w, h): (f32, f32, f32)) -> Shape {
    let u = plan.unit;
    let corner = pt(-w / 2.0 * u, (y - h / 2.0) * u);
    Shape::rect(corner, w * u, h * u, 8.0 * u).fill(ink(tiles::face(fish)))
}
