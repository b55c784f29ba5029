//! How moves change the position of a table.

use std::sync::Arc;

use rookery_core::Play;

use super::Table;
use crate::model::AutoMoveReason;

impl Table {
    /// Applies a recorded move; `played` is the position after it, if known.
    pub(super) fn advance(
        &mut self,
        text: &str,
        why: Option<AutoMoveReason>,
        played: Option<Box<dyn Play>>,
    ) -> Result<(), String> {
        let before = self.play.as_mut().ok_or("a move before the start")?;
        let ply = before.ply() + 1;
        let text = match played {
            Some(after) if after.ply() != ply => return Err(format!("{text}: a position of another turn")),
            Some(after) => {
                *before = after.into();
                text.to_owned()
            }
            None => own_copy(before).play(text).map_err(|e| format!("{text}: {e}"))?,
        };
        self.auto_moves.extend(why.map(|why| (ply, why)));
        self.plans.advance(&text);
        (self.offer, self.paused) = (None, false);
        self.declined.clear();
        Ok(())
    }
}

/// Returns the position for changes: a copy, if another table shares it.
pub(super) fn own_copy(play: &mut Arc<dyn Play>) -> &mut dyn Play {
    if Arc::get_mut(play).is_none() {
        *play = play.clone_play().into();
    }
    Arc::get_mut(play).expect("nothing else has the copy")
}
