//! A position in one line of text.
//!
//! ```text
//! B,B,B,B/2,L,2/B,B,B,B,B,B/7/A,A,A,A,A,A/2,K,2/A,A,A,A 1
//! ```
//!
//! Rows from the top (g) to the bottom (a), separated by slashes. In a row from left to right, separated by commas: a
//! stack from its bottom piece to its top one (`A` and the Kernel `K` of the side that starts at the bottom, `B` and
//! `L` of the other), or a number of empty points. Then the side to move, 1 for the bottom, 2 for the top. After that,
//! in any order: `pie:ahead` before the first move, `pie:open` while the second seat may swap, `pie:swapped`
//! afterwards; and `seen:2` if the position occurs for the second time. A game that continues from a line knows no
//! other earlier position.

use rookery_core::rules::PositionParseError;
use rookery_core::{Cell, Pie, Position, Requirement, placed_words};

use super::rules::{AmoebaPosition, PIECES, POINTS, Piece, REPEATS_TO_END, Side, Stack, board};

const ROWS: u8 = 7;

/// The start, as `locales/en/rules/amoeba.md` describes it.
pub(super) const START: &str = "B,B,B,B/2,L,2/B,B,B,B,B,B/7/A,A,A,A,A,A/2,K,2/A,A,A,A 1";

pub(super) fn write(position: &AmoebaPosition) -> String {
    let stacks = std::array::from_fn(|point| position.stack(Cell(point as u8)));
    let mut line = write_stacks(&stacks, position.to_move());
    if let Some(word) = position.pie().word() {
        line += &format!(" pie:{word}");
    }
    let times = position.times();
    if times > 1 {
        line += &format!(" seen:{times}");
    }
    line
}

/// Writes stacks, which need not be a position of the game, and the side to move.
pub(super) fn write_stacks(stacks: &[Stack; POINTS], to_move: Side) -> String {
    let rows: Vec<String> = (0..ROWS).rev().map(|row| write_row(stacks, row)).collect();
    format!("{} {}", rows.join("/"), to_move.index() + 1)
}

fn write_row(stacks: &[Stack; POINTS], row: u8) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut gap = 0;
    for cell in row_cells(row) {
        let stack = stacks[cell.index()];
        if stack.is_empty() {
            gap += 1;
            continue;
        }
        words.extend((gap > 0).then(|| gap.to_string()));
        gap = 0;
        words.push(letters(stack));
    }
    words.extend((gap > 0).then(|| gap.to_string()));
    words.join(",")
}

/// The points of a row, from the left.
pub(super) fn row_cells(row: u8) -> impl Iterator<Item = Cell> {
    (0..ROWS).map_while(move |col| board().at(col, row))
}

/// A stack in letters, bottom first.
pub(super) fn letters(stack: Stack) -> String {
    stack.pieces().map(Piece::letter).collect()
}

/// Reads a position.
///
/// # Errors
/// If a word is not valid; the error gives the first, and what is expected there.
pub(super) fn read(line: &str) -> Result<AmoebaPosition, PositionParseError> {
    let words = placed_words(line);
    let [(rows_at, rows), (turn_at, turn), more @ ..] = &words[..] else {
        return Err(PositionParseError::new(line.chars().count(), Requirement::of("amoeba-line")));
    };
    let stacks = read_rows(*rows_at, rows)?;
    let to_move = match *turn {
        "1" => Side::Bottom,
        "2" => Side::Top,
        _ => return Err(PositionParseError::new(*turn_at, Requirement::of("amoeba-turn"))),
    };
    let (mut pie, mut times) = (Pie::Off, 1);
    for (at, word) in more {
        match word.split_once(':') {
            Some(("pie", stage)) => pie = read_pie(*at, stage, to_move)?,
            Some(("seen", count)) => times = read_times(*at, count)?,
            _ => return Err(PositionParseError::new(*at, Requirement::of("amoeba-end"))),
        }
    }
    let position = AmoebaPosition::new(stacks, to_move).with_pie(pie);
    if times > 1 && position.outcome().is_some() {
        return Err(PositionParseError::new(*rows_at, Requirement::of("amoeba-going-on")));
    }
    Ok(position.standing(times))
}

fn read_rows(at: usize, text: &str) -> Result<[Stack; POINTS], PositionParseError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(ROWS) {
        return Err(PositionParseError::new(at, Requirement::of("amoeba-rows").with(ROWS).with(rows.len())));
    }
    let mut stacks = [Stack::EMPTY; POINTS];
    let mut from = at;
    for (row, text) in (0..ROWS).rev().zip(rows) {
        let read = read_row(from, text)?;
        let cells: Vec<Cell> = row_cells(row).collect();
        if read.len() != cells.len() {
            return Err(PositionParseError::new(
                from,
                Requirement::of("amoeba-row").with(cells.len()).with(read.len()),
            ));
        }
        cells.into_iter().zip(read).for_each(|(cell, stack)| stacks[cell.index()] = stack);
        from += text.chars().count() + 1;
    }
    check_pieces(at, &stacks)?;
    Ok(stacks)
}

fn read_row(at: usize, text: &str) -> Result<Vec<Stack>, PositionParseError> {
    let mut stacks = Vec::new();
    let mut from = at;
    for word in text.split(',') {
        let wanted = || PositionParseError::new(from, Requirement::of("amoeba-stack"));
        match word.parse::<usize>() {
            Ok(gap @ 1..=7) => stacks.extend(std::iter::repeat_n(Stack::EMPTY, gap)),
            Ok(_) => return Err(wanted()),
            Err(_) if word.is_empty() || word.len() > PIECES => return Err(wanted()),
            Err(_) => {
                let pieces: Option<Vec<Piece>> = word.chars().map(Piece::of).collect();
                stacks.push(pieces.ok_or_else(wanted)?.into_iter().collect());
            }
        }
        from += word.chars().count() + 1;
    }
    Ok(stacks)
}

/// Checks that each side has one Kernel, and that there are not too many pieces.
fn check_pieces(at: usize, stacks: &[Stack; POINTS]) -> Result<(), PositionParseError> {
    let pieces = || stacks.iter().flat_map(|stack| stack.pieces());
    for side in Side::BOTH {
        let kernels = pieces().filter(|piece| piece.kernel && piece.side == side).count();
        let all = pieces().filter(|piece| piece.side == side).count();
        if kernels != 1 || all > PIECES / 2 {
            let need =
                Requirement::of("amoeba-pieces").with(PIECES / 2 - 1).with(kernels).with(all - kernels);
            return Err(PositionParseError::new(at, need));
        }
    }
    Ok(())
}

fn read_pie(at: usize, stage: &str, to_move: Side) -> Result<Pie, PositionParseError> {
    let fitting = Pie::named(stage).filter(|pie| pie.fits(to_move.index()));
    fitting.ok_or_else(|| PositionParseError::new(at, Requirement::of("amoeba-pie")))
}

fn read_times(at: usize, count: &str) -> Result<usize, PositionParseError> {
    let times = count.parse().ok().filter(|times| (1..=REPEATS_TO_END).contains(times));
    times.ok_or_else(|| PositionParseError::new(at, Requirement::of("amoeba-seen").with(REPEATS_TO_END)))
}
