//! Patterns that distinguish the sides without colour: dots on the discs of the side that starts at the bottom, stripes
//! on the other's.

use crate::art::pattern::{Area, Edge, Pattern};
use rookery_core::scene::{Outline, Point, Shape, ink, pt};

use super::super::rules::{Side, Stack};
use super::stacks::{DISC, tokens};

/// The pattern of a side.
pub(super) fn pattern(side: Side) -> Pattern {
    match side {
        Side::Bottom => Pattern::Dots,
        Side::Top => Pattern::Stripes,
    }
}

/// The marks on the top disc of a stack, around its numeral or Kernel if it has one.
pub(super) fn face(at: Point, side: Side, stack: Stack) -> Vec<Shape> {
    let is_bare = stack.height() == 1 && !stack.pieces().any(|piece| piece.kernel);
    let edge = Edge::circle(at, DISC - 3.0);
    let area = if is_bare { Area::within(edge) } else { Area::along(edge, 13.5) };
    pattern(side).marks(&area, ink(tokens(side).ink))
}

/// The side of a disc: broken for the side with stripes.
pub(super) fn belt(at: Point, side: Side, thick: f32) -> Option<Shape> {
    // The lower half of the disc's edge, moved down by half the belt.
    let along = (0..=24_u8).map(|n| {
        let (sin, cos) = (f32::from(n) * 7.5).to_radians().sin_cos();
        pt(at.x + (DISC - 1.0) * cos, at.y + thick / 2.0 + (DISC - 1.0) * sin)
    });
    let line = Shape::new(Outline::Lines { points: along.collect(), closed: false });
    (side == Side::Top).then(|| line.dashed(ink(tokens(side).face), (thick * 0.55).min(6.0), 2.0, 13.0))
}

/// Draws the marks on an owned point.
pub(super) fn wash(side: Side) -> Vec<Shape> {
    let middle = pt(0.0, 0.0);
    let area = Area::within(Edge::circle(middle, 47.0)).without(Edge::circle(middle, 12.0));
    pattern(side).marks(&area, ink(tokens(side).edge))
}
