//! The board in plain characters, and the facts for its description in words.

use rookery_core::{Fact, Seat};

use super::rules::{FOX, FoxPosition, HOUNDS, SIDE, board};

pub(super) fn text_board(position: &FoxPosition) -> String {
    let letters = "   a b c d e f g h".to_owned();
    let mut lines = vec![letters.clone()];
    lines.extend((0..SIDE).rev().map(|row| {
        let signs: Vec<_> = (0..SIDE).map(|col| sign(position, col, row)).collect();
        format!(" {} {} {}", row + 1, signs.join(" "), row + 1)
    }));
    lines.push(letters);
    lines.join("\n")
}

fn sign(position: &FoxPosition, col: u8, row: u8) -> &'static str {
    match board().at(col, row) {
        Some(cell) if cell == position.fox => "F",
        Some(cell) if position.hounds.has(cell) => "H",
        _ => ".",
    }
}

pub(super) fn facts(position: &FoxPosition) -> Vec<Fact> {
    let pieces = |seat: Seat| Fact::pieces(seat, position.pieces(seat));
    vec![pieces(FOX), pieces(HOUNDS)]
}
