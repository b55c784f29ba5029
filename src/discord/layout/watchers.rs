//! What is told to those who watch.

use rookery_i18n::person;
use rookery_table::{Person, Table};

use super::super::post::Post;
use super::Layout;

/// People named in one message.
const NAMED_MOST: usize = 50;

impl Layout<'_> {
    /// Brings somebody into a table's thread, without a sound.
    pub fn welcome_watcher(&self, table: &Table, who: Person) -> Post {
        self.silent(table, "watch-joins", &[who])
    }

    /// Tells those who watched that it is over, without a sound.
    pub fn over_for_watchers(&self, table: &Table, watchers: &[Person]) -> Post {
        self.silent(table, "watch-over", &watchers[..watchers.len().min(NAMED_MOST)])
    }

    /// Tells those who like to hear of every move, without a sound.
    pub fn move_for_watchers(&self, table: &Table, watchers: &[Person], text: &str) -> Post {
        self.silent_of(table, "watch-moved", &watchers[..watchers.len().min(NAMED_MOST)], text)
    }

    fn silent(&self, table: &Table, key: &str, watchers: &[Person]) -> Post {
        self.silent_of(table, key, watchers, "")
    }

    fn silent_of(&self, table: &Table, key: &str, watchers: &[Person], text: &str) -> Post {
        let names: Vec<_> = watchers.iter().map(|who| person(*who)).collect();
        let args = [
            ("table", table.id().to_string().into()),
            ("who", self.words.join(&names).into()),
            ("move", text.into()),
        ];
        Post::text(self.words.say(key, &args)).ping(watchers.iter().copied()).silent()
    }
}
