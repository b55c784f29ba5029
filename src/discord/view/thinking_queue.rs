//! Notices while the bot's turn waits in the queue, or while its search time is used up.

use jiff::Timestamp;
use rookery_core::player::Level;
use rookery_i18n::relative;
use rookery_table::thinking_limits::ThinkingWait;
use rookery_table::{Occupant, Table};

use super::MessageView;

/// The lowest place in the queue that is announced: nearer ones move before a person has read the notice.
const MIN_ANNOUNCED_PLACE: usize = 3;

impl MessageView<'_> {
    /// Returns the notice under a board at which the bot is to move; `None` if nothing limits its search.
    pub fn thinking_notice(&self, table: &Table, wait: &ThinkingWait, now: Timestamp) -> Option<String> {
        let mover = table.to_move().and_then(|seat| table.occupant(seat))?;
        let queue_notice = || self.queue_notice(table, wait);
        matches!(mover, Occupant::Ai { .. })
            .then(|| self.short_search_notice(&[mover], wait, now).or_else(queue_notice))?
    }

    /// Returns the notice that the bot searches only briefly for a while, if it holds one of these chairs at
    /// a level that searches long.
    pub fn short_search_notice(
        &self,
        chairs: &[Occupant],
        wait: &ThinkingWait,
        now: Timestamp,
    ) -> Option<String> {
        let thinks = |chair: &Occupant| matches!(chair, Occupant::Ai { level: Level::Hard | Level::Expert });
        let back = wait.sparing.filter(|_| chairs.iter().any(thinks))?;
        let back = now + back;
        Some(self.words.say("wait-sparing", &[("when", relative(back).into())]))
    }

    fn queue_notice(&self, table: &Table, wait: &ThinkingWait) -> Option<String> {
        let line = wait.line.filter(|line| line.place >= MIN_ANNOUNCED_PLACE)?;
        let key = if table.terms().guild.is_some() { "wait-line" } else { "wait-line-dm" };
        Some(self.words.say(key, &[("tables", line.tables.into()), ("place", line.place.into())]))
    }
}
