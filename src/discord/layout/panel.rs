//! The panel: a move put together by choosing, step by step, seen by the mover alone.
//!
//! Its buttons carry the steps taken so far, so that it needs no memory of ours. A step with up to
//! 75 choices is spread over up to three selects; one with more begins with a choice of columns.

use crate::kit::menu::{Choice as Option_, Menu};
use crate::kit::scene::{Mark, MarkKind};
use crate::kit::{Part as Step, Play, Seat};
use crate::table::{Person, Table};
use crate::words::clip;

use super::super::limits::{CHOICE_MOST, CHOICES_MOST};
use super::super::post::{Choice, Part, Post, Tone};
use super::super::press::{Deed, Press};
use super::Layout;

/// Selects in one panel; the last row is for buttons.
const SELECTS_MOST: usize = 3;

/// Where a panel stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The steps make a whole move.
    Done(String),
    /// There is something to choose, after these steps (forced ones added).
    Choose {
        /// The steps so far.
        taken: Vec<String>,
        /// What can come next.
        choices: Vec<Option_>,
    },
    /// No legal move begins so.
    Nothing,
}

/// Where a panel stands after some steps. Steps that leave no choice are taken without asking, but a
/// move is never completed without anything having been chosen.
pub fn stage(play: &dyn Play, taken: &[String]) -> Stage {
    let mut taken = taken.to_vec();
    let chosen = !taken.is_empty();
    loop {
        match play.menu(&taken) {
            Menu::Nothing => return Stage::Nothing,
            Menu::Done(text) => return Stage::Done(text),
            Menu::Choose(choices) => {
                let last = choices.iter().map(|choice| choice.moves).sum::<usize>() == 1;
                if choices.len() > 1 || (last && !chosen) {
                    return Stage::Choose { taken, choices };
                }
                taken.extend(choices.into_iter().map(|choice| choice.step.text));
            }
        }
    }
}

impl Layout<'_> {
    /// The panel for somebody who is to move; `column` narrows a long list of cells.
    pub fn panel(
        &self,
        table: &Table,
        who: Person,
        taken: &[String],
        choices: &[Option_],
        column: Option<char>,
    ) -> Option<Post> {
        let play = table.play()?;
        let side = table.seat_of(who).unwrap_or(Seat::FIRST);
        let in_column = |choice: &&Option_| column.is_none_or(|c| label(choice).starts_with(c));
        let choices: Vec<_> = choices.iter().filter(in_column).collect();
        let part = self.words.part(choices.first()?.step.part);
        let marks = marks(play, taken, &choices);
        let mut post = Post::text(self.panel_line(table, taken, &part));
        post.picture = Some(self.picture(table, play, side, marks));
        post.rows = self.selects(table, taken, &choices, &part);
        Some(post.row(self.panel_buttons(table, taken, column)))
    }

    fn panel_line(&self, table: &Table, taken: &[String], part: &str) -> String {
        let key = if taken.is_empty() { "panel-choose" } else { "panel-so-far" };
        self.words.say(
            key,
            &[("table", table.id().as_str().into()), ("sofar", taken.concat().into()), ("part", part.into())],
        )
    }

    fn selects(&self, table: &Table, taken: &[String], choices: &[&Option_], part: &str) -> Vec<Vec<Part>> {
        if choices.len() > SELECTS_MOST * CHOICES_MOST {
            return self.columns(table, taken, choices, part);
        }
        let several = choices.len() > CHOICES_MOST;
        let numbered: Vec<_> = choices.iter().enumerate().map(|(i, choice)| (i + 1, *choice)).collect();
        let selects = numbered.chunks(CHOICES_MOST).enumerate().map(|(number, chunk)| {
            let id = Press::new(table.id(), table.ply(), Deed::Pick(number as u8, taken.to_vec())).id();
            let placeholder = if several { self.span(part, chunk) } else { self.placeholder(part) };
            let choices = chunk.iter().map(|(mark, choice)| self.choice(*mark, choice)).collect();
            vec![Part::Select { id, placeholder, choices }]
        });
        selects.collect()
    }

    fn choice(&self, mark: usize, choice: &Option_) -> Choice {
        let note = match choice.step.cell {
            Some(_) if is_numbered(choice) => self.words.say("panel-choice", &[("label", mark.into())]),
            _ => String::new(),
        };
        let name = self.words.step(&choice.step);
        Choice { label: clip(&name, CHOICE_MOST), value: choice.step.text.clone(), note }
    }

    fn placeholder(&self, part: &str) -> String {
        self.words.say("panel-select", &[("part", part.into())])
    }

    fn span(&self, part: &str, chunk: &[(usize, &Option_)]) -> String {
        let end = |at: Option<&(usize, &Option_)>| at.map_or("", |(_, choice)| label(choice)).to_owned();
        self.words.say(
            "panel-select-part",
            &[
                ("part", part.into()),
                ("first", end(chunk.first()).into()),
                ("last", end(chunk.last()).into()),
            ],
        )
    }

    /// One select of the columns that the cells are in, each with its letter as value.
    fn columns(&self, table: &Table, taken: &[String], choices: &[&Option_], part: &str) -> Vec<Vec<Part>> {
        let mut letters: Vec<char> =
            choices.iter().filter_map(|choice| label(choice).chars().next()).collect();
        letters.sort_unstable();
        letters.dedup();
        let choice = |letter: char| Choice {
            label: self.words.say("panel-column", &[("column", letter.to_string().into())]),
            value: letter.to_string(),
            note: String::new(),
        };
        let choices = letters.into_iter().take(CHOICES_MOST).map(choice).collect();
        let id = Press::new(table.id(), table.ply(), Deed::Column(0, taken.to_vec())).id();
        vec![vec![Part::Select { id, placeholder: self.placeholder(part), choices }]]
    }

    /// Back to the step before, and the board as text for who does not see the picture.
    fn panel_buttons(&self, table: &Table, taken: &[String], column: Option<char>) -> Vec<Part> {
        let id = |deed| Press::new(table.id(), table.ply(), deed).id();
        let text = Part::button(self.words.word("button-text"), Tone::Plain, id(Deed::Text));
        let before = match (column, taken.split_last()) {
            (Some(_), _) => Some(taken.to_vec()),
            (None, Some((_, before))) => Some(before.to_vec()),
            (None, None) => None,
        };
        let back = before
            .map(|steps| Part::button(self.words.word("button-back"), Tone::Plain, id(Deed::Panel(steps))));
        back.into_iter().chain([text]).collect()
    }
}

/// What a choice is called: the cell or sign without separators.
fn label(choice: &Option_) -> &str {
    choice.step.label()
}

/// Whether a choice has its number on the board: a piece would vanish under it.
fn is_numbered(choice: &Option_) -> bool {
    choice.step.part != Step::Piece
}

/// The cells chosen so far, and those that can be chosen by their number in the selects.
fn marks(play: &dyn Play, taken: &[String], choices: &[&Option_]) -> Vec<Mark> {
    let chosen = (1..=taken.len()).filter_map(|many| cell_of(play, &taken[..many]));
    let chosen = chosen.map(|cell| Mark { cell, kind: MarkKind::Chosen });
    let mark = |(i, choice): (usize, &&Option_)| {
        let kind = if is_numbered(choice) { MarkKind::Label((i + 1).to_string()) } else { MarkKind::Goal };
        choice.step.cell.map(|cell| Mark { cell, kind })
    };
    chosen.chain(choices.iter().enumerate().filter_map(mark)).collect()
}

/// The cell that the last of these steps names.
fn cell_of(play: &dyn Play, steps: &[String]) -> Option<crate::kit::Cell> {
    let (last, before) = steps.split_last()?;
    let Menu::Choose(choices) = play.menu(before) else { return None };
    choices.into_iter().find(|choice| choice.step.text == *last)?.step.cell
}
