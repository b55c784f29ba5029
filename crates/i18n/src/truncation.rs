//! Texts with a limit on their length: whole parts are left out before a word is cut.

/// A part of a text: its priority (0 is never left out, the highest goes first) and its text.
pub(super) struct TextPart(pub(super) usize, pub(super) String);

/// Joins the parts with spaces, at most `most` characters. If the text is longer, the parts with the highest
/// priority number are left out, the last of equals first, until the rest and `more` fit.
pub(super) fn fit_parts(mut parts: Vec<TextPart>, more: &str, most: usize) -> String {
    let whole = joined(&parts);
    if whole.chars().count() <= most {
        return whole;
    }
    loop {
        let least = parts.iter().enumerate().max_by_key(|(at, part)| (part.0, *at));
        let Some((at, _)) = least.filter(|(_, part)| part.0 > 0) else { break };
        parts.remove(at);
        let shorter = format!("{} {more}", joined(&parts));
        if shorter.chars().count() <= most {
            return shorter;
        }
    }
    clip(&joined(&parts), most)
}

fn joined(parts: &[TextPart]) -> String {
    parts.iter().map(|part| part.1.as_str()).collect::<Vec<_>>().join(" ")
}

/// The most characters of a person's own text that an answer quotes.
const MAX_QUOTED_CHARS: usize = 50;

/// Invisible characters that change the direction of writing.
const BIDI_MARKS: [char; 12] = [
    '\u{61C}', '\u{200E}', '\u{200F}', '\u{202A}', '\u{202B}', '\u{202C}', '\u{202D}', '\u{202E}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

/// Quotes the beginning of a person's own text between backticks, where it becomes no link, formatting or
/// mention. It is clipped to leave space for the error itself. Characters that change the direction of
/// writing are removed, because they would act beyond the backticks.
pub fn quoted(text: &str) -> String {
    let taken = |sign: char| sign.is_control() || BIDI_MARKS.contains(&sign) || "`@<".contains(sign);
    let plain = text.replace(taken, "");
    // Two adjacent backticks would open a code span in place of an empty one.
    let shown = if plain.trim().is_empty() { " ".to_owned() } else { clip(plain.trim(), MAX_QUOTED_CHARS) };
    format!("`{shown}`")
}

/// Escapes a person's whole text so that it shows as typed: no formatting, no masked link, no mention. Line
/// breaks stay; other control characters and those that change the direction of writing are removed.
pub fn escaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for sign in text.chars().filter(|sign| *sign == '\n' || !(sign.is_control() || BIDI_MARKS.contains(sign)))
    {
        if "\\*_~|`>#[]()<@-+".contains(sign) {
            plain.push('\\');
        }
        plain.push(sign);
    }
    plain
}

/// Clips a text to `most` characters. An ellipsis replaces the rest, and a word is cut only if it is too long
/// by itself.
pub fn clip(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let room = most.saturating_sub(1);
    let kept: String = text.chars().take(room).collect();
    let is_whole = text.chars().nth(room).is_some_and(char::is_whitespace);
    let end = kept.rfind(char::is_whitespace).filter(|end| !is_whole && *end > 0);
    format!("{}…", kept[..end.unwrap_or(kept.len())].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> Vec<TextPart> {
        vec![
            TextPart(0, "one".into()),
            TextPart(3, "three".into()),
            TextPart(2, "two".into()),
            TextPart(3, "three too".into()),
        ]
    }

    #[test]
    fn a_whole_text_of_somebody_shows_as_it_was_written() {
        assert_eq!(escaped("a plain text, twice.\nyes"), "a plain text, twice.\nyes");
        assert_eq!(escaped("**@everyone** <@7> [x](y)"), r"\*\*\@everyone\*\* \<\@7\> \[x\]\(y\)");
        assert_eq!(escaped("\u{202E}a\u{7}\r\n# b"), "a\n\\# b");
        assert!(escaped(&"_".repeat(600)).chars().count() <= 1_200);
    }

    #[test]
    fn what_matters_least_is_left_out_first_and_whole() {
        assert_eq!(fit_parts(parts(), "more", 100), "one three two three too");
        assert_eq!(fit_parts(parts(), "more", 22), "one three two more");
        assert_eq!(fit_parts(parts(), "more", 17), "one two more");
        assert_eq!(fit_parts(parts(), "more", 11), "one more");
        assert_eq!(fit_parts(parts(), "more", 3), "one");
    }

    #[test]
    fn quoted_text_has_no_formatting_or_mentions() {
        let gift = "[gift](https://evil.example)";
        assert_eq!(quoted(gift), format!("`{gift}`"), "in backticks that is no link");
        for text in ["`a`b", "a\nb", "a\r\nb", "a\u{202E}b", "\u{2067}a\u{2069}b", "<@a>b", "a\u{200F}b"] {
            let said = quoted(text);
            let inner = said.strip_prefix('`').unwrap().strip_suffix('`').unwrap();
            let kept: String = inner.chars().filter(|sign| !sign.is_ascii_punctuation()).collect();
            assert_eq!(kept, "ab", "{text:?}");
            assert!(!inner.contains(['`', '<', '@']), "{said}");
        }
        for nothing in ["", "``", " ", "\u{202E}"] {
            assert_eq!(quoted(nothing), "` `");
        }
        assert!(quoted(&"x".repeat(5_000)).chars().count() <= MAX_QUOTED_CHARS + 2);
    }

    #[test]
    fn words_are_cut_only_where_one_alone_is_too_long() {
        assert_eq!(clip("blocked cells", 13), "blocked cells");
        assert_eq!(clip("blocked cells", 12), "blocked…");
        assert_eq!(clip("blocked cells", 8), "blocked…");
        assert_eq!(clip("blocked", 5), "bloc…");
        assert_eq!(clip("ää öö", 4), "ää…");
        assert_eq!(clip("a\nlonger line", 8), "a…");
    }
}
