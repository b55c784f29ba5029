//! The layout of the picture: the board stands on a corner, with the viewer's Home at the bottom.

use rookery_core::scene::{DrawOptions, Point, Shape, Style, pt};
use rookery_core::{Cell, Dir};

use super::super::field::board;

/// Width of the picture in board units.
pub(super) const WIDTH: f32 = 1050.0;
/// Height of the picture in board units.
pub(super) const HEIGHT: f32 = 1042.0;
/// The distance between the centre of a square and its corner.
pub(super) const HALF: f32 = 57.983;
/// The crossing in the middle.
pub(super) const MIDDLE: Point = pt(525.0, 515.862);

/// Orientation of the board and level of detail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The number of quarter turns that bring the viewer's Home to the bottom.
    pub(super) quarters: u8,
    /// Whether coordinates are as large as possible.
    pub(super) large: bool,
    /// Whether only board, coordinates and pieces are drawn.
    pub(super) plain: bool,
    /// Whether patterns distinguish the families as well.
    pub(super) patterns: bool,
}

impl Plan {
    /// A plan for a viewer of a game of 2 or 4.
    pub(super) fn new(seats: usize, look: &DrawOptions) -> Plan {
        let quarters = (look.side.index() * 4 / seats % 4) as u8;
        let (large, plain) = (look.style == Style::Large, look.style == Style::Plain);
        Plan { quarters, large, plain, patterns: look.patterns }
    }

    /// Column and row as the viewer sees them: both 0 at the bottom.
    fn turned(&self, (col, row): (u8, u8)) -> (u8, u8) {
        match self.quarters {
            0 => (col, row),
            1 => (7 - row, col),
            2 => (7 - col, 7 - row),
            _ => (row, 7 - col),
        }
    }

    /// The centre of a square.
    pub(super) fn centre(&self, cell: Cell) -> Point {
        let (col, row) = self.turned(board().place(cell));
        let (col, row) = (f32::from(col), f32::from(row));
        pt(MIDDLE.x + (col - row) * HALF, MIDDLE.y + (7.0 - col - row) * HALF)
    }

    /// The angle of a direction in degrees, clockwise from up.
    pub(super) fn angle(&self, dir: Dir) -> f32 {
        45.0 * (dir as f32 - 1.0) - 90.0 * f32::from(self.quarters)
    }

    /// The angle of a direction in eighths of a turn.
    pub(super) fn eighths(&self, dir: Dir) -> u8 {
        (dir as u8 + 15 - 2 * self.quarters) % 8
    }

    /// The point at a distance from another in a direction.
    pub(super) fn off(&self, from: Point, dir: Dir, distance: f32) -> Point {
        let (sin, cos) = self.angle(dir).to_radians().sin_cos();
        pt(from.x + sin * distance, from.y - cos * distance)
    }

    /// The names along the four edges, their positions, and whether each is on a near edge.
    pub(super) fn labels(&self) -> Vec<(String, Point, bool)> {
        let near = if self.large { 60.0 } else { 54.0 };
        let mut labels = Vec::new();
        for cell in board().cells() {
            let at = self.centre(cell);
            let (col, row) = self.turned(board().place(cell));
            // Letters are along the edges that rise to the right in these orientations.
            let upright = self.quarters.is_multiple_of(2);
            let (along, across) = (name(cell, upright), name(cell, !upright));
            let put = |x: f32, y: f32| pt(at.x + x, at.y + y);
            if row == 0 {
                labels.push((along.clone(), put(near, near - 1.0), true));
            }
            if col == 0 {
                labels.push((across.clone(), put(-near, near - 1.0), true));
            }
            if row == 7 {
                labels.push((along, put(1.0 - near, 3.0 - near), false));
            }
            if col == 7 {
                labels.push((across, put(near - 1.0, 3.0 - near), false));
            }
        }
        labels
    }

    /// Symbols that depend on the text size need different names.
    pub(super) fn suffix(&self) -> &'static str {
        if self.large { "large" } else { "full" }
    }
}

/// The letter or the number of a square.
fn name(cell: Cell, letter: bool) -> String {
    let name = board().name(cell);
    if letter { name[..1].to_owned() } else { name[1..].to_owned() }
}

/// A square on its corner around a point, by the distance of its corners from the middle.
pub(super) fn diamond(at: Point, half: f32) -> Shape {
    let corners = [(0.0, -half), (half, 0.0), (0.0, half), (-half, 0.0)];
    Shape::polygon(corners.map(|(x, y)| pt(at.x + x, at.y + y)).to_vec())
}
