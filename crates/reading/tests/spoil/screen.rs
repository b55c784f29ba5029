//! Boards on a screen that somebody photographs with a phone.

use std::f32::consts::TAU;

use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};
use imageproc::drawing::draw_filled_rect_mut;
use imageproc::filter::gaussian_blur_f32;
use imageproc::geometric_transformations::Projection;
use imageproc::rect::Rect;

use super::dice::Dice;
use super::sensor::{add_noise, packed, sampled};
use super::{LINE, chat};

/// The sizes of usual screens in pixels: a laptop's and monitors'.
const SCREENS: [(u32, u32); 4] = [(1_366, 768), (1_920, 1_080), (1_920, 1_200), (2_560, 1_440)];
/// How much larger than the screen the part of its plane is at most that a photo shows.
const AROUND: f32 = 1.2;
/// The steepest view, and the most that a camera is rolled, in degrees.
const STEEPEST: f32 = 12.0;
const MAX_ROLL: f32 = 4.0;

/// Photographs a board on a screen; with a description of it all.
pub(super) fn photographed(board: &RgbImage, dice: &mut Dice) -> (RgbImage, String) {
    let frame = Frame::new(dice);
    let screen = Screen::new(board, &frame, dice);
    let camera = Camera::new(&frame, &screen, dice);
    let film = Film::new(dice);
    let width = camera.board_width(&screen);
    let image = camera.photograph(&screen, &film);
    let how = format!(
        "x{:.2}, Screen{} in a photo of {}x{}, board {width:.0} wide of {:.2}, tilted {:.0} and {:.0}, rolled {:.0}, {} JPEG {}",
        width / board.width() as f32,
        if screen.has_chat { " with a chat" } else { "" },
        image.width(),
        image.height(),
        width / image.width() as f32,
        camera.tilt.0.to_degrees(),
        camera.tilt.1.to_degrees(),
        camera.roll.to_degrees(),
        film.description(),
        film.quality
    );
    (image, how)
}

/// The size of a photo, and the part of its width that the board should have.
struct Frame {
    width: f32,
    height: f32,
    share: f32,
}

impl Frame {
    fn new(dice: &mut Dice) -> Frame {
        let width = dice.between(900.0_f32.ln(), 2_400.0_f32.ln()).exp().floor();
        let share = dice.between(0.35, 0.9);
        // People turn the phone so that the board fits.
        let shape = match share {
            ..0.48 => [0.5625, 0.75, 0.75][dice.below(3)],
            ..0.62 => [0.75, 0.75, 1.0][dice.below(3)],
            _ => [4.0 / 3.0, 4.0 / 3.0, 1.1][dice.below(3)],
        };
        Frame { width, height: (width * shape).floor(), share }
    }
}

/// What is on a screen, and around it; all places in pixels of the screen.
struct Screen {
    image: RgbImage,
    /// The left upper corner, width and height of the board.
    board: [f32; 4],
    has_chat: bool,
    /// The width and colour of its border.
    border: (f32, [f32; 3]),
    wall: [f32; 3],
}

impl Screen {
    fn new(board: &RgbImage, frame: &Frame, dice: &mut Dice) -> Screen {
        let (width, height) = SCREENS[dice.below(SCREENS.len())];
        let aspect = board.height() as f32 / board.width() as f32;
        let most = (AROUND * frame.share * width as f32)
            .min(AROUND * frame.share * height as f32 * frame.width / frame.height)
            .min(0.93 * height as f32 / aspect);
        let shown = (most * dice.between(0.7, 1.0)).max(400.0);
        let (w, h) = (shown as u32, (shown * aspect) as u32);
        let shown = imageops::resize(board, w, h, FilterType::Triangle);
        let has_chat = dice.happens(50);
        let (mut image, left, top) = if has_chat {
            let left = dice.below((width - w).min(500) as usize) as u32;
            let top = dice.below((height - h) as usize) as u32;
            let mut image = chat(width, height, dice);
            if dice.happens(70) {
                // Most chats show no text beside a picture.
                let ground = *image.get_pixel(width - 1, 0);
                let (first, last) = (top / LINE * LINE, ((top + h).div_ceil(LINE) * LINE).min(height));
                let rows = Rect::at(0, first as i32).of_size(width, last - first);
                draw_filled_rect_mut(&mut image, rows, ground);
            }
            (image, left, top)
        } else {
            let shade = if dice.happens(70) { 15 + dice.below(50) } else { 215 + dice.below(41) } as u8;
            (RgbImage::from_pixel(width, height, Rgb([shade; 3])), (width - w) / 2, (height - h) / 2)
        };
        imageops::overlay(&mut image, &shown, i64::from(left), i64::from(top));
        let grey = if dice.happens(75) { dice.between(8.0, 40.0) } else { dice.between(130.0, 210.0) };
        let wall = dice.between(25.0, 190.0);
        Screen {
            image,
            board: [left, top, w, h].map(|n| n as f32),
            has_chat,
            border: (dice.between(12.0, 45.0), [grey; 3]),
            wall: [1.0, dice.between(0.85, 1.0), dice.between(0.7, 1.0)].map(|part| part * wall),
        }
    }

    /// The corners of a rectangle, by its left upper one and its size.
    fn corners([left, top, width, height]: [f32; 4]) -> [(f32, f32); 4] {
        [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
    }

    fn size(&self) -> (f32, f32) {
        (self.image.width() as f32, self.image.height() as f32)
    }

    /// How far a point is outside.
    fn outside(&self, (u, v): (f32, f32)) -> f32 {
        let (width, height) = self.size();
        (-u).max(u - width).max(-v).max(v - height)
    }

    /// The colour at a point of the screen or around it, by the screen's image as large as a photo can resolve it, and the number of a photo's
    /// pixels for one of the screen's.
    fn colour(&self, image: &RgbImage, at: (f32, f32), scale: f32) -> [f32; 3] {
        let outside = self.outside(at);
        if outside * scale < -0.5 {
            return Screen::lit(image, at, scale);
        }
        // The edges pass through the middle of a photo's pixels.
        let mixed = |from: [f32; 3], to: [f32; 3], outside: f32| {
            let share = (outside * scale + 0.5).clamp(0.0, 1.0);
            std::array::from_fn(|n| from[n] + (to[n] - from[n]) * share)
        };
        let (width, colour) = self.border;
        let inner = if outside < width / 2.0 { Screen::lit(image, at, scale) } else { colour };
        mixed(mixed(inner, colour, outside), self.wall, outside - width)
    }

    /// The colour at a point of what is shown.
    fn lit(image: &RgbImage, at: (f32, f32), scale: f32) -> [f32; 3] {
        if scale <= 1.0 {
            return sampled(image, (at.0 * scale, at.1 * scale));
        }
        // A pixel of the screen is a square, and the photo shows its edges.
        let squared = |x: f32| {
            let before = (x - 0.5).floor();
            before + ((x - 1.0 - before) * scale + 0.5).clamp(0.0, 1.0) + 0.5
        };
        sampled(image, (squared(at.0), squared(at.1)))
    }
}

/// A pinhole camera; lengths in pixels, of the photo within the camera and of the screen outside.
struct Camera {
    size: (f32, f32),
    focus: f32,
    /// The point of the screen that it is aimed at, and its distance from there.
    aim: (f32, f32),
    apart: f32,
    /// By how much it looks from the side and from above, in radians.
    tilt: (f32, f32),
    roll: f32,
}

impl Camera {
    fn new(frame: &Frame, screen: &Screen, dice: &mut Dice) -> Camera {
        // The lenses of phones, from the usual one to one that magnifies twice.
        let focus = frame.width.max(frame.height) * dice.between(0.72, 1.45);
        let [left, top, width, height] = screen.board;
        let seen = width / frame.share;
        // Most people aim between the board's middle and the screen's.
        let mut towards = |middle: f32, size: f32, board: f32, seen: f32| {
            let room = 0.4 * (seen - board).max(0.0);
            let pull = dice.between(0.0, 1.0) * (size / 2.0 - middle) + dice.about(0.1) * seen;
            middle + pull.clamp(-room, room)
        };
        let (across, down) = screen.size();
        let aim = (
            towards(left + width / 2.0, across, width, seen),
            towards(top + height / 2.0, down, height, seen * frame.height / frame.width),
        );
        let mut angle = |most: f32| dice.between(-most, most).to_radians();
        let mut camera = Camera {
            size: (frame.width, frame.height),
            focus,
            aim,
            apart: focus * seen / frame.width,
            tilt: (angle(STEEPEST), angle(STEEPEST)),
            roll: angle(MAX_ROLL),
        };
        // The whole board is in the photo.
        while !Screen::corners(screen.board).iter().all(|corner| camera.shows(*corner)) {
            camera.apart *= 1.02;
        }
        camera
    }

    /// Where a point of the screen is in the photo.
    fn place(&self, (u, v): (f32, f32)) -> (f32, f32) {
        let (x, y) = (u - self.aim.0, v - self.aim.1);
        let ((sin_a, cos_a), (sin_b, cos_b)) = (self.tilt.0.sin_cos(), self.tilt.1.sin_cos());
        let (x, z) = (x * cos_a, x * sin_a);
        let (y, z) = (y * cos_b - z * sin_b, y * sin_b + z * cos_b);
        let scale = self.focus / (self.apart + z);
        let (sin, cos) = self.roll.sin_cos();
        let (x, y) = ((x * cos - y * sin) * scale, (x * sin + y * cos) * scale);
        (self.size.0 / 2.0 + x, self.size.1 / 2.0 + y)
    }

    fn shows(&self, at: (f32, f32)) -> bool {
        let (x, y) = self.place(at);
        let margin = 0.012 * self.size.0;
        (margin..self.size.0 - margin).contains(&x) && (margin..self.size.1 - margin).contains(&y)
    }

    /// The mean of the widths of the board's upper and lower edge in the photo.
    fn board_width(&self, screen: &Screen) -> f32 {
        let [a, b, c, d] = Screen::corners(screen.board).map(|corner| self.place(corner));
        ((b.0 - a.0).hypot(b.1 - a.1) + (c.0 - d.0).hypot(c.1 - d.1)) / 2.0
    }

    fn photograph(&self, screen: &Screen, film: &Film) -> RgbImage {
        let (across, down) = screen.size();
        let corners = Screen::corners([0.0, 0.0, across, down]);
        let back = Projection::from_control_points(corners.map(|corner| self.place(corner)), corners);
        let back = back.expect("a projection");
        let scale = self.board_width(screen) / screen.board[2];
        // A pixel of the photo catches the light of all pixels of the screen that it covers.
        let smaller = (scale < 1.0).then(|| {
            let size = |n: f32| (n * scale).round() as u32;
            imageops::resize(&screen.image, size(across), size(down), FilterType::Triangle)
        });
        let lit = smaller.as_ref().unwrap_or(&screen.image);
        let on_screen = |x: u32, y: u32| back * (x as f32 + 0.5, y as f32 + 0.5);
        let raw = RgbImage::from_fn(self.size.0 as u32, self.size.1 as u32, |x, y| {
            Rgb(screen.colour(lit, on_screen(x, y), scale).map(|value| value.round() as u8))
        });
        let mut image = gaussian_blur_f32(&raw, film.blur);
        let longest = self.size.0.max(self.size.1);
        for (x, y, pixel) in image.enumerate_pixels_mut() {
            let at = on_screen(x, y);
            let grid = (screen.outside(at) < 0.0).then_some(at);
            let (x, y) = (x as f32 - self.size.0 / 2.0, y as f32 - self.size.1 / 2.0);
            film.expose(&mut pixel.0, (x / longest, y / longest), grid);
        }
        add_noise(&mut image, film.noise);
        packed(&image, film.quality)
    }
}

/// What happens to the light after it left the screen.
struct Film {
    blur: f32,
    /// The change of brightness across and down the photo, and towards its corners.
    slope: (f32, f32, f32),
    /// The brightness of each colour, and of black.
    cast: [f32; 3],
    black: f32,
    gamma: f32,
    /// The strength of the screen's grid.
    grid: f32,
    glare: Glare,
    noise: f32,
    quality: u8,
}

/// A reflection on the screen. Places relative to the photo's longer side, from its middle.
struct Glare {
    at: (f32, f32),
    half: (f32, f32),
    strength: f32,
    colour: [f32; 3],
}

impl Film {
    fn new(dice: &mut Dice) -> Film {
        let gain = dice.between(0.8, 1.1);
        Film {
            blur: dice.between(0.5, 1.3),
            slope: (dice.about(0.25), dice.about(0.25), dice.between(0.0, 0.6)),
            cast: [0, 1, 2].map(|_| gain * (1.0 + dice.about(0.07))),
            black: dice.between(0.005, 0.05),
            gamma: dice.between(0.85, 1.2),
            grid: dice.between(0.005, 0.05),
            glare: Glare {
                at: (dice.between(-0.5, 0.5), dice.between(-0.5, 0.5)),
                half: (dice.between(0.04, 0.2), dice.between(0.04, 0.2)),
                strength: if dice.happens(70) { dice.between(0.02, 0.15) } else { 0.0 },
                colour: [1.0, dice.between(0.9, 1.0), dice.between(0.75, 1.0)],
            },
            noise: dice.between(1.0, 5.0),
            quality: 60 + dice.below(36) as u8,
        }
    }

    fn description(&self) -> String {
        let Film { blur, gamma, grid, noise, .. } = self;
        let glare = self.glare.strength;
        format!("blurred {blur:.1}, gamma {gamma:.2}, grid {grid:.3}, glare {glare:.2}, noise {noise:.1},")
    }

    /// Changes a pixel at a place relative to the photo's longer side, whose point on the screen's grid is known if it
    /// shows the screen.
    fn expose(&self, pixel: &mut [u8; 3], (x, y): (f32, f32), on_screen: Option<(f32, f32)>) {
        let (across, down, corners) = self.slope;
        let light = 1.0 + across * x + down * y - corners * (x * x + y * y);
        let Glare { at, half, strength, colour } = &self.glare;
        let (a, b) = ((x - at.0) / half.0, (y - at.1) / half.1);
        let glare = strength * (-(a * a + b * b) / 2.0).exp();
        for (n, value) in pixel.iter_mut().enumerate() {
            // The three colours of a screen's pixel are side by side. Where a photo's pixels are about as large as the
            // screen's, both grids together make the broad coloured bands of a moiré by themselves.
            let grid = on_screen
                .map_or(0.0, |(u, v)| 0.7 * (TAU * (u + n as f32 / 3.0)).cos() + 0.3 * (TAU * v).cos());
            let emitted = self.black + (1.0 - self.black) * f32::from(*value) / 255.0;
            let seen = emitted * (1.0 + self.grid * grid) * light * self.cast[n] + glare * colour[n];
            *value = (seen.max(0.0).powf(self.gamma) * 255.0).clamp(0.0, 255.0).round() as u8;
        }
    }
}
