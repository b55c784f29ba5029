//! The last move in motion, in place of the still board, where a server wishes so.

use rookery_core::scene::Scene;
use rookery_core::{Play, Seat, motion};
use rookery_table::Table;

use super::MessageView;
use crate::discord::wire::outgoing_message::{Picture, Scenes};

impl MessageView<'_> {
    /// Builds the picture of a posted board: a still, or the last move in motion.
    pub(super) fn posted_picture(&self, table: &Table, play: &dyn Play, side: Seat) -> Picture {
        let still = self.picture_with_text(table, play, side);
        let frames = match &still.scenes {
            Scenes::Ready(scenes) if self.display.motion => {
                scenes.first().and_then(|it| self.frames(play, side, it))
            }
            _ => None,
        };
        match frames {
            Some(frames) => Picture::motion(frames, still.alt),
            None => still,
        }
    }

    /// Returns the frames of the last move, which end with the still board; `None` before the first move.
    fn frames(&self, play: &dyn Play, side: Seat, still: &Scene) -> Option<Vec<Scene>> {
        let before = play.at_ply(play.ply().checked_sub(1)?);
        let look = self.display.look(side);
        let [before, after] = [unmarked(before.as_ref())?, unmarked(play)?].map(|at| at.scene(&look));
        Some(motion::frames(&before, &after, still.clone()))
    }
}

/// Returns the position as a game that starts there, whose drawing marks no last move.
fn unmarked(play: &dyn Play) -> Option<Box<dyn Play>> {
    rookery_games::named(play.info().key)?.resume(&play.line()).ok()
}
