//! A sheet as if seen from straight above in even light, and the ink on it.

use image::RgbImage;

use crate::plane::Plane;
use crate::projection::Projection;

/// Units of the sheet per pixel of a flat picture: 0.3 mm on A4, less than the width of a pencil's line.
pub(super) const UNITS: f32 = 1.5;

/// The brightness of a picture, 0 to 255, in its own size and in halved ones.
pub(super) struct Brightness {
    levels: Vec<Plane>,
}

impl Brightness {
    pub(super) fn of(image: &RgbImage) -> Brightness {
        let mut plane = Plane::new(image.width() as usize, image.height() as usize);
        for (value, pixel) in plane.values.iter_mut().zip(image.pixels()) {
            let [r, g, b] = pixel.0.map(f32::from);
            *value = 0.299 * r + 0.587 * g + 0.114 * b;
        }
        let half = plane.halved();
        let quarter = half.halved();
        Brightness { levels: vec![plane, half, quarter] }
    }

    /// The width and height in pixels.
    pub(super) fn size(&self) -> (f32, f32) {
        (self.levels[0].width as f32, self.levels[0].height as f32)
    }

    /// The brightness at a pixel of the picture, with as much of what is around it as `apart` pixels are wide.
    pub(super) fn at(&self, (x, y): (f32, f32), apart: f32) -> f32 {
        let level = (apart.max(1.0).log2().round() as usize).min(self.levels.len() - 1);
        let shrink = 0.5_f32.powi(level as i32);
        self.levels[level].sample(x * shrink, y * shrink)
    }

    /// A part of a sheet from its upper left corner on, `width` and `height` pixels of `UNITS` units, at a place that takes
    /// units to pixels of the picture.
    pub(super) fn flattened(&self, place: &Projection, width: usize, height: usize) -> Plane {
        let (a, b) = (width as f32 * UNITS / 2.0, height as f32 * UNITS / 2.0);
        let apart = pixels_per_unit(place, (a, b)) * UNITS;
        let mut flat = Plane::new(width, height);
        for (n, value) in flat.values.iter_mut().enumerate() {
            let (x, y) = ((n % width) as f32 + 0.5, (n / width) as f32 + 0.5);
            *value = self.at(place.at(x * UNITS, y * UNITS), apart);
        }
        flat
    }
}

/// How many pixels of the picture a unit is wide, at a point of the sheet.
pub(super) fn pixels_per_unit(place: &Projection, (x, y): (f32, f32)) -> f32 {
    let (at, right, below) = (place.at(x, y), place.at(x + 1.0, y), place.at(x, y + 1.0));
    let area = (right.0 - at.0) * (below.1 - at.1) - (right.1 - at.1) * (below.0 - at.0);
    area.abs().sqrt()
}

/// How much darker than the paper around it each pixel of a flat picture is: about 0 on paper, 1 for black.
pub(super) struct Ink {
    pub(super) plane: Plane,
    /// How bright the paper is, 0 to 255, under ink too.
    pub(super) paper: Plane,
    /// The standard deviation of the brightness of paper, in light and shadow.
    pub(super) noise: f32,
    /// Pixels of the picture per unit.
    pub(super) sharpness: f32,
}

impl Ink {
    /// The ink of a flat picture that has `sharpness` pixels of the photograph per unit; strokes are at most `2 * reach`
    /// pixels wide.
    ///
    /// The paper under a stroke is as bright as that around it: a closing, the smallest of the largest values nearby, takes
    /// the strokes away and keeps the edges of shadows where they are.
    pub(super) fn of(flat: &Plane, sharpness: f32, reach: usize) -> Ink {
        let paper = flat.blurred(1).largest_near(reach).smallest_near(reach).blurred(1);
        let mut plane = flat.clone();
        for (value, paper) in plane.values.iter_mut().zip(&paper.values) {
            *value = 1.0 - *value / paper.max(1.0);
        }
        // The largest values nearby are those of noise, and most of a sheet is paper.
        let usual = median(plane.values.iter().step_by(7).copied().collect());
        plane.values.iter_mut().for_each(|value| *value -= usual);
        let smooth = plane.blurred(2);
        let off = plane.values.iter().zip(&smooth.values).map(|(ink, smooth)| (ink - smooth).abs());
        let rough = off.zip(&paper.values).step_by(7).map(|(off, paper)| off * paper);
        // The median of a normal distribution's absolute values is 0.6745 of its standard deviation.
        let noise = median(rough.collect()) / 0.6745;
        Ink { plane, paper, noise, sharpness }
    }
}

/// The median of some values; 0 if there are none.
pub(super) fn median(mut values: Vec<f32>) -> f32 {
    if values.is_empty() {
        return 0.0;
    }
    let half = values.len() / 2;
    *values.select_nth_unstable_by(half, f32::total_cmp).1
}

impl Plane {
    /// The largest value of the square of pixels up to `reach` away.
    pub(super) fn largest_near(&self, reach: usize) -> Plane {
        self.extreme(reach, f32::max)
    }

    /// The smallest value of the square of pixels up to `reach` away.
    fn smallest_near(&self, reach: usize) -> Plane {
        self.extreme(reach, f32::min)
    }

    /// The largest value of the pixels up to `reach` to the left and right.
    pub(super) fn largest_beside(&self, reach: usize) -> Plane {
        self.extreme_beside(reach, f32::max)
    }

    fn extreme(&self, reach: usize, pick: impl Fn(f32, f32) -> f32 + Copy) -> Plane {
        self.extreme_below(reach, pick).extreme_beside(reach, pick)
    }

    /// The extreme values of pixels up to `reach` above and below.
    fn extreme_below(&self, reach: usize, pick: impl Fn(f32, f32) -> f32 + Copy) -> Plane {
        let (width, height) = (self.width, self.height);
        let mut lines = Vec::with_capacity(width * (height + 2 * reach));
        for y in 0..height + 2 * reach {
            let y = y.clamp(reach, reach + height - 1) - reach;
            lines.extend_from_slice(&self.values[y * width..][..width]);
        }
        extremes(&mut lines, width, 2 * reach + 1, pick);
        lines.truncate(self.values.len());
        Plane { width, height, values: lines }
    }

    /// The extreme values of pixels up to `reach` to the left and right.
    fn extreme_beside(&self, reach: usize, pick: impl Fn(f32, f32) -> f32 + Copy) -> Plane {
        let mut plane = Plane::new(self.width, self.height);
        let lines = self.values.chunks_exact(self.width).zip(plane.values.chunks_exact_mut(self.width));
        let mut padded = Vec::with_capacity(self.width + 2 * reach);
        for (line, to) in lines {
            padded.clear();
            padded.resize(reach, line[0]);
            padded.extend_from_slice(line);
            padded.resize(self.width + 2 * reach, line[self.width - 1]);
            extremes(&mut padded, 1, 2 * reach + 1, pick);
            to.copy_from_slice(&padded[..self.width]);
        }
        plane
    }

    pub(super) fn transposed(&self) -> Plane {
        /// The side of the squares that are turned at once, since memory lies in lines.
        const BLOCK: usize = 32;
        let mut turned = Plane::new(self.height, self.width);
        for top in (0..self.height).step_by(BLOCK) {
            for left in (0..self.width).step_by(BLOCK) {
                for y in top..(top + BLOCK).min(self.height) {
                    for x in left..(left + BLOCK).min(self.width) {
                        turned.values[x * self.height + y] = self.values[y * self.width + x];
                    }
                }
            }
        }
        turned
    }
}

/// Replaces each value by the extreme one of `window` values that are `apart` from each other and begin with it, from those of
/// windows of 1, 2, 4 and so on.
fn extremes(values: &mut [f32], apart: usize, window: usize, pick: impl Fn(f32, f32) -> f32 + Copy) {
    let mut pick_from = |far: usize| {
        for n in 0..values.len().saturating_sub(far) {
            values[n] = pick(values[n], values[n + far]);
        }
    };
    let mut size = 1;
    while 2 * size <= window {
        pick_from(size * apart);
        size *= 2;
    }
    pick_from((window - size) * apart);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_are_those_of_the_square_around() {
        let values = (0..63).map(|n| ((n * 37 + n * n * 5) % 41) as f32).collect();
        let plane = Plane { width: 9, height: 7, values };
        for reach in [1, 2, 3, 5] {
            let (largest, smallest) = (plane.largest_near(reach), plane.smallest_near(reach));
            for (x, y) in (0..7_usize).flat_map(|y| (0..9_usize).map(move |x| (x, y))) {
                let near = |at: usize, most: usize| at.saturating_sub(reach)..(at + reach + 1).min(most);
                let all =
                    || near(y, 7).flat_map(|b| near(x, 9).map(move |a| (a, b))).map(|(a, b)| plane.at(a, b));
                assert_eq!(largest.at(x, y), all().fold(f32::MIN, f32::max), "{reach} at {x}, {y}");
                assert_eq!(smallest.at(x, y), all().fold(f32::MAX, f32::min), "{reach} at {x}, {y}");
            }
        }
    }

    #[test]
    fn the_edge_of_a_shadow_is_no_ink() {
        let mut flat = Plane::new(80, 60);
        for (n, value) in flat.values.iter_mut().enumerate() {
            let (x, y) = (n % 80, n / 80);
            let paper = if x < 40 { 220.0 } else { 120.0 };
            *value = if (20..23).contains(&y) { paper * 0.3 } else { paper };
        }
        let ink = Ink::of(&flat, 1.0, 4);
        for (x, wanted) in [(10, 0.7), (60, 0.7)] {
            assert!((ink.plane.at(x, 21) - wanted).abs() < 0.05, "{}", ink.plane.at(x, 21));
            assert!(ink.plane.at(x, 50).abs() < 0.05, "{}", ink.plane.at(x, 50));
        }
    }
}
