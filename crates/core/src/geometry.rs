//! The building blocks of boards.

/// The places of a board's cells, and where each direction leads from them.
pub(super) struct Geometry {
    /// Column and row of each cell, both from 0, rows rising.
    pub(super) places: Vec<(u8, u8)>,
    /// Whether the letter of a name counts rows rather than columns.
    pub(super) letter_is_row: bool,
    /// Number of directions.
    pub(super) dirs: usize,
    /// Column and row one step away, from a column, a row and a direction; outside of the board where there is no cell.
    pub(super) step: Box<dyn Fn(i32, i32, usize) -> (i32, i32)>,
}
