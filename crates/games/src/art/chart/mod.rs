//! A line over time: ratings, evaluations.

mod lead_chart;
mod several;

use super::penguin::COLOURS;
use rookery_core::scene::{Anchor, Outline, Point, Rgb, Scene, Shape, Theme, Weight, ink, pt, tint};

pub use lead_chart::{LeadChart, lead_chart};
pub use several::lines;

/// The colours of charts, dark like the chat around them; light letters keep a contrast of 7:1 on the ground. The lines
/// of several players have the colours of the penguin games, but blue and claret are lighter: the original ones would
/// have contrasts of 3.3 and 1.9 on the ground. The colours of all emblems follow, as in the first theme of each game.
pub static THEME: Theme = Theme {
    name: "chart",
    family: "chart",
    sides: &[],
    colours: &[
        ("ground", Rgb::hex(0x16_1B_26)),
        ("grid", Rgb::hex(0x2F_3A_4F)),
        ("letters", Rgb::hex(0xC9_D3_DE)),
        ("line", Rgb::hex(0xFF_C5_3D)),
        ("line-1", Rgb::hex(0xD5_5E_00)),
        ("line-2", Rgb::hex(0x20_99_DF)),
        ("line-3", Rgb::hex(0xF0_E4_42)),
        ("line-4", Rgb::hex(0xD6_85_9D)),
        ("plate", Rgb::hex(0xD5_DD_E8)),
        COLOURS[0],
        COLOURS[1],
        COLOURS[2],
        COLOURS[3],
        COLOURS[4],
        COLOURS[5],
        COLOURS[6],
        COLOURS[7],
        ("white-fill", Rgb::hex(0xFF_F9_EC)),
        ("white-line", Rgb::hex(0x2A_1F_19)),
        ("black-fill", Rgb::hex(0x2A_21_1D)),
        ("black-line", Rgb::hex(0xFF_F4_DE)),
        ("square-fill", Rgb::hex(0xFF_E9_DA)),
        ("square-line", Rgb::hex(0xA0_3F_00)),
        ("circle-fill", Rgb::hex(0xDD_F0_FC)),
        ("circle-line", Rgb::hex(0x00_64_A0)),
        ("a-face", Rgb::hex(0x0B_6E_8A)),
        ("a-ink", Rgb::hex(0xFF_FF_FF)),
        ("a-edge", Rgb::hex(0x06_3F_50)),
        ("b-face", Rgb::hex(0xF2_A0_3D)),
        ("b-ink", Rgb::hex(0x3A_22_00)),
        ("b-edge", Rgb::hex(0x8A_52_08)),
    ],
};

const WIDTH: f32 = 1_050.0;
const HEIGHT: f32 = 600.0;
/// The area of the lines: left, top, right, bottom.
const FIELD: (f32, f32, f32, f32) = (130.0, 56.0, 1_005.0, 520.0);
/// The maximum number of horizontal grid lines, besides the lowest.
const MAX_GRID_LINES: f32 = 6.0;
const LETTERS: f32 = 28.0;
/// The y positions of the labels above and below the field.
const ABOVE: f32 = 20.0;
const BELOW: f32 = 562.0;

/// One point of a chart: position, value and uncertainty (0 if the value is exact).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// The position in any unit; ascending.
    pub x: f64,
    /// The value, in the chart's unit.
    pub y: f64,
    /// Half the height of the uncertainty band.
    pub uncertainty: f64,
}

/// What is written around the field of a chart of a game.
#[derive(Clone, Copy, Debug)]
pub struct Labels<'a> {
    /// Above: what the height means.
    pub height: &'a str,
    /// Below: what the width means, and the labels of both ends.
    pub width: (&'a str, &'a str, &'a str),
}

/// Radius of the last dot of a line.
const DOT: f32 = 13.0;

/// A chart, 1,050 x 600 units: a line with its band, round values labelled on the left, `first` and `last` below the
/// two ends. A single dot is drawn without a line.
pub fn chart(dots: &[Dot], first: &str, last: &str) -> Scene {
    let (mut scene, frame) = ground(dots, FIELD.2, Labels { height: "", width: (first, "", last) });
    if dots.len() > 1 {
        scene.shape(frame.band(dots));
    }
    frame.line(&mut scene, dots, "line");
    if let Some(dot) = dots.last() {
        scene.shape(Shape::circle(frame.at(dot.x, dot.y), DOT).fill(ink("line")));
    }
    scene
}

/// The field up to its right end, with grid, values and labels, but without a line.
fn ground(dots: &[Dot], right: f32, labels: Labels<'_>) -> (Scene, Frame) {
    let mut scene = Scene::new(WIDTH, HEIGHT, &THEME, "ground");
    let frame = Frame::about(dots, right);
    for height in frame.heights() {
        let y = frame.y(height);
        scene.shape(Shape::line(pt(FIELD.0, y), pt(right, y)).stroke(ink("grid"), 6.0));
        scene.shape(label(frame.name(height), pt(FIELD.0 - 16.0, y), Anchor::Right));
    }
    let (first, what, last) = labels.width;
    for (text, x, y, anchor) in [
        (labels.height, FIELD.0, ABOVE, Anchor::Left),
        (first, FIELD.0, BELOW, Anchor::Left),
        (what, (FIELD.0 + right) / 2.0, BELOW, Anchor::Middle),
        (last, right, BELOW, Anchor::Right),
    ] {
        if !text.is_empty() {
            scene.shape(label(text.to_owned(), pt(x, y), anchor));
        }
    }
    (scene, frame)
}

/// Radius of the ring around a turning point, and the distance of its number from the centre.
const RING: f32 = 17.0;
const NUMBER: f32 = 42.0;

/// Draws a turning point: a ring with the number of the turn below or above it, whichever is inside the field.
fn turning_mark(scene: &mut Scene, at: Point, turn: usize, below: bool) {
    scene.shape(Shape::circle(at, RING).stroke(ink("ground"), 14.0));
    scene.shape(Shape::circle(at, RING).fill(ink("ground")).stroke(ink("letters"), 6.0));
    let down = if below { NUMBER } else { -NUMBER };
    let y = if (FIELD.1..FIELD.3).contains(&(at.y + down)) { at.y + down } else { at.y - down };
    let number = || Shape::text(turn.to_string(), pt(at.x, y), LETTERS, Weight::SemiBold);
    // With a margin against the line, which is on both sides at the edges of the field.
    scene.shape(number().fill(ink("ground")).stroke(ink("ground"), 14.0));
    scene.shape(number().fill(ink("letters")));
}

fn label(text: String, at: Point, anchor: Anchor) -> Shape {
    let outline = Outline::Text { text, at, size: LETTERS, weight: Weight::SemiBold, anchor };
    Shape::new(outline).fill(ink("letters"))
}

/// The range of values of the field.
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
    step: f64,
    right: f32,
}

impl Frame {
    fn about(dots: &[Dot], right: f32) -> Frame {
        let span = |low: &dyn Fn(&Dot) -> f64, high: &dyn Fn(&Dot) -> f64| {
            let least = dots.iter().map(low).fold(f64::INFINITY, f64::min);
            let most = dots.iter().map(high).fold(f64::NEG_INFINITY, f64::max);
            if least < most { (least, most) } else { (least.min(1e9) - 1.0, most.max(-1e9) + 1.0) }
        };
        let (low, high) = span(&|dot| dot.y - dot.uncertainty, &|dot| dot.y + dot.uncertainty);
        let step = round_step((high - low) / f64::from(MAX_GRID_LINES));
        let y = ((low / step).floor() * step, (high / step).ceil() * step);
        Frame { x: span(&|dot| dot.x, &|dot| dot.x), y, step, right }
    }

    fn heights(&self) -> impl Iterator<Item = f64> {
        let count = ((self.y.1 - self.y.0) / self.step).round() as u32;
        (0..=count).map(|n| self.y.0 + f64::from(n) * self.step)
    }

    fn name(&self, height: f64) -> String {
        let places = if self.step < 1.0 { 1 } else { 0 };
        let sign = if height < 0.0 { "\u{2212}" } else { "" };
        format!("{sign}{:.places$}", height.abs())
    }

    fn at(&self, x: f64, y: f64) -> Point {
        let share = ((x - self.x.0) / (self.x.1 - self.x.0)) as f32;
        pt(FIELD.0 + share * (self.right - FIELD.0), self.y(y))
    }

    fn y(&self, y: f64) -> f32 {
        let share = ((y - self.y.0) / (self.y.1 - self.y.0)) as f32;
        FIELD.3 - share * (FIELD.3 - FIELD.1)
    }

    fn line(&self, scene: &mut Scene, dots: &[Dot], colour: &'static str) {
        if dots.len() > 1 {
            let points = dots.iter().map(|dot| self.at(dot.x, dot.y)).collect();
            scene.shape(Shape::new(Outline::Lines { points, closed: false }).stroke(ink(colour), 8.0));
        }
    }

    fn band(&self, dots: &[Dot]) -> Shape {
        let above = dots.iter().map(|dot| self.at(dot.x, dot.y + dot.uncertainty));
        let below = dots.iter().rev().map(|dot| self.at(dot.x, dot.y - dot.uncertainty));
        Shape::polygon(above.chain(below).collect()).fill(tint("line", 0.18))
    }
}

/// The next larger number of 1, 2 and 5 times a power of ten, at least 0.1.
fn round_step(rough: f64) -> f64 {
    let power = 10_f64.powf(rough.max(0.1).log10().floor());
    let fits = |factor: &f64| factor * power >= rough;
    [1.0, 2.0, 5.0, 10.0].into_iter().find(fits).unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dot(x: f64, y: f64) -> Dot {
        Dot { x, y, uncertainty: 50.0 }
    }

    #[test]
    fn everything_lies_within_the_field() {
        let dots = [dot(0.0, 1_500.0), dot(5.0, 1_712.0), dot(6.0, 1_390.0)];
        let frame = Frame::about(&dots, FIELD.2);
        for dot in dots {
            for y in [dot.y - dot.uncertainty, dot.y, dot.y + dot.uncertainty] {
                let at = frame.at(dot.x, y);
                assert!((FIELD.0..=FIELD.2).contains(&at.x) && (FIELD.1..=FIELD.3).contains(&at.y), "{at:?}");
            }
        }
        let heights: Vec<_> = frame.heights().collect();
        assert_eq!(heights, [1_300.0, 1_400.0, 1_500.0, 1_600.0, 1_700.0, 1_800.0]);
    }

    #[test]
    fn one_dot_or_equal_ones_are_drawn_too() {
        for dots in [vec![], vec![dot(3.0, 0.0)], vec![Dot { x: 1.0, y: 7.0, uncertainty: 0.0 }; 3]] {
            let scene = chart(&dots, "", "");
            let finite = |point: &Point| point.x.is_finite() && point.y.is_finite();
            for item in &scene.items {
                let rookery_core::scene::Item::Shape(shape) = item else { continue };
                match &shape.outline {
                    Outline::Lines { points, .. } => assert!(points.iter().all(finite), "{dots:?}"),
                    Outline::Circle { centre, .. } => assert!(finite(centre), "{dots:?}"),
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn steps_are_round() {
        for (rough, round) in [(34.0, 50.0), (0.03, 0.1), (1.0, 1.0), (101.0, 200.0), (6.0, 10.0)] {
            assert!((round_step(rough) - round).abs() < 1e-9, "{rough}: {}", round_step(rough));
        }
    }
}
