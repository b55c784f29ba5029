//! A position in one line of text: the FEN that Fairy-Stockfish and PlayStrategy use.
//!
//! ```text
//! 3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1
//! ```
//!
//! Rows from the top, `Q` and `q` for White's and Black's amazons, `*` for a blocked square, as in Fairy-Stockfish
//! (`p`, `P`, `x` and `X` are read too: `p` is what PlayStrategy and the first versions of this project wrote), numbers
//! of one or two digits for free squares; then the side to move, two fields and a clock that are unused here, and the
//! number of the move, which increases after each of Black's moves. If the pie rule is in play, a seventh field says
//! so: `pie:ahead` before White's first move, `pie:open` while the second seat may swap, `pie:swapped` afterwards. It
//! is last because programs that do not know it stop reading at the sixth. Missing fields at the end have the values
//! shown above.

use rookery_core::rules::PositionParseError;
use rookery_core::square::LONGEST_SIDE;
use rookery_core::{Board, Cell, CellSet, Pie, Requirement, placed_words};

use super::rules::{AmazonsPosition, MAX_AMAZONS, Side};

/// The shortest side of a playable board.
pub(super) const SHORTEST_SIDE: u8 = 4;

pub(super) fn write(position: &AmazonsPosition) -> String {
    let turn = if position.to_move() == Side::White { 'w' } else { 'b' };
    let mut line = format!("{} {turn} - - 0 {}", write_rows(position), position.move_number());
    if let Some(word) = position.pie().word() {
        line += &format!(" pie:{word}");
    }
    line
}

fn write_rows(position: &AmazonsPosition) -> String {
    let board = position.board();
    let cells: Vec<Cell> = board.cells().collect();
    let width = cells.iter().filter(|cell| board.place(**cell).1 == 0).count();
    let rows = cells.chunks(width).rev().map(|row| write_row(position, row));
    rows.collect::<Vec<_>>().join("/")
}

fn write_row(position: &AmazonsPosition, row: &[Cell]) -> String {
    let mut text = String::new();
    let mut gap = 0;
    for cell in row {
        match sign(position, *cell) {
            None => gap += 1,
            Some(sign) => {
                push_gap(&mut text, &mut gap);
                text.push(sign);
            }
        }
    }
    push_gap(&mut text, &mut gap);
    text
}

fn push_gap(text: &mut String, gap: &mut usize) {
    if *gap > 0 {
        text.push_str(&gap.to_string());
    }
    *gap = 0;
}

fn sign(position: &AmazonsPosition, cell: Cell) -> Option<char> {
    let of = [
        (position.amazons(Side::White), 'Q'),
        (position.amazons(Side::Black), 'q'),
        (position.arrows(), '*'),
    ];
    of.into_iter().find(|(set, _)| set.has(cell)).map(|(_, sign)| sign)
}

/// Reads a position.
///
/// # Errors
/// If a character is not valid; the error gives the first, and what is expected there.
pub(super) fn read(line: &str) -> Result<AmazonsPosition, PositionParseError> {
    let fields = placed_words(line);
    let (at, rows) =
        fields.first().copied().ok_or_else(|| PositionParseError::new(0, Requirement::of("amazons-line")))?;
    let (board, amazons, arrows) = read_rows(at, rows)?;
    let to_move = read_turn(&fields)?;
    let position = AmazonsPosition::new(board, amazons, arrows, to_move);
    if let Some((at, _)) = fields.get(7) {
        return Err(PositionParseError::new(*at, Requirement::of("amazons-end")));
    }
    let number = read_number(fields.get(5).copied())?;
    let pie = read_pie(fields.get(6).copied(), &position)?;
    Ok(position.at_move(number).with_pie(pie))
}

/// The pieces on a board: White's and Black's amazons, and arrows.
type Pieces = ([CellSet; 2], CellSet);

fn read_rows(at: usize, text: &str) -> Result<(&'static Board, [CellSet; 2], CellSet), PositionParseError> {
    let mut squares: Vec<Vec<char>> = Vec::new();
    let mut from = at;
    for row in text.split('/') {
        let read = read_row(from, row)?;
        let width = squares.first().map_or(read.len(), Vec::len);
        if read.len() != width {
            return Err(PositionParseError::new(
                from,
                Requirement::of("amazons-row").with(width).with(read.len()),
            ));
        }
        from += row.chars().count() + 1;
        squares.push(read);
    }
    let board = board(at, squares[0].len(), squares.len())?;
    squares.reverse();
    let (amazons, arrows) = men(&squares.concat());
    count(at, amazons)?;
    Ok((board, amazons, arrows))
}

/// The squares of a row, one character each: `Q`, `q`, `*` or a dot.
fn read_row(from: usize, row: &str) -> Result<Vec<char>, PositionParseError> {
    let mut squares = Vec::new();
    let mut number = 0;
    for (i, c) in row.chars().enumerate() {
        if let Some(digit) = c.to_digit(10) {
            number = number * 10 + digit as usize;
            if !(1..=usize::from(LONGEST_SIDE)).contains(&number) {
                return Err(PositionParseError::new(
                    from + i,
                    Requirement::of("amazons-gap").with(LONGEST_SIDE),
                ));
            }
            continue;
        }
        squares.extend(std::iter::repeat_n('.', std::mem::take(&mut number)));
        squares.push(match c {
            'Q' | 'q' => c,
            'P' | 'p' | 'x' | 'X' | '*' => '*',
            _ => return Err(PositionParseError::new(from + i, Requirement::of("amazons-sign"))),
        });
    }
    squares.extend(std::iter::repeat_n('.', number));
    Ok(squares)
}

fn board(at: usize, w: usize, h: usize) -> Result<&'static Board, PositionParseError> {
    let side = |n: usize| u8::try_from(n).ok().filter(|n| (SHORTEST_SIDE..=LONGEST_SIDE).contains(n));
    let need = || Requirement::of("amazons-board").with(SHORTEST_SIDE).with(LONGEST_SIDE).with(w).with(h);
    let (w, h) = side(w).zip(side(h)).ok_or_else(|| PositionParseError::new(at, need()))?;
    Ok(Board::square(w, h))
}

fn men(squares: &[char]) -> Pieces {
    let of = |sign: char| {
        let found = squares.iter().enumerate().filter(|(_, s)| **s == sign);
        found.map(|(i, _)| Cell(i as u8)).collect::<CellSet>()
    };
    ([of('Q'), of('q')], of('*'))
}

fn count(at: usize, amazons: [CellSet; 2]) -> Result<(), PositionParseError> {
    let wrong = amazons.iter().find(|side| !(1..=MAX_AMAZONS).contains(&side.len()));
    let need = |side: &CellSet| Requirement::of("amazons-count").with(MAX_AMAZONS).with(side.len());
    wrong.map_or(Ok(()), |side| Err(PositionParseError::new(at, need(side))))
}

fn read_turn(fields: &[(usize, &str)]) -> Result<Side, PositionParseError> {
    match fields.get(1) {
        None | Some((_, "w" | "W")) => Ok(Side::White),
        Some((_, "b" | "B")) => Ok(Side::Black),
        Some((at, _)) => Err(PositionParseError::new(*at, Requirement::of("amazons-turn"))),
    }
}

fn read_number(field: Option<(usize, &str)>) -> Result<u16, PositionParseError> {
    let Some((at, text)) = field else { return Ok(1) };
    let number = text.parse().ok().filter(|n| (1..=9999).contains(n));
    number.ok_or_else(|| PositionParseError::new(at, Requirement::of("amazons-move-number")))
}

fn read_pie(field: Option<(usize, &str)>, position: &AmazonsPosition) -> Result<Pie, PositionParseError> {
    let Some((at, text)) = field else { return Ok(Pie::Off) };
    let pie = text.strip_prefix("pie:").and_then(Pie::named);
    let pie = pie.ok_or_else(|| PositionParseError::new(at, Requirement::of("amazons-pie")))?;
    let fits = pie.fits(position.to_move().index());
    if fits { Ok(pie) } else { Err(PositionParseError::new(at, Requirement::of("amazons-pie-side"))) }
}

impl std::fmt::Debug for AmazonsPosition {
    /// The position as a line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Amazons({})", write(self))
    }
}
