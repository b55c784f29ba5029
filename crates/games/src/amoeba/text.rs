//! The board in plain characters, and as facts for descriptions in words.

use rookery_core::{Fact, Position, Seat};

use super::line::{letters, row_cells};
use super::rules::{AmoebaPosition, Side, Stack, board};

/// The board for a fixed-width font: each stack as its top piece (`A`, `B`; the Kernels `K`, `L`) and its height, a dot
/// for an empty point; names of the first and last points; below it the contents of the tall stacks, bottom first.
pub(super) fn text_board(position: &AmoebaPosition) -> String {
    let mut lines: Vec<String> = (0..7).rev().map(|row| write_row(position, row)).collect();
    for (cell, stack) in position.stacks().filter(|(_, stack)| stack.height() > 1) {
        lines.push(format!("{}: {}", board().name(cell), letters(stack)));
    }
    lines.join("\n")
}

fn write_row(position: &AmoebaPosition, row: u8) -> String {
    let cells: Vec<_> = row_cells(row).collect();
    let signs: Vec<String> = cells.iter().map(|cell| sign(position.stack(*cell))).collect();
    let indent = " ".repeat(2 * (7 - cells.len()));
    let letter = char::from(b'a' + row);
    format!("{indent}{letter}1 {} {letter}{}", signs.join(" "), cells.len())
}

fn sign(stack: Stack) -> String {
    match (stack.height(), stack.pieces().next_back()) {
        (0, _) | (_, None) => " . ".to_owned(),
        (1, Some(top)) => format!(" {} ", top.letter()),
        (height, Some(top)) => format!("{:<3}", format!("{}{height}", top.letter())),
    }
}

/// Lists who controls which points, where the Kernels are, and the contents of the taller stacks.
pub(super) fn facts(position: &AmoebaPosition) -> Vec<Fact> {
    let side = |seat: Seat| Side::BOTH[position.side(seat)];
    let own = |seat: Seat| position.stacks().filter(move |(_, stack)| stack.owner() == Some(side(seat)));
    let mut facts: Vec<Fact> =
        Seat::all(2).map(|seat| Fact::pieces(seat, own(seat).map(|(cell, _)| cell))).collect();
    for seat in Seat::all(2) {
        let kernel = position.stacks().find(|(_, stack)| stack.has_kernel(side(seat)));
        let cells = kernel.into_iter().map(|(cell, _)| cell).collect();
        facts.push(Fact { key: "amoeba-kernel", seat: Some(seat), cells, words: Vec::new() });
    }
    let tall = position.stacks().filter(|(_, stack)| stack.height() > 1);
    let words: Vec<String> =
        tall.map(|(cell, stack)| format!("{} {}", board().name(cell), letters(stack))).collect();
    if !words.is_empty() {
        facts.push(Fact::words("amoeba-stacks", None, words));
    }
    facts
}
