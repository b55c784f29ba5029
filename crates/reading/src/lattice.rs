//! The period of a board's cells in a picture: how far apart they are, and at what angle.

use rookery_transforms::Fourier;

use crate::plane::Plane;

/// How the cells of a board are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrangement {
    /// Each has four neighbours, in steps of 90 degrees.
    Square,
    /// Each has six neighbours, in steps of 60 degrees.
    Hexagonal,
}

impl Arrangement {
    pub(crate) fn directions(self) -> usize {
        match self {
            Arrangement::Square => 4,
            Arrangement::Hexagonal => 6,
        }
    }
}

/// A period found in a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lattice {
    pub(crate) arrangement: Arrangement,
    /// The distance of neighbours in pixels.
    pub(crate) pitch: f32,
    /// The angle of the direction that is nearest to the right, in radians, clockwise as y grows downwards.
    pub(crate) angle: f32,
    /// How well the picture repeats with it: 1 is perfect.
    pub(crate) score: f32,
}

/// The largest angle by which a board may be turned, in degrees.
const MAX_ANGLE: f32 = 8.0;
/// The steps of the angles that are tried, in degrees.
const ANGLE_STEP: f32 = 0.5;
/// The ratio of the pitches that are tried.
const PITCH_STEP: f32 = 1.01;
/// The smallest pitch in pixels.
const MIN_PITCH: f32 = 7.0;
/// The pitches of boards against the longer side of a picture. The largest is that of six cells across the whole picture whose outer
/// ones are cut off.
pub(crate) const PITCHES: (f32, f32) = (0.0, 0.17);

/// The slopes of brightness that count as edges, in shades a pixel: from which on, and up to which they count more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeRange {
    pub(crate) least: f32,
    pub(crate) most: f32,
}

/// The edges of drawings: letters and pieces have more contrast than squares and would count for more; the edges of JPEG's blocks
/// have little.
const DRAWN_EDGES: EdgeRange = EdgeRange { least: 6.0, most: 40.0 };

impl Lattice {
    /// Whether cells are arranged alike and in the same directions.
    pub(crate) fn is_parallel_to(&self, other: &Lattice) -> bool {
        (self.arrangement, self.angle) == (other.arrangement, other.angle)
    }
}

/// The correlation of a plane with itself, moved by up to half its size in each direction.
pub(crate) struct Repetition {
    side: usize,
    /// The longer side of the plane.
    longest: usize,
    values: Vec<f32>,
}

impl Repetition {
    pub(crate) fn of(plane: &Plane, fourier: &Fourier) -> Repetition {
        Repetition::of_edges(edges(plane, DRAWN_EDGES), fourier)
    }

    /// The same for the edges of a picture.
    pub(crate) fn of_edges(mut fine: Plane, fourier: &Fourier) -> Repetition {
        let rough = fine.blurred((fine.width.max(fine.height) / 16).max(3));
        fine.values.iter_mut().zip(&rough.values).for_each(|(v, mean)| *v -= mean);
        let mut spectrum = fourier.of(fine.width, &fine.values, None);
        spectrum.iter_mut().for_each(|value| *value = (*value * value.conj()).re.into());
        let values: Vec<f32> = fourier.back(spectrum).into_iter().map(|value| value.re).collect();
        let most = values[0].max(f32::EPSILON);
        let longest = fine.width.max(fine.height);
        Repetition {
            side: fourier.side(),
            longest,
            values: values.into_iter().map(|value| value / most).collect(),
        }
    }

    /// The correlation with the plane moved by this many pixels.
    fn at(&self, x: f32, y: f32) -> f32 {
        let (left, top) = (x.floor(), y.floor());
        let (right, down) = (x - left, y - top);
        let side = self.side as i32;
        let value = |dx: i32, dy: i32| {
            let (x, y) = ((left as i32 + dx).rem_euclid(side), (top as i32 + dy).rem_euclid(side));
            self.values[y as usize * self.side + x as usize]
        };
        let upper = value(0, 0) * (1.0 - right) + value(1, 0) * right;
        let lower = value(0, 1) * (1.0 - right) + value(1, 1) * right;
        upper * (1.0 - down) + lower * down
    }

    /// For each direction the correlation with the picture moved by some steps of the pitch. The other half of the directions is
    /// the same.
    fn along(
        &self,
        arrangement: Arrangement,
        pitch: f32,
        angle: f32,
    ) -> impl Iterator<Item = impl Fn(f32) -> f32 + '_> {
        let count = arrangement.directions();
        let turn = std::f32::consts::TAU / count as f32;
        (0..count / 2).map(move |n| {
            let (sin, cos) = (angle + turn * n as f32).sin_cos();
            move |steps: f32| self.at(cos * pitch * steps, sin * pitch * steps)
        })
    }

    /// How much more alike the picture is at the lattice's steps than halfway between them.
    fn score(&self, arrangement: Arrangement, pitch: f32, angle: f32) -> f32 {
        // The least of all directions: lines of text repeat in one.
        let all = self
            .along(arrangement, pitch, angle)
            .map(|along| (along(1.0) + along(2.0) * 0.7 - along(0.5) * 0.85 - along(1.5) * 0.85) / 1.7);
        all.fold(f32::MAX, f32::min)
    }

    /// The best lattices of an arrangement about an angle in radians, the best first. `range` has the pitches against the longer
    /// side of the picture.
    pub(crate) fn lattices(
        &self,
        arrangement: Arrangement,
        about: f32,
        range: (f32, f32),
        most: usize,
    ) -> Vec<Lattice> {
        let (least, greatest) = (range.0 * self.longest as f32, range.1 * self.longest as f32);
        let least = least.max(MIN_PITCH);
        let angles = (2.0 * MAX_ANGLE / ANGLE_STEP) as usize + 1;
        let pitches = ((greatest / least).ln() / PITCH_STEP.ln()).max(0.0) as usize + 1;
        let angle = |n: usize| about + (ANGLE_STEP * n as f32 - MAX_ANGLE).to_radians();
        let pitch = |n: usize| least * PITCH_STEP.powi(n as i32);
        let mut all: Vec<Lattice> = Vec::with_capacity(angles * pitches);
        for p in 0..pitches {
            for a in 0..angles {
                let (pitch, angle) = (pitch(p), angle(a));
                all.push(Lattice { arrangement, pitch, angle, score: self.score(arrangement, pitch, angle) });
            }
        }
        all.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut best: Vec<Lattice> = Vec::new();
        for one in all {
            let is_near = |other: &Lattice| (one.pitch / other.pitch).ln().abs() < 0.06;
            if !best.iter().any(is_near) {
                best.push(self.refined(one));
                if best.len() == most {
                    break;
                }
            }
        }
        best
    }

    /// How much more alike the picture is at the lattice's steps, also farther out, than halfway between them.
    pub(crate) fn far_score(&self, Lattice { arrangement, pitch, angle, .. }: Lattice) -> f32 {
        let most = ((self.longest as f32 * 0.45 / pitch) as usize).clamp(1, 4);
        let all = self.along(arrangement, pitch, angle).map(|along| {
            let gain = |step: usize| {
                along(step as f32) - (along(step as f32 - 0.5) + along(step as f32 + 0.5)) / 2.0
            };
            (1..=most).map(gain).sum::<f32>()
        });
        all.fold(f32::MAX, f32::min)
    }

    /// Adjusts pitch and angle by steps farther out, where errors add up.
    fn refined(&self, rough: Lattice) -> Lattice {
        let mut best = rough;
        let far = |pitch: f32, angle: f32| {
            let most = ((self.side as f32 * 0.35 / pitch) as usize).clamp(1, 4);
            let all = self.along(rough.arrangement, pitch, angle);
            all.map(|along| (1..=most).map(|steps| along(steps as f32)).sum::<f32>()).sum::<f32>()
        };
        let mut top = far(best.pitch, best.angle);
        let most = (rough.pitch * 0.015, ANGLE_STEP.to_radians() * 1.5);
        let (mut by_pitch, mut by_angle) = (best.pitch * 0.01, 0.5_f32.to_radians());
        for _ in 0..9 {
            let mut moved = false;
            for (p, a) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
                let (pitch, angle) = (best.pitch + p * by_pitch, best.angle + a * by_angle);
                let value = far(pitch, angle);
                let near = (pitch - rough.pitch).abs() < most.0 && (angle - rough.angle).abs() < most.1;
                if near && value > top {
                    (top, best.pitch, best.angle, moved) = (value, pitch, angle, true);
                }
            }
            if !moved {
                (by_pitch, by_angle) = (by_pitch / 2.0, by_angle / 2.0);
            }
        }
        best
    }
}

/// The edges of what a picture shows. Those of cells, and of what is on them, repeat although the contents differ.
pub(crate) fn edges(plane: &Plane, range: EdgeRange) -> Plane {
    let mut edges = plane.clone();
    for y in 0..plane.height {
        for x in 0..plane.width {
            let at = |x: usize, y: usize| plane.at(x.min(plane.width - 1), y.min(plane.height - 1));
            let (right, down) =
                (at(x + 1, y) - at(x.saturating_sub(1), y), at(x, y + 1) - at(x, y.saturating_sub(1)));
            edges.values[y * plane.width + x] = (right.hypot(down) - range.least).clamp(0.0, range.most);
        }
    }
    edges
}
