//! A step of a game's lesson, with its position.

use rookery_core::lesson::Task;
use rookery_core::{Game, Play};

use crate::discord::wire::lesson_id::{Lesson, LessonAction};
use crate::discord::wire::table_button_id::ButtonAction;

/// A step of a game's lesson, with its position.
pub struct Step {
    /// The game that the lesson teaches.
    pub game: &'static dyn Game,
    /// The index of the step, from 0.
    pub number: usize,
    /// The task of the step.
    pub task: &'static Task,
    /// The position before the task is solved.
    pub play: Box<dyn Play>,
}

impl Step {
    /// Returns the step by the game's key and its index from 0; `None` if there is none.
    pub fn find(game: &str, number: usize) -> Option<Step> {
        let game = rookery_games::named(game)?;
        let task = game.lesson().get(number)?;
        let play = game.resume(task.line).ok()?;
        Some(Step { game, number, task, play })
    }

    /// Returns whether this is the last step.
    pub fn is_last(&self) -> bool {
        self.number + 1 == self.game.lesson().len()
    }

    /// Returns the sentence key of the step's task.
    pub fn key(&self) -> String {
        format!("lesson-{}-{}", self.game.info().key, self.task.key)
    }

    /// Returns whether the step teaches how moves are typed: then its texts are shown as typed.
    pub fn teaches_notation(&self) -> bool {
        self.task.key == Task::NOTATION
    }

    /// Returns whether an answer may name a move in notation: it is taught in this step, or the move's text is only
    /// the names of cells, which are on the picture.
    pub fn can_name(&self, text: &str) -> bool {
        let is_cell = |part: &str| self.play.board().named(part).is_some();
        self.teaches_notation() || text.split(['-', '/', '>']).all(is_cell)
    }

    /// Returns the custom id of a button of this step.
    pub fn id(&self, act: LessonAction) -> String {
        Lesson { game: self.game.info().key.to_owned(), step: self.number, act }.id()
    }

    /// Returns the custom id of the button that leads to the step `by` further on.
    pub fn on(&self, by: usize) -> String {
        let act = LessonAction::Move(ButtonAction::Panel(Vec::new()));
        Lesson { game: self.game.info().key.to_owned(), step: self.number + by, act }.id()
    }
}
