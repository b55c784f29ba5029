//! What is told to those who watch.

use rookery_i18n::person;
use rookery_table::{Person, Table};

use super::MessageView;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// People named in one message.
const MAX_NAMED_MEMBERS: usize = 50;

impl MessageView<'_> {
    /// Brings somebody into a table's thread, without a sound.
    pub fn welcome_watcher(&self, table: &Table, who: Person) -> OutgoingMessage {
        self.silent(table, "watch-joins", &[who])
    }

    /// Tells those who watched that it is over, without a sound.
    pub fn over_for_watchers(&self, table: &Table, watchers: &[Person]) -> OutgoingMessage {
        self.silent(table, "watch-over", &watchers[..watchers.len().min(MAX_NAMED_MEMBERS)])
    }

    /// Tells those who like to hear of every move, without a sound.
    pub fn move_for_watchers(&self, table: &Table, watchers: &[Person], text: &str) -> OutgoingMessage {
        self.silent_of(table, "watch-moved", &watchers[..watchers.len().min(MAX_NAMED_MEMBERS)], text)
    }

    fn silent(&self, table: &Table, key: &str, watchers: &[Person]) -> OutgoingMessage {
        self.silent_of(table, key, watchers, "")
    }

    fn silent_of(&self, table: &Table, key: &str, watchers: &[Person], text: &str) -> OutgoingMessage {
        let names: Vec<_> = watchers.iter().map(|who| person(*who)).collect();
        let args = [
            ("table", table.id().to_string().into()),
            ("who", self.words.join(&names).into()),
            ("move", text.into()),
        ];
        OutgoingMessage::text(self.words.say(key, &args)).ping(watchers.iter().copied()).silent()
    }
}
