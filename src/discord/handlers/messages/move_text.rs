//! The text of a message, read once as a move of a table's position.

use rookery_core::{IllegalMove, MoveError, Play};
use rookery_table::{Table, UserId};

use crate::discord::state::begun_moves::BegunMoves;

/// How a text reads as a move of a game.
#[derive(Debug)]
pub(super) enum MoveText {
    /// A legal move in the notation of the record, which is given to the table in place of the typed text.
    Legal(String),
    /// A move of this game that cannot be played now, or an ambiguous one.
    Illegal,
    /// The same of a move that this text and an earlier one make together.
    IllegalRest(String),
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
        table.play().map_or(MoveText::NoGame, |play| MoveText::from_reading(read_move(play, text).0))
    }

    /// Reads a text that may be a move or the rest of one that the person has begun, and keeps a move that it begins until the
    /// person tries another one.
    pub(super) fn read_or_complete(
        begun: &BegunMoves,
        table: &Table,
        who: UserId,
        text: Option<&str>,
    ) -> MoveText {
        let (Some(play), Some(text)) = (table.play(), text) else { return MoveText::read(table, text) };
        let (id, ply) = (table.id(), table.ply());
        let (whole, read_text) = read_move(play, text);
        if whole.is_ok() {
            return MoveText::from_reading(whole);
        }
        let beginning = begun.beginning(id, who, ply);
        let together = beginning.and_then(|start| MoveText::together(play, &format!("{start} {text}")));
        match (&whole, together) {
            // `a2` may be where the arrow lands, although the piece that stood there could begin another move.
            (_, Some(legal @ MoveText::Legal(_))) => legal,
            (Err(MoveError::Illegal(IllegalMove::Incomplete { so_far, .. })), _) if !so_far.is_empty() => {
                begun.keep(id, who, ply, so_far.clone());
                MoveText::from_reading(whole)
            }
            (_, Some(illegal)) => illegal,
            (Err(MoveError::Illegal(_)), None) => {
                // Another move: what completes the first one later would be played by surprise.
                begun.forget(id, who, ply);
                if read_text == text { MoveText::Illegal } else { MoveText::IllegalRest(read_text) }
            }
            (_, None) => MoveText::from_reading(whole),
        }
    }

    /// Reads the beginning and the rest of a move, if they are one together.
    fn together(play: &dyn Play, text: &str) -> Option<MoveText> {
        match play.read(text) {
            Ok(spelling) => Some(MoveText::Legal(spelling)),
            Err(MoveError::Unreadable(_)) => None,
            Err(_) => Some(MoveText::IllegalRest(text.to_owned())),
        }
    }

    /// Converts what the game read.
    fn from_reading(reading: Result<String, MoveError>) -> MoveText {
        match reading {
            Ok(spelling) => MoveText::Legal(spelling),
            Err(MoveError::Unreadable(unreadable)) if unreadable.at > 0 => MoveText::Begun,
            Err(MoveError::Unreadable(_)) => MoveText::Talk,
            Err(_) => MoveText::Illegal,
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
        matches!(self, MoveText::Legal(_) | MoveText::Illegal | MoveText::IllegalRest(_))
    }

    /// Returns the text of the order: the move in the notation of the record, or the original text, which the
    /// table refuses with the reason.
    pub(super) fn or_text(self, text: String) -> String {
        match self {
            MoveText::Legal(spelling) => spelling,
            MoveText::IllegalRest(whole) => whole,
            _ => text,
        }
    }
}

/// Words before a move in a sentence.
const BEFORE: [&str; 10] = [
    "i'll move ",
    "i move ",
    "i'll play ",
    "i play ",
    "i'll place ",
    "i place ",
    "i go ",
    "place ",
    "move ",
    "from ",
];
/// Words and signs between the cells of a move, with blanks around them.
const BETWEEN: [&str; 8] = [" to ", " x ", " takes ", " on ", " and ", " arrow ", " shoot ", " spear "];

/// Reads a move, and returns the text that was read. "I move f3 to f2!" is read without its words and marks, unless
/// the game itself knows them.
fn read_move(play: &dyn Play, text: &str) -> (Result<String, MoveError>, String) {
    let whole = play.read(text);
    if !matches!(whole, Err(MoveError::Unreadable(_))) {
        return (whole, text.to_owned());
    }
    let lower = text.trim().to_lowercase().replace('\u{2019}', "'");
    let bare =
        BEFORE.into_iter().fold(lower.as_str(), |rest, words| rest.strip_prefix(words).unwrap_or(rest));
    // Not a question mark: "d5?" between two people is a question.
    let bare = bare.trim_matches(['(', ')', '!', '.', ',']);
    let bare = BETWEEN.into_iter().fold(bare.to_owned(), |text, word| text.replace(word, " "));
    if bare == lower {
        return (whole, text.to_owned());
    }
    match play.read(&bare) {
        Err(MoveError::Unreadable(_)) => (whole, text.to_owned()),
        read => (read, bare),
    }
}
