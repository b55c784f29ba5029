//! Notifications where no board is posted, and the daily digest.

use rookery_i18n::{person, role};
use rookery_table::ports::Card;
use rookery_table::{RoleId, Status, Table, TableId, UserId};

use super::MessageView;
use super::lists::{fitting, listed, place, place_of};
use crate::discord::view::digest::DailyDigest;
use crate::discord::wire::limits::MAX_CONTENT_CHARS;
use crate::discord::wire::outgoing_message::OutgoingMessage;

impl MessageView<'_> {
    /// Builds a direct message about a turn: the table, the side to move, and a link.
    pub fn turn_dm(&self, table: &Table) -> OutgoingMessage {
        let side = table.play().zip(table.to_move()).map(|(play, seat)| self.words.side(play, seat));
        let args = [
            ("table", table.id().to_string().into()),
            ("side", side.unwrap_or_default().into()),
            ("link", place_of(table).into()),
        ];
        OutgoingMessage::text(self.words.say("ping-dm", &args))
    }

    /// Builds a direct message that a game of the recipient has begun, with a link.
    pub fn game_started_dm(&self, card: &Card) -> OutgoingMessage {
        self.link_message("ping-dm-begun", card.id, place(card))
    }

    /// Builds a direct message that the server's moderation blocked a board.
    pub fn board_blocked_dm(&self, card: &Card) -> OutgoingMessage {
        self.link_message("board-blocked", card.id, place(card))
    }

    /// Builds a reminder in the game's channel for a player who was not pinged when their turn began.
    pub fn turn_reminder(&self, card: &Card, who: UserId) -> OutgoingMessage {
        self.reminder_message("ping-late", card.id, who)
    }

    /// Builds the turn reminder for a team that is pinged by its role.
    pub fn team_turn_reminder(&self, table: TableId, of: RoleId) -> OutgoingMessage {
        let args = [("table", table.to_string().into()), ("who", role(of).into())];
        OutgoingMessage::text(self.words.say("ping-late", &args)).ping_roles([of])
    }

    /// Builds a reminder in the game's channel for a player who was not pinged when it ended.
    pub fn result_reminder(&self, card: &Card, who: UserId) -> OutgoingMessage {
        self.reminder_message("ping-late-result", card.id, who)
    }

    /// Builds a direct message with the board for the player to move, if the game's channel is gone.
    pub fn turn_without_channel_dm(&self, table: &Table, who: UserId) -> OutgoingMessage {
        let mut post = self.state(table, Some(who));
        let told = self.words.say("ping-dm-no-place", &[("table", table.id().to_string().into())]);
        post.content = format!("{told}\n{}", post.content);
        post
    }

    /// Builds a direct message with the result and the last board, if the game's channel is gone.
    pub fn result_without_place(&self, table: &Table, who: UserId) -> OutgoingMessage {
        let mut post = self.state(table, Some(who));
        let told = self.words.say("ping-dm-result-no-place", &[("table", table.id().to_string().into())]);
        post.content = format!("{told}\n{}", post.content);
        post
    }

    /// Builds a direct message that an offer or a challenge waits for an answer.
    pub fn answer_dm(&self, table: &Table) -> OutgoingMessage {
        let key = if waits(table) { "ping-dm-challenge" } else { "ping-dm-offer" };
        self.link_message(key, table.id(), place_of(table))
    }

    /// Builds a reminder in the game's channel for a person who was not pinged about an offer or challenge.
    pub fn answer_reminder(&self, table: &Table, who: UserId) -> OutgoingMessage {
        let key = if waits(table) { "ping-late-challenge" } else { "ping-late-offer" };
        self.reminder_message(key, table.id(), who)
    }

    /// Converts a post at a table to a direct message: with a link, without the picture.
    pub fn news_dm(&self, post: OutgoingMessage, table: &Table) -> OutgoingMessage {
        let args = [("text", post.content.into()), ("link", place_of(table).into())];
        OutgoingMessage {
            rows: post.rows,
            silent: post.silent,
            ..OutgoingMessage::text(self.words.say("ping-dm-news", &args))
        }
    }

    fn link_message(&self, key: &str, table: TableId, link: String) -> OutgoingMessage {
        let args = [("table", table.to_string().into()), ("link", link.into())];
        OutgoingMessage::text(self.words.say(key, &args))
    }

    fn reminder_message(&self, key: &str, table: TableId, who: UserId) -> OutgoingMessage {
        let args = [("table", table.to_string().into()), ("who", person(who).into())];
        OutgoingMessage::text(self.words.say(key, &args)).ping([who])
    }

    /// Builds the daily digest, clipped to one message: pending turns and answers, finished games, and events
    /// at watched tables.
    pub fn digest(&self, day: &DailyDigest, who: UserId) -> OutgoingMessage {
        let turns = day.waiting.turns.iter().map(|card| self.waits_line(card));
        let answers = day.waiting.answers.iter().map(|card| self.waits_line(card));
        let own = |card: &Card| self.game_line(&listed(card), who);
        let turns_title = self.words.say("ping-digest", &[("count", day.waiting.turns.len().into())]);
        let sections = [
            (turns_title, turns.collect()),
            (self.words.word("digest-answers"), answers.collect()),
            (self.words.word("digest-over"), day.over.iter().map(own).collect()),
            (self.words.word("digest-title"), day.watched.iter().map(own).collect::<Vec<_>>()),
        ];
        let told = sections.into_iter().filter(|(_, lines)| !lines.is_empty());
        let lines: Vec<String> =
            told.flat_map(|(title, lines)| std::iter::once(title).chain(lines)).collect();
        let fits = fitting(&lines, MAX_CONTENT_CHARS, 1);
        OutgoingMessage::text(lines[..fits].join("\n"))
    }

    fn waits_line(&self, card: &Card) -> String {
        let game = self.words.game_short(&card.game);
        let args =
            [("table", card.id.to_string().into()), ("game", game.into()), ("link", place(card).into())];
        self.words.say("ping-digest-line", &args)
    }
}

/// Whether a challenge, and not an offer, waits for an answer.
fn waits(table: &Table) -> bool {
    *table.status() == Status::Waiting
}
