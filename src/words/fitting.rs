//! Texts that must fit: whole parts are left out before a word is cut.

/// A part of a text: how little it matters (0 is never left out), and what it says.
pub(super) struct Part(pub(super) usize, pub(super) String);

/// The parts joined by spaces, at most so many characters. Where there are more, the part that matters
/// least is left out, of those alike the last one, until the rest fits with `more` behind it.
pub(super) fn fitted(mut parts: Vec<Part>, more: &str, most: usize) -> String {
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

fn joined(parts: &[Part]) -> String {
    parts.iter().map(|part| part.1.as_str()).collect::<Vec<_>>().join(" ")
}

/// Characters of somebody's own text that are said back to them.
const QUOTED_MOST: usize = 50;

/// The beginning of somebody's own text, so that it can turn neither into formatting nor into a mention in our
/// answer, and leaves room for what is wrong with it.
pub fn quoted(text: &str) -> String {
    clip(&text.replace(['`', '\n', '@', '<'], ""), QUOTED_MOST)
}

/// A text of at most so many characters. What is cut off shows as an ellipsis, and no word is cut in two
/// unless it alone is too long.
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

    fn parts() -> Vec<Part> {
        vec![
            Part(0, "one".into()),
            Part(3, "three".into()),
            Part(2, "two".into()),
            Part(3, "three too".into()),
        ]
    }

    #[test]
    fn what_matters_least_is_left_out_first_and_whole() {
        assert_eq!(fitted(parts(), "more", 100), "one three two three too");
        assert_eq!(fitted(parts(), "more", 22), "one three two more");
        assert_eq!(fitted(parts(), "more", 17), "one two more");
        assert_eq!(fitted(parts(), "more", 11), "one more");
        assert_eq!(fitted(parts(), "more", 3), "one");
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
