//! Messages of TV channels.

use rookery_table::{Status, Table};

use super::MessageView;
use super::lists::place;
use crate::discord::wire::outgoing_message::OutgoingMessage;

impl MessageView<'_> {
    /// Builds the message with the best running game, or with its result while that is recent. It pings
    /// nobody and addresses spectators.
    pub fn tv_board(&self, table: &Table) -> OutgoingMessage {
        let mut post = self.state(table, None);
        let place = place(&table.card());
        post.content = match (table.status(), table.play()) {
            (Status::Running, Some(play)) => self.words.say(
                if play.ply() == 0 { "tv-begins" } else { "tv-shows" },
                &[
                    ("table", table.id().as_str().into()),
                    ("game", self.words.game(&table.terms().game).into()),
                    ("players", self.words.sides(table, play).into()),
                    ("moves", self.turns_since_board(table, table.ply()).into()),
                    ("who", self.words.seated(table, play.turn()).into()),
                    ("where", place.into()),
                ],
            ),
            _ => self.words.say("tv-over", &[("state", post.content.into()), ("where", place.into())]),
        };
        post.row([self.watch_button(table)])
    }

    /// Builds the message without a running game, with a hint how to start one.
    pub fn tv_idle(&self) -> OutgoingMessage {
        OutgoingMessage::text(self.words.word("tv-nothing"))
    }
}
