//! The pieces: a queen's crown, or a crown on a disc in high-contrast themes.
//!
//! Drawn in a box of 100 by 100, after the sample boards of this project.

use rookery_core::scene::{Paint, Point, Shape, ink, pt, tint};

use super::rules::Side;

const BODY: &str =
    "M22 72 L9 35 L29.5 50 L31 21 L45.5 46 L50 16 L54.5 46 L69 21 L70.5 50 L91 35 L78 72 Q50 63.5 22 72Z";
const BASE: &str = "M22 72 Q50 63.5 78 72 L81 86 Q50 95 19 86Z";
const BALLS: [(f32, f32, f32); 5] =
    [(9.0, 31.0, 6.8), (30.5, 18.0, 6.8), (50.0, 12.5, 7.4), (69.5, 18.0, 6.8), (91.0, 31.0, 6.8)];

/// The placement of the box of 100 by 100: its scale, and the point of it that is at (0, `drop`).
#[derive(Clone, Copy)]
pub(super) struct Frame {
    scale: f32,
    middle: (f32, f32),
    drop: f32,
}

impl Frame {
    /// The frame of a queen; `unit` as in `Grid::unit`.
    pub(super) fn queen(unit: f32, large: bool) -> Frame {
        Frame { scale: unit * if large { 0.92 } else { 0.84 }, middle: (50.0, 51.5), drop: 0.0 }
    }

    /// Maps a point of the box to board units.
    pub(super) fn point(&self, x: f32, y: f32) -> Point {
        pt((x - self.middle.0) * self.scale, (y - self.middle.1) * self.scale + self.drop)
    }

    fn path(&self, d: &'static str) -> Shape {
        Shape::path(d, self.point(0.0, 0.0), self.scale, 0.0)
    }

    /// The crown with its balls, every part filled and outlined the same way.
    fn crown(&self, fill: Paint, line: Paint, width: f32) -> Vec<Shape> {
        let ball = |(x, y, r): (f32, f32, f32)| Shape::circle(self.point(x, y), r * self.scale);
        let parts = [self.path(BODY), self.path(BASE)].into_iter().chain(BALLS.map(ball));
        parts.map(|part| part.fill(fill).stroke(line, width * self.scale)).collect()
    }

    fn stroke(&self, d: &'static str, paint: Paint, width: f32) -> Shape {
        self.path(d).stroke(paint, width * self.scale)
    }
}

/// A queen around the centre of a cell; `unit` as in `Grid::unit`.
pub(super) fn queen(side: Side, unit: f32, large: bool) -> Vec<Shape> {
    let (frame, bold) = (Frame::queen(unit, large), if large { 1.25 } else { 1.0 });
    match side {
        Side::White => white_queen(frame, bold),
        Side::Black => black_queen(frame, bold),
    }
}

fn white_queen(frame: Frame, bold: f32) -> Vec<Shape> {
    let line = ink("white-line");
    let mut art = frame.crown(ink("white-fill"), line, 5.4 * bold);
    art.push(frame.stroke("M24.5 77.5 Q50 69.5 75.5 77.5", line, 4.0 * bold));
    art
}

/// A light halo below it separates a black queen from dark squares and blocks.
fn black_queen(frame: Frame, bold: f32) -> Vec<Shape> {
    let (fill, halo) = (ink("black-fill"), ink("black-line"));
    let mut art = frame.crown(halo, halo, 8.6 * bold);
    art.extend(frame.crown(fill, fill, 3.0));
    art.push(frame.stroke("M24 73.5 Q50 65 76 73.5 M22.5 82 Q50 90.5 77.5 82", halo, 3.4 * bold));
    art
}

/// A disc with a crown on it in the colour of its outline, around the centre of a cell.
pub(super) fn token(side: Side, unit: f32, large: bool) -> Vec<Shape> {
    let (mut art, frame, [fill, line]) = disc(side, unit, large);
    art.extend(frame.crown(line, line, 4.0));
    art.push(frame.stroke("M22 76 Q50 67.5 78 76", fill, 5.0));
    art
}

/// The same with a crown in the colour of the disc. Where the sides are white and black, a crown in the other colour
/// would name the wrong one.
pub(super) fn token_of_one_colour(side: Side, unit: f32, large: bool) -> Vec<Shape> {
    let (mut art, frame, [fill, line]) = disc(side, unit, large);
    art.extend(frame.crown(line, line, 10.0));
    art.extend(frame.crown(fill, fill, 1.0));
    art.push(frame.stroke("M22 76 Q50 67.5 78 76", line, 5.0));
    art
}

/// A disc, the frame of the crown on it, and their colours: fill and line.
fn disc(side: Side, unit: f32, large: bool) -> (Vec<Shape>, Frame, [Paint; 2]) {
    let scale = unit * if large { 0.98 } else { 0.9 };
    let (fill, line) = match side {
        Side::White => (ink("white-fill"), ink("white-line")),
        Side::Black => (ink("black-fill"), ink("black-line")),
    };
    let frame = Frame { scale: scale * 0.58, middle: (50.0, 50.0), drop: -scale };
    let art = vec![
        Shape::circle(pt(0.0, 3.0 * scale), 45.0 * scale).fill(tint("white-line", 0.22)),
        Shape::circle(pt(0.0, 0.0), 44.0 * scale).fill(fill).stroke(line, 4.5 * scale),
    ];
    (art, frame, [fill, line])
}
