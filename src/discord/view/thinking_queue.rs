//! What is told while the program's turn waits in line, or where it thinks little for a while.

use rookery_core::player::Level;
use rookery_i18n::relative;
use rookery_table::thinking_limits::ThinkingWait;
use rookery_table::{Occupant, Table};

use super::MessageView;

/// Whoever is nearer to their turn than this hears of the move before they have read of the line.
const WORTH_TELLING: usize = 3;

impl MessageView<'_> {
    /// What to say under the board of a table at which the program is to move; `None` if it thinks as ever.
    pub fn waiting(&self, table: &Table, wait: &ThinkingWait, now_ms: i64) -> Option<String> {
        let mover = table.to_move().and_then(|seat| table.occupant(seat))?;
        let in_line = || self.in_line(table, wait);
        matches!(mover, Occupant::Ai { .. }).then(|| self.sparing(&[mover], wait, now_ms).or_else(in_line))?
    }

    /// That the program thinks little here for a while, if it holds one of these chairs at a level that would
    /// think at length.
    pub fn sparing(&self, chairs: &[Occupant], wait: &ThinkingWait, now_ms: i64) -> Option<String> {
        let thinks = |chair: &Occupant| matches!(chair, Occupant::Ai { level: Level::Hard | Level::Expert });
        let back = wait.sparing.filter(|_| chairs.iter().any(thinks))?;
        let back_ms = now_ms.saturating_add(i64::try_from(back.as_millis()).unwrap_or(i64::MAX));
        Some(self.words.say("wait-sparing", &[("when", relative(back_ms).into())]))
    }

    fn in_line(&self, table: &Table, wait: &ThinkingWait) -> Option<String> {
        let line = wait.line.filter(|line| line.place >= WORTH_TELLING)?;
        let key = if table.terms().guild.is_some() { "wait-line" } else { "wait-line-dm" };
        Some(self.words.say(key, &[("tables", line.tables.into()), ("place", line.place.into())]))
    }
}
