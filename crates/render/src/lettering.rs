//! Lettering: Inter's outlines, laid out by plain advance widths, with tabular digits in the Bold.
//!
//! For text on a board: digits, cell names, a word or two. Names of people, in any script, appear only on share cards
//! and are shaped in `names`.

use std::sync::LazyLock;

use tiny_skia::PathBuilder;
use ttf_parser::{Face, OutlineBuilder};

use rookery_core::scene::{Anchor, Point, Weight};

/// Inter 600 and 700, subset to some scripts; see `fonts/README.md`.
pub(super) const SEMI_BOLD: &[u8] = include_bytes!("../../../fonts/Inter-SemiBold.ttf");
pub(super) const BOLD: &[u8] = include_bytes!("../../../fonts/Inter-Bold.ttf");

/// Half of Inter's cap height (1490 of 2048 units): the distance from the middle of a capital to its baseline.
pub(super) const HALF_CAP: f32 = 0.3636;

static FACES: LazyLock<[Face<'static>; 2]> = LazyLock::new(|| {
    [SEMI_BOLD, BOLD].map(|data| Face::parse(data, 0).expect("the carried font is whole, a test reads it"))
});

/// The width of a line of text, in the units of `size`.
#[must_use]
pub(crate) fn text_width(text: &str, size: f32, weight: Weight) -> f32 {
    let face = face(weight);
    let units: u32 = text.chars().map(|c| u32::from(advance(face, c))).sum();
    units as f32 * size / f32::from(face.units_per_em())
}

/// Appends the outlines of a line of text with its cap height centred on the point's y.
pub(super) fn outline(
    to: &mut PathBuilder,
    text: &str,
    at: Point,
    size: f32,
    weight: Weight,
    anchor: Anchor,
) {
    let face = face(weight);
    let scale = size / f32::from(face.units_per_em());
    let shift = match anchor {
        Anchor::Left => 0.0,
        Anchor::Middle => 0.5,
        Anchor::Right => 1.0,
    };
    let mut pen =
        Pen { to, x: at.x - shift * text_width(text, size, weight), y: at.y + HALF_CAP * size, scale };
    for c in text.chars() {
        if let Some(glyph) = face.glyph_index(c) {
            face.outline_glyph(glyph, &mut pen);
        }
        pen.x += f32::from(advance(face, c)) * scale;
    }
}

fn face(weight: Weight) -> &'static Face<'static> {
    match weight {
        Weight::SemiBold => &FACES[0],
        Weight::Bold => &FACES[1],
    }
}

/// A character that the font lacks has no width and no ink, so that no box is drawn.
fn advance(face: &Face, c: char) -> u16 {
    face.glyph_index(c).and_then(|glyph| face.glyph_hor_advance(glyph)).unwrap_or(0)
}

/// Converts font units (y upwards) to board units (y downwards).
struct Pen<'a> {
    to: &'a mut PathBuilder,
    x: f32,
    y: f32,
    scale: f32,
}

impl Pen<'_> {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.to.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.to.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.to.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.to.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.to.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::scene::pt;

    fn bounds(text: &str, anchor: Anchor) -> tiny_skia::Rect {
        let mut path = PathBuilder::new();
        outline(&mut path, text, pt(100.0, 50.0), 40.0, Weight::SemiBold, anchor);
        path.finish().expect("ink").bounds()
    }

    #[test]
    fn digits_of_scores_are_tabular() {
        let widths: Vec<f32> = ('0'..='9').map(|d| text_width(&d.to_string(), 30.0, Weight::Bold)).collect();
        assert!(widths.iter().all(|w| *w == widths[0]), "{widths:?}");
    }

    #[test]
    fn capitals_are_centred_on_their_point() {
        let h = bounds("H", Anchor::Middle);
        assert!((h.top() + h.bottom() - 100.0).abs() < 0.1, "{h:?}");
        assert!((h.left() + h.right() - 200.0).abs() < 0.1, "{h:?}");
    }

    #[test]
    fn an_anchor_is_the_end_it_names() {
        let width = text_width("HH", 40.0, Weight::SemiBold);
        let [left, right] = [Anchor::Left, Anchor::Right].map(|a| bounds("HH", a));
        assert!(left.left() >= 100.0 && right.right() <= 100.0);
        assert!((left.left() - right.left() - width).abs() < 0.01);
    }

    #[test]
    fn boards_have_their_signs_and_no_boxes() {
        let face = face(Weight::Bold);
        for c in ('!'..='~').chain("äßñçøĀąřŞαβΩЖяй±×→↗–…°•".chars()) {
            assert!(face.glyph_index(c).is_some(), "no {c}");
        }
        assert_eq!(text_width("\u{4e00}", 30.0, Weight::Bold), 0.0, "no glyph, no room");
    }
}
