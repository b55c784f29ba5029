//! Patterns that distinguish the sides without colour: dots for White, stripes for Black, on pieces and on squares.

use crate::art::pattern::{Area, Edge, Pattern};
use rookery_core::scene::{Paint, Shape, ink, pt, tint};

use super::rules::Side;

fn pattern(side: Side) -> Pattern {
    match side {
        Side::White => Pattern::Dots,
        Side::Black => Pattern::Stripes,
    }
}

/// The darker of a side's two colours: it is visible on every square.
fn dark(side: Side) -> Paint {
    match side {
        Side::White => ink("white-line"),
        Side::Black => ink("black-fill"),
    }
}

/// The pattern on an owned square, `half` its half side: filled around a symbol, or a frame around a piece.
pub(super) fn wash(side: Side, half: f32, free: bool) -> Vec<Shape> {
    let middle = pt(0.0, 0.0);
    let hole =
        if free { Edge::circle(middle, half * 0.58) } else { Edge::rect(middle, half - 16.0, half - 16.0) };
    let area = Area::within(Edge::rect(middle, half - 2.0, half - 2.0)).without(hole);
    pattern(side).marks(&area, dark(side))
}

/// The hatch of a square that both sides reach, `half` its half side.
pub(super) fn shared(half: f32) -> Vec<Shape> {
    let area = Area::within(Edge::rect(pt(0.0, 0.0), half - 2.0, half - 2.0));
    Pattern::Hatch.marks(&area, tint("white-line", 0.3))
}

/// The marks between the crown and the rim of a token: so few that it remains as light or as dark as its side.
pub(super) fn token(side: Side, unit: f32, large: bool) -> Vec<Shape> {
    let scale = unit * if large { 0.98 } else { 0.9 };
    let (middle, paint) = (pt(0.0, 0.0), ink(super::draw::inks(side).1));
    match side {
        Side::White => (0..DOTS).map(|n| dot(n, scale).fill(paint)).collect(),
        Side::Black => {
            let area = Area::along(Edge::circle(middle, 42.0 * scale), 10.5 * scale);
            pattern(side).marks(&area, paint)
        }
    }
}

/// The number of dots around a crown.
const DOTS: u8 = 12;

fn dot(number: u8, scale: f32) -> Shape {
    let (sin, cos) = (f32::from(number) * std::f32::consts::TAU / f32::from(DOTS)).sin_cos();
    Shape::circle(pt(36.5 * scale * sin, -36.5 * scale * cos), 3.3 * scale)
}
