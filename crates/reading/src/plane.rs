//! Planes of numbers, and pictures as three of them.

use image::RgbImage;
use rayon::prelude::*;
use rookery_core::scene::{Point, Rgb};
use rookery_render::Picture;

use crate::palette::Area;
use crate::projection::Projection;

/// What is added to the binary logarithm of a scale before it is rounded down to the number of a level.
const SHARPER: f32 = 0.3;

/// A grid of numbers, row by row from the top left. The centre of the first pixel is at (0.5, 0.5).
#[derive(Clone, Debug)]
pub(crate) struct Plane {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) values: Vec<f32>,
}

/// Pixels next to each other in a line, as distances from a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) y: i32,
    pub(crate) left: i32,
    pub(crate) count: usize,
}

impl Run {
    /// The distances of its pixels.
    pub(crate) fn offsets(&self) -> impl Iterator<Item = (f32, f32)> + use<> {
        let Run { y, left, count } = *self;
        (left..).take(count).map(move |x| (x as f32, y as f32))
    }
}

impl Plane {
    pub(crate) fn new(width: usize, height: usize) -> Plane {
        Plane { width, height, values: vec![0.0; width * height] }
    }

    pub(crate) fn at(&self, x: usize, y: usize) -> f32 {
        self.values[y * self.width + x]
    }

    /// The value at a point, between those of the four pixels around it. Outside, it is that of the nearest pixel.
    pub(crate) fn sample(&self, x: f32, y: f32) -> f32 {
        let x = (x - 0.5).clamp(0.0, (self.width - 1) as f32);
        let y = (y - 0.5).clamp(0.0, (self.height - 1) as f32);
        let (left, top) = (x as usize, y as usize);
        let (along, down) = (x - left as f32, y - top as f32);
        if left + 1 < self.width && top + 1 < self.height {
            let first = top * self.width + left;
            let (above, below) = (&self.values[first..first + 2], &self.values[first + self.width..][..2]);
            let upper = above[0] * (1.0 - along) + above[1] * along;
            let lower = below[0] * (1.0 - along) + below[1] * along;
            return upper * (1.0 - down) + lower * down;
        }
        let (right, below) = ((left + 1).min(self.width - 1), (top + 1).min(self.height - 1));
        let upper = self.at(left, top) * (1.0 - along) + self.at(right, top) * along;
        let lower = self.at(left, below) * (1.0 - along) + self.at(right, below) * along;
        upper * (1.0 - down) + lower * down
    }

    /// The values at some whole distances from a point, as [`Plane::sample`] has each. The distances to the four pixels around are
    /// alike everywhere.
    pub(crate) fn runs_around(&self, at: Point, runs: &[Run]) -> Vec<f32> {
        let (left, top) = ((at.x - 0.5).floor(), (at.y - 0.5).floor());
        let (along, down) = (at.x - 0.5 - left, at.y - 0.5 - top);
        let mut values = Vec::with_capacity(runs.iter().map(|run| run.count).sum());
        for run in runs {
            let (x, y) = (left as i32 + run.left, top as i32 + run.y);
            if x < 0 || y < 0 || x as usize + run.count >= self.width || y as usize + 1 >= self.height {
                let places = (run.left..).take(run.count);
                values.extend(places.map(|dx| self.sample(at.x + dx as f32, at.y + run.y as f32)));
                continue;
            }
            let first = y as usize * self.width + x as usize;
            let lines = [first, first + self.width].map(|first| &self.values[first..=first + run.count]);
            let [above, below] = lines.map(|line| line.iter().zip(&line[1..]));
            let between = |(left, right): (&f32, &f32)| left * (1.0 - along) + right * along;
            let both = above.zip(below);
            values.extend(both.map(|(above, below)| between(above) * (1.0 - down) + between(below) * down));
        }
        values
    }

    /// A part of the plane, as far as it is inside.
    pub(crate) fn cut(&self, area: Area) -> Plane {
        let width = area.width.min(self.width - area.left);
        let height = area.height.min(self.height - area.top);
        let mut values = Vec::with_capacity(width * height);
        for y in area.top..area.top + height {
            values.extend_from_slice(&self.values[y * self.width + area.left..][..width]);
        }
        Plane { width, height, values }
    }

    /// The plane with half the width and height: each value is the mean of four.
    pub(crate) fn halved(&self) -> Plane {
        let mut half = Plane::new((self.width / 2).max(1), (self.height / 2).max(1));
        for y in 0..half.height {
            for x in 0..half.width {
                let (right, below) = ((2 * x + 1).min(self.width - 1), (2 * y + 1).min(self.height - 1));
                let sum = self.at(2 * x, 2 * y)
                    + self.at(right, 2 * y)
                    + self.at(2 * x, below)
                    + self.at(right, below);
                half.values[y * half.width + x] = sum / 4.0;
            }
        }
        half
    }

    /// The plane in another size; each value is the mean of what it covers.
    pub(crate) fn resized(&self, width: usize, height: usize) -> Plane {
        let columns = coverage(self.width, width);
        let rows = coverage(self.height, height);
        let mut across = Plane::new(width, self.height);
        for y in 0..self.height {
            let line = &self.values[y * self.width..][..self.width];
            for (x, (first, shares)) in columns.iter().enumerate() {
                let sum: f32 = shares.iter().zip(&line[*first..]).map(|(share, value)| share * value).sum();
                across.values[y * width + x] = sum;
            }
        }
        let mut both = Plane::new(width, height);
        for (y, (first, shares)) in rows.iter().enumerate() {
            let to = &mut both.values[y * width..][..width];
            for (n, share) in shares.iter().enumerate() {
                let from = &across.values[(first + n) * width..][..width];
                to.iter_mut().zip(from).for_each(|(sum, value)| *sum += share * value);
            }
        }
        both
    }

    /// The plane with its longer side at most this long, and by how much it was shrunk.
    pub(crate) fn shrunk(&self, most: usize) -> (Plane, f32) {
        let by = (most as f32 / self.width.max(self.height) as f32).min(1.0);
        let size = |n: usize| ((n as f32 * by).round() as usize).max(1);
        (self.resized(size(self.width), size(self.height)), by)
    }

    /// The mean of the square of pixels up to `radius` away.
    pub(crate) fn blurred(&self, radius: usize) -> Plane {
        if radius == 0 {
            return self.clone();
        }
        if radius == 1 {
            return self.blurred_by_one();
        }
        let mut across = self.clone();
        for (line, means) in self.lines().zip(across.values.chunks_exact_mut(self.width)) {
            line_means(line, means, radius);
        }
        across.down_means(radius)
    }

    /// Most blurs are by one pixel. Line by line, the sums of three lines stay in the processor's nearest memory.
    fn blurred_by_one(&self) -> Plane {
        let mut means = Plane::new(self.width, self.height);
        let mut sums = vec![0.0; self.width];
        for (y, to) in means.values.chunks_exact_mut(self.width).enumerate() {
            let near = y.saturating_sub(1)..(y + 2).min(self.height);
            let share = 1.0 / near.len() as f32;
            sums.fill(0.0);
            for line in self.values[near.start * self.width..near.end * self.width].chunks_exact(self.width) {
                sums.iter_mut().zip(line).for_each(|(sum, value)| *sum += value * share);
            }
            line_means(&sums, to, 1);
        }
        means
    }

    fn lines(&self) -> impl Iterator<Item = &[f32]> {
        self.values.chunks_exact(self.width)
    }

    /// The mean of each pixel and those up to `radius` above and below; line by line, since memory lies in lines.
    pub(crate) fn down_means(&self, radius: usize) -> Plane {
        let line = |y: usize| &self.values[y * self.width..][..self.width];
        let mut means = Plane::new(self.width, self.height);
        let mut sums = vec![0.0; self.width];
        for y in 0..radius.min(self.height) {
            sums.iter_mut().zip(line(y)).for_each(|(sum, value)| *sum += value);
        }
        for y in 0..self.height {
            if y + radius < self.height {
                sums.iter_mut().zip(line(y + radius)).for_each(|(sum, value)| *sum += value);
            }
            if y > radius {
                sums.iter_mut().zip(line(y - radius - 1)).for_each(|(sum, value)| *sum -= value);
            }
            let share = 1.0 / ((y + radius + 1).min(self.height) - y.saturating_sub(radius)) as f32;
            let to = &mut means.values[y * self.width..][..self.width];
            to.iter_mut().zip(&sums).for_each(|(mean, sum)| *mean = sum * share);
        }
        means
    }
}

/// For every new pixel: the first old one that it covers, and the shares of those.
fn coverage(old: usize, new: usize) -> Vec<(usize, Vec<f32>)> {
    let scale = old as f32 / new as f32;
    let of = |n: usize| {
        if scale <= 1.0 {
            // Enlarged: between two old pixels.
            let at = ((n as f32 + 0.5) * scale - 0.5).clamp(0.0, (old - 1) as f32);
            let first = (at as usize).min(old.saturating_sub(2));
            let share = at - first as f32;
            return (first, if old == 1 { vec![1.0] } else { vec![1.0 - share, share] });
        }
        let (from, to) = (n as f32 * scale, ((n + 1) as f32 * scale).min(old as f32));
        let (first, last) = (from as usize, (to.ceil() as usize).min(old));
        let share = |m: usize| ((m + 1) as f32).min(to) - (m as f32).max(from);
        (first, (first..last).map(|m| share(m) / (to - from)).collect())
    };
    (0..new).map(of).collect()
}

/// The mean of up to `radius` values on each side of every value.
fn line_means(line: &[f32], means: &mut [f32], radius: usize) {
    let count = line.len();
    if radius == 1 && count > 2 {
        // Without a running sum the processor does several pixels at once.
        means[0] = (line[0] + line[1]) / 2.0;
        means[count - 1] = (line[count - 2] + line[count - 1]) / 2.0;
        let inner = means[1..].iter_mut().zip(line.windows(3));
        inner.for_each(|(mean, near)| *mean = (near[0] + near[1] + near[2]) / 3.0);
        return;
    }
    let mut sum: f32 = line[..radius.min(count)].iter().sum();
    for (n, mean) in means.iter_mut().enumerate() {
        if n + radius < count {
            sum += line[n + radius];
        }
        if n > radius {
            sum -= line[n - radius - 1];
        }
        *mean = sum / ((n + radius + 1).min(count) - n.saturating_sub(radius)) as f32;
    }
}

/// A picture as brightness and two differences of colour, as JPEG has them: 0 to 255, and about zero.
#[derive(Clone, Debug)]
pub(crate) struct Colours {
    pub(crate) planes: [Plane; 3],
}

impl Colours {
    pub(crate) fn of(image: &RgbImage) -> Colours {
        let pixel = |x: usize, y: usize| parts(image.get_pixel(x as u32, y as u32).0);
        Colours::by_place((image.width() as usize, image.height() as usize), pixel)
    }

    /// The pixels at all places of a picture of this size, found on all processors.
    pub(crate) fn by_place(
        (width, height): (usize, usize),
        pixel: impl Fn(usize, usize) -> [f32; 3] + Sync,
    ) -> Colours {
        let mut colours = Colours::zero(width, height);
        let lines = colours.planes.each_mut().map(|plane| plane.values.par_chunks_exact_mut(width.max(1)));
        let [brightness, blue, red] = lines;
        brightness.zip(blue).zip(red).enumerate().for_each(|(y, ((ys, us), vs))| {
            for x in 0..width {
                [ys[x], us[x], vs[x]] = pixel(x, y);
            }
        });
        colours
    }

    /// The colours of a drawing.
    pub(crate) fn drawn(picture: &Picture) -> Colours {
        Colours::new((picture.width() as usize, picture.height() as usize), drawn_pixels(picture))
    }

    /// A part of a drawing, blurred by one pixel as [`Colours::blurred`] does it with the whole.
    pub(crate) fn drawn_part(picture: &Picture, area: Area) -> Colours {
        let palette = drawn_palette(picture);
        let (left, top) = (area.left.saturating_sub(1), area.top.saturating_sub(1));
        let right = (area.left + area.width + 1).min(picture.width() as usize);
        let below = (area.top + area.height + 1).min(picture.height() as usize);
        let rows = picture.rows().skip(top).take(below - top);
        let pixels = rows.flat_map(|row| &row[left..right]).map(|index| palette[usize::from(*index)]);
        let around = Colours::new((right - left, below - top), pixels).blurred(1);
        around.cut(Area { left: area.left - left, top: area.top - top, ..area })
    }

    /// A part of the picture, as far as it is inside.
    pub(crate) fn cut(&self, area: Area) -> Colours {
        Colours { planes: self.planes.each_ref().map(|plane| plane.cut(area)) }
    }

    /// Replaces an area within the picture by what another one of the same size has there.
    pub(crate) fn paste(&mut self, other: &Colours, area: Area) {
        for (to, from) in self.planes.iter_mut().zip(&other.planes) {
            for y in area.top..area.top + area.height {
                let line = y * from.width + area.left..y * from.width + area.left + area.width;
                to.values[line.clone()].copy_from_slice(&from.values[line]);
            }
        }
    }

    /// The three values at a point, as [`Plane::sample`] has each. The planes are of one size, so the four pixels and their shares
    /// are found once.
    pub(crate) fn sample(&self, x: f32, y: f32) -> [f32; 3] {
        let (width, height) = (self.width(), self.height());
        let x = (x - 0.5).clamp(0.0, (width - 1) as f32);
        let y = (y - 0.5).clamp(0.0, (height - 1) as f32);
        let (left, top) = (x as usize, y as usize);
        let (along, down) = (x - left as f32, y - top as f32);
        let (right, below) = (usize::from(left + 1 < width), if top + 1 < height { width } else { 0 });
        let first = top * width + left;
        self.of_each(|plane| {
            let at = |n: usize| plane.values[first + n];
            let upper = at(0) * (1.0 - along) + at(right) * along;
            let lower = at(below) * (1.0 - along) + at(below + right) * along;
            upper * (1.0 - down) + lower * down
        })
    }

    /// A value of each plane. Unlike `map` of arrays, this is compiled into what calls it for every pixel.
    #[inline]
    fn of_each(&self, value: impl Fn(&Plane) -> f32) -> [f32; 3] {
        let [brightness, blue, red] = &self.planes;
        [value(brightness), value(blue), value(red)]
    }

    /// The three values of a pixel by its number, row by row.
    pub(crate) fn pixel(&self, n: usize) -> [f32; 3] {
        self.of_each(|plane| plane.values[n])
    }

    pub(crate) fn new((width, height): (usize, usize), pixels: impl Iterator<Item = [f32; 3]>) -> Colours {
        let mut colours = Colours::zero(width, height);
        colours.pixels_mut().zip(pixels).for_each(|([y, u, v], pixel)| [*y, *u, *v] = pixel);
        colours
    }

    /// Three planes of zeros.
    pub(crate) fn zero(width: usize, height: usize) -> Colours {
        Colours { planes: [0; 3].map(|_| Plane::new(width, height)) }
    }

    /// The values of each pixel in the three planes, row by row.
    pub(crate) fn pixels_mut(&mut self) -> impl Iterator<Item = [&mut f32; 3]> {
        let [brightness, blue, red] = &mut self.planes;
        let values = brightness.values.iter_mut().zip(&mut blue.values).zip(&mut red.values);
        values.map(|((y, u), v)| [y, u, v])
    }

    pub(crate) fn width(&self) -> usize {
        self.planes[0].width
    }

    pub(crate) fn height(&self) -> usize {
        self.planes[0].height
    }

    pub(crate) fn blurred(&self, radius: usize) -> Colours {
        self.each_plane(|plane| plane.blurred(radius))
    }

    /// The same change of each plane, on all processors.
    fn each_plane(&self, change: impl Fn(&Plane) -> Plane + Sync) -> Colours {
        let [brightness, blue, red] = &self.planes;
        let (brightness, (blue, red)) =
            rayon::join(|| change(brightness), || rayon::join(|| change(blue), || change(red)));
        Colours { planes: [brightness, blue, red] }
    }
}

/// The brightness and the two differences of colour of a pixel in red, green and blue, by the formula of JPEG (ITU-T T.871).
pub(crate) fn parts(pixel: [u8; 3]) -> [f32; 3] {
    let [r, g, b] = pixel.map(f32::from);
    let y = 0.299 * r + 0.587 * g + 0.114 * b;
    [y, 0.564 * (b - y), 0.713 * (r - y)]
}

/// The pixels of a drawing, row by row.
pub(crate) fn drawn_pixels(picture: &Picture) -> impl Iterator<Item = [f32; 3]> {
    let palette = drawn_palette(picture);
    picture.rows().flatten().map(move |index| palette[usize::from(*index)])
}

fn drawn_palette(picture: &Picture) -> Vec<[f32; 3]> {
    picture.palette().iter().map(|Rgb(r, g, b)| parts([*r, *g, *b])).collect()
}

/// The same picture in halved sizes, to be sampled at any scale.
#[derive(Debug)]
pub(crate) struct Pyramid {
    levels: Vec<Colours>,
}

impl Pyramid {
    pub(crate) fn new(colours: Colours) -> Pyramid {
        let mut levels = vec![colours];
        while let Some(last) = levels.last()
            && last.width().min(last.height()) > 64
        {
            levels.push(last.each_plane(Plane::halved));
        }
        Pyramid { levels }
    }

    pub(crate) fn full(&self) -> &Colours {
        &self.levels[0]
    }

    /// The width and height of the full picture.
    pub(crate) fn size(&self) -> (f32, f32) {
        (self.full().width() as f32, self.full().height() as f32)
    }

    /// Whether a point is in the picture.
    pub(crate) fn shows(&self, (x, y): (f32, f32)) -> bool {
        let (width, height) = self.size();
        (0.0..width).contains(&x) && (0.0..height).contains(&y)
    }

    /// Whether all pixels of a drawing of this size are in the picture.
    pub(crate) fn shows_all(&self, (width, height): (usize, usize), projection: &Projection) -> bool {
        // The centres of the corner pixels.
        let (left, right, below) = (0.5, width as f32 - 0.5, height as f32 - 0.5);
        let corners = [(left, left), (right, left), (left, below), (right, below)];
        corners.into_iter().all(|(x, y)| projection.is_before(x, y) && self.shows(projection.at(x, y)))
    }

    /// The pixel at a point of the full picture, in the level for `scale`.
    pub(crate) fn sampler(&self, scale: f32) -> impl Fn(f32, f32) -> [f32; 3] + '_ {
        let (level, shrink) = self.level(scale);
        move |u, v| level.sample(u * shrink, v * shrink)
    }

    /// The level where a pixel is about as large as `scale` pixels of the full picture, and how much smaller it is. It is rather
    /// sharper: what is left out between pixels is little against what a coarser level blurs.
    pub(crate) fn level(&self, scale: f32) -> (&Colours, f32) {
        let n = ((scale.max(1.0).log2() + SHARPER).floor() as usize).min(self.levels.len() - 1);
        let level = &self.levels[n];
        (level, 0.5_f32.powi(n as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane() -> Plane {
        let values = (0..35).map(|n| ((n * 17 + n * n) % 29) as f32).collect();
        Plane { width: 7, height: 5, values }
    }

    #[test]
    fn blurred_values_are_the_means_of_their_squares() {
        let plane = plane();
        for radius in [0, 1, 2, 9] {
            let blurred = plane.blurred(radius);
            for (x, y) in (0..5_usize).flat_map(|y| (0..7_usize).map(move |x| (x, y))) {
                let near = |at: usize, most: usize| at.saturating_sub(radius)..(at + radius + 1).min(most);
                let all: Vec<f32> = near(y, 5)
                    .flat_map(|b| near(x, 7).map(move |a| (a, b)))
                    .map(|(a, b)| plane.at(a, b))
                    .collect();
                let mean = all.iter().sum::<f32>() / all.len() as f32;
                assert!((blurred.at(x, y) - mean).abs() < 1e-3, "{radius} at {x}, {y}");
            }
        }
    }

    #[test]
    fn a_smaller_plane_keeps_the_mean_and_a_sample_is_between_its_pixels() {
        let plane = plane();
        let mean = |plane: &Plane| plane.values.iter().sum::<f32>() / plane.values.len() as f32;
        assert!((mean(&plane.resized(3, 2)) - mean(&plane)).abs() < 1e-3);
        assert_eq!(plane.resized(7, 5).values, plane.values);
        let half = (plane.at(2, 3) + plane.at(3, 3)) / 2.0;
        assert!((plane.sample(3.0, 3.5) - half).abs() < 1e-4);
        assert_eq!(plane.sample(-5.0, -5.0), plane.at(0, 0));
        for (x, y) in [(3.2, 2.7), (0.1, 4.9), (-1.5, 9.0)] {
            for (dx, dy) in [(0, 0), (-3, 1), (2, -2), (9, 9)] {
                let run = plane.runs_around(Point { x, y }, &[Run { y: dy, left: dx, count: 3 }]);
                assert_eq!(run.len(), 3);
                for (beyond, found) in run.into_iter().enumerate() {
                    let wanted = plane.sample(x + dx as f32 + beyond as f32, y + dy as f32);
                    assert!((found - wanted).abs() < 1e-3, "{x} {y} {dx} {dy} {beyond}");
                }
            }
        }
    }
}
