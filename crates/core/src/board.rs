//! Boards: cells with names, neighbours and straight lines.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use super::geometry::Geometry;
use super::{Cell, CellSet, Lines, hex, square};

/// The shape of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// `w` columns by `h` rows of squares, eight directions. Each side 1 to 12.
    Square {
        /// Number of columns, 1 to 12.
        w: u8,
        /// Number of rows, 1 to 12.
        h: u8,
    },
    /// Sixty hexagons in eight rows, alternately eight and seven (the bottom row has eight).
    Island,
    /// A hexagon of points with `side` points along each edge, three lines through each. Side 2 to 7.
    Hexagon {
        /// Points along one edge.
        side: u8,
    },
}

/// An immutable board, created once and shared by all positions on it.
#[derive(Debug)]
pub struct Board {
    shape: Shape,
    names: Vec<String>,
    places: Vec<(u8, u8)>,
    found: HashMap<(u8, u8), Cell>,
    lines: Lines,
    /// Whether the letter of a name is the row (Amoeba) rather than the column.
    letter_is_row: bool,
}

/// A coordinate as typed, not yet checked against a board: letter from 0, number from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coordinate {
    /// The letter: 0 for `a`.
    pub letter: u8,
    /// The number, from 1.
    pub number: u8,
}

impl std::fmt::Display for Coordinate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.letter), self.number)
    }
}

impl Board {
    /// The board of a shape, created once and kept for the life of the process, since there are few.
    ///
    /// # Panics
    /// If a side is outside the range of [`Shape`]; setups check that first.
    pub fn of(shape: Shape) -> &'static Board {
        static MADE: LazyLock<Mutex<HashMap<Shape, &'static Board>>> = LazyLock::new(Mutex::default);
        let mut made = MADE.lock().expect("making a board does not panic while the list is locked");
        made.entry(shape).or_insert_with(|| Box::leak(Box::new(Board::make(shape))))
    }

    /// A board of squares. See [`Shape::Square`].
    pub fn square(w: u8, h: u8) -> &'static Board {
        Board::of(Shape::Square { w, h })
    }

    fn make(shape: Shape) -> Board {
        let geometry = match shape {
            Shape::Square { w, h } => square::rectangle(w, h),
            Shape::Island => hex::island(),
            Shape::Hexagon { side } => hex::hexagon(side),
        };
        let Geometry { places, letter_is_row, dirs, step } = geometry;
        let found: HashMap<_, _> = places.iter().enumerate().map(|(i, p)| (*p, Cell(i as u8))).collect();
        let lines = Lines::new(places.len(), dirs, |cell, dir| {
            let (col, row) = places[cell.index()];
            let (col, row) = step(col.into(), row.into(), dir);
            found.get(&(u8::try_from(col).ok()?, u8::try_from(row).ok()?)).copied()
        });
        let name = |&(col, row): &(u8, u8)| {
            let (letter, number) = if letter_is_row { (row, col) } else { (col, row) };
            Coordinate { letter, number: number + 1 }.to_string()
        };
        let names = places.iter().map(name).collect();
        Board { shape, names, places, found, lines, letter_is_row }
    }

    /// The shape of the board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Always false. Clippy requires it beside `len`.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// All cells by ascending index.
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator + use<> {
        (0..self.places.len() as u8).map(Cell)
    }

    /// All cells as a set.
    #[inline]
    pub fn all(&self) -> CellSet {
        CellSet::first(self.len())
    }

    /// The straight lines of the board.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The name of a cell, such as `d7`.
    pub fn name(&self, cell: Cell) -> &str {
        &self.names[cell.index()]
    }

    /// Column and row of a cell, both from 0, from the lower left.
    pub fn place(&self, cell: Cell) -> (u8, u8) {
        self.places[cell.index()]
    }

    /// The cell in a column and row, both from 0.
    pub fn at(&self, col: u8, row: u8) -> Option<Cell> {
        self.found.get(&(col, row)).copied()
    }

    /// The cell of a coordinate on this board, if it exists.
    pub fn locate(&self, coordinate: Coordinate) -> Option<Cell> {
        let number = coordinate.number.checked_sub(1)?;
        let (col, row) =
            if self.letter_is_row { (number, coordinate.letter) } else { (coordinate.letter, number) };
        self.at(col, row)
    }

    /// The cell of the last step that names one; steps may begin with a separator, as in `-d7`.
    pub fn last_named(&self, steps: &[String]) -> Option<Cell> {
        steps.iter().rev().find_map(|step| self.named(step.trim_start_matches(['-', '/', '>'])))
    }

    /// The cell with exactly this name.
    pub fn named(&self, name: &str) -> Option<Cell> {
        self.names.iter().position(|n| n == name).map(|i| Cell(i as u8))
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.shape == other.shape
    }
}

impl Eq for Board {}
