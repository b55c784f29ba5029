//! The text of a message, read once as a move of a table's position.

use rookery_core::MoveError;
use rookery_table::Table;

/// How a text reads as a move of a game.
#[derive(Debug)]
pub(super) enum MoveText {
    /// A legal move in the notation of the record, which is given to the table in place of the typed text.
    Legal(String),
    /// A move of this game that cannot be played now, or an ambiguous one.
    Illegal,
    /// The beginning of a move of this game.
    Begun,
    /// A text that cannot be read as a move, or was not meant as one.
    Talk,
    /// The table has no position yet, so the table itself answers.
    NoGame,
}

impl MoveText {
    /// Reads a text that may be a move.
    pub(super) fn read(table: &Table, text: Option<&str>) -> MoveText {
        let Some(text) = text else { return MoveText::Talk };
        match table.play().map(|play| play.read(text)) {
            None => MoveText::NoGame,
            Some(Ok(spelling)) => MoveText::Legal(spelling),
            Some(Err(MoveError::Unreadable(unreadable))) if unreadable.at > 0 => MoveText::Begun,
            Some(Err(MoveError::Unreadable(_))) => MoveText::Talk,
            Some(Err(_)) => MoveText::Illegal,
        }
    }

    /// Whether a text that addresses the bot is answered as a move, legal or not, rather than as
    /// conversation.
    pub(super) fn is_answered_as_move(&self) -> bool {
        !matches!(self, MoveText::Talk)
    }

    /// Whether a text between people could have been meant as a move: it can be read as one, legal now or
    /// not.
    pub(super) fn could_be_move(&self) -> bool {
        matches!(self, MoveText::Legal(_) | MoveText::Illegal)
    }

    /// Returns the text of the order: the move in the notation of the record, or the original text, which the
    /// table refuses with the reason.
    pub(super) fn or_text(self, text: String) -> String {
        match self {
            MoveText::Legal(spelling) => spelling,
            _ => text,
        }
    }
}
