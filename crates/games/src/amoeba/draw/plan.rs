//! Where everything lies: rows of points in a dish, the viewer's side at the bottom.

use rookery_core::Cell;
use rookery_core::scene::{DrawOptions, Point, Style, pt};

use super::super::rules::{Side, board};

/// Width and height of the picture.
pub(super) const WIDTH: f32 = 1050.0;
/// See [`WIDTH`].
pub(super) const HEIGHT: f32 = 905.0;
/// From a point to the next in its row, and from row to row.
pub(super) const STEP: f32 = 134.0;
const ROW: f32 = 116.047;
/// The middle point, `d4`.
pub(super) const MIDDLE: Point = pt(525.0, 452.142);

/// How the board is turned and how much is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Whether the side that starts at the top is looking.
    pub(super) flipped: bool,
    /// Whether numerals and names are as large as can be.
    pub(super) large: bool,
    /// Whether nothing but board, names and pieces is wanted.
    pub(super) plain: bool,
    /// Whether patterns mark the sides too.
    pub(super) patterns: bool,
}

impl Plan {
    /// A plan from the view of this side.
    pub(super) fn new(side: Side, look: &DrawOptions) -> Plan {
        Plan {
            flipped: side == Side::Top,
            large: look.style == Style::Large,
            plain: look.style == Style::Plain,
            patterns: look.patterns,
        }
    }

    /// Where a point is.
    pub(super) fn centre(&self, cell: Cell) -> Point {
        let (col, row) = board().place(cell);
        let (col, row) = (f32::from(col), f32::from(row));
        let width = 6.0 - (row - 3.0).abs();
        let (x, y) = ((col - width / 2.0) * STEP, (3.0 - row) * ROW);
        let sense = if self.flipped { -1.0 } else { 1.0 };
        pt(MIDDLE.x + sense * x, MIDDLE.y + sense * y)
    }

    /// In which of eight directions, clockwise from up, one point lies from another.
    pub(super) fn heading(&self, from: Cell, to: Cell) -> u8 {
        let (from, to) = (self.centre(from), self.centre(to));
        let degrees = (to.x - from.x).atan2(from.y - to.y).to_degrees();
        (degrees.rem_euclid(360.0) / 45.0).round() as u8 % 8
    }

    /// The names of the points at both ends of each row, and where to write them.
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

    /// Symbols that are drawn differently at this size have a different name.
    pub(super) fn suffix(&self) -> &'static str {
        if self.large { "large" } else { "full" }
    }
}
