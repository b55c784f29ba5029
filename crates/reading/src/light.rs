//! The light of photographs.

use std::ops::RangeInclusive;

use crate::linear::solved;
use crate::mean::difference;
use crate::plane::{Colours, Plane, Pyramid};
use crate::projection::Projection;

/// Every how many pixels of the drawing the light is measured.
const STEP: usize = 2;
/// The contrasts of drawings against those of their photographs.
const CONTRASTS: RangeInclusive<f32> = 0.6..=2.0;
/// How strongly light is taken to change neither contrast nor black.
const LIKELY_CONTRAST: f64 = 100.0;
const LIKELY_BLACK: f64 = 0.1;

/// How light changed what was drawn: for each plane the drawn value is about `a p + b + c x + d y`, where `p` is the value of the
/// photograph, and x and y go from -1 to 1 over it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Correction([[f32; 4]; 3]);

/// A pixel of a photograph, and how it is drawn.
struct Pair {
    seen: [f32; 3],
    drawn: [f32; 3],
    at: (f32, f32),
    weight: f32,
}

impl Correction {
    /// Of a picture as it was drawn.
    pub(crate) const NONE: Correction = Correction([[1.0, 0.0, 0.0, 0.0]; 3]);

    /// What changes a photograph least into a drawing at a place, by least squares, and how much both differ then. `weights` says
    /// how much each pixel of the drawing counts. `None` if light would have changed the contrast more than it does.
    pub(crate) fn between(
        picture: &Pyramid,
        projection: &Projection,
        drawing: &Colours,
        weights: Option<&Plane>,
    ) -> Option<(Correction, f32)> {
        let pairs = pairs(picture, projection, drawing, weights);
        let mut correction = Correction::NONE;
        // Again without what differs most, such as pieces.
        for most in [f32::MAX, 40.0, 25.0] {
            correction = Correction(std::array::from_fn(|plane| fitted(&pairs, plane, &correction, most)));
        }
        let (mut sum, mut total) = (0.0, 0.0);
        for pair in &pairs {
            sum += pair.weight * difference(correction.corrected(pair.seen, pair.at), pair.drawn);
            total += pair.weight;
        }
        let contrast = correction.0[0][0];
        CONTRASTS.contains(&contrast).then_some((correction, sum / total))
    }

    /// A pixel of the photograph as it was drawn. The place goes from -1 to 1.
    pub(crate) fn corrected(&self, pixel: [f32; 3], (x, y): (f32, f32)) -> [f32; 3] {
        std::array::from_fn(|n| {
            let [a, b, c, d] = self.0[n];
            a * pixel[n] + b + c * x + d * y
        })
    }

    /// The part of the photograph where a drawing of this size is, as it was drawn.
    pub(crate) fn rectified(
        &self,
        picture: &Pyramid,
        projection: &Projection,
        (width, height): (usize, usize),
    ) -> Colours {
        let (level, shrink) = picture.level(projection.scale());
        let pixels = (0..width * height).map(|n| {
            let (u, v) = projection.at((n % width) as f32 + 0.5, (n / width) as f32 + 0.5);
            let seen = level.planes.each_ref().map(|plane| plane.sample(u * shrink, v * shrink));
            self.corrected(seen, within(picture, u, v))
        });
        Colours::new((width, height), pixels)
    }
}

/// A place in a picture, from -1 to 1.
fn within(picture: &Pyramid, u: f32, v: f32) -> (f32, f32) {
    let full = picture.full();
    (2.0 * u / full.width() as f32 - 1.0, 2.0 * v / full.height() as f32 - 1.0)
}

fn pairs(
    picture: &Pyramid,
    projection: &Projection,
    drawing: &Colours,
    weights: Option<&Plane>,
) -> Vec<Pair> {
    let (level, shrink) = picture.level(projection.scale());
    let mut pairs = Vec::new();
    for y in (0..drawing.height()).step_by(STEP) {
        for x in (0..drawing.width()).step_by(STEP) {
            let (u, v) = projection.at(x as f32 + 0.5, y as f32 + 0.5);
            let seen = level.planes.each_ref().map(|plane| plane.sample(u * shrink, v * shrink));
            let drawn = drawing.planes.each_ref().map(|plane| plane.at(x, y));
            let weight = weights.map_or(1.0, |weights| weights.at(x, y));
            pairs.push(Pair { seen, drawn, at: within(picture, u, v), weight });
        }
    }
    pairs
}

/// The four values of a correction for one plane. Pixels that differ by more than `most` after a first correction don't count.
fn fitted(pairs: &[Pair], plane: usize, first: &Correction, most: f32) -> [f32; 4] {
    let (mut rows, mut right, mut total) = ([[0.0_f64; 8]; 8], [0.0_f64; 8], 0.0_f64);
    for pair in pairs {
        if (first.corrected(pair.seen, pair.at)[plane] - pair.drawn[plane]).abs() > most {
            continue;
        }
        let values = [pair.seen[plane], 1.0, pair.at.0, pair.at.1].map(f64::from);
        let weight = f64::from(pair.weight);
        for (n, value) in values.iter().enumerate() {
            values.iter().enumerate().for_each(|(m, other)| rows[n][m] += weight * value * other);
            right[n] += weight * value * f64::from(pair.drawn[plane]);
        }
        total += weight;
    }
    // The colours of a board may hardly differ in a plane, which then says nothing about contrast.
    rows[0][0] += total * LIKELY_CONTRAST;
    right[0] += total * LIKELY_CONTRAST;
    rows[1][1] += total * LIKELY_BLACK;
    (2..4).for_each(|n| rows[n][n] += total * 0.01);
    solved(&rows, &right, 4)
        .map_or([1.0, 0.0, 0.0, 0.0], |solution| std::array::from_fn(|n| solution[n] as f32))
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
        let (correction, misfit) = Correction::between(&picture, &projection, &drawing, None).expect("light");
        assert!(misfit < 8.0, "{misfit} {correction:?}");
        let rectified = correction.rectified(&picture, &projection, (80, 60));
        for (x, y) in [(3, 5), (70, 5), (40, 50)] {
            let (seen, drawn) = (rectified.planes[0].at(x, y), drawing.planes[0].at(x, y));
            assert!((seen - drawn).abs() < 6.0, "{seen} {drawn}");
        }
    }
}
