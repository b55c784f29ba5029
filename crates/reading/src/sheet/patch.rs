//! The ink in and around a cell, and where print hides what people draw.

use super::flat::{Ink, UNITS};
use super::page::HALF_LINE;

/// How far from the middle of a cell its patch reaches, as a share of the cell's side.
const REACH: f32 = 0.62;
/// How far from a grid line its blurred edge reaches, in units.
const EDGE: f32 = 3.5;
/// The standard deviations of paper above which a pixel is ink, and the limits of that ink.
const DEVIATIONS: f32 = 5.0;
const LEAST: std::ops::RangeInclusive<f32> = 0.06..=0.2;

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
    ink: Vec<f32>,
    print: Vec<Print>,
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
        let band = (HALF_LINE + EDGE) / UNITS;
        let is_line = |(dx, dy): (f32, f32)| [dx, dy].iter().any(|at| (at.abs() - cell / 2.0).abs() < band);
        let print = |at: (f32, f32)| match at {
            _ if is_line(at) => Print::Line,
            _ if is_digit(at) => Print::Digit,
            _ => Print::Nothing,
        };
        let value = |(dx, dy): &(f32, f32)| ink.plane.sample(x + dx, y + dy).clamp(0.0, 1.0);
        Patch {
            cell,
            least: (DEVIATIONS * ink.noise).clamp(*LEAST.start(), *LEAST.end()),
            half,
            ink: places.iter().map(value).collect(),
            print: places.into_iter().map(print).collect(),
        }
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

    /// The ink at a point, between those of the four pixels around it.
    pub(super) fn ink(&self, (x, y): (f32, f32)) -> f32 {
        let (left, top) = (x.floor(), y.floor());
        let (along, down) = (x - left, y - top);
        let at = |dx: f32, dy: f32| self.ink[self.index((left + dx, top + dy))];
        let upper = at(0.0, 0.0) * (1.0 - along) + at(1.0, 0.0) * along;
        let lower = at(0.0, 1.0) * (1.0 - along) + at(1.0, 1.0) * along;
        upper * (1.0 - down) + lower * down
    }

    /// How surely there is a stroke at a point, 0 to 1.
    pub(super) fn stroke(&self, at: (f32, f32)) -> f32 {
        ((self.ink(at) / self.least - 0.35) / 0.65).clamp(0.0, 1.0)
    }

    /// The ink that is a whole stroke in this patch: what all but a twentieth of the pixels with strokes have less than.
    pub(super) fn strongest(&self) -> f32 {
        let free = self.ink.iter().zip(&self.print).filter(|(_, print)| **print == Print::Nothing);
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
