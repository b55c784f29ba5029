//! Texts with NUL characters, which PostgreSQL cannot store.
//!
//! JSON writes a NUL as an escape, so only texts stored as they are need this: notes, the keys of games and outbox
//! items, and reasons of failures. A NUL is stored as [`ESCAPE`] and `0`, and [`ESCAPE`] itself as [`ESCAPE`] and `1`.
//! [`ESCAPE`] is a code point that Unicode will never assign, so other texts are stored as they are.

/// The character before the sign of a replaced one.
const ESCAPE: char = '\u{10FFFF}';

/// Returns a text without NUL characters, from which [`decode`] makes the same text again.
pub(crate) fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\0' => encoded.extend([ESCAPE, '0']),
            ESCAPE => encoded.extend([ESCAPE, '1']),
            c => encoded.push(c),
        }
    }
    encoded
}

/// Returns the text that [`encode`] was given.
pub(crate) fn decode(encoded: &str) -> String {
    let mut text = String::with_capacity(encoded.len());
    let mut rest = encoded.chars();
    while let Some(c) = rest.next() {
        match c {
            ESCAPE => text.extend(match rest.next() {
                Some('0') => Some('\0'),
                _ => Some(ESCAPE),
            }),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nul_is_stored_as_another_text_and_comes_back() {
        for text in ["", "amazons", "\0", "a\0b\0", "\u{10FFFF}", "\u{10FFFF}0", "\0\u{10FFFF}1", "Käse 日本"]
        {
            let encoded = encode(text);
            assert!(!encoded.contains('\0'), "{text:?}");
            assert_eq!(decode(&encoded), text);
        }
        assert_eq!(encode("board-1"), "board-1");
    }
}
