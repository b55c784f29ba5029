//! Where boards may be in a picture that shows the whole drawing of one, or in a photograph all cells: their edges say size, place and
//! perspective.

use rookery_core::Play;
use rookery_core::board::Shape;
use rookery_core::scene::{DrawOptions, Style};

use super::cache::LookKey;
use crate::align::Place;
use crate::geometry::Geometry;
use crate::kind::Kind;
use crate::mean::Mean;
use crate::plane::Pyramid;
use crate::projection::Projection;
use crate::quadrilateral::{Quadrilateral, quadrilaterals};
use crate::search::Light;

/// The longest side of a picture in which edges are looked for.
const SHRUNK: usize = 500;
/// By how much, as a ratio, perspective changes the ratio of width and height at most; and by how much corners that are a pixel
/// off change it without perspective.
const MAX_RATIO_CHANGE: f32 = 1.15;
const MAX_RATIO_ERROR: f32 = 1.04;
/// The least correlation of a board and what is at its place in a photograph.
const MIN_RESEMBLANCE: f32 = 0.05;
/// Every how many pixels of a mean are compared.
const STEP: usize = 3;

/// What may be whole drawings of boards in a picture, or all of their cells, in pixels of the picture.
pub(super) struct Outlines<'a> {
    picture: &'a Pyramid,
    /// The whole picture: a saved one is nothing but the drawing.
    whole: Quadrilateral,
    within: Vec<Quadrilateral>,
}

impl<'a> Outlines<'a> {
    pub(super) fn new(picture: &'a Pyramid) -> Outlines<'a> {
        let full = &picture.full().planes[0];
        let (small, by) = full.shrunk(SHRUNK);
        let within = quadrilaterals(&small).into_iter();
        let within = within.map(|corners| corners.map(|(x, y)| (x / by, y / by))).collect();
        Outlines { picture, whole: rectangle((0.0, 0.0), (full.width as f32, full.height as f32)), within }
    }

    /// Where drawings may be: which one of some, and its projection.
    pub(super) fn fits<'d>(&self, drawings: &'d [Drawing], light: Light) -> Vec<(&'d Drawing, Projection)> {
        let whole = (light == Light::Drawn).then_some(&self.whole);
        let corners = || whole.into_iter().chain(&self.within);
        let pairs = drawings.iter().flat_map(|drawing| corners().map(move |corners| (drawing, corners)));
        pairs
            .flat_map(|(drawing, corners)| drawing.fits(corners, light).map(move |fit| (drawing, fit)))
            .collect()
    }

    /// The place of a board by its outline; `None` if something else is there.
    pub(super) fn place(
        &self,
        (drawing, whole): &(&Drawing, Projection),
        mean: &Mean,
        light: Light,
    ) -> Option<Place> {
        let projection = mean.geometry.over(&drawing.geometry, whole);
        let misfit = match light {
            Light::Drawn => mean.misfit(self.picture, &projection, STEP),
            Light::Photographed => {
                let resemblance = mean.resemblance_at(self.picture, &projection, STEP).mean();
                (resemblance > MIN_RESEMBLANCE).then_some(1.0 - resemblance)?
            }
        };
        Some(Place { projection, misfit })
    }
}

/// The width against the height.
fn ratio([a, b, c, d]: &Quadrilateral) -> f32 {
    let length = |(x, y): &(f32, f32), (u, v): &(f32, f32)| (u - x).hypot(v - y);
    (length(a, b) + length(d, c)) / (length(a, d) + length(b, c))
}

/// The corners of an upright rectangle, by its upper left and lower right one.
fn rectangle((left, top): (f32, f32), (right, bottom): (f32, f32)) -> Quadrilateral {
    [(left, top), (right, top), (right, bottom), (left, bottom)]
}

/// The size of a drawing, and where its cells are.
pub(super) struct Drawing {
    size: (f32, f32),
    geometry: Geometry,
}

impl Drawing {
    /// Where the drawing is if it, or all of its cells, have these corners; nothing if they hardly can.
    fn fits(&self, corners: &Quadrilateral, light: Light) -> impl Iterator<Item = Projection> + use<> {
        let (most, cells) = match light {
            Light::Drawn => (MAX_RATIO_ERROR, None),
            Light::Photographed => (MAX_RATIO_CHANGE, self.outline_of_cells()),
        };
        let corners = *corners;
        let all = [Some(rectangle((0.0, 0.0), self.size)), cells].into_iter().flatten();
        all.filter_map(move |outline| {
            let changed = ratio(&corners) / ratio(&outline);
            (1.0 / most..most).contains(&changed).then(|| Projection::between(outline, corners))?
        })
    }

    /// The outline of all cells; the first and the last are in opposite corners. `None` if cells aren't squares.
    fn outline_of_cells(&self) -> Option<Quadrilateral> {
        let Geometry { board, half, centres, .. } = &self.geometry;
        let (first, last) = (centres.first()?, centres.last()?);
        let ends = |a: f32, b: f32| (a.min(b) - half, a.max(b) + half);
        let ((left, right), (top, bottom)) = (ends(first.x, last.x), ends(first.y, last.y));
        matches!(board.shape(), Shape::Square { .. }).then(|| rectangle((left, top), (right, bottom)))
    }
}

/// The drawings of a kind of board in some styles, as far as they differ in what is around the cells.
pub(super) fn drawings(key: &LookKey, kind: &Kind, styles: &[Style]) -> Vec<Drawing> {
    /// The width of the drawings.
    const WIDTH: u32 = 180;
    let mut all: Vec<Drawing> = Vec::new();
    for start in kind.starts() {
        for style in styles {
            let options = LookKey { style: *style, ..*key }.options();
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

#[cfg(test)]
mod tests {
    use rookery_core::Seat;

    use super::*;
    use crate::kind::BOARDS;

    #[test]
    fn the_outline_of_cells_is_that_of_squares_seen_from_both_sides() {
        for side in [Seat::FIRST, Seat::SECOND] {
            for (game, is_square) in [("amazons", true), ("paper_penguins", true), ("penguins", false)] {
                let board = BOARDS.iter().position(|board| board.game == game).expect("the game");
                let key = LookKey { board, theme: "contrast", style: Style::Full, patterns: false, side };
                let kind = Kind::new(&BOARDS[board]).expect("a kind of board");
                for drawing in drawings(&key, &kind, &[Style::Full, Style::Plain, Style::Large]) {
                    let Some([(left, top), _, (right, bottom), _]) = drawing.outline_of_cells() else {
                        assert!(!is_square, "{game}");
                        continue;
                    };
                    let Geometry { half, centres, .. } = &drawing.geometry;
                    let is_within = |at: &rookery_core::scene::Point| {
                        let (x, y) = (
                            left + half * 0.99..right - half * 0.99,
                            top + half * 0.99..bottom - half * 0.99,
                        );
                        x.contains(&at.x) && y.contains(&at.y)
                    };
                    assert!(is_square && centres.iter().all(is_within), "{game}");
                    assert!(left > 0.0 && top > 0.0 && right < drawing.size.0 && bottom < drawing.size.1);
                }
            }
        }
    }
}
