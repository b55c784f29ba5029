//! The building blocks of boards.

/// The coordinates of a board's cells and the neighbours in each direction.
pub(super) struct Geometry {
    /// Column and row of each cell, both from 0, by ascending row.
    pub(super) places: Vec<(u8, u8)>,
    /// Whether the letter of a name is the row rather than the column.
    pub(super) letter_is_row: bool,
    /// Number of directions: eight on squares, six on hexagons.
    pub(super) dirs: usize,
    /// Maps column, row and direction to the neighbour's column and row, which may be off the board.
    pub(super) step: Box<dyn Fn(i32, i32, usize) -> (i32, i32)>,
}
