//! Checks of the edits that set up a position.

use super::super::game::resumed;
use super::super::position_edit::{EditError, PositionEdit};
use super::super::rules::GameRules;
use super::super::seed::SeededRng;
use super::super::{Cell, Play, Seat};

/// Every piece can be put somewhere and taken again, what is carried arrives, and every position that is not refused can be
/// drawn and written.
pub(super) fn check<R: GameRules>(position: &R::Position, rng: &mut SeededRng) {
    let at = R::to_line(position);
    let play = resumed::<R>(position.clone());
    let cells: Vec<Cell> = play.board().cells().collect();
    let pieces = play.editor_pieces();
    let signs: std::collections::HashSet<_> = pieces.iter().map(|piece| piece.sign).collect();
    assert_eq!(signs.len(), pieces.len(), "two pieces have the same sign in {at}");
    for piece in &pieces {
        let cell = cells[rng.below(cells.len() as u64) as usize];
        let put = PositionEdit::Put { piece: piece.sign.to_owned(), cell };
        let Some(after) = allowed(&play, &put) else { continue };
        let goal = cells[rng.below(cells.len() as u64) as usize];
        let carried =
            (goal != cell).then(|| allowed(after.as_ref(), &PositionEdit::Carry { from: cell, to: goal }));
        if let Some(carried) = carried.flatten() {
            let cleared = carried.edited(&PositionEdit::Clear(goal));
            let is_there = !matches!(cleared, Err(EditError::Nothing));
            assert!(is_there, "{put:?}, carried to {goal:?}, is not there in {at}");
        }
        let is_changed =
            allowed(after.as_ref(), &PositionEdit::Clear(cell)).is_none_or(|it| it.line() != after.line());
        assert!(is_changed, "{put:?} and clearing the cell leave {} as it is", after.line());
    }
    for seat in Seat::all(play.seats()) {
        drop(allowed(&play, &PositionEdit::Turn(seat)));
    }
    let unknown = PositionEdit::Put { piece: "?".to_owned(), cell: cells[0] };
    assert!(matches!(play.edited(&unknown), Err(EditError::Nothing)), "an unknown piece is put in {at}");
    assert_eq!(R::to_line(position), at, "an edit changed the position before it");
}

/// Returns the position after an edit, unless it is refused.
fn allowed(play: &dyn Play, edit: &PositionEdit) -> Option<Box<dyn Play>> {
    let after = play.edited(edit).ok()?;
    assert_eq!(after.seats(), play.seats(), "{edit:?} changes the number of seats in {}", play.line());
    assert_eq!(after.ply(), 0, "{edit:?} leaves moves in {}", play.line());
    assert!(!after.text_board().is_empty());
    Some(after)
}
