//! Geometry of square boards: eight directions, sides of up to 12 cells.

use super::geometry::Geometry;

/// The eight directions on squares, clockwise from north: name, column step and row step.
pub const COMPASS: [(&str, i32, i32); 8] = [
    ("N", 0, 1),
    ("NE", 1, 1),
    ("E", 1, 0),
    ("SE", 1, -1),
    ("S", 0, -1),
    ("SW", -1, -1),
    ("W", -1, 0),
    ("NW", -1, 1),
];

/// The longest side of a square board.
pub const LONGEST_SIDE: u8 = 12;

pub(super) fn rectangle(w: u8, h: u8) -> Geometry {
    let sides = 1..=LONGEST_SIDE;
    assert!(sides.contains(&w) && sides.contains(&h), "a board is 1x1 to 12x12, not {w}x{h}");
    let places = (0..h).flat_map(|row| (0..w).map(move |col| (col, row))).collect();
    let step = |col, row, dir: usize| {
        let (_, east, north) = COMPASS[dir];
        (col + east, row + north)
    };
    Geometry { places, letter_is_row: false, dirs: COMPASS.len(), step: Box::new(step) }
}

#[cfg(test)]
mod tests {
    use crate::{Board, Cell, CellSet};

    #[test]
    fn a_queen_in_the_corner_of_an_empty_board_sees_three_lines() {
        let board = Board::square(10, 10);
        let a1 = board.named("a1").unwrap();
        assert_eq!(board.lines().reach(a1, CellSet::EMPTY).len(), 27);
        let e5 = board.named("e5").unwrap();
        assert_eq!(board.lines().reach(a1, CellSet::of(e5)).len(), 9 + 9 + 3);
    }

    #[test]
    fn an_obstacle_is_the_first_on_the_line() {
        let board = Board::square(12, 12);
        let cell = |name| board.named(name).unwrap();
        let walls: CellSet = [cell("c3"), cell("e5"), cell("a7")].into_iter().collect();
        let lines = board.lines();
        assert_eq!(lines.obstacle(cell("a1"), cell("l12"), walls), Some(cell("c3")));
        assert_eq!(lines.obstacle(cell("l12"), cell("a1"), walls), Some(cell("e5")));
        assert_eq!(lines.obstacle(cell("a1"), cell("a6"), walls), None);
        assert_eq!(lines.obstacle(cell("a1"), cell("a7"), walls), Some(cell("a7")));
        assert_eq!(lines.direction(cell("a1"), cell("b3")), None);
    }

    #[test]
    fn between_two_cells_lie_those_of_their_line() {
        let board = Board::square(8, 8);
        let between = |from, to| {
            let cells = board.lines().between(board.named(from).unwrap(), board.named(to).unwrap());
            cells.iter().map(|cell| board.name(cell)).collect::<Vec<_>>()
        };
        assert_eq!(between("b2", "e5"), ["c3", "d4"]);
        assert_eq!(between("h1", "f1"), ["g1"]);
        assert!(between("a1", "a2").is_empty() && between("a1", "b3").is_empty());
    }

    #[test]
    fn names_and_cells_agree() {
        let board = Board::square(12, 11);
        assert_eq!(board.len(), 132);
        assert_eq!(board.name(Cell(0)), "a1");
        assert_eq!(board.name(Cell(131)), "l11");
        for cell in board.cells() {
            assert_eq!(board.named(board.name(cell)), Some(cell));
        }
    }
}
