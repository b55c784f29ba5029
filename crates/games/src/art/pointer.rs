//! Pointers on the discs of labels that stand for a direction.

use rookery_core::scene::{Paint, Point, Shape, pt};

/// The direction of a heading in degrees clockwise from up: eighths of a turn on squares. On hexagons, whose six
/// directions are sixths of a turn, the nearest of those.
pub(crate) fn degrees(heading: u8, is_hexagonal: bool) -> f32 {
    match heading % 8 {
        heading if !is_hexagonal => f32::from(heading) * 45.0,
        1 => 30.0,
        2 => 90.0,
        3 | 4 => 150.0,
        5 => 210.0,
        6 => 270.0,
        _ => 330.0,
    }
}

/// A triangle that sits on a disc around a point and points outwards; its tip is `reach` from the point.
pub(crate) fn pointer(at: Point, (radius, reach): (f32, f32), degrees: f32, paint: Paint) -> Shape {
    let (sin, cos) = degrees.to_radians().sin_cos();
    // Outwards by `d`, and to the right of that by `s`.
    let point = |d: f32, s: f32| pt(at.x + sin * d + cos * s, at.y - cos * d + sin * s);
    let base = radius * 0.45;
    Shape::polygon(vec![point(base, -radius * 0.88), point(reach, 0.0), point(base, radius * 0.88)])
        .fill(paint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::scene::{Outline, ink};

    #[test]
    fn pointers_point_where_their_heading_says() {
        let tip = |heading, is_hexagonal| {
            let shape = pointer(pt(5.0, 5.0), (10.0, 20.0), degrees(heading, is_hexagonal), ink("mark"));
            let Outline::Lines { points, .. } = shape.outline else { panic!("not a polygon") };
            points[1]
        };
        for heading in 0..8 {
            assert_eq!(pt(5.0, 5.0).heading(tip(heading, false)), Some(heading));
        }
        for heading in [1, 2, 3, 5, 6, 7] {
            assert_eq!(pt(5.0, 5.0).heading(tip(heading, true)), Some(heading));
        }
        assert!((tip(0, false).y - -15.0).abs() < 1e-3, "up is where y is smaller");
    }
}
