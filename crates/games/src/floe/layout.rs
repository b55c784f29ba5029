//! Distribution of the fish: how many of each, at random from a seed or as given in text.

use rookery_core::board::Shape;
use rookery_core::rules::PositionParseError;
use rookery_core::seed::SeededRng;
use rookery_core::{Board, Cell, Requirement};

/// The numbers of ones, twos and threes for a board of `cells` cells: 3:2:1, by largest remainders, with ties going to
/// the ones.
pub fn proportions(cells: usize) -> [usize; 3] {
    let threes = (cells + 2) / 6;
    let twos = (cells + 1) / 3;
    [cells - twos - threes, twos, threes]
}

/// The fish on every cell, shuffled from a seed. A seed gives the same layout in every version.
pub fn random(board: &Board, seed: u64) -> Vec<(Cell, u8)> {
    let [ones, twos, threes] = proportions(board.len());
    let mut fish = [vec![1; ones], vec![2; twos], vec![3; threes]].concat();
    SeededRng::new(seed).shuffle(&mut fish);
    board.cells().zip(fish).collect()
}

/// Reads rows of fish, top row first, separated by `/` or blanks: `1`, `2`, `3`, and `.` or `0` for a cell without a
/// tile. The rows must match the board, or determine its size.
///
/// # Errors
/// If a row or character is not valid; the error gives the first, and what is expected there.
pub fn read(text: &str, board: Option<&'static Board>) -> Result<Layout, PositionParseError> {
    let rows = split(text);
    let (_, width) = rows.first().map(|(at, row)| (*at, row.len())).unwrap_or_default();
    let board = match board {
        Some(board) => board,
        None => {
            let shape = shape_of(&rows);
            shape
                .map(Board::of)
                .ok_or_else(|| PositionParseError::new(0, Requirement::of("floe-shape").with(width)))?
        }
    };
    let wanted = lengths(board);
    if rows.len() != wanted.len() {
        return Err(PositionParseError::new(
            0,
            Requirement::of("floe-rows").with(wanted.len()).with(rows.len()),
        ));
    }
    let mut tiles = Vec::new();
    for (row, ((at, text), wanted)) in rows.iter().zip(wanted).enumerate() {
        let found = text.chars().count();
        if found != wanted {
            return Err(PositionParseError::new(*at, Requirement::of("floe-row").with(wanted).with(found)));
        }
        let height = (rows.len() - 1 - row) as u8;
        for (col, sign) in text.chars().enumerate() {
            let fish = match sign {
                '1'..='3' => sign as u8 - b'0',
                '.' | '0' => continue,
                _ => return Err(PositionParseError::new(at + col, Requirement::of("floe-fish"))),
            };
            tiles.extend(board.at(col as u8, height).map(|cell| (cell, fish)));
        }
    }
    tiles.sort_by_key(|(cell, _)| *cell);
    Ok(Layout { board, tiles })
}

/// A parsed layout.
#[derive(Clone, PartialEq, Eq)]
pub struct Layout {
    /// The board of the layout.
    pub board: &'static Board,
    /// The cells with a tile, by ascending index, and their fish (1 to 3).
    pub tiles: Vec<(Cell, u8)>,
}

impl std::fmt::Debug for Layout {
    /// The text that [`read`] parses.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let fish = |cell| self.tiles.iter().find(|(at, _)| *at == cell).map_or(0, |(_, fish)| *fish);
        f.write_str(&write(self.board, fish))
    }
}

/// Writes a layout in the format of [`read`], given the fish on each cell (0 for no tile).
pub fn write(board: &Board, fish: impl Fn(Cell) -> u8) -> String {
    let sign = |cell| match fish(cell) {
        0 => '.',
        n => char::from(b'0' + n),
    };
    let heights = (0..lengths(board).len() as u8).rev();
    let row = |height| (0..).map_while(|col| board.at(col, height)).map(sign).collect::<String>();
    heights.map(row).collect::<Vec<_>>().join("/")
}

/// The rows of a text, each with the number of characters before it.
fn split(text: &str) -> Vec<(usize, String)> {
    let mut rows: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (at, sign) in text.chars().enumerate() {
        if sign == '/' || sign.is_whitespace() {
            open = false;
        } else {
            if !open {
                rows.push((at, String::new()));
            }
            open = true;
            rows.last_mut().expect("a row was just begun").1.push(sign);
        }
    }
    rows
}

/// The lengths of a board's rows, top row first.
fn lengths(board: &Board) -> Vec<usize> {
    let heights = board.cells().map(|cell| board.place(cell).1);
    let mut lengths = Vec::new();
    for height in heights {
        if usize::from(height) == lengths.len() {
            lengths.push(0);
        }
        lengths[usize::from(height)] += 1;
    }
    lengths.reverse();
    lengths
}

fn shape_of(rows: &[(usize, String)]) -> Option<Shape> {
    let found: Vec<usize> = rows.iter().map(|(_, row)| row.chars().count()).collect();
    if found == [7, 8, 7, 8, 7, 8, 7, 8] {
        return Some(Shape::Island);
    }
    let w = *found.first()?;
    let fits = found.iter().all(|len| *len == w) && (1..=12).contains(&w) && found.len() <= 12;
    fits.then_some(Shape::Square { w: w as u8, h: found.len() as u8 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_reads_back() {
        for board in [Board::of(Shape::Island), Board::square(7, 5), Board::square(12, 12)] {
            let tiles = random(board, 7);
            let fish = |cell: Cell| tiles[cell.index()].1;
            let text = write(board, fish);
            assert_eq!(read(&text, None), Ok(Layout { board, tiles: tiles.clone() }));
            assert_eq!(read(&text.replace('/', "\n"), Some(board)).map(|l| l.tiles), Ok(tiles));
        }
    }

    #[test]
    fn faults_are_named_where_they_are() {
        let at = |text, board| read(text, board).unwrap_err();
        let board = Some(Board::square(3, 3));
        assert_eq!(
            at("123/12/123", board),
            PositionParseError::new(4, Requirement::of("floe-row").with(3).with(2))
        );
        assert_eq!(
            at("123/123", board),
            PositionParseError::new(0, Requirement::of("floe-rows").with(3).with(2))
        );
        assert_eq!(at("123/1x3/123", board), PositionParseError::new(5, Requirement::of("floe-fish")));
        assert_eq!(at("123/12", None).at, 0);
    }
}
