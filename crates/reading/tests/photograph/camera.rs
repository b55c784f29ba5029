//! A photograph of a sheet of paper on a table.

use std::f32::consts::{PI, TAU};
use std::fmt;
use std::ops::RangeInclusive;

use image::{Rgb, RgbImage};
use imageproc::filter::gaussian_blur_f32;
use imageproc::geometric_transformations::Projection;

use super::dice::Dice;
use super::sensor::{add_noise, packed, sampled};

/// The width and height of a sheet in units.
const PAGE: (f32, f32) = (1_050.0, 1_485.0);
/// The steepest view, in degrees from straight above.
const STEEPEST: f32 = 20.0;

/// Where the camera is, how the sheet lies, and what the light is like.
pub(super) struct Camera {
    height: f32,
    tilt: f32,
    /// The direction in which the sheet is tilted, in radians.
    towards: f32,
    /// The distance from the sheet, in its heights.
    apart: f32,
    /// By how many degrees the sheet is turned.
    turned: f32,
    sharpness: f32,
    quality: u8,
    light: Light,
    /// How far the paper bends, in units.
    bend: (f32, f32, f32),
    is_scan: bool,
}

struct Light {
    paper: [f32; 3],
    /// The change of brightness across and down the picture, and towards its corners.
    slope: (f32, f32, f32),
    /// A shadow's edge: direction, place, width as shares of the picture, and the share of light that is left.
    shadow: Option<(f32, f32, f32, f32)>,
    black: f32,
    noise: f32,
}

impl Light {
    fn new(is_scan: bool, dice: &mut Dice) -> Light {
        let paper = if is_scan { dice.between(235.0, 252.0) } else { dice.between(135.0, 245.0) };
        let tint = if is_scan { 2.0 } else { 14.0 };
        let shadow = (!is_scan && dice.happens(50)).then(|| {
            let width = dice.between(0.004, 0.08);
            (dice.between(0.0, TAU), dice.between(-0.3, 0.3), width, dice.between(0.5, 0.85))
        });
        let slope = if is_scan { 0.02 } else { 0.22 };
        Light {
            paper: [0, 1, 2].map(|_| paper + dice.about(tint)),
            slope: (dice.about(slope), dice.about(slope), dice.between(0.0, slope)),
            shadow,
            black: dice.between(0.05, 0.22),
            noise: if is_scan { dice.between(0.5, 2.0) } else { dice.between(1.5, 6.0) },
        }
    }

    /// The share of light at a point of the picture, whose middle is zero and whose longer side is one.
    fn at(&self, x: f32, y: f32) -> f32 {
        let (across, down, corners) = self.slope;
        let even = 1.0 + across * x + down * y - corners * (x * x + y * y);
        let Some((angle, place, width, left)) = self.shadow else { return even };
        // Not quite straight, as an arm's is.
        let far = x * angle.cos() + y * angle.sin() - place
            + 0.03 * (9.0 * (x * angle.sin() - y * angle.cos())).sin();
        let part = (far / width + 0.5).clamp(0.0, 1.0);
        even * (left + (1.0 - left) * part * part * (3.0 - 2.0 * part))
    }
}

impl fmt::Display for Camera {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_scan { "scan" } else { "photo" };
        let (height, tilt, turned, quality) =
            (self.height, self.tilt.to_degrees(), self.turned, self.quality);
        let (light, blur, shadow) =
            (self.light.paper[1], self.sharpness, self.light.shadow.map_or(1.0, |it| it.3));
        write!(f, "{kind} of height {height:.0}, tilted {tilt:.0}, turned {turned:.0}, blurred {blur:.1}, ")?;
        write!(f, "light {light:.0}, shadow {shadow:.2}, noise {:.1}, JPEG {quality}", self.light.noise)
    }
}

impl Camera {
    pub(super) fn new(heights: RangeInclusive<f32>, dice: &mut Dice) -> Camera {
        let is_scan = dice.happens(12);
        let height = dice.between(heights.start().ln(), heights.end().ln()).exp();
        let most = if is_scan { 2.5 } else { 9.0 };
        Camera {
            height,
            tilt: if is_scan { 0.0 } else { dice.between(0.0, STEEPEST).to_radians() },
            towards: dice.between(0.0, TAU),
            apart: dice.between(1.2, 2.5),
            turned: 90.0 * dice.below(4) as f32 + dice.about(most),
            sharpness: dice.between(0.3, 1.0) * (0.4 + height / 1_800.0),
            quality: 60 + dice.below(36) as u8,
            light: Light::new(is_scan, dice),
            bend: (
                if is_scan { 0.0 } else { dice.between(0.0, 3.5) },
                dice.between(0.3, 0.8),
                dice.between(0.0, TAU),
            ),
            is_scan,
        }
    }

    /// Pixels per unit of the sheet.
    pub(super) fn scale(&self) -> f32 {
        (self.height / PAGE.1).max(0.6)
    }

    /// Where a point of the sheet is in the picture, from its middle.
    fn place(&self, (x, y): (f32, f32)) -> (f32, f32) {
        let (x, y) = ((x - PAGE.0 / 2.0) / PAGE.1, y / PAGE.1 - 0.5);
        let ((sin, cos), (lean, upright)) = (self.towards.sin_cos(), self.tilt.sin_cos());
        // Rodrigues' rotation about an axis in the plane, and a projection.
        let along = (cos * x + sin * y) * (1.0 - upright);
        let (a, b, c) = (x * upright + cos * along, y * upright + sin * along, (cos * y - sin * x) * lean);
        let far = 1.0 + c / self.apart;
        let (sin, cos) = self.turned.to_radians().sin_cos();
        let (a, b) = (a / far * self.height, b / far * self.height);
        (a * cos - b * sin, a * sin + b * cos)
    }

    /// Photographs a sheet.
    pub(super) fn photograph(&self, sheet: &RgbImage, dice: &mut Dice) -> RgbImage {
        let corners = [(0.0, 0.0), (PAGE.0, 0.0), PAGE, (0.0, PAGE.1)];
        let places = corners.map(|corner| self.place(corner));
        let edge = |part: fn(&(f32, f32)) -> f32, pick: fn(f32, f32) -> f32| {
            places.iter().map(part).reduce(pick).expect("four corners")
        };
        let mut margin =
            || self.height * if self.is_scan { dice.between(0.0, 0.01) } else { dice.between(0.01, 0.2) };
        let (left, top) = (edge(|it| it.0, f32::min) - margin(), edge(|it| it.1, f32::min) - margin());
        let (right, bottom) = (edge(|it| it.0, f32::max) + margin(), edge(|it| it.1, f32::max) + margin());
        let (width, height) = ((right - left) as u32, (bottom - top) as u32);
        let back = Projection::from_control_points(places.map(|(x, y)| (x - left, y - top)), corners);
        let back = back.expect("a projection");
        let table = Table::new(self.is_scan, (width as f32, height as f32), dice);
        let longest = width.max(height) as f32;
        let raw = RgbImage::from_fn(width, height, |x, y| {
            let at = (x as f32 + 0.5, y as f32 + 0.5);
            let (u, v) = back * at;
            let colour = self.colour(sheet, (u, v)).unwrap_or_else(|| table.colour(at, (u, v)));
            let light =
                self.light.at((at.0 - width as f32 / 2.0) / longest, (at.1 - height as f32 / 2.0) / longest);
            Rgb(std::array::from_fn(|n| (colour[n] * light * self.light.paper[n]).clamp(0.0, 255.0) as u8))
        });
        let mut image = gaussian_blur_f32(&raw, self.sharpness);
        add_noise(&mut image, self.light.noise);
        packed(&image, self.quality)
    }

    /// The share of light that a point of the sheet reflects; `None` outside it.
    fn colour(&self, sheet: &RgbImage, (u, v): (f32, f32)) -> Option<[f32; 3]> {
        if !(0.0..PAGE.0).contains(&u) || !(0.0..PAGE.1).contains(&v) {
            return None;
        }
        let (most, pace, begin) = self.bend;
        let u = u + most * (begin + pace * TAU * v / PAGE.1).sin();
        let v = v + most * (2.0 * begin + pace * TAU * u / PAGE.0).sin();
        let scale = sheet.width() as f32 / PAGE.0;
        let colour = sampled(sheet, (u * scale, v * scale));
        Some(colour.map(|value| self.light.black + (1.0 - self.light.black) * (value / 255.0)))
    }
}

/// What is around the sheet.
struct Table {
    colour: [f32; 3],
    /// The strength and direction of the wood's grain.
    grain: (f32, f32),
    /// Squares and discs on it: place, half the width, brightness.
    things: Vec<((f32, f32), f32, f32, bool)>,
}

impl Table {
    fn new(is_scan: bool, (width, height): (f32, f32), dice: &mut Dice) -> Table {
        if is_scan {
            return Table { colour: [dice.between(0.9, 1.0); 3], grain: (0.0, 0.0), things: Vec::new() };
        }
        let brightness = dice.between(0.08, 0.9);
        let mut thing = || {
            let at = (dice.between(0.0, width), dice.between(0.0, height));
            (at, dice.between(0.004, 0.05) * height, dice.between(0.02, 1.0), dice.happens(50))
        };
        let things = (0..6).map(|_| thing()).collect();
        let tint = [dice.between(0.9, 1.1), 1.0, dice.between(0.6, 1.0)];
        let grain = (dice.between(0.0, 0.25), dice.between(0.0, PI));
        Table { colour: tint.map(|part| part * brightness), grain, things }
    }

    /// The share of light that the table reflects at a point of the picture, and of the sheet's plane.
    fn colour(&self, (x, y): (f32, f32), (u, v): (f32, f32)) -> [f32; 3] {
        let on = self.things.iter().find(|((a, b), half, _, is_square)| {
            let (a, b) = (x - a, y - b);
            if *is_square { a.abs().max(b.abs()) < *half } else { a.hypot(b) < *half }
        });
        if let Some((_, _, brightness, _)) = on {
            return [*brightness; 3];
        }
        let (strength, angle) = self.grain;
        let across = u * angle.cos() + v * angle.sin();
        let along = v * angle.cos() - u * angle.sin();
        let wave =
            (across / 9.0 + 3.0 * (along / 310.0).sin()).sin() + 0.5 * (across / 3.1 + along / 90.0).sin();
        // The sheet throws a narrow shadow.
        let off = (-u).max(u - PAGE.0).max(-v).max(v - PAGE.1).max(0.0);
        let shade = 1.0 - 0.3 * (-off / 5.0).exp();
        self.colour.map(|part| part * (1.0 + strength * wave / 1.5) * shade)
    }
}
