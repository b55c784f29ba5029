//! The lobby message: open challenges and running games.

use rookery_table::UserId;
use rookery_table::ports::{Card, Posted};

use super::MessageView;
use super::lists::{fitting, listed, message_at};
use crate::discord::wire::limits::{MAX_BUTTONS, MAX_CONTENT_CHARS};
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId};

/// The rows of buttons for joining.
const ROWS: usize = 2;
/// The limit of each of the two lists, in characters.
const MAX_LIST_CHARS: usize = (MAX_CONTENT_CHARS - 300) / 2;
/// The lobby has no single reader, so it marks nobody's turn.
const NOBODY: UserId = UserId(0);

impl MessageView<'_> {
    /// Builds the lobby from open challenges, each with its message, and running games.
    pub fn lobby(&self, open: &[(Card, Option<Posted>)], running: &[Card]) -> OutgoingMessage {
        let challenges: Vec<_> = open.iter().map(|(card, above)| self.challenge_line(card, *above)).collect();
        let games: Vec<_> = running.iter().map(|card| self.game_line(&listed(card), NOBODY)).collect();
        let list = |lines: &[String], none: &str| {
            let fits = fitting(lines, MAX_LIST_CHARS, 1);
            let more = (fits < lines.len())
                .then(|| self.words.say("games-more", &[("count", (lines.len() - fits).into())]));
            let none = lines.is_empty().then(|| self.words.word(none));
            lines[..fits].iter().cloned().chain(more).chain(none).collect::<Vec<_>>().join("\n")
        };
        let args = [
            ("challenges", list(&challenges, "lobby-no-challenges").into()),
            ("games", list(&games, "lobby-no-games").into()),
        ];
        let mut post = OutgoingMessage::text(self.words.say("lobby", &args));
        let join = |(card, _): &(Card, Option<Posted>)| {
            let label = self.words.say("button-join-table", &[("table", card.id.as_str().into())]);
            Component::button(
                label,
                ButtonStyle::Success,
                TableButtonId::new(card.id, 0, ButtonAction::Join).id(),
            )
        };
        let buttons: Vec<_> = open.iter().take(ROWS * MAX_BUTTONS).map(join).collect();
        post.rows = buttons.chunks(MAX_BUTTONS).map(<[_]>::to_vec).collect();
        post
    }

    fn challenge_line(&self, card: &Card, above: Option<Posted>) -> String {
        let people = self.words.players(card);
        let link = |at: Posted| format!("[{}]({})", card.id, message_at(card.guild, at));
        self.words.say(
            "lobby-challenge",
            &[
                ("table", above.map_or_else(|| format!("**{}**", card.id), link).into()),
                ("game", self.words.game_short(&card.game).into()),
                ("people", self.words.join(&people).into()),
                ("free", card.free_seats().into()),
            ],
        )
    }
}
