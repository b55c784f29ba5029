//! Outlines of shapes as paths, in board units.

use kurbo::{Affine, BezPath, PathEl, RoundedRect, Shape as _};
use tiny_skia::{Path, PathBuilder};

use super::lettering;
use rookery_core::scene::{Outline, Point};

/// The maximum error of a flattened curve, in board units: a twentieth of a pixel at 1,050.
const ACCURACY: f64 = 0.05;

/// The path of an outline; `None` if it is empty (no text, a rectangle without size).
///
/// # Panics
/// If the `d` of a path is not SVG path data: all art is in this repository, and a test draws it.
pub(super) fn path(outline: &Outline) -> Option<Path> {
    let mut to = PathBuilder::new();
    match outline {
        Outline::Circle { centre, radius } => to.push_circle(centre.x, centre.y, *radius),
        Outline::Rect { corner, w, h, round } => rect(&mut to, *corner, *w, *h, *round),
        Outline::Lines { points, closed } => lines(&mut to, points, *closed),
        Outline::Path { d, at, scale, turn } => svg(&mut to, d, *at, *scale, *turn),
        Outline::Text { text, at, size, weight, anchor } => {
            lettering::outline(&mut to, text, *at, *size, *weight, *anchor);
        }
    }
    to.finish()
}

fn rect(to: &mut PathBuilder, corner: Point, w: f32, h: f32, round: f32) {
    if round <= 0.0 {
        if let Some(rect) = tiny_skia::Rect::from_xywh(corner.x, corner.y, w, h) {
            to.push_rect(rect);
        }
        return;
    }
    let (x, y) = (f64::from(corner.x), f64::from(corner.y));
    let rect = RoundedRect::new(x, y, x + f64::from(w), y + f64::from(h), f64::from(round));
    elements(to, rect.path_elements(ACCURACY));
}

fn lines(to: &mut PathBuilder, points: &[Point], closed: bool) {
    let Some((first, rest)) = points.split_first() else { return };
    to.move_to(first.x, first.y);
    for point in rest {
        to.line_to(point.x, point.y);
    }
    if closed {
        to.close();
    }
}

fn svg(to: &mut PathBuilder, d: &str, at: Point, scale: f32, turn: f32) {
    let path = BezPath::from_svg(d).unwrap_or_else(|e| panic!("not SVG path data ({e}): {d:?}"));
    let place = Affine::translate((f64::from(at.x), f64::from(at.y)))
        * Affine::rotate(f64::from(turn).to_radians())
        * Affine::scale(f64::from(scale));
    elements(to, path.into_iter().map(|element| place * element));
}

fn elements(to: &mut PathBuilder, elements: impl Iterator<Item = PathEl>) {
    let xy = |p: kurbo::Point| (p.x as f32, p.y as f32);
    for element in elements {
        match element {
            PathEl::MoveTo(p) => to.move_to(xy(p).0, xy(p).1),
            PathEl::LineTo(p) => to.line_to(xy(p).0, xy(p).1),
            PathEl::QuadTo(a, p) => to.quad_to(xy(a).0, xy(a).1, xy(p).0, xy(p).1),
            PathEl::CurveTo(a, b, p) => {
                to.cubic_to(xy(a).0, xy(a).1, xy(b).0, xy(b).1, xy(p).0, xy(p).1);
            }
            PathEl::ClosePath => to.close(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::scene::{Shape, Weight, pt};

    fn bounds(shape: &Shape) -> [f32; 4] {
        let b = path(&shape.outline).expect("a path").bounds();
        [b.left(), b.top(), b.right(), b.bottom()].map(|v| (v * 100.0).round() / 100.0)
    }

    #[test]
    fn a_path_is_scaled_then_turned_then_moved() {
        // A quarter turn clockwise takes right to down and down to left.
        let arrow = Shape::path("M0 0 L10 0 L10 4 Z", pt(100.0, 50.0), 2.0, 90.0);
        assert_eq!(bounds(&arrow), [92.0, 50.0, 100.0, 70.0]);
    }

    #[test]
    fn rectangles_fill_their_box_round_or_not() {
        for round in [0.0, 8.0] {
            assert_eq!(bounds(&Shape::rect(pt(5.0, 6.0), 30.0, 40.0, round)), [5.0, 6.0, 35.0, 46.0]);
        }
    }

    #[test]
    fn nothing_has_no_path() {
        assert!(path(&Shape::text("", pt(0.0, 0.0), 20.0, Weight::Bold).outline).is_none());
    }
}
