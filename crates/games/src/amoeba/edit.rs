//! Setting up a position of Amoeba.

use rookery_core::{Cell, EditorPiece, PositionEdit, Seat};

use super::line;
use super::rules::{AmoebaPosition, POINTS, Piece, Side, Stack};

/// The pieces in the order of a menu; the signs are those of a position's line.
pub(super) const PIECES: [EditorPiece; 4] = [
    EditorPiece::of(Seat::FIRST, "A", "piece"),
    EditorPiece::of(Seat::FIRST, "K", "kernel"),
    EditorPiece::of(Seat::SECOND, "B", "piece"),
    EditorPiece::of(Seat::SECOND, "L", "kernel"),
];

/// Writes the position after an edit. A piece or a stack is put on top of a stack, and a side's Kernel that is put leaves the
/// place where it was. The pie rule is no longer in play, and the position occurs for the first time.
pub(super) fn edited(position: &AmoebaPosition, edit: &PositionEdit) -> Option<String> {
    let mut stacks: [Stack; POINTS] = std::array::from_fn(|point| position.stack(Cell(point as u8)));
    let mut turn = position.to_move();
    match edit {
        PositionEdit::Put { piece, cell } => {
            let letter = PIECES.iter().find(|known| known.sign == piece)?.sign.chars().next()?;
            let piece = Piece::of(letter)?;
            if piece.kernel {
                for stack in &mut stacks {
                    *stack = stack.pieces().filter(|other| *other != piece).collect();
                }
            }
            let at = &mut stacks[cell.index()];
            *at = at.under(Stack::of(piece));
        }
        PositionEdit::Clear(cell) => {
            let at = &mut stacks[cell.index()];
            let below = at.height().checked_sub(1)?;
            *at = at.pieces().take(below).collect();
        }
        PositionEdit::Carry { from, to } => {
            let carried = std::mem::take(&mut stacks[from.index()]);
            if carried.is_empty() {
                return None;
            }
            let at = &mut stacks[to.index()];
            *at = at.under(carried);
        }
        PositionEdit::Turn(seat) => turn = *Side::BOTH.get(seat.index())?,
        PositionEdit::Points { .. } | PositionEdit::Tiles { .. } => return None,
    }
    Some(line::write_stacks(&stacks, turn))
}

#[cfg(test)]
mod tests {
    use super::super::Amoeba;
    use rookery_core::game::TypeErased;
    use rookery_core::{EditError, Game, PositionEdit};

    #[test]
    fn stacks_are_built_from_below() {
        let game = &TypeErased::<Amoeba>::GAME;
        let mut play = game.resume("B,3/2,L,2/6/7/6/2,K,2/A,3 1").unwrap();
        for (edit, line) in [
            ("put:B:a1", "B,3/2,L,2/6/7/6/2,K,2/AB,3 1"),
            ("put:K:a1", "B,3/2,L,2/6/7/6/5/ABK,3 1"),
            ("carry:a1:d4", "B,3/2,L,2/6/3,ABK,3/6/5/4 1"),
            ("put:A:d4", "B,3/2,L,2/6/3,ABKA,3/6/5/4 1"),
            ("clear:d4", "B,3/2,L,2/6/3,ABK,3/6/5/4 1"),
            ("turn:2", "B,3/2,L,2/6/3,ABK,3/6/5/4 2"),
        ] {
            let read = PositionEdit::read(edit, play.board(), 2).unwrap();
            play = play.edited(&read).unwrap();
            assert_eq!(play.line(), line, "{edit}");
        }
        let merged = |edit| play.edited(&PositionEdit::read(edit, play.board(), 2).unwrap()).unwrap().line();
        assert_eq!(merged("carry:g1:d4"), "4/2,L,2/6/3,ABKB,3/6/5/4 2", "nothing is lost");
        assert_eq!(merged("carry:d4:g1"), "BABK,3/2,L,2/6/7/6/5/4 2", "what is carried lies on top");
        assert_eq!(merged("carry:d4:d4"), play.line(), "put down where it was");
        let refused = |edit| play.edited(&PositionEdit::read(edit, play.board(), 2).unwrap()).err().unwrap();
        assert_eq!(refused("clear:a1"), EditError::Nothing);
        assert!(matches!(refused("clear:d4"), EditError::Invalid(_)), "each side keeps its Kernel");
    }
}
