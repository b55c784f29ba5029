//! Hints: the move that the bot would play.

use rookery_core::Play;
use rookery_core::player::SearchResult;
use rookery_table::Table;

use super::MessageView;
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage, Picture};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId};

/// The most moves shown of the expected reply and what follows.
const MAX_LINE_MOVES: usize = 3;

impl MessageView<'_> {
    /// Builds a hint: the bot's move, its evaluation, and the board after the move.
    pub fn hint(&self, table: &Table, thought: &SearchResult<String>) -> OutgoingMessage {
        let best = thought.best.as_str();
        let text = self.hint_sentence(["hint-move", "hint-line"], table, thought);
        let picture = table.play().and_then(|play| self.after_move(table, play, best));
        let post = OutgoingMessage { picture, ..OutgoingMessage::text(text) };
        let press = TableButtonId::new(table.id(), table.ply(), ButtonAction::Play(vec![best.to_owned()]));
        post.row([Component::button(self.words.word("button-play-hint"), ButtonStyle::Primary, press.id())])
    }

    /// Formats a hint for a page, which names the table and shows the move on its board.
    pub fn page_hint(&self, table: &Table, thought: &SearchResult<String>) -> String {
        self.hint_sentence(["page-hint", "page-hint-line"], table, thought)
    }

    /// Formats a hint with one of two sentences: that of the move alone, or that with what may follow.
    fn hint_sentence(
        &self,
        [alone, with_line]: [&str; 2],
        table: &Table,
        thought: &SearchResult<String>,
    ) -> String {
        let Some(play) = table.play() else { return String::new() };
        let line: Vec<_> =
            thought.line.iter().skip(1).take(MAX_LINE_MOVES).map(|text| format!("`{text}`")).collect();
        let args = [
            ("table", table.id().to_string().into()),
            ("move", thought.best.as_str().into()),
            ("value", self.words.value(play, play.turn(), thought.value).into()),
            ("line", line.join(", ").into()),
        ];
        self.words.say(if line.is_empty() { alone } else { with_line }, &args)
    }

    /// Draws the board after a move, from the mover's side.
    fn after_move(&self, table: &Table, play: &dyn Play, text: &str) -> Option<Picture> {
        let mut after = play.clone_play();
        after.play(text).ok()?;
        Some(self.picture(table, after.as_ref(), play.turn(), Vec::new()))
    }
}
