//! Patterns that distinguish sides without colour: dots, stripes, a grid, rings. Each seat has one, used for its pieces
//! and its owned cells. They are drawn only on request
//! ([`DrawOptions::patterns`](rookery_core::scene::DrawOptions::patterns)).

use rookery_core::Seat;
use rookery_core::scene::{Outline, Paint, Point, Shape, pt};

/// Line width of a pattern in units: nearly two pixels of a picture 300 wide.
pub(crate) const THICK: f32 = 6.5;
/// Distance between the middles of two lines: four pixels of such a picture.
const APART: f32 = 14.5;
/// The direction of stripes: not parallel to any side of a square, a diamond or a hexagon.
const STEEP: Point = pt(0.382_683, -0.923_88);
/// The direction of the hatch.
const FALLING: Point = pt(std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2);

/// The marks of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// Dots in rows, every second row shifted by half a step.
    Dots,
    /// Steep lines that rise to the right.
    Stripes,
    /// Horizontal and vertical lines.
    Grid,
    /// Lines parallel to the edge.
    Rings,
    /// Wide lines that fall to the right: no seat's pattern, for cells that several seats reach.
    Hatch,
}

impl Pattern {
    /// The pattern of a seat in games where each seat has its own.
    pub(crate) fn of(seat: Seat) -> Pattern {
        [Pattern::Dots, Pattern::Stripes, Pattern::Grid, Pattern::Rings][seat.index()]
    }

    /// The marks inside an area, as shapes in one paint.
    pub(crate) fn marks(self, area: &Area, paint: Paint) -> Vec<Shape> {
        match self {
            Pattern::Dots => area.dots(paint),
            Pattern::Stripes => area.lines(STEEP, APART, paint),
            Pattern::Grid => {
                let across = area.lines(pt(1.0, 0.0), APART * 1.25, paint);
                across.into_iter().chain(area.lines(pt(0.0, 1.0), APART * 1.25, paint)).collect()
            }
            Pattern::Rings => area.rings(paint),
            Pattern::Hatch => area.lines(FALLING, APART * 1.6, paint),
        }
    }
}

/// A convex outline.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Edge {
    /// A circle by centre and radius.
    Circle {
        /// The centre in board units.
        centre: Point,
        /// The radius in board units.
        radius: f32,
    },
    /// A polygon with its corners in either orientation.
    Polygon(Vec<Point>),
}

impl Edge {
    /// A circle by centre and radius.
    pub(crate) fn circle(centre: Point, radius: f32) -> Edge {
        Edge::Circle { centre, radius }
    }

    /// An upright rectangle around a point.
    pub(crate) fn rect(centre: Point, half_w: f32, half_h: f32) -> Edge {
        let corners = [(-half_w, -half_h), (half_w, -half_h), (half_w, half_h), (-half_w, half_h)];
        Edge::Polygon(corners.map(|(x, y)| pt(centre.x + x, centre.y + y)).to_vec())
    }

    /// The edge of a polygon, a rectangle or a circle; `None` for any other shape.
    pub(crate) fn of(shape: &Shape) -> Option<Edge> {
        match &shape.outline {
            Outline::Circle { centre, radius } => Some(Edge::circle(*centre, *radius)),
            Outline::Rect { corner, w, h, .. } => {
                Some(Edge::rect(pt(corner.x + w / 2.0, corner.y + h / 2.0), w / 2.0, h / 2.0))
            }
            Outline::Lines { points, closed: true } => Some(Edge::Polygon(points.clone())),
            Outline::Lines { .. } | Outline::Path { .. } | Outline::Text { .. } => None,
        }
    }

    fn middle(&self) -> Point {
        match self {
            Edge::Circle { centre, .. } => *centre,
            Edge::Polygon(points) => {
                let count = points.len().max(1) as f32;
                let sum = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.x, y + point.y));
                pt(sum.0 / count, sum.1 / count)
            }
        }
    }

    /// The distance from the middle to the nearest part of the edge.
    fn inner_radius(&self) -> f32 {
        let middle = self.middle();
        match self {
            Edge::Circle { radius, .. } => *radius,
            Edge::Polygon(_) => self.sides().map(|side| side.depth(middle)).fold(f32::INFINITY, f32::min),
        }
    }

    /// The sides of a polygon; none for a circle.
    fn sides(&self) -> impl Iterator<Item = Line> + '_ {
        let (points, middle) = match self {
            Edge::Circle { .. } => (&[][..], pt(0.0, 0.0)),
            Edge::Polygon(points) => (points.as_slice(), self.middle()),
        };
        let next = points.iter().cycle().skip(1);
        points.iter().zip(next).map(move |(from, to)| Line::facing(*from, *to, middle))
    }

    /// The part of a line `at + t * way` that is at least `inset` inside (outside if negative), as the smallest and
    /// largest `t`; `None` if there is none.
    fn chord(&self, at: Point, way: Point, inset: f32) -> Option<(f32, f32)> {
        let span = match self {
            Edge::Circle { centre, radius } => {
                let (x, y) = (at.x - centre.x, at.y - centre.y);
                let (along, square) = (x * way.x + y * way.y, x * x + y * y);
                let half = ((radius - inset).powi(2) - square + along * along).max(0.0).sqrt();
                (-along - half, -along + half)
            }
            Edge::Polygon(_) => self
                .sides()
                .fold((f32::NEG_INFINITY, f32::INFINITY), |span, side| side.cut(span, at, way, inset)),
        };
        (span.0 < span.1).then_some(span)
    }

    /// Whether a point is at least `inset` inside.
    fn holds(&self, point: Point, inset: f32) -> bool {
        match self {
            Edge::Circle { centre, radius } => {
                (point.x - centre.x).hypot(point.y - centre.y) <= radius - inset
            }
            Edge::Polygon(_) => self.sides().all(|side| side.depth(point) >= inset),
        }
    }

    /// The same edge scaled about its middle.
    fn scaled(&self, factor: f32) -> Edge {
        let middle = self.middle();
        match self {
            Edge::Circle { centre, radius } => Edge::circle(*centre, radius * factor),
            Edge::Polygon(points) => {
                let near = |point: &Point| {
                    pt(middle.x + (point.x - middle.x) * factor, middle.y + (point.y - middle.y) * factor)
                };
                Edge::Polygon(points.iter().map(near).collect())
            }
        }
    }

    fn shape(&self) -> Shape {
        match self {
            Edge::Circle { centre, radius } => Shape::circle(*centre, *radius),
            Edge::Polygon(points) => Shape::polygon(points.clone()),
        }
    }

    /// Points along the edge, evenly spaced at about this distance.
    fn points_along(&self, apart: f32) -> Vec<Point> {
        let corners = match self {
            Edge::Circle { centre, radius } => (0..48_u8)
                .map(|n| (f32::from(n) * 7.5).to_radians().sin_cos())
                .map(|(sin, cos)| pt(centre.x + radius * cos, centre.y + radius * sin))
                .collect(),
            Edge::Polygon(points) => points.clone(),
        };
        let sides = || corners.iter().zip(corners.iter().cycle().skip(1));
        let length = |(from, to): (&Point, &Point)| (to.x - from.x).hypot(to.y - from.y);
        let whole: f32 = sides().map(length).sum();
        let step = whole / (whole / apart).round().max(3.0);
        let (mut points_along, mut left) = (Vec::new(), 0.0);
        for side in sides() {
            let long = length(side);
            while left < long - step * 0.01 {
                let (part, (from, to)) = (left / long, side);
                points_along.push(pt(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part));
                left += step;
            }
            left = (left - long).max(0.0);
        }
        points_along
    }
}

/// A side of a polygon: a point on it, and the inward direction.
struct Line {
    on: Point,
    inwards: Point,
}

impl Line {
    fn facing(from: Point, to: Point, middle: Point) -> Line {
        let (x, y) = (to.x - from.x, to.y - from.y);
        let length = x.hypot(y).max(f32::EPSILON);
        let side = Line { on: from, inwards: pt(-y / length, x / length) };
        if side.depth(middle) >= 0.0 {
            return side;
        }
        Line { on: from, inwards: pt(-side.inwards.x, -side.inwards.y) }
    }

    /// The distance of a point from the side, positive inside.
    fn depth(&self, point: Point) -> f32 {
        (point.x - self.on.x) * self.inwards.x + (point.y - self.on.y) * self.inwards.y
    }

    /// The part of a line that is at least `inset` inside.
    fn cut(&self, (least, most): (f32, f32), at: Point, way: Point, inset: f32) -> (f32, f32) {
        let slope = way.x * self.inwards.x + way.y * self.inwards.y;
        let room = self.depth(at) - inset;
        if slope.abs() < 1e-4 {
            return if room >= 0.0 { (least, most) } else { (0.0, 0.0) };
        }
        let end = -room / slope;
        if slope > 0.0 { (least.max(end), most) } else { (least, most.min(end)) }
    }
}

/// The area of a pattern: within an edge, and outside of a hole.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Area {
    edge: Edge,
    hole: Option<Edge>,
    /// The width of a band along the edge: its dots form one row.
    band: Option<f32>,
}

impl Area {
    /// The area within an edge.
    pub(crate) fn within(edge: Edge) -> Area {
        Area { edge, hole: None, band: None }
    }

    /// A band of this width along the inside of an edge whose sides all have the same distance from the middle.
    pub(crate) fn along(edge: Edge, width: f32) -> Area {
        let hole = edge.scaled(1.0 - width / edge.inner_radius().max(width));
        Area { edge, hole: Some(hole), band: Some(width) }
    }

    /// Removes the part within another edge.
    #[must_use]
    pub(crate) fn without(mut self, hole: Edge) -> Area {
        self.hole = Some(hole);
        self
    }

    /// Lines along a direction of length 1, clipped to edge and hole.
    fn lines(&self, way: Point, apart: f32, paint: Paint) -> Vec<Shape> {
        let (middle, across) = (self.edge.middle(), pt(-way.y, way.x));
        // Offset by half a step, so that the two lines nearest to the middle are symmetric.
        let starts = (-40..40).map(|n| (n as f32 + 0.5) * apart);
        let starts = starts.map(|off| pt(middle.x + across.x * off, middle.y + across.y * off));
        starts
            .flat_map(|at| self.chords(at, way).map(move |(least, most)| (at, least, most)))
            .map(|(at, least, most)| {
                let end = |t: f32| pt(at.x + way.x * t, at.y + way.y * t);
                Shape::line(end(least), end(most)).stroke(paint, THICK)
            })
            .collect()
    }

    /// The parts of a line inside the area, including their round ends.
    fn chords(&self, at: Point, way: Point) -> impl Iterator<Item = (f32, f32)> + use<> {
        let whole = self.edge.chord(at, way, THICK / 2.0);
        let gap = self.hole.as_ref().and_then(|hole| hole.chord(at, way, -THICK / 2.0));
        let parts = match (whole, gap) {
            (None, _) => [None, None],
            (Some(whole), None) => [Some(whole), None],
            (Some((least, most)), Some((from, to))) => {
                [Some((least, most.min(from))), Some((least.max(to), most))]
            }
        };
        parts.into_iter().flatten().filter(|(least, most)| most - least > 1.0)
    }

    fn dots(&self, paint: Paint) -> Vec<Shape> {
        let (middle, radius) = (self.edge.middle(), THICK * 0.72);
        if let Some(width) = self.band {
            let middle = self.edge.scaled(1.0 - width / 2.0 / self.edge.inner_radius().max(width));
            return middle
                .points_along(APART)
                .into_iter()
                .map(|at| Shape::circle(at, radius).fill(paint))
                .collect();
        }
        let places = (-30..=30).flat_map(|row: i32| {
            let shift = if row.rem_euclid(2) == 0 { 0.0 } else { 0.5 };
            (-30..=30).map(move |col: i32| (col as f32 + shift, row as f32 * 0.866))
        });
        let points = places.map(|(x, y)| pt(middle.x + x * APART, middle.y + y * APART));
        let is_hole = |point| self.hole.as_ref().is_some_and(|hole| hole.holds(point, -radius));
        points
            .filter(|point| self.edge.holds(*point, radius) && !is_hole(*point))
            .map(|point| Shape::circle(point, radius).fill(paint))
            .collect()
    }

    /// Lines parallel to the edge, from half a step inside to the hole or the middle.
    fn rings(&self, paint: Paint) -> Vec<Shape> {
        let radius = self.edge.inner_radius().max(1.0);
        let hole = self.hole.as_ref().map_or(0.0, Edge::inner_radius);
        let radii = (0..20).map(|n| radius - APART * (n as f32 + 0.5));
        radii
            .take_while(|one| *one > hole + THICK / 2.0 && *one > THICK)
            .map(|one| self.edge.scaled(one / radius).shape().stroke(paint, THICK))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::scene::ink;

    /// Points of a shape, each with the distance that its paint reaches from there.
    fn places(shape: &Shape) -> Vec<(Point, f32)> {
        match &shape.outline {
            Outline::Circle { centre, radius } if shape.fill.is_some() => vec![(*centre, *radius)],
            Outline::Circle { centre, radius } => (0..16)
                .map(|n| {
                    let (sin, cos) = (f32::from(n as u8) * 0.39).sin_cos();
                    (pt(centre.x + cos * radius, centre.y + sin * radius), THICK / 2.0)
                })
                .collect(),
            Outline::Lines { points, .. } => points.iter().map(|point| (*point, THICK / 2.0)).collect(),
            other => panic!("{other:?} in a pattern"),
        }
    }

    #[test]
    fn marks_stay_within_the_edge_and_out_of_the_hole() {
        let hexagon = [(0.0, -60.0), (52.0, -30.0), (52.0, 30.0), (0.0, 60.0), (-52.0, 30.0), (-52.0, -30.0)];
        let edges = [
            Edge::circle(pt(3.0, -4.0), 44.0),
            Edge::rect(pt(10.0, 0.0), 40.0, 40.0),
            Edge::Polygon(hexagon.map(|(x, y)| pt(x, y)).to_vec()),
        ];
        for edge in edges {
            let pierced = Area::within(edge.clone()).without(Edge::circle(edge.middle(), 12.0));
            for area in [pierced, Area::along(edge.clone(), 14.0)] {
                let hole = area.hole.clone().unwrap();
                for pattern in Seat::all(4).map(Pattern::of) {
                    let marks = pattern.marks(&area, ink("body"));
                    assert!(!marks.is_empty(), "{pattern:?} in {area:?}");
                    for (place, reach) in marks.iter().flat_map(places) {
                        assert!(
                            edge.holds(place, reach - 0.1),
                            "{pattern:?}: {place:?} sticks out of {edge:?}"
                        );
                        assert!(!hole.holds(place, 0.1 - reach), "{pattern:?}: {place:?} lies in {hole:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn lines_do_not_cross_the_hole() {
        let area =
            Area::within(Edge::rect(pt(0.0, 0.0), 40.0, 40.0)).without(Edge::circle(pt(0.0, 0.0), 15.0));
        for line in Pattern::Stripes.marks(&area, ink("body")) {
            let Outline::Lines { points, .. } = &line.outline else { panic!("{line:?}") };
            let (from, to) = (points[0], points[1]);
            let middle = pt((from.x + to.x) / 2.0, (from.y + to.y) / 2.0);
            assert!(middle.x.hypot(middle.y) >= 15.0, "{line:?}");
        }
    }

    #[test]
    fn beads_are_even_and_close_the_ring() {
        for edge in [Edge::circle(pt(0.0, 0.0), 34.0), Edge::rect(pt(0.0, 0.0), 50.0, 50.0)] {
            let points_along = edge.points_along(APART);
            let next = points_along.iter().cycle().skip(1);
            for (a, b) in points_along.iter().zip(next) {
                let apart = (a.x - b.x).hypot(a.y - b.y);
                // Around a corner the straight distance between two points is smaller than the distance along the edge.
                assert!((APART * 0.65..APART * 1.2).contains(&apart), "{apart} in {edge:?}");
            }
        }
    }

    #[test]
    fn no_two_seats_share_a_pattern() {
        let all: Vec<_> = Seat::all(4).map(Pattern::of).collect();
        assert!((1..4).all(|n| !all[..n].contains(&all[n])));
    }
}
