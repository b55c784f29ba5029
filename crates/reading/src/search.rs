//! The rough place of a board in a picture, when its size and angle are known.

use rustfft::num_complex::Complex32;

use crate::align::Place;
use crate::fourier::Fourier;
use crate::mean::Mean;
use crate::plane::Plane;
use crate::projection::Projection;

/// The narrowest board that is searched, in pixels.
const MIN_WIDTH: usize = 40;
/// The least share of a board that is in the picture.
const LEAST_INSIDE: f32 = 0.6;

/// A picture in a size where it can be searched as a whole.
pub(crate) struct Search<'a> {
    fourier: &'a Fourier,
    width: usize,
    height: usize,
    /// The transforms of the picture, of its square, and of a plane that is 1 where the picture is.
    spectra: [Vec<Complex32>; 3],
}

/// A board's mean in the size and angle of a picture: the weight of each pixel, times its value, times its square.
struct Stencil {
    /// The upper left corner, from the board's own origin.
    corner: (f32, f32),
    planes: [Plane; 3],
    total: f32,
}

impl<'a> Search<'a> {
    pub(crate) fn new(plane: &Plane, fourier: &'a Fourier) -> Search<'a> {
        let mut square = plane.clone();
        square.values.iter_mut().for_each(|value| *value *= *value);
        let mut one = plane.clone();
        one.values.fill(1.0);
        let (first, second) = fourier.split(&fourier.of(plane, Some(&square)));
        let spectra = [first, second, fourier.of(&one, None)];
        Search { fourier, width: plane.width, height: plane.height, spectra }
    }

    /// The best places for a mean at this scale (pixels of the picture per pixel of the mean) and angle, at least half a cell
    /// apart.
    pub(crate) fn best(&self, mean: &Mean, scale: f32, angle: f32, most: usize) -> Vec<Place> {
        let Some(stencil) = stencil(mean, scale, angle, self.fourier.side) else { return Vec::new() };
        let mut left = self.misfits(&stencil);
        let mut best: Vec<Place> = Vec::new();
        while best.len() < most
            && let Some((misfit, x, y)) = left.iter().copied().min_by(|a, b| a.0.total_cmp(&b.0))
        {
            let near = mean.geometry.half * scale;
            left.retain(|other| ((other.1 - x).abs().max((other.2 - y).abs()) as f32) >= near);
            let (x, y) = (x as f32 - stencil.corner.0, y as f32 - stencil.corner.1);
            best.push(Place { projection: Projection::similar(scale, angle, x, y), misfit });
        }
        best
    }

    /// The misfit of the stencil at each place: the sum of `w (picture - value)²`, as three correlations, over the part that is
    /// in the picture, and the more the smaller that part is.
    fn misfits(&self, stencil: &Stencil) -> Vec<(f32, i32, i32)> {
        let [weight, value, square] = &stencil.planes;
        let (weights, values) = self.fourier.split(&self.fourier.of(weight, Some(value)));
        let squares = self.fourier.of(square, None);
        let [picture, picture_square, one] = &self.spectra;
        let i = Complex32::new(0.0, 1.0);
        let both = (0..weights.len()).map(|n| {
            let weight = weights[n].conj();
            let misfit =
                picture_square[n] * weight - picture[n] * values[n].conj() * 2.0 + one[n] * squares[n].conj();
            misfit + i * one[n] * weight
        });
        let all = self.fourier.back(both.collect());
        let side = self.fourier.side as i32;
        let range = |picture: usize, board: usize| {
            let (picture, board) = (picture as i32, board as i32);
            -board / 3..picture - board * 2 / 3
        };
        let mut found = Vec::new();
        for y in range(self.height, weight.height) {
            for x in range(self.width, weight.width) {
                let sums = all[(y.rem_euclid(side) * side + x.rem_euclid(side)) as usize];
                if sums.im > stencil.total * LEAST_INSIDE {
                    found.push((sums.re * stencil.total / (sums.im * sums.im), x, y));
                }
            }
        }
        found
    }
}

fn stencil(mean: &Mean, scale: f32, angle: f32, most: usize) -> Option<Stencil> {
    let (width, height) = (mean.colours.width() as f32, mean.colours.height() as f32);
    let turn = Projection::similar(scale, angle, 0.0, 0.0);
    let corners = [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)].map(|(x, y)| turn.at(x, y));
    let least = corners.iter().fold((f32::MAX, f32::MAX), |low, at| (low.0.min(at.0), low.1.min(at.1)));
    let greatest = corners.iter().fold((f32::MIN, f32::MIN), |high, at| (high.0.max(at.0), high.1.max(at.1)));
    let (across, down) = ((greatest.0 - least.0).ceil() as usize, (greatest.1 - least.1).ceil() as usize);
    if across.max(down) > most || across < MIN_WIDTH {
        return None;
    }
    let back = Projection::similar(1.0 / scale, -angle, 0.0, 0.0);
    let mut planes = [0; 3].map(|_| Plane::new(across, down));
    let mut total = 0.0;
    for y in 0..down {
        for x in 0..across {
            let (u, v) = back.at(x as f32 + 0.5 + least.0, y as f32 + 0.5 + least.1);
            if u < 0.0 || v < 0.0 || u >= width || v >= height {
                continue;
            }
            let (weight, value) = (mean.weights.sample(u, v), mean.colours.planes[0].sample(u, v));
            let all = [weight, weight * value, weight * value * value];
            planes.iter_mut().zip(all).for_each(|(plane, value)| plane.values[y * across + x] = value);
            total += weight;
        }
    }
    Some(Stencil { corner: least, planes, total })
}
