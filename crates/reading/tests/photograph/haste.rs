//! People in a hurry, in pens of all kinds: outlines through a few points that they miss, ends that don't meet, hooks where the
//! pen is lifted, a cross of a long stroke and a short one. No threshold of the reader was fitted to these.

use std::f32::consts::{FRAC_PI_4, TAU};

use rookery_core::scene::{Point, pt};

use super::dice::Dice;
use super::hand::{Paper, Pen};

/// The points of a curve between two of those that it goes through.
const BETWEEN: usize = 12;

/// A person in a hurry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hasty {
    pub(super) pen: Pen,
    /// Half the width of the marks, as a share of the cell's side, and how much higher than wide they are.
    size: f32,
    tall: f32,
    /// How far off the points are, as a share of half a mark's width.
    off: f32,
    /// The share of a circle that is left open, at most, or drawn twice.
    gap: f32,
    /// How much shorter than the first stroke of a cross the second may be, and how far both lean from the diagonals, in
    /// radians.
    short: f32,
    lean: f32,
}

impl Hasty {
    pub(super) fn new(dice: &mut Dice) -> Hasty {
        Hasty {
            pen: pen(dice),
            size: dice.between(0.28, 0.42),
            tall: dice.between(0.85, 1.15),
            off: dice.between(0.02, 0.09),
            gap: dice.between(0.02, 0.13),
            short: dice.between(0.0, 0.4),
            lean: dice.about(0.25),
        }
    }

    /// A side's mark around a number: a square for the first, a circle for the second.
    pub(super) fn mark(&self, paper: &mut Paper, seat: usize, at: Point, cell: f32, dice: &mut Dice) {
        let half = self.size * cell * dice.between(0.9, 1.1);
        let at = pt(at.x + dice.about(0.05) * cell, at.y + dice.about(0.05) * cell);
        let points = if seat == 0 { self.square(at, half, dice) } else { self.circle(at, half, dice) };
        self.stroke(paper, &points, dice);
    }

    /// A curve through eight points around the middle, which begins near the top and ends before or after its beginning.
    fn circle(&self, at: Point, half: f32, dice: &mut Dice) -> Vec<Point> {
        let begin = -TAU / 4.0 + dice.about(0.9);
        let sweep = TAU * (1.0 + dice.about(self.gap));
        let turn = if dice.happens(15) { 1.0 } else { -1.0 };
        let through: Vec<Point> = (0..9)
            .map(|n| {
                let angle = begin + turn * sweep * n as f32 / 8.0;
                let radius = half * (1.0 + dice.about(self.off));
                pt(at.x + radius * angle.cos(), at.y + self.tall * radius * angle.sin())
            })
            .collect();
        let mut points = smooth(&through);
        if dice.happens(35) {
            self.hook(&mut points, half, dice);
        }
        points
    }

    /// Four sides in one go from the upper left, whose corners are sharp or hardly rounded.
    fn square(&self, at: Point, half: f32, dice: &mut Dice) -> Vec<Point> {
        let order = if dice.happens(50) { [0, 1, 2, 3, 0] } else { [0, 3, 2, 1, 0] };
        let side = half * 0.92;
        let corners = order.map(|n| {
            let (x, y) = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)][n];
            let [a, b] = [0, 1].map(|_| 1.3 * dice.about(self.off) * half);
            pt(at.x + x * side + a, at.y + self.tall * y * side + b)
        });
        let mut points = Vec::new();
        for pair in corners.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let bow = dice.about(0.06);
            points.extend((0..BETWEEN).map(|n| {
                let part = n as f32 / BETWEEN as f32;
                let aside = bow * 4.0 * part * (1.0 - part);
                let (x, y) = (to.x - from.x, to.y - from.y);
                pt(from.x + x * part - y * aside, from.y + y * part + x * aside)
            }));
        }
        points.push(corners[4]);
        if dice.happens(25) {
            self.hook(&mut points, half, dice);
        }
        points
    }

    /// Leads the end of a stroke on to where the pen is lifted.
    fn hook(&self, points: &mut Vec<Point>, half: f32, dice: &mut Dice) {
        if let [.., before, last] = points[..] {
            let angle = (last.y - before.y).atan2(last.x - before.x) + dice.about(1.2);
            let far = half * dice.between(0.08, 0.25);
            points.push(pt(last.x + far * angle.cos(), last.y + far * angle.sin()));
        }
    }

    /// A long stroke and a shorter one over a cell, which don't meet in its middle.
    pub(super) fn cross(&self, paper: &mut Paper, at: Point, cell: f32, dice: &mut Dice) {
        let at = pt(at.x + dice.about(0.09) * cell, at.y + dice.about(0.09) * cell);
        let long = cell * dice.between(0.42, 0.62);
        let reaches = [long, long * (1.0 - dice.between(0.0, self.short))];
        for (reach, diagonal) in reaches.into_iter().zip([FRAC_PI_4, 3.0 * FRAC_PI_4]) {
            let angle = diagonal + self.lean + dice.about(0.22);
            let middle = pt(at.x + dice.about(0.1) * cell, at.y + dice.about(0.1) * cell);
            let bow = dice.about(0.12) * reach;
            let through = [-1.0_f32, -0.4, 0.4, 1.0].map(|part| {
                let aside = bow * (1.0 - part * part);
                let (along, aside) = (reach * part, aside);
                let (sin, cos) = angle.sin_cos();
                pt(middle.x + along * cos - aside * sin, middle.y + along * sin + aside * cos)
            });
            let mut points = smooth(&through);
            if dice.happens(20) {
                self.hook(&mut points, reach, dice);
            }
            self.stroke(paper, &points, dice);
        }
    }

    /// A stroke that is pressed hard where the pen is put down, and fades where it is lifted.
    fn stroke(&self, paper: &mut Paper, points: &[Point], dice: &mut Dice) {
        let fade = dice.between(0.0, 0.35);
        let least = dice.between(0.5, 0.8);
        let pressure = |n: usize| {
            let part = n as f32 / points.len() as f32;
            (1.0 - fade * part).max(least)
        };
        let pressed: Vec<(Point, f32)> =
            points.iter().enumerate().map(|(n, point)| (*point, pressure(n))).collect();
        paper.draw(&pressed, &self.pen);
    }

    /// A line of points, crossed out, with one of them underlined.
    pub(super) fn score(&self, paper: &mut Paper, at: Point, dice: &mut Dice) {
        for n in 0..dice.below(6) {
            let left = pt(at.x + 52.0 * n as f32, at.y + dice.about(10.0));
            let through = [0, 1, 2, 3].map(|_| pt(left.x + dice.about(18.0), left.y + dice.about(24.0)));
            self.stroke(paper, &smooth(&through), dice);
        }
    }
}

/// A thin ballpoint, a thick felt pen or a hard pencil, in any colour that is sold.
fn pen(dice: &mut Dice) -> Pen {
    const COLOURS: [(&str, [f32; 3]); 4] = [
        ("blue", [30.0, 55.0, 150.0]),
        ("red", [185.0, 35.0, 40.0]),
        ("black", [30.0, 30.0, 34.0]),
        ("green", [20.0, 110.0, 60.0]),
    ];
    let (_, ink) = COLOURS[dice.below(COLOURS.len())];
    let colour = ink.map(|part| part + dice.about(15.0));
    match dice.below(10) {
        0..5 => Pen {
            name: "thin ballpoint",
            colour,
            cover: dice.between(0.7, 0.92),
            grain: dice.between(0.05, 0.3),
            width: dice.between(1.6, 2.6),
        },
        5..8 => Pen {
            name: "thick felt pen",
            colour,
            cover: dice.between(0.85, 0.97),
            grain: 0.03,
            width: dice.between(5.5, 9.0),
        },
        _ => Pen {
            name: "hard pencil",
            colour: [dice.between(70.0, 105.0); 3],
            cover: dice.between(0.5, 0.8),
            grain: dice.between(0.2, 0.5),
            width: dice.between(1.8, 3.0),
        },
    }
}

/// A Catmull-Rom curve through some points.
fn smooth(through: &[Point]) -> Vec<Point> {
    let at = |n: isize| through[n.clamp(0, through.len() as isize - 1) as usize];
    let mut points = Vec::new();
    for n in 0..through.len() as isize - 1 {
        let [a, b, c, d] = [at(n - 1), at(n), at(n + 1), at(n + 2)];
        let between = |part: f32, [a, b, c, d]: [f32; 4]| {
            let (square, cube) = (part * part, part * part * part);
            0.5 * (2.0 * b
                + (c - a) * part
                + (2.0 * a - 5.0 * b + 4.0 * c - d) * square
                + (3.0 * b - a - 3.0 * c + d) * cube)
        };
        points.extend((0..BETWEEN).map(|step| {
            let part = step as f32 / BETWEEN as f32;
            pt(between(part, [a.x, b.x, c.x, d.x]), between(part, [a.y, b.y, c.y, d.y]))
        }));
    }
    points.extend(through.last());
    points
}
