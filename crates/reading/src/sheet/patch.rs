//! The ink in and around a cell, and where print hides what people draw.

use super::flat::{Ink, UNITS};
use super::page::HALF_LINE;
use crate::plane::Plane;

/// How far from the middle of a cell its patch reaches, as a share of the cell's side.
const REACH: f32 = 0.62;
/// How far from a grid line its blurred edge reaches, in units and in pixels of the picture.
const EDGE: (f32, f32) = (3.2, 1.3);
/// The standard deviations of paper above which a pixel is ink, and the limits of that ink.
const DEVIATIONS: f32 = 3.5;
const LEAST: std::ops::RangeInclusive<f32> = 0.05..=0.2;
/// The part of that ink from which on a pixel may be part of a stroke.
const FAINT: f32 = 0.35;
/// How far from a pixel others are next to it, as a share of the cell's side.
const NEXT: f32 = 0.012;

/// What is printed at a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Print {
    Nothing,
    Digit,
    Line,
}

/// The pixels around the middle of a cell.
pub(super) struct Patch {
    /// The side of the cell in pixels.
    pub(super) cell: f32,
    /// As much ink as this is a stroke.
    least: f32,
    half: i32,
    ink: Plane,
    print: Vec<Print>,
    /// How surely there is a stroke at each pixel, and at the pixels next to it.
    strokes: Plane,
    near: Plane,
}

impl Patch {
    /// The pixels around a point of a flat picture. `is_digit` says where a digit is printed, from that point.
    pub(super) fn new(
        ink: &Ink,
        (x, y): (f32, f32),
        cell: f32,
        is_digit: impl Fn((f32, f32)) -> bool,
    ) -> Patch {
        let half = (REACH * cell).ceil() as i32;
        let row = |dy: i32| (-half..=half).map(move |dx| (dx as f32, dy as f32));
        let places: Vec<(f32, f32)> = (-half..=half).flat_map(row).collect();
        let band = (HALF_LINE + EDGE.0 + EDGE.1 / ink.sharpness) / UNITS;
        let is_line = |(dx, dy): (f32, f32)| [dx, dy].iter().any(|at| (at.abs() - cell / 2.0).abs() < band);
        let print = |at: (f32, f32)| match at {
            _ if is_line(at) => Print::Line,
            _ if is_digit(at) => Print::Digit,
            _ => Print::Nothing,
        };
        let least = (DEVIATIONS * ink.noise).clamp(*LEAST.start(), *LEAST.end());
        let side = (2 * half + 1) as usize;
        let plane = |values: Vec<f32>| Plane { width: side, height: side, values };
        let values = places.iter().map(|(dx, dy)| ink.plane.sample(x + dx, y + dy).clamp(0.0, 1.0));
        let ink = plane(values.collect());
        let stroke = |ink: &f32| ((ink / least - FAINT) / (1.0 - FAINT)).clamp(0.0, 1.0);
        let strokes = plane(ink.values.iter().map(stroke).collect());
        let near = strokes.largest_near(((NEXT * cell) as usize).max(1));
        Patch { cell, least, half, ink, print: places.into_iter().map(print).collect(), strokes, near }
    }

    /// The index of the pixel at a point; the nearest one, if it is outside.
    fn index(&self, (x, y): (f32, f32)) -> usize {
        let at = |value: f32| (value.round() as i32).clamp(-self.half, self.half) + self.half;
        (at(y) * (2 * self.half + 1) + at(x)) as usize
    }

    /// What is printed at a point, in pixels from the middle.
    pub(super) fn print(&self, at: (f32, f32)) -> Print {
        self.print[self.index(at)]
    }

    /// The ink at a point.
    pub(super) fn ink(&self, at: (f32, f32)) -> f32 {
        self.between(&self.ink, at)
    }

    /// How surely there is a stroke at a point, 0 to 1.
    pub(super) fn stroke(&self, at: (f32, f32)) -> f32 {
        self.between(&self.strokes, at)
    }

    /// How surely there is a stroke at or next to a point, 0 to 1.
    pub(super) fn stroke_near(&self, at: (f32, f32)) -> f32 {
        self.near.values[self.index(at)]
    }

    /// The value at a point, between those of the four pixels around it.
    fn between(&self, plane: &Plane, (x, y): (f32, f32)) -> f32 {
        // The middle of the first pixel is at a half.
        plane.sample(x + self.half as f32 + 0.5, y + self.half as f32 + 0.5)
    }

    /// The ink that is a whole stroke in this patch: what all but a twentieth of the pixels with strokes have less than.
    pub(super) fn strongest(&self) -> f32 {
        let free = self.ink.values.iter().zip(&self.print).filter(|(_, print)| **print == Print::Nothing);
        let mut strokes: Vec<f32> = free.map(|(ink, _)| *ink).filter(|ink| *ink > self.least).collect();
        let most = strokes.len() * 19 / 20;
        if strokes.is_empty() { self.least } else { *strokes.select_nth_unstable_by(most, f32::total_cmp).1 }
    }

    /// The points within `share` of the cell's side from its middle, in pixels, where nothing is printed.
    pub(super) fn free_points(&self, share: f32) -> impl Iterator<Item = (f32, f32)> + '_ {
        let reach = ((share * self.cell) as i32).min(self.half);
        let row = move |y: i32| (-reach..=reach).map(move |x| (x as f32, y as f32));
        (-reach..=reach).flat_map(row).filter(|at| self.print(*at) == Print::Nothing)
    }
}
