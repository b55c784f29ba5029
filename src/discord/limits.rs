//! Discord's limits, by name, checked before anything is sent.

use super::post::{Part, Post};

/// Characters in a message.
pub const CONTENT_MOST: usize = 2_000;
/// Rows of components under a message.
pub const ROWS_MOST: usize = 5;
/// Buttons in a row.
pub const BUTTONS_MOST: usize = 5;
/// Choices in a select.
pub const CHOICES_MOST: usize = 25;
/// Choices while an option is typed.
pub const COMPLETIONS_MOST: usize = 25;
/// Characters in a completion's name and in its value.
pub const COMPLETION_MOST: usize = 100;
/// Characters on a button.
pub const LABEL_MOST: usize = 80;
/// Characters of a select's placeholder.
pub const PLACEHOLDER_MOST: usize = 150;
/// Characters of a select choice's label, value and description.
pub const CHOICE_MOST: usize = 100;
/// Characters of a component's own id.
pub const CUSTOM_ID_MOST: usize = 100;
/// Characters of a file's description.
pub const ALT_MOST: usize = 1_024;
/// Characters of an embed's title.
pub const TITLE_MOST: usize = 256;
/// Characters of an embed's text.
pub const EMBED_MOST: usize = 4_096;
/// Characters of a thread's name.
pub const THREAD_NAME_MOST: usize = 100;
/// Characters of a nonce.
pub const NONCE_MOST: usize = 25;
/// Characters of a command's name.
pub const COMMAND_NAME_MOST: usize = 32;
/// Options of a command.
pub const OPTIONS_MOST: usize = 25;
/// Characters of a command's or option's description.
pub const DESCRIPTION_MOST: usize = 100;
/// Files of a message: Discord takes ten, but serenity sends all of a request under one number.
pub const FILES_MOST: usize = 1;
/// Bytes of a file.
pub const FILE_MOST: usize = 10 * 1024 * 1024;
/// Bytes of a file that we read: more than any record of a game.
pub const BROUGHT_MOST: usize = 256 * 1024;
/// Milliseconds in which an interaction must get its first answer.
pub const ANSWER_WITHIN_MS: u64 = 3_000;

/// A limit that a message would break.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooMuch {
    /// More of something than there may be.
    #[error("{what}: {is}, and {most} is the most")]
    Over {
        /// Of what.
        what: &'static str,
        /// How much there is.
        is: usize,
        /// How much there may be.
        most: usize,
    },
    /// Neither text nor picture nor embed.
    #[error("a message with nothing in it")]
    Empty,
    /// Two components of one message with the same id.
    #[error("two components are called {0}")]
    Twice(String),
    /// A select without choices, or a row without parts.
    #[error("a row with nothing in it")]
    EmptyRow,
}

/// Checks a message against every limit.
///
/// # Errors
/// The first limit that it breaks.
pub fn check(post: &Post) -> Result<(), TooMuch> {
    if post.content.is_empty() && !post.has_files() && post.embed.is_none() && !post.keeps_content {
        return Err(TooMuch::Empty);
    }
    text("characters of text", &post.content, CONTENT_MOST)?;
    if let Some(picture) = &post.picture {
        text("characters of a description", &picture.alt, ALT_MOST)?;
    }
    count("files", usize::from(post.picture.is_some()) + usize::from(post.file.is_some()), FILES_MOST)?;
    count("bytes of a file", post.file.as_ref().map_or(0, |file| file.bytes.len()), FILE_MOST)?;
    if let Some(embed) = &post.embed {
        text("characters of an embed's title", &embed.title, TITLE_MOST)?;
        text("characters of an embed", &embed.text, EMBED_MOST)?;
    }
    count("rows", post.rows.len(), ROWS_MOST)?;
    post.rows.iter().try_for_each(|row| check_row(row))?;
    unique_ids(post)
}

fn check_row(row: &[Part]) -> Result<(), TooMuch> {
    if row.is_empty() {
        return Err(TooMuch::EmptyRow);
    }
    let selects = row.iter().filter(|part| !matches!(part, Part::Button { .. } | Part::Blank { .. })).count();
    count("parts beside a select", if selects > 0 { row.len() } else { 0 }, 1)?;
    count("buttons in a row", row.len(), BUTTONS_MOST)?;
    row.iter().try_for_each(check_part)
}

fn check_part(part: &Part) -> Result<(), TooMuch> {
    match part {
        Part::Button { label, id, .. } => {
            text("characters on a button", label, LABEL_MOST)?;
            text("characters of an id", id, CUSTOM_ID_MOST)
        }
        Part::Blank { id } => text("characters of an id", id, CUSTOM_ID_MOST),
        Part::Channels { id, placeholder, chosen, most } => {
            text("characters of an id", id, CUSTOM_ID_MOST)?;
            text("characters of a placeholder", placeholder, PLACEHOLDER_MOST)?;
            count("channels", chosen.len(), (*most).min(CHOICES_MOST))
        }
        Part::Select { id, placeholder, choices } => {
            text("characters of an id", id, CUSTOM_ID_MOST)?;
            text("characters of a placeholder", placeholder, PLACEHOLDER_MOST)?;
            count("choices", choices.len(), CHOICES_MOST)?;
            if choices.is_empty() {
                return Err(TooMuch::EmptyRow);
            }
            choices.iter().try_for_each(|choice| {
                text("characters of a choice", &choice.label, CHOICE_MOST)?;
                text("characters of a choice's value", &choice.value, CHOICE_MOST)?;
                text("characters of a choice's note", &choice.note, CHOICE_MOST)
            })
        }
    }
}

fn unique_ids(post: &Post) -> Result<(), TooMuch> {
    let mut seen = Vec::new();
    for id in post.rows.iter().flatten().map(Part::id) {
        if seen.contains(&id) {
            return Err(TooMuch::Twice(id.to_owned()));
        }
        seen.push(id);
    }
    Ok(())
}

fn text(what: &'static str, text: &str, most: usize) -> Result<(), TooMuch> {
    count(what, text.chars().count(), most)
}

fn count(what: &'static str, is: usize, most: usize) -> Result<(), TooMuch> {
    if is <= most { Ok(()) } else { Err(TooMuch::Over { what, is, most }) }
}

#[cfg(test)]
mod tests {
    use super::super::post::{Choice, Post, Tone};
    use super::*;

    fn button(id: &str) -> Part {
        Part::Button { label: "Move".into(), tone: Tone::Plain, id: id.into() }
    }

    #[test]
    fn text_may_have_two_thousand_characters_not_bytes() {
        assert_eq!(check(&Post::text("é".repeat(2_000))), Ok(()));
        let over = TooMuch::Over { what: "characters of text", is: 2_001, most: 2_000 };
        assert_eq!(check(&Post::text("a".repeat(2_001))), Err(over));
        assert_eq!(check(&Post::text("")), Err(TooMuch::Empty));
    }

    #[test]
    fn two_buttons_cannot_share_an_id() {
        let post = Post::text("x").row([button("a"), button("b")]);
        assert_eq!(check(&post), Ok(()));
        assert_eq!(check(&post.row([button("a")])), Err(TooMuch::Twice("a".into())));
    }

    #[test]
    fn a_row_holds_five_buttons_or_one_select_of_twenty_five() {
        let five = Post::text("x").row(["a", "b", "c", "d", "e"].map(button));
        assert_eq!(check(&five), Ok(()));
        let six = Post::text("x").row(["a", "b", "c", "d", "e", "f"].map(button));
        assert!(matches!(check(&six), Err(TooMuch::Over { what: "buttons in a row", is: 6, .. })));
        let choice = |n: usize| Choice { label: n.to_string(), value: n.to_string(), note: String::new() };
        let select = |n: usize| Part::Select {
            id: "s".into(),
            placeholder: "p".into(),
            choices: (0..n).map(choice).collect(),
        };
        assert_eq!(check(&Post::text("x").row([select(25)])), Ok(()));
        assert!(check(&Post::text("x").row([select(26)])).is_err());
        assert!(check(&Post::text("x").row([select(0)])).is_err());
        assert!(check(&Post::text("x").row([select(3), button("b")])).is_err());
    }

    #[test]
    fn six_rows_are_too_many() {
        let rows = |n: usize| (0..n).fold(Post::text("x"), |post, i| post.row([button(&i.to_string())]));
        assert_eq!(check(&rows(5)), Ok(()));
        assert!(check(&rows(6)).is_err());
    }
}
