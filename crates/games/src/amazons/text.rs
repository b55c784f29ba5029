//! The board in plain characters, and as facts for descriptions in words.

use rookery_core::{Cell, Fact, Seat};

use super::rules::{AmazonsPosition, Side};

/// The board for a fixed-width font: `W` and `B` amazons, `x` blocked, a dot free; names of columns and rows around it.
pub(super) fn board(position: &AmazonsPosition) -> String {
    let board = position.board();
    let cells: Vec<Cell> = board.cells().collect();
    let width = cells.iter().filter(|cell| board.place(**cell).1 == 0).count();
    let letters: Vec<String> = (0..width as u8).map(|col| char::from(b'a' + col).to_string()).collect();
    let letters = format!("   {}", letters.join(" "));
    let rows = cells.chunks(width).enumerate().rev().map(|(row, cells)| {
        let signs: Vec<&str> = cells.iter().map(|cell| sign(position, *cell)).collect();
        format!("{:>2} {} {}", row + 1, signs.join(" "), row + 1)
    });
    let mut lines = vec![letters.clone()];
    lines.extend(rows);
    lines.push(letters);
    lines.join("\n")
}

fn sign(position: &AmazonsPosition, cell: Cell) -> &'static str {
    let of = [
        (position.amazons(Side::White), "W"),
        (position.amazons(Side::Black), "B"),
        (position.arrows(), "x"),
    ];
    of.into_iter().find(|(set, _)| set.has(cell)).map_or(".", |(_, sign)| sign)
}

/// The cells of both sides' amazons, and the blocked squares.
pub(super) fn facts(position: &AmazonsPosition) -> Vec<Fact> {
    let pieces = |seat: Seat| Fact::pieces(seat, position.amazons(position.colour(seat)));
    vec![pieces(Seat::FIRST), pieces(Seat::SECOND), Fact::gone(position.arrows())]
}
