//! How the cells of a kind of board are drawn in small: enough to say whether the board is there, and to find the light of a
//! photograph.

use rookery_core::Cell;
use rookery_core::scene::Point;

use crate::compare::{Patch, distance, distance_in_light, patch};
use crate::content::Content;
use crate::geometry::Geometry;
use crate::plane::{Colours, Run};

/// The most drawings of one content on one shade.
const MAX_OF_CONTENT: usize = 10;
/// The least difference of a further drawing of a content to those that are known.
const OTHER: f32 = 30.0;
/// About how many pixels of a cell are compared.
const PIXELS: usize = 110;

/// The drawings of cells in one size, without what tells their contents apart in detail.
pub(crate) struct SmallCells {
    /// The pixels of a cell that are compared, from its centre.
    offsets: Vec<(f32, f32)>,
    drawings: Vec<SmallDrawing>,
}

struct SmallDrawing {
    content: Content,
    shade: usize,
    patch: Patch,
}

impl SmallCells {
    /// The cells of drawings, each with the contents of its cells.
    pub(crate) fn new(
        geometry: &Geometry,
        drawn: impl Iterator<Item = (Vec<Content>, Colours)>,
    ) -> SmallCells {
        let offsets: Vec<(f32, f32)> = geometry.cell_pixels().iter().flat_map(Run::offsets).collect();
        let step = offsets.len().div_ceil(PIXELS);
        let offsets = offsets.into_iter().step_by(step).collect();
        let mut cells = SmallCells { offsets, drawings: Vec::new() };
        for (contents, picture) in drawn {
            for (cell, content) in geometry.board.cells().zip(&contents) {
                cells.learn(geometry, &picture, cell, content);
            }
        }
        cells
    }

    fn learn(&mut self, geometry: &Geometry, picture: &Colours, cell: Cell, content: &Content) {
        let shade = geometry.shade(cell);
        let alike = || self.drawings.iter().filter(|it| it.shade == shade && it.content == *content);
        if alike().count() >= MAX_OF_CONTENT {
            return;
        }
        let at = geometry.centres[cell.index()];
        let patch = patch(self.pixels(at).map(|(x, y)| picture.sample(x, y)));
        if alike().all(|known| distance(&patch, &known.patch) > OTHER) {
            self.drawings.push(SmallDrawing { content: content.clone(), shade, patch });
        }
    }

    /// The pixels that are compared of a cell with this centre, in the order of the drawings.
    pub(crate) fn pixels(&self, centre: Point) -> impl Iterator<Item = (f32, f32)> + '_ {
        self.offsets.iter().map(move |(x, y)| (centre.x + x, centre.y + y))
    }

    /// How much a place differs at least from a cell of a shade. Empty cells are left out, unless they are of two shades: where a tile
    /// is gone, a cell looks like what is around the board.
    pub(crate) fn least_distance(&self, geometry: &Geometry, shade: usize, seen: &Patch) -> f32 {
        let of_shade = self.drawings.iter().filter(|it| it.shade == shade);
        let telling = of_shade.filter(|it| geometry.is_checkered || !it.content.is_empty());
        telling.map(|drawing| distance(seen, &drawing.patch)).fold(f32::MAX, f32::min)
    }

    /// The drawings of cells of the shade of this one.
    pub(crate) fn of_shade(&self, geometry: &Geometry, cell: Cell) -> Vec<&Patch> {
        let shade = geometry.shade(cell);
        self.drawings.iter().filter(|drawing| drawing.shade == shade).map(|drawing| &drawing.patch).collect()
    }
}

/// Sorts drawings by how much a cell differs from them, if what it differs by everywhere counts this much, and leaves some.
pub(crate) fn leave_nearest(drawings: &mut Vec<&Patch>, seen: &Patch, counts: f32, most: usize) {
    let mut all: Vec<(f32, &Patch)> =
        drawings.drain(..).map(|drawing| (distance_in_light(seen, drawing, counts), drawing)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    drawings.extend(all.into_iter().take(most).map(|(_, drawing)| drawing));
}

#[cfg(test)]
mod tests {
    use rookery_core::Seat;
    use rookery_core::scene::DrawOptions;
    use rookery_render::Painter;

    use super::*;
    use crate::kind::{BOARDS, Kind};
    use crate::mean::Mean;

    /// Half of the boards that differ by letters alone are drawn from the other side, where cells are numbered in reverse.
    #[test]
    fn no_drawing_stands_for_two_contents() {
        let painter = Painter::new();
        for game in ["amazons", "penguins", "amazon_penguins", "paper_penguins"] {
            let board = BOARDS.iter().find(|board| board.game == game).expect("the game");
            let kind = Kind::new(board).expect("games");
            let mean = Mean::new(&kind, &DrawOptions::from_seat(Seat::FIRST), &painter).expect("a mean");
            let all = &mean.cells.drawings;
            assert!(all.len() > 5, "{game}: {}", all.len());
            for (n, a) in all.iter().enumerate() {
                for b in all[..n].iter().filter(|b| b.shade == a.shade && b.content != a.content) {
                    let apart = distance(&a.patch, &b.patch);
                    assert!(apart > 5.0, "{game}: {:?} and {:?} differ by {apart}", a.content, b.content);
                }
            }
        }
    }
}
