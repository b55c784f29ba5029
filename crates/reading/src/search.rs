//! The rough place of a board in a picture, when its size and angle are known.

use std::ops::Range;

use rookery_transforms::{Complex32, Fourier};

use crate::align::Place;
use crate::mean::Mean;
use crate::plane::Plane;
use crate::projection::Projection;

/// The narrowest board that is searched, in pixels.
const MIN_WIDTH: usize = 40;
/// The least share of a board's weights that is in a photograph.
const MIN_INSIDE: f32 = 0.6;

/// The least variance of a board in a photograph.
const MIN_VARIANCE: f32 = 100.0;

/// A picture in a size where it can be searched as a whole.
pub(crate) struct Search<'a> {
    fourier: &'a Fourier,
    width: usize,
    height: usize,
    /// The transforms of the picture, of its square, and of a plane that is 1 where the picture is.
    spectra: [Vec<Complex32>; 3],
    light: Light,
}

/// The light in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Light {
    /// As drawn.
    Drawn,
    /// Brighter or darker, with more or less contrast, as in a photograph.
    Photographed,
}

/// A board's mean in the size and angle of a picture: the weight of each pixel, times its value, times its square.
struct Stencil {
    /// The upper left corner, from the board's own origin.
    corner: (f32, f32),
    planes: [Plane; 3],
    total: f32,
    /// The least and the greatest x of the cells' centres, and the same of y, from the upper left corner.
    cells: [(f32, f32); 2],
}

impl<'a> Search<'a> {
    pub(crate) fn new(plane: &Plane, fourier: &'a Fourier, light: Light) -> Search<'a> {
        let mut square = plane.clone();
        square.values.iter_mut().for_each(|value| *value *= *value);
        let mut one = plane.clone();
        one.values.fill(1.0);
        let (first, second) = fourier.split(&fourier.of(plane.width, &plane.values, Some(&square.values)));
        let spectra = [first, second, fourier.of(one.width, &one.values, None)];
        Search { fourier, width: plane.width, height: plane.height, spectra, light }
    }

    /// The best places for a mean at this scale (pixels of the picture per pixel of the mean) and angle, at least half a cell
    /// apart.
    pub(crate) fn best(&self, mean: &Mean, scale: f32, angle: f32, most: usize) -> Vec<Place> {
        let Some(stencil) = stencil(mean, scale, angle, self.fourier.side()) else { return Vec::new() };
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

    /// The misfit of the stencil at each place: the mean of `w (picture - value)²` over the part that is in the picture, and the
    /// more the smaller that part is. In a photograph the picture is first made as bright and contrasty as the stencil, as far as
    /// that reduces it.
    fn misfits(&self, stencil: &Stencil) -> Vec<(f32, i32, i32)> {
        let (misfits, least) = match self.light {
            Light::Drawn => (self.drawn_misfits(stencil), 0.0),
            Light::Photographed => (self.photographed_misfits(stencil), stencil.total * MIN_INSIDE),
        };
        let side = self.fourier.side() as i32;
        let [across, down] = self.places(stencil);
        let mut found = Vec::new();
        for y in down {
            for x in across.clone() {
                let (misfit, total) = misfits[(y.rem_euclid(side) * side + x.rem_euclid(side)) as usize];
                if total > least {
                    found.push((misfit * stencil.total / total, x, y));
                }
            }
        }
        found
    }

    /// Where the stencil's upper left corner may be: its x, and its y.
    fn places(&self, stencil: &Stencil) -> [Range<i32>; 2] {
        let picture = [self.width, self.height];
        match self.light {
            // All cells are in the picture. What is around them may be cut off, although it counts more than cells that vary.
            Light::Drawn => std::array::from_fn(|n| {
                let (least, greatest) = stencil.cells[n];
                (-least).ceil() as i32..(picture[n] as f32 - greatest).floor() as i32 + 1
            }),
            Light::Photographed => std::array::from_fn(|n| {
                let board = [stencil.planes[0].width, stencil.planes[0].height][n] as i32;
                -board / 3..picture[n] as i32 - board * 2 / 3
            }),
        }
    }

    /// The misfits of a drawing, as three correlations, and the weights that are in the picture.
    fn drawn_misfits(&self, stencil: &Stencil) -> Vec<(f32, f32)> {
        let Spectra { weights, values, squares } = self.spectra_of(stencil);
        let [picture, picture_square, one] = &self.spectra;
        let i = Complex32::new(0.0, 1.0);
        let both = (0..weights.len()).map(|n| {
            let weight = weights[n].conj();
            let misfit =
                picture_square[n] * weight - picture[n] * values[n].conj() * 2.0 + one[n] * squares[n].conj();
            misfit + i * one[n] * weight
        });
        let sums = self.fourier.back(both.collect()).into_iter();
        sums.map(|sum| (sum.re / sum.im, sum.im)).collect()
    }

    /// The same in a photograph: the share of the stencil's variance that a line through the values of both leaves.
    fn photographed_misfits(&self, stencil: &Stencil) -> Vec<(f32, f32)> {
        let Spectra { weights, values, squares } = self.spectra_of(stencil);
        let [picture, picture_square, one] = &self.spectra;
        let correlated = |[a, b]: [&[Complex32]; 2], [c, d]: [&[Complex32]; 2]| {
            let i = Complex32::new(0.0, 1.0);
            let both = (0..weights.len()).map(|n| a[n] * b[n].conj() + i * c[n] * d[n].conj());
            self.fourier.back(both.collect())
        };
        let squares_and_totals = correlated([picture_square, &weights], [one, &weights]);
        let sums = correlated([picture, &weights], [one, &values]);
        let products = correlated([picture, &values], [one, &squares]);
        let misfit = |n: usize| {
            let Complex32 { re: picture_squares, im: total } = squares_and_totals[n];
            let [picture, value] = [sums[n].re, sums[n].im].map(|sum| sum / total);
            let variance = products[n].im / total - value * value;
            let together = (products[n].re / total - picture * value).max(0.0);
            let seen = picture_squares / total - picture * picture;
            // A wall behind the screen varies little, and resembles anything.
            let share = together * together / (seen.max(MIN_VARIANCE) * variance.max(MIN_VARIANCE));
            (1.0 - share.min(1.0), total)
        };
        (0..weights.len()).map(misfit).collect()
    }

    fn spectra_of(&self, stencil: &Stencil) -> Spectra {
        let [weight, value, square] = &stencil.planes;
        let (weights, values) =
            self.fourier.split(&self.fourier.of(weight.width, &weight.values, Some(&value.values)));
        Spectra { weights, values, squares: self.fourier.of(square.width, &square.values, None) }
    }
}

/// The transforms of the planes of a stencil.
struct Spectra {
    weights: Vec<Complex32>,
    values: Vec<Complex32>,
    squares: Vec<Complex32>,
}

fn stencil(mean: &Mean, scale: f32, angle: f32, most: usize) -> Option<Stencil> {
    let (brightness, weights) = (mean.brightness(), mean.weights());
    let (width, height) = (brightness.width as f32, brightness.height as f32);
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
            let (weight, value) = (weights.sample(u, v), brightness.sample(u, v));
            let all = [weight, weight * value, weight * value * value];
            planes.iter_mut().zip(all).for_each(|(plane, value)| plane.values[y * across + x] = value);
            total += weight;
        }
    }
    let centres = mean.geometry.centres.iter().map(|at| turn.at(at.x, at.y));
    let ends = |(low, high): (f32, f32), at: f32| (low.min(at), high.max(at));
    let none = (f32::MAX, f32::MIN);
    let (across, down) =
        centres.fold((none, none), |all, at| (ends(all.0, at.0 - least.0), ends(all.1, at.1 - least.1)));
    Some(Stencil { corner: least, planes, total, cells: [across, down] })
}
