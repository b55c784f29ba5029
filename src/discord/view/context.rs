//! Messages in the language and display preferences of the person that a [`Context`] is for.

use rookery_table::ChannelId;
use rookery_table::Table;

use crate::discord::state::context::Context;
use crate::discord::view::MessageView;
use crate::discord::wire::outgoing_message::OutgoingMessage;

impl Context {
    /// Returns the message builder for this context.
    pub fn view(&self) -> MessageView<'_> {
        MessageView {
            words: self.words,
            display: &self.display,
            reads_all: self.reads_all(),
            challenge_hours: self.settings.challenge_hours,
            web: self.settings.web.as_deref(),
        }
    }

    /// Adds the queue notice to a message if people wait for the bot's move at this table.
    pub fn with_queue_notice(&self, table: &Table, mut post: OutgoingMessage) -> OutgoingMessage {
        let wait = self.registry.wait(table);
        if let Some(line) = self.view().thinking_notice(table, &wait, self.registry.now()) {
            post.content = format!("{}\n{line}", post.content);
        }
        post
    }

    /// Adds the same notice for the host of a new table, who may not be the one to move.
    pub fn with_short_search_notice(&self, table: &Table, mut post: OutgoingMessage) -> OutgoingMessage {
        let wait = self.registry.wait(table);
        if let Some(line) = self.view().short_search_notice(table.chairs(), &wait, self.registry.now()) {
            post.content = format!("{}\n{line}", post.content);
        }
        post
    }

    /// Adds the table's id to an answer, unless it is given in the table's own thread.
    pub fn about(&self, table: &Table, channel: ChannelId, post: OutgoingMessage) -> OutgoingMessage {
        let own = table
            .board_channel()
            .is_some_and(|board_channel| board_channel.thread && board_channel.channel == channel);
        let id = table.id();
        if own || post.content.contains(id.as_str()) {
            return post;
        }
        let args = [("table", id.as_str().into()), ("text", post.content.as_str().into())];
        OutgoingMessage { content: self.words.say("at-table", &args), ..post }
    }
}
