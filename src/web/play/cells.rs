//! Where the cells of a board are on its drawing, so that they can be touched.

use std::sync::{Arc, LazyLock};

use quick_cache::sync::Cache;
use rookery_core::board::Shape;
use rookery_core::scene::{DrawOptions, Point};
use rookery_core::{Play, cell_centres};

/// The most boards whose geometry is kept; there are fewer kinds.
const MAX_BOARDS: usize = 256;

/// The cells of a board as drawn for a viewer.
#[derive(Debug)]
pub(in crate::web) struct Cells {
    /// The centre of each cell.
    pub(in crate::web) centres: Vec<Point>,
    /// The corners of a cell, as distances from its centre.
    pub(in crate::web) corners: Vec<Point>,
}

/// Returns the cells of a board; `None` if a cell can't be found on the drawing.
pub(in crate::web) fn cells(play: &dyn Play, look: &DrawOptions) -> Option<Arc<Cells>> {
    static GEOMETRY_CACHE: LazyLock<Cache<String, Arc<Cells>>> = LazyLock::new(|| Cache::new(MAX_BOARDS));
    let (key, seats) = (play.info().key, play.seats());
    let key =
        format!("{key} {:?} {seats} {:?} {:?} {}", play.board().shape(), look.side, look.style, look.strip);
    if let Some(known) = GEOMETRY_CACHE.get(&key) {
        return Some(known);
    }
    let found = Arc::new(located(play, look)?);
    GEOMETRY_CACHE.insert(key, found.clone());
    Some(found)
}

fn located(play: &dyn Play, look: &DrawOptions) -> Option<Cells> {
    let centres = cell_centres(play, look)?;
    let corners = corners(play, &centres)?;
    Some(Cells { centres, corners })
}

/// The corners of a cell: of a square between its neighbours, or of a hexagon with a point at the top.
fn corners(play: &dyn Play, centres: &[Point]) -> Option<Vec<Point>> {
    let board = play.board();
    let towards = |col, row| {
        let (from, to) = (board.at(0, 0)?, board.at(col, row)?);
        let (from, to) = (centres[from.index()], centres[to.index()]);
        Some(Point { x: to.x - from.x, y: to.y - from.y })
    };
    match board.shape() {
        Shape::Square { .. } => {
            let right = towards(1, 0)?;
            let up = towards(0, 1).unwrap_or(Point { x: right.y, y: -right.x });
            let corner = |a: f32, b: f32| Point { x: right.x * a + up.x * b, y: right.y * a + up.y * b };
            Some(vec![corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)])
        }
        Shape::Island | Shape::Hexagon { .. } => {
            let distance = nearest(centres)?;
            let radius = distance / 3.0_f32.sqrt();
            let corner = |sixth: u8| {
                let angle = (f32::from(sixth) * 60.0 + 30.0).to_radians();
                Point { x: radius * angle.cos(), y: radius * angle.sin() }
            };
            Some((0..6).map(corner).collect())
        }
    }
}

/// The distance between neighbours.
fn nearest(centres: &[Point]) -> Option<f32> {
    let (first, rest) = centres.split_first()?;
    let distances = rest.iter().map(|other| (other.x - first.x).hypot(other.y - first.y));
    distances.min_by(f32::total_cmp)
}

#[cfg(test)]
mod tests {
    use rookery_core::Seat;
    use rookery_core::rules::Setup;
    use rookery_core::scene::Style;

    use super::*;

    /// Every game, size, side and style: all centres are on the drawing and as far apart as the cells are wide.
    #[test]
    fn cells_of_every_board_are_found_and_do_not_overlap() {
        for game in rookery_games::all() {
            for seats in game.info().seats {
                for (side, style) in
                    Seat::all(*seats).zip([Style::Full, Style::Large, Style::Full, Style::Large])
                {
                    let play = game.start(&Setup::new(*seats)).unwrap();
                    let look = DrawOptions { style, strip: false, ..DrawOptions::from_seat(side) };
                    let at = format!("{} for {seats} from {side:?} {style:?}", game.info().key);
                    let cells = cells(play.as_ref(), &look).unwrap_or_else(|| panic!("{at}"));
                    assert_eq!(cells.centres.len(), play.board().len(), "{at}");
                    let scene = play.scene(&look);
                    let inner = cells.corners.iter().map(|corner| corner.x.hypot(corner.y));
                    let radius = inner.fold(0.0, f32::max);
                    assert!(radius > 30.0, "{at}: large enough to touch, {radius}");
                    for (n, a) in cells.centres.iter().enumerate() {
                        assert!(a.x > 0.0 && a.x < scene.width && a.y > 0.0 && a.y < scene.height, "{at}");
                        for b in &cells.centres[..n] {
                            assert!((a.x - b.x).hypot(a.y - b.y) > radius * 1.3, "{at}: {a:?} {b:?}");
                        }
                    }
                }
            }
        }
    }
}
