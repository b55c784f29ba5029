//! The closed line around the number of a cell: how much of it is there, and whether it is a circle or a square.

use std::f32::consts::TAU;

use super::flat::median;
use super::patch::{Patch, Print};

/// The directions from the middle in which the line is looked for.
const RAYS: usize = 72;
/// How near to the middle the line may be, as a share of the cell's side, and how far it may be from it across or along.
const NEAREST: f32 = 0.15;
const FARTHEST: f32 = 0.57;
/// The steepest line against one that stays at its distance, and what a slope of one costs against a whole stroke.
const STEEPEST: f32 = 1.3;
const COST: f32 = 0.1;
/// What a point counts where a printed line hides whether there is a stroke: more than paper, and less than a weak stroke.
const HIDDEN: f32 = 0.2;
/// What a stroke counts for being one, and what for being as dark as others: a path follows the middle of a stroke.
const DARK: f32 = 0.5;
/// The least share of the directions in which a line is visible.
const MIN_VISIBLE: f32 = 0.7;
/// Half the width of the widest stroke, as a share of the cell's side.
const WIDEST: f32 = 0.09;
/// How far a square may be turned, in degrees, and in what steps it is tried.
const MAX_ANGLE: i32 = 16;
const STEP: usize = 4;

/// A closed line around the middle of a cell.
#[derive(Debug)]
pub(super) struct Ring {
    /// A point in each direction, in pixels from the middle, and how surely there is a stroke.
    points: Vec<((f32, f32), f32)>,
    /// The share of the line that is drawn, 0 to 1.
    pub(super) drawn: f32,
    /// The usual width of its stroke in pixels.
    pub(super) width: f32,
}

impl Ring {
    /// The line around the middle that has the most ink: the best path through the directions, by dynamic programming.
    pub(super) fn around(patch: &Patch) -> Ring {
        let radii = radii(patch);
        let whole = patch.strongest();
        let value = |at: (f32, f32)| {
            if at.0.abs().max(at.1.abs()) > FARTHEST * patch.cell {
                return f32::NEG_INFINITY;
            }
            match patch.print(at) {
                Print::Nothing => (1.0 - DARK) * patch.stroke(at) + DARK * (patch.ink(at) / whole).min(1.0),
                Print::Digit => 0.0,
                Print::Line => HIDDEN,
            }
        };
        let row = |ray: usize| {
            let (x, y) = place(ray, 1.0);
            radii.iter().map(|radius| value((radius * x, radius * y))).collect()
        };
        let values: Vec<Vec<f32>> = (0..RAYS).map(row).collect();
        let path = path(&values, &radii);
        let (mut sum, mut visible) = (0.0, 0.0);
        let (mut points, mut widths) = (Vec::with_capacity(RAYS), Vec::with_capacity(RAYS));
        for (ray, n) in path.iter().enumerate() {
            let at = place(ray, radii[*n]);
            let stroke = if patch.print(at) == Print::Nothing { patch.stroke(at) } else { 0.0 };
            sum += stroke;
            visible += f32::from(u8::from(patch.print(at) != Print::Line));
            let across = across(&values[ray], *n, patch.cell);
            points.push((place(ray, radii[(across.start + across.end - 1) / 2]), stroke));
            widths.push(across.len() as f32);
        }
        let drawn = sum / f32::max(visible, MIN_VISIBLE * RAYS as f32);
        Ring { points, drawn, width: median(widths) }
    }

    /// How much more the line is like a square than like a circle, -1 to 1. It may be stretched in any direction, so both are
    /// compared after the line has been made as wide as high.
    pub(super) fn squareness(&self) -> f32 {
        let round = self.round_points();
        let off = |model: &dyn Fn(f32) -> f32| {
            let (mut sum, mut total) = (0.0, 0.0);
            for ((x, y), weight) in &round {
                let (angle, radius) = (y.atan2(*x), x.hypot(*y));
                sum += weight * (radius - model(angle)).abs().min(MAX_POINT_ERROR);
                total += weight;
            }
            sum / total.max(1e-3)
        };
        let circle = off(&|_| 1.0);
        let turns = (-MAX_ANGLE..=MAX_ANGLE).step_by(STEP).map(|turn| (turn as f32).to_radians());
        let squares = turns.flat_map(|turn| {
            let off = &off;
            SQUARES.map(move |square| off(&|angle| superellipse(angle - turn, square)))
        });
        let square = squares.fold(f32::MAX, f32::min);
        (circle - square) / (circle + square).max(1e-3)
    }

    /// The points, moved and stretched so that the area within has its middle at zero and is as wide as high, with the radius
    /// 1 if it is a circle.
    fn round_points(&self) -> Vec<((f32, f32), f32)> {
        // Integrals over the triangles between neighbouring points and the middle of the cell.
        let (mut area, mut at, mut square) = (0.0, [0.0; 2], [0.0; 3]);
        for (n, ((a, b), _)) in self.points.iter().enumerate() {
            let (c, d) = self.points[(n + 1) % RAYS].0;
            let triangle = (a * d - b * c) / 2.0;
            area += triangle;
            at[0] += triangle * (a + c) / 3.0;
            at[1] += triangle * (b + d) / 3.0;
            square[0] += triangle * (a * a + a * c + c * c) / 6.0;
            square[1] += triangle * (2.0 * a * b + a * d + b * c + 2.0 * c * d) / 12.0;
            square[2] += triangle * (b * b + b * d + d * d) / 6.0;
        }
        let area = area.max(1.0);
        let (x, y) = (at[0] / area, at[1] / area);
        let [xx, xy, yy] = [square[0] / area - x * x, square[1] / area - x * y, square[2] / area - y * y];
        // Half the inverse square root of the matrix of second moments M, which for a circle is a quarter of its squared
        // radius. The root of M is (M + s) / t with s² = det M and t² = trace M + 2 s (Levinger, "The square root of a 2x2
        // matrix", Mathematics Magazine 53, 1980).
        let s = (xx * yy - xy * xy).max(1e-3).sqrt();
        let t = (xx + yy + 2.0 * s).sqrt();
        let [p, q, r] = [yy + s, -xy, xx + s].map(|value| value / (2.0 * s * t));
        let turned = |&((a, b), weight): &((f32, f32), f32)| {
            let (a, b) = (a - x, b - y);
            ((p * a + q * b, q * a + r * b), weight)
        };
        self.points.iter().map(turned).collect()
    }

    /// How far beyond the line each pixel of a cell is; less than zero within it.
    pub(super) fn beyond(&self, rays: &Rays) -> Vec<f32> {
        let radii: Vec<f32> = self.points.iter().map(|((x, y), _)| x.hypot(*y)).collect();
        rays.0.iter().map(|(ray, far)| far - radii[usize::from(*ray)]).collect()
    }
}

/// The direction of each pixel of a cell that is nearest to its own, and how far it is from the middle; for all cells of one
/// size.
pub(super) struct Rays(Vec<(u8, f32)>);

impl Rays {
    /// Those in cells of the size of this one.
    pub(super) fn new(patch: &Patch) -> Rays {
        Rays(patch.map(|(x, y)| (ray(x, y) as u8, x.hypot(y))))
    }
}

/// A point of the line that is this far off, as a share of the radius, belongs to something else.
const MAX_POINT_ERROR: f32 = 0.35;
/// The powers n of the curves |x|^n + |y|^n = h^n that count as squares, from round corners to sharp ones, each with the h
/// that gives it the second moments of the unit circle: h² = G(1/n) G(1 + 4/n) / (4 G(3/n) G(1 + 2/n)) with the gamma
/// function G.
const SQUARES: [(f32, f32); 3] = [(4.0, 0.914), (8.0, 0.881), (40.0, 0.866)];

/// The distance of such a curve from its middle in a direction.
fn superellipse(angle: f32, (power, half): (f32, f32)) -> f32 {
    let (sin, cos) = angle.sin_cos();
    half * (sin.abs().powf(power) + cos.abs().powf(power)).powf(-1.0 / power)
}

/// The distances from the middle at which the line may be, a pixel apart.
fn radii(patch: &Patch) -> Vec<f32> {
    let (nearest, farthest) = (NEAREST * patch.cell, FARTHEST * patch.cell * std::f32::consts::SQRT_2);
    (0..=(farthest - nearest) as usize).map(|n| nearest + n as f32).collect()
}

/// The direction that is nearest to that of a point.
fn ray(x: f32, y: f32) -> usize {
    (y.atan2(x).rem_euclid(TAU) / TAU * RAYS as f32).round() as usize % RAYS
}

fn place(ray: usize, radius: f32) -> (f32, f32) {
    let (sin, cos) = (ray as f32 * TAU / RAYS as f32).sin_cos();
    (radius * cos, radius * sin)
}

/// The index of the radius in each direction, so that the sum of values is largest and the line closes.
fn path(values: &[Vec<f32>], radii: &[f32]) -> Vec<usize> {
    let mut sums = values[0].clone();
    // Two laps, so that the half at the end of the first and the beginning of the second closes.
    let mut came_from: Vec<Vec<usize>> = Vec::with_capacity(2 * RAYS);
    for step in 1..2 * RAYS {
        let row = &values[step % RAYS];
        let mut from = vec![0; radii.len()];
        let mut next = vec![f32::NEG_INFINITY; radii.len()];
        for (n, radius) in radii.iter().enumerate().filter(|(n, _)| row[*n] > f32::NEG_INFINITY) {
            let arc = radius * TAU / RAYS as f32;
            let reach = (STEEPEST * arc).ceil() as usize;
            let near = sums.iter().enumerate().take(n + reach + 1).skip(n.saturating_sub(reach));
            for (before, sum) in near {
                let sum = sum - COST * n.abs_diff(before) as f32 / arc;
                if sum > next[n] {
                    (next[n], from[n]) = (sum, before);
                }
            }
            next[n] += row[n];
        }
        came_from.push(from);
        sums = next;
    }
    let mut at = (0..sums.len()).fold(0, |best, n| if sums[n] > sums[best] { n } else { best });
    let mut path = vec![0; RAYS];
    for step in (RAYS / 2..2 * RAYS).rev() {
        if step < RAYS / 2 + RAYS {
            path[step % RAYS] = at;
        }
        at = came_from[step - 1][at];
    }
    path
}

/// The indices of the stroke that a path crosses at one of them.
fn across(values: &[f32], at: usize, cell: f32) -> std::ops::Range<usize> {
    let most = (WIDEST * cell) as usize + 1;
    let is_stroke = |n: &usize| values[*n] > 0.5 * values[at] && values[*n] > HIDDEN;
    let before = (at.saturating_sub(most)..at).rev().take_while(is_stroke).count();
    let after = (at + 1..(at + most + 1).min(values.len())).take_while(is_stroke).count();
    // A longer stroke leads away from the middle.
    if before.max(after) >= most { at..at + 1 } else { at - before..at + after + 1 }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::PI;

    use super::*;

    fn ring(radius: impl Fn(f32) -> f32) -> Ring {
        let points = (0..RAYS).map(|ray| (place(ray, radius(ray as f32 * TAU / RAYS as f32)), 1.0)).collect();
        Ring { points, drawn: 1.0, width: 2.0 }
    }

    #[test]
    fn circles_and_squares_are_distinguished() {
        for (wide, high) in [(20.0, 20.0), (24.0, 18.0), (15.0, 22.0)] {
            let stretched = |angle: f32, power: f32| {
                let (sin, cos) = angle.sin_cos();
                // About 1 before the power, as its result would be too small a number otherwise.
                let sum = (20.0 * cos.abs() / wide).powf(power) + (20.0 * sin.abs() / high).powf(power);
                20.0 * sum.powf(-1.0 / power)
            };
            for (power, wanted) in [(2.0, -1.0), (2.2, -0.4), (5.0, 0.4), (40.0, 0.8)] {
                let found = ring(|angle| stretched(angle, power)).squareness();
                assert!((found - wanted) * wanted.signum() > -0.15, "{wide} {high} {power}: {found}");
            }
            // Turned by ten degrees.
            assert!(ring(|angle| stretched(angle + PI / 18.0, 40.0)).squareness() > 0.4);
        }
    }
}
