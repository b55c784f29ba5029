//! The empty dish: rim, net, points, names.

use rookery_core::scene::{Shape, Weight, ink, pt};

use super::super::rules::board;
use super::plan::{MIDDLE, Plan};

/// The board without stacks; its origin is the upper left corner of the picture.
pub(super) fn art(plan: Plan) -> Vec<Shape> {
    let mut art = vec![
        hexagon(494.0, 9.0).fill(ink("shade")).stroke(ink("shade"), 36.0),
        hexagon(494.0, 0.0).fill(ink("rim")).stroke(ink("rim"), 36.0),
        hexagon(485.0, 0.0).fill(ink("dish")).stroke(ink("dish"), 30.0),
    ];
    let width = if plan.large { 6.0 } else { 4.0 };
    for cell in board().cells() {
        // Three of the six directions, so that each line is drawn once.
        let steps = (0..3).filter_map(|dir| board().lines().step(cell, dir));
        let line = |to| Shape::line(plan.centre(cell), plan.centre(to)).stroke(ink("net"), width);
        art.extend(steps.map(line));
    }
    for cell in board().cells() {
        art.push(Shape::circle(plan.centre(cell), 8.0).fill(ink("point")));
    }
    let size = if plan.large { 35.0 } else { 27.0 };
    let label = |(name, at)| Shape::text(name, at, size, Weight::SemiBold).fill(ink("label"));
    art.extend(plan.labels().into_iter().map(label));
    art
}

/// A hexagon on its side around the middle, with this distance from middle to corners, moved down by `lower`.
fn hexagon(radius: f32, lower: f32) -> Shape {
    let (half, high) = (radius / 2.0, radius * 0.866);
    let corners = [(radius, 0.0), (half, high), (-half, high), (-radius, 0.0), (-half, -high), (half, -high)];
    Shape::polygon(corners.map(|(x, y)| pt(MIDDLE.x + x, MIDDLE.y + y + lower)).to_vec())
}
