//! Layout of the cells of a floe on its scene.

use rookery_core::board::{Board, Shape as BoardShape};
use rookery_core::scene::{DrawOptions, Outline, Point, Shape, Style, ink, pt};
use rookery_core::{Cell, Seat};

/// The width of every scene.
pub(crate) const WIDTH: f32 = 1050.0;
/// The height of the strip with the chips, if there is one.
pub(crate) const STRIP: f32 = 76.0;

/// The layout of a scene. Art is made for cells 120 wide; one such unit is `unit` board units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) board: &'static Board,
    pub(crate) unit: f32,
    pub(crate) height: f32,
    pub(crate) strip: bool,
    pub(crate) large: bool,
    /// Whether the board is rotated by half a turn.
    pub(crate) flipped: bool,
    /// Whether patterns distinguish the sides as well.
    pub(crate) patterns: bool,
    /// The centre of the cell a1, as seen from the first seat.
    base: Point,
    /// The distance between columns and between rows.
    step: (f32, f32),
    island: bool,
}

impl Plan {
    /// The plan of a board for a viewer.
    pub(crate) fn new(board: &'static Board, look: &DrawOptions) -> Plan {
        let (strip, large) = (look.style == Style::Full && look.strip, look.style == Style::Large);
        let flipped = look.side == Seat::SECOND;
        let plan = match board.shape() {
            BoardShape::Square { w, h } => Plan::square(board, w, h, strip, large, flipped),
            _ => Plan::island(board, strip, large, flipped),
        };
        Plan { patterns: look.patterns, ..plan }
    }

    /// Rows of eight and seven hexagons, 120 wide, 103.9 between rows. The large version needs no row numbers: every
    /// tile has its name on it.
    fn island(board: &'static Board, strip: bool, large: bool, flipped: bool) -> Plan {
        let unit = if large { 1.075 } else { 1.0 };
        let (top, foot) = (if strip { STRIP } else { 4.0 }, 18.0);
        let step = (120.0 * unit, 103.923 * unit);
        let (half, rows) = (69.28 * unit, 7.0 * step.1);
        let y = top + 16.0 + half + rows;
        let base = pt((WIDTH - 7.0 * step.0) / 2.0, y);
        let height = (y + half + 6.0 + foot).ceil();
        Plan { board, unit, height, strip, large, flipped, patterns: false, base, step, island: true }
    }

    /// Squares as large as fit, with letters below and numbers on both sides.
    fn square(board: &'static Board, w: u8, h: u8, strip: bool, large: bool, flipped: bool) -> Plan {
        let margin = if large { 70.0 } else { 45.0 };
        let (top, foot) = (if strip { STRIP + 8.0 } else { margin }, if large { 70.0 } else { 42.0 });
        let most = if strip { 924.0 } else { WIDTH - 2.0 * margin };
        let cell = (most / f32::from(w.max(h))).floor();
        let (across, along) = (cell * f32::from(w), cell * f32::from(h));
        let base = pt((WIDTH - across + cell) / 2.0, top + along - cell / 2.0);
        let (unit, height) = (cell / 120.0, top + along + foot);
        let step = (cell, cell);
        Plan { board, unit, height, strip, large, flipped, patterns: false, base, step, island: false }
    }

    /// The plan moved down, to make room above it.
    pub(crate) fn lowered(mut self, by: f32) -> Plan {
        self.base.y += by;
        self.height += by;
        self
    }

    /// The unit of lines, dots and letters that must be visible on the smallest cells too.
    pub(crate) fn thick(&self) -> f32 {
        self.unit.max(0.85)
    }

    /// The plan with the board scaled about its middle; everything around it keeps its size.
    pub(crate) fn scaled(mut self, by: f32) -> Plan {
        let (cols, rows) = self.extent();
        let (right, up) = (cols * self.step.0 / 2.0, rows * self.step.1 / 2.0);
        self.base = pt(self.base.x + right * (1.0 - by), self.base.y - up * (1.0 - by));
        self.step = (self.step.0 * by, self.step.1 * by);
        self.unit *= by;
        self
    }

    /// The parts of a straight path between the centres of two cells that keep the distance `ends` from both ends and
    /// `clear` from the centres of the cells between.
    pub(crate) fn parts(&self, (from, to): (Cell, Cell), ends: (f32, f32), clear: f32) -> Vec<[Point; 2]> {
        let [start, end] = [from, to].map(|cell| self.centre(cell));
        let length = (end.x - start.x).hypot(end.y - start.y);
        let off = |at: Point| (at.x - start.x).hypot(at.y - start.y);
        let between = self.board.lines().between(from, to);
        let mut stops: Vec<f32> = between.iter().map(|cell| off(self.centre(cell))).collect();
        stops.sort_by(f32::total_cmp);
        let begin = std::iter::once(ends.0).chain(stops.iter().map(|stop| stop + clear));
        let until = stops.iter().map(|stop| stop - clear).chain([length - ends.1]);
        let seen = begin.zip(until).filter(|(begin, until)| begin < until);
        seen.map(|(begin, until)| [begin, until].map(|off| start.towards(end, off))).collect()
    }

    /// Whether a path between two cells is diagonal on squares, whose corners are farther away than their sides.
    pub(crate) fn is_slanted(&self, from: Point, to: Point) -> bool {
        !self.island && (from.x - to.x).abs() > 1.0 && (from.y - to.y).abs() > 1.0
    }

    /// Whether the cells are hexagons.
    pub(crate) fn is_island(&self) -> bool {
        self.island
    }

    /// The centre of a cell.
    pub(crate) fn centre(&self, cell: Cell) -> Point {
        let (col, row) = self.board.place(cell);
        self.middle(f32::from(col) + self.shift(row), f32::from(row))
    }

    /// By how many columns a row is shifted to the right.
    fn shift(&self, row: u8) -> f32 {
        if self.island { f32::from(row % 2) / 2.0 } else { 0.0 }
    }

    fn middle(&self, across: f32, up: f32) -> Point {
        let (cols, rows) = self.extent();
        let (across, up) = if self.flipped { (cols - across, rows - up) } else { (across, up) };
        pt(self.base.x + across * self.step.0, self.base.y - up * self.step.1)
    }

    /// The number of steps from the first to the last column and row.
    fn extent(&self) -> (f32, f32) {
        match self.board.shape() {
            BoardShape::Square { w, h } => (f32::from(w) - 1.0, f32::from(h) - 1.0),
            _ => (7.0, 7.0),
        }
    }

    /// The cells in painting order, lower ones on the picture first: the feet of tiles overlap the tiles below.
    pub(crate) fn painting_order(&self) -> Vec<Cell> {
        let cells = self.board.cells();
        if self.flipped { cells.rev().collect() } else { cells.collect() }
    }

    /// The outline of a tile around a point, `grow` units wider on all sides than its face.
    pub(crate) fn plate(&self, at: Point, grow: f32) -> Shape {
        if self.island {
            return hexagon(at, 65.28 * self.unit + grow * 1.1547);
        }
        let half = self.step.0 / 2.0 - 4.0 * self.unit.max(0.7) + grow;
        let corner = pt(at.x - half, at.y - half);
        let round = (9.0 * self.unit + grow).max(2.0);
        Shape::new(Outline::Rect { corner, w: 2.0 * half, h: 2.0 * half, round })
    }

    /// The side of a square, or the width of a hexagon.
    pub(crate) fn cell(&self) -> f32 {
        self.step.0
    }

    /// Half the box that contains a cell's art.
    pub(crate) fn half(&self) -> (f32, f32) {
        (self.step.0 / 2.0 + 2.0, if self.island { 80.0 * self.unit } else { self.step.1 / 2.0 + 8.0 })
    }

    /// Letters and numbers beside the board: text, position, size.
    pub(crate) fn coordinates(&self) -> Vec<(String, Point, f32)> {
        if self.island {
            return if self.large { Vec::new() } else { self.row_numbers() };
        }
        let size = if self.large { 52.0 } else { 30.0 };
        let (cols, rows) = self.extent();
        let (first, last) = (self.base.x - self.step.0 / 2.0, self.base.x + (cols + 0.5) * self.step.0);
        let side = (if self.large { 38.0 } else { 26.0_f32 }).min(first - 16.0);
        let mut all = Vec::new();
        for row in 0..=rows as u8 {
            let y = self.middle(0.0, row.into()).y;
            all.extend([first - side, last + side].map(|x| ((row + 1).to_string(), pt(x, y), size)));
        }
        let below = self.base.y + self.step.1 / 2.0 + if self.large { 38.0 } else { 22.0 };
        let above = self.base.y - (rows + 0.5) * self.step.1 - if self.large { 36.0 } else { 22.0 };
        for col in 0..=cols as u8 {
            let (x, letter) = (self.middle(col.into(), 0.0).x, char::from(b'a' + col));
            all.push((letter.to_string(), pt(x, below), size));
            if !self.strip {
                all.push((letter.to_string(), pt(x, above), size));
            }
        }
        all
    }

    fn row_numbers(&self) -> Vec<(String, Point, f32)> {
        let number = |row: u8| {
            let y = self.middle(0.0, row.into()).y;
            ((row + 1).to_string(), pt(if row.is_multiple_of(2) { 20.0 } else { 50.0 }, y), 28.0)
        };
        (0..8).map(number).collect()
    }

    /// The suffix of stamps that are drawn with patterns.
    pub(crate) fn patterned(&self) -> &'static str {
        if self.patterns { "-patterned" } else { "" }
    }

    /// The suffix of stamps that depend on the plan.
    pub(crate) fn suffix(&self) -> String {
        let kind = if self.island { "hex" } else { "square" };
        format!("{kind}/{}{}", self.step.0, if self.large { "-large" } else { "" })
    }
}

/// An arrow to the left at a point, which marks the side to move. Pictures contain no words, to be independent of
/// language.
pub(crate) fn turn(at: Point) -> Shape {
    let corners =
        [(-20.0, 0.0), (0.0, -15.0), (0.0, -6.0), (20.0, -6.0), (20.0, 6.0), (0.0, 6.0), (0.0, 15.0)];
    let points = corners.map(|(x, y)| pt(at.x + x, at.y + y)).to_vec();
    Shape::polygon(points).fill(ink("turn")).stroke(ink("turn"), 3.0)
}

/// A hexagon with a corner at the top, by the distance of its corners from the middle.
fn hexagon(at: Point, radius: f32) -> Shape {
    let (wide, half) = (radius * 0.866_025_4, radius / 2.0);
    let corners = [(0.0, -radius), (wide, -half), (wide, half), (0.0, radius), (-wide, half), (-wide, -half)];
    Shape::polygon(corners.map(|(x, y)| pt(at.x + x, at.y + y)).to_vec())
}
