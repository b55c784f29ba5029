//! Quadrilaterals of straight edges in a picture: whole drawings in a chat, or on a screen in a photograph, and there all cells of a
//! drawing.
//!
//! Lines are found by a Hough transform whose pixels vote only for directions like that of their own edge (Ballard,
//! "Generalizing the Hough Transform to Detect Arbitrary Shapes", Pattern Recognition 13, 1981).

use std::cmp::Reverse;

use crate::plane::Plane;

/// The corners of a quadrilateral in pixels, clockwise from the upper left one.
pub(crate) type Quadrilateral = [(f32, f32); 4];

/// The least step of brightness over two pixels that counts as an edge, in shades.
const MIN_EDGE: f32 = 4.0;
/// The steepest slope of a line against its axis, the steps of slopes, and how much a pixel's own slope may be off.
const STEEPEST: f32 = 0.26;
const SLOPE_STEP: f32 = 0.005;
const MAX_SLOPE_ERROR: f32 = 0.15;
/// The least share of a plane's side that votes for a line, the most lines of one direction and kind of edge for which the voters are
/// counted exactly, and the most that are kept.
const MIN_VOTES: f32 = 0.12;
const MAX_COUNTED: usize = 150;
const MAX_LINES: usize = 40;
/// The least width and height of a quadrilateral against the longer side of the plane.
const MIN_SIDE: f32 = 0.18;
/// The length of an edge at a corner against the longer side of the plane, and the least share of it that is there.
const AT_CORNER: f32 = 0.06;
const MIN_AT_CORNER: f32 = 0.55;
/// The least share of a side that is an edge.
const MIN_SUPPORT: f32 = 0.6;
/// The most quadrilaterals, and how far apart their corners are at least, in pixels.
const MAX_FOUND: usize = 12;
const APART: f32 = 3.0;

/// Quadrilaterals that are brighter or darker than what is around them, the clearest first. Sides are at most 15 degrees off
/// the plane's.
pub(crate) fn quadrilaterals(plane: &Plane) -> Vec<Quadrilateral> {
    let ((down, up), (right, left)) = rayon::join(
        || {
            let steps = steps(plane);
            rayon::join(|| lines(plane, &steps, 1.0), || lines(plane, &steps, -1.0))
        },
        || {
            let plane = transposed(plane);
            let steps = steps(&plane);
            rayon::join(|| lines(&plane, &steps, 1.0), || lines(&plane, &steps, -1.0))
        },
    );
    let corner = AT_CORNER * plane.width.max(plane.height) as f32;
    let least = MIN_SIDE * plane.width.max(plane.height) as f32;
    let of = |first: &[Line], last: &[Line], upright_first: &[Line], upright_last: &[Line]| {
        let sides = Sides { tops: first, bottoms: last, lefts: upright_first, rights: upright_last };
        sides.quadrilaterals(corner, least)
    };
    let (mut all, darker) = rayon::join(|| of(&down, &up, &right, &left), || of(&up, &down, &left, &right));
    all.extend(darker);
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut distinct: Vec<Quadrilateral> = Vec::new();
    for (_, one) in all {
        let is_near = |other: &Quadrilateral| {
            one.iter().zip(other).all(|(a, b)| (a.0 - b.0).abs().max((a.1 - b.1).abs()) < APART)
        };
        if !distinct.iter().any(is_near) {
            distinct.push(one);
            if distinct.len() == MAX_FOUND {
                break;
            }
        }
    }
    distinct
}

/// A line across a plane, and where it is an edge.
struct Line {
    /// Its place in the middle of the plane, and its slope.
    at: f32,
    slope: f32,
    /// The middle of the plane.
    middle: f32,
    /// The number of pixels before each one at which it is an edge.
    edges: Vec<u16>,
}

impl Line {
    /// The share from one place to another at which it is an edge; what is outside the plane isn't.
    fn support(&self, from: f32, to: f32) -> f32 {
        let (from, to) = if from < to { (from, to) } else { (to, from) };
        let last = (self.edges.len() - 1) as f32;
        let count = |at: f32| f32::from(self.edges[at.clamp(0.0, last) as usize]);
        (count(to) - count(from)) / (to - from).max(1.0)
    }

    /// Where a line across the plane meets one down the plane.
    fn meets(&self, upright: &Line) -> (f32, f32) {
        let (b, d) = (self.slope, upright.slope);
        let x = (upright.at + d * (self.at - b * self.middle - upright.middle)) / (1.0 - b * d);
        (x, self.at + b * (x - self.middle))
    }
}

/// The lines that may be sides.
struct Sides<'a> {
    tops: &'a [Line],
    bottoms: &'a [Line],
    lefts: &'a [Line],
    rights: &'a [Line],
}

impl Sides<'_> {
    /// The quadrilaterals with these sides, and how clear they are.
    fn quadrilaterals(&self, corner: f32, least: f32) -> Vec<(f32, Quadrilateral)> {
        let Sides { tops, bottoms, lefts, rights } = self;
        let upper_left = Corners::new(tops, lefts, (corner, corner));
        let upper_right = Corners::new(tops, rights, (-corner, corner));
        let lower_left = Corners::new(bottoms, lefts, (corner, -corner));
        let lower_right = Corners::new(bottoms, rights, (-corner, -corner));
        let mut found = Vec::new();
        for (t, top) in tops.iter().enumerate() {
            for (l, left) in lefts.iter().enumerate() {
                let Some((first, a)) = upper_left.get(t, l) else { continue };
                for (r, right) in rights.iter().enumerate() {
                    let Some((second, b)) = upper_right.get(t, r) else { continue };
                    if b.0 - a.0 < least {
                        continue;
                    }
                    for (m, bottom) in bottoms.iter().enumerate() {
                        let (Some((third, c)), Some((fourth, d))) =
                            (lower_right.get(m, r), lower_left.get(m, l))
                        else {
                            continue;
                        };
                        if d.1 - a.1 < least || c.0 - d.0 < least || c.1 - b.1 < least {
                            continue;
                        }
                        let sides = [
                            top.support(a.0, b.0),
                            right.support(b.1, c.1),
                            bottom.support(d.0, c.0),
                            left.support(a.1, d.1),
                        ];
                        if sides.iter().all(|side| *side >= MIN_SUPPORT) {
                            let clear = sides.iter().sum::<f32>() + first + second + third + fourth;
                            found.push((clear, [a, b, c, d]));
                        }
                    }
                }
            }
        }
        found
    }
}

/// Where lines across and lines down the plane may be the sides of a corner, and how clear it is.
struct Corners {
    width: usize,
    all: Vec<Option<(f32, (f32, f32))>>,
}

impl Corners {
    /// `inwards` is how far and where the sides go from the corner.
    fn new(across: &[Line], down: &[Line], inwards: (f32, f32)) -> Corners {
        let corner = |line: &Line, upright: &Line| {
            let (x, y) = line.meets(upright);
            let sides = [line.support(x, x + inwards.0), upright.support(y, y + inwards.1)];
            let beyond = [line.support(x, x - inwards.0), upright.support(y, y - inwards.1)];
            let is_there = sides.iter().all(|side| *side >= MIN_AT_CORNER);
            is_there.then(|| (-beyond.iter().sum::<f32>() / 2.0, (x, y)))
        };
        let all = across.iter().flat_map(|line| down.iter().map(move |upright| corner(line, upright)));
        Corners { width: down.len(), all: all.collect() }
    }

    fn get(&self, across: usize, down: usize) -> Option<(f32, (f32, f32))> {
        self.all[across * self.width + down]
    }
}

/// How brightness changes downwards at each pixel, where it does most; otherwise 0.
fn steps(plane: &Plane) -> Plane {
    let step =
        |x: usize, y: usize| plane.at(x, (y + 1).min(plane.height - 1)) - plane.at(x, y.saturating_sub(1));
    let mut steps = Plane::new(plane.width, plane.height);
    for y in 1..plane.height.saturating_sub(1) {
        for x in 0..plane.width {
            let here = step(x, y);
            let is_most = here.abs() >= step(x, y - 1).abs() && here.abs() >= step(x, y + 1).abs();
            if is_most && here.abs() >= MIN_EDGE {
                steps.values[y * plane.width + x] = here;
            }
        }
    }
    steps
}

/// The lines across the plane below which it is brighter (`sign` 1) or darker (-1), those with the longest edge first.
fn lines(plane: &Plane, steps: &Plane, sign: f32) -> Vec<Line> {
    let (width, height) = (plane.width, plane.height);
    let middle = width as f32 / 2.0;
    let slopes = (2.0 * STEEPEST / SLOPE_STEP) as usize + 1;
    let slope = |n: usize| n as f32 * SLOPE_STEP - STEEPEST;
    let margin = STEEPEST * middle;
    let rows = height + 2 * margin as usize + 2;
    let mut votes = vec![0_u16; slopes * rows];
    for y in 1..height.saturating_sub(1) {
        for x in 1..width.saturating_sub(1) {
            let step = steps.at(x, y) * sign;
            if step <= 0.0 {
                continue;
            }
            let own = -(plane.at(x + 1, y) - plane.at(x - 1, y)) * sign / step;
            let number =
                |slope: f32| ((slope + STEEPEST) / SLOPE_STEP).round().clamp(0.0, slopes as f32) as usize;
            for n in number(own - MAX_SLOPE_ERROR)..number(own + MAX_SLOPE_ERROR) {
                let at = y as f32 + 0.5 - slope(n) * (x as f32 + 0.5 - middle);
                votes[n * rows + (at + margin) as usize] += 1;
            }
        }
    }
    let mut best: Vec<(u16, usize)> = votes.iter().copied().zip(0..).collect();
    best.retain(|(count, _)| f32::from(*count) >= MIN_VOTES * width as f32);
    best.sort_unstable_by_key(|vote| Reverse(*vote));
    let apart = |(at, slope): (f32, f32), (other_at, other_slope): (f32, f32)| {
        let ends = [-middle, middle].map(|x| (at - other_at + (slope - other_slope) * x).abs());
        ends[0].max(ends[1])
    };
    let mut chosen: Vec<(f32, f32)> = Vec::new();
    for (_, n) in best {
        let line = ((n % rows) as f32 + 0.5 - margin, slope(n / rows));
        if chosen.iter().all(|other| apart(line, *other) >= 3.0) {
            chosen.push(line);
            if chosen.len() == MAX_COUNTED {
                break;
            }
        }
    }
    let mut lines: Vec<(usize, Line)> =
        chosen.into_iter().map(|line| counted(line, middle, steps, sign)).collect();
    lines.sort_by_key(|(longest, _)| Reverse(*longest));
    // Several may have been fitted to one edge.
    let mut distinct: Vec<Line> = Vec::new();
    for (_, line) in lines {
        let is_other = |other: &Line| apart((line.at, line.slope), (other.at, other.slope)) >= 1.0;
        if distinct.iter().all(is_other) {
            distinct.push(line);
        }
    }
    distinct.truncate(MAX_LINES);
    distinct
}

/// A line, fitted to the longest part of it that is an edge, and the length of that part.
fn counted((at, slope): (f32, f32), middle: f32, steps: &Plane, sign: f32) -> (usize, Line) {
    /// The longest gap in an edge, in pixels.
    const GAP: usize = 3;
    let mut edges = vec![0_u16];
    let mut on_edge: Vec<(usize, f32)> = Vec::new();
    for x in 0..steps.width {
        let y = (at + slope * (x as f32 + 0.5 - middle)).floor();
        let is_edge = |dy: &i64| {
            let y = y as i64 + dy;
            y >= 0 && (y as usize) < steps.height && steps.at(x, y as usize) * sign > 0.0
        };
        // A sharp edge is between two rows, and both are marked.
        let rows: Vec<i64> = (-1..=1).filter(is_edge).collect();
        if !rows.is_empty() {
            on_edge.push((x, y + 0.5 + rows.iter().sum::<i64>() as f32 / rows.len() as f32));
        }
        edges.push(edges[x] + u16::from(!rows.is_empty()));
    }
    let parts = on_edge.chunk_by(|a, b| b.0 <= a.0 + GAP + 1);
    let length = |part: &&[(usize, f32)]| part[part.len() - 1].0 - part[0].0;
    let Some(longest) = parts.max_by_key(length) else {
        return (0, Line { at, slope, middle, edges });
    };
    let (at, slope) = fitted(longest, middle).unwrap_or((at, slope));
    (length(&longest), Line { at, slope, middle, edges })
}

/// The line that is nearest to some points, given by their columns and places: its place at the middle, and its slope. `None` if all
/// are in one column.
fn fitted(points: &[(usize, f32)], middle: f32) -> Option<(f32, f32)> {
    let across = |n: usize| n as f32 + 0.5 - middle;
    let count = points.len() as f32;
    let x = points.iter().map(|it| across(it.0)).sum::<f32>() / count;
    let y = points.iter().map(|it| it.1).sum::<f32>() / count;
    let spread = points.iter().map(|it| (across(it.0) - x).powi(2)).sum::<f32>();
    let slope = points.iter().map(|it| (across(it.0) - x) * (it.1 - y)).sum::<f32>() / spread;
    slope.is_finite().then_some((y - slope * x, slope))
}

fn transposed(plane: &Plane) -> Plane {
    let values = (0..plane.width).flat_map(|x| (0..plane.height).map(move |y| plane.at(x, y)));
    Plane { width: plane.height, height: plane.width, values: values.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::projection::{Projection, inverted};

    /// A checkered picture with these corners on a plane of 200 shades, with lines of words above and below.
    fn seen(corners: Quadrilateral) -> Plane {
        let unit = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let there = Projection::between(unit, corners).expect("a projection");
        let back = Projection::of(&inverted(&there.matrix()));
        let mut plane = Plane::new(400, 300);
        for n in 0..400 * 300 {
            let (x, y) = (n % 400, n / 400);
            let (u, v) = back.at(x as f32 + 0.5, y as f32 + 0.5);
            let is_dark = |at: f32| (at * 10.0).floor() as i32 % 2 == 0;
            plane.values[n] = if (0.0..1.0).contains(&u) && (0.0..1.0).contains(&v) {
                let is_margin = [u, v].iter().any(|at| !(0.1..0.9).contains(at));
                if is_margin || is_dark(u) == is_dark(v) { 120.0 } else { 80.0 }
            } else if !(-0.05..1.05).contains(&v) && y % 20 < 8 && x / 7 % 3 > 0 {
                60.0
            } else {
                200.0
            };
        }
        plane
    }

    #[test]
    fn the_corners_of_a_picture_are_found() {
        for wanted in [
            [(60.0, 40.0), (330.0, 52.0), (318.0, 262.0), (72.0, 270.0)],
            [(120.0, 90.0), (300.0, 78.0), (310.0, 255.0), (112.0, 250.0)],
        ] {
            let all = quadrilaterals(&seen(wanted));
            let off = |one: &Quadrilateral| {
                let each = one.iter().zip(&wanted).map(|(a, b)| (a.0 - b.0).hypot(a.1 - b.1));
                each.fold(0.0, f32::max)
            };
            let least = all.iter().map(off).fold(f32::MAX, f32::min);
            assert!(least < 1.0, "{least} pixels off: {all:?}");
        }
    }

    #[test]
    fn a_line_is_fitted_between_the_rows_of_a_sharp_edge() {
        let mut plane = Plane::new(60, 40);
        plane
            .values
            .iter_mut()
            .enumerate()
            .for_each(|(n, value)| *value = if n / 60 < 20 { 30.0 } else { 90.0 });
        let steps = steps(&plane);
        for at in [19.4, 20.6] {
            let (longest, line) = counted((at, 0.01), 30.0, &steps, 1.0);
            assert_eq!((line.at, line.slope, longest), (20.0, 0.0, 59), "from {at}");
        }
        assert_eq!(counted((5.0, 0.0), 30.0, &steps, 1.0).0, 0, "nothing is there");
        assert_eq!(fitted(&[(3, 1.5)], 30.0), None, "a point has no direction");
    }

    #[test]
    fn an_empty_plane_has_no_quadrilaterals() {
        let mut plane = Plane::new(200, 100);
        assert!(quadrilaterals(&plane).is_empty());
        // One corner is no quadrilateral.
        plane
            .values
            .iter_mut()
            .enumerate()
            .for_each(|(n, value)| *value = if n % 200 > 90 && n / 200 > 40 { 90.0 } else { 30.0 });
        assert!(quadrilaterals(&plane).is_empty());
        assert!(quadrilaterals(&Plane::new(1, 1)).is_empty());
    }
}
