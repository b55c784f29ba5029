//! A cursor over the text of a move, which is parsed without a board first.

use std::fmt;

use super::board::Coordinate;

/// What the parser expected at the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expected {
    /// A cell such as `d7`.
    Cell,
    /// A direction such as `NE`.
    Direction,
    /// The end of the text.
    End,
}

/// A text that is not a move in any position: where parsing stopped, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct MoveParseError {
    /// The number of characters of the trimmed text that were parsed.
    pub at: usize,
    /// The text at that place, up to the next blank, at most 16 characters; empty at the end of the text.
    pub found: String,
    /// What would have been valid there.
    pub expected: Expected,
}

impl fmt::Display for MoveParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wanted {:?} at character {}, found {:?}", self.expected, self.at + 1, self.found)
    }
}

/// A cursor over a move's text. Case does not matter and blanks are skipped everywhere.
///
/// ```
/// use rookery_core::Reader;
/// let mut reader = Reader::new(" F1 - e2");
/// assert_eq!(reader.coordinate().unwrap().to_string(), "f1");
/// assert!(reader.eat(&['-']).is_some());
/// assert_eq!(reader.coordinate().unwrap().to_string(), "e2");
/// assert!(reader.end().is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Reader {
    text: Vec<char>,
    at: usize,
}

impl Reader {
    /// A cursor at the start of a text.
    pub fn new(text: &str) -> Reader {
        let mut reader = Reader { text: text.trim().to_lowercase().chars().collect(), at: 0 };
        reader.skip_blanks();
        reader
    }

    /// The character under the cursor, in lower case.
    pub fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    /// Whether the whole text was read.
    pub fn is_done(&self) -> bool {
        self.peek().is_none()
    }

    /// Reads one of these characters if it comes next.
    pub fn eat(&mut self, signs: &[char]) -> Option<char> {
        let sign = self.peek().filter(|c| signs.contains(c))?;
        self.advance(1);
        Some(sign)
    }

    /// Reads any number of these characters.
    pub fn eat_all(&mut self, signs: &[char]) -> usize {
        std::iter::from_fn(|| self.eat(signs)).count()
    }

    /// Reads this word (given in lower case) if it comes next.
    pub fn word(&mut self, word: &str) -> bool {
        let next = self.text[self.at..].iter().take(word.chars().count());
        let found = next.copied().eq(word.chars());
        if found {
            self.advance(word.chars().count());
        }
        found
    }

    /// Reads a coordinate: a letter and a number of one or two digits from 1, with optional blanks between.
    ///
    /// # Errors
    /// If there is no coordinate; the cursor does not move.
    pub fn coordinate(&mut self) -> Result<Coordinate, MoveParseError> {
        let start = self.at;
        self.try_coordinate().ok_or_else(|| {
            self.at = start;
            self.expected(Expected::Cell)
        })
    }

    fn try_coordinate(&mut self) -> Option<Coordinate> {
        let letter = self.peek().filter(char::is_ascii_lowercase)?;
        self.advance(1);
        let mut number = 0;
        for digits in 0..2 {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) else { break };
            if digits == 0 && digit == 0 {
                return None;
            }
            number = number * 10 + digit as u8;
            self.at += 1;
        }
        self.skip_blanks();
        (number > 0).then_some(Coordinate { letter: letter as u8 - b'a', number })
    }

    /// Checks that the whole text was read.
    ///
    /// # Errors
    /// With the rest of the text.
    pub fn end(&self) -> Result<(), MoveParseError> {
        if self.is_done() { Ok(()) } else { Err(self.expected(Expected::End)) }
    }

    /// The error that another element was expected at the cursor.
    pub fn expected(&self, expected: Expected) -> MoveParseError {
        let found = self.text[self.at..].iter().take_while(|c| !c.is_whitespace()).take(16).collect();
        MoveParseError { at: self.at, found, expected }
    }

    fn advance(&mut self, count: usize) {
        self.at += count;
        self.skip_blanks();
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }
}

/// The words of a line, each with the number of characters before it.
///
/// ```
/// use rookery_core::placed_words;
/// assert_eq!(placed_words(" é w  -"), [(1, "é"), (3, "w"), (6, "-")]);
/// ```
pub fn placed_words(line: &str) -> Vec<(usize, &str)> {
    let place = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
    line.split_whitespace().map(|word| (line[..place(word)].chars().count(), word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_run_together_are_told_apart() {
        let mut reader = Reader::new("F1E2f10");
        let coordinate: Vec<_> =
            std::iter::from_fn(|| reader.coordinate().ok()).map(|s| s.to_string()).collect();
        assert_eq!(coordinate, ["f1", "e2", "f10"]);
        assert!(reader.is_done());
    }

    #[test]
    fn parse_error_has_position_and_expectation() {
        let mut reader = Reader::new("f1-?!x y");
        reader.coordinate().unwrap();
        reader.eat(&['-']);
        let error = reader.coordinate().unwrap_err();
        assert_eq!(error, MoveParseError { at: 3, found: "?!x".into(), expected: Expected::Cell });
    }

    #[test]
    fn row_zero_is_rejected() {
        assert!(Reader::new("a0").coordinate().is_err());
        assert!(Reader::new("a").coordinate().is_err());
        assert!(Reader::new("7").coordinate().is_err());
    }
}
