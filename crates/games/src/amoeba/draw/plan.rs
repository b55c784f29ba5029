//! Layout of the picture: rows of points in a dish, the viewer's side at the bottom.

use rookery_core::Cell;
use rookery_core::scene::{DrawOptions, Point, Style, pt};

use super::super::rules::{Side, board};

/// Width of the picture in board units.
pub(super) const WIDTH: f32 = 1050.0;
/// Height of the picture in board units.
pub(super) const HEIGHT: f32 = 905.0;
/// The distance between neighbouring points of a row, and between rows.
pub(super) const STEP: f32 = 134.0;
const ROW: f32 = 116.047;
/// The middle point, `d4`.
pub(super) const MIDDLE: Point = pt(525.0, 452.142);

/// Orientation of the board and level of detail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Whether the viewer is the side that starts at the top.
    pub(super) flipped: bool,
    /// Whether numerals and names are as large as possible.
    pub(super) large: bool,
    /// Whether only board, names and pieces are drawn.
    pub(super) plain: bool,
    /// Whether patterns distinguish the sides as well.
    pub(super) patterns: bool,
}

impl Plan {
    /// The plan for a viewer on this side.
    pub(super) fn new(side: Side, look: &DrawOptions) -> Plan {
        Plan {
            flipped: side == Side::Top,
            large: look.style == Style::Large,
            plain: look.style == Style::Plain,
            patterns: look.patterns,
        }
    }

    /// The position of a point.
    pub(super) fn centre(&self, cell: Cell) -> Point {
        let (col, row) = board().place(cell);
        let (col, row) = (f32::from(col), f32::from(row));
        let width = 6.0 - (row - 3.0).abs();
        let (x, y) = ((col - width / 2.0) * STEP, (3.0 - row) * ROW);
        let sense = if self.flipped { -1.0 } else { 1.0 };
        pt(MIDDLE.x + sense * x, MIDDLE.y + sense * y)
    }

    /// The direction, in eighths clockwise from up, from one point to another.
    pub(super) fn heading(&self, from: Cell, to: Cell) -> u8 {
        self.centre(from).heading(self.centre(to)).unwrap_or_default()
    }

    /// The names of the points at both ends of each row, and their positions.
    pub(super) fn labels(&self) -> Vec<(&'static str, Point)> {
        let rows = (0..7u8).flat_map(|row| {
            let width = 6 - row.abs_diff(3);
            [(0, -1.0), (width, 1.0)]
                .into_iter()
                .filter_map(move |(col, out)| Some((board().at(col, row)?, out)))
        });
        let label = |(cell, out): (Cell, f32)| {
            let at = self.centre(cell);
            let out = if self.flipped { -out } else { out };
            (board().name(cell), pt(at.x + out * if self.large { 73.0 } else { 74.0 }, at.y))
        };
        rows.map(label).collect()
    }

    /// The suffix of stamps that are drawn with patterns.
    pub(super) fn patterned(&self) -> &'static str {
        if self.patterns { "-patterned" } else { "" }
    }

    /// Symbols that depend on the text size need different names.
    pub(super) fn suffix(&self) -> &'static str {
        if self.large { "large" } else { "full" }
    }
}
