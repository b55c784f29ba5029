//! Hexagonal boards: six directions.

use super::geometry::Geometry;

/// The six directions, anticlockwise from east. The board resolves half steps between rows.
const EAST: usize = 0;
const NORTH_EAST: usize = 1;
const NORTH_WEST: usize = 2;
const WEST: usize = 3;
const SOUTH_WEST: usize = 4;
const DIRS: usize = 6;

/// Sixty tiles: odd rows (1, 3, ... from the bottom) have 8, even rows 7, shifted half a tile right.
pub(super) fn island() -> Geometry {
    let places = (0..8u8).flat_map(|row| (0..8 - row % 2).map(move |col| (col, row))).collect();
    let step = |col, row, dir| {
        // In a row of eight (even index) the neighbours above and below are in columns c-1 and c, otherwise in c and
        // c+1.
        let left = if row % 2 == 0 { col - 1 } else { col };
        hex_step(dir, col, row, left, left)
    };
    Geometry { places, letter_is_row: false, dirs: DIRS, step: Box::new(step) }
}

/// The hexagon with `side` points per edge: rows of `side`, `side + 1`, ... `2 side - 1`, ... `side`.
pub(super) fn hexagon(side: u8) -> Geometry {
    assert!((2..=7).contains(&side), "a hexagon has 2 to 7 points a side, not {side}");
    let middle = side - 1;
    let width = |row: u8| 2 * side - 1 - row.abs_diff(middle);
    let places = (0..2 * side - 1).flat_map(|row| (0..width(row)).map(move |col| (col, row))).collect();
    let step = move |col, row, dir| {
        // The neighbours of point n are n and n+1 in a longer row, n-1 and n in a shorter one.
        let middle = i32::from(middle);
        let up_left = if row < middle { col } else { col - 1 };
        let down_left = if row > middle { col } else { col - 1 };
        hex_step(dir, col, row, up_left, down_left)
    };
    Geometry { places, letter_is_row: true, dirs: DIRS, step: Box::new(step) }
}

/// One step, given the column of the left neighbour in the rows above and below.
fn hex_step(dir: usize, col: i32, row: i32, up_left: i32, down_left: i32) -> (i32, i32) {
    match dir {
        EAST => (col + 1, row),
        NORTH_EAST => (up_left + 1, row + 1),
        NORTH_WEST => (up_left, row + 1),
        WEST => (col - 1, row),
        SOUTH_WEST => (down_left, row - 1),
        _ => (down_left + 1, row - 1),
    }
}

#[cfg(test)]
mod tests {
    use crate::CellSet;
    use crate::board::{Board, Shape};

    /// Sample figures from the published rules.
    #[test]
    fn a_penguin_on_the_empty_island_sees_as_far_as_the_rules_say() {
        let board = Board::of(Shape::Island);
        assert_eq!(board.len(), 60);
        for (name, goals) in [("d5", 21), ("d4", 20), ("a1", 14), ("h1", 14), ("a8", 14)] {
            let reach = board.lines().reach(board.named(name).unwrap(), CellSet::EMPTY);
            assert_eq!(reach.len(), goals, "{name}");
        }
    }

    /// The board of Amoeba: 37 points in rows of 4 5 6 7 6 5 4, letters count rows.
    #[test]
    fn the_hexagon_has_37_points_and_its_middle_sees_18() {
        let board = Board::of(Shape::Hexagon { side: 4 });
        assert_eq!(board.len(), 37);
        let d4 = board.named("d4").unwrap();
        assert_eq!(board.lines().reach(d4, CellSet::EMPTY).len(), 18);
        assert_eq!(board.lines().neighbours(d4).len(), 6);
        assert_eq!(board.lines().neighbours(board.named("a1").unwrap()).len(), 3);
        let d3 = board.lines().neighbours(board.named("c3").unwrap());
        for name in ["c2", "c4", "d3", "d4", "b2", "b3"] {
            assert!(d3.has(board.named(name).unwrap()), "{name}");
        }
    }

    #[test]
    fn steps_there_and_back() {
        for shape in [Shape::Island, Shape::Hexagon { side: 4 }, Shape::Hexagon { side: 7 }] {
            let board = Board::of(shape);
            for cell in board.cells() {
                for dir in 0..6 {
                    if let Some(to) = board.lines().step(cell, dir) {
                        assert_eq!(board.lines().step(to, (dir + 3) % 6), Some(cell));
                    }
                }
            }
        }
    }
}
