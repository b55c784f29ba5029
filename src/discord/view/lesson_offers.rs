//! The texts from which a lesson step is answered, as buttons and as numbers on the picture.

use rookery_core::Cell;
use rookery_core::scene::{Mark, MarkKind};

use super::MessageView;
use crate::discord::view::lesson_step::Step;

/// The texts that a step offers.
pub(super) struct Offers<'a> {
    step: &'a Step,
    /// The cell that each text leads to, and the one that it leaves; empty where a text is not a move to a cell.
    ways: Vec<(Option<Cell>, Cell)>,
}

impl<'a> Offers<'a> {
    /// Reads the texts of a step as moves to cells, unless it teaches how moves are typed.
    pub(super) fn of(step: &'a Step) -> Offers<'a> {
        let board = step.play.board();
        let way = |text: &&str| match text.split_once(['-', '>']) {
            Some((from, to)) => Some((Some(board.named(from)?), board.named(to)?)),
            None => board.named(text).map(|to| (None, to)),
        };
        let ways: Option<Vec<_>> = step.task.offered.iter().map(way).collect();
        Offers { step, ways: ways.filter(|_| !step.teaches_notation()).unwrap_or_default() }
    }

    /// Returns the label of an offered text: its number and cell on the picture, its sentence, or the text itself.
    pub(super) fn label(&self, view: &MessageView<'_>, index: usize) -> String {
        let board = self.step.play.board();
        let Some((from, to)) = self.ways.get(index) else {
            let key = format!("{}-offer-{index}", self.step.key());
            return if self.step.teaches_notation() {
                self.step.task.offered[index].to_owned()
            } else {
                view.words.lesson(self.step.game.info(), &key)
            };
        };
        let goal = match from.filter(|_| self.origin().is_none()) {
            Some(from) => {
                let args = [("from", board.name(from).into()), ("to", board.name(*to).into())];
                view.words.say("step-from-to", &args)
            }
            None => board.name(*to).to_owned(),
        };
        view.numbered(index + 1, &goal)
    }

    /// Returns the marks of the cells, and of the piece if all texts move the same one.
    pub(super) fn marks(&self) -> Vec<Mark> {
        let numbered = self
            .ways
            .iter()
            .enumerate()
            .map(|(index, (_, to))| Mark { cell: *to, kind: MarkKind::Label((index + 1).to_string()) });
        let origin = self.origin().map(|cell| Mark { cell, kind: MarkKind::Chosen });
        origin.into_iter().chain(numbered).collect()
    }

    /// Returns the cell that all texts leave.
    fn origin(&self) -> Option<Cell> {
        let (first, _) = self.ways.first()?;
        first.filter(|_| self.ways.iter().all(|(from, _)| from == first))
    }
}
