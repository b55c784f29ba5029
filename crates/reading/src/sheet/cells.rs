//! The cells of a sheet: the printed number of each, and what is drawn on it.

use rookery_core::Cell;

use super::digits::{Digit, Digits};
use super::flat::{Ink, UNITS, median};
use super::joint;
use super::mark::{self, Costs, Mark, Template};
use super::page::{Drawing, Grid};
use super::patch::Patch;
use super::position::CellReading;

/// A mark is clear if all others together with the likeliest marks elsewhere are less likely by this much: 55 times.
const MIN_LEAD: f32 = 4.0;
/// One of this many cells is even: nothing is drawn on it.
const EVEN: usize = 6;
/// The most noise around numbers, against that of the sheet; more than this is a mark in every cell.
const MAX_NOISE: f32 = 1.5;
/// Cells up to this many columns and rows away tell where the paper of one is.
const NEIGHBOURS: u8 = 1;

/// Reads all cells, in the order of the board; `None` if the digits are not drawn.
pub(super) fn read(grid: &Grid, drawing: &Drawing, ink: &Ink) -> Option<Vec<CellReading>> {
    let digits = Digits::new(grid, drawing, ink.sharpness)?;
    let middle = |cell: Cell| {
        let (x, y) = grid.centre(cell);
        (x / UNITS, y / UNITS)
    };
    let read: Vec<Digit> = grid.board().cells().map(|cell| digits.read(ink, middle(cell))).collect();
    let patch = |cell: Cell| {
        let digit = read[cell.index()];
        let off = if digit.is_clear() { digit.off } else { usual_off(grid, &read, cell) };
        let (x, y) = middle(cell);
        let is_digit = |at: (f32, f32)| digit.is_clear() && digits.has_print(digit.points, at);
        Patch::new(ink, (x + off.0, y + off.1), grid.cell / UNITS, is_digit)
    };
    let mut patches: Vec<Patch> = grid.board().cells().map(patch).collect();
    let noise = noise(&patches).max(ink.noise).min(MAX_NOISE * ink.noise);
    patches.iter_mut().for_each(|patch| patch.find_strokes(noise));
    let template = Template::new(patches.first()?);
    let costs: Vec<Costs> = patches.iter().map(|patch| mark::costs(patch, &template)).collect();
    let reading = |(cell, (mark, lead)): (Cell, (Mark, f32))| {
        let digit = read[cell.index()];
        let is_clear = lead >= MIN_LEAD && (digit.is_clear() || mark == Mark::Cross);
        CellReading { cell, points: digit.points, mark, is_clear }
    };
    Some(grid.board().cells().zip(joint::likeliest(&costs)).map(reading).collect())
}

/// The standard deviation of paper around a number, where JPEG adds some: that of the more even cells, on which nothing is
/// drawn.
fn noise(patches: &[Patch]) -> f32 {
    let mut all: Vec<f32> = patches.iter().map(Patch::noise).collect();
    let even = all.len() / EVEN;
    *all.select_nth_unstable_by(even, f32::total_cmp).1
}

/// How far the digits around a cell are from where the grid says.
fn usual_off(grid: &Grid, read: &[Digit], cell: Cell) -> (f32, f32) {
    let board = grid.board();
    let (column, row) = board.place(cell);
    let is_near = |other: &Cell| {
        let (across, along) = board.place(*other);
        across.abs_diff(column) <= NEIGHBOURS && along.abs_diff(row) <= NEIGHBOURS
    };
    let near = board.cells().filter(is_near).map(|other| read[other.index()]).filter(Digit::is_clear);
    let near: Vec<Digit> = near.collect();
    let middle = |part: fn(&Digit) -> f32| median(near.iter().map(part).collect());
    (middle(|digit| digit.off.0), middle(|digit| digit.off.1))
}
