//! Whether a board is a part of a larger one, whose cells go on beyond it.

use rookery_core::scene::Point;

use super::Reader;
use super::cache::LookKey;
use super::candidate::Candidate;
use super::photograph_candidate::PhotographCandidate;
use crate::compare::{distance, patch};
use crate::geometry::Geometry;
use crate::light::within;
use crate::look::Look;
use crate::plane::Pyramid;
use crate::projection::Projection;

/// A place looks like a cell if it differs from its drawing by less. Most cells of larger boards, which are drawn smaller, differ by
/// less than 110; what is around a whole board differs by 144 or more (least around Amazons on paper).
const LIKE_A_CELL: f32 = 120.0;
/// The same in a photograph, where this is compared in small. A fifth of the places around a part of a larger board differed by less
/// than 270; around whole boards by 450 or more, in `read_spoiled wide only=Screen 97000 24`, except around Amazons on paper, where it
/// is like light squares.
const LIKE_A_PHOTOGRAPHED_CELL: f32 = 340.0;
/// The least share of the places around a board that look like cells if it is a part of a larger one: a board in the corner of one
/// with another row and column has about a half, one at its side a quarter.
const MIN_SHARE: f32 = 0.2;

impl Reader {
    /// Whether the places around a board look like cells. Not known in games whose pieces cover more than their cell.
    pub(super) fn is_part_of_larger(
        &self,
        key: LookKey,
        look: &Look,
        projection: &Projection,
        picture: &Pyramid,
    ) -> bool {
        let Some(kind) = self.cache.kind(key.board) else { return false };
        if kind.has_figures() {
            return false;
        }
        // Where a tile is gone, a cell looks like what is around the board.
        let templates = look.templates(kind, &self.cache.painter).iter();
        let telling: Vec<_> =
            templates.filter(|template| look.geometry.is_checkered || !template.content.is_empty()).collect();
        // The places next to the board reach one and a half cells beyond its outer centres.
        let margin = (look.geometry.lattice.pitch * 1.6).ceil();
        let around = look.flattened_around(picture, projection, margin as usize).blurred(1);
        let places = places_around(&look.geometry);
        let looks_like_a_cell = |(at, _): &&(Point, usize)| {
            let patch = look.patch_around(&around, Point { x: at.x + margin, y: at.y + margin });
            telling.iter().any(|template| distance(&patch, &template.patch) < LIKE_A_CELL)
        };
        let alike = places.iter().filter(looks_like_a_cell).count();
        alike as f32 >= MIN_SHARE * places.len() as f32
    }
}

impl PhotographCandidate {
    /// The same for a board in a photograph.
    pub(super) fn is_part_of_larger(&self, picture: &Pyramid) -> bool {
        let Candidate { mean, place, .. } = &self.found;
        if self.found.has_figures() {
            return false;
        }
        let pixel_at = picture.sampler(place.projection.scale());
        let pixel = |(u, v): (f32, f32)| self.exposure.corrected(pixel_at(u, v), within(picture, u, v));
        // How much a place differs from a cell of its shade; nothing of one that is beyond the picture.
        let difference = |(at, shade): (Point, usize)| {
            let points: Vec<(f32, f32)> =
                mean.cells.pixels(at).map(|(x, y)| place.projection.at(x, y)).collect();
            let is_shown = points.iter().all(|at| picture.shows(*at));
            let seen = || patch(points.into_iter().map(pixel));
            is_shown.then(|| (shade, mean.cells.least_distance(&mean.geometry, shade, &seen())))
        };
        let all: Vec<(usize, f32)> =
            places_around(&mean.geometry).into_iter().filter_map(difference).collect();
        // What is around a board may look like empty cells, but not like those of both shades.
        let shades = if mean.geometry.is_checkered { 0..2 } else { 0..1 };
        shades.into_iter().all(|shade| {
            let differences = || all.iter().filter(move |(of, _)| *of == shade).map(|(_, apart)| *apart);
            let alike = differences().filter(|apart| *apart < LIKE_A_PHOTOGRAPHED_CELL).count();
            alike > 0 && alike as f32 >= MIN_SHARE * differences().count() as f32
        })
    }
}

/// The places next to a board where a larger one has cells, in pixels of the drawing, and the shades of these cells.
fn places_around(geometry: &Geometry) -> Vec<(Point, usize)> {
    let lattice = geometry.lattice;
    let count = lattice.arrangement.directions();
    let turn = std::f32::consts::TAU / count as f32;
    let mut places: Vec<(Point, usize)> = Vec::new();
    for (cell, own) in geometry.centres.iter().zip(geometry.board.cells()) {
        for n in 0..count {
            let (sin, cos) = (lattice.angle + turn * n as f32).sin_cos();
            let at = Point { x: cell.x + cos * lattice.pitch, y: cell.y + sin * lattice.pitch };
            let is_near = |other: &Point| (other.x - at.x).hypot(other.y - at.y) < geometry.half;
            if !geometry.centres.iter().any(is_near) && !places.iter().any(|(at, _)| is_near(at)) {
                let shade = if geometry.is_checkered { 1 - geometry.shade(own) } else { 0 };
                places.push((at, shade));
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use rookery_core::Seat;
    use rookery_core::scene::Style;

    use super::*;
    use crate::kind::BOARDS;
    use crate::plane::Colours;

    /// Whether a board's first cell at the first cell of a picture of another board makes it a part of that one.
    fn is_part(reader: &Reader, [smaller, larger]: [usize; 2], theme: &'static str) -> bool {
        let key = |board| LookKey { board, theme, style: Style::Full, patterns: false, side: Seat::FIRST };
        let [look, other] = [smaller, larger].map(|board| reader.cache.look(key(board)).expect("a look"));
        let start = reader.cache.kind(larger).expect("a kind of board").starts()[0].as_ref();
        // About half as wide as boards are sent.
        let width = 540;
        let drawing = reader.cache.painter.picture(&start.scene(&other.options), width);
        let picture = Pyramid::new(Colours::drawn(&drawing));
        let geometry = Geometry::new(start, &other.options, width).expect("cells");
        let scale = geometry.lattice.pitch / look.geometry.lattice.pitch;
        let [from, to] = [&look.geometry, &geometry].map(|geometry| geometry.centres[0]);
        let place = Projection::similar(scale, 0.0, to.x - from.x * scale, to.y - from.y * scale);
        reader.is_part_of_larger(key(smaller), &look, &place, &picture)
    }

    /// The boards of a game, the smallest first.
    fn boards(reader: &Reader, game: &str) -> Vec<usize> {
        let mut boards: Vec<usize> = (0..BOARDS.len()).filter(|board| BOARDS[*board].game == game).collect();
        boards.sort_by_key(|board| {
            let kind = reader.cache.kind(*board).expect("a kind of board");
            kind.starts()[0].board().cells().count()
        });
        boards
    }

    #[test]
    fn a_board_in_the_corner_of_a_larger_one_is_a_part_of_it() {
        let reader = Reader::new();
        for (game, theme) in [("amazons", "walnut"), ("paper_penguins", "contrast")] {
            let boards = boards(&reader, game);
            for larger in &boards[1..] {
                assert!(is_part(&reader, [boards[0], *larger], theme), "{:?}", BOARDS[*larger]);
            }
        }
    }

    #[test]
    fn a_whole_board_is_no_part_in_any_theme() {
        let reader = Reader::new();
        for game in ["amazons", "penguins", "amazon_penguins", "paper_penguins"] {
            let board = boards(&reader, game)[0];
            for theme in rookery_games::named(game).expect(game).themes() {
                assert!(!is_part(&reader, [board, board], theme.name), "{game} in {}", theme.name);
            }
        }
    }
}
