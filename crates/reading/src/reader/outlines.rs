//! Where boards may be in a photograph that shows their whole picture, whose edges say size, place and perspective.

use rookery_core::Play;
use rookery_core::scene::{DrawOptions, Style};

use super::drawing::shrunk;
use super::kept::LookKey;
use crate::align::Place;
use crate::geometry::Geometry;
use crate::kind::Kind;
use crate::mean::Mean;
use crate::plane::Pyramid;
use crate::projection::Projection;
use crate::quadrilateral::{Quadrilateral, quadrilaterals};

/// The longest side of a photograph in which edges are looked for.
const SHRUNK: usize = 500;
/// The styles, which have different things around the cells.
const STYLES: [Style; 3] = [Style::Full, Style::Plain, Style::Large];
/// By how much, as a ratio, perspective changes the ratio of width and height at most.
const MOST_CHANGED: f32 = 1.15;
/// The least correlation of a board and what is at its place.
const LEAST_RESEMBLANCE: f32 = 0.15;
/// Every how many pixels of a mean are compared.
const STEP: usize = 3;

/// What may be whole pictures on a screen, in pixels of the photograph.
pub(super) struct Outlines<'a> {
    picture: &'a Pyramid,
    all: Vec<Quadrilateral>,
}

impl<'a> Outlines<'a> {
    pub(super) fn new(picture: &'a Pyramid) -> Outlines<'a> {
        let (small, by) = shrunk(&picture.full().planes[0], SHRUNK);
        let all = quadrilaterals(&small).into_iter();
        Outlines { picture, all: all.map(|corners| corners.map(|(x, y)| (x / by, y / by))).collect() }
    }

    /// The places of a kind of board whose picture they may be.
    pub(super) fn places(&self, key: &LookKey, mean: &Mean, kind: &Kind) -> Vec<Place> {
        let mut places = Vec::new();
        for drawing in drawings(key, kind) {
            for corners in &self.all {
                places.extend(self.place(&drawing, corners, mean));
            }
        }
        places
    }

    /// The place of a board if a drawing has these corners; `None` if it hardly can.
    fn place(&self, drawing: &Drawing, corners: &Quadrilateral, mean: &Mean) -> Option<Place> {
        let (width, height) = drawing.size;
        let [a, b, c, d] = corners;
        let length = |(x, y): &(f32, f32), (u, v): &(f32, f32)| (u - x).hypot(v - y);
        let changed = (length(a, b) + length(d, c)) / (length(a, d) + length(b, c)) / (width / height);
        if !(1.0 / MOST_CHANGED..MOST_CHANGED).contains(&changed) {
            return None;
        }
        let drawn = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
        let whole = Projection::between(drawn, *corners)?;
        let projection = mean.geometry.over(&drawing.geometry, &whole);
        let resemblance = mean.resemblance_at(self.picture, &projection, STEP);
        (resemblance > LEAST_RESEMBLANCE).then_some(Place { projection, misfit: 1.0 - resemblance })
    }
}

/// The size of a drawing, and where its cells are.
struct Drawing {
    size: (f32, f32),
    geometry: Geometry,
}

/// The drawings of a kind of board that differ in what is around the cells.
fn drawings(key: &LookKey, kind: &Kind) -> Vec<Drawing> {
    /// The width of the drawings.
    const WIDTH: u32 = 180;
    let mut all: Vec<Drawing> = Vec::new();
    for start in kind.starts() {
        for style in STYLES {
            let options = LookKey { style, ..*key }.options();
            let Some(drawing) = drawing(start.as_ref(), &options, WIDTH) else { continue };
            let is_same = |other: &Drawing| {
                let (a, b) = (other.geometry.centres[0], drawing.geometry.centres[0]);
                other.size == drawing.size && (a.x, a.y) == (b.x, b.y)
            };
            if !all.iter().any(is_same) {
                all.push(drawing);
            }
        }
    }
    all
}

fn drawing(play: &dyn Play, options: &DrawOptions, width: u32) -> Option<Drawing> {
    let geometry = Geometry::new(play, options, width)?;
    let height = play.scene(options).height * geometry.unit;
    Some(Drawing { size: (width as f32, height), geometry })
}
