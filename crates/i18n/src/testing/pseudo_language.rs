//! A pseudo-language for tests: English with every letter accented and every sentence half as long again.
//! Text that shows plain letters in it is not in the sentence files, and a layout that breaks in it would
//! break in a real language.

use std::borrow::Cow;

use crate::languages::LANGUAGE_FILES;
use crate::{Localizer, Sentences};

/// Accented lower-case letters, in the order of the alphabet.
const SMALL: [char; 26] = [
    'á', 'ƀ', 'ç', 'ð', 'é', 'ƒ', 'ĝ', 'ĥ', 'í', 'ĵ', 'ķ', 'ļ', 'ɱ', 'ñ', 'ó', 'þ', 'ǫ', 'ŕ', 'š', 'ţ', 'ú',
    'ṽ', 'ŵ', 'ẋ', 'ý', 'ž',
];
/// Accented capitals, in the order of the alphabet.
const LARGE: [char; 26] = [
    'Á', 'Ɓ', 'Ç', 'Ð', 'É', 'Ƒ', 'Ĝ', 'Ĥ', 'Í', 'Ĵ', 'Ķ', 'Ļ', 'Ṁ', 'Ñ', 'Ó', 'Þ', 'Ǫ', 'Ŕ', 'Š', 'Ţ', 'Ú',
    'Ṽ', 'Ŵ', 'Ẋ', 'Ý', 'Ž',
];

/// Builds the pseudo-language under one of Discord's language names, so that clients can ask for it. It lives
/// as long as the process.
pub fn pseudo_language(tag: &'static str) -> &'static Localizer {
    let mut sentences = Sentences::read(tag, &LANGUAGE_FILES[0]);
    sentences.transform(accented);
    Box::leak(Box::new(Localizer::of(sentences)))
}

/// Accents every letter and doubles every second one.
fn accented(text: &str) -> Cow<'_, str> {
    let mut letters = 0;
    let mut longer = String::with_capacity(text.len() * 3);
    for sign in text.chars() {
        let marked = marked(sign);
        longer.push(marked);
        if marked != sign {
            letters += 1;
            if letters % 2 == 0 {
                longer.push(marked.to_lowercase().next().unwrap_or(marked));
            }
        }
    }
    Cow::Owned(longer)
}

fn marked(sign: char) -> char {
    match sign {
        'a'..='z' => SMALL[usize::from(sign as u8 - b'a')],
        'A'..='Z' => LARGE[usize::from(sign as u8 - b'A')],
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_is_marked_and_half_of_them_are_doubled() {
        let long = accented("Move `a1`: zebra");
        assert!(!long.chars().any(|c| c.is_ascii_alphabetic()), "{long}");
        assert_eq!(long.chars().count(), 16 + 5, "{long}");
        assert!(long.contains("`: "), "signs stay: {long}");
    }
}
