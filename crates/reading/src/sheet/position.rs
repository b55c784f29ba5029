//! The position with what was read from the cells of a sheet.

use rookery_core::{Board, Cell, Play, Seat};
use rookery_games::floe::layout;

use super::mark::Mark;

/// The pieces of each seat if none is on the board.
const USUAL_PIECES: usize = 4;

/// What was read on a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellReading {
    pub(super) cell: Cell,
    /// 1 to 3; says nothing if the cell is crossed out.
    pub(super) points: u8,
    pub(super) mark: Mark,
    pub(super) is_clear: bool,
}

impl CellReading {
    fn is_piece_of(&self, seat: Seat) -> bool {
        self.mark == if seat == Seat::FIRST { Mark::Square } else { Mark::Circle }
    }
}

/// A game that starts with the position. Each seat has as many pieces as that with the most has on the board, and squares are
/// to move unless circles have fewer pieces. `None` if the game has no such position, such as one with nine squares.
pub(super) fn play(board: &Board, cells: &[CellReading]) -> Option<Box<dyn Play>> {
    let points = |cell: Cell| match cells[cell.index()] {
        CellReading { mark: Mark::Cross, .. } => 0,
        CellReading { points, .. } => points,
    };
    let pieces = [Seat::FIRST, Seat::SECOND].map(|seat| {
        let its = cells.iter().filter(|cell| cell.is_piece_of(seat));
        its.map(|cell| board.name(cell.cell)).collect::<Vec<_>>()
    });
    let counts = pieces.each_ref().map(Vec::len);
    let [first, second] = pieces.map(|names| if names.is_empty() { "-".to_owned() } else { names.join(",") });
    let each = if counts == [0, 0] { USUAL_PIECES.min(board.len() / 2) } else { counts[0].max(counts[1]) };
    let phase = if counts == [each, each] { "move" } else { "place" };
    let turn = if counts[1] < counts[0] { Seat::SECOND } else { Seat::FIRST };
    let rows = layout::write(board, points);
    let line = format!("{rows} {first}|{second} {turn} {phase} 0,0 any:{each}");
    rookery_games::named("paper_penguins")?.resume(&line).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(marks: &[(&str, Mark)]) -> Option<String> {
        let board = Board::square(3, 3);
        let mark =
            |cell| marks.iter().find(|(name, _)| board.named(name) == Some(cell)).map(|(_, mark)| *mark);
        let reading = |cell: Cell| CellReading {
            cell,
            points: cell.index() as u8 % 3 + 1,
            mark: mark(cell).unwrap_or(Mark::Nothing),
            is_clear: true,
        };
        play(board, &board.cells().map(reading).collect::<Vec<_>>()).map(|play| play.line())
    }

    #[test]
    fn positions_are_made_of_marks() {
        let made = |marks: &[(&str, Mark)]| line(marks).expect("a position");
        assert_eq!(made(&[]), "123/123/123 -|- 1 place 0,0 any:4");
        assert_eq!(made(&[("a1", Mark::Square)]), "123/123/123 a1|- 2 place 0,0 any:1");
        let moved = [("a1", Mark::Square), ("b2", Mark::Circle), ("c3", Mark::Cross)];
        assert_eq!(made(&moved), "12./123/123 a1|b2 1 move 0,0 any:1");
        let nine = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"].map(|name| (name, Mark::Square));
        assert_eq!(line(&nine), None);
    }
}
