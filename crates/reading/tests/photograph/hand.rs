//! What people draw by hand: strokes that tremble, circles that don't close, squares whose sides miss each other.

use std::f32::consts::{FRAC_PI_4, TAU};

use image::{Rgb, RgbImage};
use rookery_core::scene::{Point, pt};

use super::dice::{Dice, noise};

/// A pen or pencil.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    pub(super) name: &'static str,
    pub(super) colour: [f32; 3],
    /// How much of the paper it covers, 0 to 1, and how much of that the paper's grain takes away.
    pub(super) cover: f32,
    pub(super) grain: f32,
    /// The width of a stroke in units; 5 are a millimetre.
    pub(super) width: f32,
}

impl Pen {
    fn new(dice: &mut Dice) -> Pen {
        match dice.below(10) {
            0..4 => Pen {
                name: "pencil",
                colour: [dice.between(45.0, 85.0); 3],
                cover: dice.between(0.45, 0.85),
                grain: dice.between(0.2, 0.6),
                width: dice.between(2.2, 4.8),
            },
            4..7 => Pen {
                name: "blue pen",
                colour: [dice.between(20.0, 60.0), dice.between(40.0, 80.0), dice.between(110.0, 190.0)],
                cover: dice.between(0.75, 0.95),
                grain: dice.between(0.0, 0.2),
                width: dice.between(2.0, 4.2),
            },
            7..9 => Pen {
                name: "black pen",
                colour: [dice.between(15.0, 50.0); 3],
                cover: dice.between(0.8, 0.97),
                grain: dice.between(0.0, 0.2),
                width: dice.between(2.0, 4.5),
            },
            _ => Pen {
                name: "felt pen",
                colour: [dice.between(10.0, 170.0), 20.0, dice.between(10.0, 60.0)],
                cover: 0.92,
                grain: 0.05,
                width: dice.between(4.5, 7.5),
            },
        }
    }
}

/// A person's way of drawing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hand {
    pub(super) pen: Pen,
    /// How irregular the marks are, 0.5 to 1.7.
    care: f32,
    /// How large the marks are, as a share of the cell's side from its middle.
    size: f32,
    square: SquareStyle,
    /// Whether both strokes of a cross are drawn in one go.
    joins: bool,
}

#[derive(Clone, Copy, Debug)]
enum SquareStyle {
    InOneGo,
    FourStrokes,
    TwoCorners,
}

/// A sheet that is drawn on.
pub(super) struct Paper {
    image: RgbImage,
    /// Pixels per unit.
    scale: f32,
    /// How much of each pixel the present stroke covers, and the pixels that it touches.
    covered: Vec<f32>,
    touched: Vec<(u32, u32)>,
}

impl Paper {
    pub(super) fn new(image: RgbImage, scale: f32) -> Paper {
        let covered = vec![0.0; (image.width() * image.height()) as usize];
        Paper { image, scale, covered, touched: Vec::new() }
    }

    pub(super) fn finished(self) -> RgbImage {
        self.image
    }

    /// Draws a stroke along points in units, with a pressure for each.
    pub(super) fn draw(&mut self, points: &[(Point, f32)], pen: &Pen) {
        for pair in points.windows(2) {
            let [(a, from), (b, to)] = [pair[0], pair[1]];
            let steps = ((b.x - a.x).hypot(b.y - a.y) * self.scale / 0.6).ceil().max(1.0) as usize;
            for step in 0..steps {
                let part = step as f32 / steps as f32;
                let at = pt(a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part);
                self.dab(at, from + (to - from) * part, pen);
            }
        }
        // A stroke that crosses itself is no darker there.
        for (x, y) in std::mem::take(&mut self.touched) {
            let cover = std::mem::take(&mut self.covered[(y * self.image.width() + x) as usize]);
            let grain = 1.0 - pen.grain * noise(x, y, 7).abs().min(1.5);
            let share = (cover * grain).clamp(0.0, 1.0);
            let Rgb(pixel) = self.image.get_pixel_mut(x, y);
            for (value, colour) in pixel.iter_mut().zip(pen.colour) {
                *value = (f32::from(*value) * (1.0 - share) + colour.min(f32::from(*value)) * share) as u8;
            }
        }
    }

    fn dab(&mut self, at: Point, pressure: f32, pen: &Pen) {
        let (x, y) = (at.x * self.scale, at.y * self.scale);
        let radius = pen.width * self.scale / 2.0 * (0.75 + 0.25 * pressure);
        let range = |at: f32, most: u32| {
            (at - radius - 1.0).max(0.0) as u32..((at + radius + 2.0).max(0.0) as u32).min(most)
        };
        for row in range(y, self.image.height()) {
            for column in range(x, self.image.width()) {
                let apart = (column as f32 + 0.5 - x).hypot(row as f32 + 0.5 - y);
                let cover = (radius + 0.5 - apart).clamp(0.0, 1.0) * pen.cover * pressure;
                let before = &mut self.covered[(row * self.image.width() + column) as usize];
                if cover > *before {
                    if *before == 0.0 {
                        self.touched.push((column, row));
                    }
                    *before = cover;
                }
            }
        }
    }
}

/// A slow, irregular change around zero.
struct Wobble([(f32, f32, f32); 4]);

impl Wobble {
    fn new(most: f32, dice: &mut Dice) -> Wobble {
        Wobble(
            [1.0_f32, 2.3, 4.1, 9.7]
                .map(|pace| (dice.about(most) / pace.sqrt(), pace, dice.between(0.0, TAU))),
        )
    }

    /// The value at a part of a stroke, 0 to 1.
    fn at(&self, part: f32) -> f32 {
        self.0.iter().map(|(most, pace, begin)| most * (begin + pace * part * TAU).sin()).sum()
    }
}

impl Hand {
    pub(super) fn new(dice: &mut Dice) -> Hand {
        Hand {
            pen: Pen::new(dice),
            care: dice.between(0.5, 1.7),
            size: dice.between(0.29, 0.42),
            square: [SquareStyle::InOneGo, SquareStyle::FourStrokes, SquareStyle::TwoCorners][dice.below(3)],
            joins: dice.happens(15),
        }
    }

    /// A stroke through some points, which trembles and is lighter towards its ends.
    fn stroke(&self, paper: &mut Paper, points: &[Point], unit: f32, dice: &mut Dice) {
        let (across, down) =
            (Wobble::new(0.02 * unit * self.care, dice), Wobble::new(0.02 * unit * self.care, dice));
        let press = Wobble::new(0.25, dice);
        let count = points.len() as f32 - 1.0;
        let moved = points.iter().enumerate().map(|(n, point)| {
            let part = n as f32 / count;
            let end = (part.min(1.0 - part) * 12.0).min(1.0);
            let at = pt(point.x + across.at(part), point.y + down.at(part));
            (at, ((0.85 + press.at(part)) * (0.6 + 0.4 * end)).clamp(0.35, 1.0))
        });
        let moved: Vec<(Point, f32)> = moved.collect();
        paper.draw(&moved, &self.pen);
    }

    /// A side's mark around a number: a square for the first, a circle for the second.
    pub(super) fn mark(&self, paper: &mut Paper, seat: usize, at: Point, cell: f32, dice: &mut Dice) {
        let radius = cell * self.size * (1.0 + dice.about(0.12));
        let at = pt(at.x + dice.about(0.06) * cell, at.y + dice.about(0.06) * cell);
        if seat == 0 {
            self.square(paper, at, radius * 0.93, dice)
        } else {
            self.circle(paper, at, radius, dice)
        }
    }

    fn circle(&self, paper: &mut Paper, at: Point, radius: f32, dice: &mut Dice) {
        let begin = dice.between(-3.2, 0.8);
        // Some go around twice.
        let rounds = if dice.happens(4) { 2.0 } else { 1.0 };
        let sweep = TAU * (rounds + dice.about(0.16)) * if dice.happens(75) { -1.0 } else { 1.0 };
        // Flattened, egg-shaped, with dents; and a spiral, as the end seldom meets the beginning.
        let most = [0.13, 0.05, 0.03, 0.02].map(|most| most * self.care);
        let harmonics = most.map(|most| (dice.between(-most, most), dice.between(0.0, TAU)));
        let drift = dice.about(0.16) * self.care;
        let point = |n: usize| {
            let part = n as f32 / 90.0;
            let angle = begin + sweep * part;
            let waves = harmonics.iter().enumerate();
            let dents: f32 =
                waves.map(|(k, (most, phase))| most * ((k + 2) as f32 * angle + phase).sin()).sum();
            let radius = radius * (1.0 + dents + drift * (part - 0.5));
            pt(at.x + radius * angle.cos(), at.y + radius * angle.sin())
        };
        let points: Vec<Point> = (0..=90).map(point).collect();
        self.stroke(paper, &points, radius, dice);
    }

    fn square(&self, paper: &mut Paper, at: Point, half: f32, dice: &mut Dice) {
        let (sin, cos) = (dice.about(0.13) * self.care).sin_cos();
        let stretch = 1.0 + dice.about(0.2) * self.care;
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| {
            let (x, y) = (x * half * stretch, y * half / stretch);
            let [a, b] = [0, 1].map(|_| dice.about(0.12) * half * self.care);
            pt(at.x + x * cos - y * sin + a, at.y + x * sin + y * cos + b)
        });
        let first = dice.below(4);
        let corner = |n: usize| corners[(first + n) % 4];
        match self.square {
            SquareStyle::FourStrokes => {
                for n in 0..4 {
                    let line = self.line(corner(n), corner(n + 1), dice.between(-0.07, 0.16), dice);
                    self.stroke(paper, &line, half, dice);
                }
            }
            SquareStyle::TwoCorners => {
                for n in [0, 2] {
                    let over = dice.between(-0.05, 0.1);
                    let [a, b] = [0, 1].map(|k| self.line(corner(n + k), corner(n + k + 1), over, dice));
                    self.stroke(paper, &rounded(&[a, b].concat(), dice.below(4)), half, dice);
                }
            }
            SquareStyle::InOneGo => {
                let mut all = Vec::new();
                for n in 0..4 {
                    all.extend(self.line(corner(n), corner(n + 1), 0.0, dice));
                }
                // The end misses the beginning.
                let end = dice.between(-0.12, 0.14);
                let cut = (all.len() as f32 * end.min(0.0).abs() / 4.0) as usize;
                all.truncate(all.len() - cut);
                if end > 0.0 {
                    all.push(corner(0).towards(corner(1), 2.0 * half * end));
                }
                self.stroke(paper, &rounded(&all, dice.below(5)), half, dice);
            }
        }
    }

    /// A bent line between two points that goes a share of its length too far at both ends.
    fn line(&self, from: Point, to: Point, over: f32, dice: &mut Dice) -> Vec<Point> {
        let (x, y) = (to.x - from.x, to.y - from.y);
        let bow = dice.about(0.07) * self.care;
        let point = |n: usize| {
            let part = -over + (1.0 + 2.0 * over) * n as f32 / 24.0;
            let aside = bow * 4.0 * part * (1.0 - part);
            pt(from.x + x * part - y * aside, from.y + y * part + x * aside)
        };
        (0..=24).map(point).collect()
    }

    /// Two strokes over a cell.
    pub(super) fn cross(&self, paper: &mut Paper, at: Point, cell: f32, dice: &mut Dice) {
        let at = pt(at.x + dice.about(0.1) * cell, at.y + dice.about(0.1) * cell);
        let mut end = |turn: f32| {
            let angle = turn + dice.about(0.25);
            let reach = cell * dice.between(0.34, 0.62);
            pt(at.x + reach * angle.cos(), at.y + reach * angle.sin())
        };
        let [a, b, c, d] = [-3.0, 1.0, -1.0, 3.0].map(|eighths| end(eighths * FRAC_PI_4));
        let (one, other) = (self.line(a, b, 0.0, dice), self.line(c, d, 0.0, dice));
        if self.joins {
            let mut both = one;
            both.extend(self.line(b, c, 0.0, dice));
            both.extend(other);
            self.stroke(paper, &rounded(&both, 4), cell / 2.0, dice);
            return;
        }
        let times = if dice.happens(10) { 2 } else { 1 };
        for line in [&one, &other] {
            for _ in 0..times {
                self.stroke(paper, line, cell / 2.0, dice);
            }
        }
    }

    /// Some numbers, illegibly, beside each other.
    pub(super) fn score(&self, paper: &mut Paper, at: Point, dice: &mut Dice) {
        for n in 0..dice.below(8) {
            let left = pt(at.x + 46.0 * n as f32, at.y + dice.about(8.0));
            let (across, down) = (Wobble::new(13.0, dice), Wobble::new(20.0, dice));
            let point = |n: usize| {
                let part = n as f32 / 30.0;
                pt(left.x + across.at(part), left.y + down.at(part))
            };
            let points: Vec<Point> = (0..=30).map(point).collect();
            self.stroke(paper, &points, 20.0, dice);
        }
    }
}

/// The points, each replaced by the mean of those up to `reach` before and after it.
fn rounded(points: &[Point], reach: usize) -> Vec<Point> {
    let mean = |n: usize| {
        let near = &points[n.saturating_sub(reach)..(n + reach + 1).min(points.len())];
        let count = near.len() as f32;
        let sum = near.iter().fold((0.0, 0.0), |(x, y), point| (x + point.x, y + point.y));
        pt(sum.0 / count, sum.1 / count)
    };
    (0..points.len()).map(mean).collect()
}
