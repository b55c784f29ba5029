//! How a sheet is printed: where its corners, its cells and its title are, in units of the sheet.

use std::ops::Range;
use std::sync::OnceLock;

use rookery_core::board::Shape;
use rookery_core::rules::{GameRules, Setup};
use rookery_core::scene::Scene;
use rookery_core::{Board, Cell};
use rookery_games::paper_penguins::{self, PaperPenguins};

use super::flat::UNITS;
use crate::plane::{Colours, Plane};

/// The width and height of a sheet.
pub(super) const PAGE: (f32, f32) = (1_050.0, 1_485.0);
/// The side of the square in each corner.
pub(super) const CORNER: f32 = 25.0;
/// The middles of the corners' squares, clockwise from the upper left.
pub(super) const CORNERS: [(f32, f32); 4] =
    [(47.5, 47.5), (1_002.5, 47.5), (1_002.5, 1_437.5), (47.5, 1_437.5)];
/// Where the title is.
const TITLE: Area = Area { x: 76.0..546.0, y: 46.0..110.0 };
/// Where people write their points, and where the rules name the number of pieces, which differs.
const WRITTEN: Range<f32> = 1_205.0..1_344.0;
/// The sides that a board can have.
const SIDES: std::ops::RangeInclusive<u8> = 3..=12;
/// Half the width of a printed grid line.
pub(super) const HALF_LINE: f32 = 2.0;

/// An upright rectangle.
struct Area {
    x: Range<f32>,
    y: Range<f32>,
}

/// The cells of a sheet of some size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    pub(super) columns: u8,
    pub(super) rows: u8,
    /// The left and upper edge of the board.
    pub(super) left: f32,
    pub(super) top: f32,
    /// The side of a cell.
    pub(super) cell: f32,
}

impl Grid {
    /// The grid of a size, by the plan of the sheet: cells as large as fit, scaled by 0.93 about the middle of the board,
    /// and room for the title above.
    fn new(columns: u8, rows: u8) -> Grid {
        let side = (960.0 / f32::from(columns.max(rows))).floor();
        let cell = side * 0.93;
        let left = (PAGE.0 - cell * f32::from(columns)) / 2.0;
        let top = 195.0 + (side - cell) * f32::from(rows) / 2.0;
        Grid { columns, rows, left, top, cell }
    }

    /// The grids of all sizes.
    pub(super) fn all() -> impl Iterator<Item = Grid> {
        SIDES.flat_map(|columns| SIDES.map(move |rows| Grid::new(columns, rows)))
    }

    pub(super) fn board(&self) -> &'static Board {
        Board::of(Shape::Square { w: self.columns, h: self.rows })
    }

    /// The middle of a cell.
    pub(super) fn centre(&self, cell: Cell) -> (f32, f32) {
        let (column, row) = self.board().place(cell);
        let middle = |n: u8| (f32::from(n) + 0.5) * self.cell;
        (self.left + middle(column), self.top + middle(self.rows - 1 - row))
    }

    /// The drawing of a sheet of this size, with all digits; `None` if the game has no such size.
    pub(super) fn drawing(&self) -> Option<Drawing> {
        let board = self.board();
        let points = |cell: Cell| cell.index() % 3 + 1;
        let rows = (0..self.rows).rev().map(|row| {
            let cells = (0..self.columns).filter_map(|column| board.at(column, row));
            cells.map(|cell| points(cell).to_string()).collect::<String>()
        });
        let scene = scene(self, rows.collect::<Vec<_>>().join("/"))?;
        let width = (PAGE.0 / UNITS) as u32;
        let colours = Colours::drawn(&rookery_render::render(&scene, width));
        // The first three cells have the three numbers.
        let digits = [0, 1, 2].map(|n| self.centre(Cell(n)));
        Some(Drawing { theme: scene.theme.name, colours, digits })
    }

    /// Whether a point is within `band` of a line of the grid.
    fn is_near_line(&self, (x, y): (f32, f32), band: f32) -> bool {
        let off = |at: f32| (at - (at / self.cell).round() * self.cell).abs();
        let (x, y) = (x - self.left, y - self.top);
        off(x) < band || off(y) < band
    }

    /// Whether a point is on the board or within `edge` of it.
    fn has(&self, (x, y): (f32, f32), edge: f32) -> bool {
        let within = |at: f32, count: u8| at > -edge && at < self.cell * f32::from(count) + edge;
        within(x - self.left, self.columns) && within(y - self.top, self.rows)
    }
}

fn scene(grid: &Grid, layout: String) -> Option<Scene> {
    let size = format!("{}x{}", grid.columns, grid.rows);
    let setup = Setup { layout: Some(layout), ..Setup::new(2).with("size", &size).with("pieces", "1") };
    Some(paper_penguins::sheet(&PaperPenguins::start(&setup).ok()?))
}

/// The drawing of a sheet, `UNITS` units a pixel.
pub(super) struct Drawing {
    pub(super) theme: &'static str,
    pub(super) colours: Colours,
    /// Where a 1, a 2 and a 3 are drawn, in units.
    pub(super) digits: [(f32, f32); 3],
}

impl Drawing {
    /// How dark each pixel is printed, 0 to 1.
    pub(super) fn ink(&self) -> Plane {
        let mut ink = self.colours.planes[0].clone();
        ink.values.iter_mut().for_each(|value| *value = 1.0 - *value / 255.0);
        ink
    }

    /// How much each pixel counts when the sheet is aligned: 1 on and beside print that all sheets of the size have alike,
    /// else 0.
    pub(super) fn weights(&self, grid: &Grid) -> Plane {
        const BESIDE: usize = 4;
        let mut weights = self.ink().largest_near(BESIDE);
        let width = weights.width;
        for (n, weight) in weights.values.iter_mut().enumerate() {
            let at = ((n % width) as f32 * UNITS, (n / width) as f32 * UNITS);
            let is_drawn_over = grid.has(at, 0.0) && !grid.is_near_line(at, BESIDE as f32 * UNITS);
            let is_same = *weight > 0.1 && !is_drawn_over && !WRITTEN.contains(&at.1);
            *weight = f32::from(u8::from(is_same));
        }
        weights
    }
}

/// The title of all sheets. It tells a sheet from other things with four squares, and its upper end from its lower one.
pub(super) struct Title {
    /// The places of the compared points in units.
    points: Vec<(f32, f32)>,
    /// How dark they are printed, less the mean, with a sum of squares of 1.
    print: Vec<f32>,
}

impl Title {
    /// The title; drawn once.
    pub(super) fn get() -> Option<&'static Title> {
        static TITLE: OnceLock<Option<Title>> = OnceLock::new();
        TITLE.get_or_init(Title::drawn).as_ref()
    }

    fn drawn() -> Option<Title> {
        /// The distance of the compared points in units.
        const STEP: f32 = 2.0;
        let ink = Grid::new(8, 8).drawing()?.ink().blurred(1);
        let count = |range: &Range<f32>| ((range.end - range.start) / STEP) as usize;
        let (across, down) = (count(&TITLE.x), count(&TITLE.y));
        let point = |n: usize| {
            (TITLE.x.start + (n % across) as f32 * STEP, TITLE.y.start + (n / across) as f32 * STEP)
        };
        let points: Vec<(f32, f32)> = (0..across * down).map(point).collect();
        let mut print: Vec<f32> = points.iter().map(|(x, y)| ink.sample(x / UNITS, y / UNITS)).collect();
        standardised(&mut print).then_some(Title { points, print })
    }

    /// How much a picture is like the title, -1 to 1, at the place that `brightness` is sampled from.
    pub(super) fn likeness(&self, brightness: impl Fn(f32, f32) -> f32) -> f32 {
        let mut seen: Vec<f32> = self.points.iter().map(|(x, y)| -brightness(*x, *y)).collect();
        if !standardised(&mut seen) {
            return 0.0;
        }
        seen.iter().zip(&self.print).map(|(seen, print)| seen * print).sum()
    }
}

/// Takes the mean off some values and scales them to a sum of squares of 1; false if they are all alike.
pub(super) fn standardised(values: &mut [f32]) -> bool {
    let mean = values.iter().sum::<f32>() / values.len() as f32;
    values.iter_mut().for_each(|value| *value -= mean);
    let norm = values.iter().map(|value| value * value).sum::<f32>().sqrt();
    values.iter_mut().for_each(|value| *value /= norm.max(f32::MIN_POSITIVE));
    norm > 1e-3
}

#[cfg(test)]
mod tests {
    use rookery_core::scene::{Item, Outline};

    use super::*;

    #[test]
    fn the_plan_is_that_of_the_drawn_sheets() {
        for grid in Grid::all() {
            let row = "1".repeat(grid.columns.into());
            let scene = scene(&grid, vec![row; grid.rows.into()].join("/")).expect("a sheet");
            assert_eq!((scene.width, scene.height), PAGE);
            let digits = scene.items.iter().filter_map(|item| match item {
                Item::Stamp(stamp, at) if stamp.name.contains("/number-") => Some((at.x, at.y)),
                _ => None,
            });
            let cells: Vec<Cell> = grid.board().cells().collect();
            assert_eq!(digits.clone().count(), cells.len());
            for ((x, y), cell) in digits.zip(cells) {
                let (a, b) = grid.centre(cell);
                assert!((x - a).hypot(y - b) < 0.1, "{grid:?} {cell:?}: {x} {y} is {a} {b}");
            }
        }
    }

    #[test]
    fn the_corners_are_those_of_the_drawn_sheets() {
        let scene = scene(&Grid::new(3, 3), "111/111/111".into()).expect("a sheet");
        let filled = scene.items.iter().filter_map(|item| match item {
            Item::Shape(shape) if shape.stroke.is_none() => Some(&shape.outline),
            _ => None,
        });
        let squares = filled.filter_map(|outline| match outline {
            Outline::Rect { corner, w, h, .. } if (*w, *h) == (CORNER, CORNER) => {
                Some((corner.x + w / 2.0, corner.y + h / 2.0))
            }
            _ => None,
        });
        let squares: Vec<(f32, f32)> = squares.collect();
        assert!(squares.len() == 4 && CORNERS.iter().all(|corner| squares.contains(corner)), "{squares:?}");
    }
}
