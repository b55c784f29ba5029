//! The light of photographs.

use std::ops::RangeInclusive;

use crate::linear::solved;
use crate::mean::{Levels, difference};
use crate::plane::{Colours, Pyramid};
use crate::projection::Projection;

/// The contrasts of drawings against those of their photographs.
const CONTRASTS: RangeInclusive<f32> = 0.5..=2.5;
/// What a drawn value is a sum of, each with a factor: the three values of the photograph, as a camera's colours differ; one, for
/// black; the brightness times the place from left to right, from top to bottom and from the middle outwards, as light is uneven;
/// and its square, as a camera's contrast depends on brightness.
const TERMS: usize = 8;
/// A pixel that still differs by more than this after the correction before is something else, such as a piece.
const LIMITS: [f32; 3] = [f32::MAX, 60.0, 40.0];
/// Sums of this many pixels are exact enough in single precision.
const SUMMED: usize = 256;
/// How strongly each factor is drawn to that of a picture without changes (ridge regression), with `Known::Drawing`. The terms have
/// different sizes.
const RIDGE: [f64; TERMS] = [100.0, 10.0, 10.0, 0.1, 30.0, 30.0, 30.0, 100.0];
/// The same with `Known::Guess`: what isn't as it is drawn would be explained by less contrast, and by other colours.
const RIDGE_GUESS: [f64; TERMS] = [300.0, 1_000.0, 1_000.0, 0.1, 100.0, 100.0, 300.0, 30_000.0];

/// How well the drawing of a photograph is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// About: pieces may be elsewhere.
    Guess,
    Drawing,
}

/// How light changed what was drawn: the factors of each term for the three drawn values, padded with a zero to four numbers, which the
/// processor loads at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Correction([[f32; 4]; TERMS]);

/// A pixel of a photograph, and how it is drawn.
pub(crate) struct Pair {
    pub(crate) seen: [f32; 3],
    pub(crate) drawn: [f32; 3],
    /// Its place in the photograph, from -1 to 1.
    pub(crate) at: (f32, f32),
    pub(crate) weight: f32,
}

impl Correction {
    /// Of a picture as it was drawn.
    const NONE: Correction = Correction::of_values([factor(0), factor(1), factor(2)]);

    /// With these factors for each of the drawn values.
    const fn of_values(values: [[f32; TERMS]; 3]) -> Correction {
        let mut factors = [[0.0; 4]; TERMS];
        let mut term = 0;
        while term < TERMS {
            factors[term] = [values[0][term], values[1][term], values[2][term], 0.0];
            term += 1;
        }
        Correction(factors)
    }

    /// Gives a photograph the levels of brightness of a drawing. `None` if light would have changed the contrast more than it does.
    pub(crate) fn of_levels(seen: Levels, drawn: Levels) -> Option<Correction> {
        let contrast = (drawn.light - drawn.dark) / (seen.light - seen.dark).max(1.0);
        let mut factors = Correction::NONE.0;
        (0..3).for_each(|plane| factors[plane][plane] = contrast);
        factors[3][0] = drawn.dark - seen.dark * contrast;
        CONTRASTS.contains(&contrast).then_some(Correction(factors))
    }

    /// What changes a photograph least into a drawing at a place, by least squares, and how much both differ then. Every `step` pixels
    /// are compared. `None` if light would have changed the contrast more than it does.
    pub(crate) fn between(
        picture: &Pyramid,
        projection: &Projection,
        drawing: &Colours,
        step: usize,
    ) -> Option<(Correction, f32)> {
        let pixel_at = picture.sampler(projection.scale());
        let mut pairs = Vec::new();
        for y in (0..drawing.height()).step_by(step) {
            for x in (0..drawing.width()).step_by(step) {
                let (u, v) = projection.at(x as f32 + 0.5, y as f32 + 0.5);
                let drawn = drawing.planes.each_ref().map(|plane| plane.at(x, y));
                pairs.push(Pair { seen: pixel_at(u, v), drawn, at: within(picture, u, v), weight: 1.0 });
            }
        }
        Correction::of(&pairs, Known::Drawing)
    }

    /// The same from some pixels.
    pub(crate) fn of(pairs: &[Pair], known: Known) -> Option<(Correction, f32)> {
        let mut correction = Correction::NONE;
        // Again without what differs most, such as pieces.
        for most in LIMITS {
            correction = fitted(pairs, &correction, most, known);
        }
        let (mut sum, mut total) = (0.0, 0.0);
        for pair in pairs {
            sum += pair.weight * difference(correction.corrected(pair.seen, pair.at), pair.drawn);
            total += pair.weight;
        }
        // In the middle of all shades.
        let contrast = correction.0[0][0] + correction.0[7][0];
        CONTRASTS.contains(&contrast).then_some((correction, sum / total))
    }

    /// A pixel of the photograph as it was drawn. The place goes from -1 to 1.
    pub(crate) fn corrected(&self, pixel: [f32; 3], at: (f32, f32)) -> [f32; 3] {
        let terms = terms(pixel, at);
        // Term by term, so that the processor does the three values at once.
        let mut sums = [0.0; 4];
        for (factors, term) in self.0.iter().zip(terms) {
            sums.iter_mut().zip(factors).for_each(|(sum, factor)| *sum += factor * term);
        }
        [sums[0], sums[1], sums[2]]
    }
}

/// All that light and camera changed, as one correction after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exposure(Vec<Correction>);

impl Exposure {
    /// With one more correction, of what the others leave.
    pub(crate) fn then(&self, correction: Correction) -> Exposure {
        Exposure(self.0.iter().copied().chain([correction]).collect())
    }

    /// A pixel of the photograph as it was drawn. The place goes from -1 to 1.
    pub(crate) fn corrected(&self, pixel: [f32; 3], at: (f32, f32)) -> [f32; 3] {
        self.0.iter().fold(pixel, |pixel, correction| correction.corrected(pixel, at))
    }

    /// The part of the photograph where a drawing of this size is, as it was drawn.
    pub(crate) fn rectified(
        &self,
        picture: &Pyramid,
        projection: &Projection,
        (width, height): (usize, usize),
    ) -> Colours {
        let pixel_at = picture.sampler(projection.scale());
        Colours::by_place((width, height), |x, y| {
            let (u, v) = projection.at(x as f32 + 0.5, y as f32 + 0.5);
            self.corrected(pixel_at(u, v), within(picture, u, v))
        })
    }
}

/// One for this term, zero for all others.
const fn factor(term: usize) -> [f32; TERMS] {
    let mut factors = [0.0; TERMS];
    factors[term] = 1.0;
    factors
}

fn terms([brightness, blue, red]: [f32; 3], (x, y): (f32, f32)) -> [f32; TERMS] {
    let outwards = x * x + y * y;
    let square = brightness * brightness / 255.0;
    [brightness, blue, red, 1.0, brightness * x, brightness * y, brightness * outwards, square]
}

/// A place in a picture, from -1 to 1.
pub(crate) fn within(picture: &Pyramid, u: f32, v: f32) -> (f32, f32) {
    let full = picture.full();
    (2.0 * u / full.width() as f32 - 1.0, 2.0 * v / full.height() as f32 - 1.0)
}

/// The factors of a correction. Pixels that differ by more than `most` after a first correction don't count.
fn fitted(pairs: &[Pair], first: &Correction, most: f32, known: Known) -> Correction {
    let (mut rows, mut right, mut total) = ([[0.0_f64; TERMS]; TERMS], [[0.0_f64; TERMS]; 3], 0.0_f64);
    for pairs in pairs.chunks(SUMMED) {
        // The first ones are sums of the terms' products, the last three of those with drawn values.
        let (mut sums, mut weights) = ([[0.0_f32; TERMS]; TERMS + 3], 0.0_f32);
        for pair in pairs {
            let corrected = first.corrected(pair.seen, pair.at);
            if corrected.iter().zip(pair.drawn).any(|(seen, drawn)| (seen - drawn).abs() > most) {
                continue;
            }
            let terms = terms(pair.seen, pair.at);
            for (sums, factor) in sums.iter_mut().zip(terms.iter().chain(&pair.drawn)) {
                let weighted = pair.weight * factor;
                sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += weighted * term);
            }
            weights += pair.weight;
        }
        for (whole, sums) in rows.iter_mut().chain(&mut right).zip(&sums) {
            whole.iter_mut().zip(sums).for_each(|(whole, sum)| *whole += f64::from(*sum));
        }
        total += f64::from(weights);
    }
    let ridge = match known {
        Known::Guess => RIDGE_GUESS,
        Known::Drawing => RIDGE,
    };
    Correction::of_values(std::array::from_fn(|plane| {
        let (mut rows, mut right) = (rows, right[plane]);
        // The colours of a board may hardly differ in a plane, which then says nothing about contrast.
        for (n, strength) in ridge.iter().enumerate() {
            rows[n][n] += total * if n == plane { RIDGE[0] } else { *strength };
        }
        right[plane] += total * RIDGE[0];
        solved(&rows, &right, TERMS).map_or(factor(plane), |solution| solution.map(|value| value as f32))
    }))
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    #[test]
    fn darker_light_from_one_side_is_found() {
        let shade = |x: u32, y: u32| (40 + (x * 7 + y * 13) % 160) as f32;
        let drawing = Colours::of(&RgbImage::from_fn(80, 60, |x, y| Rgb([shade(x, y) as u8; 3])));
        let photograph =
            RgbImage::from_fn(80, 60, |x, y| Rgb([(0.8 * shade(x, y) + 0.2 * x as f32) as u8; 3]));
        let picture = Pyramid::new(Colours::of(&photograph));
        let projection = Projection::similar(1.0, 0.0, 0.0, 0.0);
        let (correction, misfit) = Correction::between(&picture, &projection, &drawing, 2).expect("light");
        assert!(misfit < 8.0, "{misfit} {correction:?}");
        let rectified = Exposure::default().then(correction).rectified(&picture, &projection, (80, 60));
        for (x, y) in [(3, 5), (70, 5), (40, 50)] {
            let (seen, drawn) = (rectified.planes[0].at(x, y), drawing.planes[0].at(x, y));
            assert!((seen - drawn).abs() < 6.0, "{seen} {drawn}");
        }
    }
}
