//! Discord's limits as named constants, and a check of messages before they are sent.

use crate::discord::wire::outgoing_message::{Component, OutgoingMessage};
use std::time::Duration;

/// The most characters of a message's content.
pub const MAX_CONTENT_CHARS: usize = 2_000;
/// The most rows of components under a message.
pub const MAX_ROWS: usize = 5;
/// The most buttons in a row.
pub const MAX_BUTTONS: usize = 5;
/// The most choices in a select.
pub const MAX_CHOICES: usize = 25;
/// The most choices of an autocomplete answer.
pub const MAX_COMPLETIONS: usize = 25;
/// The most characters of an autocomplete choice's name and of its value.
pub const MAX_COMPLETION_CHARS: usize = 100;
/// The most characters of a button's label.
pub const MAX_LABEL_CHARS: usize = 80;
/// The most characters of a select's placeholder.
pub const MAX_PLACEHOLDER_CHARS: usize = 150;
/// The most characters of a select choice's label, value and description.
pub const MAX_CHOICE_CHARS: usize = 100;
/// The most characters of a button's address.
pub const MAX_URL_CHARS: usize = 512;
/// The most characters of a component's custom id.
pub const MAX_CUSTOM_ID_CHARS: usize = 100;
/// The most characters of the title of a form.
pub const MAX_FORM_TITLE_CHARS: usize = 45;
/// The most characters of the label of a form's field.
pub const MAX_FORM_LABEL_CHARS: usize = 45;
/// The most fields of a form.
pub const MAX_FORM_FIELDS: usize = 5;
/// The most characters of an attachment's description.
pub const MAX_ALT_CHARS: usize = 1_024;
/// The most characters of an embed's title.
pub const MAX_TITLE_CHARS: usize = 256;
/// The most characters of an embed's description.
pub const MAX_EMBED_CHARS: usize = 4_096;
/// The most characters of a thread's name.
pub const MAX_THREAD_NAME_CHARS: usize = 100;
/// The most characters of a nonce.
pub const MAX_NONCE_CHARS: usize = 25;
/// The most characters of a command's name.
pub const MAX_COMMAND_NAME_CHARS: usize = 32;
/// The most options of a command.
pub const MAX_OPTIONS: usize = 25;
/// The most characters of a command's or option's description.
pub const MAX_DESCRIPTION_CHARS: usize = 100;
/// The most files of a message: Discord allows ten, but serenity sends all files of a request with the same
/// number.
pub const MAX_FILES: usize = 1;
/// The most bytes of a file.
pub const MAX_FILE_BYTES: usize = 10 * 1024 * 1024;
/// The most bytes of an attachment that the bot reads: more than any record of a game has.
pub const MAX_ATTACHMENT_BYTES: usize = 256 * 1024;

/// The largest picture that is read, in bytes: a screenshot of a large screen has about half.
pub const MAX_PICTURE_BYTES: usize = 8 << 20;
/// The time for the first answer to an interaction.
pub const ANSWER_WITHIN: Duration = Duration::from_secs(3);

/// A limit that a message exceeds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// A count is too high.
    #[error("{what}: {is}, and {most} is the most")]
    Over {
        /// The counted unit, for the error text.
        what: &'static str,
        /// The count in the message.
        is: usize,
        /// The limit of the count.
        most: usize,
    },
    /// The message has no text, picture, file or embed.
    #[error("a message with nothing in it")]
    Empty,
    /// Two components of one message have the same custom id.
    #[error("two components are called {0}")]
    Twice(String),
    /// A select without choices, or a row without components.
    #[error("a row with nothing in it")]
    EmptyRow,
}

/// Checks a message against all limits.
///
/// # Errors
/// The first limit that the message exceeds.
pub fn check(post: &OutgoingMessage) -> Result<(), LimitError> {
    if post.content.is_empty() && !post.has_files() && post.embed.is_none() && !post.keeps_content {
        return Err(LimitError::Empty);
    }
    text("characters of text", &post.content, MAX_CONTENT_CHARS)?;
    if let Some(picture) = &post.picture {
        text("characters of a description", &picture.alt, MAX_ALT_CHARS)?;
    }
    count("files", usize::from(post.picture.is_some()) + usize::from(post.file.is_some()), MAX_FILES)?;
    count("bytes of a file", post.file.as_ref().map_or(0, |file| file.bytes.len()), MAX_FILE_BYTES)?;
    if let Some(embed) = &post.embed {
        text("characters of an embed's title", &embed.title, MAX_TITLE_CHARS)?;
        text("characters of an embed", &embed.text, MAX_EMBED_CHARS)?;
    }
    count("rows", post.rows.len(), MAX_ROWS)?;
    post.rows.iter().try_for_each(|row| check_row(row))?;
    unique_ids(post)
}

fn check_row(row: &[Component]) -> Result<(), LimitError> {
    if row.is_empty() {
        return Err(LimitError::EmptyRow);
    }
    let selects =
        row.iter().filter(|part| !matches!(part, Component::Button { .. } | Component::Link { .. })).count();
    count("parts beside a select", if selects > 0 { row.len() } else { 0 }, 1)?;
    count("buttons in a row", row.len(), MAX_BUTTONS)?;
    row.iter().try_for_each(check_part)
}

fn check_part(part: &Component) -> Result<(), LimitError> {
    match part {
        Component::Button { label, id, .. } => {
            text("characters on a button", label, MAX_LABEL_CHARS)?;
            text("characters of an id", id, MAX_CUSTOM_ID_CHARS)
        }
        Component::Link { label, url } => {
            text("characters on a button", label, MAX_LABEL_CHARS)?;
            text("characters of an address", url, MAX_URL_CHARS)
        }
        Component::People { id, placeholder } => {
            text("characters of an id", id, MAX_CUSTOM_ID_CHARS)?;
            text("characters of a placeholder", placeholder, MAX_PLACEHOLDER_CHARS)
        }
        Component::Channels { id, placeholder, chosen, most } => {
            text("characters of an id", id, MAX_CUSTOM_ID_CHARS)?;
            text("characters of a placeholder", placeholder, MAX_PLACEHOLDER_CHARS)?;
            count("channels", chosen.len(), (*most).min(MAX_CHOICES))
        }
        Component::Select { id, placeholder, choices } => {
            text("characters of an id", id, MAX_CUSTOM_ID_CHARS)?;
            text("characters of a placeholder", placeholder, MAX_PLACEHOLDER_CHARS)?;
            count("choices", choices.len(), MAX_CHOICES)?;
            if choices.is_empty() {
                return Err(LimitError::EmptyRow);
            }
            choices.iter().try_for_each(|choice| {
                text("characters of a choice", &choice.label, MAX_CHOICE_CHARS)?;
                text("characters of a choice's value", &choice.value, MAX_CHOICE_CHARS)?;
                text("characters of a choice's note", &choice.note, MAX_CHOICE_CHARS)
            })
        }
    }
}

fn unique_ids(post: &OutgoingMessage) -> Result<(), LimitError> {
    let mut seen = Vec::new();
    for id in post.rows.iter().flatten().map(Component::id).filter(|id| !id.is_empty()) {
        if seen.contains(&id) {
            return Err(LimitError::Twice(id.to_owned()));
        }
        seen.push(id);
    }
    Ok(())
}

fn text(what: &'static str, text: &str, most: usize) -> Result<(), LimitError> {
    count(what, text.chars().count(), most)
}

fn count(what: &'static str, is: usize, most: usize) -> Result<(), LimitError> {
    if is <= most { Ok(()) } else { Err(LimitError::Over { what, is, most }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::wire::outgoing_message::{ButtonStyle, Choice, OutgoingMessage};

    fn button(id: &str) -> Component {
        Component::Button { label: "Move".into(), style: ButtonStyle::Secondary, id: id.into() }
    }

    #[test]
    fn text_may_have_two_thousand_characters_not_bytes() {
        assert_eq!(check(&OutgoingMessage::text("é".repeat(2_000))), Ok(()));
        let over = LimitError::Over { what: "characters of text", is: 2_001, most: 2_000 };
        assert_eq!(check(&OutgoingMessage::text("a".repeat(2_001))), Err(over));
        assert_eq!(check(&OutgoingMessage::text("")), Err(LimitError::Empty));
    }

    #[test]
    fn two_buttons_cannot_share_an_id() {
        let post = OutgoingMessage::text("x").row([button("a"), button("b")]);
        assert_eq!(check(&post), Ok(()));
        assert_eq!(check(&post.row([button("a")])), Err(LimitError::Twice("a".into())));
    }

    #[test]
    fn a_row_holds_five_buttons_or_one_select_of_twenty_five() {
        let five = OutgoingMessage::text("x").row(["a", "b", "c", "d", "e"].map(button));
        assert_eq!(check(&five), Ok(()));
        let six = OutgoingMessage::text("x").row(["a", "b", "c", "d", "e", "f"].map(button));
        assert!(matches!(check(&six), Err(LimitError::Over { what: "buttons in a row", is: 6, .. })));
        let choice = |n: usize| Choice { label: n.to_string(), value: n.to_string(), note: String::new() };
        let select = |n: usize| Component::Select {
            id: "s".into(),
            placeholder: "p".into(),
            choices: (0..n).map(choice).collect(),
        };
        assert_eq!(check(&OutgoingMessage::text("x").row([select(25)])), Ok(()));
        assert!(check(&OutgoingMessage::text("x").row([select(26)])).is_err());
        assert!(check(&OutgoingMessage::text("x").row([select(0)])).is_err());
        assert!(check(&OutgoingMessage::text("x").row([select(3), button("b")])).is_err());
    }

    #[test]
    fn six_rows_are_too_many() {
        let rows =
            |n: usize| (0..n).fold(OutgoingMessage::text("x"), |post, i| post.row([button(&i.to_string())]));
        assert_eq!(check(&rows(5)), Ok(()));
        assert!(check(&rows(6)).is_err());
    }
}
