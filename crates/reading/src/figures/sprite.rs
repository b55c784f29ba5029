//! How figures look alone on the empty board, and where in a picture one would explain more than what was found so far.

use rookery_core::scene::Point;

use super::renderer::Extent;
use crate::compare::MAX_DIFFERENT;
use crate::plane::{Colours, Plane};

/// The least squared difference to the empty board of a pixel of a figure.
const MIN_DIFFERENT: f32 = 20.0 * 20.0;

/// The squared difference of two pixels, limited: what isn't known counts no more than this.
pub(crate) fn squared_difference(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|n| (a[n] - b[n]).powi(2)).sum::<f32>().min(MAX_DIFFERENT)
}

/// A pixel in whole numbers, which takes half the memory.
pub(crate) type Tone = [i16; 3];

pub(crate) fn tone(values: [f32; 3]) -> Tone {
    values.map(|value| value.round() as i16)
}

pub(crate) fn values(tone: Tone) -> [f32; 3] {
    tone.map(f32::from)
}

/// The pixels that a figure covers.
#[derive(Debug)]
pub(crate) struct Sprite {
    pixels: Vec<SpritePixel>,
}

/// A pixel of a figure.
#[derive(Clone, Copy, Debug)]
struct SpritePixel {
    /// Its number in the window.
    at: u16,
    tone: Tone,
    /// The squared difference to the empty board.
    full: u16,
}

impl Sprite {
    /// The figure that a drawing has about a cell and another hasn't.
    pub(crate) fn new(with: &[[f32; 3]], without: &[[f32; 3]]) -> Sprite {
        let pixels = with.iter().zip(without).enumerate().filter_map(|(n, (with, without))| {
            let full = squared_difference(*with, *without);
            (full >= MIN_DIFFERENT).then(|| SpritePixel {
                at: n as u16,
                tone: tone(*with),
                full: full as u16,
            })
        });
        Sprite { pixels: pixels.collect() }
    }

    /// What it explains where it is drawn.
    pub(crate) fn full(&self) -> f32 {
        self.pixels.iter().map(|pixel| f32::from(pixel.full)).sum()
    }

    /// The numbers of its pixels in the window.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u16> + '_ {
        self.pixels.iter().map(|pixel| pixel.at)
    }
}

/// How much better a picture is explained with a figure than without it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gain {
    /// By how much the squared differences become less.
    pub(crate) by: f32,
    /// The same if the figure were drawn there.
    pub(crate) full: f32,
    /// The share of its pixels that nothing else covers.
    pub(crate) seen: f32,
}

impl Gain {
    /// The least share of a figure that is seen.
    const MIN_SEEN: f32 = 0.4;

    /// 1 if the figure is there, about 0 if it isn't; less if something else is.
    pub(crate) fn share(&self) -> f32 {
        if self.seen < Gain::MIN_SEEN { 0.0 } else { self.by / self.full.max(1.0) }
    }
}

/// What is left to explain in a picture.
pub(crate) struct Residual<'a> {
    flat: &'a Colours,
    /// How badly each pixel is explained.
    costs: Plane,
    /// The pixels of the figures that were found.
    taken: Vec<bool>,
    extent: Extent,
}

/// A picture about a point.
pub(crate) struct Window {
    values: Vec<[f32; 3]>,
    /// How badly each pixel is explained; `None` for those of other figures.
    costs: Vec<Option<f32>>,
}

impl<'a> Residual<'a> {
    /// A picture in which nothing is found yet, with the costs of explaining it by an empty board.
    pub(crate) fn new(flat: &'a Colours, costs: Plane, extent: Extent) -> Residual<'a> {
        let taken = vec![false; costs.values.len()];
        Residual { flat, costs, taken, extent }
    }

    pub(crate) fn window(&self, at: Point) -> Window {
        let rows = self.extent.rows();
        let places = rows.iter().flat_map(|row| (row.left..).take(row.count).map(|dx| (dx, row.y)));
        let costs = self.costs.runs_around(at, &rows).into_iter().zip(places).map(|(cost, step)| {
            let is_taken = self.number(at, step).is_none_or(|number| self.taken[number]);
            (!is_taken).then_some(cost)
        });
        Window { costs: costs.collect(), values: around(self.flat, at, self.extent) }
    }

    /// Marks the pixels of a figure, by their numbers in the window about a point.
    pub(crate) fn take(&mut self, at: Point, numbers: impl Iterator<Item = u16>) {
        let across = self.extent.across();
        for number in numbers.map(i32::from) {
            let step = (number % across - self.extent.left, number / across - self.extent.up);
            if let Some(number) = self.number(at, step) {
                self.taken[number] = true;
            }
        }
    }

    /// The number of the pixel some steps to the right and down from that of a point; `None` outside.
    fn number(&self, at: Point, (dx, dy): (i32, i32)) -> Option<usize> {
        let [x, y] = [at.x.floor() as i32 + dx, at.y.floor() as i32 + dy];
        let [x, y] = [usize::try_from(x).ok()?, usize::try_from(y).ok()?];
        (x < self.costs.width && y < self.costs.height).then(|| y * self.costs.width + x)
    }
}

/// The pixels of a picture in a window about a point, row by row.
pub(crate) fn around(picture: &Colours, at: Point, extent: Extent) -> Vec<[f32; 3]> {
    let rows = extent.rows();
    let [brightness, blue, red] = picture.planes.each_ref().map(|plane| plane.runs_around(at, &rows));
    brightness.into_iter().zip(blue).zip(red).map(|((y, u), v)| [y, u, v]).collect()
}

impl Window {
    /// What all figures together could explain.
    pub(crate) fn unexplained(&self) -> f32 {
        self.costs.iter().flatten().sum()
    }

    /// The value of a pixel and how badly it is explained, by its number; `None` if it belongs to another figure.
    pub(crate) fn pixel(&self, number: u16) -> Option<([f32; 3], f32)> {
        let number = usize::from(number);
        self.costs[number].map(|cost| (self.values[number], cost))
    }

    pub(crate) fn gain(&self, sprite: &Sprite) -> Gain {
        let (mut by, mut full, mut count) = (0.0, 0.0, 0);
        for drawn in &sprite.pixels {
            if let Some((seen, cost)) = self.pixel(drawn.at) {
                by += cost - squared_difference(seen, values(drawn.tone));
                full += f32::from(drawn.full);
                count += 1;
            }
        }
        Gain { by, full, seen: count as f32 / sprite.pixels.len().max(1) as f32 }
    }
}
