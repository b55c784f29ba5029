//! A second, naive implementation of the rules for comparison: arrays of characters, one step at a time. `.` free, `W`,
//! `B`, `x`.

use std::collections::HashMap;

use rookery_core::{Board, Cell, CellSet};

use crate::amazons::rules::{AmazonsPosition, Move, Side};

type Grid = Vec<Vec<char>>;
type Place = (usize, usize);

fn grid(position: &AmazonsPosition) -> Grid {
    let (right, top) = position.board().place(position.board().cells().last().unwrap());
    let mut grid = vec![vec!['.'; usize::from(right) + 1]; usize::from(top) + 1];
    let sets = [
        (position.amazons(Side::White), 'W'),
        (position.amazons(Side::Black), 'B'),
        (position.arrows(), 'x'),
    ];
    for (set, sign) in sets {
        for cell in set {
            let (col, row) = position.board().place(cell);
            grid[usize::from(row)][usize::from(col)] = sign;
        }
    }
    grid
}

/// The places that a queen on a place can reach.
fn queen_moves(grid: &Grid, (col, row): Place) -> Vec<Place> {
    let mut found = Vec::new();
    for (east, north) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
        let (mut x, mut y) = (col as i32 + east, row as i32 + north);
        while y >= 0 && x >= 0 && (y as usize) < grid.len() && (x as usize) < grid[0].len() {
            if grid[y as usize][x as usize] != '.' {
                break;
            }
            found.push((x as usize, y as usize));
            (x, y) = (x + east, y + north);
        }
    }
    found.sort_by_key(|(x, y)| (*y, *x));
    found
}

/// Calls `found` with the places of every move of one side, and the grid after it.
fn each_move(grid: &Grid, side: char, mut found: impl FnMut([Place; 3], Grid)) {
    for row in 0..grid.len() {
        for col in 0..grid[0].len() {
            if grid[row][col] != side {
                continue;
            }
            let mut lifted = grid.clone();
            lifted[row][col] = '.';
            for to in queen_moves(grid, (col, row)) {
                for arrow in queen_moves(&lifted, to) {
                    let mut after = lifted.clone();
                    after[to.1][to.0] = side;
                    after[arrow.1][arrow.0] = 'x';
                    found([(col, row), to, arrow], after);
                }
            }
        }
    }
}

/// All moves, sorted by from, to, arrow.
pub(super) fn moves(position: &AmazonsPosition) -> Vec<Move> {
    let grid = grid(position);
    let cell = |(col, row): Place| Cell((row * grid[0].len() + col) as u8);
    let mut all = Vec::new();
    each_move(&grid, sign(position.to_move()), |[from, to, arrow], _| {
        all.push(Move::Go { from: cell(from), to: cell(to), arrow: cell(arrow) });
    });
    all
}

fn sign(side: Side) -> char {
    match side {
        Side::White => 'W',
        Side::Black => 'B',
    }
}

/// Whether the side to move wins, by brute force.
pub(super) fn mover_wins(position: &AmazonsPosition) -> bool {
    wins(&grid(position), position.to_move())
}

fn wins(grid: &Grid, side: Side) -> bool {
    let mut won = false;
    each_move(grid, sign(side), |_, after| won = won || !wins(&after, side.other()));
    won
}

/// The maximum number of moves in a row that the amazons can make on some free cells, by brute force.
pub(super) fn longest(board: &'static Board, amazons: CellSet, free: CellSet) -> u32 {
    let blocked = board.all() & !(amazons | free);
    let start = grid(&AmazonsPosition::new(board, [amazons, CellSet::EMPTY], blocked, Side::White));
    longest_from(&start, &mut HashMap::new())
}

fn longest_from(grid: &Grid, memo: &mut HashMap<Grid, u32>) -> u32 {
    if let Some(known) = memo.get(grid) {
        return *known;
    }
    let mut most = 0;
    each_move(grid, 'W', |_, after| most = most.max(1 + longest_from(&after, memo)));
    memo.insert(grid.clone(), most);
    most
}

/// The position mirrored left to right.
pub(in crate::amazons) fn mirrored(position: &AmazonsPosition) -> AmazonsPosition {
    let set = |cells: CellSet| cells.iter().map(|cell| mirrored_cell(position.board(), cell)).collect();
    let amazons = Side::BOTH.map(|side| set(position.amazons(side)));
    AmazonsPosition::new(position.board(), amazons, set(position.arrows()), position.to_move())
}

/// The move mirrored left to right.
pub(in crate::amazons) fn mirrored_move(position: &AmazonsPosition, m: Move) -> Move {
    let cell = |cell| mirrored_cell(position.board(), cell);
    match m {
        Move::Swap => Move::Swap,
        Move::Go { from, to, arrow } => Move::Go { from: cell(from), to: cell(to), arrow: cell(arrow) },
    }
}

fn mirrored_cell(board: &Board, cell: Cell) -> Cell {
    let (right, _) = board.place(board.cells().last().unwrap());
    let (col, row) = board.place(cell);
    board.at(right - col, row).unwrap()
}
