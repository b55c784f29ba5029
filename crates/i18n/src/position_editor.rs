//! Sentences for setting up a position.

use rookery_core::{EditError, EditorPiece, Play};

use crate::Localizer;

impl Localizer {
    /// Names a piece that can be put on the board: "White amazon".
    pub fn editor_piece(&self, play: &dyn Play, piece: &EditorPiece) -> String {
        let side = piece.seat.map(|seat| self.side(play, seat)).unwrap_or_default();
        let args = [("game", play.info().key.into()), ("side", side.into())];
        self.say(&format!("editor-piece-{}", piece.name), &args)
    }

    /// Explains why an edit of a position is refused.
    pub fn edit_error(&self, error: &EditError) -> String {
        match error {
            EditError::Nothing => self.word("editor-nothing"),
            EditError::Invalid(bad) => {
                self.say("editor-invalid", &[("wanted", self.need(&bad.wanted).into())])
            }
        }
    }
}
