//! What a channel's television shows.

use crate::table::{Status, Table};

use super::super::post::Post;
use super::Layout;
use super::lists::place;

impl Layout<'_> {
    /// The best game going on, or its result while that is fresh: it pings nobody.
    pub fn television(&self, table: &Table) -> Post {
        let over = matches!(table.status(), Status::Over(_));
        let mut post = self.state(table, None);
        let args = [("state", post.content.into()), ("where", place(&table.card()).into())];
        post.content = self.words.say(if over { "tv-over" } else { "tv-shows" }, &args);
        post.row([self.watch_button(table)])
    }

    /// That nothing goes on, and how to change that.
    pub fn television_off(&self) -> Post {
        Post::text(self.words.word("tv-nothing"))
    }
}
