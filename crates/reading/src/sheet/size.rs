//! The size of a sheet's board, by the lines of its grid.

use super::flat::{Ink, UNITS};
use super::page::Grid;
use crate::plane::Plane;

/// How far off a line may be, in pixels of the flat picture: paper is not quite even.
const OFF: usize = 3;
/// The pixels along a line whose mean is taken, to each side: marks cross lines, and do not go along them.
const ALONG: usize = 5;
/// A line is darker than what is this many pixels to each side of it.
const BESIDE: usize = 6;
/// The places on each edge of a cell where its line is looked for, as shares of the edge.
const PLACES: [f32; 5] = [0.2, 0.35, 0.5, 0.65, 0.8];
/// An edge is printed if this share of black is there, in the middle of its places.
const MIN_INK: f32 = 0.1;
/// What a missing edge counts against a printed one.
const MISSING: f32 = 1.5;
/// The least share of a board's edges that are there, and the least lead over the next size in edges.
const MIN_SHARE: f32 = 0.85;
const MIN_LEAD: f32 = 2.5;

/// The edges of a size's cells that are on a sheet.
struct Score {
    grid: Grid,
    value: f32,
    share: f32,
}

/// The grid of a sheet; `None` if no size has nearly all of its lines there, or if two sizes may be it.
pub(super) fn grid(ink: &Ink) -> Option<Grid> {
    let upright = lines(&ink.plane);
    let level = lines(&ink.plane.transposed());
    let mut scores: Vec<Score> = Grid::all().map(|grid| score(grid, &upright, &level)).collect();
    scores.sort_by(|a, b| b.value.total_cmp(&a.value));
    let [best, next, ..] = &scores[..] else { return None };
    (best.share >= MIN_SHARE && best.value >= next.value + MIN_LEAD).then_some(best.grid)
}

/// How much of an upright line is at or near each pixel.
fn lines(ink: &Plane) -> Plane {
    let mut sharp = Plane::new(ink.width, ink.height);
    let rows = ink.values.chunks_exact(ink.width).zip(sharp.values.chunks_exact_mut(ink.width));
    for (row, sharp) in rows {
        for x in BESIDE..ink.width - BESIDE {
            sharp[x] = row[x] - (row[x - BESIDE] + row[x + BESIDE]) / 2.0;
        }
    }
    sharp.down_means(ALONG).largest_beside(OFF)
}

/// Counts the edges of a size that are there, in lengths of a cell of an 8x8 board, so that a size whose lines are part of
/// those of another does not win by their number.
fn score(grid: Grid, upright: &Plane, level: &Plane) -> Score {
    let (mut there, mut all) = (0.0, 0.0);
    let (columns, rows) = (usize::from(grid.columns), usize::from(grid.rows));
    // Both planes have their lines upright, so that those of the level ones are turned: x and y change places.
    let edges = [(upright, columns, rows, grid.left, grid.top), (level, rows, columns, grid.top, grid.left)];
    for (plane, lines, cells, first, begin) in edges {
        for line in 0..=lines {
            for cell in 0..cells {
                let x = first + line as f32 * grid.cell;
                let along = |share: f32| begin + (cell as f32 + share) * grid.cell;
                let mut seen = PLACES.map(|share| plane.sample(x / UNITS, along(share) / UNITS));
                seen.sort_by(f32::total_cmp);
                there += f32::from(u8::from(seen[PLACES.len() / 2] > MIN_INK));
                all += 1.0;
            }
        }
    }
    Score { grid, value: (there - MISSING * (all - there)) * grid.cell / CELL, share: there / all }
}

/// The side of a cell of an 8x8 board in units.
const CELL: f32 = 111.6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_is_recognised() {
        for grid in Grid::all().step_by(7).chain([Grid::all().last().expect("sizes")]) {
            let plane = grid.drawing().expect("a drawing").ink();
            let ink = Ink { paper: plane.clone(), plane, noise: 0.0, sharpness: 1.0 };
            assert_eq!(super::grid(&ink), Some(grid));
        }
    }
}
