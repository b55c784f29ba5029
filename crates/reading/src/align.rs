//! The exact place of a board: a drawing is moved over the picture until both differ least.
//!
//! Gauss-Newton steps in the inverse compositional form of Baker and Matthews, "Lucas-Kanade 20 Years On: A Unifying
//! Framework" (International Journal of Computer Vision 56, 2004).

use crate::linear::solved;
use crate::plane::{Plane, Pyramid};
use crate::projection::{Matrix, Projection, inverted, product};

/// The smallest step in pixels of the drawing.
const MIN_STEP: f64 = 0.01;
/// The share of the misfit that a step must gain, and the most steps in a row that may gain less.
const MIN_GAIN: f32 = 0.002;
const MAX_WITHOUT_GAIN: usize = 4;
/// Sums of this many pixels are exact enough in single precision.
const SUMMED: usize = 128;
/// Larger differences of brightness are something else, such as a piece, and count as this one.
const MAX_DIFFERENT: f32 = 40.0;
/// Pixels of the drawing with a smaller weight are left out.
const MIN_WEIGHT: f32 = 0.05;

/// A place and how badly the drawing fits there: the weighted mean of squared differences of brightness.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) projection: Projection,
    pub(crate) misfit: f32,
}

/// What may change about a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freedom {
    /// Place, size and angle.
    Similar = 4,
    /// Also the ratio of width and height, and shear.
    Affine = 6,
    /// Also perspective.
    Projective = 8,
}

/// How an alignment is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alignment {
    pub(crate) freedom: Freedom,
    /// By how many pixels the drawing is blurred: more finds places that are farther off.
    pub(crate) blur: usize,
    /// Every how many pixels are compared.
    pub(crate) step: usize,
    /// The most steps until it ends.
    pub(crate) most: usize,
}

/// The slopes of a pixel's brightness by each parameter.
type Slopes = [f32; 8];

/// A pixel of the drawing that is compared.
struct Sample {
    x: f32,
    y: f32,
    value: f32,
    weight: f32,
    slopes: Slopes,
}

/// The parameters are about the middle of the drawing, and in halves of its width, so that all have like effects.
struct Frame {
    middle: (f32, f32),
    unit: f32,
    freedom: Freedom,
}

/// Aligns the brightness of a drawing with a picture, from a rough place. `weights` says how much each pixel of the drawing counts.
pub(crate) fn aligned(
    rough: Projection,
    picture: &Pyramid,
    drawing: &Plane,
    weights: Option<&Plane>,
    how: Alignment,
) -> Place {
    Aligner::new(drawing, weights, how).aligned(rough, picture)
}

/// The brightness of a drawing that is to be aligned with pictures: what does not depend on where it begins.
pub(crate) struct Aligner {
    frame: Frame,
    samples: Vec<Sample>,
    hessian: [[f64; 8]; 8],
    most: usize,
}

impl Aligner {
    pub(crate) fn new(drawing: &Plane, weights: Option<&Plane>, how: Alignment) -> Aligner {
        let plane = drawing.blurred(how.blur);
        let middle = (plane.width as f32 / 2.0, plane.height as f32 / 2.0);
        let frame = Frame { middle, unit: plane.width as f32 / 2.0, freedom: how.freedom };
        let samples = frame.samples(&plane, weights, how.step);
        let hessian = hessian(&samples, how.freedom as usize);
        Aligner { frame, samples, hessian, most: how.most }
    }

    /// Aligns the drawing with a picture, from a rough place.
    pub(crate) fn aligned(&self, rough: Projection, picture: &Pyramid) -> Place {
        let size = self.frame.freedom as usize;
        let mut best = Place { projection: rough, misfit: f32::MAX };
        let (mut now, mut without_gain) = (rough, 0);
        for _ in 0..self.most {
            let Some((misfit, right)) = compared(&self.samples, size, picture, now) else { break };
            without_gain = if misfit < best.misfit * (1.0 - MIN_GAIN) { 0 } else { without_gain + 1 };
            if misfit < best.misfit {
                best = Place { projection: now, misfit };
            }
            let Some(change) = solved(&self.hessian, &right, size) else { break };
            now = now.after(&self.frame.step_back(&change));
            let largest = change.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
            let is_there = largest * f64::from(self.frame.unit) < MIN_STEP;
            if is_there || without_gain == MAX_WITHOUT_GAIN || !now.is_finite() {
                break;
            }
        }
        best
    }
}

impl Frame {
    fn samples(&self, plane: &Plane, weights: Option<&Plane>, step: usize) -> Vec<Sample> {
        let mut samples = Vec::new();
        for y in (1..plane.height - 1).step_by(step) {
            for x in (1..plane.width - 1).step_by(step) {
                let weight = weights.map_or(1.0, |weights| weights.at(x, y));
                if weight < MIN_WEIGHT {
                    continue;
                }
                let gx = (plane.at(x + 1, y) - plane.at(x - 1, y)) / 2.0 * self.unit;
                let gy = (plane.at(x, y + 1) - plane.at(x, y - 1)) / 2.0 * self.unit;
                let at = (x as f32 + 0.5, y as f32 + 0.5);
                let slopes = self.slopes(at, gx, gy);
                samples.push(Sample { x: at.0, y: at.1, value: plane.at(x, y), weight, slopes });
            }
        }
        samples
    }

    fn slopes(&self, (x, y): (f32, f32), gx: f32, gy: f32) -> Slopes {
        let (u, v) = ((x - self.middle.0) / self.unit, (y - self.middle.1) / self.unit);
        let along = gx * u + gy * v;
        match self.freedom {
            Freedom::Similar => [gx, gy, along, gy * u - gx * v, 0.0, 0.0, 0.0, 0.0],
            Freedom::Affine => [gx, gy, gx * u, gx * v, gy * u, gy * v, 0.0, 0.0],
            Freedom::Projective => [gx, gy, gx * u, gx * v, gy * u, gy * v, -along * u, -along * v],
        }
    }

    /// The inverse of the small projection with these parameters, in pixels of the drawing.
    fn step_back(&self, change: &[f64; 8]) -> Matrix {
        let c = change.map(|value| value as f32);
        let m = match self.freedom {
            Freedom::Similar => [1.0 + c[2], -c[3], c[0], c[3], 1.0 + c[2], c[1], 0.0, 0.0, 1.0],
            Freedom::Affine | Freedom::Projective => {
                [1.0 + c[2], c[3], c[0], c[4], 1.0 + c[5], c[1], c[6], c[7], 1.0]
            }
        };
        let ((x, y), unit) = (self.middle, self.unit);
        let to = [unit, 0.0, x, 0.0, unit, y, 0.0, 0.0, 1.0];
        let from = [1.0 / unit, 0.0, -x / unit, 0.0, 1.0 / unit, -y / unit, 0.0, 0.0, 1.0];
        product(&product(&to, &inverted(&m)), &from)
    }
}

fn hessian(samples: &[Sample], size: usize) -> [[f64; 8]; 8] {
    let mut hessian = [[0.0; 8]; 8];
    for samples in samples.chunks(SUMMED) {
        let mut sums = [[0.0_f32; 8]; 8];
        for Sample { weight, slopes, .. } in samples {
            for (row, slope) in sums.iter_mut().zip(slopes) {
                let weighted = weight * slope;
                row.iter_mut().zip(slopes).for_each(|(sum, other)| *sum += weighted * other);
            }
        }
        for (row, sums) in hessian.iter_mut().zip(&sums) {
            row.iter_mut().zip(sums).for_each(|(whole, sum)| *whole += f64::from(*sum));
        }
    }
    // A plain drawing has slopes in one direction only; this keeps the equations solvable.
    (0..size).for_each(|n| hessian[n][n] *= 1.0001);
    hessian
}

/// The misfit at a place, and the right side of the equations for the next step. `None` outside the picture.
fn compared(
    samples: &[Sample],
    size: usize,
    picture: &Pyramid,
    place: Projection,
) -> Option<(f32, [f64; 8])> {
    let (level, shrink) = picture.level(place.scale());
    let plane = &level.planes[0];
    let (width, height) = (plane.width as f32, plane.height as f32);
    // The value of the picture, and the weight of the sample, 0 outside the picture.
    let mut seen: Vec<(f32, f32)> = Vec::with_capacity(samples.len());
    let mut all = [0.0_f64; 5];
    for samples in samples.chunks(SUMMED) {
        let mut sums = [0.0_f32; 5];
        for sample in samples {
            let (u, v) = place.at(sample.x, sample.y);
            let (u, v) = (u * shrink, v * shrink);
            let is_inside = u >= 0.0 && v >= 0.0 && u < width && v < height;
            let (value, weight) = if is_inside { (plane.sample(u, v), sample.weight) } else { (0.0, 0.0) };
            seen.push((value, weight));
            let weighted = weight * value;
            let terms = [weight, weighted, weight * sample.value, weighted * sample.value, weighted * value];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        }
        all.iter_mut().zip(sums).for_each(|(whole, sum)| *whole += f64::from(sum));
    }
    let [total, seen_sum, drawn, both, square] = all;
    if total < 1.0 {
        return None;
    }
    // Brightness and contrast of the picture may differ a little.
    let gain =
        ((both - seen_sum * drawn / total) / (square - seen_sum * seen_sum / total).max(1.0)).clamp(0.6, 1.7);
    let shift = ((drawn - gain * seen_sum) / total) as f32;
    let gain = gain as f32;
    let (mut right, mut misfit) = ([0.0; 8], 0.0_f64);
    for (samples, seen) in samples.chunks(SUMMED).zip(seen.chunks(SUMMED)) {
        let (mut sums, mut squares) = ([0.0_f32; 8], 0.0_f32);
        for (sample, (value, weight)) in samples.iter().zip(seen) {
            let difference = gain * value + shift - sample.value;
            let difference = difference.clamp(-MAX_DIFFERENT, MAX_DIFFERENT);
            let weighted = weight * difference;
            squares += weighted * difference;
            sums.iter_mut().zip(sample.slopes).for_each(|(sum, slope)| *sum += weighted * slope);
        }
        misfit += f64::from(squares);
        right.iter_mut().zip(sums).for_each(|(whole, sum)| *whole += f64::from(sum));
    }
    right[size..].fill(0.0);
    Some(((misfit / total) as f32, right))
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;
    use crate::plane::Colours;

    /// A drawing with soft shapes, and the same seen through a projection.
    fn seen(projection: Option<Projection>) -> Colours {
        let shade =
            |x: f32, y: f32| (128.0 + 60.0 * (x / 9.0).sin() + 50.0 * (y / 7.0 + x / 31.0).cos()) as u8;
        let mut image = RgbImage::new(160, 120);
        if let Some(projection) = projection {
            let back = Projection::of(&inverted(&projection.matrix()));
            for (x, y, pixel) in image.enumerate_pixels_mut() {
                let (u, v) = back.at(x as f32 + 0.5, y as f32 + 0.5);
                *pixel = Rgb([shade(u, v); 3]);
            }
        } else {
            for (x, y, pixel) in image.enumerate_pixels_mut() {
                *pixel = Rgb([shade(x as f32 + 0.5, y as f32 + 0.5); 3]);
            }
        }
        Colours::of(&image)
    }

    #[test]
    fn places_are_found_to_a_tenth_of_a_pixel() {
        let drawing = seen(None);
        for (freedom, there) in [
            (Freedom::Similar, Projection::similar(1.02, 0.02, 1.5, -2.0)),
            (Freedom::Affine, Projection([1.01, 0.02, 1.0, -0.01, 0.98, 2.0, 0.0, 0.0])),
            (Freedom::Projective, Projection([1.0, 0.01, 1.0, 0.0, 1.0, 1.0, 2e-5, -3e-5])),
        ] {
            let picture = Pyramid::new(seen(Some(there)));
            let how = Alignment { freedom, blur: 1, step: 2, most: 30 };
            let place =
                aligned(Projection::similar(1.0, 0.0, 0.0, 0.0), &picture, &drawing.planes[0], None, how);
            for (x, y) in [(20.0, 20.0), (140.0, 20.0), (20.0, 100.0), (140.0, 100.0)] {
                let ((u, v), (a, b)) = (place.projection.at(x, y), there.at(x, y));
                assert!((u - a).hypot(v - b) < 0.1, "{freedom:?}: {u} {v} is {a} {b}");
            }
        }
    }
}
