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
const INK_LIMITS: std::ops::RangeInclusive<f32> = 0.05..=0.2;
/// How far from the middle of a cell its own noise is measured, as a share of its side: JPEG adds some around the digit.
const AROUND_DIGIT: f32 = 0.3;
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

/// The pixels around the middle of a cell, and what is printed there.
pub(super) struct Patch {
    /// The side of the cell in pixels.
    pub(super) cell: f32,
    half: i32,
    ink: Plane,
    /// How bright the paper is, 0 to 255.
    paper: f32,
    print: Vec<Print>,
    /// As much ink as this is a stroke.
    least: f32,
    /// How surely there is a stroke at each pixel, and at the pixels next to it.
    strokes: Plane,
    near: Plane,
}

impl Patch {
    /// The pixels around a point of a flat picture. `is_digit` says where a digit is printed, from that point. Strokes are found
    /// by [`Patch::find_strokes`].
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
        let side = (2 * half + 1) as usize;
        let values = places.iter().map(|(dx, dy)| ink.plane.sample(x + dx, y + dy)).collect();
        let paper = ink.paper.sample(x, y).max(1.0);
        let ink = Plane { width: side, height: side, values };
        let print = places.iter().copied().map(print).collect();
        let none = Plane::new(side, side);
        Patch { cell, half, strokes: none.clone(), near: none, ink, paper, print, least: *INK_LIMITS.end() }
    }

    /// The standard deviation of the paper's brightness around the middle, if nothing is drawn there.
    pub(super) fn noise(&self) -> f32 {
        let mut off: Vec<f32> = self.free_points(AROUND_DIGIT).map(|at| self.ink(at).abs()).collect();
        if off.is_empty() {
            return 0.0;
        }
        // Four in five of a normal distribution's values are within 1.28 standard deviations.
        let most = off.len() * 4 / 5;
        *off.select_nth_unstable_by(most, f32::total_cmp).1 / 1.28 * self.paper
    }

    /// Finds the strokes on paper whose brightness has this standard deviation. Ink is a share of the light, so in a shadow the
    /// same noise looks like more of it.
    pub(super) fn find_strokes(&mut self, noise: f32) {
        let least = (DEVIATIONS * noise / self.paper).clamp(*INK_LIMITS.start(), *INK_LIMITS.end());
        let stroke = |ink: &f32| ((ink / least - FAINT) / (1.0 - FAINT)).clamp(0.0, 1.0);
        self.strokes.values = self.ink.values.iter().map(stroke).collect();
        self.near = self.strokes.largest_near(((NEXT * self.cell) as usize).max(1));
        self.least = least;
    }

    /// A value for each pixel, by its place from the middle.
    pub(super) fn map<T>(&self, value: impl Fn((f32, f32)) -> T) -> Vec<T> {
        let row = |y: i32| (-self.half..=self.half).map(move |x| (x as f32, y as f32));
        (-self.half..=self.half).flat_map(row).map(value).collect()
    }

    /// The index of the pixel at a point; the nearest one, if it is outside.
    pub(super) fn index(&self, (x, y): (f32, f32)) -> usize {
        // A cast rounds down, and to 0 what is less.
        let at = |value: f32| ((value + self.half as f32 + 0.5) as usize).min(2 * self.half as usize);
        at(y) * (2 * self.half as usize + 1) + at(x)
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
