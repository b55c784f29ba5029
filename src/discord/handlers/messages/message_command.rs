//! The commands that a message may hold.

use rookery_core::player::Level;
use rookery_table::Offer;
use strsim::damerau_levenshtein;

use super::unknown_text::is_talk;
use crate::discord::policy::table_lookup::TablePurpose;

/// The command in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MessageCommand {
    Nothing,
    Board,
    Text,
    Help,
    Rules,
    /// The last move, in words.
    Last,
    /// The contents of a row or column.
    Row(String),
    /// The cells that can be reached from a cell.
    See(String),
    Clock,
    /// The legal moves that begin with this text.
    Moves(String),
    Offer(Offer),
    Answer(bool),
    Resign,
    /// A hint, which only the player sees.
    Hint,
    Rematch,
    /// A replay or an analysis of a finished game.
    Review,
    /// Passing the turn, which no game allows.
    Pass,
    Resume,
    /// Hand the seat to the bot, at this level if one is given.
    Leave(Option<Level>),
    /// Take the seat back.
    Back,
    Plan(String),
    /// A single word that is nearly this command.
    Misspelt(&'static str),
    /// Any other text: perhaps a move.
    Other(String),
}

impl MessageCommand {
    /// Returns the text that may be a move.
    pub(super) fn move_text(&self) -> Option<&str> {
        if let MessageCommand::Other(text) = self { Some(text) } else { None }
    }

    /// Returns the purpose for which the table is looked up.
    pub(super) fn purpose(&self) -> TablePurpose {
        match self {
            MessageCommand::Nothing | MessageCommand::Board => TablePurpose::Board,
            MessageCommand::Text
            | MessageCommand::Help
            | MessageCommand::Rules
            | MessageCommand::Clock
            | MessageCommand::Moves(_) => TablePurpose::See,
            MessageCommand::Last | MessageCommand::Row(_) | MessageCommand::See(_) => TablePurpose::See,
            MessageCommand::Answer(_) => TablePurpose::Answer,
            MessageCommand::Misspelt(_) => TablePurpose::Talk,
            MessageCommand::Other(text) if is_talk(text) => TablePurpose::Talk,
            MessageCommand::Rematch | MessageCommand::Review => TablePurpose::Review,
            MessageCommand::Offer(_)
            | MessageCommand::Resign
            | MessageCommand::Hint
            | MessageCommand::Pass
            | MessageCommand::Resume
            | MessageCommand::Leave(_)
            | MessageCommand::Back
            | MessageCommand::Plan(_)
            | MessageCommand::Other(_) => TablePurpose::Act,
        }
    }
}

/// Parses a message, apart from moves.
pub(super) fn read(text: &str) -> MessageCommand {
    let text = text.trim().trim_matches('`').trim();
    let plain = text.to_lowercase();
    match plain.trim_end_matches(['.', '!']) {
        "" => MessageCommand::Nothing,
        "board" => MessageCommand::Board,
        "last" | "last?" | "last move" => MessageCommand::Last,
        "text" | "text board" => MessageCommand::Text,
        "help" | "help?" | "?" => MessageCommand::Help,
        "rules" | "rules?" | "how do i win?" | "how do i play?" => MessageCommand::Rules,
        "clock" | "clock?" | "clocks" | "time" | "time?" => MessageCommand::Clock,
        "moves" | "moves?" => MessageCommand::Moves(String::new()),
        "count?" | "count" | "end?" | "end" => MessageCommand::Offer(Offer::Count),
        "draw?" | "draw" => MessageCommand::Offer(Offer::Draw),
        "undo?" | "undo" | "take back" | "takeback" | "undo please" => MessageCommand::Offer(Offer::Undo),
        "pause?" | "pause" => MessageCommand::Offer(Offer::Pause),
        "abort?" | "abort" => MessageCommand::Offer(Offer::Abort),
        "resume" | "go on" => MessageCommand::Resume,
        "leave" => MessageCommand::Leave(None),
        "back" | "i am back" => MessageCommand::Back,
        "yes" | "agree" | "accept" => MessageCommand::Answer(true),
        "no" | "disagree" | "decline" => MessageCommand::Answer(false),
        "resign" | "i resign" => MessageCommand::Resign,
        "hint" | "hint?" => MessageCommand::Hint,
        "rematch" | "rematch?" => MessageCommand::Rematch,
        "replay" | "analyse" | "analyze" | "analysis" | "review" | "best moves" => MessageCommand::Review,
        "pass" | "i pass" => MessageCommand::Pass,
        other if other.starts_with("if ") => MessageCommand::Plan(text.to_owned()),
        other => parse_leave(other)
            .or_else(|| parse_board_question(other))
            .or_else(|| misspelt(other).map(MessageCommand::Misspelt))
            .unwrap_or_else(|| MessageCommand::Other(text.to_owned())),
    }
}

/// Parses `leave hard`: the bot plays on at this level.
fn parse_leave(text: &str) -> Option<MessageCommand> {
    let level = text.strip_prefix("leave ")?.trim();
    Level::named(level).map(|level| MessageCommand::Leave(Some(level)))
}

/// Parses questions about a part of the board: `moves d4`, `row 4`, `column d`, `what does d7 see`.
fn parse_board_question(text: &str) -> Option<MessageCommand> {
    let text = text.trim_end_matches('?').trim_end();
    let after = |words: &[&str]| {
        words.iter().find_map(|word| text.strip_prefix(word)).map(|rest| rest.trim().to_owned())
    };
    if let Some(cell) = text.strip_prefix("what does ").and_then(|rest| rest.strip_suffix(" see")) {
        return Some(MessageCommand::See(cell.trim().to_owned()));
    }
    after(&["moves "])
        .map(MessageCommand::Moves)
        .or_else(|| after(&["row ", "column ", "line "]).map(MessageCommand::Row))
        .or_else(|| after(&["see "]).map(MessageCommand::See))
}

/// The commands that are recognised with one wrong letter.
const CORRECTED: [&str; 15] = [
    "board", "help", "rules", "clock", "moves", "count", "draw", "undo", "pause", "resume", "resign", "hint",
    "rematch", "replay", "analyse",
];

/// Returns the command from which a single word differs by one letter (wrong, missing, added or swapped with its
/// neighbour) after the first one. A word with a digit may be a move.
fn misspelt(text: &str) -> Option<&'static str> {
    let word = text.trim_end_matches('?');
    let is_near = |command: &&str| {
        command.chars().next() == word.chars().next() && damerau_levenshtein(command, word) == 1
    };
    if !word.chars().all(char::is_alphabetic) {
        return None;
    }
    CORRECTED.into_iter().find(is_near)
}
