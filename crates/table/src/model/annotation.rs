//! Annotations: what a person writes and draws on positions of a finished game. Nobody else sees them, unless their author
//! makes a link to them ([`AnnotationLink`]).

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;

use super::{TableId, UserId};
use crate::share::ShareToken;

/// The most characters of a comment.
pub const MAX_COMMENT_CHARS: usize = 1_000;
/// The most arrows, and the most marked cells, at a position.
pub const MAX_DRAWN: usize = 32;
/// The most positions at a table that a person may annotate.
pub const MAX_POSITIONS: usize = 200;
/// The most bytes of the moves of a variation.
pub const MAX_LINE_BYTES: usize = 2_000;

/// A position of a game: after turns of the game itself, then after moves beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnnotatedPosition {
    /// The number of turns of the game.
    pub ply: usize,
    /// The moves of a variation after them, in the notation of the record with commas between them; empty in the game itself.
    /// At most [`MAX_LINE_BYTES`] bytes.
    pub line: String,
}

/// An arrow between two cells, by their names. As text it is `d1-d7`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DrawnArrow {
    /// The cell where it begins.
    pub from: String,
    /// The cell that it points at.
    pub to: String,
}

impl fmt::Display for DrawnArrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

impl FromStr for DrawnArrow {
    type Err = BadDrawing;

    fn from_str(text: &str) -> Result<DrawnArrow, BadDrawing> {
        let (from, to) = text.split_once('-').ok_or(BadDrawing)?;
        if !is_cell(from) || !is_cell(to) || from == to {
            return Err(BadDrawing);
        }
        Ok(DrawnArrow { from: from.to_owned(), to: to.to_owned() })
    }
}

/// A text that is no list of arrows or cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no list of arrows or cells")]
pub struct BadDrawing;

/// Whether a text can be the name of a cell: a letter, then a number.
fn is_cell(text: &str) -> bool {
    let number = text.strip_prefix(|first: char| first.is_ascii_lowercase());
    number.is_some_and(|number| {
        (1..=3).contains(&number.len()) && number.bytes().all(|sign| sign.is_ascii_digit())
    })
}

/// What a person wrote and drew on a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The position.
    pub position: AnnotatedPosition,
    /// The comment, at most [`MAX_COMMENT_CHARS`] characters; the only control character is the line feed.
    pub comment: String,
    /// The arrows, at most [`MAX_DRAWN`], each once.
    pub arrows: Vec<DrawnArrow>,
    /// The names of the marked cells, at most [`MAX_DRAWN`], each once.
    pub marks: Vec<String>,
    /// When it was last changed.
    pub at: Timestamp,
}

/// Why an annotation can't be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnnotationError {
    /// The comment has this many characters, more than [`MAX_COMMENT_CHARS`].
    #[error("a comment of {0} characters")]
    LongComment(usize),
    /// There are this many arrows, more than [`MAX_DRAWN`].
    #[error("{0} arrows")]
    ManyArrows(usize),
    /// There are this many marked cells, more than [`MAX_DRAWN`].
    #[error("{0} marked cells")]
    ManyMarks(usize),
    /// An arrow or mark names no cell, or an arrow leads nowhere.
    #[error("{0}")]
    BadDrawing(#[from] BadDrawing),
}

impl Annotation {
    /// Makes an annotation of what a page sent: line ends become line feeds, other control characters and repeated drawings
    /// are left out, and a comment of white space is none.
    ///
    /// # Errors
    /// If it exceeds a limit, or something drawn is on no cell.
    pub fn new(
        position: AnnotatedPosition,
        comment: &str,
        arrows: &[String],
        marks: &[String],
        at: Timestamp,
    ) -> Result<Annotation, AnnotationError> {
        let comment = clean(comment);
        let length = comment.chars().count();
        if length > MAX_COMMENT_CHARS {
            return Err(AnnotationError::LongComment(length));
        }
        let arrows = each_once(arrows.iter().map(|arrow| arrow.parse()).collect::<Result<Vec<_>, _>>()?);
        if arrows.len() > MAX_DRAWN {
            return Err(AnnotationError::ManyArrows(arrows.len()));
        }
        let marks = each_once(marks.to_vec());
        if marks.len() > MAX_DRAWN {
            return Err(AnnotationError::ManyMarks(marks.len()));
        }
        if !marks.iter().all(|cell| is_cell(cell)) {
            return Err(BadDrawing.into());
        }
        Ok(Annotation { position, comment, arrows, marks, at })
    }

    /// Whether nothing is written or drawn.
    pub fn is_empty(&self) -> bool {
        self.comment.is_empty() && self.arrows.is_empty() && self.marks.is_empty()
    }

    /// Returns the arrows as they are stored: `d1-d7 a4-b4`.
    pub fn arrows_text(&self) -> String {
        self.arrows.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Returns the marked cells as they are stored: `d1 a4`.
    pub fn marks_text(&self) -> String {
        self.marks.join(" ")
    }

    /// Reads what was stored.
    ///
    /// # Errors
    /// If the arrows or marks can't be read.
    pub fn stored(
        position: AnnotatedPosition,
        comment: String,
        (arrows, marks): (&str, &str),
        at: Timestamp,
    ) -> Result<Annotation, BadDrawing> {
        let arrows = arrows.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let marks: Vec<String> = marks.split_whitespace().map(str::to_owned).collect();
        if !marks.iter().all(|cell| is_cell(cell)) {
            return Err(BadDrawing);
        }
        Ok(Annotation { position, comment, arrows, marks, at })
    }
}

/// Removes what a comment can't have.
fn clean(comment: &str) -> String {
    let lines =
        comment.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}'], "\n").replace('\t', " ");
    let kept: String = lines.chars().filter(|sign| *sign == '\n' || !sign.is_control()).collect();
    if kept.trim().is_empty() { String::new() } else { kept }
}

/// Removes repetitions; the order stays.
fn each_once<T: PartialEq>(all: Vec<T>) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for one in all {
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    kept
}

/// A link with which an author shows their annotations of a game; it is not withdrawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotationLink {
    /// The token, whose digest is stored with it.
    pub token: ShareToken,
    /// The author, who made it.
    pub author: UserId,
    /// The game.
    pub table: TableId,
    /// When it was made.
    pub made_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(comment: &str, arrows: &[&str], marks: &[&str]) -> Result<Annotation, AnnotationError> {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let position = AnnotatedPosition::default();
        Annotation::new(position, comment, &owned(arrows), &owned(marks), Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn annotations_are_read_as_they_are_stored() {
        let made =
            new("Why not d7?\r\nIt wins.", &["d1-d7", "a10-b4", "d1-d7"], &["d1", "a10", "d1"]).unwrap();
        assert_eq!(made.comment, "Why not d7?\nIt wins.");
        assert_eq!(
            (made.arrows_text(), made.marks_text()),
            ("d1-d7 a10-b4".into(), "d1 a10".into()),
            "each once"
        );
        let (arrows, marks) = (made.arrows_text(), made.marks_text());
        let read =
            Annotation::stored(made.position.clone(), made.comment.clone(), (&arrows, &marks), made.at);
        assert_eq!(read, Ok(made));
    }

    #[test]
    fn annotations_keep_their_limits() {
        let cells: Vec<String> = (0..33).map(|number| format!("a{number}")).collect();
        let arrows: Vec<String> = cells.iter().map(|cell| format!("b1-{cell}")).collect();
        let [cells, arrows] = [&cells, &arrows].map(|all| all.iter().map(String::as_str).collect::<Vec<_>>());
        let long = |count| "ä".repeat(count);
        assert_eq!(new(&long(1_000), &arrows[..32], &cells[..32]).unwrap().comment.chars().count(), 1_000);
        assert_eq!(new(&long(1_001), &[], &[]), Err(AnnotationError::LongComment(1_001)));
        assert_eq!(new("", &arrows, &[]), Err(AnnotationError::ManyArrows(33)));
        assert_eq!(new("", &[], &cells), Err(AnnotationError::ManyMarks(33)));
        for (arrows, marks) in
            [(&["d1"][..], &[][..]), (&["d1-d1"], &[]), (&["d1-"], &[]), (&[], &["d1 d2"]), (&[], &["\0"])]
        {
            assert_eq!(
                new("", arrows, marks),
                Err(AnnotationError::BadDrawing(BadDrawing)),
                "{arrows:?} {marks:?}"
            );
        }
    }

    #[test]
    fn annotations_of_white_space_are_empty() {
        assert!(new(" \t\r\n\u{0}\u{7}", &[], &[]).unwrap().is_empty());
        let kept = new("a\u{0}b\u{1b}[1m", &[], &[]).unwrap();
        assert!(kept.comment == "ab[1m" && !kept.is_empty(), "{kept:?}");
    }
}
