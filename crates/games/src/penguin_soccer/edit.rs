//! Setting up a position of Penguin Soccer.

use rookery_core::square::COMPASS;
use rookery_core::{Cell, Dir, EditorPiece, Position, PositionEdit, Seat};

use super::field::{Field, Penguin, PenguinId, Size, centre};
use super::line;
use super::rules::SoccerPosition;

/// The sign of the ball.
const BALL: &str = "o";
/// The penguins of the families in the order of a menu, each with its size.
const PENGUINS: [(EditorPiece, Size); 12] = [
    (EditorPiece::of(Seat::FIRST, "B1", "baby"), Size::Baby),
    (EditorPiece::of(Seat::FIRST, "P1", "papa"), Size::Papa),
    (EditorPiece::of(Seat::FIRST, "M1", "mama"), Size::Mama),
    (EditorPiece::of(Seat::SECOND, "B2", "baby"), Size::Baby),
    (EditorPiece::of(Seat::SECOND, "P2", "papa"), Size::Papa),
    (EditorPiece::of(Seat::SECOND, "M2", "mama"), Size::Mama),
    (EditorPiece::of(Seat::THIRD, "B3", "baby"), Size::Baby),
    (EditorPiece::of(Seat::THIRD, "P3", "papa"), Size::Papa),
    (EditorPiece::of(Seat::THIRD, "M3", "mama"), Size::Mama),
    (EditorPiece::of(Seat::FOURTH, "B4", "baby"), Size::Baby),
    (EditorPiece::of(Seat::FOURTH, "P4", "papa"), Size::Papa),
    (EditorPiece::of(Seat::FOURTH, "M4", "mama"), Size::Mama),
];

/// The penguins of the families, and the ball.
pub(super) fn pieces(seats: usize) -> Vec<EditorPiece> {
    let penguins = PENGUINS.iter().map(|(piece, _)| *piece).take(seats * Size::ALL.len());
    penguins.chain([EditorPiece::neutral(BALL, "ball")]).collect()
}

/// Writes the position after an edit. A penguin is put upright, and turns by an eighth each time it is put on its own
/// square. A ball that is taken off its square is on the crossing in the middle. The position occurs for the first time.
pub(super) fn edited(position: &SoccerPosition, edit: &PositionEdit) -> Option<String> {
    let (mut field, mut turn) = (*position.field(), position.turn());
    match edit {
        PositionEdit::Put { piece, cell } if piece == BALL => field.set_ball(Some(*cell)),
        PositionEdit::Put { piece, cell } => {
            let who = penguin(piece, field.seats())?;
            put(&mut field, who, *cell);
        }
        PositionEdit::Clear(cell) => match field.at(*cell) {
            _ if field.ball() == Some(*cell) => field.set_ball(None),
            Some(who) => field.set(who, None),
            None => return None,
        },
        PositionEdit::Carry { from, to } => carry(&mut field, *from, *to)?,
        PositionEdit::Turn(seat) => turn = *seat,
        PositionEdit::Points { .. } | PositionEdit::Tiles { .. } => return None,
    }
    let after = SoccerPosition::new(field, turn);
    let after = if position.times().is_some() { after.drawn_by_repetition(1) } else { after };
    Some(line::write(&after))
}

fn penguin(sign: &str, seats: usize) -> Option<PenguinId> {
    let known = PENGUINS.iter().take(seats * Size::ALL.len());
    known.filter(|(piece, _)| piece.sign == sign).find_map(|(piece, size)| Some((piece.seat?, *size)))
}

/// Puts a penguin upright on a square, or turns it if it is there.
fn put(field: &mut Field, who: PenguinId, cell: Cell) {
    if let Some(before) = field.at(cell).filter(|before| *before != who) {
        field.set(before, None);
    }
    let here = field.penguin(who).filter(|penguin| penguin.cell == cell);
    field.set(who, Some(Penguin { cell, facing: here.and_then(|penguin| turned(penguin.facing)) }));
}

/// The direction after this one: clockwise from the north, and then upright again.
fn turned(facing: Option<Dir>) -> Option<Dir> {
    facing.map_or(Some(0), |dir| Some(dir + 1)).filter(|dir| *dir < COMPASS.len())
}

/// Moves a penguin, with the ball if it holds it, or else the ball.
fn carry(field: &mut Field, from: Cell, to: Cell) -> Option<()> {
    // While it is on the crossing in the middle, the ball is drawn on all four squares around it.
    let has_ball = field.ball().map_or(centre().contains(&from), |cell| cell == from);
    match field.at(from) {
        Some(who) => {
            let penguin = field.penguin(who)?;
            if let Some(before) = field.at(to).filter(|before| *before != who) {
                field.set(before, None);
            }
            field.set(who, Some(Penguin { cell: to, ..penguin }));
        }
        None if has_ball => {}
        None => return None,
    }
    if has_ball {
        field.set_ball(Some(to));
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::PenguinSoccer;
    use rookery_core::game::TypeErased;
    use rookery_core::{EditError, Game, PositionEdit};

    #[test]
    fn penguins_and_the_ball_are_put_and_turned() {
        let game = &TypeErased::<PenguinSoccer>::GAME;
        let mut play = game.resume("-,-,-|-,-,- - 1").unwrap();
        for (edit, line) in [
            ("put:B1:c3", "c3U,-,-|-,-,- - 1"),
            ("put:B1:c3", "c3N,-,-|-,-,- - 1"),
            ("put:B1:c3", "c3NE,-,-|-,-,- - 1"),
            ("put:M2:c3", "-,-,-|-,-,c3U - 1"),
            ("put:o:c3", "-,-,-|-,-,c3U c3 1"),
            ("carry:c3:f7", "-,-,-|-,-,f7U f7 1"),
            ("clear:f7", "-,-,-|-,-,f7U - 1"),
            ("clear:f7", "-,-,-|-,-,- - 1"),
            ("carry:e4:b2", "-,-,-|-,-,- b2 1"),
            ("clear:b2", "-,-,-|-,-,- - 1"),
            ("turn:2", "-,-,-|-,-,- - 2"),
        ] {
            let read = PositionEdit::read(edit, play.board(), 2).unwrap();
            play = play.edited(&read).unwrap();
            assert_eq!(play.line(), line, "{edit}");
        }
        let refused = |edit| play.edited(&PositionEdit::read(edit, play.board(), 2).unwrap()).err().unwrap();
        assert_eq!(refused("clear:a2"), EditError::Nothing);
        assert_eq!(refused("carry:c3:b2"), EditError::Nothing, "the ball is in the middle");
        assert_eq!(refused("put:B3:a2"), EditError::Nothing, "there are two families");
        assert!(matches!(refused("put:B1:d4"), EditError::Invalid(_)), "the ball is untouched");
    }
}
