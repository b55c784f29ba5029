//! The four squares in the corners of a sheet, found in a photograph.

use image::{GrayImage, RgbImage};
use imageproc::contours::{BorderType, find_contours};
use imageproc::contrast::adaptive_threshold;
use imageproc::geometry::{approximate_polygon_dp, contour_area};
use imageproc::point::Point;

use super::page::{CORNER, CORNERS};
use crate::projection::Projection;

/// The longest side in pixels of the picture in which squares are looked for: the corners of a sheet of half its height
/// are seven pixels wide there.
const SIDE: u32 = 900;
/// Pixels are dark if they are this much darker, of 255, than the mean of those up to `AROUND` pixels away.
const DARKER: i32 = 22;
const AROUND: u32 = 22;
/// The least and the largest side of a square, in pixels of that picture.
const SIDES: std::ops::RangeInclusive<f32> = 4.5..=24.0;
/// How far an edge of a square may be from a straight line, as a share of it and in pixels, and what share of its longest edge
/// the shortest one has at least.
const UNEVEN: (f32, f32) = (0.17, 1.3);
const MIN_EDGE: f32 = 0.45;
/// The most squares, and the most pairs of them, that are combined. A sheet on a table has few others.
const MAX_SQUARES: usize = 60;
const MAX_PAIRS: usize = 400;
/// The shares of a diagonal at which the other one may cross it: a half, if the sheet is seen from straight above.
const CROSSING: std::ops::RangeInclusive<f32> = 0.33..=0.67;
/// The ratio of the upper and lower edge to the other two; 0.69 from straight above.
const RATIO: std::ops::RangeInclusive<f32> = 0.48..=0.95;
/// By how much the logarithm of a square's area may differ from what its place says, alone and against the others.
const MAX_AREA_ERROR: f32 = 1.0;
const MAX_AREA_SPREAD: f32 = 0.6;
/// The most sheets that are looked at.
const MAX_SHEETS: usize = 4;

/// A dark square in a picture, in pixels.
#[derive(Clone, Copy, Debug)]
struct Square {
    at: (f32, f32),
    side: f32,
}

/// Finds where sheets may be, the likeliest first: projections from sheet units to pixels of the picture. Each place is
/// given twice, from both ends, since the squares are alike.
pub(super) fn sheets(image: &RgbImage) -> Vec<Projection> {
    let (small, by) = shrunk(image);
    let mut squares = squares(&small);
    squares.truncate(MAX_SQUARES);
    let mut found: Vec<(f32, [(f32, f32); 4])> = Vec::new();
    let diagonals = diagonals(&squares);
    for (n, one) in diagonals.iter().enumerate() {
        for other in &diagonals[n + 1..] {
            found.extend(quadrilateral(*one, *other));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.truncate(MAX_SHEETS);
    let turned = found.into_iter().flat_map(|(_, [a, b, c, d])| [[a, b, c, d], [c, d, a, b]]);
    turned.filter_map(|corners| Some(Projection::between(CORNERS, corners)?.enlarged(by))).collect()
}

/// The brightness of a picture, shrunk to at most `SIDE` pixels, and how many of its pixels one of those is wide.
fn shrunk(image: &RgbImage) -> (GrayImage, f32) {
    let longest = image.width().max(image.height());
    let by = (longest as f32 / SIDE as f32).max(1.0);
    // Four pixels of each are enough, and much quicker than all.
    let places = |side: u32| -> Vec<[u32; 2]> {
        let at = |n: u32, share: f32| (((n as f32 + share) * by) as u32).min(side - 1);
        (0..((side as f32 / by) as u32).max(1)).map(|n| [at(n, 0.25), at(n, 0.75)]).collect()
    };
    let (columns, rows) = (places(image.width()), places(image.height()));
    let mut values = Vec::with_capacity(columns.len() * rows.len());
    for [above, below] in &rows {
        for [left, right] in &columns {
            let brightness = |x: u32, y: u32| {
                let [r, g, b] = image.get_pixel(x, y).0.map(u32::from);
                77 * r + 150 * g + 29 * b
            };
            let upper = brightness(*left, *above) + brightness(*right, *above);
            let lower = brightness(*left, *below) + brightness(*right, *below);
            values.push(((upper + lower) >> 10) as u8);
        }
    }
    let small = GrayImage::from_raw(columns.len() as u32, rows.len() as u32, values).unwrap_or_default();
    (small, by)
}

/// The filled dark squares of a picture, those with the clearest edges first.
fn squares(small: &GrayImage) -> Vec<Square> {
    let mut dark = adaptive_threshold(small, AROUND, DARKER);
    dark.iter_mut().for_each(|value| *value = 255 - *value);
    let contours = find_contours::<i32>(&dark);
    let mut has_hole = vec![false; contours.len()];
    for parent in contours.iter().filter_map(|contour| contour.parent) {
        has_hole[parent] = true;
    }
    let whole = contours.iter().zip(has_hole).filter(|(contour, has_hole)| {
        contour.border_type == BorderType::Outer && !has_hole && contour.points.len() >= 12
    });
    let mut found: Vec<(f32, Square)> = whole.filter_map(|(contour, _)| square(&contour.points)).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.into_iter().map(|(_, square)| square).collect()
}

/// The square with this contour, and how uneven it is; `None` if it is none.
fn square(points: &[Point<i32>]) -> Option<(f32, Square)> {
    let most = 6 * *SIDES.end() as usize;
    if points.len() > most {
        return None;
    }
    // A contour is through the middles of pixels, half a pixel inside the edge.
    let area = contour_area(points) as f32;
    let side = area.sqrt() + 1.0;
    if !SIDES.contains(&side) {
        return None;
    }
    let middle = middle(points);
    let corners = corners(points, middle, (UNEVEN.0 * side).max(UNEVEN.1))?;
    if corners.len() != 4 {
        return None;
    }
    let edge = |n: usize| {
        let (a, b) = (corners[n], corners[(n + 1) % 4]);
        ((a.x - b.x) as f32).hypot((a.y - b.y) as f32)
    };
    let edges = [0, 1, 2, 3].map(edge);
    let [shortest, longest] =
        [edges.iter().fold(f32::MAX, |a, b| a.min(*b)), edges.iter().fold(0.0, |a, b| b.max(a))];
    let filled = area / (contour_area(&corners) as f32).max(1.0);
    if shortest < longest * MIN_EDGE || !(0.75..=1.35).contains(&filled) {
        return None;
    }
    let uneven = (longest / shortest).ln() + filled.ln().abs();
    Some((uneven, Square { at: (middle.0 + 0.5, middle.1 + 0.5), side }))
}

/// The corners of a polygon that is at most `uneven` pixels from a contour.
fn corners(points: &[Point<i32>], middle: (f32, f32), uneven: f32) -> Option<Vec<Point<i32>>> {
    let apart = |n: &usize, (x, y): (f32, f32)| (points[*n].x as f32 - x).hypot(points[*n].y as f32 - y);
    let farthest = |from| (0..points.len()).max_by(|a, b| apart(a, from).total_cmp(&apart(b, from)));
    // The ends of the two halves have to be corners, since a polygon keeps the ends of its line.
    let first = farthest(middle)?;
    let mut ordered = points.to_vec();
    ordered.rotate_left(first);
    let (x, y) = (ordered[0].x as f32, ordered[0].y as f32);
    let opposite = (farthest((x, y))? + points.len() - first) % points.len();
    ordered.push(ordered[0]);
    let mut corners = approximate_polygon_dp(&ordered[..=opposite], uneven.into(), false);
    corners.pop();
    corners.extend(approximate_polygon_dp(&ordered[opposite..], uneven.into(), false));
    corners.pop();
    Some(corners)
}

/// The mean of a contour's points.
fn middle(points: &[Point<i32>]) -> (f32, f32) {
    let count = points.len() as f32;
    let sum = |part: fn(&Point<i32>) -> i32| points.iter().map(part).sum::<i32>() as f32;
    (sum(|point| point.x) / count, sum(|point| point.y) / count)
}

/// The pairs of squares that are about as far apart as opposite corners of a sheet whose corners have their size, those that
/// agree best first.
fn diagonals(squares: &[Square]) -> Vec<[Square; 2]> {
    let [first, _, third, _] = CORNERS;
    let wanted = (third.0 - first.0).hypot(third.1 - first.1) / CORNER;
    let mut found: Vec<(f32, [Square; 2])> = Vec::new();
    for (n, one) in squares.iter().enumerate() {
        for other in &squares[n + 1..] {
            let apart = (one.at.0 - other.at.0).hypot(one.at.1 - other.at.1);
            let ratio = apart / ((one.side + other.side) / 2.0) / wanted;
            let are_alike = (0.5..=2.0).contains(&(one.side / other.side));
            if are_alike && (0.55..=1.6).contains(&ratio) {
                found.push((ratio.ln().abs(), [*one, *other]));
            }
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.truncate(MAX_PAIRS);
    found.into_iter().map(|(_, pair)| pair).collect()
}

/// The corners of the sheet with these diagonals, from the upper left clockwise or from the lower right, and how badly the
/// sizes of the squares agree with their places; `None` if they are no sheet's.
fn quadrilateral([a, c]: [Square; 2], [b, d]: [Square; 2]) -> Option<(f32, [(f32, f32); 4])> {
    let minus = |p: Square, q: Square| (p.at.0 - q.at.0, p.at.1 - q.at.1);
    let cross = |p: (f32, f32), q: (f32, f32)| p.0 * q.1 - p.1 * q.0;
    let (one, other, between) = (minus(c, a), minus(d, b), minus(b, a));
    let angle = cross(one, other);
    if angle.abs() < 1.0 {
        return None;
    }
    let along = [cross(between, other) / angle, cross(between, one) / angle];
    if !along.iter().all(|share| CROSSING.contains(share)) {
        return None;
    }
    // Clockwise, since y grows downwards.
    let ordered = if angle > 0.0 { [a, b, c, d] } else { [a, d, c, b] };
    let length = |n: usize| {
        let (x, y) = minus(ordered[n], ordered[(n + 1) % 4]);
        x.hypot(y)
    };
    let ratio = (length(0) + length(2)) / (length(1) + length(3));
    let squares = match ratio {
        _ if RATIO.contains(&ratio) => ordered,
        _ if RATIO.contains(&(1.0 / ratio)) => [ordered[1], ordered[2], ordered[3], ordered[0]],
        _ => return None,
    };
    let corners = squares.map(|square| square.at);
    let projection = Projection::between(CORNERS, corners)?;
    let off = [0, 1, 2, 3].map(|n| (squares[n].side.powi(2) / area(&projection, CORNERS[n])).ln());
    let mean = off.iter().sum::<f32>() / 4.0;
    let unlike = off.iter().map(|off| (off - mean).abs()).fold(0.0, f32::max);
    (mean.abs() < MAX_AREA_ERROR && unlike < MAX_AREA_SPREAD).then_some((unlike + 0.3 * mean.abs(), corners))
}

/// The area in pixels of a corner's square at a place of the sheet.
fn area(projection: &Projection, (x, y): (f32, f32)) -> f32 {
    let half = CORNER / 2.0;
    let [a, b, c, d] = [(-half, -half), (half, -half), (half, half), (-half, half)]
        .map(|(dx, dy)| projection.at(x + dx, y + dy));
    // Half the product of the diagonals.
    ((c.0 - a.0) * (d.1 - b.1) - (c.1 - a.1) * (d.0 - b.0)).abs() / 2.0
}
