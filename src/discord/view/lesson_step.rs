//! A step of a game's lesson, with its position.

use rookery_core::lesson::Task;
use rookery_core::{Game, Play};

use crate::discord::wire::component_id::ButtonAction;
use crate::discord::wire::lesson_id::{Lesson, LessonAction};

/// A step of a game's lesson, with its position.
pub struct Step {
    /// The game.
    pub game: &'static dyn Game,
    /// Which step, from 0.
    pub number: usize,
    /// What is to be done.
    pub task: &'static Task,
    /// The position.
    pub play: Box<dyn Play>,
}

impl Step {
    /// A step by the game's key and its number from 0; `None` if there is none.
    pub fn find(game: &str, number: usize) -> Option<Step> {
        let game = rookery_games::named(game)?;
        let task = game.lesson().get(number)?;
        let play = game.resume(task.line).ok()?;
        Some(Step { game, number, task, play })
    }

    /// Whether another one follows.
    pub fn is_last(&self) -> bool {
        self.number + 1 == self.game.lesson().len()
    }

    /// The id of a button of this step.
    pub fn id(&self, act: LessonAction) -> String {
        Lesson { game: self.game.info().key.to_owned(), step: self.number, act }.id()
    }

    /// The id of the button that leads to the step `by` further on.
    pub fn on(&self, by: usize) -> String {
        let act = LessonAction::Move(ButtonAction::Panel(Vec::new()));
        Lesson { game: self.game.info().key.to_owned(), step: self.number + by, act }.id()
    }
}
