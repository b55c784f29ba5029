//! Patterns that distinguish the sides without colour: dots for White, stripes for Black, on queens and on squares.

use crate::art::pattern::{Area, Edge, Pattern};
use rookery_core::scene::{Paint, Shape, ink, pt, tint};

use super::queen::Frame;
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

/// The marks on a queen's skirt.
pub(super) fn queen(side: Side, unit: f32, large: bool) -> Vec<Shape> {
    let frame = Frame::queen(unit, large);
    match side {
        Side::White => {
            let dot = |(x, y)| Shape::circle(frame.point(x, y), frame.length(5.4)).fill(ink("white-line"));
            [(30.0, 61.0), (50.0, 58.0), (70.0, 61.0)].map(dot).to_vec()
        }
        Side::Black => {
            let stripe = |(x, y): (f32, f32)| {
                let (low, high) = (frame.point(x - 4.5, y + 6.0), frame.point(x + 4.5, y - 6.0));
                Shape::line(low, high).stroke(ink("black-line"), frame.length(6.4))
            };
            [(30.5, 58.5), (50.0, 55.5), (69.5, 58.5)].map(stripe).to_vec()
        }
    }
}

/// The marks between the crown and the rim of a token.
pub(super) fn token(side: Side, unit: f32, large: bool) -> Vec<Shape> {
    let scale = unit * if large { 0.98 } else { 0.9 };
    let (middle, paint) = (pt(0.0, 0.0), super::draw::inks(side).1);
    let area = Area::within(Edge::circle(middle, 41.0 * scale)).without(Edge::circle(middle, 30.0 * scale));
    pattern(side).marks(&area, ink(paint))
}
