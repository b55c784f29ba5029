//! Setting up a position of the Amazons.

use rookery_core::{Cell, CellSet, EditorPiece, PositionEdit, Seat};

use super::line;
use super::rules::{AmazonsPosition, Side};

/// The pieces in the order of a menu; the signs are those of a position's line.
pub(super) const PIECES: [EditorPiece; 3] = [
    EditorPiece::of(Seat::FIRST, "Q", "amazon"),
    EditorPiece::of(Seat::SECOND, "q", "amazon"),
    EditorPiece::neutral("*", "arrow"),
];

/// What stands on the squares, as sets that are edited.
struct Draft {
    amazons: [CellSet; 2],
    arrows: CellSet,
}

impl Draft {
    fn of(position: &AmazonsPosition) -> Draft {
        Draft { amazons: Side::BOTH.map(|side| position.amazons(side)), arrows: position.arrows() }
    }

    fn sets(&mut self) -> [&mut CellSet; 3] {
        let [white, black] = &mut self.amazons;
        [white, black, &mut self.arrows]
    }

    /// Empties a square; returns the number of the set of the piece that was there.
    fn take(&mut self, cell: Cell) -> Option<usize> {
        let found = self.sets().iter().position(|set| set.has(cell))?;
        self.sets()[found].remove(cell);
        Some(found)
    }
}

/// The sign of the piece on a square.
pub(super) fn signs_on(position: &AmazonsPosition, cell: Cell) -> Vec<&'static str> {
    let mut draft = Draft::of(position);
    let sets = draft.sets().into_iter().zip(PIECES);
    sets.filter(|(set, _)| set.has(cell)).map(|(_, piece)| piece.sign).collect()
}

/// Writes the position after an edit. The pie rule is no longer in play: it belongs to the start of a game.
pub(super) fn edited(position: &AmazonsPosition, edit: &PositionEdit) -> Option<String> {
    let mut draft = Draft::of(position);
    let mut turn = position.to_move();
    match edit {
        PositionEdit::Put { piece, cell } => {
            let number = PIECES.iter().position(|known| known.sign == piece)?;
            draft.take(*cell);
            draft.sets()[number].insert(*cell);
        }
        PositionEdit::Clear(cell) => drop(draft.take(*cell)?),
        PositionEdit::Carry { from, to } => {
            let number = draft.take(*from)?;
            draft.take(*to);
            draft.sets()[number].insert(*to);
        }
        PositionEdit::Turn(seat) => turn = *Side::BOTH.get(seat.index())?,
        PositionEdit::Points { .. } | PositionEdit::Tiles { .. } => return None,
    }
    let after = AmazonsPosition::new(position.board(), draft.amazons, draft.arrows, turn);
    Some(line::write(&after.at_move(position.move_number())))
}

#[cfg(test)]
mod tests {
    use super::super::Amazons;
    use rookery_core::game::TypeErased;
    use rookery_core::{EditError, Game, PositionEdit};

    #[test]
    fn a_position_is_set_up_piece_by_piece() {
        let game = &TypeErased::<Amazons>::GAME;
        let mut play = game.resume("6/2q3/6/6/3Q2/6 w - - 0 7").unwrap();
        for (edit, line) in [
            ("put:*:a1", "6/2q3/6/6/3Q2/*5 w - - 0 7"),
            ("put:Q:f6", "5Q/2q3/6/6/3Q2/*5 w - - 0 7"),
            ("carry:d2:a1", "5Q/2q3/6/6/6/Q5 w - - 0 7"),
            ("put:q:f6", "5q/2q3/6/6/6/Q5 w - - 0 7"),
            ("clear:c5", "5q/6/6/6/6/Q5 w - - 0 7"),
            ("turn:2", "5q/6/6/6/6/Q5 b - - 0 7"),
        ] {
            let read = PositionEdit::read(edit, play.board(), 2).unwrap();
            play = play.edited(&read).unwrap();
            assert_eq!(play.line(), line, "{edit}");
        }
        let refused = |edit| play.edited(&PositionEdit::read(edit, play.board(), 2).unwrap()).err().unwrap();
        assert_eq!(refused("clear:b2"), EditError::Nothing);
        assert!(matches!(refused("clear:a1"), EditError::Invalid(_)), "White keeps an amazon");
        assert_eq!(refused("points:1:3"), EditError::Nothing);
    }
}
