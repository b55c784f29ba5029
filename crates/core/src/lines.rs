//! Straight lines on a board: where a sliding piece can go.

use super::{Cell, CellSet};

/// A direction: an index into the board's own list of directions.
pub type Dir = usize;

/// All straight lines of a board, computed once: from each cell in each direction.
///
/// Square boards have eight directions, hexagonal ones six. Along one direction the cell indices either all rise or all
/// fall, so the nearest obstacle is the lowest or the highest cell of an intersection.
#[derive(Debug)]
pub struct Lines {
    cells: usize,
    dirs: usize,
    steps: Vec<Option<Cell>>,
    rays: Vec<CellSet>,
    near: Vec<CellSet>,
    rising: Vec<bool>,
}

impl Lines {
    /// Computes the lines of a board with `cells` cells from the neighbour in each direction.
    ///
    /// In each direction, `step` must always lead to higher indices or always to lower ones.
    pub fn new(cells: usize, dirs: usize, step: impl Fn(Cell, Dir) -> Option<Cell>) -> Lines {
        let all = || (0..cells).map(|c| Cell(c as u8));
        let steps: Vec<_> =
            (0..dirs).flat_map(|d| all().map(move |c| (c, d))).map(|(c, d)| step(c, d)).collect();
        let rising =
            (0..dirs).map(|d| all().all(|c| steps[d * cells + c.index()].is_none_or(|to| to > c))).collect();
        let mut lines =
            Lines { cells, dirs, steps, rays: Vec::new(), near: vec![CellSet::EMPTY; cells], rising };
        for dir in 0..dirs {
            for cell in all() {
                let ray = lines.walk(cell, dir).collect();
                lines.rays.push(ray);
                let next = lines.step(cell, dir);
                lines.near[cell.index()] |= next.into_iter().collect();
            }
        }
        lines
    }

    /// The number of directions.
    pub fn dirs(&self) -> usize {
        self.dirs
    }

    /// The neighbour in a direction; `None` at the edge.
    #[inline]
    pub fn step(&self, from: Cell, dir: Dir) -> Option<Cell> {
        self.steps[dir * self.cells + from.index()]
    }

    /// The cells after `from` in a direction, nearest first, up to the edge.
    pub fn walk(&self, from: Cell, dir: Dir) -> impl Iterator<Item = Cell> + '_ {
        std::iter::successors(self.step(from, dir), move |c| self.step(*c, dir))
    }

    /// The neighbours of a cell.
    #[inline]
    pub fn neighbours(&self, cell: Cell) -> CellSet {
        self.near[cell.index()]
    }

    /// The neighbours of all cells of a set, including cells of the set that are adjacent to each other.
    #[inline]
    pub fn neighbours_of_all(&self, set: CellSet) -> CellSet {
        set.iter().fold(CellSet::EMPTY, |all, c| all | self.neighbours(c))
    }

    /// The whole line from a cell in a direction, without the cell itself.
    #[inline]
    pub fn ray(&self, from: Cell, dir: Dir) -> CellSet {
        self.rays[dir * self.cells + from.index()]
    }

    /// The nearest cell of `obstacles` in a direction.
    #[inline]
    pub fn nearest(&self, from: Cell, dir: Dir, obstacles: CellSet) -> Option<Cell> {
        let met = self.ray(from, dir) & obstacles;
        if self.rising[dir] { met.lowest() } else { met.highest() }
    }

    /// The free cells in one direction before the nearest obstacle or the edge.
    #[inline]
    pub fn slide(&self, from: Cell, dir: Dir, obstacles: CellSet) -> CellSet {
        let ray = self.ray(from, dir);
        match self.nearest(from, dir, obstacles) {
            None => ray,
            Some(stop) => ray ^ self.ray(stop, dir).with(stop),
        }
    }

    /// All cells that a queen (on hexagons: a slider) on `from` can reach over free cells.
    #[inline]
    pub fn reach(&self, from: Cell, obstacles: CellSet) -> CellSet {
        (0..self.dirs).fold(CellSet::EMPTY, |all, dir| all | self.slide(from, dir, obstacles))
    }

    /// The direction of the straight line from one cell to another, if they share one.
    #[inline]
    pub fn direction(&self, from: Cell, to: Cell) -> Option<Dir> {
        (0..self.dirs).find(|dir| self.ray(from, *dir).has(to))
    }

    /// The cells between two cells on one line; empty if they share no line.
    pub fn between(&self, from: Cell, to: Cell) -> CellSet {
        let walk = self.direction(from, to).into_iter().flat_map(|dir| self.walk(from, dir));
        walk.take_while(|cell| *cell != to).collect()
    }

    /// The first obstacle on the straight line from `from` to `to`, including `to`. `None` if there is none or the
    /// cells share no line.
    pub fn obstacle(&self, from: Cell, to: Cell, obstacles: CellSet) -> Option<Cell> {
        let dir = self.direction(from, to)?;
        let stop = self.nearest(from, dir, obstacles)?;
        (stop == to || self.ray(stop, dir).has(to)).then_some(stop)
    }

    /// The connected part of `passable` that contains the cells `seed` (those of them in `passable`).
    pub fn region(&self, seed: CellSet, passable: CellSet) -> CellSet {
        let mut found = seed & passable;
        let mut edge = found;
        while !edge.is_empty() {
            edge = self.neighbours_of_all(edge) & passable & !found;
            found |= edge;
        }
        found
    }

    /// All connected parts of `passable`, ordered by their lowest cell.
    pub fn regions(&self, passable: CellSet) -> Vec<CellSet> {
        let mut left = passable;
        let mut regions = Vec::new();
        while let Some(cell) = left.lowest() {
            let region = self.region(CellSet::of(cell), passable);
            left &= !region;
            regions.push(region);
        }
        regions
    }
}
