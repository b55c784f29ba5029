//! The mean of sample games: what is alike in all boards of a kind, by which a board is found in a picture.

use rayon::prelude::*;
use rookery_core::scene::{DrawOptions, Point};
use rookery_core::{Cell, Seat};
use rookery_render::{Painter, Picture};

use crate::align::{Aligner, Alignment, Place};
use crate::compare::{correlation, distance, patch};
use crate::content::Content;
use crate::geometry::Geometry;
use crate::kind::{Kind, Sample};
use crate::light::{Exposure, Pair, within};
use crate::plane::{Colours, Plane, Pyramid, drawn_pixels};
use crate::projection::Projection;
use crate::small_cells::SmallCells;
use crate::verdict::misfit_of_most;

/// The width in pixels of the drawings: a cell of the largest board is about 17 pixels wide, and many kinds of boards fit into
/// memory. The place that is found is made exact later, with a drawing of what was read.
const WIDTH: u32 = 180;
/// How far from a cell's centre a mean counts, in widths of a cell.
const NEAR: f32 = 0.95;
/// A pixel that is nearer to a cell's centre is within the cell, in widths of a cell.
const IN_CELL: f32 = 0.5;
/// The largest squared difference of a pixel, so that a piece counts for little.
const MAX_DIFFERENT: f32 = 60.0 * 60.0;

/// The mean of sample games of a kind of board in certain colours and style, seen from one side; from both if these differ by letters
/// alone.
pub(crate) struct Mean {
    pub(crate) geometry: Geometry,
    /// The width and height in pixels.
    size: (usize, usize),
    /// Row by row. Means of all kinds of boards fit into memory, as a pixel takes four bytes, and one in the next field.
    pixels: Vec<MeanPixel>,
    /// Which pixels are within a cell.
    is_in_cell: Vec<bool>,
    /// How the cells are drawn; none in games whose pieces cover more than their cell.
    pub(crate) cells: SmallCells,
    /// How much the samples differ from the mean, as [`Mean::misfit`] measures it.
    pub(crate) spread: f32,
    /// How much its pixels differ from each other, measured alike: that of a picture that resembles it no more than anything.
    pub(crate) contrast: f32,
    /// The levels of brightness of the samples.
    pub(crate) levels: Levels,
}

/// The brightness of a pixel, its two differences of colour plus 128, and how much it counts: 255 where all samples are alike.
#[derive(Clone, Copy, Debug)]
struct MeanPixel([u8; 4]);

impl MeanPixel {
    /// Where zero is for a difference of colour.
    const MIDDLE: f32 = 128.0;

    fn new([brightness, blue, red]: [f32; 3], weight: f32) -> MeanPixel {
        let weight = if weight > 0.0 { (weight * 255.0).max(1.0) } else { 0.0 };
        let all = [brightness, blue + MeanPixel::MIDDLE, red + MeanPixel::MIDDLE, weight];
        MeanPixel(all.map(|value| value.round() as u8))
    }

    fn colours(self) -> [f32; 3] {
        let [brightness, blue, red, _] = self.0.map(f32::from);
        [brightness, blue - MeanPixel::MIDDLE, red - MeanPixel::MIDDLE]
    }

    fn weight(self) -> f32 {
        f32::from(self.0[3]) / 255.0
    }
}

/// The brightness that a fiftieth of the pixels don't reach, and that which a fiftieth exceeds: with a few cells of a board's darkest
/// and lightest parts, they hardly depend on its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Levels {
    pub(crate) dark: f32,
    pub(crate) light: f32,
}

impl Levels {
    /// The share of pixels beyond each level.
    const BEYOND: usize = 50;

    /// The levels of some pixels; `None` if there are none.
    pub(crate) fn of(brightness: impl Iterator<Item = f32>) -> Option<Levels> {
        let mut all: Vec<f32> = brightness.collect();
        let last = all.len().checked_sub(1)?;
        let mut level = |n: usize| *all.select_nth_unstable_by(n, f32::total_cmp).1;
        Some(Levels { dark: level(last / Levels::BEYOND), light: level(last - last / Levels::BEYOND) })
    }
}

/// The correlation of a board's brightness with that of a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resemblance {
    pub(crate) whole: f32,
    /// Within the cells alone: the edges of a drawing say less about which board it is.
    pub(crate) within: f32,
}

impl Resemblance {
    pub(crate) fn mean(self) -> f32 {
        (self.whole + self.within) / 2.0
    }

    /// The whole one, or the mean if this is more: where most tiles are gone, cells say little.
    pub(crate) fn most(self) -> f32 {
        self.whole.max(self.mean())
    }
}

/// A pixel of a picture at a place of a mean.
pub(crate) struct SeenPixel {
    /// The number of the mean's pixel.
    pub(crate) n: usize,
    pub(crate) pixel: [f32; 3],
    /// Its place in the picture, from -1 to 1.
    pub(crate) at: (f32, f32),
}

impl Mean {
    pub(crate) fn new(kind: &Kind, options: &DrawOptions, painter: &Painter) -> Option<Mean> {
        let first = &kind.samples.first()?.play;
        let geometry = Geometry::new(first.as_ref(), options, WIDTH)?;
        let samples: Vec<&Sample> = kind.drawn_samples().collect();
        // Where boards differ by their letters alone, half of the samples have those of the other side: either may be there.
        let other = DrawOptions { side: Seat::SECOND, ..options.clone() };
        let is_from_both = kind.sides().len() == 1;
        let options_of = |n: usize| if is_from_both && n % 2 == 1 { &other } else { options };
        let pictures = samples.par_iter().enumerate();
        let pictures: Vec<Picture> =
            pictures.map(|(n, sample)| painter.picture(&sample.play.scene(options_of(n)), WIDTH)).collect();
        let (colours, mut weights) = mean_and_weights(&pictures)?;
        // Seen from the other side, the same cells are numbered from the other end.
        let contents = |(n, sample): (usize, &'_ &Sample)| -> Vec<Content> {
            let mut all = sample.contents().to_vec();
            if is_from_both && n % 2 == 1 {
                all.reverse();
            }
            all
        };
        let drawn = samples.iter().enumerate().map(contents).zip(pictures.iter().map(Colours::drawn));
        // Figures cover more than their cell.
        let cells = SmallCells::new(&geometry, drawn.take(if kind.has_figures() { 0 } else { usize::MAX }));
        // Points and other things away from the cells differ by style and number of players.
        let distances = geometry.distances((weights.width, weights.height));
        let is_in_cell = distances.values.iter().map(|distance| *distance < IN_CELL).collect();
        for (weight, distance) in weights.values.iter_mut().zip(distances.values) {
            if distance > NEAR {
                *weight = 0.0;
            }
        }
        let spreads = pictures.iter().map(|picture| {
            let pixels = drawn_pixels(picture).enumerate();
            let sum: f32 =
                pixels.map(|(n, pixel)| weights.values[n] * difference(pixel, colours.pixel(n))).sum();
            sum / weights.values.iter().sum::<f32>()
        });
        let spread = spreads.sum::<f32>() / pictures.len() as f32;
        let contrast = contrast(&colours, &weights);
        let pixels = pictures.iter().flat_map(|picture| drawn_pixels(picture).zip(&weights.values));
        let levels = Levels::of(pixels.filter(|(_, weight)| **weight > 0.0).map(|(pixel, _)| pixel[0]))?;
        let size = (colours.width(), colours.height());
        let counts = weights.values.iter().enumerate();
        let pixels = counts.map(|(n, weight)| MeanPixel::new(colours.pixel(n), *weight)).collect();
        Some(Mean { geometry, size, pixels, is_in_cell, cells, spread, contrast, levels })
    }

    /// The width and height in pixels.
    pub(crate) fn size(&self) -> (usize, usize) {
        self.size
    }

    /// The brightness of its pixels.
    pub(crate) fn brightness(&self) -> Plane {
        self.plane(|pixel| pixel.colours()[0])
    }

    /// How much its pixels count: 1 where all samples are alike.
    pub(crate) fn weights(&self) -> Plane {
        self.plane(MeanPixel::weight)
    }

    fn plane(&self, value: impl Fn(MeanPixel) -> f32) -> Plane {
        let (width, height) = self.size;
        Plane { width, height, values: self.pixels.iter().map(|pixel| value(*pixel)).collect() }
    }

    /// The mean, ready to be aligned with pictures.
    pub(crate) fn aligner(&self, how: Alignment) -> Aligner {
        Aligner::new(&self.brightness(), Some(&self.weights()), how)
    }

    /// Its place in a picture, from a rough one.
    pub(crate) fn aligned(&self, rough: Projection, picture: &Pyramid, how: Alignment) -> Place {
        self.aligner(how).aligned(rough, picture)
    }

    /// How much a picture at a place differs from the mean, in all three planes. Every `step` pixels are compared.
    pub(crate) fn misfit(&self, picture: &Pyramid, projection: &Projection, step: usize) -> f32 {
        let (mut sum, mut total) = (0.0, 0.0);
        for (n, seen) in self.pixels_at(picture, projection, step) {
            let weight = self.pixels[n].weight();
            sum += weight * difference(seen, self.pixels[n].colours());
            total += weight;
        }
        sum / total
    }

    /// How much most cells of a picture differ at least from what may be drawn there. Without the light of a photograph.
    pub(crate) fn cells_misfit(&self, picture: &Pyramid, projection: &Projection) -> f32 {
        let pixel_at = picture.sampler(projection.scale());
        let of_cell = |(cell, at): (Cell, &Point)| {
            let places = self.cells.pixels(*at).map(|(x, y)| projection.at(x, y));
            let seen = patch(places.map(|(u, v)| pixel_at(u, v)));
            let drawings = self.cells.of_shade(&self.geometry, cell).into_iter();
            drawings.map(|drawing| distance(&seen, drawing)).fold(f32::MAX, f32::min)
        };
        misfit_of_most(self.geometry.board.cells().zip(&self.geometry.centres).map(of_cell).collect())
    }

    /// The weighted correlation of the brightness of two means of one kind of board: 1 if both have light at the same places.
    pub(crate) fn resemblance(&self, other: &Mean) -> f32 {
        let pairs = self.pixels.iter().zip(&other.pixels);
        correlation(pairs.map(|(a, b)| (a.weight().min(b.weight()), [a.colours()[0], b.colours()[0]])))
    }

    /// The same with a picture at a place. Every `step` pixels are compared.
    pub(crate) fn resemblance_at(
        &self,
        picture: &Pyramid,
        projection: &Projection,
        step: usize,
    ) -> Resemblance {
        let pixels: Vec<(usize, [f32; 3])> = self.pixels_at(picture, projection, step).collect();
        let beside = |(n, seen): &(usize, [f32; 3])| self.brightness_beside(*n, *seen);
        let within = pixels.iter().filter(|(n, _)| self.is_in_cell[*n]);
        Resemblance { whole: correlation(pixels.iter().map(beside)), within: correlation(within.map(beside)) }
    }

    /// The same with some pixels of a picture, of all of the board.
    pub(crate) fn resemblance_to(&self, seen: &[SeenPixel]) -> f32 {
        correlation(seen.iter().map(|seen| self.brightness_beside(seen.n, seen.pixel)))
    }

    fn brightness_beside(&self, n: usize, seen: [f32; 3]) -> (f32, [f32; 2]) {
        (self.pixels[n].weight(), [self.pixels[n].colours()[0], seen[0]])
    }

    /// The pixels of a picture at a place that count. Every `step` pixels in each direction are taken. They are the same for the means
    /// of a kind of board in all themes.
    pub(crate) fn seen_at(&self, picture: &Pyramid, projection: &Projection, step: usize) -> Vec<SeenPixel> {
        let seen = self.places(projection, step).filter(|(n, _)| self.pixels[*n].0[3] > 0);
        let pixel_at = picture.sampler(projection.scale());
        seen.map(|(n, (u, v))| SeenPixel { n, pixel: pixel_at(u, v), at: within(picture, u, v) }).collect()
    }

    /// A pixel in the light of an exposure, and how the mean has it.
    pub(crate) fn pair(&self, seen: &SeenPixel, exposure: &Exposure) -> Pair {
        let SeenPixel { n, pixel, at } = *seen;
        let own = self.pixels[n];
        Pair { seen: exposure.corrected(pixel, at), drawn: own.colours(), at, weight: own.weight() }
    }

    /// The number of every `step`-th pixel in each direction, and the pixel of a picture there.
    fn pixels_at<'a>(
        &self,
        picture: &'a Pyramid,
        projection: &Projection,
        step: usize,
    ) -> impl Iterator<Item = (usize, [f32; 3])> + use<'a> {
        let pixel_at = picture.sampler(projection.scale());
        self.places(projection, step).map(move |(n, (u, v))| (n, pixel_at(u, v)))
    }

    /// The number of every `step`-th pixel in each direction, and the place where a projection has it.
    fn places(
        &self,
        projection: &Projection,
        step: usize,
    ) -> impl Iterator<Item = (usize, (f32, f32))> + use<> {
        let (projection, (width, height)) = (*projection, self.size);
        let all = (0..height).step_by(step).flat_map(move |y| (0..width).step_by(step).map(move |x| (x, y)));
        all.map(move |(x, y)| (y * width + x, projection.at(x as f32 + 0.5, y as f32 + 0.5)))
    }
}

/// The squared difference of two pixels. Two colours of themes may differ in hue alone.
pub(crate) fn difference(pixel: [f32; 3], other: [f32; 3]) -> f32 {
    let off = |n: usize| pixel[n] - other[n];
    (off(0).powi(2) + (2.0 * off(1)).powi(2) + (2.0 * off(2)).powi(2)).min(MAX_DIFFERENT)
}

/// The weighted mean of the differences of pixels from the mean of all.
fn contrast(colours: &Colours, weights: &Plane) -> f32 {
    let total: f32 = weights.values.iter().sum();
    let mean = colours.planes.each_ref().map(|plane| {
        let sum: f32 = plane.values.iter().zip(&weights.values).map(|(value, weight)| value * weight).sum();
        sum / total
    });
    let all = weights.values.iter().enumerate();
    all.map(|(n, weight)| weight * difference(colours.pixel(n), mean)).sum::<f32>() / total
}

/// The mean of pictures of one size, and how much each pixel counts: the less it varies, the more. The variance is that of the
/// three planes together.
fn mean_and_weights(pictures: &[Picture]) -> Option<(Colours, Plane)> {
    /// The variance at which a pixel counts half.
    const HALF: f32 = 100.0;
    let (width, height) = pictures.first().map(|first| (first.width() as usize, first.height() as usize))?;
    let (mut sums, mut squares) = (Colours::zero(width, height), Plane::new(width, height));
    let square = |pixel: [f32; 3]| pixel.iter().map(|value| value * value).sum::<f32>();
    for picture in pictures {
        let values = sums.pixels_mut().zip(&mut squares.values);
        for (([y, u, v], sum), pixel) in values.zip(drawn_pixels(picture)) {
            *y += pixel[0];
            *u += pixel[1];
            *v += pixel[2];
            *sum += square(pixel);
        }
    }
    let count = pictures.len() as f32;
    sums.planes.iter_mut().flat_map(|plane| &mut plane.values).for_each(|sum| *sum /= count);
    let mut weights = squares;
    for (n, weight) in weights.values.iter_mut().enumerate() {
        let variance = *weight / count - square(sums.planes.each_ref().map(|plane| plane.values[n]));
        *weight = 1.0 / (1.0 + variance.max(0.0) / HALF);
    }
    Some((sums, weights))
}
