//! A position in one line: the fox, the hounds, and the side to move, as in `e1 b8,d8,f8,h8 fox`.

use rookery_core::rules::PositionParseError;
use rookery_core::{Cell, CellSet, Requirement, Seat, placed_words};

use super::rules::{FOX, FoxPosition, HOUNDS, board};

pub(super) const START: &str = "e1 b8,d8,f8,h8 fox";

const NUMBER_OF_HOUNDS: usize = 4;

pub(super) fn write(position: &FoxPosition) -> String {
    let name = |cell: Cell| board().name(cell).to_owned();
    let hounds: Vec<_> = position.hounds.iter().map(name).collect();
    let turn = if position.turn == FOX { "fox" } else { "hounds" };
    format!("{} {} {turn}", name(position.fox), hounds.join(","))
}

pub(super) fn read(line: &str) -> Result<FoxPosition, PositionParseError> {
    let wrong = |at: usize, key: &'static str| PositionParseError::new(at, Requirement::of(key));
    let words = placed_words(line);
    let [(fox_at, fox), (hounds_at, hounds), (turn_at, turn), rest @ ..] = &words[..] else {
        return Err(wrong(0, "fox-line"));
    };
    let fox = dark(fox).ok_or_else(|| wrong(*fox_at, "fox-square"))?;
    let hounds = read_hounds(hounds).filter(|hounds| !hounds.has(fox));
    let hounds = hounds.ok_or_else(|| wrong(*hounds_at, "fox-hounds"))?;
    let turn = read_turn(turn).ok_or_else(|| wrong(*turn_at, "fox-turn"))?;
    match rest.first() {
        Some((at, _)) => Err(wrong(*at, "fox-end")),
        None => Ok(FoxPosition { fox, hounds, turn }),
    }
}

fn dark(name: &str) -> Option<Cell> {
    board().named(name).filter(|cell| {
        let (col, row) = board().place(*cell);
        (col + row).is_multiple_of(2)
    })
}

fn read_hounds(names: &str) -> Option<CellSet> {
    let hounds: CellSet = names.split(',').map(dark).collect::<Option<Vec<_>>>()?.into_iter().collect();
    (hounds.len() == NUMBER_OF_HOUNDS).then_some(hounds)
}

fn read_turn(word: &str) -> Option<Seat> {
    match word {
        "fox" => Some(FOX),
        "hounds" => Some(HOUNDS),
        _ => None,
    }
}
