//! Planes of numbers, and pictures as three of them.

use image::RgbImage;

use crate::palette::Area;

/// A grid of numbers, row by row from the top left. The centre of the first pixel is at (0.5, 0.5).
#[derive(Clone, Debug)]
pub(crate) struct Plane {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) values: Vec<f32>,
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
        let (x, y) = (x - 0.5, y - 0.5);
        let (left, top) = (x.floor(), y.floor());
        let (right, down) = (x - left, y - top);
        let column = |x: f32| (x.max(0.0) as usize).min(self.width - 1);
        let row = |y: f32| (y.max(0.0) as usize).min(self.height - 1);
        let (c0, c1, r0, r1) = (column(left), column(left + 1.0), row(top), row(top + 1.0));
        let upper = self.at(c0, r0) * (1.0 - right) + self.at(c1, r0) * right;
        let lower = self.at(c0, r1) * (1.0 - right) + self.at(c1, r1) * right;
        upper * (1.0 - down) + lower * down
    }

    /// A part of the plane, as far as it is inside.
    pub(crate) fn cut(&self, area: Area) -> Plane {
        let width = area.width.min(self.width - area.left);
        let height = area.height.min(self.height - area.top);
        let lines = (0..height).map(|y| &self.values[(area.top + y) * self.width + area.left..][..width]);
        Plane { width, height, values: lines.flatten().copied().collect() }
    }

    /// The plane with half the width and height: each value is the mean of four.
    fn halved(&self) -> Plane {
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

    /// The mean of the square of pixels up to `radius` away.
    pub(crate) fn blurred(&self, radius: usize) -> Plane {
        let across = box_means(&self.values, self.width, 1, self.width, self.height, radius);
        let values = box_means(&across, self.height, self.width, 1, self.width, radius);
        Plane { values, ..*self }
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

/// Running means along lines of `count` values that are `step` apart; there are `lines` of them, `next` apart.
fn box_means(
    values: &[f32],
    count: usize,
    step: usize,
    next: usize,
    lines: usize,
    radius: usize,
) -> Vec<f32> {
    let mut means = vec![0.0; values.len()];
    for line in 0..lines {
        let at = |n: usize| line * next + n * step;
        let mut sum: f32 = (0..radius.min(count)).map(|n| values[at(n)]).sum();
        for n in 0..count {
            if n + radius < count {
                sum += values[at(n + radius)];
            }
            if n > radius {
                sum -= values[at(n - radius - 1)];
            }
            let held = (n + radius + 1).min(count) - n.saturating_sub(radius);
            means[at(n)] = sum / held as f32;
        }
    }
    means
}

/// A picture as brightness and two differences of colour, as JPEG has them: 0 to 255, and about zero.
#[derive(Clone, Debug)]
pub(crate) struct Colours {
    pub(crate) planes: [Plane; 3],
}

impl Colours {
    pub(crate) fn of(image: &RgbImage) -> Colours {
        let (width, height) = (image.width() as usize, image.height() as usize);
        let mut planes = [0; 3].map(|_| Plane::new(width, height));
        for (n, pixel) in image.pixels().enumerate() {
            let [r, g, b] = pixel.0.map(f32::from);
            let y = 0.299 * r + 0.587 * g + 0.114 * b;
            planes[0].values[n] = y;
            planes[1].values[n] = 0.564 * (b - y);
            planes[2].values[n] = 0.713 * (r - y);
        }
        Colours { planes }
    }

    pub(crate) fn width(&self) -> usize {
        self.planes[0].width
    }

    pub(crate) fn height(&self) -> usize {
        self.planes[0].height
    }

    pub(crate) fn blurred(&self, radius: usize) -> Colours {
        Colours { planes: self.planes.each_ref().map(|plane| plane.blurred(radius)) }
    }
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
            levels.push(Colours { planes: last.planes.each_ref().map(Plane::halved) });
        }
        Pyramid { levels }
    }

    pub(crate) fn full(&self) -> &Colours {
        &self.levels[0]
    }

    /// The level where a pixel is about as large as `scale` pixels of the full picture, and how much smaller it is.
    pub(crate) fn level(&self, scale: f32) -> (&Colours, f32) {
        let n = (scale.max(1.0).log2().round() as usize).min(self.levels.len() - 1);
        let level = &self.levels[n];
        (level, 0.5_f32.powi(n as i32))
    }
}
