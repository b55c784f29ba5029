//! Where the cells of a kind of board are in its drawings.

use rookery_core::board::Shape;
use rookery_core::scene::{DrawOptions, Point};
use rookery_core::{Board, Cell, Play, cell_centres};

use crate::lattice::{Arrangement, Lattice};
use crate::plane::{Plane, Run};
use crate::projection::Projection;

/// The cells in drawings of one width, which is given when it is made.
pub(crate) struct Geometry {
    pub(crate) board: &'static Board,
    /// Pixels per unit of the board's drawing.
    pub(crate) unit: f32,
    /// The distance and direction of the cells in pixels.
    pub(crate) lattice: Lattice,
    /// Half the distance of neighbours in pixels.
    pub(crate) half: f32,
    /// The centre of each cell in pixels.
    pub(crate) centres: Vec<Point>,
    pub(crate) is_checkered: bool,
}

impl Geometry {
    /// The cells of a game's board in drawings that are `width` pixels wide. `None` if the game has no cells to tap.
    pub(crate) fn new(play: &dyn Play, options: &DrawOptions, width: u32) -> Option<Geometry> {
        let unit = width as f32 / play.scene(options).width;
        let centres = cell_centres(play, options)?;
        let centres: Vec<Point> = centres.iter().map(|at| Point { x: at.x * unit, y: at.y * unit }).collect();
        let lattice = lattice(play.board(), &centres)?;
        let is_checkered = play.info().key == "amazons";
        let half = lattice.pitch / 2.0;
        Some(Geometry { board: play.board(), unit, lattice, half, centres, is_checkered })
    }

    /// Whether all cells are within a picture of this size, but for a share of their width.
    pub(crate) fn is_inside(&self, projection: &Projection, (width, height): (f32, f32), slack: f32) -> bool {
        let off = self.half * (1.0 - slack);
        let corners = [(-off, -off), (off, -off), (-off, off), (off, off)];
        let mut all =
            self.centres.iter().flat_map(|at| corners.map(|(dx, dy)| projection.at(at.x + dx, at.y + dy)));
        all.all(|(x, y)| x >= 0.0 && y >= 0.0 && x <= width && y <= height)
    }

    /// How far each pixel of a drawing of this size is from the nearest centre of a cell, in distances of neighbours; infinite
    /// from one on.
    pub(crate) fn distances(&self, (width, height): (usize, usize)) -> Plane {
        let mut distances = Plane::new(width, height);
        distances.values.fill(f32::INFINITY);
        let pitch = self.lattice.pitch;
        let around =
            |at: f32, most: usize| ((at - pitch).max(0.0) as usize)..((at + pitch) as usize + 1).min(most);
        for centre in &self.centres {
            for y in around(centre.y, height) {
                for x in around(centre.x, width) {
                    let distance = (x as f32 + 0.5 - centre.x).hypot(y as f32 + 0.5 - centre.y) / pitch;
                    let nearest = &mut distances.values[y * width + x];
                    if distance < 1.0 {
                        *nearest = nearest.min(distance);
                    }
                }
            }
        }
        distances
    }

    /// The pixels that are nearer to a cell's centre than to those of its neighbours, but for a narrow edge: a cell, line by line.
    pub(crate) fn cell_pixels(&self) -> Vec<Run> {
        self.pixels_within(1.0 / 2.0 - 1.0 / 30.0)
    }

    /// The pixels around a cell's centre, line by line, up to this share of the distance to its neighbours.
    pub(crate) fn pixels_within(&self, share: f32) -> Vec<Run> {
        let lattice = self.lattice;
        let directions = lattice.arrangement.directions();
        let turn = std::f32::consts::TAU / directions as f32;
        let axes: Vec<(f32, f32)> =
            (0..directions).map(|n| (lattice.angle + turn * n as f32).sin_cos()).collect();
        let edge = lattice.pitch * share;
        let reach = lattice.pitch as i32;
        let is_inside =
            |x: i32, y: i32| axes.iter().all(|(sin, cos)| x as f32 * cos + y as f32 * sin <= edge);
        let run = |y: i32| {
            // The shape is convex.
            let left = (-reach..=reach).find(|x| is_inside(*x, y))?;
            let count = (left..=reach).take_while(|x| is_inside(*x, y)).count();
            Some(Run { y, left, count })
        };
        (-reach..=reach).filter_map(run).collect()
    }

    /// The shade of a cell: cells of the same shade look alike when empty.
    pub(crate) fn shade(&self, cell: Cell) -> usize {
        let (col, row) = self.board.place(cell);
        if self.is_checkered { usize::from((col + row) % 2) } else { 0 }
    }

    /// The projection of these drawings where the cells of others, which may differ in size and in what is around the cells,
    /// are by their own.
    pub(crate) fn over(&self, other: &Geometry, projection: &Projection) -> Projection {
        let ends = |of: &Geometry| [of.centres[0], of.centres[of.centres.len() - 1]];
        let ([a, b], [c, d]) = (ends(self), ends(other));
        let scale = (d.x - c.x).hypot(d.y - c.y) / (b.x - a.x).hypot(b.y - a.y);
        projection.after(&[scale, 0.0, c.x - a.x * scale, 0.0, scale, c.y - a.y * scale, 0.0, 0.0, 1.0])
    }
}

/// The direction and distance of the cell that is nearest to the first one.
fn lattice(board: &Board, centres: &[Point]) -> Option<Lattice> {
    let first = centres[0];
    let steps = centres[1..].iter().map(|other| (other.x - first.x, other.y - first.y));
    let (x, y) = steps.min_by(|a, b| a.0.hypot(a.1).total_cmp(&b.0.hypot(b.1)))?;
    let arrangement = match board.shape() {
        Shape::Square { .. } => Arrangement::Square,
        Shape::Island | Shape::Hexagon { .. } => Arrangement::Hexagonal,
    };
    let turn = 360.0 / arrangement.directions() as f32;
    let angle = (y.atan2(x).to_degrees() + turn / 3.0).rem_euclid(turn) - turn / 3.0;
    Some(Lattice { arrangement, pitch: x.hypot(y), angle: angle.round().to_radians(), score: 1.0 })
}
