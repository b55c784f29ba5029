//! The initial positions of the amazons: named starts on any board, and free ones.

use rookery_core::rules::{Setup, SetupError, parse_size};
use rookery_core::{Board, Cell, CellSet, Pie, Reader};

use super::INFO;
use super::rules::{AmazonsPosition, MAX_AMAZONS, Side};

/// The first position of a setup.
///
/// # Errors
/// If an option does not accept its value, or a free start does not fit the board.
pub(super) fn start(setup: &Setup) -> Result<AmazonsPosition, SetupError> {
    setup.check(&INFO)?;
    let size = parse_size(setup.option(&INFO, "size"));
    let (w, h) = size.ok_or_else(|| bad(setup, "size"))?;
    let board = Board::square(w, h);
    let amazons = free_start(setup, board)?.map_or_else(|| named_start(setup, board), Ok)?;
    Ok(AmazonsPosition::new(board, amazons, CellSet::EMPTY, Side::White)
        .with_pie(Pie::at_start(setup, &INFO)))
}

/// The named start of a setup, with the chosen number of amazons.
fn named_start(setup: &Setup, board: &'static Board) -> Result<[CellSet; 2], SetupError> {
    let count: usize = setup.option(&INFO, "amazons").parse().map_err(|_| bad(setup, "amazons"))?;
    let places = pattern(setup.option(&INFO, "start"), board);
    Ok(places.map(|side| side.into_iter().take(count).filter_map(|(col, row)| board.at(col, row)).collect()))
}

/// White's and Black's places, column and row from 0.
///
/// Along each edge the places are a third of the way from the corners: `(n - 1) / 3`, rounded down, which gives 3 on
/// ten squares, 2 on eight, 1 on six, five and four: the usual starts for those sizes. The order is such that the first
/// one, two or three of both sides are symmetric too: standard by half a turn, cross by the long diagonal, scrambled
/// from bottom to top.
fn pattern(name: &str, board: &Board) -> [[(u8, u8); MAX_AMAZONS]; 2] {
    let (right, top) = board.cells().last().map_or((0, 0), |cell| board.place(cell));
    let (col, row) = (right / 3, top / 3);
    let (far_col, far_row) = (right - col, top - row);
    match name {
        "cross" => [
            [(0, row), (right, far_row), (0, far_row), (right, row)],
            [(col, 0), (far_col, top), (col, top), (far_col, 0)],
        ],
        "scrambled" => [
            [(col, 0), (far_col, top), (0, far_row), (right, row)],
            [(col, top), (far_col, 0), (0, row), (right, far_row)],
        ],
        _ => [
            [(col, 0), (far_col, 0), (0, row), (right, row)],
            [(far_col, top), (col, top), (right, far_row), (0, far_row)],
        ],
    }
}

/// The start according to the options `white` and `black`, if they are given.
fn free_start(setup: &Setup, board: &'static Board) -> Result<Option<[CellSet; 2]>, SetupError> {
    let given = |key: &str| setup.options.get(key).is_some_and(|text| !text.trim().is_empty());
    if !given("white") && !given("black") {
        return Ok(None);
    }
    let white = cells(setup, "white", board)?;
    let black = cells(setup, "black", board)?;
    match (white & black).lowest() {
        Some(cell) => Err(conflict("amazons-two-on-one", board.name(cell))),
        None => Ok(Some([white, black])),
    }
}

/// Reads a list of cells, with commas, blanks or nothing between.
fn cells(setup: &Setup, key: &str, board: &'static Board) -> Result<CellSet, SetupError> {
    let mut reader = Reader::new(setup.option(&INFO, key));
    let mut found = CellSet::EMPTY;
    while !reader.is_done() {
        let spot = reader.coordinate().map_err(|_| bad(setup, key))?;
        let cell = board.locate(spot).ok_or_else(|| conflict("amazons-off-board", &spot.to_string()))?;
        add(&mut found, cell).map_err(|()| conflict("amazons-two-on-one", board.name(cell)))?;
        reader.eat_all(&[',', ';', '/']);
    }
    let fits = (1..=MAX_AMAZONS).contains(&found.len());
    if fits { Ok(found) } else { Err(conflict("amazons-how-many", key)) }
}

fn add(found: &mut CellSet, cell: Cell) -> Result<(), ()> {
    let twice = found.has(cell);
    found.insert(cell);
    if twice { Err(()) } else { Ok(()) }
}

fn bad(setup: &Setup, key: &str) -> SetupError {
    SetupError::bad_value(&INFO, key, setup.option(&INFO, key))
}

fn conflict(rule: &'static str, about: &str) -> SetupError {
    SetupError::Conflict { rule, about: vec![about.to_owned()] }
}
