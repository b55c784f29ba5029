//! Penguins from the front and from above, fish, and the emblems of the players.
//!
//! Every theme with penguins has these tokens: `player-1` to `player-4`, `body`, `belly` (also the rim of discs),
//! `beak`, and `dark` (text on a light colour).

use super::pattern::{Area, Edge, Pattern};
use rookery_core::Seat;
use rookery_core::scene::{Outline, Paint, Point, Rgb, Shape, Stamp, ink, pt};

/// The colours of players and penguins, the same in all themes: vermillion, blue and yellow of the palette of Okabe and
/// Ito (2008), and a claret.
pub(crate) const COLOURS: [(&str, Rgb); 8] = [
    ("player-1", Rgb::hex(0xD55E00)),
    ("player-2", Rgb::hex(0x0072B2)),
    ("player-3", Rgb::hex(0xF0E442)),
    ("player-4", Rgb::hex(0x8B1E3F)),
    ("body", Rgb::hex(0x1B2430)),
    ("belly", Rgb::hex(0xFFFFFF)),
    ("beak", Rgb::hex(0xF39A1E)),
    ("dark", Rgb::hex(0x1B2430)),
];

/// The token of a player's colour.
pub(crate) fn colour(seat: Seat) -> &'static str {
    ["player-1", "player-2", "player-3", "player-4"][seat.index()]
}

/// The paint of symbols on a player's colour.
pub(crate) fn on_colour(seat: Seat) -> Paint {
    ink(if seat.number() == 3 { "dark" } else { "belly" })
}

/// The paint of a player's emblem on white, where yellow alone would be invisible.
fn on_white(seat: Seat) -> Paint {
    if seat.number() == 3 { ink("dark") } else { ink(colour(seat)) }
}

/// A player's emblem (disc, triangle, square, diamond) around a point; `radius` is that of the disc, the other shapes
/// look equally large.
pub(crate) fn emblem(seat: Seat, at: Point, radius: f32, paint: Paint) -> Shape {
    let polygon = |points: &[(f32, f32)]| {
        let scaled = points.iter().map(|(x, y)| pt(at.x + x * radius, at.y + y * radius));
        Shape::polygon(scaled.collect()).fill(paint)
    };
    match seat.number() {
        1 => Shape::circle(at, radius).fill(paint),
        2 => polygon(&[(0.0, -1.15), (1.1, 0.8), (-1.1, 0.8)]),
        3 => polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        _ => polygon(&[(0.0, -1.25), (1.1, 0.0), (0.0, 1.25), (-1.1, 0.0)]),
    }
}

/// A player's colour and pattern on a disc, around the origin.
pub(crate) fn swatch(seat: Seat, radius: f32) -> Vec<Shape> {
    let middle = pt(0.0, 0.0);
    let disc = Shape::circle(middle, radius).fill(ink(colour(seat)));
    let marks = Pattern::of(seat).marks(&Area::within(Edge::circle(middle, radius)), on_colour(seat));
    let rim = Shape::circle(middle, radius).stroke(ink("belly"), 3.0);
    std::iter::once(disc).chain(marks).chain([rim]).collect()
}

/// A player's penguin as a stamp, drawn beside a name.
pub(crate) fn figure(seat: Seat) -> Stamp {
    Stamp::new(format!("penguin/figure-{seat}"), (48.0, 48.0), move || standing(seat, 1.0))
}

/// A standing penguin on its player's disc, around the origin; at `scale` 1 it is 100 units high.
pub(crate) fn standing(seat: Seat, scale: f32) -> Vec<Shape> {
    let path = |d| Shape::path(d, pt(-50.0 * scale, -50.0 * scale), scale, 0.0);
    let at = |x: f32, y: f32| pt((x - 50.0) * scale, (y - 50.0) * scale);
    let disc = |x, y, r: f32| Shape::circle(at(x, y), r * scale);
    let rim = 2.6 * scale;
    vec![
        disc(50.0, 50.0, 47.0).fill(ink("belly")),
        disc(50.0, 50.0, 42.5).fill(ink(colour(seat))),
        path(FEET).fill(ink("beak")),
        path(WINGS).fill(ink("body")).stroke(ink("belly"), rim),
        path(BODY).fill(ink("body")).stroke(ink("belly"), rim),
        path(BELLY).fill(ink("belly")),
        disc(41.0, 26.0, 6.2).fill(ink("belly")),
        disc(59.0, 26.0, 6.2).fill(ink("belly")),
        disc(42.4, 27.0, 3.0).fill(ink("body")),
        disc(57.6, 27.0, 3.0).fill(ink("body")),
        path(BEAK).fill(ink("beak")).stroke(ink("beak"), 2.0 * scale),
        emblem(seat, at(50.0, 63.0), 11.0 * scale, on_white(seat)),
    ]
}

const FEET: &str = "M28.5 87 A10.5 5 0 1 1 49.5 87 A10.5 5 0 1 1 28.5 87Z \
                    M50.5 87 A10.5 5 0 1 1 71.5 87 A10.5 5 0 1 1 50.5 87Z";
const WINGS: &str = "M27 48 Q14 60 19 74 Q27 70 30 60Z M73 48 Q86 60 81 74 Q73 70 70 60Z";
const BODY: &str = "M50 9 C67 9 74 24 74 40 C78 52 78 66 74 77 C70 87 61 89 50 89 C39 89 30 87 26 77 \
                    C22 66 22 52 26 40 C26 24 33 9 50 9Z";
const BELLY: &str = "M50 40 C62 40 68 52 68 64 C68 78 60 84 50 84 C40 84 32 78 32 64 C32 52 38 40 50 40Z";
const BEAK: &str = "M42.5 32 L57.5 32 L50 42Z";

/// A penguin sliding on its belly, seen from above, around the origin; `turn` is in degrees clockwise, 0 with the beak
/// up. At `scale` 1 it is 100 units long.
pub(crate) fn sliding(seat: Seat, scale: f32, turn: f32) -> Vec<Shape> {
    let (sin, cos) = turn.to_radians().sin_cos();
    let at = |x: f32, y: f32| {
        let (x, y) = ((x - 50.0) * scale, (y - 52.0) * scale);
        pt(x * cos - y * sin, x * sin + y * cos)
    };
    let path = |d| Shape::path(d, at(0.0, 0.0), scale, turn);
    let edge = 3.0 * scale;
    let signs = if seat.number() == 3 { "dark" } else { "belly" };
    vec![
        path("M50 97 L40 80 L60 80Z").fill(ink("body")).stroke(ink("belly"), edge),
        path("M29 44 Q6 58 12 78 Q28 74 34 62Z M71 44 Q94 58 88 78 Q72 74 66 62Z")
            .fill(ink("body"))
            .stroke(ink("belly"), edge),
        path(BEAK_ABOVE).fill(ink("belly")).stroke(ink("belly"), 7.0 * scale),
        path(BEAK_ABOVE).fill(ink("beak")).stroke(ink("beak"), 2.5 * scale),
        path(BODY_ABOVE).fill(ink("body")).stroke(ink("belly"), edge),
        path("M31 60 A19 22 0 1 1 69 60 A19 22 0 1 1 31 60Z").fill(ink(colour(seat))),
        Shape::circle(at(43.0, 22.0), 3.4 * scale).fill(ink("belly")),
        Shape::circle(at(57.0, 22.0), 3.4 * scale).fill(ink("belly")),
        // The emblem stays upright in every orientation of the penguin.
        emblem(seat, at(50.0, 60.0), 9.0 * scale, ink(signs)),
    ]
}

const BEAK_ABOVE: &str = "M50 -1 L38.5 20 L61.5 20Z";
const BODY_ABOVE: &str = "M50 12 C63 12 67 22 67 31 C76 42 78 58 72 72 C68 82 60 87 50 87 C40 87 32 82 \
                          28 72 C22 58 24 42 33 31 C33 22 37 12 50 12Z";

/// A fish swimming to the left around a point, 39 units long at `scale` 1, and its eye.
pub(crate) fn fish(at: Point, scale: f32, paint: Paint, eye: Paint) -> [Shape; 2] {
    let d = "M-17 0 C-11 -9 4 -10 13 -1.5 L22 -8.5 Q19.5 0 22 8.5 L13 1.5 C4 10 -11 9 -17 0Z";
    let outline = Outline::Path { d, at, scale, turn: 0.0 };
    let eye_at = pt(at.x - 9.0 * scale, at.y - 1.6 * scale);
    [Shape::new(outline).fill(paint), Shape::circle(eye_at, 2.1 * scale).fill(eye)]
}
