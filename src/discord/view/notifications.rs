//! That something waits for somebody, where there is no board to say it; and the message of the day.

use rookery_i18n::{person, role};
use rookery_table::ports::Card;
use rookery_table::{Person, Status, Table, TableId};

use super::MessageView;
use super::lists::{fitting, listed, place, place_of};
use crate::discord::view::digest::DailyDigest;
use crate::discord::wire::limits::MAX_CONTENT_CHARS;
use crate::discord::wire::outgoing_message::OutgoingMessage;

impl MessageView<'_> {
    /// For a direct message: which table, whose turn it is by its side, and where it is.
    pub fn turn_dm(&self, table: &Table) -> OutgoingMessage {
        let side = table.play().zip(table.to_move()).map(|(play, seat)| self.words.side(play, seat));
        let args = [
            ("table", table.id().to_string().into()),
            ("side", side.unwrap_or_default().into()),
            ("link", place_of(table).into()),
        ];
        OutgoingMessage::text(self.words.say("ping-dm", &args))
    }

    /// For a direct message: that a game of theirs has begun, and where it is.
    pub fn game_started_dm(&self, card: &Card) -> OutgoingMessage {
        self.pointed("ping-dm-begun", card.id, place(card))
    }

    /// For a direct message: that the server's own rules let no board through.
    pub fn board_blocked_dm(&self, card: &Card) -> OutgoingMessage {
        self.pointed("board-blocked", card.id, place(card))
    }

    /// Where the game is played, for somebody who was not pinged when their turn came.
    pub fn turn_reminder(&self, card: &Card, who: Person) -> OutgoingMessage {
        self.reminded("ping-late", card.id, who)
    }

    /// The same for a team that is called by a role.
    pub fn team_turn_reminder(&self, table: TableId, of: u64) -> OutgoingMessage {
        let args = [("table", table.to_string().into()), ("who", role(of).into())];
        OutgoingMessage::text(self.words.say("ping-late", &args)).ping_roles([of])
    }

    /// Where the game was played, for somebody who was not pinged when it ended.
    pub fn result_reminder(&self, card: &Card, who: Person) -> OutgoingMessage {
        self.reminded("ping-late-result", card.id, who)
    }

    /// For a direct message: the board of a game whose place is gone, for whoever is to move.
    pub fn turn_without_channel_dm(&self, table: &Table, who: Person) -> OutgoingMessage {
        let mut post = self.state(table, Some(who));
        let told = self.words.say("ping-dm-no-place", &[("table", table.id().to_string().into())]);
        post.content = format!("{told}\n{}", post.content);
        post
    }

    /// For a direct message: how a game ended whose place is gone, with its last board.
    pub fn result_without_place(&self, table: &Table, who: Person) -> OutgoingMessage {
        let mut post = self.state(table, Some(who));
        let told = self.words.say("ping-dm-result-no-place", &[("table", table.id().to_string().into())]);
        post.content = format!("{told}\n{}", post.content);
        post
    }

    /// For a direct message: that an offer or a challenge waits for an answer.
    pub fn answer_dm(&self, table: &Table) -> OutgoingMessage {
        let key = if waits(table) { "ping-dm-challenge" } else { "ping-dm-offer" };
        self.pointed(key, table.id(), place_of(table))
    }

    /// The same where the game is played, for somebody who was not pinged when it came.
    pub fn answer_reminder(&self, table: &Table, who: Person) -> OutgoingMessage {
        let key = if waits(table) { "ping-late-challenge" } else { "ping-late-offer" };
        self.reminded(key, table.id(), who)
    }

    /// What is posted at a table, for a direct message: with the way there, without its picture.
    pub fn news_dm(&self, post: OutgoingMessage, table: &Table) -> OutgoingMessage {
        let args = [("text", post.content.into()), ("link", place_of(table).into())];
        OutgoingMessage {
            rows: post.rows,
            silent: post.silent,
            ..OutgoingMessage::text(self.words.say("ping-dm-news", &args))
        }
    }

    fn pointed(&self, key: &str, table: TableId, link: String) -> OutgoingMessage {
        let args = [("table", table.to_string().into()), ("link", link.into())];
        OutgoingMessage::text(self.words.say(key, &args))
    }

    fn reminded(&self, key: &str, table: TableId, who: Person) -> OutgoingMessage {
        let args = [("table", table.to_string().into()), ("who", person(who).into())];
        OutgoingMessage::text(self.words.say(key, &args)).ping([who])
    }

    /// A day in one message, as much of it as fits: what waits, what ended, what happened at tables that
    /// are watched.
    pub fn day(&self, day: &DailyDigest, who: Person) -> OutgoingMessage {
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

/// Whether what waits for an answer there is a challenge.
fn waits(table: &Table) -> bool {
    *table.status() == Status::Waiting
}
