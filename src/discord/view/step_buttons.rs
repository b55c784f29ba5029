//! Converts the choices of a step to buttons, and to the marks that number them on the picture.
//!
//! Number and order are the same on both. At most twenty choices are buttons of their own. More moves along lines
//! begin with the direction, and more places with the column, so that no list covers the board. Four rows are
//! for the choices; the fifth holds Back and its neighbours.

use rookery_core::menu::Choice;
use rookery_core::scene::{Mark, MarkKind};
use rookery_core::{Play, Seat, Step, StepKind};
use rookery_i18n::clip;
use rookery_table::Table;

use super::MessageView;
use crate::discord::wire::limits::{MAX_BUTTONS, MAX_LABEL_CHARS};
use crate::discord::wire::outgoing_message::{ButtonStyle, Component};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId};

/// The rows of buttons above the panel's own buttons.
const ROWS: usize = 4;
/// The most choices that fit as buttons.
const BUTTONS: usize = ROWS * MAX_BUTTONS;

/// The position for which a panel chooses a move: the current one, or one ahead in a plan.
pub struct PanelTarget<'a> {
    /// The table of the game.
    pub table: &'a Table,
    /// The position from which a move is chosen.
    pub play: &'a dyn Play,
    /// The seat at the bottom of the board.
    pub side: Seat,
    /// The planned moves so far; `None` for a move of the current turn.
    pub ahead: Option<&'a [String]>,
}

impl PanelTarget<'_> {
    /// Returns the id of a button for this action.
    pub(super) fn id(&self, action: ButtonAction) -> String {
        let action = match (self.ahead, action) {
            (
                Some(moves),
                step @ (ButtonAction::Panel(_) | ButtonAction::Pick(..) | ButtonAction::Narrow(..)),
            ) => ButtonAction::PlanStep(moves.to_vec(), Box::new(step)),
            (_, action) => action,
        };
        TableButtonId::new(self.table.id(), self.table.ply(), action).id()
    }
}

/// One step's choices in rows, and their marks on the picture.
pub(super) struct StepChoices {
    /// At most four rows.
    pub(super) rows: Vec<Vec<Component>>,
    /// The marks of the cells or directions, with the numbers of their buttons.
    pub(super) marks: Vec<Mark>,
    /// Whether the buttons narrow the choices to one direction first.
    pub(super) asks_direction: bool,
}

/// The state for arranging one step's choices.
pub(super) struct StepButtons<'a> {
    pub(super) view: &'a MessageView<'a>,
    /// The position from which a move is chosen.
    pub(super) play: &'a dyn Play,
    /// The seat at the bottom of the board.
    pub(super) side: Seat,
    /// Returns the id of a button for an action.
    pub(super) id: &'a dyn Fn(ButtonAction) -> String,
    pub(super) taken: &'a [String],
}

/// Whether a choice belongs to the column, row or direction to which a panel is narrowed: a letter for a column or
/// row, a digit for a direction in eighths clockwise from up, as the first seat sees the board.
pub(super) fn is_in_line(play: &dyn Play, taken: &[String], choice: &Choice, line: Option<char>) -> bool {
    let Some(line) = line else { return true };
    match line.to_digit(8) {
        Some(eighths) => play.heading(Seat::FIRST, taken, &choice.step).map(u32::from) == Some(eighths),
        None => choice.step.label().starts_with(line),
    }
}

impl StepButtons<'_> {
    /// Arranges choices in at most four rows.
    pub(super) fn arrange(&self, choices: &[&Choice]) -> StepChoices {
        if choices.iter().all(|choice| choice.step.part == StepKind::Spin) {
            return self.spins(choices);
        }
        if let Some(directions) = self.directions(choices) {
            return self.compass(&directions, choices);
        }
        if choices.len() <= BUTTONS {
            return self.numbered(choices, Vec::new());
        }
        self.rays(choices).map_or_else(|| self.columns(choices), |rays| self.directions_first(rays))
    }

    /// Builds a numbered button for each cell and each direction to turn to, and one in words for each other choice.
    /// Numbers go on after those of the marks so far.
    fn numbered(&self, choices: &[&Choice], mut marks: Vec<Mark>) -> StepChoices {
        let mut choices = choices.to_vec();
        self.sort_along_line(&mut choices);
        let mut parts = Vec::new();
        for choice in choices {
            let piece = self.view.words.piece_on(self.play, &choice.step);
            let label = piece.unwrap_or_else(|| self.view.words.step(&choice.step));
            let number = self.number(&mut marks, &choice.step);
            let label = number.map_or_else(|| label.clone(), |number| self.view.numbered(number, &label));
            parts.push(self.pick_button(&label, std::slice::from_ref(&choice.step.text)));
        }
        StepChoices { rows: in_rows(&parts, MAX_BUTTONS), marks, asks_direction: false }
    }

    /// Marks the cell of a step, or the direction to which it turns a piece, with the next number; returns the number.
    pub(super) fn number(&self, marks: &mut Vec<Mark>, step: &Step) -> Option<usize> {
        let label = (marks.len() + 1).to_string();
        let facing = || {
            let heading = self.play.heading(self.side, self.taken, step)?;
            let cell = self.play.turned(self.taken, step)?;
            Some(Mark { cell, kind: MarkKind::Facing { label: label.clone(), heading } })
        };
        let mark = match step.cell {
            Some(cell) => Mark { cell, kind: MarkKind::Label(label) },
            None => facing()?,
        };
        marks.push(mark);
        Some(marks.len())
    }

    /// Sorts cells by their distance from the piece, if all are in the same direction from it.
    pub(super) fn sort_along_line(&self, choices: &mut [&Choice]) {
        let heading = |choice: &&Choice| self.play.heading(self.side, self.taken, &choice.step);
        let first = choices.first().and_then(heading);
        let Some(origin) = self.play.board().last_named(self.taken) else { return };
        if first.is_some() && choices.iter().all(|choice| heading(choice) == first) {
            let lines = self.play.board().lines();
            choices.sort_by_key(|choice| choice.step.cell.map(|cell| lines.between(origin, cell).len()));
        }
    }

    /// Builds a button that adds these steps.
    pub(super) fn pick_button(&self, label: &str, steps: &[String]) -> Component {
        self.button(label, ButtonAction::Pick(0, [self.taken, steps].concat()))
    }

    /// Builds a button that shows only the choices of one column, row or direction.
    pub(super) fn narrow_button(&self, label: &str, line: char) -> Component {
        self.button(label, ButtonAction::Narrow(line, self.taken.to_vec()))
    }

    fn button(&self, label: &str, action: ButtonAction) -> Component {
        Component::button(clip(label, MAX_LABEL_CHARS), ButtonStyle::Secondary, (self.id)(action))
    }

    /// Builds a row each for spins to the left, no spin, and spins to the right.
    fn spins(&self, choices: &[&Choice]) -> StepChoices {
        let (mut rows, mut marks) = (Vec::new(), Vec::new());
        for sign in ['L', '.', 'R'] {
            let these = choices.iter().filter(|choice| choice.step.text.starts_with(sign)).copied();
            let row = self.numbered(&these.collect::<Vec<_>>(), marks);
            marks = row.marks;
            rows.extend(row.rows);
        }
        StepChoices { rows, marks, asks_direction: false }
    }

    /// Builds a button for each column that has cells; on boards whose letters count rows, for each row. Choices
    /// without a cell keep a button of their own.
    fn columns(&self, choices: &[&Choice]) -> StepChoices {
        let (placed, others): (Vec<&Choice>, Vec<_>) =
            choices.iter().copied().partition(|choice| choice.step.cell.is_some());
        let mut letters: Vec<char> =
            placed.iter().filter_map(|choice| choice.step.label().chars().next()).collect();
        letters.sort_unstable();
        letters.dedup();
        let column = |letter: char| {
            let label = self.view.words.say("panel-column", &[("column", letter.to_string().into())]);
            self.narrow_button(&label, letter)
        };
        let other = |choice: &Choice| {
            self.pick_button(&self.view.words.step(&choice.step), std::slice::from_ref(&choice.step.text))
        };
        let parts: Vec<_> =
            letters.into_iter().map(column).chain(others.into_iter().map(other)).take(BUTTONS).collect();
        let goal = |choice: &&Choice| Some(Mark { cell: choice.step.cell?, kind: MarkKind::Goal });
        let marks = placed.iter().filter_map(goal).collect();
        StepChoices { rows: in_rows(&parts, 4), marks, asks_direction: false }
    }
}

impl MessageView<'_> {
    /// The label of a button for a choice that has a number on the picture: "3 · d7".
    pub(super) fn numbered(&self, number: usize, label: &str) -> String {
        self.words.say("step-numbered", &[("number", number.into()), ("label", label.into())])
    }
}

pub(super) fn in_rows(parts: &[Component], most: usize) -> Vec<Vec<Component>> {
    parts.chunks(most).map(<[_]>::to_vec).collect()
}
