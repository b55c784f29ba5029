//! The custom id of a lesson's button: the game, the step and the choices so far.

use crate::discord::wire::table_button_id::{ButtonAction, FIELD, UnknownComponentId, VERSION};

/// Takes the place of a table id. It is longer than any table id, so the two cannot be confused.
pub(in crate::discord) const LESSON: &str = "lesson-of";

/// A press of a lesson's button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The key of the game that the lesson teaches.
    pub game: String,
    /// The index of the lesson's step, from 0.
    pub step: usize,
    /// The action of the button.
    pub act: LessonAction,
}

/// The action of a lesson's button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LessonAction {
    /// One step of composing a move ([`ButtonAction::Panel`], [`ButtonAction::Pick`] or
    /// [`ButtonAction::Narrow`]), or the board as text ([`ButtonAction::Text`]).
    Move(ButtonAction),
    /// Answer with the offered text of this index.
    Try(usize),
    /// Show a move that solves the task.
    Show,
    /// Ask for the level of a first game against the bot. Only on buttons of older versions.
    First,
}

impl Lesson {
    /// Returns the custom id, at most 100 characters: `1:lesson-of:amoeba:2:pick:0:c4~>e5`.
    pub fn id(&self) -> String {
        let (word, rest) = match &self.act {
            LessonAction::Move(action) => action.encode(),
            LessonAction::Try(number) => ("try", format!("{FIELD}{number}")),
            LessonAction::Show => ("show", String::new()),
            LessonAction::First => ("first", String::new()),
        };
        format!("{VERSION}{FIELD}{LESSON}{FIELD}{}{FIELD}{}{FIELD}{word}{rest}", self.game, self.step)
    }

    /// Returns whether the answer is a separate message instead of an edit of the lesson.
    pub fn answers_separately(&self) -> bool {
        matches!(self.act, LessonAction::First | LessonAction::Move(ButtonAction::Text))
    }

    /// Parses a custom id; `None` if it is of another kind.
    pub fn read(id: &str) -> Option<Result<Lesson, UnknownComponentId>> {
        let rest = id.strip_prefix(VERSION)?.strip_prefix(FIELD)?.strip_prefix(LESSON)?;
        rest.strip_prefix(FIELD).map(read)
    }
}

pub(in crate::discord) fn read(fields: &str) -> Result<Lesson, UnknownComponentId> {
    let mut fields = fields.splitn(4, FIELD);
    let mut next = || fields.next().ok_or(UnknownComponentId);
    let (game, step) = (next()?.to_owned(), next()?.parse().map_err(|_| UnknownComponentId)?);
    let (word, rest) = (next()?, fields.next().unwrap_or(""));
    let act = match word {
        "try" => LessonAction::Try(rest.parse().map_err(|_| UnknownComponentId)?),
        "show" => LessonAction::Show,
        "first" => LessonAction::First,
        _ => match ButtonAction::decode(word, rest)? {
            action @ (ButtonAction::Panel(_)
            | ButtonAction::Pick(..)
            | ButtonAction::Narrow(..)
            | ButtonAction::Text) => LessonAction::Move(action),
            _ => return Err(UnknownComponentId),
        },
    };
    Ok(Lesson { game, step, act })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::wire::limits::MAX_CUSTOM_ID_CHARS;

    #[test]
    fn what_is_written_on_a_lessons_button_is_read_back() {
        let taken = vec!["c4".to_owned(), ">".to_owned()];
        let acts = [
            LessonAction::Try(3),
            LessonAction::Show,
            LessonAction::First,
            LessonAction::Move(ButtonAction::Text),
            LessonAction::Move(ButtonAction::Panel(Vec::new())),
            LessonAction::Move(ButtonAction::Pick(1, taken.clone())),
            LessonAction::Move(ButtonAction::Narrow('d', taken)),
        ];
        for act in acts {
            let lesson = Lesson { game: "amazon_penguins".into(), step: 7, act };
            assert!(lesson.id().len() <= MAX_CUSTOM_ID_CHARS);
            assert_eq!(Lesson::read(&lesson.id()), Some(Ok(lesson)));
        }
        assert_eq!(Lesson::read("1:K7Q2:3:more"), None);
        for old in ["1:lesson-of:", "1:lesson-of:amoeba:x:show", "1:lesson-of:amoeba:1:resign"] {
            assert_eq!(Lesson::read(old), Some(Err(UnknownComponentId)), "{old}");
        }
    }
}
