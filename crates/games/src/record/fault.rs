//! Why a text is not a record, as data; `i18n` makes the sentence.

use serde_json::error::Category;

use rookery_core::rules::PositionParseError;
use rookery_core::{MoveError, Play, Seat};

/// Why a text is not a record, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault:?}")]
pub struct BadRecord {
    /// The line of the text, from 1.
    pub line: usize,
    /// The kind of error.
    pub fault: RecordError,
}

/// The errors of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// The text is empty.
    Empty,
    /// Neither a record nor a position of any game.
    Unknown,
    /// A position of several games, by their keys.
    Several(Vec<&'static str>),
    /// There is no game with this name.
    NoGame(String),
    /// The first position cannot be read.
    Start(PositionParseError),
    /// There is no first position, and the game has no usual start.
    NoStart,
    /// There is no first position, and the game was played in these variants, which may have a different start.
    Variants(String),
    /// There are more turns than allowed.
    TooLong {
        /// The maximum number of turns.
        most: usize,
    },
    /// This seat does not play, has already resigned, is one of two, or is the last one left.
    CannotResign(Seat),
    /// There is no seat with this number.
    NoSeat(String),
    /// A move is not legal.
    Move(Box<BadMove>),
    /// There is text after the result.
    AfterResult(String),
    /// The result has the wrong number of seats.
    Result {
        /// The result as written.
        found: String,
        /// Number of seats of the game.
        seats: usize,
    },
    /// A required header is missing.
    NoHeader(&'static str),
    /// A line begins like a header but is not one.
    NotAHeader,
    /// The name of a header contains characters other than letters and digits.
    HeaderName(String),
    /// The text is not valid JSON.
    NotJson {
        /// The column in its line, in characters from 1.
        column: usize,
    },
    /// The JSON has a field that records do not have.
    UnknownField(String),
    /// The JSON does not have the parts of a record.
    OtherJson {
        /// The missing or wrong part, if known.
        part: Option<String>,
    },
    /// The JSON names another format.
    Format {
        /// The name in the text.
        found: String,
        /// The supported name.
        wanted: &'static str,
    },
}

/// A move that cannot be played at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadMove {
    /// Its number, from 1.
    pub number: usize,
    /// The move as it is written.
    pub text: String,
    /// Why it cannot be played.
    pub wrong: MoveError,
    /// Key of the game, such as `amazons`.
    pub game: &'static str,
    /// The position before it, in the game's own line format.
    pub position: String,
}

impl RecordError {
    /// The fault at a line of the text, from 1; 0, which some parsers report, means the first line as well.
    pub fn at(self, line: usize) -> BadRecord {
        BadRecord { line: line.max(1), fault: self }
    }

    /// Converts the error of a JSON parser.
    pub(super) fn of_json(error: &serde_json::Error) -> BadRecord {
        let fault = match error.classify() {
            // Only the message contains the part's name, between backticks. A value of the wrong type is between
            // backticks as well, and is not a part.
            Category::Data => {
                let told = error.to_string();
                let field = told.split('`').nth(1).map(str::to_owned);
                let field_of = |start: &str| field.clone().filter(|_| told.starts_with(start));
                match field_of("unknown field") {
                    Some(field) => RecordError::UnknownField(field),
                    None => RecordError::OtherJson { part: field_of("missing field") },
                }
            }
            Category::Syntax | Category::Eof | Category::Io => {
                RecordError::NotJson { column: error.column() }
            }
        };
        fault.at(error.line())
    }
}

impl BadMove {
    /// The error of a move that a game refuses.
    pub(super) fn of(play: &dyn Play, text: &str, wrong: MoveError) -> Box<BadMove> {
        let (number, game, position) = (play.ply() + 1, play.info().key, play.line());
        Box::new(BadMove { number, text: text.to_owned(), wrong, game, position })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Record;
    use super::*;

    #[test]
    fn faults_of_json_say_where_or_which_part() {
        let read = |text| Record::from_json(text).unwrap_err();
        assert_eq!(read("{\n\"format\": nope}"), RecordError::NotJson { column: 12 }.at(2));
        let part = Some("game".to_owned());
        assert_eq!(read("{\"format\": \"x\"}"), RecordError::OtherJson { part }.at(1));
        let unknown = RecordError::UnknownField("colour".to_owned());
        assert_eq!(read("{\"colour\": 1}"), unknown.at(1), "it isn't missing");
        assert_eq!(
            read("{\"game\": 1}"),
            RecordError::OtherJson { part: None }.at(1),
            "`1` is no part of a record"
        );
    }
}
