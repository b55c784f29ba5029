//! Perspective: how a picture would look from straight ahead, where all cells of a board are of one size.

use rayon::prelude::*;
use rookery_transforms::Fourier;

use crate::lattice::{Arrangement, Lattice, Repetition};
use crate::plane::Plane;
use crate::projection::{Projection, product};

/// By how much a screen may be farther away at the edge of a picture than in its middle, and the steps that are tried.
const MAX_TILT: f32 = 0.14;
const STEP: f32 = 0.07;

/// How much farther a screen is at the right edge and at the lower edge of a square picture than in its middle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tilt(f32, f32);

impl Tilt {
    /// All that are tried, the least ones first.
    fn all() -> Vec<Tilt> {
        let steps = (MAX_TILT / STEP).round() as i32;
        let one = |n: i32| n as f32 * STEP;
        let mut all: Vec<(i32, i32)> =
            (-steps..=steps).flat_map(|down| (-steps..=steps).map(move |across| (across, down))).collect();
        all.sort_by_key(|(across, down)| across * across + down * down);
        all.into_iter().map(|(across, down)| Tilt(one(across), one(down))).collect()
    }

    /// From the pixels of a picture of this size that was taken from straight ahead to those of a tilted one.
    pub(super) fn projection(self, (width, height): (usize, usize)) -> Projection {
        let half = width.max(height) as f32 / 2.0;
        let (x, y) = (width as f32 / 2.0, height as f32 / 2.0);
        let to_unit = [1.0 / half, 0.0, -x / half, 0.0, 1.0 / half, -y / half, 0.0, 0.0, 1.0];
        let tilted = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, self.0, self.1, 1.0];
        Projection::similar(half, 0.0, x, y).after(&product(&tilted, &to_unit))
    }

    /// A tilted picture as if it had been taken from straight ahead. What is outside repeats the edge.
    pub(super) fn straightened(self, plane: &Plane) -> Plane {
        let projection = self.projection((plane.width, plane.height));
        let mut straight = plane.clone();
        for y in 0..plane.height {
            for x in 0..plane.width {
                let (u, v) = projection.at(x as f32 + 0.5, y as f32 + 0.5);
                straight.values[y * plane.width + x] = plane.sample(u, v);
            }
        }
        straight
    }
}

/// A picture's edges, and their repetitions at some tilts.
pub(super) struct Tilted<'a> {
    edges: &'a Plane,
    fourier: &'a Fourier,
    known: Vec<(Tilt, Repetition)>,
}

impl<'a> Tilted<'a> {
    pub(super) fn new(edges: &'a Plane, fourier: &'a Fourier) -> Tilted<'a> {
        let mut tilted = Tilted { edges, fourier, known: Vec::new() };
        tilted.known = Tilt::all().into_par_iter().map(|tilt| (tilt, tilted.repetition(tilt))).collect();
        tilted
    }

    fn repetition(&self, tilt: Tilt) -> Repetition {
        Repetition::of_edges(tilt.straightened(self.edges), self.fourier)
    }

    /// The tilt at which the picture repeats best, and the lattices there.
    pub(super) fn best(
        &self,
        arrangement: Arrangement,
        about: f32,
        range: (f32, f32),
        most: usize,
    ) -> (Tilt, Vec<Lattice>) {
        let mut best = (f32::MIN, Tilt(0.0, 0.0), Vec::new());
        let scored = |repetition: &Repetition| {
            let lattices = repetition.lattices(arrangement, about, range, most);
            let score =
                lattices.iter().map(|lattice| repetition.far_score(*lattice)).fold(f32::MIN, f32::max);
            (score, lattices)
        };
        let known: Vec<_> =
            self.known.par_iter().map(|(tilt, repetition)| (*tilt, scored(repetition))).collect();
        for (tilt, (score, lattices)) in known {
            if score > best.0 {
                best = (score, tilt, lattices);
            }
        }
        for step in [STEP / 2.0, STEP / 4.0] {
            let Tilt(across, down) = best.1;
            for (by_across, by_down) in [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)] {
                let tilt = Tilt(across + by_across, down + by_down);
                let (score, lattices) = scored(&self.repetition(tilt));
                if score > best.0 {
                    best = (score, tilt, lattices);
                }
            }
        }
        (best.1, best.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::{EdgeRange, edges};
    use crate::projection::inverted;

    /// Squares of 24 pixels, seen from aside.
    #[test]
    fn the_tilt_of_squares_and_their_size_are_found() {
        let size = (400, 300);
        for wanted in [Tilt(0.09, -0.05), Tilt(-0.03, 0.12)] {
            let back = Projection::of(&inverted(&wanted.projection(size).matrix()));
            let mut plane = Plane::new(size.0, size.1);
            for n in 0..size.0 * size.1 {
                let (x, y) = back.at((n % size.0) as f32 + 0.5, (n / size.0) as f32 + 0.5);
                let is_light = ((x / 24.0).floor() + (y / 24.0).floor()) as i64 % 2 == 0;
                plane.values[n] = if is_light { 160.0 } else { 90.0 };
            }
            let edges = edges(&plane, EdgeRange { least: 3.0, most: 20.0 });
            let fourier = Fourier::new(512);
            let (Tilt(across, down), lattices) =
                Tilted::new(&edges, &fourier).best(Arrangement::Square, 0.0, (0.04, 0.16), 3);
            let off = (across - wanted.0).hypot(down - wanted.1);
            assert!(off < 0.03, "{across} {down} is {wanted:?}");
            assert!((lattices[0].pitch - 24.0).abs() < 0.5, "{}", lattices[0].pitch);
        }
    }
}
