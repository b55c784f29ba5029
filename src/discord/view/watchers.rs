//! Messages to people who watch a table.

use rookery_i18n::person;
use rookery_table::{Table, UserId};

use super::MessageView;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The most people named in one message.
const MAX_NAMED_MEMBERS: usize = 50;

impl MessageView<'_> {
    /// Builds the silent message that adds a person to a table's thread.
    pub fn welcome_watcher(&self, table: &Table, who: UserId) -> OutgoingMessage {
        self.silent(table, "watch-joins", &[who])
    }

    /// Builds the silent message to watchers that the game is over.
    pub fn over_for_watchers(&self, table: &Table, watchers: &[UserId]) -> OutgoingMessage {
        self.silent(table, "watch-over", &watchers[..watchers.len().min(MAX_NAMED_MEMBERS)])
    }

    /// Builds the silent message to watchers who follow every move.
    pub fn move_for_watchers(&self, table: &Table, watchers: &[UserId], text: &str) -> OutgoingMessage {
        self.silent_with_move(table, "watch-moved", &watchers[..watchers.len().min(MAX_NAMED_MEMBERS)], text)
    }

    fn silent(&self, table: &Table, key: &str, watchers: &[UserId]) -> OutgoingMessage {
        self.silent_with_move(table, key, watchers, "")
    }

    fn silent_with_move(&self, table: &Table, key: &str, watchers: &[UserId], text: &str) -> OutgoingMessage {
        let names: Vec<_> = watchers.iter().map(|who| person(*who)).collect();
        let args = [
            ("table", table.id().to_string().into()),
            ("who", self.words.join(&names).into()),
            ("move", text.into()),
        ];
        OutgoingMessage::text(self.words.say(key, &args)).ping(watchers.iter().copied()).silent()
    }
}
