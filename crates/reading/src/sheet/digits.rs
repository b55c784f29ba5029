//! The printed number of each cell, by how the three numbers are drawn.

use super::flat::{Ink, UNITS};
use super::page::{Drawing, Grid, standardised};
use crate::plane::Plane;

/// The compared part of a cell, from its middle, as shares of its side. The digits reach 0.13 and 0.18.
const WIDE: f32 = 0.18;
const HIGH: f32 = 0.22;
/// The compared points along a cell's side.
const POINTS: f32 = 50.0;
/// How far a digit may be from where the grid says, in pixels, and the steps in which it is looked for.
const COARSE: [f32; 5] = [-4.0, -2.0, 0.0, 2.0, 4.0];
const FINE: [f32; 3] = [-1.0, 0.0, 1.0];
/// A digit is clear if the picture is at least this much like it, and this much more than like the next one.
const LIKE: f32 = 0.55;
const LEAD: f32 = 0.1;
/// How far from a digit's print its blurred edge reaches, in pixels of the flat picture and of the photograph.
const EDGE: (f32, f32) = (1.0, 1.4);
/// Print is as dark as this.
const PRINTED: f32 = 0.15;

/// A number that was read in a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digit {
    /// 1 to 3.
    pub(super) points: u8,
    /// How much the cell is like the digit, -1 to 1, and how much more than like the next one.
    pub(super) like: f32,
    pub(super) lead: f32,
    /// How far it is from where the grid says, in pixels.
    pub(super) off: (f32, f32),
}

impl Digit {
    pub(super) fn is_clear(&self) -> bool {
        self.like >= LIKE && self.lead >= LEAD
    }
}

/// How the numbers of a sheet are drawn.
pub(super) struct Digits {
    coarse: Samples,
    fine: Samples,
    /// Where the drawing has ink or its blurred edge, and where the three digits are in it, in pixels.
    printed: Plane,
    middles: [(f32, f32); 3],
}

/// The digits 1, 2 and 3 at some points.
struct Samples {
    /// The compared points, in pixels from the middle of a cell.
    points: Vec<(f32, f32)>,
    /// The ink of the digits at these points, with a mean of 0 and a sum of squares of 1.
    drawn: [Vec<f32>; 3],
}

impl Digits {
    /// The numbers of a drawing, to be compared with a photograph of `sharpness` pixels per unit; `None` if they aren't drawn.
    pub(super) fn new(grid: &Grid, drawing: &Drawing, sharpness: f32) -> Option<Digits> {
        let ink = drawing.ink();
        let middles = drawing.digits.map(|(x, y)| (x / UNITS, y / UNITS));
        let soft = ink.blurred(1);
        let step = (grid.cell / UNITS / POINTS).max(1.0);
        let samples = |times: f32| Samples::new(grid.cell / UNITS, times * step, &middles, &soft);
        let (coarse, fine) = (samples(2.0)?, samples(1.0)?);
        let edge = EDGE.0 + EDGE.1 / (sharpness * UNITS);
        Some(Digits { coarse, fine, printed: ink.largest_near(edge.round() as usize), middles })
    }

    /// Reads the number around a point in pixels of a flat picture.
    pub(super) fn read(&self, ink: &Ink, (x, y): (f32, f32)) -> Digit {
        let near = |steps: &'static [f32], (a, b): (f32, f32)| {
            steps.iter().flat_map(move |dx| steps.iter().map(move |dy| (a + dx, b + dy)))
        };
        let likeliest = |samples: &Samples, all: &mut dyn Iterator<Item = (f32, f32)>| {
            let read = all.map(|off| samples.at(ink, (x + off.0, y + off.1), off));
            read.max_by(|a, b| a.like.total_cmp(&b.like))
        };
        let none = Digit { points: 1, like: -1.0, lead: 0.0, off: (0.0, 0.0) };
        let coarse = likeliest(&self.coarse, &mut near(&COARSE, (0.0, 0.0))).unwrap_or(none);
        likeliest(&self.fine, &mut near(&FINE, coarse.off)).unwrap_or(none)
    }

    /// Whether a digit is printed at or beside a point, in pixels from its middle.
    pub(super) fn has_print(&self, points: u8, (dx, dy): (f32, f32)) -> bool {
        let (x, y) = self.middles[usize::from(points) - 1];
        self.printed.sample(x + dx, y + dy) > PRINTED
    }
}

impl Samples {
    /// Samples of the digits that are drawn at `middles`, every `step` pixels; `None` if nothing is drawn there.
    fn new(cell: f32, step: f32, middles: &[(f32, f32); 3], ink: &Plane) -> Option<Samples> {
        let count = |share: f32| (share * cell / step) as i32;
        let (across, down) = (count(WIDE), count(HIGH));
        let row = |y: i32| (-across..=across).map(move |x| (x as f32 * step, y as f32 * step));
        let points: Vec<(f32, f32)> = (-down..=down).flat_map(row).collect();
        let mut drawn =
            middles.map(|(x, y)| points.iter().map(|(dx, dy)| ink.sample(x + dx, y + dy)).collect());
        let is_drawn = drawn.iter_mut().all(|digit: &mut Vec<f32>| standardised(digit));
        is_drawn.then_some(Samples { points, drawn })
    }

    /// Compares the picture around a point with all digits.
    fn at(&self, ink: &Ink, (x, y): (f32, f32), off: (f32, f32)) -> Digit {
        let mut seen: Vec<f32> =
            self.points.iter().map(|(dx, dy)| ink.plane.sample(x + dx, y + dy).clamp(0.0, 1.0)).collect();
        standardised(&mut seen);
        let like = |digit: &Vec<f32>| digit.iter().zip(&seen).map(|(drawn, seen)| drawn * seen).sum::<f32>();
        let likes = self.drawn.each_ref().map(like);
        let best = (0..3).fold(0, |best, n| if likes[n] > likes[best] { n } else { best });
        let next = (0..3).filter(|n| *n != best).map(|n| likes[n]).fold(-1.0, f32::max);
        Digit { points: best as u8 + 1, like: likes[best], lead: likes[best] - next, off }
    }
}
