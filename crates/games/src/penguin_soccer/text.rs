//! The board in plain characters, and as facts for descriptions in words.

use rookery_core::{Cell, Fact, Seat};

use super::field::{Size, board, home};
use super::notation::standing;
use super::rules::SoccerPosition;
use rookery_core::Position;

/// The board for a fixed-width font, two characters per square: family and size (`1B`), an `o` for the ball behind its
/// holder or alone, `++` for the crossing while the ball is on it, dots elsewhere. Below it, the direction of every
/// penguin and the penguins off the field.
pub(super) fn text_board(position: &SoccerPosition) -> String {
    let letters = "   a  b  c  d  e  f  g  h".to_owned();
    let mut lines = vec![letters.clone()];
    for row in (0..8).rev() {
        let signs: String =
            (0..8).filter_map(|col| board().at(col, row)).map(|c| sign(position, c)).collect();
        lines.push(format!("{} {} {}", row + 1, signs, row + 1));
    }
    lines.push(letters);
    for seat in Seat::all(position.seats()) {
        lines.push(format!("{seat}: {}", family(position, seat)));
    }
    lines.join("\n")
}

fn sign(position: &SoccerPosition, cell: Cell) -> String {
    let field = position.field();
    let ball = if field.ball() == Some(cell) { 'o' } else { ' ' };
    match field.at(cell) {
        Some((seat, size)) => format!("{seat}{}{ball}", letter(size)),
        None if ball == 'o' => " o ".to_owned(),
        None if field.ball().is_none() && super::field::centre().contains(&cell) => " + ".to_owned(),
        None => " . ".to_owned(),
    }
}

fn letter(size: Size) -> char {
    match size {
        Size::Baby => 'B',
        Size::Papa => 'P',
        Size::Mama => 'M',
    }
}

/// A family's penguins, such as `B c3NE, P off, M a1U`.
fn family(position: &SoccerPosition, seat: Seat) -> String {
    let written = |size| {
        let penguin = position.field().penguin((seat, size));
        let place = penguin.map_or("off".to_owned(), |p| standing(p.cell, p.facing));
        format!("{} {place}", letter(size))
    };
    Size::ALL.map(written).join(", ")
}

/// Each family's penguins with their directions (`fact-soccer-family`), the ball (free, held, or untouched), and the Homes.
pub(super) fn facts(position: &SoccerPosition) -> Vec<Fact> {
    let field = position.field();
    let mut facts: Vec<Fact> = Seat::all(position.seats()).flat_map(|seat| about(position, seat)).collect();
    facts.push(match (field.ball(), field.holder()) {
        (None, _) => Fact::cells("soccer-ball-ahead", super::field::centre()),
        (Some(cell), None) => Fact::cells("soccer-ball", [cell]),
        (Some(cell), Some((seat, _))) => {
            Fact { key: "soccer-ball-held", seat: Some(seat), cells: vec![cell], words: Vec::new() }
        }
    });
    facts.extend(field.active().map(|seat| Fact::home(seat, home(field.seats(), seat))));
    facts
}

/// The penguins of a family: those on the field with their squares, and the sizes of those off it.
fn about(position: &SoccerPosition, seat: Seat) -> Vec<Fact> {
    let penguin = |size: &Size| position.field().penguin((seat, *size));
    let place =
        |size: &Size| penguin(size).map(|p| format!("{} {}", size.number(), standing(p.cell, p.facing)));
    let on: Vec<String> = Size::ALL.iter().filter_map(place).collect();
    let off: Vec<String> = Size::ALL
        .iter()
        .filter(|size| penguin(size).is_none())
        .map(|size| size.number().to_string())
        .collect();
    let facts = [("soccer-on", on), ("soccer-off", off)];
    facts
        .into_iter()
        .filter(|(_, words)| !words.is_empty())
        .map(|(key, words)| Fact::words(key, Some(seat), words))
        .collect()
}
